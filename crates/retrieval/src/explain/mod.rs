//! Explain: the record of an answer, and why one hit stands before another.
//!
//! Recomputes nothing: figures come from the run that answered, each from the stage that made it.

mod compare;
mod stage_clock;
mod trace;

pub use compare::{ComparedTerm, HitComparison, compare};
pub(crate) use stage_clock::StageClock;
pub use trace::{FoundPart, StageTiming, Trace, TraceRow};
