//! A codec as bytes.
//!
//! Little-endian, in this order:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `WRLICDC4` |
//! | 4 | components of a vector `d` |
//! | 4 | bits of a residual's component |
//! | 4 | number of words `w` |
//! | 4 | number of centroids `c` |
//! | 4 | 1: vectors are rotated; 0: they are not |
//! | 4 | mean held-out residual, f32 |
//! | 8 | tokens trained for |
//! | 4 | bits of the components of each of four groups |
//! | 4 | bits of them in cells: 0, 1, 2 or 4 |
//! | 4 d | spread of each component, f32 |
//! | 2 d² | rows of the matrix that turns, f16; nothing where vectors are not turned |
//! | 8 w | words: id, first centroid; ascending |
//! | 4 c | step of each centroid, f32 |
//! | c d | centroids, turned, in steps, i8 |
//! | 4 | CRC-32 (IEEE) of all before |

use super::quantizer::IN_CELLS;
use super::training::Bits;
use super::{Clusters, Codec, PcaRotation, Quantizer};
use crate::MAX_DIM;
use crate::error::{Error, Result};
use crate::kernels::{GROUPS, MAX_BITS};
use half::f16;
use std::path::Path;

const MAGIC: &[u8; 8] = b"WRLICDC4";
const TURNED: u32 = 1;
const HEAD: usize = 8 + 6 * 4 + 8 + 2 * GROUPS;

impl Codec {
    /// Returns the codec as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.body();
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    fn body(&self) -> Vec<u8> {
        let clusters = &self.clusters;
        let mut bytes =
            Vec::with_capacity(HEAD + 8 * clusters.words.len() + clusters.centroids.len());
        bytes.extend(MAGIC);
        let counts = [
            self.dim as u32,
            self.bits.n() as u32,
            clusters.words.len() as u32,
            self.n_centroids() as u32,
            u32::from(!self.rotation.rows.is_empty()) * TURNED,
            self.residual.to_bits(),
        ];
        counts
            .iter()
            .for_each(|count| bytes.extend(count.to_le_bytes()));
        bytes.extend(self.n_tokens.to_le_bytes());
        bytes.extend(self.quantizer.layout.bits);
        bytes.extend(self.quantizer.planes.bits);
        for spread in &self.quantizer.spreads {
            bytes.extend(spread.to_le_bytes());
        }
        for component in &self.rotation.rows {
            bytes.extend(f16::from_f32(*component).to_le_bytes());
        }
        for (word, first) in &clusters.words {
            bytes.extend(word.to_le_bytes());
            bytes.extend(first.to_le_bytes());
        }
        for step in &clusters.steps {
            bytes.extend(step.to_le_bytes());
        }
        bytes.extend(clusters.whole.iter().map(|x| x.cast_unsigned()));
        bytes
    }

    /// Two independent CRCs of the bytes.
    pub(super) fn hash(&self) -> u64 {
        let body = self.body();
        let low = crc32fast::hash(&body);
        let mut other = crc32fast::Hasher::new_with_initial(!low);
        other.update(&body);
        u64::from(other.finalize()) << 32 | u64::from(low)
    }

