//! What arguments mean: choices, other words for them, and what an answer is narrowed to.

use crate::any::sensible;
use crate::support::Shop;
use serde_json::{Value, json};
use whyrank_mcp::{Call, Profile, Readiness, call_tool, tools_of};

#[test]
fn an_unknown_choice_is_an_error_that_lists_the_choices() {
    let shop = Shop::new();
    let mut n_asked = 0;
    for row in tools_of(Profile::Full) {
        let schema = row.schema();
        let fields = schema["properties"].as_object().expect("an object");
        for (name, field) in fields {
            let choices = field
                .get("enum")
                .or_else(|| field.get("items")?.get("enum"));
            let Some(choices) = choices.and_then(Value::as_array) else {
                continue;
            };
            let Value::Object(mut args) = sensible(row.name) else {
                unreachable!("an object")
            };
            args.insert(name.clone(), json!("gibberish"));
            for required in schema
                .get("required")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                let required = required.as_str().expect("a name").to_owned();
                args.entry(required).or_insert(json!("x"));
            }
            let error = shop
                .try_call(row.name, Value::Object(args))
                .expect_err(row.name);
            assert_eq!(
                error.message,
                format!("`{name}` is \"gibberish\""),
                "{}",
                row.name
            );
            let named = |choice: &Value| error.hint.contains(choice.as_str().expect("a text"));
            assert!(choices.iter().all(named), "{}: {}", row.name, error.hint);
            n_asked += 1;
        }
    }
    assert!(n_asked > 40, "{n_asked}");
}

#[test]
fn other_words_for_a_choice_answer_as_it_does() {
    let shop = Shop::new();
    let uses = |kinds: Value| {
        shop.call("refs", json!({"symbol": "with_tax", "kinds": kinds}))
            .results
    };
    assert!(!uses(json!(["call"])).is_empty());
    assert_eq!(uses(json!("calls")), uses(json!(["call"])));
    let none = shop.call("refs", json!({"symbol": "with_tax", "kinds": ["extends"]}));
    assert!(
        none.text.contains("no use of that kind, 3 of other kinds"),
        "{}",
        none.text
    );
    let found = |language: &str| {
        shop.call("search", json!({"query": "price", "language": language}))
            .results
    };
    assert!(!found("py").is_empty());
    assert_eq!(found("py"), found("python"));
    let error = shop
        .try_call("search", json!({"query": "price", "language": "rust"}))
        .expect_err("no file");
    assert_eq!(error.message, "no indexed file is in rust");
    assert!(error.hint.contains("python"), "{error}");
}

#[test]
fn a_lookup_is_narrowed_and_says_how_much_it_leaves_out() {
    let shop = Shop::with_branches(60);
    let all = shop.call("lookup", json!({"symbol": "fetch"}));
    assert!(all.text.contains("[20/60 definitions"), "{}", all.text);
    let more = shop.call("lookup", json!({"symbol": "fetch", "max_tokens": 9000}));
    assert_eq!(more.text.lines().count(), 60, "{}", more.text);
    for path in [
        "shop/branches/branch_7.py",
        "branch_7.py",
        "shop/**/branch_7.*",
    ] {
        let one = shop.call("lookup", json!({"symbol": "fetch", "path": path}));
        assert_eq!(one.text.lines().count(), 1, "{}", one.text);
        assert!(one.text.contains("Branch7.fetch"), "{}", one.text);
    }
    let error = shop
        .try_call("lookup", json!({"symbol": "fetch", "kind": "class"}))
        .expect_err("no class");
    assert_eq!(error.message, "no class `fetch`");
    assert!(
        error
            .hint
            .starts_with("60 elsewhere or of another kind (method)"),
        "{error}"
    );
    let error = shop
        .try_call(
            "refs",
            json!({"symbol": "with_tax", "path": "shop/branches"}),
        )
        .expect_err("not there");
    assert_eq!(
        error.to_string(),
        "no definition of `with_tax` in `shop/branches`\nit is defined in shop/prices.py:6"
    );
}

#[test]
fn what_is_too_large_for_the_index_may_define_a_name() {
    let shop = Shop::new();
    let lines = "    // A line of the long file.\n".repeat(200_000);
    let text = format!("class Till {{\n    void ring() {{}}\n{lines}}}\n");
    shop.write("shop/Till.java", &text);
    shop.write("shop/Shop.java", "class Shop {\n    Till till;\n}\n");
    shop.commit();
    shop.index();
    let error = shop.try_call("lookup", json!({"symbol": "Till.ring"}));
    assert_eq!(
        error.expect_err("not indexed").message,
        "no definition of `Till.ring`, but shop/Till.java, too large for the index, holds the name"
    );
    // The field is no answer to who asks for the class.
    let found = shop.call("lookup", json!({"symbol": "Till"})).text;
    assert!(
        found.starts_with("none is spelled like that here, but shop/Till.java, too large"),
        "{found}"
    );
}

