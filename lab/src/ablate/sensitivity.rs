//! How much the answers hang on each weight: the same tasks with one weight moved, against none moved.

use std::collections::BTreeMap;

use serde::Serialize;
use whyrank_benchmark::eval::{Paired, TaskResult, paired_difference};

/// What a moved weight does over one suite.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct SensitivityRow {
    /// Suite.
    pub(super) suite: String,
    /// What was moved: `fts 1.5 -> 1.7`.
    pub(super) name: String,
    /// The category's own metric, as it is and moved, over the same tasks.
    pub(super) moved: Paired,
}

/// Holds each configuration against the first of `names`, by suite and in their order.
pub(super) fn sensitivity(
    results: &[TaskResult],
    names: &[String],
    seed: u64,
) -> Vec<SensitivityRow> {
    let mut scores: BTreeMap<(&str, &str), BTreeMap<&str, f64>> = BTreeMap::new();
    for line in results.iter().filter(|line| !line.unsupported) {
        if let Some(score) = line.scores.get(&line.headline) {
            let of_suite = scores.entry((&line.suite, &line.subject)).or_default();
            of_suite.insert(&line.task, *score);
        }
    }
    let Some((base, moved)) = names.split_first() else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for ((suite, _), usual) in scores
        .iter()
        .filter(|((_, name), _)| *name == base.as_str())
    {
        for name in moved {
            let Some(other) = scores.get(&(*suite, name.as_str())) else {
                continue;
            };
            let pairs = usual.iter();
            let pairs = pairs.filter_map(|(task, score)| Some((*score, *other.get(task)?)));
            let pairs: Vec<(f64, f64)> = pairs.collect();
            rows.push(SensitivityRow {
                suite: (*suite).to_owned(),
                name: name.clone(),
                moved: paired_difference(&pairs, seed),
            });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ablate::sample::line;

    #[test]
    fn a_moved_weight_is_held_against_the_same_tasks() {
        let names = ["whyrank", "fts 1.5 -> 1.7"].map(str::to_owned);
        let results = [
            line("whyrank", "a", 0.5),
            line("whyrank", "b", 0.4),
            line("whyrank", "alone", 1.0),
            line("fts 1.5 -> 1.7", "a", 0.7),
            line("fts 1.5 -> 1.7", "b", 0.4),
        ];
        let rows = sensitivity(&results, &names, 1);
        let [row] = rows.as_slice() else {
            panic!("one row: {rows:?}");
        };
        assert_eq!((row.moved.n, row.moved.wins, row.moved.losses), (2, 1, 0));
        assert!((row.moved.difference.mean - 0.1).abs() < 1e-9);
    }
}
