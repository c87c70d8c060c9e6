//! `symbol-name`: definitions whose name holds the query's words, or is the query.

use super::{CHANNEL_DEPTH, RankedChunk, number};
use crate::query::{ParsedQuery, QueryShape};
use crate::search_index::{SearchIndex, SymbolRef, distinct_tokens, part_tokens};
use roaring::RoaringBitmap;
use std::collections::HashMap;
use whyrank_index::ChunkRef;
use whyrank_syntax::SymbolKind;

/// A token in more names than this share says too little to look at each of them.
const MAX_POSTINGS: usize = 20_000;

pub(crate) fn symbol_name(
    index: &SearchIndex,
    query: &ParsedQuery,
    allowed: &RoaringBitmap,
) -> Vec<RankedChunk> {
    let by_tokens = score_by_tokens(index, query);
    let by_name = named_by(index, query);
    let mut places: Vec<SymbolRef> = by_tokens.keys().copied().collect();
    places.extend(
        by_name
            .keys()
            .filter(|place| !by_tokens.contains_key(place)),
    );
    let mut best: HashMap<ChunkRef, f64> = HashMap::new();
    index.each_named(places, |place, named| {
        let Some(chunk) = named.chunk else {
            return;
        };
        let chunk = ChunkRef {
            file: place.file,
            chunk,
        };
        if !allowed.contains(index.view.chunk_id(chunk)) {
            return;
        }
        let by_tokens = by_tokens.get(&place);
        let mut score = by_tokens.map_or(0.0, |score| score * name_share(query, named.name));
        for identifier in by_name.get(&place).into_iter().flatten() {
            score += exact_bonus(index, place, named.name, identifier);
        }
        let entry = best.entry(chunk).or_insert(0.0);
        *entry = entry.max(score * kind_weight(named.kind));
    });
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

/// Share of the query's words that a name holds; rare words count for more.
fn score_by_tokens(index: &SearchIndex, query: &ParsedQuery) -> HashMap<SymbolRef, f64> {
    let words: Vec<(&String, usize, f64)> = query
        .keywords
        .iter()
        .map(|word| {
            let n_postings = index.n_with_token(word);
            (word, n_postings, rarity(index, n_postings))
        })
        .collect();
    let total: f64 = words.iter().map(|(.., rarity)| rarity).sum();
    let mut scores = HashMap::new();
    for (word, _, rarity) in words.iter().filter(|(_, n, _)| *n <= MAX_POSTINGS) {
        for place in index.with_token(word).iter() {
            *scores.entry(*place).or_insert(0.0) += rarity / total;
        }
    }
    scores
}

/// From 0.5 for a name of which the query holds no word to 1 for one that it holds whole.
fn name_share(query: &ParsedQuery, name: &str) -> f64 {
    let tokens = distinct_tokens(name);
    let words = part_tokens(&tokens);
    let n_matched = words
        .iter()
        .filter(|token| query.keywords.contains(token))
        .count();
    0.5 + 0.5 * (n_matched as f64 / words.len().max(1) as f64)
}

/// Definitions that bear a name of the query, in whatever case, with the identifiers that say so.
fn named_by<'q>(index: &SearchIndex, query: &'q ParsedQuery) -> HashMap<SymbolRef, Vec<&'q str>> {
    let mut named: HashMap<SymbolRef, Vec<&str>> = HashMap::new();
    for identifier in &query.identifiers {
        for place in index.with_name(ParsedQuery::bare_name(identifier)).iter() {
            named.entry(*place).or_default().push(identifier);
        }
    }
    named
}

/// Whether a definition among the chunks that are allowed bears the name that the query is, qualified as
/// there; or, of a path, a file.
pub(crate) fn is_named(index: &SearchIndex, query: &ParsedQuery, allowed: &RoaringBitmap) -> bool {
    if query.shape == QueryShape::Path {
        return super::has_file(index, &query.text, allowed);
    }
    let name = query.text.trim_end_matches("()");
    let bare = ParsedQuery::bare_name(name);
    if bare.is_empty() || name.contains(char::is_whitespace) {
        return false;
    }
    let is_it = |place: &SymbolRef| {
        super::is_allowed(index, place.file, allowed)
            && (bare == name || ends_with_parts(&index.symbol(*place).qualified, name))
    };
    index.with_name(bare).iter().any(is_it)
}

fn exact_bonus(index: &SearchIndex, place: SymbolRef, name: &str, identifier: &str) -> f64 {
    let bare = ParsedQuery::bare_name(identifier);
    let matches_qualifier =
        identifier != bare && ends_with_parts(&index.symbol(place).qualified, identifier);
    1.0 + f64::from(u8::from(name == bare)) + 2.0 * f64::from(u8::from(matches_qualifier))
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
