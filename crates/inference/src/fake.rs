//! A bi-encoder without weights, for tests: texts that share words get similar vectors.

use crate::encoder::{BiEncoder, EncoderSpec, Pooling, QueryKind, to_unit_length};
use crate::error::InferenceError;
use crate::normalize::Normalization;
use crate::tokens::{DocumentStates, QueryStates, TokenEncoder, TokenSpec, TokenStates};

/// Deterministic bag of hashed words: each word adds a fixed pseudo-random vector of ±1.
///
/// Words are runs of letters and digits, split at camel-case edges, lower-cased. Same vectors on
/// every machine and in every version of this type.
#[derive(Debug, Clone)]
pub struct FakeBiEncoder {
    spec: EncoderSpec,
    token_spec: TokenSpec,
}

impl FakeBiEncoder {
    /// Returns a fake of `dim` components; 64 and more keep unrelated texts apart.
    #[must_use]
    pub fn new(dim: usize) -> Self {
        let mut spec = EncoderSpec {
            name: "fake".into(),
            dim,
            max_tokens: 256,
            max_query_tokens: 256,
            pooling: Pooling::Mean,
            query_prefix: String::new(),
            document_prefix: String::new(),
            normalization: Normalization::default(),
            fingerprint: String::new(),
        };
        spec.fingerprint = spec.fingerprint_of("fake", "fake");
        let token_spec = TokenSpec {
            name: spec.name.clone(),
            dim,
            max_tokens: spec.max_tokens,
            max_query_tokens: spec.max_query_tokens,
            fingerprint: TokenSpec::fingerprint_of(&spec.fingerprint, "fake"),
            pooled_as: spec.fingerprint.clone(),
        };
        Self { spec, token_spec }
    }

    fn tokens(&self, text: &str) -> TokenStates {
        let dim = self.token_spec.dim;
        let mut tokens = TokenStates {
            dim,
            ..TokenStates::default()
        };
        for (start, word) in words_at(text).take(self.token_spec.max_tokens) {
            let word_text = word.to_lowercase();
            let mut vector = vec![0.0; dim];
            add_word(&mut vector, &word_text);
            to_unit_length(&mut vector);
            tokens.vectors.extend(vector);
            tokens
                .token_ids
                .push(fnv1a(word_text.as_bytes()) as u32 % 30_000);
            tokens
                .spans
                .push((start as u32, (start + word.len()) as u32));
        }
        tokens
    }

    fn encode(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; self.spec.dim];
        for word in words(text).take(self.spec.max_tokens) {
            add_word(&mut vector, &word);
        }
        to_unit_length(&mut vector);
        vector
    }
}

impl Default for FakeBiEncoder {
    fn default() -> Self {
        Self::new(64)
    }
}

impl BiEncoder for FakeBiEncoder {
    fn spec(&self) -> &EncoderSpec {
        &self.spec
    }

    fn encode_documents(
        &self,
        texts: &[&str],
        cancel: &dyn Fn() -> bool,
    ) -> Result<Vec<Vec<f32>>, InferenceError> {
        texts
            .iter()
            .map(|text| {
                if cancel() {
                    Err(InferenceError::Cancelled)
                } else {
                    Ok(self.encode(text))
                }
            })
            .collect()
    }

    fn encode_query(&self, text: &str, _kind: QueryKind) -> Result<Vec<f32>, InferenceError> {
        Ok(self.encode(text))
    }
}

/// Token vectors are the words' own: equal words have a product of 1, others nearly none.
impl TokenEncoder for FakeBiEncoder {
    fn token_spec(&self) -> &TokenSpec {
        &self.token_spec
    }

    fn encode_document_tokens(
        &self,
        texts: &[&str],
        cancel: &dyn Fn() -> bool,
    ) -> Result<Vec<DocumentStates>, InferenceError> {
        let pooled = self.encode_documents(texts, cancel)?;
        let documents = texts.iter().zip(pooled);
        Ok(documents
            .map(|(text, pooled)| DocumentStates {
                pooled,
                tokens: self.tokens(text),
            })
            .collect())
    }

    fn encode_query_tokens(
        &self,
        text: &str,
        _kind: QueryKind,
    ) -> Result<QueryStates, InferenceError> {
        Ok(QueryStates {
            pooled: self.encode(text),
            tokens: self.tokens(text),
        })
    }
}

pub(crate) fn words(text: &str) -> impl Iterator<Item = String> {
    words_at(text).map(|(_, word)| word.to_lowercase())
}

/// Words with the byte at which each begins.
fn words_at(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let runs = text.split(|c: char| !c.is_alphanumeric());
    runs.flat_map(split_camel)
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

fn split_camel(run: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut was_lower = false;
    for (at, c) in run.char_indices() {
        if was_lower && c.is_uppercase() {
            words.push(&run[start..at]);
            start = at;
        }
        was_lower = c.is_lowercase() || c.is_numeric();
    }
    if start < run.len() {
        words.push(&run[start..]);
    }
    words
}

fn add_word(vector: &mut [f32], word: &str) {
    let mut state = fnv1a(word.as_bytes());
    for x in vector {
        state = splitmix(state);
        *x += if state >> 63 == 0 { 1.0 } else { -1.0 };
    }
}

pub(crate) fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn splitmix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &str, b: &str) -> f32 {
        let encoder = FakeBiEncoder::default();
        encoder
            .encode(a)
            .iter()
            .zip(encoder.encode(b))
            .map(|(x, y)| x * y)
            .sum()
    }

    #[test]
    fn shared_words_make_similar_vectors() {
        assert!((cosine("parseConfig file", "parse_config(FILE)") - 1.0).abs() < 1e-6);
        assert!(cosine("open the config file", "config file reader") > 0.4);
        assert!(cosine("open the config file", "draw red circle").abs() < 0.4);
    }

    #[test]
    fn each_word_has_its_vector_and_its_place() {
        let encoder = FakeBiEncoder::default();
        let states = encoder
            .encode_query_tokens("parseConfig(file)", QueryKind::Code)
            .expect("a fake encodes");
        assert_eq!(states.tokens.spans, [(0, 5), (5, 11), (12, 16)]);
        assert_eq!(states.pooled, encoder.encode("parseConfig(file)"));
        let again = encoder.tokens("config");
        assert_eq!(states.tokens.vectors[64..128], again.vectors[..]);
    }

    #[test]
    fn empty_text_is_the_zero_vector_and_cancel_stops() {
        let encoder = FakeBiEncoder::default();
        assert!(encoder.encode("").iter().all(|&x| x == 0.0));
        let result = encoder.encode_documents(&["a"], &|| true);
        assert!(matches!(result, Err(InferenceError::Cancelled)));
    }
}
