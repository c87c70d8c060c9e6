//! BM25 over the words of memos: text, tags, and the names of what they are anchored to.
//!
//! Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework". The tokens are the
//! caller's, so that memos are cut into words as code is.

use crate::fact::Version;
use crate::ledger::Ledger;
use std::collections::HashMap;

/// Cuts text into tokens.
pub type Tokenize = fn(&str, &mut dyn FnMut(&str));

const K1: f32 = 1.2;
const B: f32 = 0.6;
const TAG_WEIGHT: f32 = 2.0;
const ANCHOR_WEIGHT: f32 = 1.0;

/// Words of all versions, inverted. Grows with the ledger.
#[derive(Debug)]
pub struct WordIndex {
    tokenize: Tokenize,
    postings: HashMap<String, Vec<(u32, f32)>>,
    lengths: Vec<f32>,
    total: f64,
}

/// What a query finds.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordScores {
    /// By version.
    pub(crate) scores: Vec<f32>,
    /// Share of the query's weight that a version holds, by version.
    pub(crate) shares: Vec<f32>,
}

/// How common some tokens are among the memos that are asked together.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordStats {
    n_versions: usize,
    total_length: f64,
    /// Versions that have a token.
    n_with: HashMap<String, usize>,
}

impl WordStats {
    /// Counts `tokens` over several memories as over one.
    pub(crate) fn over<'w>(
        indexes: impl IntoIterator<Item = &'w WordIndex>,
        tokens: &[String],
    ) -> Self {
        let mut stats = Self::default();
        for index in indexes {
            stats.n_versions += index.lengths.len();
            stats.total_length += index.total;
            for token in tokens {
                *stats.n_with.entry(token.clone()).or_default() += index.with_token(token).len();
            }
        }
        stats
    }

    fn idf(&self, token: &str) -> f32 {
        let n_with = self.n_with.get(token).copied().unwrap_or_default();
        idf(self.n_versions, n_with)
    }
}

/// How telling a token is: its inverse document frequency, 0 for one that nobody uses.
fn idf(n_versions: usize, n_with: usize) -> f32 {
    if n_with == 0 {
        return 0.0;
    }
    let (n, df) = (n_versions as f32, n_with as f32);
    (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
}

impl WordIndex {
    /// Returns no words yet.
    pub fn new(tokenize: Tokenize) -> Self {
        Self {
            tokenize,
            postings: HashMap::new(),
            lengths: Vec::new(),
            total: 0.0,
        }
    }

    /// Takes in versions that are new since. O(their words).
    pub fn extend(&mut self, ledger: &Ledger) {
        for idx in self.lengths.len()..ledger.n_versions() {
            let length = match ledger.version(idx as u32) {
                Some(version) => self.add(idx as u32, version),
                None => 0.0,
            };
            self.lengths.push(length);
            self.total += f64::from(length);
        }
    }

    fn add(&mut self, idx: u32, version: &Version) -> f32 {
        let mut counts: HashMap<String, f32> = HashMap::new();
        let mut length = 0.0;
        let mut count = |text: &str, weight: f32| {
            (self.tokenize)(text, &mut |token| {
                *counts.entry(token.to_owned()).or_default() += weight;
                length += weight;
            });
        };
        count(&version.content, 1.0);
        for tag in &version.tags {
            count(tag, TAG_WEIGHT);
        }
        for anchor in &version.anchors {
            count(&anchor.path, ANCHOR_WEIGHT);
            count(anchor.symbol.as_deref().unwrap_or_default(), ANCHOR_WEIGHT);
        }
        for (token, n) in counts {
            self.postings.entry(token).or_default().push((idx, n));
        }
        length
    }

    /// Returns the tokens of a text, each once.
    pub fn tokens(&self, text: &str) -> Vec<String> {
        let mut tokens = Vec::new();
        (self.tokenize)(text, &mut |token| {
            if !tokens.iter().any(|known| known == token) {
                tokens.push(token.to_owned());
            }
        });
        tokens
    }

    /// How telling a token is among the memos of this memory.
    pub(crate) fn idf(&self, token: &str) -> f32 {
        idf(self.lengths.len(), self.with_token(token).len())
    }

    /// Versions with a token.
    pub(crate) fn with_token(&self, token: &str) -> &[(u32, f32)] {
        self.postings.get(token).map_or(&[], Vec::as_slice)
    }

    /// Scores all versions, words as telling as `stats` has them. O(postings of the tokens).
    pub(crate) fn score(&self, tokens: &[String], stats: &WordStats) -> WordScores {
        let mut found = WordScores {
            scores: vec![0.0; self.lengths.len()],
            shares: vec![0.0; self.lengths.len()],
        };
        let mean = (stats.total_length / stats.n_versions.max(1) as f64).max(1.0) as f32;
        // A word that no memo has counts against them all.
        let unknown = (1.0 + 2.0 * stats.n_versions as f32).ln();
        let mut mass = 0.0;
        for token in tokens {
            let idf = stats.idf(token);
            mass += if idf > 0.0 { idf } else { unknown };
            for (version, n) in self.with_token(token) {
                let at = *version as usize;
                let norm = K1 * (1.0 - B + B * self.lengths[at] / mean);
                found.scores[at] += idf * n * (K1 + 1.0) / (n + norm);
                found.shares[at] += idf;
            }
        }
        for share in &mut found.shares {
            *share /= f32::max(mass, f32::MIN_POSITIVE);
        }
        found
    }
}
