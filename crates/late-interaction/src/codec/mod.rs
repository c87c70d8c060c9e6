//! The residual codec: a token is the number of a centroid, the rest in a few bits, and a norm.
//!
//! `x ≈ (c + s r) / |c + s r|`: `c` is the centroid, `s` a scale, `r` the residual with each component
//! replaced by one of `2^b` weights (after Santhanam et al. 2022, ColBERTv2, which has no scale).
//! Vectors are turned into the residuals' own directions first, and the directions in which residuals
//! and tokens are long have more bits ([`pca_rotation`], [`quantizer`]). Scale and inverse norm are stored:
//! without the one what is far from its centroid is coded as finely as what is near, without the other
//! products are biased, the more the fewer the bits.

mod training;
pub use training::{Bits, Training};

mod cluster;
mod format;
mod kmeans;
mod pca_rotation;
mod quantizer;

use crate::error::{Error, Result};
use crate::exact::dot;
use crate::kernels::{CentroidRows, Centroids, CodeLayout, Planes, Tokens};
use crate::matrix::{Document, TokenMatrix};
use cluster::Clusters;
use half::f16;
use pca_rotation::{Moments, PcaRotation};
use quantizer::Quantizer;
use rayon::prelude::*;

/// A trained codec: an epoch of a shard. Immutable.
#[derive(Clone, Debug)]
pub struct Codec {
    dim: usize,
    bits: Bits,
    rotation: PcaRotation,
    /// Turned.
    clusters: Clusters,
    quantizer: Quantizer,
    /// Returns the mean length of the residuals of documents that training has not seen.
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
    /// Length of each residual times the inverse norm, as bits of an f16.
    pub(crate) scales: Vec<u16>,
    /// Sum of the residuals' lengths.
    pub(crate) residual: u32,
}

impl Encoded {
    /// Returns tokens.
    pub fn n_tokens(&self) -> usize {
        self.centroids.len()
    }

    pub(crate) fn tokens(&self) -> Tokens<'_> {
        Tokens {
            centroids: Centroids::Wide(&self.centroids),
            inverse_norms: &self.inverse_norms,
            scales: &self.scales,
        }
    }
}

impl Codec {
    /// Learns centroids by token-aware clustering, and how residuals lie from documents held out of it.
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
        let mut clusters = cluster::train(&seen, dim, training);
        let probe = if unseen.is_empty() { &seen } else { &unseen };
        let (residuals, residual) = residuals(&clusters, probe, dim);
        let (rotation, spreads, pulls) = PcaRotation::train(&residuals, &moments(&seen, dim));
        clusters.turn(&rotation);
        let n_given: u64 = given
            .iter()
            .map(|document| document.vectors().n_tokens() as u64)
            .sum();
        let mut codec = Self {
            dim,
            bits: training.bits,
            rotation,
            clusters,
            quantizer: Quantizer::train(training.bits, spreads, &pulls),
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

    /// Returns the number of centroids.
    pub fn n_centroids(&self) -> usize {
        self.clusters.centroids.len() / self.dim
    }

    /// Returns a hash over everything that changes codes: segments and queries of another codec are
    /// refused.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Returns the mean length of the residuals of documents held out of training: what new ones are compared to.
    pub fn held_out_residual(&self) -> f32 {
        self.residual
    }

    /// Returns tokens that the codec was trained for.
    pub fn trained_for(&self) -> u64 {
        self.n_tokens
    }

    /// Returns bytes of a token's codes.
    pub fn code_bytes(&self) -> usize {
        self.n_blocks() * self.bits.block_bytes()
    }

    fn n_blocks(&self) -> usize {
        self.quantizer.layout.n_blocks
    }

    pub(crate) fn layout(&self) -> &CodeLayout {
        &self.quantizer.layout
    }

    /// Turned.
    pub(crate) fn centroids(&self) -> CentroidRows<'_> {
        CentroidRows {
            dim: self.dim,
            whole: &self.clusters.whole,
            steps: &self.clusters.steps,
        }
    }

    /// How cells hold codes.
    pub(crate) fn planes(&self) -> &Planes {
        &self.quantizer.planes
    }

    pub(crate) fn quantizer(&self) -> &Quantizer {
        &self.quantizer
    }

    /// Rows as centroids and residuals are turned.
    pub(crate) fn turned(&self, rows: &[f32]) -> Vec<f32> {
        self.rotation.apply(rows)
    }

