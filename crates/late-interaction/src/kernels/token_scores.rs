//! From integer products of coded tokens to scores.

/// A document's tokens with what their codes leave open.
#[derive(Clone, Copy)]
pub(crate) struct Tokens<'a> {
    /// Centroid of each token.
    pub(crate) centroids: Centroids<'a>,
    /// 1 / norm of each reconstruction, as bits of an f16.
    pub(crate) inverse_norms: &'a [u16],
    /// Length of each residual times the inverse norm, as bits of an f16.
    pub(crate) scales: &'a [u16],
}

impl Tokens<'_> {
    pub(crate) fn slice(self, range: std::ops::Range<usize>) -> Self {
        Self {
            centroids: self.centroids.slice(range.clone()),
            inverse_norms: &self.inverse_norms[range.clone()],
            scales: &self.scales[range],
        }
    }

    pub(crate) fn inverse_norm(&self, token: usize) -> f32 {
        half_from(self.inverse_norms[token])
    }

    pub(crate) fn scale(&self, token: usize) -> f32 {
        half_from(self.scales[token])
    }
}

/// An f16 that is not negative, from its bits; below 6e-5 as 3e-5 and more, which is nothing here.
/// The library's asks the processor each time whether it can.
#[inline(always)]
pub(crate) fn half_from(bits: u16) -> f32 {
    f32::from_bits((u32::from(bits) << 13) + (112 << 23))
}

/// Centroid numbers, as narrow as the codec allows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Centroids<'a> {
    Narrow(&'a [u16]),
    Wide(&'a [u32]),
}

impl<'a> Centroids<'a> {
    pub(crate) fn get(self, token: usize) -> usize {
        match self {
            Self::Narrow(all) => usize::from(all[token]),
            Self::Wide(all) => all[token] as usize,
        }
    }

    pub(crate) fn slice(self, range: std::ops::Range<usize>) -> Self {
        match self {
            Self::Narrow(all) => Self::Narrow(&all[range]),
            Self::Wide(all) => Self::Wide(&all[range]),
        }
    }
}

/// What turns integers into scores, for each query row.
pub(crate) struct Scales<'a> {
    /// Factor of the integer product.
    pub(crate) factor: &'a [f32],
    /// What level 0 adds.
    pub(crate) offset: &'a [f32],
}

/// Inputs of [`maxima`](super::maxima).
pub(crate) struct Maxima<'a> {
    pub(crate) tokens: Tokens<'a>,
    /// `products` of the tokens.
    pub(crate) products: &'a [i32],
    /// Scores of the centroids: `centroid * n_rows + row`.
    pub(crate) centroid_scores: &'a [f32],
    pub(crate) scales: Scales<'a>,
}
