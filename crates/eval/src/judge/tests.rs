use super::*;
use crate::answer::ReturnedPlace;
use crate::metric::Metric;
use crate::task::{Category, Direction, Place, Question};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn place(file: &str, line: u32) -> Place {
    Place {
        line,
        ..Place::file(file)
    }
}

fn span(file: &str, line: u32, end_line: u32) -> Place {
    Place {
        end_line,
        ..place(file, line)
    }
}

fn at(file: &str, line: u32) -> ReturnedPlace {
    ReturnedPlace {
        file: file.to_owned(),
        line,
        ..ReturnedPlace::default()
    }
}

fn places(places: Vec<Place>, matching: Matching) -> Expected {
    Expected::Places {
        places,
        optional: Vec::new(),
        tolerance: 2,
        within_span: false,
        optional_tests: false,
        matching,
    }
}

fn task(category: Category, expected: Expected) -> Task {
    Task {
        id: "t".to_owned(),
        repo: "r".to_owned(),
        language: String::new(),
        category,
        stratum: String::new(),
        question: Question::File {
            file: "self.rs".to_owned(),
            direction: Direction::Both,
        },
        expected,
    }
}

#[test]
fn certainty_is_judged_apart_and_optional_places_count_neither_way() {
    let certain = |certain, found: ReturnedPlace| ReturnedPlace {
        certain: Some(certain),
        ..found
    };
    let mut expected = places(vec![place("a", 1), place("a", 50)], Matching::OneToOne);
    if let Expected::Places { optional, .. } = &mut expected {
        optional.push(place("a", 90));
    }
    let found = vec![
        certain(true, at("a", 1)),
        certain(true, at("b", 1)),
        certain(true, at("a", 90)),
        certain(false, at("a", 50)),
    ];
    let judgement = judge(&task(Category::P2, expected), &answer(found));
    assert_eq!(score(&judgement, Metric::CertainRight), 0.5);
    assert_eq!(score(&judgement, Metric::PossibleRight), 1.0);
}

fn answer(found: Vec<ReturnedPlace>) -> Answer {
    Answer {
        found,
        ..Answer::default()
    }
}

fn score(judgement: &Judgement, metric: Metric) -> f64 {
    judgement.scores[&metric]
}

#[test]
fn each_place_counts_once_and_the_nearest_wins() {
    let task = task(
        Category::P2,
        places(vec![place("a", 10), place("a", 12)], Matching::OneToOne),
    );
    let judgement = judge(
        &task,
        &answer(vec![at("./a", 11), at("a", 12), at("b", 10)]),
    );
    assert_eq!(judgement.met, [true, true]);
    assert_eq!(
        judgement.verdicts,
        [Verdict::Right, Verdict::Right, Verdict::Wrong]
    );
    assert!((score(&judgement, Metric::Precision) - 2.0 / 3.0).abs() < 1e-12);
}

#[test]
fn optional_places_and_second_hits_count_neither_way() {
    let expected = Expected::Places {
        places: vec![span("a", 10, 20)],
        optional: vec![place("a", 1)],
        tolerance: 3,
        within_span: true,
        optional_tests: true,
        matching: Matching::OneToOne,
    };
    let task = task(Category::Callers, expected);
    let found = vec![at("a", 15), at("a", 18), at("a", 2), at("tests/x.rs", 5)];
    let judgement = judge(&task, &answer(found));
    assert_eq!(score(&judgement, Metric::F1), 1.0);
    assert_eq!(judgement.verdicts[1..], [Verdict::Optional; 3]);
}