    /// Codes a document. O(tokens × (centroids of each token's word + dim) × dim).
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
            scales: Vec::with_capacity(n_tokens),
            residual: 0,
        };
        let mut length = 0.0;
        let turned = self.turned(document.vectors().values());
        let rows = turned.chunks_exact(self.dim).zip(document.vocab());
        let (mut rest, mut values) = (vec![0.0; self.dim], vec![0.0; self.dim]);
        for ((row, word), codes) in rows.zip(encoded.codes.chunks_exact_mut(stride)) {
            let centroid = self.clusters.nearest(*word, row);
            let base = self.clusters.centroid(centroid);
            for (rest, (x, c)) in rest.iter_mut().zip(row.iter().zip(base)) {
                *rest = x - c;
            }
            length += dot(&rest, &rest).sqrt();
            let in_spreads = self.in_spreads(&rest);
            self.encode_rest((&rest, in_spreads), codes, &mut values);
            let (norm, scale) = fit(base, &rest, &values);
            encoded.centroids.push(centroid);
            encoded.inverse_norms.push(norm.to_bits());
            encoded.scales.push(scale.to_bits());
        }
        encoded.residual = (length * RESIDUAL_UNIT) as u32;
        Ok(encoded)
    }

    /// How long a residual is where each component is measured by its spread.
    fn in_spreads(&self, rest: &[f32]) -> f32 {
        let in_spreads = rest.iter().zip(&self.quantizer.spreads);
        let squares: f32 = in_spreads.map(|(x, spread)| (x / spread).powi(2)).sum();
        (squares / self.dim as f32).sqrt().max(1e-6)
    }

    /// Writes the codes of a residual that is `length` spreads long, and what they represent.
    fn encode_rest(&self, (rest, length): (&[f32], f32), codes: &mut [u8], values: &mut [f32]) {
        for (component, (x, value)) in rest.iter().zip(values).enumerate() {
            let code = self.quantizer.code(component, x / length);
            *value = self.quantizer.value(component, code);
            self.quantizer.layout.put(codes, component, code);
        }
    }

    /// Codes documents on all cores, in order.
    ///
    /// # Errors
    /// As [`Codec::encode`].
    pub fn encode_all(&self, documents: &[Document<'_>]) -> Result<Vec<Encoded>> {
        let encode = |document| self.encode(document);
        documents.par_iter().map(encode).collect()
    }

    /// Decodes the vectors of a coded document, row by row. O(tokens × dim).
    pub fn decode(&self, encoded: &Encoded) -> Vec<f32> {
        self.decode_tokens(encoded.tokens(), &encoded.codes)
    }

    pub(crate) fn decode_tokens(&self, tokens: Tokens<'_>, codes: &[u8]) -> Vec<f32> {
        let mut vectors = Vec::with_capacity(tokens.inverse_norms.len() * self.dim);
        let layout = &self.quantizer.layout;
        let mut by_slot = Vec::new();
        for (at, codes) in codes.chunks_exact(self.code_bytes()).enumerate() {
            by_slot.clear();
            let blocks = codes.chunks_exact(layout.block_bytes());
            by_slot.extend(blocks.flat_map(|block| layout.codes(block)));
            let (norm, scale) = (tokens.inverse_norm(at), tokens.scale(at));
            let base = self.clusters.centroid(tokens.centroids.get(at) as u32);
            vectors.extend(base.iter().enumerate().map(|(component, c)| {
                let code = by_slot[layout.slot(component)];
                norm * c + scale * self.quantizer.value(component, code)
            }));
        }
        self.rotation.undo(&vectors)
    }
}

/// One document in so many is held out of clustering.
const HOLD_OUT: usize = 20;
/// Residuals' lengths are summed up in integers, so that sums do not depend on the order.
pub(crate) const RESIDUAL_UNIT: f32 = 1024.0;
/// More tell the directions no better.
const MAX_RESIDUAL_TOKENS: usize = 8192;

/// The inverse norm of what a centroid and a coded residual make, and the residual's scale times it.
fn fit(base: &[f32], rest: &[f32], values: &[f32]) -> (f16, f16) {
    let (mut with_rest, mut with_base, mut own) = (0.0f32, 0.0f32, 0.0f32);
    for ((x, c), value) in rest.iter().zip(base).zip(values) {
        with_rest += x * value;
        with_base += c * value;
        own += value * value;
    }
    // Least squares for these codes.
    let scale = if own > 0.0 {
        (with_rest / own).max(0.0)
    } else {
        0.0
    };
    let norm = dot(base, base) + 2.0 * scale * with_base + scale * scale * own;
    let inverse = inverse(norm);
    (inverse, f16::from_f32(scale * inverse.to_f32()))
}

fn inverse(squared_norm: f32) -> f16 {
    // A token without direction (all zero) stays what it is.
    if squared_norm > 1e-6 {
        f16::from_f32(1.0 / squared_norm.sqrt())
    } else {
        f16::ONE
    }
}

/// How the residuals of some tokens lie, and their mean length.
fn residuals(clusters: &Clusters, documents: &[&Document<'_>], dim: usize) -> (Moments, f32) {
    let mut moments = Moments::new(dim);
    let (mut lengths, mut n) = (0.0, 0);
    let mut rest = vec![0.0; dim];
    for (row, word) in some_tokens(documents) {
        let base = clusters.centroid(clusters.nearest(word, row));
        for (rest, (x, c)) in rest.iter_mut().zip(row.iter().zip(base)) {
            *rest = x - c;
        }
        lengths += dot(&rest, &rest).sqrt();
        moments.add(&rest);
        n += 1;
    }
    (moments, lengths / n.max(1) as f32)
}

fn moments(documents: &[&Document<'_>], dim: usize) -> Moments {
    let mut moments = Moments::new(dim);
    some_tokens(documents).for_each(|(row, _)| moments.add(row));
    moments
}

fn some_tokens<'a>(documents: &[&'a Document<'a>]) -> impl Iterator<Item = (&'a [f32], u32)> {
    let n_all: usize = documents.iter().map(|d| d.vectors().n_tokens()).sum();
    let step = n_all.div_ceil(MAX_RESIDUAL_TOKENS).max(1);
    let all = documents.iter().flat_map(|document| {
        let words = document.vocab().iter().copied();
        document.vectors().rows().zip(words)
    });
    all.step_by(step)
}

pub(crate) fn check_dim(expected: usize, vectors: &TokenMatrix<'_>) -> Result<()> {
    let found = vectors.dim();
    if found == expected {
        Ok(())
    } else {
        Err(Error::Dimension { expected, found })
    }
}
