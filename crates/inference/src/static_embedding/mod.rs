//! Static embeddings: each word has a vector of its own, and a text is their weighted sum (model2vec,
//! van Dongen and Tulkens 2024, trained here for code: `models/static`). Thousands of chunks a second,
//! no download; what a word means does not depend on its neighbours.

mod table;
mod words;

use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};

use crate::encoder::{EncoderSpec, Pooling, to_unit_length};
use crate::normalize::Normalization;
use table::{Count, StaticToken, Table};

/// How texts are read and summed; part of the fingerprint.
const VERSION: u32 = 1;

/// Looks words up and sums their vectors.
pub struct StaticEncoder {
    table: Table,
    spec: EncoderSpec,
}

impl StaticEncoder {
    /// Returns the one that is part of this program; an error says why it cannot be used. Reads it once.
    pub fn builtin() -> Result<Arc<Self>, String> {
        static ENCODER: OnceLock<Result<Arc<StaticEncoder>, String>> = OnceLock::new();
        let read = || Self::read(crate::bundled::STATIC_TABLE).map(Arc::new);
        ENCODER.get_or_init(read).clone()
    }

    /// Reads a table of `models/static`.
    ///
    /// # Errors
    /// What does not fit, in words.
    pub fn read(bytes: &'static [u8]) -> Result<Self, String> {
        let table = Table::read(bytes)?;
        let mut spec = EncoderSpec {
            name: "static".into(),
            dim: table.dim,
            max_tokens: usize::MAX,
            max_query_tokens: usize::MAX,
            pooling: Pooling::Mean,
            query_prefix: String::new(),
            document_prefix: String::new(),
            normalization: Normalization::default(),
            fingerprint: String::new(),
        };
        let weights = hex::encode(Sha256::digest(bytes));
        spec.fingerprint = spec.fingerprint_of(&weights, &format!("static words {VERSION}"));
        Ok(Self { table, spec })
    }

    /// Returns what its vectors depend on.
    #[must_use]
    pub fn spec(&self) -> &EncoderSpec {
        &self.spec
    }

    /// Returns the vector of a document: `[dim]`, unit length. All zero where it has no word. `name` is
    /// empty for what has none, and is not part of `body`. O(words · dim).
    #[must_use]
    pub fn document(&self, name: &str, body: &str) -> Vec<f32> {
        let table = &self.table;
        let mut vector = vec![0.0; table.dim];
        for (text, factor) in [(name, table.name_factor), (body, 1.0)] {
            self.add_text(
                text,
                factor,
                |token| table.document_weight(token),
                &mut vector,
            );
        }
        to_unit_length(&mut vector);
        vector
    }

    /// Returns the vector of a query: `[dim]`, unit length; `None` where the table knows no word of it.
    /// What it does not know is near to its own letters alone, which full text finds.
    #[must_use]
    pub fn query(&self, text: &str) -> Option<Vec<f32>> {
        let mut is_known = false;
        for_each_small_word(text, &mut |word| is_known |= self.table.knows(word));
        let mut vector = vec![0.0; self.table.dim];
        self.add_text(
            text,
            1.0,
            |token| self.table.query_weight(token),
            &mut vector,
        );
        to_unit_length(&mut vector);
        is_known.then_some(vector)
    }

    /// Into how many words and pieces of words a query is cut.
    #[must_use]
    pub fn n_pieces(&self, text: &str) -> usize {
        let mut n = 0;
        self.for_each_token(text, &mut |_| n += 1);
        n
    }

    fn add_text(
        &self,
        text: &str,
        factor: f32,
        weight: impl Fn(StaticToken) -> f32,
        sum: &mut [f32],
    ) {
        let mut tokens: Vec<StaticToken> = Vec::with_capacity(text.len() / 8);
        self.for_each_token(text, &mut |token| tokens.push(token));
        tokens.sort_unstable();
        for same in tokens.chunk_by(|a, b| a == b) {
            let n = same.len() as f32;
            let count = match self.table.count {
                Count::Linear => n,
                Count::Root => n.sqrt(),
                Count::Log => 1.0 + n.ln(),
            };
            let amount = factor * count * weight(same[0]);
            self.table.add(same[0], amount, sum);
        }
    }

    /// Calls `emit` with each token of a text.
    fn for_each_token(&self, text: &str, emit: &mut impl FnMut(StaticToken)) {
        for_each_small_word(text, &mut |word| self.table.look_up(word, emit));
    }
}

/// Calls `emit` with each word of a text in small letters.
fn for_each_small_word(text: &str, emit: &mut impl FnMut(&str)) {
    let mut small = String::with_capacity(32);
    words::for_each_word(text, &mut |_, word| {
        small.clear();
        if word.is_ascii() {
            small.extend(word.bytes().map(|byte| byte.to_ascii_lowercase() as char));
        } else {
            small.extend(word.chars().flat_map(char::to_lowercase));
        }
        emit(&small);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts with their tokens and the first components of their vectors, by `models/static/words.py`.
    const CHECK: &str = include_str!("../../../../models/static/check.json");

    #[test]
    fn vectors_are_those_that_were_trained() {
        let encoder = StaticEncoder::builtin().expect("a table");
        let texts: Vec<serde_json::Value> = serde_json::from_str(CHECK).expect("JSON");
        assert!(texts.len() >= 10);
        for check in texts {
            let text = check["text"].as_str().expect("a text");
            let text = &text[..text.floor_char_boundary(2_000)];
            let vector = match check["kind"].as_str() {
                Some("query") => encoder.query(text).unwrap_or_else(|| vec![0.0; 8]),
                _ => {
                    let (name, body) = text.split_once('\n').unwrap_or((text, ""));
                    encoder.document(name, body)
                }
            };
            for (at, expected) in check["vector"]
                .as_array()
                .expect("numbers")
                .iter()
                .enumerate()
            {
                let off = f64::from(vector[at]) - expected.as_f64().expect("a number");
                assert!(off.abs() < 1e-3, "{text:?}: component {at} is off by {off}");
            }
        }
    }

    #[test]
    fn letters_at_random_are_no_query() {
        let encoder = StaticEncoder::builtin().expect("a table");
        for text in ["zyxwvutsrq", "zzzqqqxyz", "最短路径", "?!", ""] {
            assert_eq!(encoder.query(text), None, "{text}");
        }
        for text in ["retry", "urlencode", "zyxwvutsrq parser", "x"] {
            assert!(encoder.query(text).is_some(), "{text}");
        }
    }
}
