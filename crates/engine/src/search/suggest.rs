//! Completions while typing.

use super::fuzzy::{FuzzyFit, fit};
use crate::Engine;
use crate::api::{RepoId, Suggestion, SuggestionKind};
use crate::error::Result;
use crate::views::LiveView;
use std::collections::HashSet;
use whyrank_graph::SymbolId;
use whyrank_syntax::Symbol;

const MAX_RECENT: u32 = 3;

impl Engine {
    /// Lists completions: recent queries, then symbols, then paths. At most `limit` of each kind.
    ///
    /// What is typed may be several words, each the beginning of a name, a part of it, or an
    /// abbreviation; all of them must fit the symbol or its path.
    ///
    /// # Errors
    /// `unknown-repository`, `index-missing` and those of opening the view.
    pub fn suggest(&self, repo: &RepoId, prefix: &str, limit: u32) -> Result<Vec<Suggestion>> {
        let prefix = prefix.trim();
        let recent = self
            .state
            .traces
            .recent_queries(repo, prefix, limit.min(MAX_RECENT));
        let mut suggestions: Vec<Suggestion> = recent.into_iter().map(recent_query).collect();
        if prefix.is_empty() {
            return Ok(suggestions);
        }
        let view = self.view_of(repo, None)?;
        let typed = prefix.to_lowercase();
        let words: Vec<&str> = typed.split_whitespace().collect();
        suggestions.extend(symbols(&view, &words, limit as usize));
        suggestions.extend(paths(&view, &words, limit as usize));
        Ok(suggestions)
    }
}

fn recent_query(text: String) -> Suggestion {
    Suggestion {
        text,
        kind: SuggestionKind::Recent,
        detail: String::new(),
        path: None,
        line: None,
    }
}

/// Definitions whose names fit, the closest and shortest first; each name once a file.
fn symbols(view: &LiveView, words: &[&str], limit: usize) -> Vec<Suggestion> {
    let mut found: Vec<(FuzzyFit, usize, SymbolId)> = Vec::new();
    for (file, entry) in view.files.iter().enumerate() {
        for (symbol, definition) in entry.outline().symbols.iter().enumerate() {
            let Some(fit) = fit_symbol(words, definition, &entry.path) else {
                continue;
            };
            let id = SymbolId {
                file: file as u32,
                symbol: symbol as u32,
            };
            found.push((fit, definition.name.len(), id));
        }
    }
    found.sort_by_key(|(fit, length, id)| (*fit, *length, id.file, id.symbol));
    let mut seen = HashSet::new();
    let lines = found.iter().map(|(_, _, id)| view.symbol_line(*id));
    let fresh = lines.filter(|line| seen.insert((line.qualified.clone(), line.path.clone())));
    let suggestions = fresh.map(|line| Suggestion {
        detail: format!("{} · {}:{}", line.kind, line.path, line.name_line),
        kind: SuggestionKind::Symbol,
        text: line.qualified,
        path: Some(line.path),
        line: Some(line.name_line),
    });
    suggestions.take(limit).collect()
}

/// Files whose names fit, or whose paths do.
fn paths(view: &LiveView, words: &[&str], limit: usize) -> Vec<Suggestion> {
    let mut found: Vec<(FuzzyFit, usize, &str)> = Vec::new();
    for file in &view.files {
        if let Some(fit) = fit_path(words, &file.path) {
            found.push((fit, file.path.len(), &file.path));
        }
    }
    found.sort_unstable();
    let paths = found.into_iter().map(|(_, _, path)| Suggestion {
        text: path.to_owned(),
        kind: SuggestionKind::Path,
        detail: String::new(),
        path: Some(path.to_owned()),
        line: None,
    });
    paths.take(limit).collect()
}

/// How well all words fit a definition; those that neither its name nor its qualified name holds
/// may name its file, save all of them.
fn fit_symbol(words: &[&str], definition: &Symbol, path: &str) -> Option<FuzzyFit> {
    let mut worst = FuzzyFit::Whole;
    let mut is_named = false;
    for word in words {
        let is_qualified = word.contains(['.', ':', '#']);
        let own = if is_qualified {
            fit(word, &definition.qualified)
        } else {
            fit(word, &definition.name)
        };
        is_named |= own.is_some();
        let around = || fit(word, &definition.qualified).or_else(|| fit(word, path));
        worst = worst.max(own.or_else(|| around().map(|_| FuzzyFit::Abbreviation))?);
    }
    is_named.then_some(worst)
}

fn fit_path(words: &[&str], path: &str) -> Option<FuzzyFit> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let each = words
        .iter()
        .map(|word| fit(word, name).or_else(|| fit(word, path).map(|_| FuzzyFit::Abbreviation)));
    each.collect::<Option<Vec<FuzzyFit>>>()?.into_iter().max()
}
