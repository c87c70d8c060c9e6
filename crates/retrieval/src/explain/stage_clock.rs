//! Times and counts of stages, as they end.

use super::trace::StageTiming;
use crate::gate::GateRecord;
use crate::refine::RefineRecord;
use std::time::{Duration, Instant};

pub(crate) struct StageClock {
    last: Instant,
    pub(crate) timings: Vec<StageTiming>,
}

impl StageClock {
    pub(crate) fn start(now: Instant) -> Self {
        Self {
            last: now,
            timings: Vec::new(),
        }
    }

    /// Ends a stage; what is known of it is added to the entry.
    pub(crate) fn lap(&mut self, stage: &str) -> &mut StageTiming {
        self.timings.push(StageTiming::since(stage, self.last));
        self.last = Instant::now();
        let last = self.timings.len() - 1;
        &mut self.timings[last]
    }
}

impl StageTiming {
    /// Returns a stage that began at a moment and ends now; nothing is counted of it.
    pub fn since(stage: &str, began: Instant) -> Self {
        Self {
            stage: stage.to_owned(),
            elapsed_ms: millis(began.elapsed()),
            budget_ms: None,
            n_in: None,
            n_out: None,
            skipped: None,
        }
    }

    pub(crate) fn within(&mut self, budget: Duration) -> &mut Self {
        self.budget_ms = Some(millis(budget));
        self
    }

    pub(crate) fn counts(&mut self, n_in: Option<usize>, n_out: usize) -> &mut Self {
        self.n_in = n_in.map(|n| n as u32);
        self.n_out = Some(n_out as u32);
        self
    }

    pub(crate) fn skipped(&mut self, reason: Option<String>) -> &mut Self {
        self.skipped = reason;
        self
    }

    pub(crate) fn refined(&mut self, gate: &GateRecord, record: Option<&RefineRecord>) {
        match record {
            Some(record) => {
                self.n_in = Some(record.n_asked);
                self.n_out = Some(record.n_done);
                self.skipped = record.cut.clone().filter(|_| record.n_done == 0);
            }
            None => self.skipped = Some(gate.verdict.sentence.clone()),
        }
    }
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
