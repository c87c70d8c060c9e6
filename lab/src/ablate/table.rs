//! The ablation of two-stage retrieval as one table: each configuration by its letter, quality, time
//! of each stage, and what a gate costs.

use std::collections::BTreeMap;

use serde::Serialize;
use whyrank_benchmark::eval::{Estimate, Metric, TaskResult, estimate, percentile};

use super::gate_worth::{GateWorth, worth_of};

/// Metrics of the table; one that no task has is left out.
const METRICS: [Metric; 4] = [Metric::Ndcg, Metric::Recall50, Metric::Mrr, Metric::SpanMrr];

/// A stage's time over the answers in which it ran, milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct StageTime {
    /// Stage, as in the trace.
    pub(super) stage: String,
    /// Answers in which it ran.
    pub(super) n: u32,
    /// Half took at most this.
    pub(super) p50_ms: f64,
    /// 19 of 20 took at most this.
    pub(super) p95_ms: f64,
}

/// A configuration's figures over one suite.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct AblationRow {
    /// Suite.
    pub(super) suite: String,
    /// Its name.
    pub(super) name: String,
    /// Answers.
    pub(super) n: u32,
    /// Means with their intervals.
    pub(super) metrics: BTreeMap<Metric, Estimate>,
    /// Stages in alphabetical order.
    pub(super) stages: Vec<StageTime>,
}

/// A configuration that could not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct NotRun {
    /// Its name.
    pub(super) name: String,
    /// Why.
    pub(super) reason: String,
}

/// The whole table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Ablation {
    /// Configurations that ran, by suite, in the order of `names`.
    pub(super) rows: Vec<AblationRow>,
    /// Those that did not.
    pub(super) not_run: Vec<NotRun>,
    /// What the gate is worth, for each configuration that ran never, gated and always.
    pub(super) gates: Vec<(String, GateWorth)>,
}

/// Puts a run's answers into the table. `names` are its configurations in order; `gated` those that ran
/// as `NAME never`, `NAME gated` and `NAME always`.
pub(super) fn ablation(
    results: &[TaskResult],
    names: &[String],
    gated: &[&str],
    seed: u64,
) -> Ablation {
    let mut by_row: BTreeMap<(&str, usize), Vec<&TaskResult>> = BTreeMap::new();
    for line in results.iter().filter(|line| !line.unsupported) {
        if let Some(place) = names.iter().position(|name| *name == line.subject) {
            by_row.entry((&line.suite, place)).or_default().push(line);
        }
    }
    let rows = by_row
        .into_iter()
        .map(|((suite, place), lines)| AblationRow {
            suite: suite.to_owned(),
            name: names[place].clone(),
            n: lines.len() as u32,
            metrics: metrics(&lines, seed),
            stages: stages(&lines),
        });
    let gates = gated.iter().flat_map(|name| {
        let modes = ["never", "gated", "always"].map(|mode| format!("{name} {mode}"));
        let worth = worth_of(results, &modes, seed).into_iter();
        worth.map(|worth| ((*name).to_owned(), worth))
    });
    Ablation {
        rows: rows.collect(),
        not_run: Vec::new(),
        gates: gates.collect(),
    }
}

fn metrics(lines: &[&TaskResult], seed: u64) -> BTreeMap<Metric, Estimate> {
    let of = |metric: Metric| {
        let values: Vec<f64> = lines
            .iter()
            .filter_map(|line| line.scores.get(&metric).copied())
            .collect();
        (!values.is_empty()).then(|| (metric, estimate(&values, seed)))
    };
    METRICS.into_iter().filter_map(of).collect()
}

fn stages(lines: &[&TaskResult]) -> Vec<StageTime> {
    let mut times: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (stage, ms) in lines.iter().flat_map(|line| &line.stages) {
        times.entry(stage).or_default().push(*ms);
    }
    let time = |(stage, mut times): (&str, Vec<f64>)| {
        times.sort_by(f64::total_cmp);
        StageTime {
            stage: stage.to_owned(),
            n: times.len() as u32,
            p50_ms: percentile(&times, 0.5),
            p95_ms: percentile(&times, 0.95),
        }
    };
    times.into_iter().map(time).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ablate::sample::line;

    fn answered(name: &str, task: &str, ndcg: f64, refine_ms: f64) -> TaskResult {
        let mut result = line(name, task, ndcg);
        result.headline = Metric::Ndcg;
        result.scores = BTreeMap::from([(Metric::Ndcg, ndcg), (Metric::Recall50, 1.0)]);
        result.stages = BTreeMap::from([("refine".to_owned(), refine_ms)]);
        result
    }

    #[test]
    fn a_row_has_its_metrics_its_times_and_its_gate() {
        let names: Vec<String> = ["A bi-encoder", "C never", "C gated", "C always"]
            .map(str::to_owned)
            .to_vec();
        let mut results = Vec::new();
        for (task, [never, always]) in [("a", [0.2, 0.8]), ("b", [0.5, 0.4])] {
            results.push(answered("A bi-encoder", task, never, 0.0));
            results.push(answered("C never", task, never, 0.0));
            results.push(answered("C gated", task, never, 1.0));
            results.push(answered("C always", task, always, 7.0));
            results.push(answered("somebody else", task, 1.0, 1.0));
        }
        let table = ablation(&results, &names, &["C", "D"], 1);
        let found: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(found, ["A bi-encoder", "C never", "C gated", "C always"]);
        let always = &table.rows[3];
        assert!((always.metrics[&Metric::Ndcg].mean - 0.6).abs() < 1e-9);
        assert_eq!(always.metrics[&Metric::Recall50].mean, 1.0);
        assert!(!always.metrics.contains_key(&Metric::SpanMrr));
        assert_eq!((always.stages[0].p50_ms, always.stages[0].n), (7.0, 2));
        assert_eq!(table.gates.len(), 1);
        assert!((table.gates[0].1.oracle - 0.65).abs() < 1e-9);
    }
}
