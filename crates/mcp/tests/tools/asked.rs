//! Tools that bring several questions together.

use crate::support::Shop;
use serde_json::json;

#[test]
fn context_brings_code_users_and_tests_within_the_budget() {
    let shop = Shop::new();
    let answer = shop.call("context", json!({"task": "change the total of the cart"}));
    assert!(answer.text.contains("def total(self):"), "{}", answer.text);
    assert!(
        answer
            .text
            .contains("tests tests/test_cart.py:4 test_total"),
        "{}",
        answer.text
    );
    assert!(answer.text.contains("used by"), "{}", answer.text);
    let small = shop.call(
        "context",
        json!({"task": "change the total of the cart", "max_tokens": 100}),
    );
    assert!(
        small.tokens <= 100 && !small.results.is_empty(),
        "{}",
        small.text
    );
}

#[test]
fn context_by_lines_brings_whole_definitions_and_says_what_it_left_out() {
    let shop = Shop::new();
    let task = "the total of the cart";
    let all = shop.call("context", json!({"task": task, "lines": 400}));
    assert!(all.text.contains("def total(self):"), "{}", all.text);
    assert!(!all.text.contains("left out"), "{}", all.text);
    let n_lines = |text: &str| {
        let is_code = |line: &&str| {
            let number = line.trim_start().split(':').next().unwrap_or_default();
            line.starts_with("  ") && number.parse::<u32>().is_ok()
        };
        text.lines().filter(is_code).count()
    };
    assert!(n_lines(&all.text) > 5, "{}", all.text);
    let few = shop.call("context", json!({"task": task, "lines": 5}));
    assert!(n_lines(&few.text) <= 5, "{}", few.text);
    assert!(few.text.contains("  …"), "longer than that: {}", few.text);
    let issue = "The total of with_tax is wrong\n\n```python\ncart.total()\n```\nIt gives 0 since the last version.";
    let of_issue = shop.call("context", json!({"task": issue}));
    assert!(
        of_issue.text.contains("def total(self):"),
        "{}",
        of_issue.text
    );
    assert!(
        of_issue.text.contains("tests tests/test_cart.py"),
        "{}",
        of_issue.text
    );
    let short = shop.call("context", json!({"task": issue, "lines": 2}));
    assert!(n_lines(&short.text) <= 2, "{}", short.text);
    assert!(
        short.text.contains("left out, to be read there: "),
        "{}",
        short.text
    );
}

#[test]
fn context_by_lines_leaves_documentation_out_and_counts_code_alone() {
    let shop = Shop::new();
    let text = "LIMIT = 3\nDELAY = 2\n\n\nclass Courier:\n    \"\"\"Carries parcels.\n\n    Slowly.\n    \"\"\"\n\n    \
                def deliver(self, parcel):\n        \"\"\"Brings a parcel.\n\n        To the door.\n        \"\"\"\n        \
                return parcel\n";
    shop.write("shop/courier.py", text);
    shop.commit();
    shop.index();
    let task =
        json!({"task": "a courier delivers a parcel", "path": "shop/courier.py", "lines": 5});
    let answer = shop.call("context", task);
    for line in [
        "5: class Courier:",
        "11:     def deliver(self, parcel):",
        "16:         return parcel",
    ] {
        assert!(answer.text.contains(line), "{line}: {}", answer.text);
    }
    assert!(
        !answer.text.contains("Slowly") && !answer.text.contains("door"),
        "{}",
        answer.text
    );
}

#[test]
fn what_is_to_be_done_is_no_part_of_what_is_looked_for() {
    let shop = Shop::new();
    let found = |task: &str| shop.call("context", json!({"task": task})).results;
    assert_eq!(
        found("Change the total of the cart"),
        found("the total of the cart")
    );
}

#[test]
fn a_path_that_fits_nothing_is_named_with_what_would_fit() {
    let shop = Shop::new();
    for (tool, asked) in [
        ("search", "query"),
        ("investigate", "query"),
        ("context", "task"),
    ] {
        let args = json!({asked: "the total of the cart", "path": "src/shop/**"});
        let error = shop.try_call(tool, args).expect_err("nothing fits");
        assert_eq!(error.message, "no indexed file fits `src/shop`", "{tool}");
        assert!(
            error.hint.starts_with("`shop/**` fits some"),
            "{tool}: {}",
            error.hint
        );
    }
}

#[test]
fn an_investigation_says_what_found_each_hit_and_what_is_around() {
    let shop = Shop::new();
    let answer = shop.call(
        "investigate",
        json!({"query": "how is the price with tax made"}),
    );
    assert!(answer.text.contains(" by fts"), "{}", answer.text);
    assert!(
        answer.text.contains("used by shop/prices.py:3 price_of"),
        "{}",
        answer.text
    );
    let alone = shop.call(
        "investigate",
        json!({"query": "price with tax", "expand_graph": false}),
    );
    assert!(!alone.text.contains("used by"), "{}", alone.text);
}

#[test]
fn ask_says_which_tool_answered() {
    let shop = Shop::new();
    let check = |query: &str, expected: &str, within: &str| {
        let answer = shop.call("ask", json!({"query": query}));
        assert!(
            answer.text.starts_with(&format!("→ {expected}")),
            "{query}: {}",
            answer.text
        );
        assert!(answer.text.contains(within), "{query}: {}", answer.text);
    };
    check("who calls `with_tax`?", "refs(", "shop/prices.py: 3");
    check("what does shop/main.py import", "deps(", "shop/cart.py");
    check("where is `Cart` defined", "lookup(", "shop/cart.py:4");
    check(
        "where is `Kart` defined",
        "lookup(symbol=\"Kart\"): no definition of `Kart`; so search",
        "",
    );
    check("tax on prices", "search(", "shop/prices.py");
    check(
        "which tests cover `total`?",
        "test_map(symbol=\"total\")",
        "tests/test_cart.py:4 test_total",
    );
    check(
        "dead code in shop",
        "dead_code(path=\"shop\")",
        "1 exported, used by tests or examples at most",
    );
    check(
        "what changed since HEAD",
        "review_diff(ref=\"HEAD\")",
        "nothing changed",
    );
    let forced = shop.call(
        "ask",
        json!({"query": "who calls `with_tax`?", "mode": "impact"}),
    );
    assert!(
        forced.text.starts_with("→ impact(symbol=\"with_tax\")"),
        "{}",
        forced.text
    );
}

#[test]
fn a_pool_is_narrowed_without_another_search() {
    let shop = Shop::new();
    let first = shop.call("search_iterative", json!({"query": "price", "limit": 2}));
    let handle = first
        .text
        .rsplit("rest ")
        .next()
        .expect("a handle")
        .trim_end_matches(']')
        .to_owned();
    assert!(first.text.contains("folders: shop"), "{}", first.text);
    let narrowed = shop.call(
        "search_iterative",
        json!({"handle": handle, "path": "shop/cart.py"}),
    );
    assert!(
        narrowed
            .results
            .iter()
            .all(|one| one.path == "shop/cart.py"),
        "{}",
        narrowed.text
    );
    assert!(!narrowed.results.is_empty());
    let error = shop
        .try_call("search_iterative", json!({}))
        .expect_err("neither");
    assert_eq!(error.code, "bad-argument");
}
