//! The meaning of an expression or a name, and the place of its use.

use whyrank_syntax::Reference;

use crate::input::files::SymbolId;

/// The meaning of an expression or a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// These definitions themselves.
    Definitions(Vec<SymbolId>),
    /// A value of one of these types.
    Instances(Vec<SymbolId>),
    /// A value from outside that holds values of one of these types.
    Elements(Vec<SymbolId>),
    /// These files as modules.
    Modules(Vec<u32>),
    /// Something that is not in the view.
    External,
    /// Nothing says.
    Unknown,
}

impl Resolution {
    /// What is told of a name as a whole: these definitions, or that it comes from outside.
    pub(crate) fn told(ids: Vec<SymbolId>) -> Self {
        match ids.is_empty() {
            true => Self::External,
            false => Self::Definitions(ids),
        }
    }
}

/// Grounds on which a value was found to be of its types: others may come with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RestsOn {
    /// It may hold something else on another way through the program.
    pub(crate) one_of_several: bool,
    /// A declaration states its type; nothing tells what was put there.
    pub(crate) statement: bool,
}

impl RestsOn {
    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            one_of_several: self.one_of_several || other.one_of_several,
            statement: self.statement || other.statement,
        }
    }
}

/// The expression before a dot.
#[derive(Clone, Copy)]
pub(crate) struct Receiver<'r> {
    /// Its text, or the name that it ends with.
    pub(crate) text: &'r str,
    pub(crate) meaning: &'r Resolution,
}

/// Where a name is used.
#[derive(Clone, Copy)]
pub(crate) struct UseSite {
    pub(crate) file: u32,
    pub(crate) enclosing: Option<u32>,
    /// The line; 0 where no local can be meant.
    pub(crate) line: u32,
    /// Byte column in the line.
    pub(crate) column: u32,
    /// Locals from this index on are declared later.
    pub(crate) before: u32,
}

impl UseSite {
    /// The place of a use.
    pub(crate) fn of(file: u32, reference: &Reference) -> Self {
        Self {
            file,
            enclosing: reference.enclosing,
            line: reference.line,
            column: reference.column,
            before: u32::MAX,
        }
    }

    /// Inside a definition, where no local is seen.
    pub(crate) fn inside(file: u32, enclosing: Option<u32>) -> Self {
        Self {
            file,
            enclosing,
            line: 0,
            column: 0,
            before: 0,
        }
    }
}

/// Both, each id once: what is joined again and again must not grow.
pub(crate) fn joined(left: Resolution, right: Resolution) -> Resolution {
    match (left, right) {
        (Resolution::Unknown, other) | (other, Resolution::Unknown) => other,
        (Resolution::External, other) | (other, Resolution::External) => other,
        (Resolution::Definitions(a), Resolution::Definitions(b)) => {
            Resolution::Definitions(united(a, b))
        }
        (Resolution::Instances(a), Resolution::Instances(b)) => Resolution::Instances(united(a, b)),
        (Resolution::Elements(a), Resolution::Elements(b)) => Resolution::Elements(united(a, b)),
        (Resolution::Modules(a), Resolution::Modules(b)) => Resolution::Modules(united(a, b)),
        (first, _) => first,
    }
}

fn united<T: PartialEq>(mut ids: Vec<T>, more: Vec<T>) -> Vec<T> {
    for id in more {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}