#[test]
fn what_was_parsed_in_part_may_define_a_name() {
    let shop = Shop::new();
    shop.write(
        "shop/view.ts",
        "export class View {\n  ]]] lost_part(((\n}\n",
    );
    shop.commit();
    shop.index();
    let lookup = |symbol: &str| {
        let error = shop.try_call("lookup", json!({"symbol": symbol}));
        error.expect_err("unknown").message
    };
    assert_eq!(
        lookup("View.lost_part"),
        "no definition of `View.lost_part`, but shop/view.ts, parsed only in part, holds the name"
    );
    assert_eq!(lookup("lost"), "no definition of `lost`");
    let status = shop.call("status", json!({})).text;
    assert!(
        status.contains("parsed in part: 1 file: shop/view.ts (line "),
        "{status}"
    );
}

#[test]
fn symbols_are_names_or_places() {
    let shop = Shop::new();
    let text = |symbols: Value| shop.call("dead_code", json!({"symbols": symbols})).text;
    let expected =
        text(json!([{"symbol": "with_tax"}, {"symbol": "summarize", "path": "shop/report.py"}]));
    assert!(expected.contains("with_tax: alive"), "{expected}");
    assert_eq!(
        text(json!(["with_tax", "shop/report.py:summarize"])),
        expected
    );
    assert_eq!(text(json!("with_tax, summarize")), expected);
}

#[test]
fn a_hub_is_told_by_folder_and_callers_by_certainty() {
    let shop = Shop::with_branches(60);
    let deps = shop.call("deps", json!({"path": "shop/prices.py", "max_tokens": 800}));
    assert!(deps.tokens < 120, "{}", deps.text);
    assert!(deps.text.contains("  shop/branches/ 60: "), "{}", deps.text);
    assert!(
        deps.text.contains("format=detailed lists them"),
        "{}",
        deps.text
    );
    let impact = shop.call("impact", json!({"symbol": "with_tax", "depth": 1}));
    assert!(impact.text.contains(", certain"), "{}", impact.text);
}

#[test]
fn tests_of_one_definition_and_of_a_type() {
    let shop = Shop::new();
    let of = |symbol: &str| shop.call("test_map", json!({"symbol": symbol})).text;
    assert!(
        of("Cart").starts_with("3 definitions here"),
        "{}",
        of("Cart")
    );
    assert!(of("Cart.total").contains("tests/test_cart.py:4 test_total"));
    let error = shop
        .try_call("test_map", json!({"symbol": "Kart"}))
        .expect_err("unknown");
    assert_eq!(error.message, "no definition of `Kart`");
    shop.write("tests/run.tcl", "proc check {} {\n  exec shop\n}\n");
    shop.write("tests/all.tcl", "proc all {} {\n  check\n}\n");
    shop.commit();
    shop.index();
    let answer = shop.call("test_map", json!({"path": "shop/report.py"}));
    assert!(
        answer
            .text
            .contains("1 by none known; 3 test files, 2 of them in tcl"),
        "{}",
        answer.text
    );
}

#[test]
fn an_agent_reaches_what_is_registered_and_its_own_folder_alone() {
    let shop = Shop::new();
    let elsewhere = shop.folder.path().join("elsewhere");
    git2::Repository::init(&elsewhere).expect("a repository");
    let elsewhere = elsewhere.to_str().expect("text");
    let session = shop.session_of(Readiness::Prepared).for_agents();
    let call = |repo: &str| {
        let Value::Object(args) = json!({"symbol": "Cart", "repo": repo}) else {
            unreachable!("an object")
        };
        call_tool("lookup", &Call::plain(&session), args)
    };
    for inside in [shop.root(), shop.root().join("shop")] {
        call(inside.to_str().expect("text")).expect("answered");
    }
    for outside in [elsewhere, "/", "../..", "/no/such/folder"] {
        let error = call(outside).expect_err(outside);
        assert_eq!(error.code, "out-of-reach", "{outside}");
        assert!(error.hint.contains("whyrank repos add"), "{error}");
    }
    let error = call("no-such-name").expect_err("unknown");
    assert_eq!(error.code, "unknown-repository");
    let n_known = shop.engine.repos().expect("a list").len();
    assert_eq!(n_known, 1, "nothing was registered");
    shop.engine
        .add_repo(elsewhere.as_ref())
        .expect("the person allows it");
    assert_ne!(
        call(elsewhere).expect_err("not indexed").code,
        "out-of-reach"
    );
}

#[test]
fn what_a_file_holds_commands_no_terminal() {
    let shop = Shop::new();
    shop.write(
        "shop/esc.py",
        "def esc_marker():\n    return '\u{1b}]52;c;aGk=\u{7}\u{202e}'\n",
    );
    shop.index();
    let Value::Object(args) = json!({"query": "esc_marker", "format": "detailed"}) else {
        unreachable!("an object")
    };
    let answer = call_tool("search", &Call::plain(&shop.session), args).expect("an answer");
    assert!(answer.text.contains("\\u001b]52;"), "{}", answer.text);
    let hidden = |char: char| char.is_control() && char != '\n' || char == '\u{202e}';
    assert!(!answer.text.contains(hidden), "{}", answer.text);
}
