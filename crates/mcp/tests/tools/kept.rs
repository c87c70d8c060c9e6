//! Answers that were cut, and the tools over them.

use crate::support::Shop;
use serde_json::json;

/// The shop with many small functions, and the handle of an answer that has no room for them.
fn cut(shop: &Shop) -> String {
    let many: String = (0..60)
        .map(|n| format!("def helper_{n}(value):\n    return value + {n}\n\n\n"))
        .collect();
    shop.write("shop/helpers.py", &many);
    shop.index();
    let answer = shop.call(
        "test_map",
        json!({"path": "shop/helpers.py", "max_tokens": 150}),
    );
    assert!(answer.tokens <= 150, "{}", answer.text);
    let handle = answer
        .text
        .rsplit("rest ")
        .next()
        .expect("a handle")
        .trim_end_matches(']')
        .to_owned();
    assert!(
        handle.starts_with('r') && handle.len() == 6,
        "{}",
        answer.text
    );
    handle
}

#[test]
fn an_answer_that_was_cut_can_be_paged_and_searched() {
    let shop = Shop::new();
    let handle = cut(&shop);
    let page = shop.call(
        "head_results",
        json!({"handle": handle, "offset": 10, "limit": 5}),
    );
    assert_eq!(page.results.len(), 5);
    assert!(page.text.contains("next offset 15"), "{}", page.text);
    let found = shop.call(
        "grep_results",
        json!({"handle": handle, "pattern": "helper_5\\d"}),
    );
    assert_eq!(found.results.len(), 10, "{}", found.text);
    let peek = shop.call("ctx_peek", json!({"handle": format!("ctx://{handle}")}));
    assert!(peek.text.starts_with("test_map("), "{}", peek.text);
    let grep = shop.call(
        "ctx_grep",
        json!({"handle": handle, "pattern": "helper_59"}),
    );
    assert!(grep.text.contains("helper_59"), "{}", grep.text);
    let slice = shop.call("ctx_slice", json!({"handle": handle, "from": 1, "to": 2}));
    assert!(slice.text.starts_with("1: "), "{}", slice.text);
    let stats = shop.call("ctx_stats", json!({}));
    assert!(stats.text.contains(&handle), "{}", stats.text);
}

#[test]
fn bad_handles_patterns_and_lines_are_named() {
    let shop = Shop::new();
    let handle = cut(&shop);
    let code = |tool: &str, args| shop.try_call(tool, args).expect_err("refused").code;
    assert_eq!(
        code("head_results", json!({"handle": "r00000"})),
        "unknown-handle"
    );
    assert_eq!(
        code("grep_results", json!({"handle": handle, "pattern": "("})),
        "bad-argument"
    );
    assert_eq!(
        code("ctx_slice", json!({"handle": handle, "from": 9, "to": 2})),
        "bad-argument"
    );
    assert_eq!(
        code(
            "ctx_slice",
            json!({"handle": handle, "from": 9999, "to": 9999})
        ),
        "bad-argument"
    );
    assert_eq!(
        code("search_iterative", json!({"handle": handle})),
        "bad-argument"
    );
}

#[test]
fn other_systems_names_are_understood() {
    let shop = Shop::new();
    for name in ["sverklo_refs", "mcp__whyrank__refs", "find_references"] {
        let answer = shop.call(name, json!({"symbol": "with_tax"}));
        assert!(
            answer.text.contains("shop/prices.py"),
            "{name}: {}",
            answer.text
        );
    }
}
