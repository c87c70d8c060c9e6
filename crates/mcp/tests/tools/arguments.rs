//! What arguments mean: choices, other words for them, and what an answer is narrowed to.

use crate::any::sensible;
use crate::support::Shop;
use serde_json::{Value, json};
use whyrank_mcp::{Profile, tools_of};

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
