//! A codec as bytes.
//!
//! Little-endian, in this order:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `WRLICDC1` |
//! | 4 | components of a vector |
//! | 4 | bits of a residual's component |
//! | 4 | number of words `w` |
//! | 4 | number of centroids `c` |
//! | 4 | 0 |
//! | 4 | mean held-out residual, f32 |
//! | 8 | tokens trained for |
//! | 4, 4 | lowest weight and step, f32 |
//! | 16 | level of each code |
//! | 4 × components | spread of each component, f32 |
//! | 8 w | words: id, first centroid; ascending |
//! | 2 c × components | centroids, f16 |
//! | 4 | CRC-32 (IEEE) of all before |

use super::{Bits, Buckets, Clusters, Codec};
use crate::MAX_DIM;
use crate::error::{Error, Result};
use crate::kernels::MAX_LEVEL;
use half::f16;
use std::path::Path;

const MAGIC: &[u8; 8] = b"WRLICDC1";
const HEAD: usize = 8 + 6 * 4 + 8 + 2 * 4 + 16;

impl Codec {
    /// The codec as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.body();
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    fn body(&self) -> Vec<u8> {
        let clusters = &self.clusters;
        let mut bytes =
            Vec::with_capacity(HEAD + 8 * clusters.words.len() + 2 * clusters.centroids.len());
        bytes.extend(MAGIC);
        let counts = [
            self.dim as u32,
            self.bits.n() as u32,
            clusters.words.len() as u32,
            self.n_centroids() as u32,
            0,
            self.residual.to_bits(),
        ];
        counts
            .iter()
            .for_each(|count| bytes.extend(count.to_le_bytes()));
        bytes.extend(self.n_tokens.to_le_bytes());
        bytes.extend(self.buckets.low.to_le_bytes());
        bytes.extend(self.buckets.step.to_le_bytes());
        bytes.extend(self.buckets.levels);
        for spread in &self.buckets.spreads {
            bytes.extend(spread.to_le_bytes());
        }
        for (word, first) in &clusters.words {
            bytes.extend(word.to_le_bytes());
            bytes.extend(first.to_le_bytes());
        }
        for component in &clusters.centroids {
            bytes.extend(f16::from_f32(*component).to_le_bytes());
        }
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
            return Err(broken("not a codec of format 1"));
        }
        let (body, crc) = bytes
            .split_at_checked(bytes.len() - 4)
            .ok_or_else(|| broken("cut short"))?;
        if body.len() < HEAD || crc32fast::hash(body).to_le_bytes() != crc {
            return Err(broken("the checksum does not fit: cut short or changed"));
        }
        let u32_at =
            |at: usize| u32::from_le_bytes([body[at], body[at + 1], body[at + 2], body[at + 3]]);
        let [dim, bits, n_words, n_centroids, residual] = [8, 12, 16, 20, 28].map(u32_at);
        let (dim, n_words, n_centroids) = (dim as usize, n_words as usize, n_centroids as usize);
        let bits = Bits::from_n(bits).ok_or_else(|| broken("unknown number of bits"))?;
        if !(1..=MAX_DIM).contains(&dim) {
            return Err(broken("an impossible number of components"));
        }
        let words_at = HEAD + 4 * dim;
        let centroids_at = words_at + 8 * n_words;
        let is_whole = centroids_at <= body.len()
            && n_centroids
                .checked_mul(2 * dim)
                .and_then(|n| n.checked_add(centroids_at))
                == Some(body.len());
        let word = |at: usize| (u32_at(words_at + 8 * at), u32_at(words_at + 8 * at + 4));
        let words: Vec<(u32, u32)> = match is_whole {
            true => (0..n_words).map(word).collect(),
            false => return Err(broken("its parts do not fill it")),
        };
        let rising = words.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1);
        let last = words.last().map_or(0, |last| last.1 as usize);
        if !rising || last >= n_centroids || words.first().is_none_or(|first| first.1 != 0) {
            return Err(broken("its words are not in order"));
        }
        let mut levels = [0; 16];
        levels.copy_from_slice(&body[HEAD - 16..HEAD]);
        if levels.iter().any(|level| *level > MAX_LEVEL) {
            return Err(broken("a level is above 64"));
        }
        let halves = body[centroids_at..].chunks_exact(2);
        let mut codec = Self {
            dim,
            bits,
            clusters: Clusters {
                dim,
                centroids: halves
                    .map(|half| f16::from_le_bytes([half[0], half[1]]).to_f32())
                    .collect(),
                words,
            },
            buckets: Buckets::new(
                (
                    bits,
                    (0..dim)
                        .map(|at| f32::from_bits(u32_at(HEAD + 4 * at)))
                        .collect(),
                ),
                f32::from_bits(u32_at(40)),
                f32::from_bits(u32_at(44)),
                levels,
            ),
            residual: f32::from_bits(residual),
            n_tokens: u64::from(u32_at(32)) | u64::from(u32_at(36)) << 32,
            fingerprint: 0,
        };
        codec.fingerprint = codec.hash();
        Ok(codec)
    }
}
