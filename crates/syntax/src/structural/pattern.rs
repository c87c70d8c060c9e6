//! A pattern that was read.

use super::grammar::Rules;
use super::shape::Root;
use crate::language::Language;

/// A pattern, made for one grammar.
#[derive(Debug)]
pub struct StructuralPattern {
    pub(super) language: Language,
    pub(super) roots: Vec<Root>,
    pub(super) names: Vec<String>,
    pub(super) rules: Rules,
}

impl StructuralPattern {
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
}
