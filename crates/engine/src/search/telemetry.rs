//! Times and counts of answers, by the names that the field uses. They are kept beside the traces, so
//! that every process adds to them and any can show them; nothing leaves the machine.

use crate::Engine;
use crate::api::{CounterStats, GateReason, StageMovement, StageStats, TimerStats, Trace};
use crate::error::Result;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use whyrank_retrieval::{Channel, StageRanks};

/// Answers that the figures are over.
pub(crate) const N_ANSWERS: u32 = 100;

/// What one answer adds.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measures {
    timers: BTreeMap<String, f64>,
    counters: BTreeMap<String, u32>,
    #[serde(default)]
    moved: BTreeMap<String, Moved>,
}

/// What a stage changed of the hits that were shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Moved {
    n_hits: u32,
    n_moved: u32,
    n_entered: u32,
}

/// Hits that are looked at, by their final rank.
const FIRST: u32 = 10;
/// The stages that rank, in their order.
const RANKING: [&str; 5] = ["evidence", "refine", "order", "cross-encode", "rerank"];

impl Measures {
    pub(crate) fn of(trace: &Trace) -> Self {
        let mut measures = Self::default();
        for timing in trace.timings.iter().filter(|one| one.skipped.is_none()) {
            measures.time(&format!("{}_ms", timing.stage), timing.elapsed_ms);
            if timing.stage == "fuse" {
                measures.time("fusion_ms", timing.elapsed_ms);
            }
            let is_over = timing
                .budget_ms
                .is_some_and(|budget| timing.elapsed_ms > budget);
            if is_over {
                measures.count(&format!("over_budget_{}", timing.stage), 1);
            }
        }
        let shown = trace
            .rows
            .iter()
            .filter(|row| row.shown && row.rank <= FIRST);
        for ranks in shown.filter_map(|row| row.stages) {
            measures.movement(&ranks);
        }
        let vector = trace
            .channels
            .iter()
            .find(|run| run.channel == Channel::Vector);
        if let Some((run, encode_ms)) = vector.and_then(|run| Some((run, run.encode_ms?))) {
            measures.time("biencoder_encode_ms", encode_ms);
            measures.time("ann_ms", run.elapsed_ms - encode_ms);
        }
        measures.late_interaction(trace);
        if let Some(record) = &trace.rerank {
            measures.count("rerank_runs", u32::from(record.cut.is_none()));
            measures.count("rerank_timeout", u32::from(record.timed_out));
        }
        measures
    }

    fn late_interaction(&mut self, trace: &Trace) {
        let reason = trace.gate.as_ref().map(|gate| gate.verdict.reason);
        let by_gate = matches!(
            reason,
            Some(GateReason::Confident | GateReason::ExactSymbol | GateReason::Literal)
        );
        self.count("gate_decisions", u32::from(reason.is_some()));
        self.count("warp_skipped_gate", u32::from(by_gate));
        let is_cut = trace
            .refine
            .as_ref()
            .is_some_and(|record| record.n_done < record.n_asked);
        let by_time = reason == Some(GateReason::Budget) || is_cut;
        self.count("warp_skipped_timeout", u32::from(by_time));
        if let Some(record) = &trace.refine {
            self.time("warp_encode_ms", record.query_ms);
            self.time("warp_search_ms", record.search_ms);
            self.count("warp_runs", 1);
            self.count("warp_candidates", record.n_done);
            self.count("warp_tokens_scored", record.n_tokens);
        }
    }

    /// Takes in where a hit stood before and after each stage that ran.
    fn movement(&mut self, ranks: &StageRanks) {
        let refined = ranks.refined.unwrap_or(ranks.evidence);
        let steps = [
            (ranks.fused, Some(ranks.evidence)),
            (ranks.evidence, ranks.refined),
            (refined, Some(ranks.ordered)),
            (ranks.ordered, ranks.crossed),
            (ranks.presented.unwrap_or(0), ranks.reranked),
        ];
        for (stage, (before, after)) in RANKING.into_iter().zip(steps) {
            let Some(after) = after else {
                continue;
            };
            let moved = self.moved.entry(stage.to_owned()).or_default();
            moved.n_hits += 1;
            moved.n_moved += u32::from(before != after);
            moved.n_entered += u32::from(before > FIRST && after <= FIRST);
        }
    }

    fn time(&mut self, name: &str, elapsed_ms: f64) {
        self.timers.insert(name.to_owned(), elapsed_ms.max(0.0));
    }

    fn count(&mut self, name: &str, n: u32) {
        self.counters.insert(name.to_owned(), n);
    }
}

/// Order in which timers are shown; others follow by name.
const ORDER: [&str; 20] = [
    "open_ms",
    "query_ms",
    "biencoder_encode_ms",
    "ann_ms",
    "channels_ms",
    "graph_ms",
    "fuse_ms",
    "fusion_ms",
    "evidence_ms",
    "gate_ms",
    "warp_encode_ms",
    "warp_search_ms",
    "refine_ms",
    "order_ms",
    "present_ms",
    "align_ms",
    "snippets_ms",
    "rerank_ms",
    "memory_ms",
    "keep_ms",
];

