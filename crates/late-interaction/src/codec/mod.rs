//! The residual codec: a token is the number of a centroid, the rest in a few bits, and a norm.
//!
//! `x ≈ (c + r) / |c + r|`: `c` is the centroid, `r` the residual with each component replaced by one
//! of `2^b` weights, which all components share but for a factor (after Santhanam et al. 2022,
//! ColBERTv2, where they share them without one). The inverse norm
//! is stored: without it the products are biased, the more the fewer the bits.

mod buckets;
mod cluster;
mod format;
mod kmeans;

use crate::error::{Error, Result};
use crate::exact::dot;
use crate::kernels::{BLOCK, Centroids, Tokens};
use crate::matrix::{Document, TokenMatrix};
use buckets::Buckets;
use cluster::Clusters;
use half::f16;
pub(crate) use kmeans::scores_of;
use rayon::prelude::*;

/// Bits for each component of a residual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bits {
    /// 16 bytes for 128 components.
    One,
    /// 32 bytes for 128 components.
    Two,
    /// 64 bytes for 128 components.
    #[default]
    Four,
}

impl Bits {
    /// The number of bits.
    pub fn n(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Four => 4,
        }
    }

    pub(crate) fn from_n(n: u32) -> Option<Self> {
        match n {
            1 => Some(Self::One),
            2 => Some(Self::Two),
            4 => Some(Self::Four),
            _ => None,
        }
    }

    pub(crate) fn block_bytes(self) -> usize {
        BLOCK / 8 * self.n()
    }
}

/// The code of a component; see [`crate::kernels`] for the order.
pub(crate) fn code_at(bits: Bits, token: &[u8], component: usize) -> u8 {
    let (byte, shift) = place(bits, component);
    (token[byte] >> shift) & ((1u16 << bits.n()) - 1) as u8
}

fn place(bits: Bits, component: usize) -> (usize, usize) {
    let (block, inside) = (component / BLOCK, component % BLOCK);
    let first = block * bits.block_bytes();
    match bits {
        Bits::One => (first + inside % 16, inside / 16),
        Bits::Two => (first + inside % 32, inside / 32 * 2),
        Bits::Four => {
            let (half, inside) = (inside / 64, inside % 64);
            (first + 32 * half + inside % 32, inside / 32 * 4)
        }
    }
}

/// What a codec is trained to.
#[derive(Clone, Copy, Debug)]
pub struct Training {
    /// Bits of a residual's component.
    pub bits: Bits,
    /// Tokens that the collection will have; 0 when it is what is given.
    pub n_tokens: u64,
    /// Same seed and same documents, same codec.
    pub seed: u64,
}

impl Default for Training {
    fn default() -> Self {
        Self {
            bits: Bits::default(),
            n_tokens: 0,
            seed: 42,
        }
    }
}

/// A trained codec: an epoch of a shard. Immutable.
#[derive(Clone, Debug)]
pub struct Codec {
    dim: usize,
    bits: Bits,
    clusters: Clusters,
    buckets: Buckets,
    /// Mean length of the residuals of documents that training has not seen.
    residual: f32,
    n_tokens: u64,
    fingerprint: u64,
}

/// A document as the codec has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoded {
    /// Centroid of each token.
    pub(crate) centroids: Vec<u32>,
    /// Codes of each token.
    pub(crate) codes: Vec<u8>,
    /// 1 / norm of each reconstruction, as bits of an f16.
    pub(crate) inverse_norms: Vec<u16>,
    /// Sum of the residuals' lengths.
    pub(crate) residual: u32,
}

impl Encoded {
    /// Tokens.
    pub fn n_tokens(&self) -> usize {
        self.centroids.len()
    }

    pub(crate) fn tokens(&self) -> Tokens<'_> {
        Tokens {
            centroids: Centroids::Wide(&self.centroids),
            inverse_norms: &self.inverse_norms,
        }
    }
}

impl Codec {
    /// Learns centroids by token-aware clustering, and the weights from documents held out of it.
    ///
    /// Every twentieth document is held out (none below twenty). Cost: see the crate's README.
    ///
    /// # Errors
    /// No token at all; documents of different dimensions.
    pub fn train(documents: &[Document<'_>], training: &Training) -> Result<Self> {
        let with_tokens = |document: &&Document<'_>| document.vectors().n_tokens() > 0;
        let given: Vec<&Document<'_>> = documents.iter().filter(with_tokens).collect();
        let dim = given.first().ok_or(Error::NothingToTrain)?.vectors().dim();
        for document in &given {
            check_dim(dim, &document.vectors())?;
        }
        let is_held_out = |at: usize| given.len() >= HOLD_OUT && at % HOLD_OUT == HOLD_OUT - 1;
        let split = |held_out: bool| -> Vec<&Document<'_>> {
            let those = given.iter().enumerate();
            let those = those.filter(|(at, _)| is_held_out(*at) == held_out);
            those.map(|(_, document)| *document).collect()
        };
        let (seen, unseen) = (split(false), split(true));
        let clusters = cluster::train(&seen, dim, training);
        let probe = if unseen.is_empty() { &seen } else { &unseen };
        let (residuals, residual) = residuals(&clusters, probe, dim);
        let n_given: u64 = given
            .iter()
            .map(|document| document.vectors().n_tokens() as u64)
            .sum();
        let mut codec = Self {
            dim,
            bits: training.bits,
            clusters,
            buckets: Buckets::train(residuals, dim, training.bits),
            residual,
            n_tokens: training.n_tokens.max(n_given),
            fingerprint: 0,
        };
        codec.fingerprint = codec.hash();
        Ok(codec)
    }

