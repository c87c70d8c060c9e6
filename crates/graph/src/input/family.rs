//! Languages that share rules for imports and scopes, and what their definitions hold.

pub(crate) use whyrank_syntax::Family;
use whyrank_syntax::SymbolKind;

/// Says whether a definition of this kind belongs to a type.
pub(crate) fn is_member(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Method
            | SymbolKind::Constructor
            | SymbolKind::Field
            | SymbolKind::EnumMember
            | SymbolKind::Property
    )
}

/// Says whether a definition of this kind has members.
pub(crate) fn has_members(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Class
            | SymbolKind::Struct
            | SymbolKind::Enum
            | SymbolKind::Interface
            | SymbolKind::Trait
            | SymbolKind::Impl
            | SymbolKind::TypeAlias
    )
}
