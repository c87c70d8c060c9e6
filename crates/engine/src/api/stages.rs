//! What the stages of the last answers took.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Times and counts of the last answers of every process. They stay on this machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct StageStats {
    /// Answers that the figures are over, at most 100.
    pub n_answers: u32,
    /// Times, in the order of the stages.
    pub timers: Vec<TimerStats>,
    /// Counts, summed over the answers.
    pub counters: Vec<CounterStats>,
    /// What each stage changed of the order, in the order of the stages; those that changed nothing are
    /// left out.
    pub movements: Vec<StageMovement>,
}

/// What a stage changed of the first ten hits that were shown, summed over the answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct StageMovement {
    /// `evidence`, `refine`, `order`, `cross-encode`, `rerank`.
    pub stage: String,
    /// Hits that it ranked.
    pub n_hits: u32,
    /// Those whose rank it changed.
    pub n_moved: u32,
    /// Those that it brought among the first ten.
    pub n_entered: u32,
}

/// A timer over the answers that it ran in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct TimerStats {
    /// `warp_encode_ms` and the like; a stage's own name with `_ms` behind it.
    pub name: String,
    /// Answers in which it ran.
    pub n: u32,
    /// Half of them took at most this, milliseconds.
    pub p50_ms: f64,
    /// 19 of 20 took at most this.
    pub p95_ms: f64,
}

/// A counter, summed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct CounterStats {
    /// `warp_skipped_gate` and the like.
    pub name: String,
    /// The sum.
    pub n: u32,
}
