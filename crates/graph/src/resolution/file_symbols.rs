//! What a table of definitions keeps of each: a view may have millions.

use rustc_hash::FxHashMap;
use whyrank_syntax::{Symbol, SymbolKind};

/// The definitions of a file.
#[derive(Debug, Default)]
pub(crate) struct FileSymbols {
    pub(super) entries: Box<[SymbolEntry]>,
    /// Parts of qualified names before the last, as the definitions have them; none is first.
    owners: Box<[Vec<String>]>,
}

/// A definition; a view may have millions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SymbolEntry {
    /// The parts of the qualified name before the last, among those of the file.
    owners: u32,
    pub(super) lines: (u32, u32),
    pub(super) name_line: u32,
    /// The type that it constructs; [`NO_TYPE`] for none.
    pub(super) made: u32,
    pub(super) order: u8,
    pub(super) exported: bool,
}

pub(super) const NO_TYPE: u32 = u32::MAX;

const _: () = assert!(size_of::<SymbolEntry>() == 24);

impl FileSymbols {
    pub(super) fn new(symbols: &[Symbol]) -> Self {
        let mut owners = vec![Vec::new()];
        let mut known: FxHashMap<Vec<String>, u32> = FxHashMap::default();
        let mut owners_at = |symbol: &Symbol| {
            let found = owners_of(symbol);
            if found.is_empty() {
                return 0;
            }
            *known.entry(found).or_insert_with_key(|found| {
                owners.push(found.clone());
                owners.len() as u32 - 1
            })
        };
        let entry = |symbol: &Symbol| {
            let parent = symbol
                .parent
                .and_then(|parent| symbols.get(parent as usize));
            let local = parent.is_some_and(|parent| parent.kind.is_callable());
            let made = symbol
                .parent
                .filter(|_| symbol.kind == SymbolKind::Constructor);
            SymbolEntry {
                owners: owners_at(symbol),
                lines: (symbol.span.start_line, symbol.span.end_line),
                name_line: symbol.name_line,
                made: made.unwrap_or(NO_TYPE),
                order: order(symbol.kind) + u8::from(local && symbol.kind == SymbolKind::Variable),
                exported: symbol.exported,
            }
        };
        Self {
            entries: symbols.iter().map(entry).collect(),
            owners: owners.into(),
        }
    }

    /// The parts of a definition's qualified name before the last.
    pub(super) fn owners(&self, symbol: u32) -> &[String] {
        &self.owners[self.entries[symbol as usize].owners as usize]
    }
}

/// The parts of a qualified name before the last.
fn owners_of(symbol: &Symbol) -> Vec<String> {
    // Most definitions of C have none.
    let is_plain = |name: &str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    if symbol.qualified == symbol.name && is_plain(&symbol.name) {
        return Vec::new();
    }
    let mut owners = parts(&symbol.qualified);
    owners.pop();
    owners
}

/// What a reader who asks for a name wants first.
fn order(kind: SymbolKind) -> u8 {
    match kind {
        SymbolKind::Section => 4,
        SymbolKind::Impl => 3,
        SymbolKind::Module | SymbolKind::Namespace => 2,
        SymbolKind::Field | SymbolKind::Property | SymbolKind::EnumMember => 1,
        _ => 0,
    }
}

/// The parts of a qualified name, without generics, calls and receivers' stars.
pub(crate) fn parts(qualified: &str) -> Vec<String> {
    let mut plain = String::with_capacity(qualified.len());
    let mut depth = 0u32;
    for c in qualified.chars() {
        match c {
            '<' => depth += 1,
            '>' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            ':' | '#' | '/' | '\\' | '>' | '-' => plain.push('.'),
            '(' | ')' | '*' | '&' | ' ' => {}
            c => plain.push(c),
        }
    }
    plain
        .split('.')
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}
