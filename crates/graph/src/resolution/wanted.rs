//! The kinds of definitions that a name can mean by its place: a call means no field, a type no function.

use whyrank_syntax::{Reference, ReferenceKind, SymbolKind, name_rules};

/// What a bare name can mean where it stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Any,
    /// What is called: no field.
    Called,
    /// What is read or set: no function.
    Value,
    Type,
    Function,
    Constant,
    Field,
}

impl Wanted {
    /// Java: a field is never called, and a function never meant without its brackets. PHP: the place tells
    /// a type from a function, and a constant from a property.
    pub(crate) fn of(language: &str, reference: &Reference) -> Self {
        let rules = name_rules(language);
        if rules.kinds_are_apart {
            return Self::by_place(reference);
        }
        match reference.kind {
            _ if !(rules.functions_need_brackets && rules.members_are_in_scope) => Self::Any,
            ReferenceKind::Call => Self::Called,
            ReferenceKind::Read | ReferenceKind::Write => Self::Value,
            _ => Self::Any,
        }
    }

    fn by_place(reference: &Reference) -> Self {
        let before = reference.qualifier.as_str();
        match reference.kind {
            ReferenceKind::Call if reference.is_made() => Self::Type,
            ReferenceKind::Type | ReferenceKind::Inherit | ReferenceKind::Decorator => Self::Type,
            ReferenceKind::Call => Self::Function,
            ReferenceKind::Read | ReferenceKind::Write => match before.is_empty() {
                true => Self::Constant,
                false if before.ends_with(['\\', ':']) => Self::Constant,
                // The member of a trait that gets another name.
                false
                    if before
                        .chars()
                        .all(|c| c.is_alphanumeric() || "_\\".contains(c)) =>
                {
                    Self::Any
                }
                false => Self::Field,
            },
            _ => Self::Any,
        }
    }

    pub(crate) fn keeps(self, kind: SymbolKind) -> bool {
        match self {
            Self::Any => true,
            Self::Type => kind.has_members(),
            Self::Function => kind.is_callable(),
            Self::Constant => matches!(kind, SymbolKind::Constant | SymbolKind::EnumMember),
            Self::Field => kind == SymbolKind::Field,
            Self::Called => kind.is_callable() || kind.has_members(),
            Self::Value => !kind.is_callable(),
        }
    }
}
