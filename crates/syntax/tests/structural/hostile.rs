//! Patterns and files made to cost: they end, and say when they did not get through.

use whyrank_syntax::{Language, StructuralPattern};

fn javascript(pattern: &str) -> StructuralPattern {
    StructuralPattern::new(pattern, Language::from_name("javascript").unwrap()).unwrap()
}

fn search(pattern: &str, source: &str) -> (usize, bool) {
    let pattern = javascript(pattern);
    let found = pattern.search(source, pattern.language(), &|| false);
    (found.matches.len(), found.complete)
}

#[test]
fn nested_lists_of_anything_do_not_multiply() {
    let (mut pattern, mut source) = ("x".to_owned(), "x".to_owned());
    for _ in 0..20 {
        pattern = format!("f($$$, {pattern})");
        source = format!("f({source})");
    }
    assert_eq!(search(&pattern, &source), (1, true));
}

#[test]
fn too_many_ways_to_match_are_given_up_and_said() {
    let pattern = format!("f({}nothing)", "$$$, a, ".repeat(12));
    let source = format!("f({})", "a, ".repeat(400));
    assert_eq!(search(&pattern, &source), (0, false));
}

#[test]
fn depth_of_a_file_costs_no_stack() {
    let n = 60_000;
    let deep = format!("{}1{}", "(".repeat(n), ")".repeat(n));
    assert_eq!(search("$A == $A", &format!("{deep} == {deep}")).0, 1);
    let (n, _) = search(
        "f($A)",
        &format!("{}1{}", "f(".repeat(2_000), ")".repeat(2_000)),
    );
    assert_eq!(n, 2_000);
}

#[test]
fn many_decorators_cost_no_stack() {
    let source = format!("{}class A {{}}", "@d() ".repeat(5_000));
    assert_eq!(search("class $A {}", &source).0, 1);
}

#[test]
fn patterns_are_bounded() {
    let language = Language::from_name("javascript").unwrap();
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    for pattern in [
        deep,
        "a.".repeat(3_000),
        format!("f({})", "$A, ".repeat(40)),
    ] {
        let error = StructuralPattern::new(&pattern, language)
            .unwrap_err()
            .to_string();
        assert!(error.contains("too large"), "{error}");
    }
}

#[test]
fn a_search_stops_when_told() {
    let pattern = javascript("f($A)");
    let source = "f(1);\n".repeat(20_000);
    let found = pattern.search(&source, pattern.language(), &|| true);
    assert!(!found.complete && found.matches.len() < 20_000);
}

#[test]
fn a_file_that_is_too_large_is_left_out() {
    let source = "f(1);\n".repeat(200_000);
    assert_eq!(search("f($A)", &source), (0, false));
}
