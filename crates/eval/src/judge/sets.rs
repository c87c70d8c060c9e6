//! Sets of files and names, and single verdicts.

use super::verdict::{Judgement, Verdict, bare, clean, from_shares, set_scores};
use crate::answer::Answer;
use crate::task::{Expected, Question, Task};
use std::collections::BTreeSet;

pub(super) fn file_set(task: &Task, files: &[String], answer: &Answer) -> Judgement {
    let Expected::Files {
        optional,
        optional_prefixes,
        optional_basenames,
        ..
    } = &task.expected
    else {
        return Judgement::default();
    };
    let itself = match &task.question {
        Question::File { file, .. } => file.as_str(),
        _ => "",
    };
    let named: BTreeSet<String> = answer
        .imports
        .iter()
        .chain(&answer.importers)
        .map(|path| clean(path))
        .filter(|path| path != itself)
        .collect();
    let is_optional = |path: &str| {
        optional.iter().any(|file| file == path)
            || optional_prefixes
                .iter()
                .any(|prefix| path.starts_with(prefix.as_str()))
            || optional_basenames
                .iter()
                .any(|name| path.rsplit('/').next() == Some(name))
    };
    let met: Vec<bool> = files.iter().map(|file| named.contains(file)).collect();
    let right = met.iter().filter(|met| **met).count();
    let wrong = named
        .iter()
        .filter(|path| !files.contains(path) && !is_optional(path))
        .count();
    Judgement {
        scores: set_scores(right, right + wrong, files.len()),
        met,
        verdicts: file_verdicts(answer, |path| {
            match (files.iter().any(|file| file == path), is_optional(path)) {
                (true, _) => Verdict::Right,
                (false, true) => Verdict::Optional,
                (false, false) => Verdict::Wrong,
            }
        }),
    }
}

/// Verdicts on the files of a dependency answer, in the order of [`Answer::shown`].
fn file_verdicts(answer: &Answer, verdict: impl Fn(&str) -> Verdict) -> Vec<Verdict> {
    answer
        .shown()
        .iter()
        .map(|found| verdict(&clean(&found.file)))
        .collect()
}

/// The original's P4: both sides scored as sets without extensions, then averaged.
pub(super) fn both_sides(imports: &[String], importers: &[String], answer: &Answer) -> Judgement {
    let side = |named: &[String], expected: &[String]| {
        let named: BTreeSet<String> = named.iter().map(|path| bare(path)).collect();
        let expected: BTreeSet<String> = expected.iter().map(|path| bare(path)).collect();
        let shares = original_shares(&named, &expected);
        (shares, named, expected)
    };
    let (first, named_imports, expected_imports) = side(&answer.imports, imports);
    let (second, named_importers, expected_importers) = side(&answer.importers, importers);
    let met = imports
        .iter()
        .map(|path| named_imports.contains(&bare(path)));
    let met = met.chain(
        importers
            .iter()
            .map(|path| named_importers.contains(&bare(path))),
    );
    let rights = answer
        .imports
        .iter()
        .map(|path| expected_imports.contains(&bare(path)));
    let rights = rights.chain(
        answer
            .importers
            .iter()
            .map(|path| expected_importers.contains(&bare(path))),
    );
    Judgement {
        scores: from_shares((first.0 + second.0) / 2.0, (first.1 + second.1) / 2.0),
        met: met.collect(),
        verdicts: rights
            .map(|right| {
                if right {
                    Verdict::Right
                } else {
                    Verdict::Wrong
                }
            })
            .collect(),
    }
}

/// Precision and recall of sets as the original has them: nothing expected and nothing named is
/// perfect, nothing expected but something named has recall 1.
fn original_shares(named: &BTreeSet<String>, expected: &BTreeSet<String>) -> (f64, f64) {
    match (named.len(), expected.len()) {
        (0, 0) => (1.0, 1.0),
        (_, 0) => (0.0, 1.0),
        (0, _) => (0.0, 0.0),
        (n, m) => {
            let right = named.intersection(expected).count() as f64;
            (right / n as f64, right / m as f64)
        }
    }
}

pub(super) fn one_verdict(dead: bool, answer: &Answer) -> Judgement {
    let right = usize::from(answer.dead == Some(dead));
    Judgement {
        scores: set_scores(right, 1, 1),
        ..Judgement::default()
    }
}

pub(super) fn name_set(names: &[String], answer: &Answer) -> Judgement {
    let named: BTreeSet<String> = answer.names.iter().cloned().collect();
    let expected: BTreeSet<String> = names.iter().cloned().collect();
    let (precision, recall) = match answer.error {
        None => original_shares(&named, &expected),
        Some(_) => (0.0, 0.0),
    };
    Judgement {
        scores: from_shares(precision, recall),
        met: names.iter().map(|name| named.contains(name)).collect(),
        verdicts: Vec::new(),
    }
}
