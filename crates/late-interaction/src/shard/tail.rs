//! Documents that have not been coded yet, as they came.

use crate::codec::{Codec, Encoded};
use crate::error::Result;
use crate::exact::dot;
use crate::matrix::{Document, TokenMatrix};
use crate::query::Query;
use half::f16;
use half::slice::HalfFloatSliceExt;
use std::collections::BTreeMap;

/// A document as f16: half the memory, and products that differ by less than codes do.
#[derive(Clone, Debug)]
pub(crate) struct Exact {
    dim: usize,
    values: Vec<f16>,
    vocab: Vec<u32>,
}

impl Exact {
    pub(super) fn new(document: &Document<'_>) -> Self {
        let vectors = document.vectors();
        let mut values = vec![f16::ZERO; vectors.values().len()];
        values.convert_from_f32_slice(vectors.values());
        Self {
            dim: vectors.dim(),
            values,
            vocab: document.vocab().to_vec(),
        }
    }

    pub(crate) fn n_tokens(&self) -> usize {
        self.vocab.len()
    }

    pub(super) fn dim(&self) -> usize {
        self.dim
    }

    pub(crate) fn max_sim(&self, query: &Query) -> f32 {
        let mut best = vec![f32::NEG_INFINITY; query.n_tokens()];
        self.each_score(query, |_, row, score| best[row] = best[row].max(score));
        best.iter().sum()
    }

    /// Every product: `visit(document token, query token, score)`.
    pub(crate) fn each_score(&self, query: &Query, mut visit: impl FnMut(usize, usize, f32)) {
        debug_assert_eq!(self.dim, query.dim());
        for (token, values) in self.floats().chunks_exact(self.dim).enumerate() {
            for (row, query) in query.rows().enumerate() {
                visit(token, row, dot(query, values));
            }
        }
    }

    pub(super) fn floats(&self) -> Vec<f32> {
        let mut floats = vec![0.0; self.values.len()];
        self.values.convert_to_f32_slice(&mut floats);
        floats
    }
}

/// The exact tail, by id.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tail(pub(super) BTreeMap<u32, Exact>);

impl Tail {
    /// Calls `then` with the documents as vectors.
    pub(super) fn with_documents<T>(
        &self,
        then: impl FnOnce(&[Document<'_>]) -> Result<T>,
    ) -> Result<T> {
        let floats: Vec<Vec<f32>> = self.0.values().map(Exact::floats).collect();
        let documents: Result<Vec<Document<'_>>> = self
            .0
            .values()
            .zip(&floats)
            .map(|(exact, floats)| {
                Document::new(TokenMatrix::new(exact.dim, floats)?, &exact.vocab)
            })
            .collect();
        then(&documents?)
    }

    pub(super) fn encode(&self, codec: &Codec) -> Result<Vec<(u32, Encoded)>> {
        let encoded = self.with_documents(|documents| codec.encode_all(documents))?;
        Ok(self.0.keys().copied().zip(encoded).collect())
    }
}