    /// Reads a codec; `path` is named in errors.
    ///
    /// # Errors
    /// Bytes that are cut short, changed, or of another format.
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        let broken = |why: &str| Error::damaged(path, why);
        if !bytes.starts_with(MAGIC) {
            return Err(broken("not a codec of format 4"));
        }
        let (body, crc) = bytes
            .split_at_checked(bytes.len() - 4)
            .ok_or_else(|| broken("cut short"))?;
        if body.len() < HEAD || crc32fast::hash(body).to_le_bytes() != crc {
            return Err(broken("the checksum does not fit: cut short or changed"));
        }
        let u32_at =
            |at: usize| u32::from_le_bytes([body[at], body[at + 1], body[at + 2], body[at + 3]]);
        let [dim, bits, n_words, n_centroids, flags, residual] =
            [8, 12, 16, 20, 24, 28].map(u32_at);
        let (dim, n_words, n_centroids) = (dim as usize, n_words as usize, n_centroids as usize);
        let bits = Bits::from_n(bits).ok_or_else(|| broken("unknown number of bits"))?;
        if !(1..=MAX_DIM).contains(&dim) {
            return Err(broken("an impossible number of components"));
        }
        if flags > TURNED {
            return Err(broken("of another version: not plain codes"));
        }
        let group = |at: usize| body[HEAD - 2 * GROUPS + at];
        let shares: [u8; GROUPS] = std::array::from_fn(group);
        let cell_shares: [u8; GROUPS] = std::array::from_fn(|at| group(GROUPS + at));
        if !fits(bits, &shares, &cell_shares) {
            return Err(broken("its groups have other bits than it says"));
        }
        let rotation_at = HEAD + 4 * dim;
        let words_at = rotation_at + if flags & TURNED > 0 { 2 * dim * dim } else { 0 };
        let steps_at = words_at.saturating_add(n_words.saturating_mul(8));
        let centroids_at = steps_at.saturating_add(n_centroids.saturating_mul(4));
        if centroids_at.saturating_add(n_centroids.saturating_mul(dim)) != body.len() {
            return Err(broken("its parts do not fill it"));
        }
        let words: Vec<(u32, u32)> = (words_at..steps_at)
            .step_by(8)
            .map(|at| (u32_at(at), u32_at(at + 4)))
            .collect();
        let rising = words.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1);
        let last = words.last().map_or(0, |last| last.1 as usize);
        if !rising || last >= n_centroids || words.first().is_none_or(|first| first.1 != 0) {
            return Err(broken("its words are not in order"));
        }
        let float = |at: usize| f32::from_bits(u32_at(at));
        let floats =
            |from: usize, to: usize| -> Vec<f32> { (from..to).step_by(4).map(float).collect() };
        let halves = body[rotation_at..words_at].chunks_exact(2);
        let rows = halves.map(|half| f16::from_le_bytes([half[0], half[1]]).to_f32());
        let steps = floats(steps_at, centroids_at);
        let whole: Vec<i8> = body[centroids_at..]
            .iter()
            .map(|byte| byte.cast_signed())
            .collect();
        let centroids = whole.chunks_exact(dim).zip(&steps);
        let component = |byte: &i8, step: f32| f32::from(*byte) * step;
        let mut codec = Self {
            dim,
            bits,
            rotation: PcaRotation::new(dim, rows.collect()),
            clusters: Clusters {
                dim,
                centroids: centroids
                    .flat_map(|(row, step)| row.iter().map(|byte| component(byte, *step)))
                    .collect(),
                words,
                whole,
                steps,
            },
            quantizer: Quantizer::new(shares, cell_shares, floats(HEAD, rotation_at)),
            residual: f32::from_bits(residual),
            n_tokens: u64::from(u32_at(32)) | u64::from(u32_at(36)) << 32,
            fingerprint: 0,
        };
        codec.fingerprint = codec.hash();
        Ok(codec)
    }
}

fn fits(bits: Bits, shares: &[u8; GROUPS], cell_shares: &[u8; GROUPS]) -> bool {
    let n_bits: u32 = shares.iter().map(|share| u32::from(*share)).sum();
    n_bits == u32::from(bits.of_groups())
        && shares.iter().all(|share| *share <= MAX_BITS)
        && cell_shares.iter().all(|share| IN_CELLS.contains(share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::Training;
    use crate::matrix::{Document, TokenMatrix};

    #[test]
    fn codes_along_a_trellis_are_refused() {
        let values: Vec<f32> = (0..8 * 8).map(|at| (at as f32).sin()).collect();
        let document = Document::new(TokenMatrix::new(8, &values).unwrap(), &[0; 8]).unwrap();
        let mut bytes = Codec::train(&[document], &Training::default())
            .unwrap()
            .to_bytes();
        bytes[24] += 2;
        let end = bytes.len() - 4;
        let crc = crc32fast::hash(&bytes[..end]).to_le_bytes();
        bytes[end..].copy_from_slice(&crc);
        let error = Codec::from_bytes(&bytes, Path::new("x")).unwrap_err();
        assert!(error.to_string().contains("of another version"), "{error}");
    }
}
