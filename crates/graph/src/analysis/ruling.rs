//! The verdict on one place that bears a definition's name.
//!
//! Everything that says "unused", "dead" or "none means it" reads these: a place is ruled out only by a ruling
//! other than [`Ruling::Used`] and [`Ruling::Unsettled`], each of which says what the place means in place of
//! the definition.

use crate::{analysis::mentions::MentionFile, input::files::SymbolId};

/// Meaning of a place that bears a definition's name, as seen from that definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// Resolved to the definition, and a use of it.
    Used,
    /// May mean the definition; the words say why, up to the place.
    Unsettled(String),
    /// Part of the definition itself: its head, its body, or a member of the type.
    Own,
    /// An import or re-export, which alone uses nothing.
    Imported,
    /// The head of another definition of the name.
    Defines,
    /// Resolved to another definition.
    ResolvedElsewhere(SymbolId),
    /// Resolved to a module or a file.
    Module,
    /// What stands before it, or the name itself, comes from outside of the checkout.
    Outside(String),
    /// A binding in scope hides the definition: a local, a parameter.
    Shadowed,
    /// Nothing brings the definition's name into this scope.
    NotInScope,
    /// The definition cannot be seen from there: it is private to a type, a file or a package.
    OutOfReach,
    /// The language has no such use there: a member without a receiver, a function without brackets.
    NoSuchUse,
    /// Code of a language that cannot name what the definition's language defines.
    OtherLanguage,
    /// A word of a message, the path of an import.
    NotCode,
    /// A comment or a documentation string.
    Comment,
}

impl Ruling {
    /// Says whether the place may mean the definition.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Used | Self::Unsettled(_))
    }

    /// The reason of a place that may mean the definition, to be followed by the place; none where it is
    /// ruled out.
    pub(crate) fn doubt(&self) -> Option<&str> {
        match self {
            Self::Used => Some("used at"),
            Self::Unsettled(why) => Some(why),
            _ => None,
        }
    }

    /// `None` becomes what rules the place out otherwise.
    pub(crate) fn unsettled_or(why: Option<&str>, otherwise: Self) -> Self {
        why.map_or(otherwise, |why| Self::Unsettled(why.to_owned()))
    }
}

/// A place that bears a definition's name, ruled on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuledPlace {
    /// Its file.
    pub file: MentionFile,
    /// Line, from 1.
    pub line: u32,
    /// The definitions around it, innermost first.
    pub within: Vec<SymbolId>,
    /// What it means.
    pub ruling: Ruling,
}
