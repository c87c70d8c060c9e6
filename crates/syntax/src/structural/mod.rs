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
mod pattern;
mod searched_languages;
mod shape;

pub use error::PatternError;
pub use matcher::{Binding, StructuralMatch, StructuralMatches};
pub use pattern::StructuralPattern;
pub use searched_languages::{
    grammar_of, languages_named, structural_grammar, structural_language_names,
    structural_languages,
};

use crate::language::Language;
use crate::languages;
use crate::parse::parse;
use matcher::Matcher;
use searched_languages::scripts;
use tree_sitter::Tree;

/// Larger files are not searched.
const MAX_BYTES: usize = 1_000_000;

impl StructuralPattern {
    /// Reads a pattern as code of `language`, which has a grammar ([`structural_grammar`]).
    ///
    /// # Errors
    /// Why it is no pattern of that language, and what to write instead.
    pub fn new(text: &str, language: Language) -> Result<Self, PatternError> {
        compile::compile(text, language)
    }

    /// Returns every place in a file of this pattern's grammar that it matches, nested ones too.
    ///
    /// `source` is a file of `language`: for Vue, Svelte and Astro the scripts are searched. `stop` is
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
        let tables = languages::spec_of(self.language)?.tables;
        let ranges = scripts(source, language);
        parse(source, tables, &ranges)
    }
}
