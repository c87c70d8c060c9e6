use super::*;

const WHOLE: &str = r#"[Bug]: Cart.add drops the discount

<!-- Thanks for submitting an issue! -->
- [x] I searched the issues

**Describe the bug**
A clear and concise description of what the bug is.
Adding an item loses the discount that `apply_discount` has set, see src/shop/cart.py.

## Steps to reproduce
```python
from shop.cart import Cart
basket = Cart()
basket.add(item, price=3)
```

```
Traceback (most recent call last):
  File "/home/me/run.py", line 3, in <module>
    basket.add(item)
  File "/site-packages/shop/cart.py", line 40, in add
    raise PriceError("no price")
shop.errors.PriceError: no price for 'item'
```

### Environment
Ubuntu 22.04, kernel whatever
shop 1.2.3
"#;

#[test]
fn an_issue_is_taken_apart() {
    let issue = Issue::read(WHOLE).expect("it is one");
    assert_eq!(issue.title, "Cart.add drops the discount");
    assert_eq!(issue.prose.len(), 1, "{:?}", issue.prose);
    assert_eq!(issue.code.len(), 3, "{:?}", issue.code);
    assert_eq!(issue.paths, ["src/shop/cart.py"]);
    assert_eq!(issue.modules[..1], ["Cart/add"]);
    assert!(issue.modules.contains(&"shop/cart".to_owned()));
    let frames: Vec<&str> = issue
        .frames
        .iter()
        .map(|frame| frame.path.as_str())
        .collect();
    assert_eq!(frames, ["/site-packages/shop/cart.py", "/home/me/run.py"]);
    assert_eq!(
        issue.messages,
        ["shop.errors.PriceError: no price for 'item'"]
    );
    assert_eq!(issue.names[0].text, "Cart.add");
    assert!(issue.names.iter().any(|name| name.text == "apply_discount"));
    assert!(issue.n_dropped >= 4);
}

#[test]
fn short_queries_are_no_issues() {
    for text in [
        "",
        "how are retries done",
        "Router.use",
        "fix(router): keep the query",
        "retries\ntimeouts",
        "cannot open file: no such device",
    ] {
        assert_eq!(Issue::read(text), None, "{text}");
    }
}

#[test]
fn a_traceback_alone_is_an_issue() {
    let text = "It crashes\n  File \"a/b.py\", line 2, in f\nValueError: bad";
    let issue = Issue::read(text).expect("it is one");
    assert_eq!(issue.frames[0].function.as_deref(), Some("f"));
}

#[test]
fn a_fence_without_a_language_that_holds_a_warning_was_printed() {
    let text = "It warns\n```\na/b.py:12: UserWarning: no discount set\n  cart.add(item)\n```";
    let issue = Issue::read(text).expect("it is one");
    assert_eq!(issue.messages, ["UserWarning: no discount set"]);
    assert_eq!(issue.output, ["cart.add(item)"]);
    assert!(issue.code.is_empty());
    let code = "It fails\n```\ntry: cart.add(item)\nexcept ValueError: pass\n```";
    let issue = Issue::read(code).expect("it is one");
    assert_eq!(issue.code.len(), 2, "{issue:?}");
}

#[test]
fn a_message_in_quotation_marks_is_a_message() {
    let text = "Adding fails\n\n## What happens\nIt stops with the error \"no discount for item\", \
                and “ValueError: bad”. I call it \"the new and better way\" of adding.";
    let issue = Issue::read(text).expect("it is one");
    assert_eq!(issue.messages, ["no discount for item", "ValueError: bad"]);
}

#[test]
fn bad_input_is_read_as_far_as_it_goes() {
    let long = "The cart drops `add_item`.\n".repeat(8000);
    let issue = Issue::read(&long).expect("200 kB are an issue");
    assert!(issue.n_unread > 0);
    assert!(issue.names.iter().any(|name| name.text == "add_item"));
    let binary: String = (0..4000u32)
        .filter_map(|n| char::from_u32(n * 7 % 3000))
        .collect();
    for text in [
        binary.as_str(),
        "```\n```\n```",
        "カートが割引を失う\n\n再現手順：カートに商品を追加すると割引が消えます\n```\nfoo\n```",
        "<!--\nnever closed",
        "\u{feff}\r\n\r\n```py\r\nx\r\n",
    ] {
        drop(Issue::read(text));
    }
}
