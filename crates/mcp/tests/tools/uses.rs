//! What uses what: how sure the answers say they are.

use crate::support::Shop;
use serde_json::{Value, json};
use whyrank_engine::api::GraphViewRequest;

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
        text.contains("1 caller within 3 steps, certain; 1 unsettled"),
        "{text}"
    );
    assert!(
        text.contains("unsettled, by name: shop/notify.py:17"),
        "{text}"
    );
    assert_eq!(answer.structured["n_unsettled"], 1);
    let refs = shop.call("refs", json!({"symbol": "Mail.notify"})).text;
    assert!(refs.contains("certain; 1 unsettled"), "{refs}");
}

#[test]
fn heads_count_what_is_open_beside_certain_uses() {
    let shop = Shop::new();
    shop.write("shop/notify.py", NOTIFIERS);
    // Neither a use that the graph knows nor one that can be ruled out.
    shop.write(
        "shop/late.py",
        "def late(target, name):\n    return getattr(target, 'of_mail')()\n",
    );
    shop.write(
        "shop/calls.py",
        "from shop.notify import of_mail, of_any\n\nof_mail()\nof_any(1)\nof_any(2)\n",
    );
    shop.index();
    let head = |symbol: &str| {
        let text = shop.call("refs", json!({"symbol": symbol})).text;
        text.lines().next().unwrap_or_default().to_owned()
    };
    assert!(
        head("of_mail").ends_with("2 uses, certain; 1 unsettled (mentions=true)"),
        "{}",
        head("of_mail")
    );
    assert!(head("of_any").ends_with("all 3 uses"), "{}", head("of_any"));
    let text = shop
        .call("refs", json!({"symbol": "of_mail", "mentions": true}))
        .text;
    assert!(text.contains("of the name, 1 unsettled"), "{text}");
}

#[test]
fn a_name_with_several_definitions_is_answered_for_each() {
    let shop = Shop::new();
    shop.write("shop/notify.py", NOTIFIERS);
    shop.write(
        "tests/test_notify.py",
        "class Fake:\n    def notify(self):\n        return 3\n\n\nFake().notify()\n",
    );
    shop.index();
    let text = shop.call("refs", json!({"symbol": "notify"})).text;
    let lines: Vec<&str> = text.lines().skip(1).take(3).collect();
    assert_eq!(
        lines,
        [
            "= Mail.notify shop/notify.py:2-3: 1 use, 1 maybe",
            "= Phone.notify shop/notify.py:7-8: 0 uses, 1 maybe",
            "= Fake.notify tests/test_notify.py:2-3: 1 use, 1 maybe",
        ],
        "{text}"
    );
}

#[test]
fn uses_of_one_kind_are_not_all_of_a_name_that_another_kind_bears() {
    let shop = Shop::new();
    shop.write(
        "shop/Mode.cs",
        "namespace N;\npublic enum Mode { Off, On }\npublic static class Api\n{\n    public static string On() => \"\";\n    \
         public static bool Is(Mode m) => m == Mode.On && On() == \"\";\n}\n",
    );
    shop.index();
    let text = shop.call("refs", json!({"symbol": "On"})).text;
    let head = text.lines().next().unwrap_or_default();
    assert!(
        head.contains("of 1 of 2 definitions (path and line narrow)"),
        "{text}"
    );
    assert!(
        !head.contains("only use") && !head.contains("all "),
        "{text}"
    );
}

#[test]
fn of_very_many_definitions_the_rest_is_counted_and_nothing_is_called_dead() {
    let shop = Shop::new();
    let classes =
        (0..30).map(|n| format!("class C{n}:\n    def _go(self):\n        return {n}\n\n\n"));
    let text = classes.collect::<String>() + "print(C29()._go())\n";
    shop.write("shop/many.py", &text);
    shop.index();
    let refs = shop.call("refs", json!({"symbol": "_go"})).text;
    assert!(refs.contains("of 30 definitions"), "{refs}");
    let dead = shop.call("dead_code", json!({"symbols": ["_go"]}));
    assert_eq!(dead.structured["dead"], false);
    assert!(
        dead.text
            .contains("6 definitions more of the name not judged"),
        "{}",
        dead.text
    );
}

