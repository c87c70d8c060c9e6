//! Evidence and claims, before and after the code moved on.

use crate::support::Shop;
use serde_json::{Value, json};

fn state_of(answer: &whyrank_mcp::ToolAnswer) -> Value {
    answer.structured["evidence"][0].clone()
}

#[test]
fn evidence_is_followed_through_changes() {
    let shop = Shop::new();
    let hit = shop
        .call("search", json!({"query": "summarize entries by customer"}))
        .results[0]
        .clone();
    let evidence = hit.evidence.expect("every hit has one");
    let verify = || shop.call("verify", json!({"evidence_ids": [evidence]}));
    assert_eq!(state_of(&verify())["state"], "unchanged");

    shop.edit(
        "shop/report.py",
        "def summarize",
        "TOP = 10\n\n\ndef summarize",
    );
    shop.index();
    let moved = state_of(&verify());
    assert_eq!(
        (moved["state"].as_str(), moved["start_line"].as_u64()),
        (Some("moved"), Some(4)),
        "{moved}"
    );

    shop.edit("shop/report.py", "reverse=True", "reverse=False");
    shop.index();
    let modified = verify();
    assert_eq!(state_of(&modified)["state"], "modified");
    assert!(
        modified
            .text
            .contains("+ rows.sort(key=lambda row: row[1], reverse=False)"),
        "{}",
        modified.text
    );

    shop.write("shop/report.py", "pass\n");
    shop.index();
    assert_eq!(state_of(&verify())["state"], "deleted");
}

#[test]
fn places_and_nonsense_are_told_apart() {
    let shop = Shop::new();
    let given = [
        "shop/cart.py:4-12",
        "shop/cart.py:90",
        "shop/none.py:1",
        "what?",
        "0123456789ab:1-2@worktree",
    ];
    let answer = shop.call("verify", json!({"evidence_ids": given}));
    let states: Vec<&str> = answer
        .text
        .lines()
        .filter_map(|line| line.split(':').next())
        .filter(|word| !word.starts_with([' ', '[']))
        .collect();
    assert_eq!(
        states,
        ["present", "absent", "absent", "malformed", "unknown"],
        "{}",
        answer.text
    );
    let error = shop
        .try_call("verify", json!({"evidence_ids": []}))
        .expect_err("nothing to check");
    assert_eq!(error.code, "bad-argument");
}

#[test]
fn claims_are_checked_against_the_index() {
    let shop = Shop::new();
    let check = |claim: &str, verdict: &str, says: &str| {
        let answer = shop.call("critique", json!({"claim": claim}));
        let points = answer.structured["points"]
            .as_array()
            .expect("points")
            .clone();
        let fits = |point: &Value| point["verdict"] == verdict && point["says"] == says;
        assert!(points.iter().any(fits), "{claim}: {}", answer.text);
    };
    check(
        "`price_of` calls `with_tax`.",
        "holds",
        "`price_of` uses `with_tax`",
    );
    check(
        "`main` calls `with_tax`.",
        "contradicted",
        "`main` uses `with_tax`",
    );
    check(
        "`rounded` is never used",
        "contradicted",
        "`rounded` is unused",
    );
    check("`summarize` is unused", "maybe", "`summarize` is unused");
    check(
        "`summarize` has no callers",
        "maybe",
        "`summarize` is unused",
    );
    check("Cart calls with_tax", "holds", "`Cart` uses `with_tax`");
    check(
        "`main` does not call `with_tax`",
        "holds",
        "not: `main` uses `with_tax`",
    );
    check(
        "`with_tax` is called in shop/cart.py",
        "holds",
        "`with_tax` is used in `shop/cart.py`",
    );
    check(
        "`with_tax` is called in shop/report.py",
        "contradicted",
        "`with_tax` is used in `shop/report.py`",
    );
    check("`total` is tested", "holds", "`total` has a test");
    check(
        "`price_of` is slower than `with_tax`",
        "not judged",
        "price_of is slower than with_tax",
    );
    check(
        "`Cart` is defined in shop/prices.py",
        "contradicted",
        "`Cart` is defined in `shop/prices.py`",
    );
    check(
        "shop/main.py imports shop/cart.py",
        "holds",
        "`shop/main.py` imports `shop/cart.py`",
    );
    check(
        "`with_taxes` doubles the price",
        "contradicted",
        "`with_taxes` exists",
    );
    check(
        "`summarize` has no tests",
        "maybe",
        "`summarize` has no test",
    );
}

#[test]
fn a_method_named_like_a_file_is_no_path() {
    let shop = Shop::new();
    shop.write(
        "shop/web.py",
        "class Context:\n    def json(self):\n        return 1\n\n\ndef page():\n    context = Context()\n    \
         return context.json()\n",
    );
    shop.write("shop/config.json", "{}\n");
    shop.index();
    let critique = |claim: &str| shop.call("critique", json!({"claim": claim})).text;
    let exists = critique("Context.json is called by nobody in shop");
    assert!(
        exists.contains("`Context.json` (shop/web.py:2)"),
        "{exists}"
    );
    assert!(
        exists.contains("not: `Context.json` is used in `shop`"),
        "{exists}"
    );
    assert!(exists.contains("1 contradicted"), "{exists}");
    let elsewhere = critique("Context.json is called by nobody in tests");
    assert!(!elsewhere.contains("contradicted"), "{elsewhere}");
    let file = critique("The names are read from config.json");
    assert!(file.contains("shop/config.json ("), "{file}");
}

#[test]
fn what_is_not_read_is_not_judged() {
    let shop = Shop::new();
    let unread = shop.call(
        "critique",
        json!({"claim": "`price_of` is slower than `with_tax`"}),
    );
    assert!(
        unread.text.starts_with("1 statement: 1 not judged\n"),
        "{}",
        unread.text
    );
    let vague = shop.call("critique", json!({"claim": "It is fast."}));
    assert!(
        vague.text.contains("nothing in the claim can be checked"),
        "{}",
        vague.text
    );
}
