//! Parameters and local variables: of the text in the editor, saved or not, and without an index.

use super::client::{Editor, at, places};
use serde_json::Value;
use whyrank_tests::{Home, TestRepo};

const SAVED: &str = "total = 0\n\ndef count(items):\n    total = 0\n    for item in items:\n        total += item\n    return total\n";

/// Kinds of highlights with their lines, from 1: `2` reads, `3` writes.
fn highlights(found: &Value) -> Vec<String> {
    let list = found.as_array().map_or(&[][..], Vec::as_slice);
    let one = |one: &Value| {
        let line = one["range"]["start"]["line"].as_u64().expect("a line");
        format!("{}:{}", line + 1, one["kind"])
    };
    list.iter().map(one).collect()
}

#[test]
fn a_local_of_an_unsaved_text_is_followed_within_its_function() {
    let repo = TestRepo::with(&[("count.py", SAVED)]);
    let (home, file) = (Home::new(), repo.root().join("count.py"));
    home.index(repo.arg());
    let mut editor = Editor::start(&home, &[], &[repo.root()]);
    editor.open(&file, SAVED);
    editor.insert(&file, 6, "    total = total + len(items)\n");
    let text = SAVED.replace("    return", "    total = total + len(items)\n    return");

    let last = at(&file, &text, "total\n");
    let found = editor.result("textDocument/definition", &last);
    assert_eq!(places(&found), ["count.py:4"]);
    let found = places(&editor.result("textDocument/references", &last));
    let lines = ["4", "6", "7", "7", "8"].map(|line| format!("count.py:{line}"));
    assert_eq!(found, lines);
    let mut others = last.clone();
    others["context"]["includeDeclaration"] = Value::Bool(false);
    let found = places(&editor.result("textDocument/references", &others));
    assert_eq!(found, lines[1..]);
    let found = editor.result("textDocument/documentHighlight", &last);
    assert_eq!(highlights(&found), ["4:3", "6:3", "7:3", "7:2", "8:2"]);
    let hover = editor.result("textDocument/hover", &last).to_string();
    assert!(
        hover.contains("total = 0") && hover.contains("4 other places"),
        "{hover}"
    );

    let parameter = at(&file, &text, "items)\n    return");
    let found = editor.result("textDocument/definition", &parameter);
    assert_eq!(places(&found), ["count.py:3"]);
    let outer = at(&file, &text, "total = 0\n\ndef");
    let found = editor.result("textDocument/documentHighlight", &outer);
    assert_eq!(
        highlights(&found),
        ["1:2"],
        "the one of the file is another"
    );
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn locals_need_no_index_and_are_left_to_another_server() {
    let (repo, home) = (TestRepo::large(1500), Home::new());
    let file = repo.root().join("new.rs");
    let text = "fn twice(value: u8) -> u8 { value * 2 }\n";
    let mut editor = Editor::start(&home, &[], &[repo.root()]);
    editor.open(&file, text);
    let asked = at(&file, text, "value *");
    let answer = editor.ask("textDocument/definition", asked.clone());
    assert_eq!(places(&answer["result"]), ["new.rs:1"], "{answer}");
    assert_eq!(editor.end(), Some(0));

    home.index(repo.arg());
    let mut editor = Editor::start(&home, &["--beside"], &[repo.root()]);
    assert_eq!(
        editor.capabilities["documentHighlightProvider"],
        Value::Null
    );
    editor.open(&file, text);
    assert_eq!(editor.result("textDocument/hover", &asked), Value::Null);
    assert_eq!(editor.end(), Some(0));
}
