//! Token vectors as they come from an encoder.

use crate::MAX_DIM;
use crate::error::{Error, Result};

/// Token vectors, one row a token: `values[token * dim + component]`, all finite.
///
/// Rows are expected to have unit length; nothing here needs it, but scores are cosines only then.
#[derive(Clone, Copy, Debug)]
pub struct TokenMatrix<'a> {
    dim: usize,
    values: &'a [f32],
}

impl<'a> TokenMatrix<'a> {
    /// Checks and wraps `values`. O(values).
    ///
    /// # Errors
    /// Values that do not fill whole rows, a dimension of 0 or above [`MAX_DIM`], NaN or infinity.
    ///
    /// ```
    /// use whyrank_late_interaction::TokenMatrix;
    /// let two = TokenMatrix::new(2, &[1.0, 0.0, 0.0, 1.0]).unwrap();
    /// assert_eq!(two.n_tokens(), 2);
    /// assert!(TokenMatrix::new(2, &[1.0, f32::NAN]).is_err());
    /// ```
    pub fn new(dim: usize, values: &'a [f32]) -> Result<Self> {
        if dim == 0 || dim > MAX_DIM {
            return Err(Error::UnsupportedDimension(dim));
        }
        if !values.len().is_multiple_of(dim) {
            let values = values.len();
            return Err(Error::Ragged { values, dim });
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            let (token, component) = (at / dim, at % dim);
            return Err(Error::NotFinite { token, component });
        }
        Ok(Self { dim, values })
    }

    /// Components of a row.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Returns rows.
    pub fn n_tokens(&self) -> usize {
        self.values.len() / self.dim
    }

    /// Returns all values, row by row.
    pub fn values(&self) -> &'a [f32] {
        self.values
    }

    /// Returns a row.
    pub fn row(&self, token: usize) -> &'a [f32] {
        &self.values[token * self.dim..(token + 1) * self.dim]
    }

    /// Returns the rows in order.
    pub fn rows(&self) -> std::slice::ChunksExact<'a, f32> {
        self.values.chunks_exact(self.dim)
    }
}

/// A document's token vectors, and which word of the vocabulary each token is.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    vectors: TokenMatrix<'a>,
    vocab: &'a [u32],
}

impl<'a> Document<'a> {
    /// Pairs vectors with vocabulary ids, which clustering groups them by. An encoder without a
    /// vocabulary gives 0 for each.
    ///
    /// # Errors
    /// Another number of ids than of vectors.
    pub fn new(vectors: TokenMatrix<'a>, vocab: &'a [u32]) -> Result<Self> {
        if vectors.n_tokens() != vocab.len() {
            return Err(Error::VocabLength {
                vectors: vectors.n_tokens(),
                vocab: vocab.len(),
            });
        }
        Ok(Self { vectors, vocab })
    }

    /// Returns the vectors.
    pub fn vectors(&self) -> TokenMatrix<'a> {
        self.vectors
    }

    /// Returns the vocabulary ids.
    pub fn vocab(&self) -> &'a [u32] {
        self.vocab
    }
}
