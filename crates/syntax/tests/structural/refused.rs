//! What is no pattern, and what the refusal says.

use whyrank_syntax::{Language, StructuralPattern};

#[track_caller]
fn refused(language: &str, pattern: &str, words: &[&str]) {
    let language = Language::from_name(language).unwrap();
    let error = StructuralPattern::new(pattern, language)
        .unwrap_err()
        .to_string();
    for word in words {
        assert!(error.contains(word), "{pattern}: {error}");
    }
}

#[test]
fn broken_code_is_placed_and_an_example_given() {
    refused(
        "python",
        "foo($A\nbar =",
        &["not valid python", "line", "such as `def $NAME"],
    );
    refused("go", "func (", &["not valid go: line 1", "such as"]);
    refused("rust", "let x = ;", &["column 7"]);
    refused("javascript", "class {{{", &["not valid javascript"]);
}

#[test]
fn misused_metavariables_are_named() {
    refused("python", "$X", &["matches everything"]);
    refused("python", "$$$ARGS", &["matches everything"]);
    refused("python", "f($$X)", &["`$X` for one node or `$$$X`"]);
    refused("python", "f($A, $$$A)", &["cannot both be used"]);
    refused("python", "f($name)", &["in capitals: `$NAME`"]);
    refused("rust", "  ", &["empty"]);
}

#[test]
fn a_language_without_grammar_is_refused_with_those_that_have_one() {
    refused(
        "haskell",
        "f x",
        &["does not know haskell", "python", "vue"],
    );
}