pub(crate) fn summary(measures: &[Measures]) -> StageStats {
    let mut times: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for measure in measures {
        for (name, elapsed_ms) in &measure.timers {
            times.entry(name).or_default().push(*elapsed_ms);
        }
        for (name, n) in &measure.counters {
            let sum = counts.entry(name).or_default();
            *sum = sum.saturating_add(*n);
        }
    }
    let movements = RANKING.iter().filter_map(|stage| {
        let all = measures.iter().filter_map(|one| one.moved.get(*stage));
        let sum = |of: fn(&Moved) -> u32| all.clone().map(of).sum::<u32>();
        let movement = StageMovement {
            stage: (*stage).to_owned(),
            n_hits: sum(|one| one.n_hits),
            n_moved: sum(|one| one.n_moved),
            n_entered: sum(|one| one.n_entered),
        };
        (movement.n_moved > 0).then_some(movement)
    });
    let place = |name: &str| ORDER.iter().position(|known| *known == name);
    let mut timers: Vec<TimerStats> = times
        .into_iter()
        .map(|(name, mut times)| {
            times.sort_by(f64::total_cmp);
            TimerStats {
                name: name.to_owned(),
                n: times.len() as u32,
                p50_ms: quantile(&times, 0.5),
                p95_ms: quantile(&times, 0.95),
            }
        })
        .collect();
    timers.sort_by_key(|timer| place(&timer.name).unwrap_or(ORDER.len()));
    StageStats {
        n_answers: measures.len() as u32,
        timers,
        movements: movements.collect(),
        counters: counts
            .into_iter()
            .map(|(name, n)| CounterStats {
                name: name.to_owned(),
                n,
            })
            .collect(),
    }
}

/// The least value that a share of `sorted` does not exceed. `sorted` is not empty.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = (share * sorted.len() as f64).ceil() as usize;
    sorted[at.clamp(1, sorted.len()) - 1]
}

/// What late interaction takes, as far as is known: a moving mean over the answers of this process.
#[derive(Default)]
pub(crate) struct RefineTook(Mutex<Option<f64>>);

/// Weight of the newest answer.
const NEWEST: f64 = 0.3;
/// An expectation that keeps the stage out shrinks, so that it is tried again after a slow moment.
const FORGETS: f64 = 0.8;

impl RefineTook {
    pub(crate) fn expected_ms(&self) -> Option<f64> {
        *self.0.lock()
    }

    pub(crate) fn learn(&self, trace: &Trace) {
        let mut expected = self.0.lock();
        let is_late =
            |gate: &whyrank_retrieval::GateRecord| gate.verdict.reason == GateReason::Budget;
        if trace.gate.as_ref().is_some_and(is_late) {
            *expected = expected.map(|known| known * FORGETS);
        }
        // A stage that was cut would have taken longer than it did.
        if let Some(record) = trace.refine.as_ref().filter(|record| record.n_done > 0) {
            let whole = f64::from(record.n_asked) / f64::from(record.n_done);
            let took = record.query_ms + record.search_ms * whole;
            let known = expected.unwrap_or(took);
            *expected = Some(known + NEWEST * (took - known));
        }
    }
}

impl Engine {
    /// Tells what the stages of the last 100 answers took, of this process and others.
    ///
    /// # Errors
    /// `traces` when the kept figures cannot be read.
    pub fn stage_stats(&self) -> Result<StageStats> {
        Ok(summary(&self.state.traces.measures(N_ANSWERS)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(refine_ms: f64, n_done: u32) -> Measures {
        let mut measures = Measures::default();
        measures.time("warp_search_ms", refine_ms);
        measures.time("query_ms", 1.0);
        measures.count("warp_candidates", n_done);
        measures
    }

    #[test]
    fn half_and_nearly_all_take_at_most_so_long() {
        let measures: Vec<Measures> = (1..=100).map(|ms| measure(f64::from(ms), 2)).collect();
        let stats = summary(&measures);
        let names: Vec<&str> = stats
            .timers
            .iter()
            .map(|timer| timer.name.as_str())
            .collect();
        assert_eq!(names, ["query_ms", "warp_search_ms"]);
        let search = &stats.timers[1];
        assert_eq!((search.n, search.p50_ms, search.p95_ms), (100, 50.0, 95.0));
        assert_eq!(stats.counters[0].n, 200);
        assert_eq!(summary(&[]), StageStats::default());
    }

    #[test]
    fn a_stage_is_told_by_the_hits_that_it_moves() {
        let hit = |fused, evidence, refined, ordered| {
            let mut measures = Measures::default();
            measures.movement(&StageRanks {
                fused,
                evidence,
                refined,
                ordered,
                ..StageRanks::default()
            });
            measures
        };
        let hits = [hit(30, 2, None, 2), hit(1, 1, Some(3), 3)];
        let told: Vec<(String, [u32; 3])> = summary(&hits)
            .movements
            .into_iter()
            .map(|one| (one.stage, [one.n_hits, one.n_moved, one.n_entered]))
            .collect();
        let expected = [("evidence", [2, 1, 1]), ("refine", [1, 1, 0])];
        assert_eq!(told, expected.map(|(stage, n)| (stage.to_owned(), n)));
    }
}
