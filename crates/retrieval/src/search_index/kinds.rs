//! Names of kinds as people, agents and filters write them.

use whyrank_syntax::{ChunkKind, ReferenceKind, Symbol, SymbolKind};

/// Returns a definition's kind in one word.
pub fn kind_name(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Function => "function",
        SymbolKind::Method => "method",
        SymbolKind::Constructor => "constructor",
        SymbolKind::Class => "class",
        SymbolKind::Struct => "struct",
        SymbolKind::Enum => "enum",
        SymbolKind::Interface => "interface",
        SymbolKind::Trait => "trait",
        SymbolKind::Impl => "impl",
        SymbolKind::TypeAlias => "type",
        SymbolKind::Module => "module",
        SymbolKind::Namespace => "namespace",
        SymbolKind::Macro => "macro",
        SymbolKind::Constant => "constant",
        SymbolKind::Variable => "variable",
        SymbolKind::Field => "field",
        SymbolKind::EnumMember => "enum-member",
        SymbolKind::Property => "property",
        SymbolKind::Section => "section",
    }
}

/// What [`kind_name`] can be: the kinds of definitions, those that are asked for most first.
pub const SYMBOL_KINDS: [&str; 19] = [
    "function",
    "method",
    "class",
    "struct",
    "enum",
    "interface",
    "trait",
    "type",
    "constant",
    "variable",
    "field",
    "property",
    "constructor",
    "macro",
    "module",
    "namespace",
    "impl",
    "enum-member",
    "section",
];

/// What a chunk is called that is no definition.
pub const CHUNK_KINDS: [&str; 2] = ["doc", "code"];

/// Returns a chunk's kind in one word: its definition's, or what it holds.
pub fn chunk_kind_name(kind: ChunkKind, symbol: Option<&Symbol>) -> &'static str {
    match (symbol, kind) {
        (Some(symbol), _) => kind_name(symbol.kind),
        (None, ChunkKind::Doc) => "doc",
        (None, _) => "code",
    }
}

/// What [`reference_name`] can be.
pub const REFERENCE_KINDS: [&str; 9] = [
    "call",
    "read",
    "write",
    "type",
    "import",
    "re-export",
    "inherit",
    "decorator",
    "mention",
];

/// Returns a reference's kind in one word.
pub fn reference_name(kind: ReferenceKind) -> &'static str {
    match kind {
        ReferenceKind::Call => "call",
        ReferenceKind::Read => "read",
        ReferenceKind::Write => "write",
        ReferenceKind::Type => "type",
        ReferenceKind::Import => "import",
        ReferenceKind::ReExport => "re-export",
        ReferenceKind::Inherit => "inherit",
        ReferenceKind::Decorator => "decorator",
        ReferenceKind::Mention => "mention",
    }
}
