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
        places[0].contains("rounded [removed]: it was removed, and its name is still used"),
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

fn rename(shop: &Shop, from: &str, to: &str) {
    std::fs::rename(shop.root().join(from), shop.root().join(to)).expect("moved");
}

#[test]
fn a_moved_file_is_told_with_the_imports_that_it_breaks() {
    let shop = Shop::new();
    rename(&shop, "shop/prices.py", "shop/costs.py");
    shop.index();
    let moved = shop.call("review_diff", json!({})).text;
    assert!(
        moved.contains(
            "shop/prices.py: moved to shop/costs.py, and 2 files import it still: \
             shop/cart.py:1, shop/main.py:2"
        ),
        "{moved}"
    );
    assert!(
        moved.ends_with("moved: shop/prices.py -> shop/costs.py"),
        "{moved}"
    );
    // An edit on the way is one of the old definition; imports that follow are none to fix.
    shop.edit("shop/costs.py", "price * 2", "price * 3");
    shop.edit("shop/main.py", "shop.prices", "shop.costs");
    shop.index();
    let edited = shop.call("review_diff", json!({})).text;
    assert!(
        edited.contains("shop/prices.py -> shop/costs.py (1 line changed)"),
        "{edited}"
    );
    assert!(
        edited.contains("1 file imports it still: shop/cart.py:1"),
        "{edited}"
    );
    assert!(edited.contains("costs.py:6 with_tax"), "{edited}");
    assert!(
        !edited.contains("[new]") && !edited.contains("[removed]"),
        "{edited}"
    );
}

#[test]
fn a_file_that_went_is_told_with_who_imports_it() {
    let shop = Shop::new();
    std::fs::remove_file(shop.root().join("shop/prices.py")).expect("removed");
    shop.index();
    let text = shop.call("review_diff", json!({})).text;
    assert!(
        text.contains(
            "shop/prices.py: it was removed, and 2 files import it still: shop/cart.py:1"
        ),
        "{text}"
    );
}

#[test]
fn an_import_beside_one_that_leads_nowhere_is_not_broken() {
    let shop = Shop::new();
    shop.write("p/q/A.java", "package p.q;\npublic class A {}\n");
    shop.write("p/q/B.java", "package p.q;\npublic class B {}\n");
    shop.write("p/q/Gone.java", "package p.q;\npublic class Gone {}\n");
    let user = "import p.q.Missing;\nimport p.q.A;\nimport p.q.B;\npublic class U { A a; B b; }\n";
    shop.write("U.java", user);
    shop.commit();
    shop.index();
    std::fs::remove_file(shop.root().join("p/q/Gone.java")).expect("removed");
    shop.index();
    let text = shop.call("review_diff", json!({})).text;
    assert!(!text.contains("leads nowhere"), "{text}");
    std::fs::remove_file(shop.root().join("p/q/B.java")).expect("removed");
    shop.index();
    let text = shop.call("review_diff", json!({})).text;
    assert!(text.contains("1 file imports it still: U.java:3"), "{text}");
}

/// A package of Go with a type that implements an interface by its methods.
fn counters() -> Shop {
    let shop = Shop::new();
    shop.write("go.mod", "module example.org/counters\n\ngo 1.22\n");
    shop.write(
        "fnv.go",
        "package counters\n\nfunc hashNew() uint64 { return 7 }\n\nfunc hashAdd(h uint64) uint64 { return h * 3 }\n",
    );
    shop.write(
        "vec.go",
        "package counters\n\ntype vec struct {\n\thashAdd func(uint64) uint64\n}\n\nfunc newVec() *vec {\n\t\
         return &vec{hashAdd: hashAdd}\n}\n",
    );
    shop.write(
        "adder.go",
        "package counters\n\ntype Adder interface {\n\tAddWith(v float64)\n}\n\nfunc Use(a Adder) {\n\ta.AddWith(1)\n}\n",
    );
    shop.write(
        "counter.go",
        "package counters\n\ntype counter struct{ n float64 }\n\nfunc (c *counter) AddWith(v float64) {\n\tc.n += v\n}\n\n\
         func direct(c *counter) {\n\tc.AddWith(2)\n}\n",
    );
    shop.commit();
    shop.index();
    shop
}

#[test]
fn what_went_is_told_where_a_field_has_its_name() {
    let shop = counters();
    std::fs::remove_file(shop.root().join("fnv.go")).expect("removed");
    shop.index();
    let text = shop.call("review_diff", json!({})).text;
    assert!(
        text.contains(
            "fnv.go:5 hashAdd [removed]: it was removed, and its name is still used once"
        ),
        "{text}"
    );
    assert!(text.contains("used at vec.go:8 newVec"), "{text}");
}

