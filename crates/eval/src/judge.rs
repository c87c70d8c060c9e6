//! Scores of an answer. The rules follow the benchmarks that the tasks come from; each names its own.

mod deep;
mod patch;
mod places;
mod ranks;
mod sets;

use crate::answer::{Answer, ReturnedPlace};
use crate::metric::{Metric, Scores};
use crate::task::{Expected, Matching, Task};
pub use deep::recall_at;
use patch::patch;
use places::{lenient, one_to_one};
use ranks::{documents, ranked, symbols};
use serde::{Deserialize, Serialize};
use sets::{both_sides, file_set, name_set, one_verdict};
use specta::Type;
use std::collections::BTreeMap;

/// What a found place is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Expected.
    Right,
    /// Neither asked for nor wrong.
    Optional,
    /// Not expected.
    Wrong,
}

/// A scored answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// Scores.
    pub scores: Scores,
    /// Which of [`Expected::places`] was found.
    pub met: Vec<bool>,
    /// Verdict on each found place.
    pub verdicts: Vec<Verdict>,
}

/// Scores an answer. One that failed with an error scores 0, whatever it holds.
pub fn judge(task: &Task, answer: &Answer) -> Judgement {
    let mut judgement = scored(task, answer);
    if answer.error.is_some() {
        judgement.scores.values_mut().for_each(|score| *score = 0.0);
    }
    judgement
}

fn scored(task: &Task, answer: &Answer) -> Judgement {
    match &task.expected {
        Expected::Places { matching, .. } => match matching {
            Matching::OneToOne => one_to_one(task, answer),
            Matching::Lenient | Matching::LenientAny => lenient(task, answer),
        },
        Expected::Files { files, .. } => file_set(task, files, answer),
        Expected::Patch { files } => patch(files, answer),
        Expected::Deps { imports, importers } => both_sides(imports, importers, answer),
        Expected::Dead { dead } => one_verdict(*dead, answer),
        Expected::Names { names } => name_set(names, answer),
        Expected::Ranked {
            relevant,
            by_suffix,
            needs_overlap,
        } => ranked(relevant, *by_suffix, *needs_overlap, answer),
        Expected::Symbols {
            names,
            share,
            top_k,
        } => symbols(task, names, *share, *top_k, answer),
        Expected::Documents { grades } => documents(grades, answer),
    }
}

/// Precision, recall and their harmonic mean.
fn set_scores(right: usize, found: usize, expected: usize) -> Scores {
    let share = |of: usize| {
        if of == 0 {
            0.0
        } else {
            right as f64 / of as f64
        }
    };
    from_shares(share(found), share(expected))
}

fn from_shares(precision: f64, recall: f64) -> Scores {
    let sum = precision + recall;
    let f1 = if sum == 0.0 {
        0.0
    } else {
        2.0 * precision * recall / sum
    };
    BTreeMap::from([
        (Metric::Precision, precision),
        (Metric::Recall, recall),
        (Metric::F1, f1),
    ])
}

/// Right or wrong, for each found place.
fn verdicts(answer: &Answer, is_right: impl Fn(&ReturnedPlace) -> bool) -> Vec<Verdict> {
    let verdict = |found: &ReturnedPlace| {
        if is_right(found) {
            Verdict::Right
        } else {
            Verdict::Wrong
        }
    };
    answer.found.iter().map(verdict).collect()
}

/// A path as tasks write it.
fn clean(path: &str) -> String {
    path.strip_prefix("./").unwrap_or(path).replace('\\', "/")
}

/// A path as the original compares it.
fn bare(path: &str) -> String {
    let path = clean(path);
    let path = path.trim_start_matches('/');
    let endings = [".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs"];
    let ending = endings.iter().find(|ending| path.ends_with(**ending));
    path[..path.len() - ending.map_or(0, |ending| ending.len())].to_owned()
}

#[cfg(test)]
mod tests;
