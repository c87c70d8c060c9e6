//! tree-sitter definitions, references, imports and chunks, with a regex fallback.

mod types;

pub use types::{
    Chunk, ChunkKind, FileFacts, HighlightClass, HighlightSpan, Import, ImportKind, ImportedName,
    Reference, ReferenceKind, Span, Symbol, SymbolKind, SyntaxError,
};

/// Part of the compatibility hash: what this crate says of a file changes with it.
pub const SYNTAX_VERSION: u32 = 1;
