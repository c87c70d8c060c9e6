//! The outline of a content: its definitions and chunks, and the heads of its modules.

use serde::{Deserialize, Serialize};
use whyrank_syntax::{Chunk, ChunkKind, Span, Symbol, SymbolKind};

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
        module_heads(self)
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

/// The head of a module that may be opened again elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleHead {
    /// Its chunk in the content.
    pub chunk: u32,
    /// The module's qualified name.
    pub qualified: String,
    /// Bytes of the chunk.
    pub n_bytes: u32,
}

/// Heads of modules and namespaces in a content, by chunk.
pub(crate) fn module_heads(outline: &Outline) -> Vec<ModuleHead> {
    let head = |(at, chunk): (u32, &whyrank_syntax::Chunk)| {
        let symbol = outline.symbols.get(chunk.symbol? as usize)?;
        let is_head = chunk.span.end_line - chunk.span.start_line < HEAD_LINES;
        (is_head && opens_again(symbol.kind)).then(|| ModuleHead {
            chunk: at,
            qualified: symbol.qualified.clone(),
            n_bytes: chunk.span.end_byte - chunk.span.start_byte,
        })
    };
    (0u32..).zip(&outline.chunks).filter_map(head).collect()
}

/// Lines that a module's head has at most when it holds nothing else.
pub(super) const HEAD_LINES: u32 = 3;

/// Says whether a definition of this kind may be opened again elsewhere.
pub fn opens_again(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Module | SymbolKind::Namespace)
}
