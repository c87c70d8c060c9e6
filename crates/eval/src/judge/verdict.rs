//! Verdicts on single items, and the scores that follow from their shares.

use crate::answer::{Answer, ReturnedPlace};
use crate::metric::{Metric, Scores};
use serde::{Deserialize, Serialize};
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

/// Precision, recall and their harmonic mean.
pub(super) fn set_scores(right: usize, found: usize, expected: usize) -> Scores {
    let share = |of: usize| {
        if of == 0 {
            0.0
        } else {
            right as f64 / of as f64
        }
    };
    from_shares(share(found), share(expected))
}

pub(super) fn from_shares(precision: f64, recall: f64) -> Scores {
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
pub(super) fn verdicts(answer: &Answer, is_right: impl Fn(&ReturnedPlace) -> bool) -> Vec<Verdict> {
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
pub(super) fn clean(path: &str) -> String {
    path.strip_prefix("./").unwrap_or(path).replace('\\', "/")
}

/// A path as the original compares it.
pub(super) fn bare(path: &str) -> String {
    let path = clean(path);
    let path = path.trim_start_matches('/');
    let endings = [".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs"];
    let ending = endings.iter().find(|ending| path.ends_with(**ending));
    path[..path.len() - ending.map_or(0, |ending| ending.len())].to_owned()
}
