//! What uses what: how sure the answers say they are.

use crate::support::Shop;
use serde_json::json;

/// Two classes with a `notify`, one use of which is settled and one that may be of either.
const NOTIFIERS: &str = "class Mail:\n    def notify(self):\n        return 1\n\n\nclass Phone:\n    def notify(self):\n        \
    return 2\n\n\ndef of_mail():\n    mail = Mail()\n    return mail.notify()\n\n\ndef of_any(target):\n    return target.notify()\n";

#[test]
fn impact_says_what_is_unsettled() {
    let shop = Shop::new();
    shop.write("shop/notify.py", NOTIFIERS);
    shop.index();
    let answer = shop.call("impact", json!({"symbol": "Mail.notify"}));
    let text = &answer.text;
    assert!(
        text.contains("1 caller within 3 steps, certain; 1 by name unsettled"),
        "{text}"
    );
    assert!(
        text.contains("unsettled, by name: shop/notify.py:17"),
        "{text}"
    );
    assert_eq!(answer.structured["n_unsettled"], 1);
    let refs = shop.call("refs", json!({"symbol": "Mail.notify"})).text;
    assert!(refs.contains("certain; 1 by name unsettled"), "{refs}");
}

#[test]
fn a_name_whose_definition_went_is_told_where_it_stands() {
    let shop = Shop::new();
    shop.edit("shop/prices.py", "def rounded(", "def rounded_up(");
    shop.index();
    let answer = shop.call("refs", json!({"symbol": "rounded"}));
    let text = &answer.text;
    assert!(
        text.starts_with("rounded: no definition here, and named at 2 places, by name alone"),
        "{text}"
    );
    assert!(text.contains("rounded_up (shop/prices.py:10)"), "{text}");
    assert!(text.contains("shop/main.py: 6; import 2"), "{text}");
    // A member of a type that is not there is not any member of that name.
    let error = shop
        .try_call("refs", json!({"symbol": "Basket.total"}))
        .expect_err("no such type");
    assert_eq!(error.code, "not-found");
}

#[test]
fn what_comes_by_way_of_an_interface_is_not_called_certain() {
    let shop = Shop::new();
    shop.write(
        "shop/shape.py",
        "class Shape:\n    def area(self):\n        return 0\n\n\nclass Square(Shape):\n    def area(self):\n        \
         return 4\n\n\ndef measure(shape: Shape):\n    return shape.area()\n",
    );
    shop.index();
    let text = shop.call("impact", json!({"symbol": "Square.area"})).text;
    assert!(text.contains("none certain: possible"), "{text}");
    assert!(text.contains("by Shape.area (possible):"), "{text}");
}

#[test]
fn a_line_far_from_all_definitions_of_the_name_means_none() {
    let shop = Shop::new();
    let at = |symbol: &str, line: u32| {
        let asked = json!({"symbol": symbol, "path": "shop/prices.py", "line": line});
        shop.try_call("refs", asked)
    };
    let near = at("rounded", 9).expect("two lines away");
    assert!(
        near.text.starts_with("rounded (shop/prices.py:10-11)"),
        "{}",
        near.text
    );
    let far = at("rounded", 999).expect_err("far away");
    assert_eq!(far.code, "not-found");
    assert!(far.hint.contains("rounded (shop/prices.py:10)"), "{far}");
    let anywhere = shop.try_call("impact", json!({"symbol": "rounded", "line": 999}));
    assert_eq!(anywhere.expect_err("far away").code, "not-found");
    let folded = at("ROUNDED", 10).expect("found in another case");
    assert!(
        folded.text.starts_with("ROUNDED, taken for rounded ("),
        "{}",
        folded.text
    );
}
