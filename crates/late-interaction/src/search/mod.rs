//! Scoring: given documents (`rescore`), the whole shard (`wide`), and why (`align`).

mod hit;
pub use hit::Hit;

mod align;
mod probe;
mod rescore;
mod wide;

pub use align::{Alignment, Products, TokenMatch};
pub use rescore::Rescored;
pub use wide::{WideOptions, WideResult};

use crate::error::{Error, Result};
use crate::matrix::TokenMatrix;
use crate::query::Query;
use crate::shard::Shard;
use align::{align, products};
use rescore::rescore;
use wide::wide;

impl Shard {
    /// Makes a query ready for this shard.
    ///
    /// # Errors
    /// Another dimension; too many tokens.
    pub fn query(&self, vectors: &TokenMatrix<'_>) -> Result<Query> {
        if let Some(expected) = self.dim().filter(|dim| *dim != vectors.dim()) {
            let found = vectors.dim();
            return Err(Error::Dimension { expected, found });
        }
        Query::new(self.codec(), vectors)
    }

    /// Scores given documents, in their order, until `stop` says true.
    ///
    /// # Errors
    /// A query made ready for another codec.
    pub fn rescore(&self, query: &Query, ids: &[u32], stop: &dyn Fn() -> bool) -> Result<Rescored> {
        self.check(query)?;
        Ok(rescore(self, query, ids, stop))
    }

    /// Searches all documents.
    ///
    /// # Errors
    /// A query made ready for another codec.
    pub fn wide(
        &self,
        query: &Query,
        options: &WideOptions<'_>,
        stop: &dyn Fn() -> bool,
    ) -> Result<WideResult> {
        self.check(query)?;
        Ok(wide(self, query, options, stop))
    }

    /// Takes a document's score apart; `None` for one that the shard does not have.
    ///
    /// # Errors
    /// A query made ready for another codec.
    pub fn align(&self, query: &Query, id: u32) -> Result<Option<Alignment>> {
        self.align_where(query, id, &|_| true)
    }

    /// Aligns as [`Shard::align`] does, over those of the document's tokens, counted from 0 as they were added, that
    /// `keep` lets through: MaxSim of a part of it.
    ///
    /// # Errors
    /// A query made ready for another codec.
    pub fn align_where(
        &self,
        query: &Query,
        id: u32,
        keep: &dyn Fn(u32) -> bool,
    ) -> Result<Option<Alignment>> {
        self.check(query)?;
        let found = self.find(id);
        Ok(found.map(|found| align(query, &found, keep)))
    }

    /// Compares every token of the query with every token of a document; `None` for one that the shard does
    /// not have.
    ///
    /// # Errors
    /// A query made ready for another codec.
    pub fn products(&self, query: &Query, id: u32) -> Result<Option<Products>> {
        self.check(query)?;
        let found = self.find(id);
        Ok(found.map(|found| products(query, &found)))
    }

    fn check(&self, query: &Query) -> Result<()> {
        match self.codec() {
            Some(codec) if self.is_coded() => query.check(codec),
            _ => Ok(()),
        }
    }
}
