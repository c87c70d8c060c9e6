//! The names of a content's definitions, packed: what a search reads of them before it looks at the file.

use super::outline::Outline;
use whyrank_syntax::{Symbol, SymbolKind};

/// In the order of their codes.
const KINDS: [SymbolKind; 19] = [
    SymbolKind::Function,
    SymbolKind::Method,
    SymbolKind::Constructor,
    SymbolKind::Class,
    SymbolKind::Struct,
    SymbolKind::Enum,
    SymbolKind::Interface,
    SymbolKind::Trait,
    SymbolKind::Impl,
    SymbolKind::TypeAlias,
    SymbolKind::Module,
    SymbolKind::Namespace,
    SymbolKind::Macro,
    SymbolKind::Constant,
    SymbolKind::Variable,
    SymbolKind::Field,
    SymbolKind::EnumMember,
    SymbolKind::Property,
    SymbolKind::Section,
];
const EXPORTED: u8 = 0x80;

fn code(symbol: &Symbol) -> u8 {
    let at = KINDS.iter().position(|kind| *kind == symbol.kind);
    at.unwrap_or_default() as u8 | if symbol.exported { EXPORTED } else { 0 }
}

pub(super) fn pack_definitions(outline: &Outline) -> Vec<u8> {
    let symbols = &outline.symbols;
    let chunks = outline.landing_chunks();
    let mut packed = (symbols.len() as u32).to_le_bytes().to_vec();
    let mut end = 0u32;
    for symbol in symbols {
        end += symbol.name.len() as u32;
        packed.extend(end.to_le_bytes());
    }
    packed.extend(symbols.iter().map(code));
    for chunk in chunks {
        packed.extend(chunk.map_or(0, |chunk| chunk + 1).to_le_bytes());
    }
    packed.extend(symbols.iter().flat_map(|symbol| symbol.name.as_bytes()));
    packed
}

/// What a search reads of a definition before it looks at the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedSymbol<'a> {
    /// The bare name.
    pub name: &'a str,
    /// What it is.
    pub kind: SymbolKind,
    /// Others can see it.
    pub exported: bool,
    /// The chunk in which a reader of it should land; none for a definition outside of all.
    pub chunk: Option<u32>,
}

/// The names of a content's definitions.
#[derive(Clone, Debug)]
pub struct FileNames {
    bytes: Vec<u8>,
    n: usize,
}

impl FileNames {
    /// From what the file says, where no segment has it.
    pub fn of(outline: &Outline) -> Self {
        Self {
            n: outline.symbols.len(),
            bytes: pack_definitions(outline),
        }
    }

    pub(super) fn unpack(bytes: &[u8]) -> Option<Self> {
        let bytes = lz4_flex::decompress_size_prepended(bytes).ok()?;
        let n = u32::from_le_bytes(*bytes.first_chunk()?) as usize;
        let names = Self { bytes, n };
        let is_whole = names.bytes.len() == names.text_start() + names.end_of(n)?;
        is_whole.then_some(names)
    }

    /// Number of definitions.
    pub fn len(&self) -> usize {
        self.n
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// A definition, by its number in the file's outline.
    pub fn get(&self, symbol: u32) -> Option<NamedSymbol<'_>> {
        let at = symbol as usize;
        let (start, end) = (self.end_of(at)?, self.end_of(at + 1)?);
        let text = self.text_start();
        let name = self.bytes.get(text + start..text + end)?;
        let code = *self.bytes.get(4 + 4 * self.n + at)?;
        Some(NamedSymbol {
            name: std::str::from_utf8(name).ok()?,
            kind: *KINDS.get(usize::from(code & !EXPORTED))?,
            exported: code & EXPORTED != 0,
            chunk: self.number(4 + 5 * self.n + 4 * at)?.checked_sub(1),
        })
    }

    fn number(&self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(*self.bytes.get(at..)?.first_chunk()?))
    }

    fn text_start(&self) -> usize {
        4 + 9 * self.n
    }

    /// Where the first `n` names end.
    fn end_of(&self, n: usize) -> Option<usize> {
        match n {
            0 => Some(0),
            n if n <= self.n => self.number(4 * n).map(|end| end as usize),
            _ => None,
        }
    }
}
