//! The table: a vector and two weights for each word, and what an unknown word gets instead.

use rustc_hash::FxHashMap;
use safetensors::SafeTensors;

use super::words::MAX_WORD_CHARS;

/// Shorter pieces of a word say nothing of it.
const MIN_PIECE_CHARS: usize = 3;
/// Pieces of fewer bytes are in any letters at random.
const LEAST_TELLING: usize = 4;
/// Endings that may be the last piece.
const SUFFIXES: [&str; 6] = ["s", "es", "ed", "er", "ing", "ly"];

/// A word as the table knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum StaticToken {
    /// A row of the table.
    Row(u32),
    /// A word that it lacks, by its hash: a direction of its own.
    Unknown(u64),
}

/// How a word that stands several times in a text counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Linear,
    Root,
    Log,
}

pub(super) struct Table {
    pub(super) dim: usize,
    /// Two components a byte, the first in its low half, each by 8 more than it is.
    rows: &'static [u8],
    at: FxHashMap<&'static str, u32>,
    /// Bytes of the word of each row.
    lengths: Vec<u8>,
    query_weights: Vec<f32>,
    document_weights: Vec<f32>,
    unknown_query_weight: f32,
    unknown_document_weight: f32,
    pub(super) count: Count,
    pub(super) name_factor: f32,
}