    /// Components of a vector.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Bits of a component.
    pub fn bits(&self) -> Bits {
        self.bits
    }

    /// Number of centroids.
    pub fn n_centroids(&self) -> usize {
        self.clusters.centroids.len() / self.dim
    }

    /// A hash over everything that changes codes: segments and queries of another codec are refused.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Mean length of the residuals of documents held out of training: what new ones are compared to.
    pub fn held_out_residual(&self) -> f32 {
        self.residual
    }

    /// Tokens that the codec was trained for.
    pub fn trained_for(&self) -> u64 {
        self.n_tokens
    }

    /// Bytes of a token's codes.
    pub fn code_bytes(&self) -> usize {
        self.n_blocks() * self.bits.block_bytes()
    }

    pub(crate) fn n_blocks(&self) -> usize {
        self.dim.div_ceil(BLOCK)
    }

    pub(crate) fn centroids(&self) -> &[f32] {
        &self.clusters.centroids
    }

    pub(crate) fn buckets(&self) -> &Buckets {
        &self.buckets
    }

    /// Codes a document. O(tokens × centroids of each token's word × dim).
    ///
    /// # Errors
    /// Another dimension than the codec's.
    pub fn encode(&self, document: &Document<'_>) -> Result<Encoded> {
        check_dim(self.dim, &document.vectors())?;
        let n_tokens = document.vectors().n_tokens();
        let stride = self.code_bytes();
        let mut encoded = Encoded {
            centroids: Vec::with_capacity(n_tokens),
            codes: vec![0; n_tokens * stride],
            inverse_norms: Vec::with_capacity(n_tokens),
            residual: 0,
        };
        let mut length = 0.0;
        let rows = document.vectors().rows().zip(document.vocab());
        for ((row, word), codes) in rows.zip(encoded.codes.chunks_exact_mut(stride)) {
            let centroid = self.clusters.nearest(*word, row);
            let base = self.clusters.centroid(centroid);
            let (mut norm, mut rest) = (0.0f32, 0.0f32);
            for (component, (x, c)) in row.iter().zip(base).enumerate() {
                let code = self.buckets.code(component, x - c);
                let (byte, shift) = place(self.bits, component);
                codes[byte] |= code << shift;
                norm += (c + self.buckets.value(component, code)).powi(2);
                rest += (x - c).powi(2);
            }
            length += rest.sqrt();
            encoded.centroids.push(centroid);
            encoded.inverse_norms.push(inverse(norm).to_bits());
        }
        encoded.residual = (length * RESIDUAL_UNIT) as u32;
        Ok(encoded)
    }

    /// Codes documents on all cores, in order.
    ///
    /// # Errors
    /// As [`Codec::encode`].
    pub fn encode_all(&self, documents: &[Document<'_>]) -> Result<Vec<Encoded>> {
        let encode = |document| self.encode(document);
        documents.par_iter().map(encode).collect()
    }

    /// The vectors that a coded document stands for, row by row. O(tokens × dim).
    pub fn decode(&self, encoded: &Encoded) -> Vec<f32> {
        self.decode_tokens(encoded.tokens(), &encoded.codes)
    }

    pub(crate) fn decode_tokens(&self, tokens: Tokens<'_>, codes: &[u8]) -> Vec<f32> {
        let mut vectors = Vec::with_capacity(tokens.inverse_norms.len() * self.dim);
        let codes = codes.chunks_exact(self.code_bytes());
        for (at, (norm, codes)) in tokens.inverse_norms.iter().zip(codes).enumerate() {
            let norm = f16::from_bits(*norm).to_f32();
            let base = self
                .clusters
                .centroid(tokens.centroids.get(at) as u32)
                .iter();
            vectors.extend(base.enumerate().map(|(component, c)| {
                let code = code_at(self.bits, codes, component);
                norm * (c + self.buckets.value(component, code))
            }));
        }
        vectors
    }
}

/// One document in so many is held out of clustering.
const HOLD_OUT: usize = 20;
/// Residuals' lengths are summed up in integers, so that sums do not depend on the order.
pub(crate) const RESIDUAL_UNIT: f32 = 1024.0;
/// More tell the weights no better.
const MAX_RESIDUAL_TOKENS: usize = 8192;

fn inverse(squared_norm: f32) -> f16 {
    // A token without direction (all zero) stays what it is.
    match squared_norm > 1e-6 {
        true => f16::from_f32(1.0 / squared_norm.sqrt()),
        false => f16::ONE,
    }
}

/// The residuals' components of some tokens, and the mean length of a residual.
fn residuals(clusters: &Clusters, documents: &[&Document<'_>], dim: usize) -> (Vec<f32>, f32) {
    let all = documents
        .iter()
        .flat_map(|document| document.vectors().rows().zip(document.vocab()));
    let n_all: usize = documents.iter().map(|d| d.vectors().n_tokens()).sum();
    let step = n_all.div_ceil(MAX_RESIDUAL_TOKENS).max(1);
    let mut components = Vec::with_capacity(n_all / step * dim);
    let (mut lengths, mut n) = (0.0, 0);
    for (row, word) in all.step_by(step) {
        let base = clusters.centroid(clusters.nearest(*word, row));
        let before = components.len();
        components.extend(row.iter().zip(base).map(|(x, c)| x - c));
        let rest = &components[before..];
        lengths += dot(rest, rest).sqrt();
        n += 1;
    }
    (components, lengths / n.max(1) as f32)
}

pub(crate) fn check_dim(expected: usize, vectors: &TokenMatrix<'_>) -> Result<()> {
    let found = vectors.dim();
    match found == expected {
        true => Ok(()),
        false => Err(Error::Dimension { expected, found }),
    }
}
