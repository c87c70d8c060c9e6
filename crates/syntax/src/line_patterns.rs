//! The patterns of languages without a grammar (and of those with one, for files too large).
//!
//! A row is one line of the source: what it defines, with the name in the first group.

mod source_lines;
use source_lines::SourceLines;

mod table;

use crate::language::Language;
use crate::lexical::Syntax;
use crate::types::{ImportKind, SymbolKind};
use regex::{Regex, RegexSet};
use std::sync::OnceLock;
use table::SOURCES;

/// Compiled patterns of one language.
pub(crate) struct Patterns {
    pub(crate) syntax: Syntax,
    pub(crate) join: &'static str,
    pub(crate) definitions: Vec<(Regex, SymbolKind)>,
    /// All definitions at once: most lines match none.
    pub(crate) any: RegexSet,
    pub(crate) imports: Vec<(Regex, ImportKind)>,
    private: &'static [&'static str],
}

impl Patterns {
    /// Says whether the file says that a definition is for itself alone.
    pub(crate) fn hidden(&self, text: &str, name: &str) -> bool {
        let word = |word: &&str| text.split_whitespace().take(4).any(|found| found == *word);
        name.starts_with('_') || self.private.iter().any(word)
    }
}

/// The patterns of a language; for code that no row names, the common ones. Compiled on first use:
/// all of them together take most of a second.
pub(crate) fn of(language: Language) -> Option<&'static Patterns> {
    static COMPILED: [OnceLock<Patterns>; 64] = [const { OnceLock::new() }; 64];
    let find = |name: &str| {
        SOURCES
            .iter()
            .position(|source| source.names.contains(&name))
    };
    let at = find(language.name()).or_else(|| language.is_code().then(|| find("*")).flatten())?;
    Some(COMPILED.get(at)?.get_or_init(|| compile(&SOURCES[at])))
}

fn compile(source: &SourceLines) -> Patterns {
    let compiled = |pattern: &str| Regex::new(pattern).ok();
    let definitions: Vec<_> = source
        .definitions
        .iter()
        .filter_map(|(text, kind)| Some((compiled(text)?, *kind)))
        .collect();
    let any = RegexSet::new(definitions.iter().map(|(pattern, _)| pattern.as_str()));
    Patterns {
        syntax: source.syntax,
        join: source.join,
        definitions,
        any: any.unwrap_or_default(),
        imports: source
            .imports
            .iter()
            .filter_map(|(text, kind)| Some((compiled(text)?, *kind)))
            .collect(),
        private: &[
            "private",
            "local",
            "defp",
            "defmacrop",
            "fileprivate",
            "static",
        ],
    }
}
