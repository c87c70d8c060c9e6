//! A candidate with its score, and the terms that sum to it.

use crate::fuse::Fused;
use crate::term_table::is_listed;
use crate::terms::{Evidence, LateRank, Reason, StageRanks};

/// A fused row with its evidence.
pub(crate) struct Scored {
    pub(crate) fused: Fused,
    pub(crate) evidence: Vec<Evidence>,
    /// Sum of all terms.
    pub(crate) score: f64,
    /// What demotions leave of it, 0 to 1; later terms are scaled by it too.
    pub(crate) keep: f64,
    /// What late interaction makes of it.
    pub(crate) late: Option<LateRank>,
    /// Its ranks so far.
    pub(crate) stages: StageRanks,
}

/// Terms of one row, in the making.
pub(crate) struct Terms {
    pub(crate) unit: f64,
    evidence: Vec<Evidence>,
}

impl Terms {
    /// `unit` is what a first place brings at weight 1.
    pub(crate) fn new(unit: f64) -> Self {
        Self {
            unit,
            evidence: Vec::new(),
        }
    }

    pub(crate) fn add<R: Into<Reason>>(
        &mut self,
        name: &str,
        amount: f64,
        reason: impl FnOnce() -> R,
    ) {
        debug_assert!(is_listed(name), "{name} is missing in the table of terms");
        if amount != 0.0 {
            let Reason { text, words } = reason().into();
            self.evidence.push(Evidence {
                name: name.to_owned(),
                contribution: amount * self.unit,
                reason: text,
                words,
            });
        }
    }

    pub(crate) fn sum(&self) -> f64 {
        self.evidence.iter().map(|term| term.contribution).sum()
    }

    pub(crate) fn close(self, fused: Fused, keep: f64) -> Scored {
        // The same order of additions as a reader of the trace would take.
        let score = fused.score + self.sum();
        Scored {
            fused,
            evidence: self.evidence,
            score,
            keep,
            late: None,
            stages: StageRanks::default(),
        }
    }
}