#[test]
fn what_went_is_told_where_another_type_has_a_member_of_its_name() {
    let shop = Shop::new();
    let close = "    def close(self):\n        return 1\n\n";
    let text = format!(
        "class Shelf:\n    def open(self):\n        return 0\n\n{close}    def __repr__(self):\n        \
         return \"\"\n\n\nclass Door:\n{close}"
    );
    shop.write("shop/shelf.py", &text);
    shop.commit();
    shop.index();
    shop.write("shop/shelf.py", &text.replacen(close, "", 1));
    shop.index();
    let text = shop.call("review_diff", json!({})).text;
    assert!(
        text.contains("Shelf.close [removed]: it was removed"),
        "{text}"
    );
    assert!(
        !text.contains("__repr__") && !text.contains("Shelf.open"),
        "{text}"
    );
}

#[test]
fn what_moves_within_a_package_breaks_nothing() {
    let shop = counters();
    rename(&shop, "fnv.go", "hash.go");
    shop.index();
    let text = shop.call("review_diff", json!({})).text;
    assert!(text.contains("moved: fnv.go -> hash.go"), "{text}");
    assert!(text.contains("highest risk 0/100"), "{text}");
    // A function that goes from one file of a package to another is used there as here.
    rename(&shop, "hash.go", "fnv.go");
    shop.edit(
        "fnv.go",
        "\n\nfunc hashAdd(h uint64) uint64 { return h * 3 }",
        "",
    );
    shop.edit(
        "adder.go",
        "func Use",
        "func hashAdd(h uint64) uint64 { return h * 3 }\n\nfunc Use",
    );
    shop.index();
    let text = shop.call("review_diff", json!({})).text;
    assert!(!text.contains("[removed]"), "{text}");
}

#[test]
fn a_type_that_no_longer_implements_an_interface_is_told() {
    let shop = counters();
    shop.edit(
        "counter.go",
        "AddWith(v float64)",
        "AddWith(v float64, by string)",
    );
    shop.index();
    let text = shop.call("review_diff", json!({})).text;
    assert!(
        text.contains("counter no longer implements Adder (adder.go:4)"),
        "{text}"
    );
    assert!(
        text.contains("its signature changed, and 1 user did not"),
        "{text}"
    );
    assert!(text.contains("adder.go:8 Use"), "{text}");
    let wider = counters();
    wider.edit(
        "adder.go",
        "AddWith(v float64)",
        "AddWith(v float64)\n\tSub()",
    );
    wider.index();
    let text = wider.call("review_diff", json!({})).text;
    assert!(
        text.contains("Adder is no longer implemented by counter (counter.go:3)"),
        "{text}"
    );
}

/// A class with a member that another overrides, and who calls it through the base.
fn shapes() -> Shop {
    let shop = Shop::new();
    shop.write(
        "shapes.ts",
        "export abstract class Base {\n  abstract go(n: number): void;\n\n  stop() {\n    return 1;\n  }\n}\n\n\
         export class Kid extends Base {\n  go(n: number) {\n    super.stop();\n  }\n\n  stop() {\n    return 2;\n  }\n}\n",
    );
    shop.write(
        "drive.ts",
        "import { Base } from \"./shapes\";\n\nexport function drive(b: Base) {\n  b.go(1);\n  b.stop();\n}\n",
    );
    shop.commit();
    shop.index();
    shop
}

#[test]
fn a_changed_signature_names_what_overrides_it_and_what_it_overrides() {
    let shop = shapes();
    shop.edit(
        "shapes.ts",
        "abstract go(n: number): void",
        "abstract go(n: string): void",
    );
    shop.index();
    let text = shop.call("review_diff", json!({})).text;
    assert!(
        text.contains("what overrides it kept its signature: Kid.go (shapes.ts:10)"),
        "{text}"
    );
    // Both changed: nothing is left behind.
    shop.edit("shapes.ts", "  go(n: number) {", "  go(n: string) {");
    shop.index();
    let text = shop.call("review_diff", json!({})).text;
    assert!(!text.contains("kept its signature"), "{text}");
    shop.edit(
        "shapes.ts",
        "abstract go(n: string): void",
        "abstract go(n: number): void",
    );
    shop.index();
    let text = shop.call("review_diff", json!({})).text;
    assert!(
        text.contains("what it overrides kept its signature: Base.go (shapes.ts:2)"),
        "{text}"
    );
}

#[test]
fn a_member_that_went_has_its_callers_through_the_base() {
    let shop = shapes();
    shop.edit("shapes.ts", "  stop() {\n    return 1;\n  }\n", "");
    shop.index();
    let text = shop.call("review_diff", json!({})).text;
    assert!(text.contains("Base.stop [removed]"), "{text}");
    assert!(text.contains("drive.ts:5"), "{text}");
}
