//! What a review says about a change, and search in a diff.

use crate::support::Shop;
use serde_json::json;

#[test]
fn nothing_changed_says_so() {
    let shop = Shop::new();
    let answer = shop.call("review_diff", json!({}));
    assert!(
        answer.text.starts_with("nothing changed since HEAD"),
        "{}",
        answer.text
    );
}

#[test]
fn a_review_puts_what_breaks_first() {
    let shop = Shop::new();
    // Another signature, a definition that went and is still used, a copy, and a new file of text.
    shop.edit(
        "shop/prices.py",
        "def with_tax(price):\n    return price * 2",
        "def with_tax(price, rate):\n    return price * rate",
    );
    shop.edit(
        "shop/prices.py",
        "\n\ndef rounded(price):\n    return round(price, 2)\n",
        "",
    );
    shop.write(
        "shop/export.py",
        "def export(entries, currency):\n    rows = []\n    for entry in entries:\n        amount = entry.amount * \
         entry.quantity\n        label = entry.customer.name.strip().title()\n        rows.append((label, amount, \
         currency))\n    rows.sort(key=lambda row: row[1], reverse=True)\n    return rows\n",
    );
    shop.write("NOTES.md", "# Notes\n\nOf the change.\n");
    shop.index();
    let answer = shop.call("review_diff", json!({}));
    let text = &answer.text;
    let places: Vec<&str> = text
        .lines()
        .filter(|line| line.contains(".py:") && !line.starts_with(' '))
        .collect();
    assert!(
        places[0].contains("rounded [removed]: it went, and its name is still used"),
        "{text}"
    );
    let signature = places
        .iter()
        .find(|line| line.contains("with_tax"))
        .expect("listed");
    assert!(
        signature.contains("[signature]: its signature changed, and 2 users did not"),
        "{text}"
    );
    assert!(
        text.contains("  was def with_tax(price)")
            && text.contains("  now def with_tax(price, rate)"),
        "{text}"
    );
    assert!(
        text.contains("used at shop/prices.py:3 price_of")
            || text.contains("shop/cart.py:12 Cart.taxed"),
        "{text}"
    );
    let copy = places
        .iter()
        .find(|line| line.contains("export [new]"))
        .expect("listed");
    assert!(
        copy.contains("% the same as summarize (shop/report.py:1)"),
        "{text}"
    );
    assert!(copy.contains("no test reaches it"), "{text}");
    assert!(text.contains("also changed: NOTES.md"), "{text}");
    assert_eq!(answer.results[0].symbol.as_deref(), Some("rounded"));
    let short = shop.call("review_diff", json!({"max_tokens": 120, "max_files": 1}));
    assert!(short.tokens <= 120, "{}", short.text);
}

#[test]
fn an_unknown_revision_is_named() {
    let shop = Shop::new();
    let error = shop
        .try_call("review_diff", json!({"ref": "no-such-branch"}))
        .expect_err("unknown");
    assert_eq!(error.code, "unknown-revision");
}

#[test]
fn a_diff_is_searched_alone_or_with_its_users() {
    let shop = Shop::new();
    shop.edit("shop/prices.py", "return price * 2", "return price * 3");
    shop.index();
    let inside = shop.call("diff_search", json!({"query": "price with tax"}));
    assert!(!inside.results.is_empty(), "{}", inside.text);
    assert!(
        inside
            .results
            .iter()
            .all(|one| one.path == "shop/prices.py"),
        "{}",
        inside.text
    );
    let outside = shop.call(
        "diff_search",
        json!({"query": "cart total", "include_callers": true}),
    );
    assert!(
        outside.text.contains("shop/cart.py") && outside.text.contains("caller"),
        "{}",
        outside.text
    );
}
