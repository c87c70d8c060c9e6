//! The definitions of a file with its text, and the names that its functions keep for themselves.

use super::SymbolLine;

/// A definition, and what stands around it.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlinedSymbol {
    /// The definition.
    pub line: SymbolLine,
    /// First and last line of its comment.
    pub doc: Option<(u32, u32)>,
    /// The definition around it, as an index into those of the file.
    pub parent: Option<u32>,
}

/// The definitions of a file, and the text whose lines they name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileOutline {
    /// The language; empty where none is known.
    pub language: String,
    /// The text that was read.
    pub text: String,
    /// The definitions, outer before inner.
    pub symbols: Vec<OutlinedSymbol>,
}

/// A place at which a name means a parameter or a variable of the function around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalPlace {
    /// First byte of the text.
    pub start: usize,
    /// Byte behind the last.
    pub end: usize,
    /// The same number at all places that mean the same thing, and at no other.
    pub binding: u32,
    /// It declares what it names.
    pub declares: bool,
    /// It gives it a value.
    pub sets: bool,
}