#[test]
fn the_original_counts_what_is_near_anything_expected() {
    let task = task(
        Category::P2,
        places(vec![place("lib/a.js", 10)], Matching::Lenient),
    );
    let judgement = judge(
        &task,
        &answer(vec![at("lib/a", 9), at("lib/a.js", 11), at("c", 1)]),
    );
    assert!((score(&judgement, Metric::Precision) - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(score(&judgement, Metric::Recall), 1.0);
}

#[test]
fn the_original_s_definition_takes_the_first_prediction() {
    let task = task(
        Category::P1,
        places(vec![place("a", 10)], Matching::LenientAny),
    );
    let late = judge(&task, &answer(vec![at("b", 1), at("a", 10)]));
    assert_eq!(score(&late, Metric::F1), 0.0);
    let first = judge(&task, &answer(vec![at("a", 10), at("b", 1)]));
    assert_eq!(score(&first, Metric::F1), 1.0);
}

#[test]
fn nothing_expected_and_nothing_named_is_perfect_as_in_the_original() {
    let task = task(Category::P5, Expected::Names { names: Vec::new() });
    assert_eq!(score(&judge(&task, &Answer::default()), Metric::F1), 1.0);
    let named = Answer {
        names: vec!["x".to_owned()],
        ..Answer::default()
    };
    assert_eq!(score(&judge(&task, &named), Metric::F1), 0.0);
    assert_eq!(
        score(&judge(&task, &Answer::failed("no")), Metric::F1),
        0.0,
        "an error is no answer"
    );
}

#[test]
fn files_are_a_set_without_the_file_itself() {
    let expected = Expected::Files {
        files: vec!["a.rs".to_owned(), "b.rs".to_owned()],
        optional: vec!["d.rs".to_owned()],
        optional_prefixes: vec!["tests/".to_owned()],
        optional_basenames: vec!["__init__.py".to_owned()],
    };
    let named = Answer {
        imports: [
            "./a.rs",
            "self.rs",
            "tests/t.rs",
            "x/__init__.py",
            "c.rs",
            "d.rs",
        ]
        .map(str::to_owned)
        .to_vec(),
        ..Answer::default()
    };
    let judgement = judge(&task(Category::P4, expected), &named);
    assert_eq!(score(&judgement, Metric::Precision), 0.5);
    assert_eq!(score(&judgement, Metric::Recall), 0.5);
}

#[test]
fn both_sides_are_averaged_without_extensions() {
    let expected = Expected::Deps {
        imports: vec!["lib/a".to_owned()],
        importers: Vec::new(),
    };
    let named = Answer {
        imports: vec!["lib/a.js".to_owned()],
        importers: vec!["lib/b.js".to_owned()],
        ..Answer::default()
    };
    let judgement = judge(&task(Category::P4, expected), &named);
    assert_eq!(score(&judgement, Metric::Precision), 0.5);
    assert_eq!(score(&judgement, Metric::Recall), 1.0);
}

#[test]
fn ranks_are_over_distinct_files_and_spans_over_results() {
    let expected = Expected::Ranked {
        relevant: vec![span("b", 10, 20)],
        by_suffix: false,
        needs_overlap: false,
        refused: None,
    };
    let found = vec![at("a", 1), at("a", 5), at("b", 1), at("b", 20)];
    let judgement = judge(&task(Category::NlDoc, expected), &answer(found));
    assert_eq!(score(&judgement, Metric::Mrr), 0.5);
    assert_eq!(score(&judgement, Metric::SpanMrr), 0.25);
}

#[test]
fn a_refused_place_takes_a_further_rank_and_what_nobody_judged_is_not_wrong() {
    let expected = |refused| Expected::Ranked {
        relevant: vec![span("b", 10, 20)],
        by_suffix: false,
        needs_overlap: false,
        refused: Some(refused),
    };
    let judged = |refused| {
        let found = vec![at("a", 5), at("c", 1), at("b", 12), at("b", 40)];
        judge(&task(Category::Search, expected(refused)), &answer(found))
    };
    let calm = judged(vec![span("a", 50, 60)]);
    assert_eq!(score(&calm, Metric::Mrr), 1.0 / 3.0);
    let against = judged(vec![span("a", 1, 9), span("b", 30, 50)]);
    assert_eq!(score(&against, Metric::Mrr), 0.25);
    assert_eq!(score(&against, Metric::SpanMrr), 0.25);
    assert_eq!(
        against.verdicts,
        [
            Verdict::Wrong,
            Verdict::Optional,
            Verdict::Right,
            Verdict::Wrong
        ]
    );
}

#[test]
fn chunks_take_up_ranks_where_the_benchmark_says_so() {
    let expected = Expected::Ranked {
        relevant: vec![Place::file("x/b.py")],
        by_suffix: true,
        needs_overlap: true,
        refused: None,
    };
    let found = vec![at("a.py", 1), at("a.py", 9), at("src/x/b.py", 1)];
    let judgement = judge(&task(Category::Search, expected), &answer(found));
    assert!(
        (score(&judgement, Metric::Ndcg) - 0.5).abs() < 1e-12,
        "third of three: 1 / log2(4)"
    );
}

#[test]
fn a_needle_needs_one_name_and_an_expansion_four_fifths() {
    let named = |names: &[&str], share| Expected::Symbols {
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        share,
        top_k: 3,
    };
    let found = ReturnedPlace {
        symbol: Some("Router.use".to_owned()),
        ..at("a", 1)
    };
    let needle = task(Category::Needle, named(&["use", "other"], 0.0));
    assert_eq!(
        score(&judge(&needle, &answer(vec![found])), Metric::Pass),
        1.0
    );
    let expansion = task(Category::Expansion, named(&["a", "b", "c", "d", "e"], 0.8));
    let three = Answer {
        names: ["x.a", "b", "c", "d"].map(str::to_owned).to_vec(),
        ..Answer::default()
    };
    let judgement = judge(&expansion, &three);
    assert_eq!(
        score(&judgement, Metric::Pass),
        0.0,
        "the fourth lies beyond the first three"
    );
}

#[test]
fn graded_documents_gain_by_their_grade() {
    let grades = BTreeMap::from([
        ("1".to_owned(), 2),
        ("2".to_owned(), 1),
        ("3".to_owned(), 0),
    ]);
    let judgement = judge(
        &task(Category::Corpus, Expected::Documents { grades }),
        &answer(vec![at("2", 0), at("1", 0), at("3", 0)]),
    );
    let log3 = 3_f64.log2();
    let expected = (1.0 + 3.0 / log3) / (3.0 + 1.0 / log3);
    assert!((score(&judgement, Metric::Ndcg) - expected).abs() < 1e-12);
    assert_eq!(judgement.verdicts[2], Verdict::Wrong);
}

proptest! {
    #[test]
    fn scores_lie_between_zero_and_one_and_more_right_answers_never_hurt(
        expected in prop::collection::btree_set(1_u32..40, 1..8),
        found in prop::collection::vec(1_u32..60, 0..12),
    ) {
        let expected: Vec<Place> = expected.iter().map(|line| place("a", line * 10)).collect();
        let missing = expected.clone();
        let task = task(Category::P2, places(expected, Matching::OneToOne));
        let mut found: Vec<ReturnedPlace> = found.iter().map(|line| at("a", line * 10)).collect();
        let before = judge(&task, &answer(found.clone()));
        for value in before.scores.values() {
            prop_assert!((0.0..=1.0).contains(value));
        }
        found.extend(missing.iter().map(|place| at("a", place.line)));
        let after = judge(&task, &answer(found));
        prop_assert!(after.scores[&Metric::F1] >= before.scores[&Metric::F1]);
        prop_assert_eq!(after.scores[&Metric::Recall], 1.0);
    }
}
