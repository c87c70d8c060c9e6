//! `whyrank demo`, which `npm start` shows where there is no display.

use whyrank_tests::{Home, TestRepo, skip};

const WITH_VECTORS: &str = "The same with the model's vectors";

#[test]
fn without_a_model_it_answers_by_static_vectors_and_offers_one() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    let outcome = home.run(&["demo", repo.arg()]).succeeds();
    assert!(outcome.stdout.contains("whyrank explain"), "{outcome:?}");
    assert!(!outcome.stdout.contains(WITH_VECTORS), "{outcome:?}");
    assert!(outcome.stdout.contains("  static rank "), "{outcome:?}");
    assert!(!outcome.stderr.contains("making vectors"), "{outcome:?}");
    let offer = "`whyrank models pull` (91 MB), then `whyrank index`: under a minute for this";
    assert!(outcome.stderr.contains(offer), "{outcome:?}");
}

#[test]
fn with_a_model_it_shows_the_answer_again_with_vectors() {
    let Some(home) = Home::with_model() else {
        return skip(
            "with_a_model_it_shows_the_answer_again_with_vectors",
            "the embedding model is not installed",
        );
    };
    let repo = TestRepo::shop();
    let query = "value added tax of a country";
    let outcome = home.run(&["demo", repo.arg(), "--query", query]);
    let outcome = outcome.succeeds();
    let (first, second) = outcome.stdout.split_once(WITH_VECTORS).expect("both");
    assert!(first.contains("billing/tax.py"), "{first}");
    assert!(second.contains("billing/tax.py"), "{second}");
    assert!(!first.contains("  vector rank "), "{first}");
    assert!(second.contains("  vector rank "), "{second}");
}
