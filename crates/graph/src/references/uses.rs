//! The uses of one file: what they mean, and what that rests on.

use serde::{Deserialize, Serialize};
use whyrank_syntax::ReferenceKind;

use crate::{input::files::SymbolId, resolution::export_fingerprint::FileFingerprint};

/// A file's uses, and what they rest on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileUses {
    pub(crate) path: String,
    /// By position.
    pub(crate) uses: Vec<Use>,
    /// Use and definition, for uses that scope, imports or types lead to one; by use.
    pub(crate) targets: Vec<(u32, SymbolId)>,
    /// Use and name, for uses that only their name speaks for; by use.
    pub(crate) open: Vec<(u32, u32)>,
    pub(crate) names: Vec<String>,
    /// Definition and name, for bases that the view does not define; the name with what comes before it.
    pub(crate) outer_bases: Vec<(u32, String)>,
    /// Not read by a question, and stored by itself.
    #[serde(skip)]
    pub(crate) basis: Basis,
}

/// What a file's uses rest on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Basis {
    /// Which content they were made from; 0 for one that nothing names.
    pub(crate) content: u64,
    /// Digest of where its imports lead.
    pub(crate) edges: u64,
    /// What was looked up in other files, as sorted keys.
    pub(crate) lookups: Vec<u32>,
    pub(crate) fingerprint: FileFingerprint,
    /// Names and the names that its imports and exports give to them, in order.
    pub(crate) aliases: Vec<(String, String)>,
}

/// What tells whether a file is the one it was.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileHead {
    /// Of its path.
    pub(super) mark: u64,
    pub(super) content: u64,
    pub(super) edges: u64,
}

impl FileUses {
    /// Its uses with where they lead; one that may mean several definitions comes once for each.
    pub(crate) fn edges(&self, file: u32) -> impl Iterator<Item = UseEdge<'_>> {
        let edge = move |at: u32, target| {
            let found = self.uses.get(at as usize)?;
            Some(UseEdge {
                file,
                enclosing: found.enclosing,
                line: found.line,
                target,
                kind: found.kind,
                bare: found.bare,
            })
        };
        let targets = self.targets.iter();
        let resolved = targets.filter_map(move |(at, id)| edge(*at, Target::Definition(*id)));
        let open = self.open.iter().filter_map(move |(at, name)| {
            let name = self.names.get(*name as usize)?;
            edge(*at, Target::Name(name))
        });
        resolved.chain(open)
    }

    /// The names that are read as values, with the keys that they stand behind.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value<'_>> {
        let uses = (0u32..).zip(&self.uses);
        let values = uses.filter(|(_, found)| found.kind == ReferenceKind::Read);
        values.map(|(at, found)| Value {
            enclosing: found.enclosing,
            targets: self.targets_of(at),
            name: self.open_name(at),
            key: at.checked_sub(1).and_then(|before| self.key(before, found)),
        })
    }

    fn targets_of(&self, at: u32) -> &[(u32, SymbolId)] {
        let start = self.targets.partition_point(|(other, _)| *other < at);
        let end = self.targets.partition_point(|(other, _)| *other <= at);
        &self.targets[start..end]
    }

    fn open_name(&self, at: u32) -> Option<&str> {
        let found = self.open.binary_search_by_key(&at, |(other, _)| *other);
        let (_, name) = self.open[found.ok()?];
        self.names.get(name as usize).map(String::as_str)
    }

    /// The key that a use is, where it is written right before another on its line.
    fn key(&self, at: u32, value: &Use) -> Option<Key<'_>> {
        let found = self.uses.get(at as usize)?;
        let is_key = found.kind == ReferenceKind::Write && found.line == value.line;
        let key = match self.targets_of(at) {
            [(_, id), ..] => Some(Key::Field(*id)),
            [] => self.open_name(at).map(Key::Name),
        };
        key.filter(|_| is_key)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Use {
    pub(crate) line: u32,
    pub(crate) kind: ReferenceKind,
    pub(crate) enclosing: Option<u32>,
    /// Nothing stands before the name.
    pub(crate) bare: bool,
}

/// A use: index of the file, index in its uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct UseAt {
    pub(crate) file: u32,
    pub(crate) at: u32,
}

/// A use, seen as an edge from the definition around it.
#[derive(Clone, Copy, Debug)]
pub struct UseEdge<'a> {
    /// The file of the use.
    pub file: u32,
    /// The definition around it; none for code that runs when the file is loaded.
    pub enclosing: Option<u32>,
    /// Line of the use.
    pub line: u32,
    /// Where it leads.
    pub target: Target<'a>,
    /// What it does.
    pub kind: ReferenceKind,
    /// Nothing stands before the name.
    pub bare: bool,
}

/// A name that is read as a value: of a function, where a table is filled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'a> {
    pub(crate) enclosing: Option<u32>,
    /// The definitions that it leads to, behind the index of the use.
    pub(crate) targets: &'a [(u32, SymbolId)],
    /// The name, where nothing else speaks.
    pub(crate) name: Option<&'a str>,
    /// The key right before it: the field that it is written to.
    pub(crate) key: Option<Key<'a>>,
}

/// The field that a key of a literal means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Key<'a> {
    Field(SymbolId),
    Name(&'a str),
}

/// Where a use leads.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// To this definition, by scope, imports or types.
    Definition(SymbolId),
    /// To a definition of this name: nothing else speaks.
    Name(&'a str),
}
