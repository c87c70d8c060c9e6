//! Sessions of an editor with `whyrank lsp`, frame by frame.

mod client;
mod locals;
mod neovim;

use client::{Editor, at, places, uri};
use serde_json::{Value, json};
use std::path::Path;
use whyrank_tests::{Home, TestRepo};

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file")
}

/// Names at one level of an outline, and those within them.
fn names(symbols: &Value) -> Vec<String> {
    let list = symbols.as_array().map_or(&[][..], Vec::as_slice);
    let name = |one: &Value| one["name"].as_str().expect("a name").to_owned();
    list.iter()
        .flat_map(|one| [vec![name(one)], names(&one["children"])].concat())
        .collect()
}

#[test]
fn a_session_begins_without_an_index_and_ends_in_order() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    let mut editor = Editor::start(&home, &[], &[repo.root()]);
    assert_eq!(editor.capabilities["positionEncoding"], "utf-16");
    editor.wait_told("window/showMessage", "in the background");
    let cart = repo.root().join("web/src/cart.ts");
    let text = read(&cart);
    editor.open(&cart, &text);
    let call = at(&cart, &text, "priceOf(line");

    let found = editor.result("textDocument/definition", &call);
    assert_eq!(places(&found), ["prices.ts:4"]);
    let found = editor.result("textDocument/declaration", &call);
    assert_eq!(places(&found), ["prices.ts:4"]);
    let found = places(&editor.result("textDocument/references", &call));
    assert_eq!(found[0], "prices.ts:4");
    assert!(found.contains(&"cart.ts:21".to_owned()), "{found:?}");

    let hover = editor.result("textDocument/hover", &call);
    let words = hover["contents"]["value"].as_str().expect("words");
    for word in ["priceOf(sku: string)", "Looks a price up", "**1 user"] {
        assert!(words.contains(word), "{word:?} is not in {words}");
    }
    let found = editor.result("workspace/symbol", &json!({"query": "priceOf"}));
    assert_eq!(found[0]["name"], "priceOf", "{found}");
    let found = editor.result("workspace/symbol", &json!({"query": "price"}));
    for name in ["priceOf", "setPrice"] {
        assert!(names(&found).contains(&name.to_owned()), "{found}");
    }

    let document = json!({"textDocument": {"uri": uri(&cart)}});
    let found = names(&editor.result("textDocument/documentSymbol", &document));
    assert!(found.contains(&"Cart".to_owned()), "{found:?}");
    assert!(found.contains(&"total".to_owned()), "{found:?}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn lenses_and_hierarchies_count_and_name_who_uses_what() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    for number in 1..=4 {
        let text = format!("note {number} on prices");
        let anchor = "web/src/prices.ts#priceOf";
        let place = ["--anchor", anchor, "--repo", repo.arg()];
        home.run(&[&["memo", "add", text.as_str()][..], &place].concat())
            .succeeds();
    }
    let mut editor = Editor::start(&home, &[], &[repo.root()]);
    let prices = repo.root().join("web/src/prices.ts");
    let document = json!({"textDocument": {"uri": uri(&prices)}});
    let lenses = editor.result("textDocument/codeLens", &document);
    assert_eq!(
        lenses[0]["command"],
        Value::Null,
        "resolved when it is seen"
    );
    let lens = editor.result("codeLens/resolve", &lenses[0]);
    let title = lens["command"]["title"].as_str().expect("a title");
    assert_eq!(title, "1 user · 4 memos");

    let head = at(&prices, &read(&prices), "priceOf");
    let items = editor.result("textDocument/prepareCallHierarchy", &head);
    let item = json!({"item": items[0]});
    let calls = editor.result("callHierarchy/incomingCalls", &item);
    assert_eq!(calls[0]["from"]["name"], "Cart.total", "{calls}");
    let items = json!({"item": calls[0]["from"]});
    let calls = editor.result("callHierarchy/outgoingCalls", &items);
    assert_eq!(calls[0]["to"]["name"], "priceOf", "{calls}");

    let head = at(&prices, &read(&prices), "setPrice");
    let items = editor.result("textDocument/prepareCallHierarchy", &head);
    let calls = editor.result("callHierarchy/incomingCalls", &json!({"item": items[0]}));
    assert_eq!(calls[0]["from"]["name"], "web/test/cart.test.ts", "{calls}");
    let from = json!({"item": calls[0]["from"]});
    let calls = editor.result("callHierarchy/incomingCalls", &from);
    assert_eq!(calls, Value::Null, "nobody uses a file so");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn types_lead_to_what_implements_them_and_back() {
    let repo = TestRepo::with(&[(
        "shape.ts",
        "export interface Shape { area(): number }\n\
         export class Square implements Shape { area() { return 1 } }\n\
         export const unit: Shape = new Square();\n",
    )]);
    let (home, file) = (Home::new(), repo.root().join("shape.ts"));
    home.index(repo.arg());
    let mut editor = Editor::start(&home, &[], &[repo.root()]);
    let text = read(&file);
    let found = editor.result("textDocument/implementation", &at(&file, &text, "Shape"));
    assert_eq!(places(&found), ["shape.ts:2"]);
    let found = editor.result("textDocument/typeDefinition", &at(&file, &text, "unit"));
    assert!(places(&found).contains(&"shape.ts:1".to_owned()), "{found}");
    let square = at(&file, &text, "Square");
    let items = editor.result("textDocument/prepareTypeHierarchy", &square);
    let item = json!({"item": items[0]});
    let found = editor.result("typeHierarchy/supertypes", &item);
    assert_eq!(found[0]["name"], "Shape", "{found}");
    let found = editor.result("typeHierarchy/subtypes", &json!({"item": found[0]}));
    assert_eq!(found[0]["name"], "Square", "{found}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn answers_are_of_the_buffer_and_not_of_the_disk() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    let mut editor = Editor::start(&home, &[], &[repo.root()]);
    let cart = repo.root().join("web/src/cart.ts");
    let before = read(&cart);
    let added = "export function halfOf(sku: string) {\n  return priceOf(sku) / 2;\n}\n";
    editor.open(&cart, &before);
    editor.insert(&cart, 1, added);
    let text = before.replacen('\n', &format!("\n{added}"), 1);

    // A line that moved, one that is new, and a definition that nobody has saved.
    let moved = at(&cart, &text, "priceOf(line");
    let found = editor.result("textDocument/definition", &moved);
    assert_eq!(places(&found), ["prices.ts:4"]);
    let found = places(&editor.result("textDocument/references", &moved));
    assert!(found.contains(&"cart.ts:24".to_owned()), "{found:?}");
    let new = at(&cart, &text, "priceOf(sku) / 2");
    let found = editor.result("textDocument/definition", &new);
    assert_eq!(places(&found), ["prices.ts:4"]);
    let hover = editor.result("textDocument/hover", &new).to_string();
    assert!(hover.contains("Maybe"), "{hover}");
    let own = at(&cart, &text, "halfOf");
    let found = editor.result("textDocument/definition", &own);
    assert_eq!(places(&found), ["cart.ts:2"]);
    let document = json!({"textDocument": {"uri": uri(&cart)}});
    let found = names(&editor.result("textDocument/documentSymbol", &document));
    assert!(found.contains(&"halfOf".to_owned()), "{found:?}");

    // Once saved it is known for certain.
    repo.write("web/src/cart.ts", &text);
    editor.tell("textDocument/didSave", document);
    let is_found = |found: &Value| places(found).contains(&"cart.ts:3".to_owned());
    editor.result_when(("textDocument/references", &new), is_found);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_file_that_is_not_saved_yet_has_an_outline_and_leads_on_by_name() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    let mut editor = Editor::start(&home, &[], &[repo.root()]);
    // Its name ends as that of another file does, which it must not be taken for.
    let new = repo.root().join("cart.ts");
    let text = "export function fresh() {\n  return priceOf(\"tea\");\n}\n";
    editor.open(&new, text);
    let found = editor.result("textDocument/definition", &at(&new, text, "priceOf"));
    assert_eq!(places(&found), ["prices.ts:4"]);
    let document = json!({"textDocument": {"uri": uri(&new)}});
    let found = names(&editor.result("textDocument/documentSymbol", &document));
    assert_eq!(found, ["fresh"]);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn several_roots_answer_and_columns_are_counted_as_agreed() {
    let (shop, home) = (TestRepo::shop(), Home::new());
    let other = TestRepo::with(&[("a.py", "def único(): return 1\n\nx = \"é\"; único()\n")]);
    let utf8 = json!({"general": {"positionEncodings": ["utf-8", "utf-16"]}});
    let roots = [shop.root(), other.root()];
    let mut editor = Editor::with_capabilities(&home, &[], &roots, utf8);
    assert_eq!(editor.capabilities["positionEncoding"], "utf-8");
    let file = other.root().join("a.py");
    let call = json!({
        "textDocument": {"uri": uri(&file)},
        "position": {"line": 2, "character": "x = \"é\"; ú".len()},
    });
    let found = editor.result("textDocument/definition", &call);
    assert_eq!(found[0]["range"]["start"]["character"], 4, "{found}");
    assert_eq!(found[0]["range"]["end"]["character"], 4 + "único".len());
    let by_name = |query: &str| json!({"query": query});
    for (query, name) in [("priceOf", "priceOf"), ("único", "único")] {
        let is_found = |found: &Value| names(found).contains(&name.to_owned());
        editor.result_when(("workspace/symbol", &by_name(query)), is_found);
    }
    let removed =
        json!({"event": {"added": [], "removed": [{"uri": uri(other.root()), "name": "o"}]}});
    editor.tell("workspace/didChangeWorkspaceFolders", removed);
    let found = editor.result("workspace/symbol", &by_name("único"));
    assert!(!names(&found).contains(&"único".to_owned()), "{found}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_use_leads_to_what_defines_and_to_what_declares() {
    let repo = TestRepo::with(&[
        ("area.h", "int area(int width);\nextern int unit;\n"),
        (
            "area.c",
            "#include \"area.h\"\nint unit = 1;\nint area(int width) { return width * unit; }\n",
        ),
        (
            "main.c",
            "#include \"area.h\"\nint main(void) { return area(2) + unit; }\n",
        ),
    ]);
    let (home, file) = (Home::new(), repo.root().join("main.c"));
    home.index(repo.arg());
    let mut editor = Editor::start(&home, &[], &[repo.root()]);
    let text = read(&file);
    for (name, defined, declared) in [
        ("area(2", "area.c:3", "area.h:1"),
        ("unit;", "area.c:2", "area.h:2"),
    ] {
        let asked = at(&file, &text, name);
        let found = editor.result("textDocument/definition", &asked);
        assert_eq!(places(&found), [defined]);
        let found = editor.result("textDocument/declaration", &asked);
        assert_eq!(places(&found), [declared]);
    }
    let found = places(&editor.result("textDocument/references", &at(&file, &text, "area(2")));
    for place in ["area.h:1", "area.c:3", "main.c:2"] {
        assert!(
            found.contains(&place.to_owned()),
            "{place} is not in {found:?}"
        );
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_name_from_outside_leads_to_its_import() {
    let repo = TestRepo::with(&[(
        "path.ts",
        "import {\n  join as put,\n  sep,\n} from \"node:path\";\n\
         export const one = put(\"a\", sep);\nexport const other = { sep: one.sep };\n",
    )]);
    let (home, file) = (Home::new(), repo.root().join("path.ts"));
    home.index(repo.arg());
    let mut editor = Editor::start(&home, &[], &[repo.root()]);
    let text = read(&file);
    for (name, line) in [("put(", 2), ("sep);", 3)] {
        let found = editor.result("textDocument/definition", &at(&file, &text, name));
        assert_eq!(places(&found), [format!("path.ts:{line}")]);
    }
    for name in ["sep: one", "sep };"] {
        let found = editor.result("textDocument/definition", &at(&file, &text, name));
        assert!(!places(&found).contains(&"path.ts:3".to_owned()), "{found}");
    }
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn beside_another_server_nothing_is_offered_twice() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    let mut editor = Editor::start(&home, &["--beside"], &[repo.root()]);
    let offered = &editor.capabilities;
    for name in [
        "workspaceSymbolProvider",
        "callHierarchyProvider",
        "hoverProvider",
    ] {
        assert_eq!(offered[name], true, "{offered}");
    }
    for name in [
        "definitionProvider",
        "referencesProvider",
        "documentSymbolProvider",
    ] {
        assert_eq!(offered[name], Value::Null, "{offered}");
    }
    let prices = repo.root().join("web/src/prices.ts");
    let head = at(&prices, &read(&prices), "priceOf");
    let refused = editor.ask("textDocument/definition", head.clone());
    assert_eq!(refused["error"]["code"], -32601, "{refused}");
    let hover = editor.result("textDocument/hover", &head).to_string();
    assert!(
        hover.contains("1 user") && !hover.contains("Looks a price up"),
        "{hover}"
    );
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn what_cannot_be_answered_is_said_and_holds_nothing_up() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    let outside = repo.beside("outside");
    std::fs::create_dir(&outside).expect("a folder");
    let mut editor = Editor::start(&home, &[], &[repo.root(), &outside]);
    editor.wait_told("window/showMessage", "is in no git repository");

    let stray = outside.join("a.py");
    std::fs::write(&stray, "def a(): pass\n").expect("a file");
    editor.open(&stray, "def a(): pass\n");
    editor.wait_told("window/logMessage", "lies in no repository");
    let asked = at(&stray, "def a(): pass\n", "a()");
    let refused = editor.ask("textDocument/definition", asked.clone());
    let message = refused["error"]["message"].as_str().expect("a message");
    assert!(message.contains("lies in no repository"), "{message}");
    assert_eq!(
        editor.ask("textDocument/hover", asked)["result"],
        Value::Null
    );

    let large = repo.root().join("large.ts");
    let text = "export const x = 1;\n".repeat(5_000_000);
    repo.write("large.ts", &text);
    editor.open(&large, &text);
    editor.wait_told("window/showMessage", "too large");
    editor.insert(&large, 3, "// edited\n");
    let document = json!({"textDocument": {"uri": uri(&large)}});
    let outline = editor.ask("textDocument/documentSymbol", document);
    assert_eq!(outline["error"], Value::Null, "{outline}");

    let broken = editor.ask("textDocument/definition", json!({"textDocument": 1}));
    assert_eq!(broken["error"]["code"], -32602, "{broken}");
    let unknown = editor.ask("textDocument/unheardOf", json!({}));
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    editor.tell("textDocument/didOpen", json!({"broken": true}));
    let untitled = json!({"textDocument": {"uri": "untitled:Untitled-1"}});
    let answer = editor.ask("textDocument/documentSymbol", untitled);
    assert_eq!(answer["result"], Value::Null, "{answer}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_cancelled_request_is_answered_at_once_and_once() {
    let (repo, home) = (TestRepo::large(300), Home::new());
    let mut editor = Editor::start(&home, &[], &[repo.root()]);
    let id = editor.send("workspace/symbol", json!({"query": "module"}));
    editor.tell("$/cancelRequest", json!({"id": id}));
    let answer = editor.response(id);
    assert_eq!(answer["error"]["code"], -32800, "{answer}");
    editor.result("workspace/symbol", &json!({"query": "module"}));
    assert!(!editor.told.iter().any(|frame| frame["id"] == id));
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_first_index_is_shown_as_work_that_is_under_way() {
    let (repo, home) = (TestRepo::large(1500), Home::new());
    let shows = json!({"window": {"workDoneProgress": true}});
    let mut editor = Editor::with_capabilities(&home, &[], &[repo.root()], shows);
    for kind in ["begin", "end"] {
        editor.wait_told("$/progress", &format!("\"kind\":\"{kind}\""));
    }
    let created = |frame: &Value| frame["method"] == "window/workDoneProgress/create";
    assert!(editor.told.iter().any(created));
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn a_client_that_vanishes_ends_the_server() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    let mut editor = Editor::start(&home, &[], &[repo.root()]);
    editor.send("workspace/symbol", json!({"query": "cart"}));
    assert_eq!(editor.vanish(), Some(1));
    let editor = Editor::start(&home, &[], &[repo.root()]);
    assert_eq!(editor.vanish(), Some(1));
}

#[test]
fn what_is_no_frame_is_an_error_and_silence_is_none() {
    let home = Home::new();
    assert_eq!(Editor::spawn(&home, &[]).garble(), Some(6));
    assert_eq!(Editor::spawn(&home, &[]).vanish(), Some(1));
}
