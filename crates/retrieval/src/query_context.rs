//! What every stage of one search works with.

use crate::ask::{SearchContext, SearchQuery};
use crate::channels::Bm25;
use crate::query::ParsedQuery;
use crate::refine::Tokens;
use crate::search_index::SearchIndex;
use crate::settings::Tuning;
use crate::shape::QueryShape;
use roaring::RoaringBitmap;
use std::time::Instant;

/// One search: its stores and models, its request, and the query as it was understood.
#[derive(Clone, Copy)]
pub(crate) struct QueryContext<'a, 't> {
    /// Stores, view and models.
    pub(crate) search: &'a SearchContext<'a>,
    pub(crate) request: &'a SearchQuery,
    pub(crate) query: &'a ParsedQuery,
    /// Coefficients of evidence: those of the request, or none where that stage is switched off.
    /// Later stages read those of the request.
    pub(crate) evidence_tuning: &'a Tuning,
    /// Chunks that the filters let through.
    pub(crate) allowed: &'a RoaringBitmap,
    pub(crate) tokens: &'a Tokens<'t>,
    pub(crate) bm25: &'a Bm25<'a>,
    /// When the last channel may begin, and late interaction ends: the last resort.
    pub(crate) deadline: Instant,
}

impl<'a> QueryContext<'a, '_> {
    pub(crate) fn index(&self) -> &'a SearchIndex {
        self.search.index
    }

    /// What a first place brings at weight 1: terms are multiples of it.
    pub(crate) fn unit(&self) -> f64 {
        1.0 / (self.request.rrf_k + 1.0)
    }

    /// Whether the query describes one place, for evidence and what follows it.
    pub(crate) fn is_description(&self) -> bool {
        let n_words = self.evidence_tuning.description_words;
        self.query.is_description(n_words)
    }

    /// Returns what a coefficient is multiplied by, `factor` where one place is described, and that
    /// in words.
    pub(crate) fn described(&self, factor: f64) -> (f64, String) {
        times(self.is_description(), factor, "in a description")
    }

    /// Returns the same where the query is an identifier.
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
