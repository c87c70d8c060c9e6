//! Names of kinds as people, agents and filters write them.

use whyrank_syntax::{ReferenceKind, SymbolKind};

/// A definition's kind in one word.
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

/// A reference's kind in one word.
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
