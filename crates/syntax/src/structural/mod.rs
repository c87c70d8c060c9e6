//! Structural search: a pattern is code with metavariables, and is compared with syntax trees.
//!
//! `$X` matches one node, `$$$ARGS` any number, `$_` and `$$$` for what nobody asks for; the
//! same name means the same text. A pattern is parsed by the grammar of its language, with
//! identifiers in place of metavariables, in every surrounding in which it could stand.
//!
//! What is compared and what not: named nodes and the tokens that the pattern writes must be there.
//! Comments, commas, semicolons and the kind of quotes are not compared, nor modifiers, decorators,
//! type annotations, type parameters and base classes that the pattern does not write.
//!
//! Patterns and files may be hostile: steps are counted, recursion goes as deep as the pattern,
//! never as deep as the file.

mod compile;
mod error;
mod grammar;
mod matcher;
mod metavariables;
mod shape;

pub use error::PatternError;
pub use matcher::{Binding, StructuralMatch};

use crate::language::Language;
use crate::languages;
use crate::parse::parse;
use crate::vue;
use matcher::Matcher;
use shape::Root;
use tree_sitter::{Range, Tree};

/// Larger files are not searched.
const MAX_BYTES: usize = 1_000_000;

/// A pattern, made for one grammar.
#[derive(Debug)]
pub struct StructuralPattern {
    language: Language,
    roots: Vec<Root>,
    names: Vec<String>,
    rules: grammar::Rules,
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StructuralMatches {
    /// By position, outer before inner.
    pub matches: Vec<StructuralMatch>,
    /// False when the file was too large, or the search was stopped or took too many steps.
    pub complete: bool,
}

impl StructuralPattern {
    /// Reads a pattern as code of `language`, which has a grammar ([`structural_grammar`]).
    ///
    /// # Errors
    /// Why it is no pattern of that language, and what to write instead.
    pub fn new(text: &str, language: Language) -> Result<Self, PatternError> {
        compile::compile(text, language)
    }

    /// Returns the language that it is written in.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Says whether the text holds the words that every match holds. Costs a scan of the text.
    pub fn may_match(&self, source: &str) -> bool {
        self.roots
            .iter()
            .any(|root| root.words.iter().all(|word| source.contains(word.as_str())))
    }

    /// Returns every place in a file of this pattern's grammar that it matches, nested ones too.
    ///
    /// `source` is a file of `language`: for Vue and Svelte the scripts are searched. `stop` is
    /// asked from time to time. Costs a parse, and a step for each node and comparison.
    pub fn search(
        &self,
        source: &str,
        language: Language,
        stop: &dyn Fn() -> bool,
    ) -> StructuralMatches {
        let Some(tree) = self.tree(source, language) else {
            return StructuralMatches::default();
        };
        Matcher::new(self, source, stop).run(&tree)
    }

    fn tree(&self, source: &str, language: Language) -> Option<Tree> {
        if source.len() > MAX_BYTES {
            return None;
        }
        let (_, tables) = languages::spec_of(self.language)?;
        let ranges = scripts(source, language);
        parse(source, tables, &ranges)
    }
}

fn scripts(source: &str, language: Language) -> Vec<Range> {
    if is_component(language) {
        vue::scripts(source).1
    } else {
        Vec::new()
    }
}

fn is_component(language: Language) -> bool {
    matches!(language.name(), "vue" | "svelte")
}

/// Returns the language whose grammar reads a file: its own, or that of its scripts. None where
/// there is no grammar.
pub fn structural_grammar(source: &str, language: Language) -> Option<Language> {
    if is_component(language) {
        let (name, ranges) = vue::scripts(source);
        return (!ranges.is_empty()).then(|| Language::from_name(name))?;
    }
    languages::spec_of(language).map(|_| language)
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
    let components = ["vue", "svelte"];
    languages::names().chain(components).collect()
}
