//! tree-sitter definitions, references, imports and chunks, with a pattern fallback.
//!
//! In: the text of one file and its language. Out: [`FileFacts`], highlights, identifier parts.
//! Nothing here reads a clock, a file or the network; the same input gives the same facts.

mod types;

mod language;
mod lines;

mod analyze;
mod bindings;
mod blanked;
mod family;
mod grammars;
mod locals;
mod name_rules;
mod notebook;
mod package_head;
mod parse;
mod parser_memory;
mod recovery;
mod scoping;
mod spec;
mod tables;
mod type_hints;
mod walk;

mod languages;

mod fallback;
mod lexical;
mod line_patterns;
mod markdown;

mod chunks;
mod comments;
mod components;
mod crowd;
mod heads;
mod name_parts;
pub mod spaceless;
mod words;

mod highlight;
mod identifier;

mod structural;

pub use analyze::{analyze, local_names};
pub use bindings::LocalName;
pub use comments::comments;
pub use components::is_component;
pub use family::Family;
pub use heads::head_words;
pub use highlight::highlight;
pub use identifier::{identifier_parts, is_identifier_like};
pub use language::{Language, detect};
pub use languages::name_rules;
pub use name_parts::{NamePart, name_parts};
pub use name_rules::{BareMembers, NameRules, OverrideWord};
pub use structural::{
    Binding, PatternError, StructuralMatch, StructuralMatches, StructuralPattern, grammar_of,
    languages_named, structural_grammar, structural_language_names, structural_languages,
};
pub use types::{
    ArgumentSign, CHOICE, Chunk, ChunkKind, FileFacts, HighlightClass, HighlightSpan, HintKind,
    IN_TEXT, Import, ImportKind, ImportedName, Local, MACRO_ITEMS, OPEN, OR, OUTER_PACKAGE,
    PACKAGE, RECEIVER, Reference, ReferenceKind, SET, Span, Symbol, SymbolKind, SyntaxError,
    TESTED,
};
pub use words::{Word, WordJoint, WordPlace, words};

/// Part of the compatibility hash: what this crate says about a file changes with it.
pub const SYNTAX_VERSION: u32 = 26;
