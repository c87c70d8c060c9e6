//! The languages that structural search knows, their names, and the parts of a file that it reads.

use crate::components::{self, is_component};
use crate::language::Language;
use crate::languages;
use tree_sitter::Range;

/// Returns the language whose grammar reads a file: its own, or that of its scripts. None where
/// there is no grammar.
pub fn structural_grammar(source: &str, language: Language) -> Option<Language> {
    if is_component(language) {
        let (name, ranges) = components::scripts(source, language);
        return (!ranges.is_empty()).then(|| Language::from_name(name))?;
    }
    languages::spec_of(language).map(|_| language)
}

/// Returns the grammar that reads a language, where there is one.
pub fn grammar_of(language: Language) -> Option<tree_sitter::Language> {
    let indexed = languages::spec_of(language)?;
    Some(indexed.tables.language.clone())
}

/// Returns the languages that a person means by a name or by a file's ending: `ts` is TypeScript
/// with and without JSX. Empty for a name that is unknown.
pub fn languages_named(name: &str) -> Vec<Language> {
    let name = name.trim().to_lowercase();
    let names: &[&str] = match name.as_str() {
        "typescript" | "ts" => &["typescript", "tsx"],
        "js" | "jsx" | "node" => &["javascript"],
        "py" | "python3" => &["python"],
        "golang" => &["go"],
        "rs" => &["rust"],
        "c++" | "cc" | "cxx" => &["cpp"],
        "rb" => &["ruby"],
        "c#" | "cs" => &["csharp"],
        "kt" => &["kotlin"],
        "sh" | "shell" | "zsh" => &["bash"],
        name => &[name],
    };
    let named = names.iter().filter_map(|name| Language::from_name(name));
    let named: Vec<Language> = named.collect();
    let by_ending = || {
        let is_ending = name.chars().all(|char| char.is_ascii_alphanumeric());
        let found = crate::detect(&format!("x.{name}"), b"").filter(|_| is_ending);
        found.filter(|language| language.name() != "text")
    };
    if named.is_empty() {
        by_ending().into_iter().collect()
    } else {
        named
    }
}

/// Returns those of [`languages_named`] that structural search knows; empty for a name that is
/// unknown or has no grammar.
pub fn structural_languages(name: &str) -> Vec<Language> {
    let named = languages_named(name).into_iter();
    let has_grammar =
        |language: &Language| is_component(*language) || languages::spec_of(*language).is_some();
    named.filter(has_grammar).collect()
}

/// Returns the names of all languages that structural search knows.
pub fn structural_language_names() -> Vec<&'static str> {
    let components = ["vue", "svelte", "astro"];
    languages::names().chain(components).collect()
}

/// Returns the parts of a file that are read; none for all of it.
pub(super) fn scripts(source: &str, language: Language) -> Vec<Range> {
    if is_component(language) {
        components::scripts(source, language).1
    } else {
        Vec::new()
    }
}