#[test]
fn dead_code_answers_for_each_definition_of_a_name() {
    let shop = Shop::new();
    let text = "class Alive:\n    def _stop(self):\n        return 1\n\n\nclass Gone:\n    def _stop(self):\n        \
        return 2\n\n\nprint(Alive()._stop(), Gone)\n";
    shop.write("shop/stops.py", text);
    shop.index();
    let answer = shop.call("dead_code", json!({"symbols": ["_stop"]}));
    let lines: Vec<&str> = answer.text.lines().take(2).collect();
    assert_eq!(
        lines,
        [
            "shop/stops.py:2 Alive._stop: alive, 1 use",
            "shop/stops.py:7 Gone._stop: dead, nothing in the checkout uses it",
        ],
        "{}",
        answer.text
    );
    assert_eq!(answer.structured["dead"], false);
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
fn a_name_that_nothing_defines_is_found_at_every_path_of_a_content() {
    let shop = Shop::new();
    let text = "from elsewhere import gone_since\n\n\ndef run():\n    return gone_since(1)\n";
    shop.write("shop/one.py", text);
    shop.write("shop/two.py", text);
    shop.write(
        "shop/none.py",
        "def gone_sinces():\n    return 1  # gone since\n",
    );
    shop.index();
    let answer = shop.call("refs", json!({"symbol": "gone_since"}));
    let lines: Vec<&str> = answer.text.lines().skip(1).collect();
    assert_eq!(
        lines,
        ["shop/one.py: 5; import 1", "shop/two.py: 5; import 1"]
    );
    assert!(
        answer.text.contains("gone_sinces (shop/none.py:1)"),
        "{}",
        answer.text
    );
}

#[test]
fn of_very_many_uses_all_are_listed_and_the_first_have_their_text() {
    let shop = Shop::new();
    let calls = "rounded(1)\n".repeat(2_100);
    shop.write(
        "shop/many.py",
        &format!("from shop.prices import rounded\n{calls}"),
    );
    shop.index();
    let answer = shop.call("refs", json!({"symbol": "rounded"}));
    let uses = answer.structured["references"].as_array().expect("a list");
    assert!(uses.len() > 2_100, "{}", uses.len());
    let n_detailed = uses.iter().filter(|one| one["text"] != "").count();
    assert_eq!(n_detailed, 2_000);
    assert!(uses[0]["text"] != "" && uses[uses.len() - 1]["line"] != 0);
    assert_eq!(answer.results.len(), uses.len());
}

#[test]
fn until_the_symbol_graph_is_made_uses_go_by_name_and_nothing_is_called_dead() {
    let shop = Shop::new();
    let registers = (0..20_001).map(|at| format!("#define REGISTER_{at} {at}\n"));
    shop.write("hw/registers.h", &registers.collect::<String>());
    shop.index();
    shop.remove_graph();
    let said = "BY NAME ONLY: the symbol graph is not made yet: `whyrank index` makes it\n";
    let call = |tool: &str, args: Value| {
        let answer = shop.call(tool, args);
        assert!(answer.text.starts_with(said), "{tool}: {}", answer.text);
        let note = answer.structured["by_name_only"].as_str().expect("a note");
        assert!(said.contains(note), "{note}");
        answer
    };
    let refs = call("refs", json!({"symbol": "rounded"}));
    assert!(refs.text.contains("none certain: by name"), "{}", refs.text);
    assert!(refs.text.contains("shop/main.py: 6"), "{}", refs.text);
    let impact = call("impact", json!({"symbol": "rounded"}));
    assert!(
        impact.text.contains("none certain: by name"),
        "{}",
        impact.text
    );
    assert_eq!(impact.structured["callers"][0]["confidence"], "name-only");
    for (symbol, words) in [("rounded", "maybe used"), ("REGISTER_7", "no use names it")] {
        let dead = call("dead_code", json!({"symbol": symbol}));
        assert_eq!(dead.structured["dead"], false);
        let judged = format!(": not judged, {words}");
        assert!(dead.text.contains(&judged), "{}", dead.text);
    }
    let listed = call("dead_code", json!({}));
    assert_eq!(listed.structured["findings"], json!([]));
    assert!(!listed.text.contains("nothing unneeded"), "{}", listed.text);
    let found = shop.call("lookup", json!({"symbol": "rounded"})).text;
    assert!(found.contains("shop/prices.py:10"), "{found}");
    // Who asks for what only the graph knows hears why there is no answer.
    let repo = shop
        .session
        .engine()
        .find_repo(&shop.root().to_string_lossy());
    let request = GraphViewRequest {
        repo: repo.expect("it is known").id,
        ..GraphViewRequest::default()
    };
    let error = shop.engine.graph_view(&request).expect_err("no graph");
    assert_eq!(error.code, "graph-missing");
    assert!(said.contains(&error.message), "{error}");
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
