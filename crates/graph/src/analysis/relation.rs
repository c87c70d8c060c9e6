//! Relations between definitions.

use whyrank_syntax::ReferenceKind;

/// Why two nodes are next to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// The one calls the other, or is decorated with it.
    Call,
    /// The other is a member of the one.
    Member,
    /// The one reads or writes the other.
    Reference,
    /// The one inherits from the other or implements it.
    Inherit,
    /// The one names the other as a type.
    Type,
    /// The one is a file, the other stands in it at its top.
    Module,
    /// Both are files, and the one imports the other.
    Import,
}

impl Relation {
    pub(crate) const ALL: [Self; 7] = [
        Self::Call,
        Self::Member,
        Self::Reference,
        Self::Inherit,
        Self::Type,
        Self::Module,
        Self::Import,
    ];

    /// How near it brings two nodes.
    pub(crate) fn weight(self) -> f32 {
        match self {
            Self::Call => 1.0,
            Self::Member => 0.9,
            Self::Reference => 0.8,
            Self::Inherit => 0.7,
            Self::Type => 0.6,
            // In and out of the hub, 0.3 together.
            Self::Module | Self::Import => 0.15,
        }
    }

    pub(crate) fn of(kind: ReferenceKind) -> Option<Self> {
        match kind {
            ReferenceKind::Call | ReferenceKind::Decorator => Some(Self::Call),
            ReferenceKind::Read | ReferenceKind::Write => Some(Self::Reference),
            ReferenceKind::Inherit => Some(Self::Inherit),
            ReferenceKind::Type => Some(Self::Type),
            ReferenceKind::Import | ReferenceKind::ReExport | ReferenceKind::Mention => None,
        }
    }
}

pub(crate) const AGAINST: u8 = 0x80;
