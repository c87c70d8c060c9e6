//! Where a name stands as a word.
//!
//! The caller reads the texts: this module only says what it wants to know of them. What it rules out, it
//! rules out for certain.

use std::collections::{HashMap, HashSet};

use whyrank_syntax::{Word, WordJoint, WordPlace};

/// A place where a name stands as a whole word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The file.
    pub file: MentionFile,
    /// Line, from 1.
    pub line: u32,
    /// Byte column in the line, from 0.
    pub column: u32,
    /// What it is part of.
    pub place: WordPlace,
    /// What joins it to what comes before it.
    pub joint: WordJoint,
    /// An opening bracket or brace follows.
    pub is_called: bool,
}

/// The file of a mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MentionFile {
    /// Index in the view.
    Indexed(u32),
    /// Path of a file that the index leaves out.
    LeftOut(String),
}

/// What the texts of a checkout say about the names asked for.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    /// All places of each name; one that stands nowhere has no entry.
    pub places: HashMap<String, Vec<Mention>>,
    /// Parts that code puts names together with.
    pub parts: Vec<NamePartAt>,
    /// Files read.
    pub n_files: usize,
    /// Files of the view that could be parsed only in part.
    pub partly_parsed: HashSet<u32>,
}

impl Mentions {
    /// Adds a word of a file to the places of its name.
    pub fn add(&mut self, file: MentionFile, word: &Word<'_>) {
        let mention = Mention {
            file,
            line: word.line,
            column: word.column,
            place: word.place,
            joint: word.joint,
            is_called: word.is_called,
        };
        match self.places.get_mut(word.text) {
            Some(known) => known.push(mention),
            None => {
                self.places.insert(word.text.to_owned(), vec![mention]);
            }
        }
    }
}

/// A part of names that code puts together: `visit_` in `getattr(self, f"visit_{kind}")`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePartAt {
    /// The part.
    pub text: String,
    /// It begins the names; else it ends them.
    pub is_prefix: bool,
    /// Index of the file in the view.
    pub file: u32,
}

impl NamePartAt {
    pub(crate) fn may_make(&self, name: &str) -> bool {
        let n_letters = self
            .text
            .chars()
            .filter(|char| char.is_alphabetic())
            .count();
        let Some(rest) = (match self.is_prefix {
            true => name.strip_prefix(self.text.as_str()),
            false => name.strip_suffix(self.text.as_str()),
        }) else {
            return false;
        };
        // `on` begins `onClick`, and not `only`.
        let is_apart = n_letters > 2
            || self.text.ends_with('_')
            || !rest.starts_with(|char: char| char.is_lowercase());
        !rest.is_empty() && (is_apart || !self.is_prefix)
    }
}

/// Reads the texts of a checkout for names.
pub type ReadMentions<'m> = dyn Fn(&HashSet<&str>) -> Mentions + 'm;

/// The word of a definition's name that is looked for: `foo?` and `foo=` are `foo` to a reader of
/// words; an operator is none.
pub(crate) fn word_of(name: &str) -> Option<&str> {
    // JavaScript: the mark of a private name is no part of the word.
    let word = name.strip_prefix('#').unwrap_or(name);
    let word = word.trim_end_matches(['?', '!', '=']);
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    (!word.is_empty() && word.chars().all(is_part)).then_some(word)
}
