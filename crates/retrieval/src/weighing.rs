//! A row with its terms, and what they are weighed against.

use crate::fuse::Fused;
use crate::query::ParsedQuery;
use crate::search_index::SearchIndex;
use crate::settings::Tuning;
use crate::shape::QueryShape;
use crate::terms::{Evidence, LateRank, StageRanks};

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

/// What every term is weighed against.
#[derive(Clone, Copy)]
pub(crate) struct Weighing<'a> {
    pub(crate) index: &'a SearchIndex,
    pub(crate) query: &'a ParsedQuery,
    pub(crate) tuning: &'a Tuning,
    /// Share of the chunks with a vector.
    pub(crate) vector_coverage: f64,
}

impl Weighing<'_> {
    /// Whether the query describes one place.
    pub(crate) fn is_description(&self) -> bool {
        self.query.is_description(self.tuning.description_words)
    }

    /// What a coefficient is multiplied by, `factor` where one place is described, and that in words.
    pub(crate) fn described(&self, factor: f64) -> (f64, String) {
        times(self.is_description(), factor, "in a description")
    }

    /// The same where the query is an identifier.
    pub(crate) fn named(&self, factor: f64) -> (f64, String) {
        let is_identifier = self.query.shape == QueryShape::Identifier;
        times(is_identifier, factor, "for an identifier")
    }
}

fn times(holds: bool, factor: f64, where_it_holds: &str) -> (f64, String) {
    if holds && factor != 1.0 {
        (factor, format!(", times {factor} {where_it_holds}"))
    } else {
        (1.0, String::new())
    }
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

    pub(crate) fn add(&mut self, name: &str, amount: f64, reason: impl FnOnce() -> String) {
        if amount != 0.0 {
            self.evidence.push(Evidence {
                name: name.to_owned(),
                contribution: amount * self.unit,
                reason: reason(),
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
