//! Exact MaxSim over the codes of given documents.

use crate::query::{Query, Scratch};
use crate::shard::{Shard, StoredDocument};

/// How many documents are scored between two looks at the clock.
pub(super) const DOCUMENTS_PER_LOOK: usize = 64;

/// Scores of given documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rescored {
    /// One for each document that was looked at, in the order given; `None` for one that the shard
    /// does not have. A finished prefix when time ran out.
    pub scores: Vec<Option<f32>>,
    /// Tokens that were scored.
    pub n_tokens: u64,
}

impl Rescored {
    /// Returns documents that were looked at.
    pub fn done(&self) -> usize {
        self.scores.len()
    }
}

/// `stop` is asked every 64 documents, beginning before the first.
pub(crate) fn rescore(
    shard: &Shard,
    query: &Query,
    ids: &[u32],
    stop: &dyn Fn() -> bool,
) -> Rescored {
    let mut scratch = Scratch::default();
    let mut rescored = Rescored::default();
    for ids in ids.chunks(DOCUMENTS_PER_LOOK) {
        if stop() {
            break;
        }
        for id in ids {
            let found = shard.find(*id);
            rescored.n_tokens += found.as_ref().map_or(0, |found| found.n_tokens() as u64);
            rescored
                .scores
                .push(found.map(|found| score(query, &found, &mut scratch)));
        }
    }
    rescored
}

/// MaxSim of a document; 0 for one without tokens.
pub(crate) fn score(query: &Query, found: &StoredDocument<'_>, scratch: &mut Scratch) -> f32 {
    if found.n_tokens() == 0 {
        return 0.0;
    }
    match found {
        StoredDocument::Coded(document) => {
            let best = query.best_of(document.tokens, document.codes, scratch);
            best.iter().sum()
        }
        StoredDocument::Exact(document) => document.max_sim(query),
    }
}