impl Table {
    /// Reads a table; the error says what does not fit.
    pub(super) fn read(bytes: &'static [u8]) -> Result<Self, String> {
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| error.to_string())?;
        let figures = header.metadata().clone().unwrap_or_default();
        let figure = |name: &str| {
            let text = figures.get(name).ok_or(format!("no {name}"))?;
            text.parse::<f32>().map_err(|_| format!("{name} is {text}"))
        };
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
        let tensor = |name: &str| tensors.tensor(name).map_err(|error| error.to_string());
        let (rows, words) = (tensor("embeddings")?, tensor("words")?);
        let &[n_rows, half] = rows.shape() else {
            return Err("the embeddings are no table".to_owned());
        };
        let dim = 2 * half;
        let words = offset_in(bytes, words.data());
        let words = std::str::from_utf8(words).map_err(|error| error.to_string())?;
        let at: FxHashMap<&str, u32> = words.split('\n').zip(0..).collect();
        let length = |word: &str| word.len().min(usize::from(u8::MAX)) as u8;
        let weights = |name: &str| -> Result<Vec<f32>, String> {
            let chunks = tensor(name)?.data().as_chunks::<4>().0.to_vec();
            let weights: Vec<f32> = chunks.into_iter().map(f32::from_le_bytes).collect();
            let fits = weights.len() == n_rows && weights.iter().all(|weight| weight.is_finite());
            fits.then_some(weights).ok_or(format!("{name} do not fit"))
        };
        if at.len() != n_rows || dim == 0 || rows.data().len() != n_rows * half {
            return Err(format!("{} words for {n_rows} rows", at.len()));
        }
        Ok(Self {
            dim,
            query_weights: weights("query_weights")?,
            document_weights: weights("document_weights")?,
            unknown_query_weight: figure("unknown_query_weight")?,
            unknown_document_weight: figure("unknown_document_weight")?,
            name_factor: figure("name_factor")?,
            count: match figures.get("count").map(String::as_str) {
                Some("linear") => Count::Linear,
                Some("sqrt") => Count::Root,
                Some("log") => Count::Log,
                other => return Err(format!("words count by {other:?}")),
            },
            lengths: words.split('\n').map(length).collect(),
            rows: offset_in(bytes, rows.data()),
            at,
        })
    }

    /// Calls `emit` with what the table has for a word in small letters.
    pub(super) fn look_up(&self, word: &str, emit: &mut impl FnMut(StaticToken)) {
        if let Some(row) = self.at.get(word) {
            return emit(StaticToken::Row(*row));
        }
        if word.chars().count() > MAX_WORD_CHARS {
            return;
        }
        match self.pieces(word) {
            Some(pieces) => pieces
                .into_iter()
                .flatten()
                .for_each(|row| emit(StaticToken::Row(row))),
            None => emit(StaticToken::Unknown(fnv1a(word.as_bytes()))),
        }
    }

    /// Whether a word in small letters is in the table, or put together from what says something.
    pub(super) fn knows(&self, word: &str) -> bool {
        let says = |row: u32| usize::from(self.lengths[row as usize]) >= LEAST_TELLING;
        self.at.contains_key(word)
            || self
                .pieces(word)
                .is_some_and(|pieces| pieces.into_iter().flatten().any(says))
    }

    /// The fewest known words that a word is put together from, at most three, the first as long as
    /// possible.
    fn pieces(&self, word: &str) -> Option<[Option<u32>; 3]> {
        let cuts: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        let n_chars = cuts.len();
        if n_chars <= MIN_PIECE_CHARS {
            return None;
        }
        // Ends of first pieces, longest first.
        let ends = |from: usize| (from + MIN_PIECE_CHARS..n_chars).rev();
        let known = |from: usize, to: usize| self.at.get(&word[cuts[from]..cuts[to]]).copied();
        let last = |from: usize| {
            let piece = &word[cuts[from]..];
            let fits = n_chars - from >= MIN_PIECE_CHARS || SUFFIXES.contains(&piece);
            fits.then(|| self.at.get(piece).copied()).flatten()
        };
        let firsts: Vec<(usize, u32)> = ends(0)
            .filter_map(|end| Some((end, known(0, end)?)))
            .collect();
        let two = firsts
            .iter()
            .find_map(|(end, first)| Some([Some(*first), Some(last(*end)?), None]));
        two.or_else(|| {
            firsts.iter().find_map(|(from, first)| {
                ends(*from).find_map(|end| {
                    let second = known(*from, end)?;
                    Some([Some(*first), Some(second), Some(last(end)?)])
                })
            })
        })
    }

    /// What a token counts for in a query.
    pub(super) fn query_weight(&self, token: StaticToken) -> f32 {
        match token {
            StaticToken::Row(row) => self.query_weights[row as usize],
            StaticToken::Unknown(_) => self.unknown_query_weight,
        }
    }

    /// What a token counts for in a document.
    pub(super) fn document_weight(&self, token: StaticToken) -> f32 {
        match token {
            StaticToken::Row(row) => self.document_weights[row as usize],
            StaticToken::Unknown(_) => self.unknown_document_weight,
        }
    }

    /// Adds a token's vector, times a weight.
    pub(super) fn add(&self, token: StaticToken, weight: f32, sum: &mut [f32]) {
        match token {
            StaticToken::Row(row) => {
                let half = self.dim / 2;
                let row = &self.rows[row as usize * half..][..half];
                for (sums, both) in sum.as_chunks_mut::<2>().0.iter_mut().zip(row) {
                    sums[0] += weight * (f32::from(both & 15) - 8.0);
                    sums[1] += weight * (f32::from(both >> 4) - 8.0);
                }
            }
            StaticToken::Unknown(hash) => {
                let amount = weight / (self.dim as f32).sqrt();
                let mut state = hash;
                for block in sum.chunks_mut(64) {
                    let bits = splitmix64(&mut state);
                    for (at, sum) in block.iter_mut().enumerate() {
                        *sum += if bits >> at & 1 == 1 { amount } else { -amount };
                    }
                }
            }
        }
    }
}

/// The same bytes with the lifetime of the file that they are a part of.
fn offset_in(file: &'static [u8], part: &[u8]) -> &'static [u8] {
    let start = part.as_ptr() as usize - file.as_ptr() as usize;
    &file[start..start + part.len()]
}

/// FNV-1a (Fowler, Noll, Vo).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// The next 64 bits of a stream (Steele, Lea, Flood 2014).
fn splitmix64(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut bits = *state;
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
