//! What a gate is worth: the same tasks with a stage never, gated and always run.

use std::collections::BTreeMap;

use serde::Serialize;
use whyrank_benchmark::eval::{Paired, TaskResult, paired_difference};

/// Names of the rows that are set side by side.
pub(super) const GATE_ROWS: [&str; 3] = ["gate never", "gate gated", "gate always"];

/// A suite's tasks under the three settings of the gate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct GateWorth {
    /// Suite.
    pub(super) suite: String,
    /// Never against always: what the stage brings.
    pub(super) stage: Paired,
    /// Gated against always: what the gate costs where it leaves the stage out.
    pub(super) regret: Paired,
    /// Mean of the better of never and always, task by task: what a perfect gate would have.
    pub(super) oracle: f64,
    /// Tasks on which never and always differ.
    pub(super) n_differ: u32,
}

/// Sets the three rows side by side, suite by suite, over the tasks that all of them answered. Empty
/// when one of the rows did not run.
pub(super) fn gate_worth(results: &[TaskResult], seed: u64) -> Vec<GateWorth> {
    worth_of(results, &GATE_ROWS.map(str::to_owned), seed)
}

/// As [`gate_worth`], over rows of these names: never, gated, always.
pub(super) fn worth_of(results: &[TaskResult], rows: &[String; 3], seed: u64) -> Vec<GateWorth> {
    let mut values: BTreeMap<(&str, &str), [Option<f64>; 3]> = BTreeMap::new();
    for line in results.iter().filter(|line| !line.unsupported) {
        if let Some(row) = rows.iter().position(|name| *name == line.subject) {
            let key = (line.suite.as_str(), line.task.as_str());
            values.entry(key).or_default()[row] = Some(line.value());
        }
    }
    let mut suites: BTreeMap<&str, Vec<[f64; 3]>> = BTreeMap::new();
    for ((suite, _), rows) in values {
        if let [Some(never), Some(gated), Some(always)] = rows {
            suites
                .entry(suite)
                .or_default()
                .push([never, gated, always]);
        }
    }
    let worth = |(suite, tasks): (&str, Vec<[f64; 3]>)| {
        let pairs = |base: usize| -> Vec<(f64, f64)> {
            tasks.iter().map(|task| (task[base], task[2])).collect()
        };
        let differs = |task: &&[f64; 3]| (task[0] - task[2]).abs() > 1e-9;
        GateWorth {
            suite: suite.to_owned(),
            stage: paired_difference(&pairs(0), seed),
            regret: paired_difference(&pairs(1), seed),
            oracle: tasks.iter().map(|task| task[0].max(task[2])).sum::<f64>() / tasks.len() as f64,
            n_differ: tasks.iter().filter(differs).count() as u32,
        }
    };
    suites.into_iter().map(worth).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ablate::sample::line;

    #[test]
    fn regret_is_what_the_gate_leaves_out() {
        let rows = |task: &str, values: [f64; 3]| {
            let lines = GATE_ROWS.iter().zip(values);
            lines
                .map(|(row, value)| line(row, task, value))
                .collect::<Vec<_>>()
        };
        let mut results = rows("a", [0.2, 0.2, 1.0]);
        results.extend(rows("b", [0.8, 0.6, 0.6]));
        results.push(line("gate never", "answered by one row alone", 1.0));
        let worth = gate_worth(&results, 1);
        assert_eq!(worth.len(), 1);
        let worth = &worth[0];
        assert_eq!((worth.stage.n, worth.n_differ), (2, 2));
        assert!((worth.stage.difference.mean - 0.3).abs() < 1e-9);
        assert!((worth.regret.difference.mean - 0.4).abs() < 1e-9);
        assert!((worth.oracle - 0.9).abs() < 1e-9);
        assert!(gate_worth(&results[..2], 1).is_empty());
    }
}
