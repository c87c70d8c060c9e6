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
///
/// Looks through the names alone, and only into files where those leave it open: what is read of them
/// is not kept, for each letter that is typed would otherwise fill memory with the whole repository.
fn symbols(view: &LiveView, words: &[&str], limit: usize) -> Vec<Suggestion> {
    let mut found: Vec<(FuzzyFit, usize, SymbolId)> = Vec::new();
    let mut open: Vec<SymbolId> = Vec::new();
    view.index.each_name(&mut |id, name| match fit_name(
        words,
        name,
        &view.files[id.file as usize].path,
    ) {
        NameFit::Certain(fit) => found.push((fit, name.len(), id)),
        NameFit::Open => open.push(id),
        NameFit::None => {}
    });
    for of_file in open.chunk_by(|a, b| a.file == b.file) {
        let file = &view.files[of_file[0].file as usize];
        file.with_outline(|outline| {
            for id in of_file {
                let definition = &outline.symbols[id.symbol as usize];
                if let Some(fit) = fit_symbol(words, definition, &file.path) {
                    found.push((fit, definition.name.len(), *id));
                }
            }
        });
    }
    found.sort_unstable_by_key(|(fit, length, id)| (*fit, *length, id.file, id.symbol));
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

/// What a bare name says of a definition.
enum NameFit {
    None,
    /// All words fit, this well.
    Certain(FuzzyFit),
    /// Its qualified name decides.
    Open,
}

/// How well all words fit a definition, as far as its name and its file say; as [`fit_symbol`].
fn fit_name(words: &[&str], name: &str, path: &str) -> NameFit {
    let mut worst = FuzzyFit::Whole;
    let (mut is_named, mut is_open) = (false, false);
    for word in words {
        if is_qualified(word) {
            // The qualified name may hold it, and name the definition with it.
            (is_named, is_open) = (true, true);
        } else if let Some(own) = fit(word, name) {
            is_named = true;
            worst = worst.max(own);
        } else if fit(word, path).is_some() {
            worst = FuzzyFit::Abbreviation;
        } else {
            is_open = true;
        }
    }
    match (is_named, is_open) {
        (false, _) => NameFit::None,
        (true, true) => NameFit::Open,
        (true, false) => NameFit::Certain(worst),
    }
}

fn is_qualified(word: &str) -> bool {
    word.contains(['.', ':', '#'])
}

/// How well all words fit a definition; those that neither its name nor its qualified name holds
/// may name its file, save all of them.
fn fit_symbol(words: &[&str], definition: &Symbol, path: &str) -> Option<FuzzyFit> {
    let mut worst = FuzzyFit::Whole;
    let mut is_named = false;
    for word in words {
        let own = if is_qualified(word) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_syntax::Language;

    #[test]
    fn names_alone_say_the_same_as_whole_definitions() {
        let text = "class TrieRouter:\n    def match_layer(self): pass\n    def match(self): pass\n\
                    def add_route(trie): pass\n";
        let python = Language::from_name("python").expect("it is built in");
        let facts = whyrank_syntax::analyze(text, python);
        let path = "src/router/trie.py";
        let typed = [
            "match",
            "mat lay",
            "trier match",
            "trie.match",
            "router add",
            "src",
            "zzz",
            "m",
            "adr",
            "trierouter.ml",
            "class add",
            "add trie.py",
            "match zzz",
        ];
        let mut n_open = 0;
        for typed in typed {
            let words: Vec<&str> = typed.split_whitespace().collect();
            for symbol in &facts.symbols {
                let whole = fit_symbol(&words, symbol, path);
                match fit_name(&words, &symbol.name, path) {
                    NameFit::Certain(fit) => assert_eq!(Some(fit), whole, "{typed}: {symbol:?}"),
                    NameFit::None => assert_eq!(None, whole, "{typed}: {symbol:?}"),
                    NameFit::Open => n_open += 1,
                }
            }
        }
        assert!(n_open > 0, "no file would be looked into");
    }
}
