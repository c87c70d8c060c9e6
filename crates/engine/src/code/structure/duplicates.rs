//! Code that exists already: the definition whose text is nearest to a changed one.
//!
//! Full text finds a few candidates; they are compared by shingles of words (Broder 1997), so that
//! formatting and comments of one line count little.

use crate::Engine;
use crate::api::{
    ReviewRequest, ReviewedSymbol, SearchFilters, SearchRequest, SymbolChange, SymbolLine,
    WeightSetting,
};
use crate::code::graph::GraphSession;
use crate::error::Result;
use crate::views::Texts;
use std::collections::{HashMap, HashSet};
use whyrank_graph::SymbolId;
use whyrank_retrieval::Channel;

/// Shorter ones look alike by chance.
const MIN_LINES: u32 = 6;
const MIN_SHINGLES: usize = 20;
/// Words of a shingle.
const WIDTH: usize = 4;
/// Share of common shingles from which two texts are nearly the same.
const SAME: f64 = 0.6;
const N_WORDS: usize = 12;
const N_CANDIDATES: u32 = 8;

pub(super) struct Duplicates<'a> {
    engine: &'a Engine,
    session: &'a GraphSession,
    request: &'a ReviewRequest,
    texts: Texts<'a>,
}

impl<'a> Duplicates<'a> {
    pub(super) fn new(
        engine: &'a Engine,
        session: &'a GraphSession,
        request: &'a ReviewRequest,
    ) -> Self {
        Self {
            engine,
            session,
            request,
            texts: Texts::new(&session.view),
        }
    }

    /// The nearest other definition, and the share of what both have in common.
    pub(super) fn of(&mut self, reviewed: &ReviewedSymbol) -> Result<Option<(SymbolLine, f64)>> {
        let symbol = &reviewed.symbol;
        let is_short = symbol.end_line + 1 - symbol.start_line < MIN_LINES;
        if is_short || reviewed.change == SymbolChange::Removed {
            return Ok(None);
        }
        let Some(file) = self.session.view.file(&symbol.path) else {
            return Ok(None);
        };
        let text = self.lines(file, symbol.start_line, symbol.end_line)?;
        let own = shingles(&text);
        if own.len() < MIN_SHINGLES {
            return Ok(None);
        }
        let mut best: Option<(SymbolLine, f64)> = None;
        for id in self.candidates(&text)? {
            let other = self.session.view.symbol_line(id);
            let overlaps = other.path == symbol.path
                && other.start_line <= symbol.end_line
                && symbol.start_line <= other.end_line;
            if overlaps || self.session.view.is_test(id.file) {
                continue;
            }
            let text = self.lines(id.file, other.start_line, other.end_line)?;
            let share = jaccard(&own, &shingles(&text));
            if share >= SAME && best.as_ref().is_none_or(|(_, most)| share > *most) {
                best = Some((other, share));
            }
        }
        Ok(best)
    }

    fn lines(&mut self, file: u32, first: u32, last: u32) -> Result<String> {
        let text = self.texts.get(file)?.lines();
        let span = text
            .skip(first.saturating_sub(1) as usize)
            .take((last + 1).saturating_sub(first) as usize);
        Ok(span.collect::<Vec<_>>().join("\n"))
    }

    /// Definitions that hold the rarest-looking words of a text.
    fn candidates(&self, text: &str) -> Result<Vec<SymbolId>> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for word in words(text).filter(|word| word.len() > 3) {
            *counts.entry(word).or_default() += 1;
        }
        let mut chosen: Vec<&str> = counts.into_keys().collect();
        // Long names are rare ones.
        chosen.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
        chosen.truncate(N_WORDS);
        let channels = [Channel::Fts];
        let found = self.engine.find(&SearchRequest {
            repos: Vec::new(),
            repo: self.request.repo.clone(),
            query: chosen.join(" "),
            limit: N_CANDIDATES,
            filters: SearchFilters {
                no_tests: true,
                ..SearchFilters::default()
            },
            as_of: None,
            tune: Vec::new(),
            current_file: None,
            weights: Some(
                channels
                    .iter()
                    .map(|channel| WeightSetting {
                        channel: *channel,
                        weight: 1.0,
                    })
                    .collect(),
            ),
            distinct_files: false,
            prefix: false,
        })?;
        let view = &self.session.view;
        let ids = found.hits.iter().filter_map(|hit| {
            let file = view.file(&hit.path)?;
            let symbols = &view.files[file as usize].outline().symbols;
            let is_it = |symbol: &whyrank_syntax::Symbol| {
                Some(&symbol.qualified) == hit.symbol.as_ref()
                    && symbol.span.start_line <= hit.end_line
                    && hit.start_line <= symbol.span.end_line
            };
            let symbol = symbols.iter().position(is_it)? as u32;
            Some(SymbolId { file, symbol })
        });
        Ok(ids.collect())
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric() && character != '_')
        .filter(|word| !word.is_empty())
}

fn shingles(text: &str) -> HashSet<String> {
    let words: Vec<&str> = words(text).collect();
    words
        .windows(WIDTH)
        .map(|window| window.join(" "))
        .collect()
}

fn jaccard(left: &HashSet<String>, right: &HashSet<String>) -> f64 {
    let n_common = left.intersection(right).count() as f64;
    let n_all = (left.len() + right.len()) as f64 - n_common;
    if n_all == 0.0 { 0.0 } else { n_common / n_all }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatting_does_not_count() {
        let left = shingles("let total = price * count;\nreturn total + tax;");
        let right = shingles("let  total=price*count; return total\n + tax");
        assert!((jaccard(&left, &right) - 1.0).abs() < 1e-9);
        assert!(jaccard(&left, &shingles("something else entirely, and longer")) < 0.1);
    }
}
