//! `symbol-name`: definitions whose name holds the query's words, or is the query.

use super::{CHANNEL_DEPTH, RankedChunk, number};
use crate::query::ParsedQuery;
use crate::search_index::{SearchIndex, SymbolRef, distinct_tokens, part_tokens};
use roaring::RoaringBitmap;
use std::collections::HashMap;
use whyrank_syntax::SymbolKind;

/// A token in more names than this share says too little to look at each of them.
const MAX_POSTINGS: usize = 20_000;

pub(crate) fn symbol_name(
    index: &SearchIndex,
    query: &ParsedQuery,
    allowed: &RoaringBitmap,
) -> Vec<RankedChunk> {
    let mut scores: HashMap<SymbolRef, f64> = HashMap::new();
    score_by_tokens(index, query, &mut scores);
    score_exact(index, query, &mut scores);
    let mut best: HashMap<_, f64> = HashMap::new();
    for (place, score) in scores {
        let Some(chunk) = index.chunk_of(place) else {
            continue;
        };
        if allowed.contains(index.view.chunk_id(chunk)) {
            let entry = best.entry(chunk).or_insert(0.0);
            *entry = entry.max(score * kind_weight(index.symbol(place).kind));
        }
    }
    let mut list: Vec<_> = best.into_iter().collect();
    list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    list.truncate(CHANNEL_DEPTH);
    number(list)
}

/// Inverse document frequency over names, from 0 to about 10.
fn rarity(index: &SearchIndex, n_postings: usize) -> f64 {
    ((index.n_symbols as f64 + 1.0) / (n_postings as f64 + 0.5))
        .ln()
        .max(0.1)
}

/// Share of the query's words that the name holds, and of the name's words that the query holds;
/// rare words count for more.
fn score_by_tokens(index: &SearchIndex, query: &ParsedQuery, scores: &mut HashMap<SymbolRef, f64>) {
    let words: Vec<(&String, f64)> = query
        .keywords
        .iter()
        .map(|word| (word, rarity(index, index.with_token(word).len())))
        .collect();
    let total: f64 = words.iter().map(|(_, rarity)| rarity).sum();
    for (word, rarity) in &words {
        let postings = index.with_token(word);
        if postings.len() <= MAX_POSTINGS {
            for place in postings.iter() {
                *scores.entry(*place).or_insert(0.0) += rarity / total;
            }
        }
    }
    for (place, score) in scores.iter_mut() {
        let name = distinct_tokens(&index.symbol(*place).name);
        let words = part_tokens(&name);
        let n_matched = words
            .iter()
            .filter(|token| query.keywords.contains(token))
            .count();
        let name_share = n_matched as f64 / words.len().max(1) as f64;
        *score *= 0.5 + 0.5 * name_share;
    }
}

fn score_exact(index: &SearchIndex, query: &ParsedQuery, scores: &mut HashMap<SymbolRef, f64>) {
    for identifier in &query.identifiers {
        let bare = ParsedQuery::bare_name(identifier);
        for place in index.with_name(bare).iter() {
            let symbol = index.symbol(*place);
            let matches_qualifier =
                identifier != bare && ends_with_parts(&symbol.qualified, identifier);
            let same_case = symbol.name == bare;
            let bonus =
                1.0 + f64::from(u8::from(same_case)) + 2.0 * f64::from(u8::from(matches_qualifier));
            *scores.entry(*place).or_insert(0.0) += bonus;
        }
    }
}

/// Whether the parts of `suffix` are the last parts of `qualified`, however they are joined.
pub(crate) fn ends_with_parts(qualified: &str, suffix: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        text.split(|char: char| !char.is_alphanumeric() && char != '_' && char != '$')
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    parts(qualified).ends_with(&parts(suffix))
}

fn kind_weight(kind: SymbolKind) -> f64 {
    match kind {
        SymbolKind::Field
        | SymbolKind::EnumMember
        | SymbolKind::Property
        | SymbolKind::Variable => 0.7,
        SymbolKind::Section | SymbolKind::Constant => 0.8,
        SymbolKind::Impl | SymbolKind::Constructor => 0.9,
        _ => 1.0,
    }
}
