//! What the catalog takes and gives: contents, views and their files.

use crate::names::ModuleHead;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use whyrank_source::{BlobId, SkippedFile};
use whyrank_syntax::{Chunk, ChunkKind, Import, Local, Reference, Span, Symbol, SymbolKind};

/// What a view is of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ViewKey {
    /// A working tree, by the path of its root.
    Worktree(String),
    /// A commit, by its full id.
    Commit(String),
}

impl ViewKey {
    /// A name for what is kept of a topic of this view, for files.
    pub fn topic(&self, what: &str) -> String {
        let digest = Sha256::digest(format!("{self:?}"));
        format!("{what}-{}", &hex::encode(digest)[..16])
    }

    pub(super) fn columns(&self) -> (&'static str, &str) {
        match self {
            Self::Worktree(root) => ("worktree", root),
            Self::Commit(id) => ("commit", id),
        }
    }
}

/// Definitions and chunks of a content: what every search needs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Outline {
    /// Definitions.
    pub symbols: Vec<Symbol>,
    /// Chunks; chunk `i` has the id `first_chunk + i`.
    pub chunks: Vec<Chunk>,
}

impl Outline {
    /// The chunk in which a reader of a definition should land: its own, or the first around its name.
    pub fn landing_chunk(&self, symbol: u32) -> Option<u32> {
        let name_line = self.symbols.get(symbol as usize)?.name_line;
        let own = self
            .chunks
            .iter()
            .position(|chunk| chunk.symbol == Some(symbol) && chunk.kind != ChunkKind::Residue);
        let around = || {
            self.chunks.iter().position(|chunk| {
                (chunk.span.start_line..=chunk.span.end_line).contains(&name_line)
            })
        };
        own.or_else(around).map(|chunk| chunk as u32)
    }

    /// The same for all definitions. O(definitions + chunks) where chunks follow each other.
    pub(crate) fn landing_chunks(&self) -> Vec<Option<u32>> {
        let chunks = &self.chunks;
        let is_sorted = chunks.is_sorted_by_key(|chunk| chunk.span.start_line)
            && chunks.is_sorted_by_key(|chunk| chunk.span.end_line);
        if !is_sorted {
            let symbols = 0..self.symbols.len() as u32;
            return symbols.map(|symbol| self.landing_chunk(symbol)).collect();
        }
        let around = |symbol: &Symbol| {
            let line = symbol.name_line;
            let at = chunks.partition_point(|chunk| chunk.span.end_line < line);
            let chunk = chunks.get(at)?;
            (chunk.span.start_line <= line).then_some(at as u32)
        };
        let mut landing: Vec<Option<u32>> = self.symbols.iter().map(around).collect();
        // From the last to the first, so that of several chunks of a definition the first stays.
        for (at, chunk) in chunks.iter().enumerate().rev() {
            let own = chunk.symbol.filter(|_| chunk.kind != ChunkKind::Residue);
            if let Some(place) = own.and_then(|symbol| landing.get_mut(symbol as usize)) {
                *place = Some(at as u32);
            }
        }
        landing
    }

    /// Heads of modules and namespaces, by chunk.
    pub fn module_heads(&self) -> Vec<ModuleHead> {
        crate::names::module_heads(self)
    }

    /// Returns an outline without names, in the place of one that cannot be read.
    pub(crate) fn blank(n_chunks: u32, n_symbols: u32) -> Self {
        let span = Span {
            start_line: 1,
            end_line: 1,
            start_byte: 0,
            end_byte: 0,
        };
        let chunk = Chunk {
            kind: ChunkKind::Residue,
            span,
            symbol: None,
            focus_line: 1,
        };
        let symbol = Symbol {
            name: String::new(),
            qualified: String::new(),
            kind: SymbolKind::Section,
            span,
            name_line: 1,
            signature: String::new(),
            doc: None,
            parent: None,
            exported: false,
        };
        Self {
            symbols: vec![symbol; n_symbols as usize],
            chunks: vec![chunk; n_chunks as usize],
        }
    }
}

/// References and imports of a content: what the graph needs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Links {
    /// Uses of names.
    pub references: Vec<Reference>,
    /// Import statements.
    pub imports: Vec<Import>,
    /// Local names that say what they hold.
    pub locals: Vec<Local>,
}

/// A content about to be written.
pub(crate) struct NewContent<'a> {
    pub(crate) blob: BlobId,
    pub(crate) language: &'a str,
    pub(crate) text: &'a str,
    pub(crate) outline: &'a Outline,
    pub(crate) links: &'a Links,
    pub(crate) error: Option<&'a str>,
}

/// A content's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ContentRow {
    pub(crate) content_id: i64,
    pub(crate) first_chunk: u32,
}

/// A view's row.
#[derive(Clone, Debug)]
pub(crate) struct ViewRow {
    pub(crate) view_id: i64,
    pub(crate) title: String,
    pub(crate) commit: Option<String>,
    pub(crate) fingerprint: String,
    pub(crate) version: u64,
    pub(crate) updated_at: i64,
    /// Files that the view has when it is whole; more than it has while it is being built.
    pub(crate) n_expected: u32,
}

/// A file of a view with its content's figures.
#[derive(Clone, Debug)]
pub(crate) struct ViewFileRow {
    pub(crate) path: String,
    pub(crate) content_id: i64,
    pub(crate) language: String,
    pub(crate) first_chunk: u32,
    pub(crate) n_chunks: u32,
    pub(crate) n_symbols: u32,
    pub(crate) n_lines: u32,
    pub(crate) size_bytes: u64,
    pub(crate) mtime_ns: i64,
    pub(crate) blob: BlobId,
    pub(crate) error: Option<String>,
}

/// A file of a view about to be written.
pub(crate) struct NewViewFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) content_id: i64,
    pub(crate) size_bytes: u64,
    pub(crate) mtime_ns: i64,
}

/// Everything about a view that publishing replaces.
pub(crate) struct NewView<'a> {
    pub(crate) key: &'a ViewKey,
    pub(crate) title: &'a str,
    pub(crate) commit: Option<&'a str>,
    pub(crate) fingerprint: &'a str,
    pub(crate) updated_at: i64,
    pub(crate) n_expected: u32,
    pub(crate) files: &'a [NewViewFile<'a>],
    pub(crate) skipped: &'a [SkippedFile],
    pub(crate) graph: NewGraph<'a>,
}

/// What crosses files in a new state of a view.
#[derive(Clone, Copy)]
pub(crate) enum NewGraph<'a> {
    /// Nothing is known yet: the view is being built.
    None,
    /// It is this.
    Made(&'a [u8]),
    /// It is as it was.
    Kept,
}
