//! Sets of places: nearest first and one to one, or as the original benchmark has it.

use super::verdict::{Judgement, Verdict, bare, clean, from_shares, set_scores, verdicts};
use crate::answer::{Answer, ReturnedPlace};
use crate::metric::{Metric, Scores};
use crate::statistics::mean;
use crate::task::{Expected, Matching, Place, Task};
use std::collections::BTreeSet;

/// Greedy one-to-one matching, nearest pairs first. Further hits on something already found, and hits
/// on optional places, count neither for nor against.
pub(super) fn one_to_one(task: &Task, answer: &Answer) -> Judgement {
    let Expected::Places {
        places,
        optional,
        tolerance,
        within_span,
        optional_tests,
        ..
    } = &task.expected
    else {
        return Judgement::default();
    };
    let near = |place: &Place, found: &ReturnedPlace| near(place, found, *tolerance, *within_span);
    let first_of_line = first_of_each_line(&answer.found);
    let mut pairs: Vec<(u64, usize, usize)> = Vec::new();
    for (f, found) in answer
        .found
        .iter()
        .enumerate()
        .filter(|(f, _)| first_of_line[*f])
    {
        for (p, place) in places
            .iter()
            .enumerate()
            .filter(|(_, place)| near(place, found))
        {
            pairs.push((distance(place, found, *within_span), f, p));
        }
    }
    pairs.sort_unstable();
    let mut met = vec![false; places.len()];
    let mut verdicts = vec![Verdict::Wrong; answer.found.len()];
    let mut is_used = vec![false; answer.found.len()];
    for (_, f, p) in pairs {
        if !is_used[f] && !met[p] {
            is_used[f] = true;
            met[p] = true;
            verdicts[f] = Verdict::Right;
        }
    }
    for (f, found) in answer
        .found
        .iter()
        .enumerate()
        .filter(|(f, _)| !is_used[*f])
    {
        let is_neutral = !first_of_line[f]
            || optional
                .iter()
                .chain(places)
                .any(|place| near(place, found))
            || (*optional_tests && is_test_path(&clean(&found.file)));
        if is_neutral {
            verdicts[f] = Verdict::Optional;
        }
    }
    let right = met.iter().filter(|met| **met).count();
    let wrong = verdicts
        .iter()
        .filter(|verdict| **verdict == Verdict::Wrong)
        .count();
    let mut scores = match (places.len(), wrong) {
        (0, 0) => from_shares(1.0, 1.0),
        _ => set_scores(right, right + wrong, places.len()),
    };
    scores.extend(calibration(&answer.found, &verdicts));
    Judgement {
        scores,
        met,
        verdicts,
    }
}

/// How much of what was called certain, and of what was called possible, is right; what was not asked
/// for counts neither way.
fn calibration(found: &[ReturnedPlace], verdicts: &[Verdict]) -> Scores {
    let right_of = |certain: bool| -> Option<f64> {
        let said = found.iter().zip(verdicts);
        let said = said.filter(|(found, _)| found.certain == Some(certain));
        let judged = said.filter(|(_, verdict)| **verdict != Verdict::Optional);
        let rights: Vec<f64> = judged
            .map(|(_, verdict)| f64::from(u8::from(*verdict == Verdict::Right)))
            .collect();
        (!rights.is_empty()).then(|| mean(&rights))
    };
    let metrics = [(Metric::CertainRight, true), (Metric::PossibleRight, false)];
    let shares = metrics.map(|(metric, certain)| Some((metric, right_of(certain)?)));
    shares.into_iter().flatten().collect()
}

fn near(expected: &Place, found: &ReturnedPlace, tolerance: u32, within_span: bool) -> bool {
    if !same_file(expected, found) {
        return false;
    }
    let line = found.line;
    let is_inside = within_span
        && expected.end_line > 0
        && (expected.line.saturating_sub(tolerance)..=expected.end_line).contains(&line);
    is_inside || line.abs_diff(expected.line) <= tolerance
}

fn same_file(expected: &Place, found: &ReturnedPlace) -> bool {
    expected.file == clean(&found.file)
        && expected.repo.as_deref().unwrap_or_default() == found.repo.as_deref().unwrap_or_default()
}

/// Distance for the greedy matching: nothing inside a span, lines otherwise.
fn distance(expected: &Place, found: &ReturnedPlace, within_span: bool) -> u64 {
    let lines = u64::from(found.line.abs_diff(expected.line)) * 2;
    if !within_span {
        return lines;
    }
    let is_inside =
        expected.end_line > 0 && (expected.line..=expected.end_line).contains(&found.line);
    if is_inside { 0 } else { lines + 1 }
}

fn first_of_each_line(found: &[ReturnedPlace]) -> Vec<bool> {
    let mut seen = BTreeSet::new();
    found
        .iter()
        .map(|found| seen.insert((clean(&found.file), found.repo.clone(), found.line)))
        .collect()
}

/// Paths that count as tests in tasks with optional tests.
fn is_test_path(path: &str) -> bool {
    let folders = [
        "test",
        "tests",
        "__tests__",
        "spec",
        "bench",
        "benches",
        "benchmark",
        "benchmarks",
        "example",
        "examples",
    ];
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    parts.iter().any(|part| folders.contains(part))
        || [
            ".test", "-test", "_test", ".spec", "-spec", "_spec", ".bench", "-bench", "_bench",
        ]
        .iter()
        .any(|ending| stem.ends_with(ending))
        || (name.starts_with("test_") && name.ends_with(".py"))
}

/// The original benchmark's rule: a found place counts when it is near any expected one, an expected
/// one is met when any found one is near it, paths without their extension. Without an expected place
/// recall is 1 for P2 and 0 for P1, as there.
pub(super) fn lenient(task: &Task, answer: &Answer) -> Judgement {
    let Expected::Places {
        places,
        tolerance,
        matching,
        ..
    } = &task.expected
    else {
        return Judgement::default();
    };
    let near = |place: &Place, found: &ReturnedPlace| {
        bare(&place.file) == bare(&found.file) && place.line.abs_diff(found.line) <= *tolerance
    };
    let first = first_of_each_line(&answer.found);
    // Its P1 takes one prediction.
    let taken = if *matching == Matching::LenientAny {
        1
    } else {
        usize::MAX
    };
    let found: Vec<&ReturnedPlace> = answer
        .found
        .iter()
        .zip(&first)
        .filter(|(_, first)| **first)
        .map(|(found, _)| found)
        .take(taken)
        .collect();
    let met: Vec<bool> = places
        .iter()
        .map(|place| found.iter().any(|found| near(place, found)))
        .collect();
    let is_right = |found: &ReturnedPlace| places.iter().any(|place| near(place, found));
    let right = found.iter().filter(|found| is_right(found)).count();
    let scores = match matching {
        Matching::LenientAny => {
            let hit = f64::from(u8::from(right > 0));
            from_shares(hit, hit)
        }
        _ => from_shares(
            if found.is_empty() {
                0.0
            } else {
                right as f64 / found.len() as f64
            },
            if places.is_empty() {
                1.0
            } else {
                met.iter().filter(|met| **met).count() as f64 / met.len() as f64
            },
        ),
    };
    Judgement {
        scores,
        met,
        verdicts: verdicts(answer, is_right),
    }
}
