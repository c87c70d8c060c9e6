//! `path`: files whose name or folders hold the query's words; all their chunks come along.

use super::RankedChunk;
use crate::query::ParsedQuery;
use crate::search_index::SearchIndex;
use roaring::RoaringBitmap;
use std::collections::HashMap;
use whyrank_index::ChunkRef;

/// Files that the channel pulls in at most.
const MAX_FILES: usize = 30;
/// Chunks of one file that it pulls in at most.
const MAX_CHUNKS_PER_FILE: usize = 60;
/// Letters that two words must share at their start to count as forms of one word.
const MIN_PREFIX: usize = 4;
/// What such a match counts against an exact one.
const PREFIX_WEIGHT: f64 = 0.6;

pub(crate) fn path(
    index: &SearchIndex,
    query: &ParsedQuery,
    allowed: &RoaringBitmap,
) -> Vec<RankedChunk> {
    let mut files: Vec<(u32, f64)> = score_files(index, query).into_iter().collect();
    files.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    files.truncate(MAX_FILES);
    let mut list = Vec::new();
    for (idx, (file, score)) in files.into_iter().enumerate() {
        let n_chunks = index.view.files[file as usize].n_chunks as usize;
        for chunk in 0..n_chunks.min(MAX_CHUNKS_PER_FILE) as u32 {
            let place = ChunkRef { file, chunk };
            if allowed.contains(index.view.chunk_id(place)) {
                list.push(RankedChunk {
                    place,
                    rank: idx as u32 + 1,
                    raw_score: score,
                });
            }
        }
    }
    list
}

/// Whether a file among the chunks that are allowed has the name that a path ends in, in whatever folder.
pub(crate) fn has_file(index: &SearchIndex, path: &str, allowed: &RoaringBitmap) -> bool {
    let path = path.trim_end_matches('/').to_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    let mut files = (0u32..).zip(&index.view.files);
    files.any(|(idx, file)| {
        file.path.to_lowercase().contains(name) && super::is_allowed(index, idx, allowed)
    })
}

/// Score of each file: rarity-weighted share of the query's words that its path holds.
pub(crate) fn score_files(index: &SearchIndex, query: &ParsedQuery) -> HashMap<u32, f64> {
    let n_files = index.view.files.len() as f64;
    let mut scores: HashMap<u32, f64> = HashMap::new();
    let mut total = 0.0;
    for word in &query.keywords {
        let matched = files_with(index, word);
        let rarity = ((n_files + 1.0) / (matched.len() as f64 + 0.5))
            .ln()
            .max(0.1);
        total += rarity;
        for (file, weight) in matched {
            *scores.entry(file).or_insert(0.0) += weight * rarity;
        }
    }
    for score in scores.values_mut() {
        *score /= total.max(f64::MIN_POSITIVE);
    }
    scores
}

/// Files with the word itself in their path, or with words that start alike.
fn files_with(index: &SearchIndex, word: &str) -> HashMap<u32, f64> {
    let prefix = word.get(..MIN_PREFIX).unwrap_or("");
    let mut matched: HashMap<u32, f64> = HashMap::new();
    index.path_postings(word, prefix, |token, posting| {
        let factor = if token == word {
            1.0
        } else if token.starts_with(word) || word.starts_with(token) {
            PREFIX_WEIGHT
        } else {
            return;
        };
        let weight = factor * f64::from(posting.weight);
        let entry = matched.entry(posting.file).or_insert(0.0);
        *entry = entry.max(weight);
    });
    matched
}
