//! Edges between types, and between members: what is kept of each, and those of a view in memory.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use whyrank_syntax::SymbolKind;

use crate::input::files::SymbolId;

/// How a type comes by another, or a member by the one it stands in for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Descent {
    /// Implements an interface or a trait, or a function stands in a table's field.
    Implements,
    /// Extends a class, an interface, a trait or a module, or embeds a struct.
    Extends,
    /// Overrides a member of a base.
    Overrides,
}

/// A type or member at the other end of one or more edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relative {
    /// The type, the member, or the definition in which an anonymous type stands.
    pub symbol: SymbolId,
    /// The `impl` block that ties a type to a trait.
    pub block: Option<SymbolId>,
    /// How.
    pub descent: Descent,
    /// Edges on the way, from 1.
    pub depth: u32,
    /// Whether the text states every edge on the way, or a method set fits without doubt.
    pub is_certain: bool,
    /// The line of the head of an anonymous type.
    pub line: Option<u32>,
}

/// An edge between a type and one of its bases, as kept at either end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tie {
    pub(super) other: SymbolId,
    pub(super) block: Option<SymbolId>,
    pub(super) descent: Descent,
    pub(super) is_certain: bool,
    pub(super) line: Option<u32>,
    /// Between a function and the field of a table that it fills.
    pub(super) is_slot: bool,
    /// The file that states it; none for what follows from all files together.
    pub(super) from: Option<u32>,
}

/// The other end of an edge, its block and its line: two edges of a definition with the same say the same.
pub(super) type TieEnd = (SymbolId, Option<SymbolId>, Option<u32>);

impl Tie {
    pub(super) fn end(&self) -> TieEnd {
        (self.other, self.block, self.line)
    }

    /// What is one edge away.
    pub(super) fn relative(&self) -> Relative {
        Relative {
            symbol: self.other,
            block: self.block,
            descent: self.descent,
            depth: 1,
            is_certain: self.is_certain,
            line: self.line,
        }
    }
}

/// Heir, base, block, line and file of an edge.
type TieKey = (
    SymbolId,
    SymbolId,
    Option<SymbolId>,
    Option<u32>,
    Option<u32>,
);

/// The edges of a view, in memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Gathered {
    pub(super) bases: FxHashMap<SymbolId, Vec<Tie>>,
    pub(super) heirs: FxHashMap<SymbolId, Vec<Tie>>,
    /// Where each edge is kept, among the bases of its heir and the heirs of its base.
    kept: FxHashMap<TieKey, (usize, usize)>,
    /// Go: the methods of each type, promoted ones included.
    pub(super) method_sets: MethodSets,
}

impl Gathered {
    /// Adds an edge; the surer of two that say the same stays.
    pub(super) fn tie(&mut self, heir: SymbolId, tie: Tie) {
        if heir == tie.other {
            return;
        }
        let down = Tie { other: heir, ..tie };
        let bases = self.bases.entry(heir).or_default();
        let heirs = self.heirs.entry(tie.other).or_default();
        let key = (heir, tie.other, tie.block, tie.line, tie.from);
        match self.kept.entry(key) {
            Entry::Occupied(known) => {
                let (base, heir) = *known.get();
                bases[base].is_certain |= tie.is_certain;
                heirs[heir].is_certain |= tie.is_certain;
            }
            Entry::Vacant(new) => {
                new.insert((bases.len(), heirs.len()));
                bases.push(tie);
                heirs.push(down);
            }
        }
    }

    pub(super) fn bases(&self, id: SymbolId) -> &[Tie] {
        self.bases.get(&id).map_or(&[], Vec::as_slice)
    }

    pub(super) fn heirs(&self, id: SymbolId) -> &[Tie] {
        self.heirs.get(&id).map_or(&[], Vec::as_slice)
    }
}

/// The methods of each type.
#[derive(Clone, Debug, Default)]
pub(super) struct MethodSets(pub(super) FxHashMap<SymbolId, MethodSet>);

/// What a type has, or an interface demands.
#[derive(Clone, Debug, Default)]
pub(super) struct MethodSet {
    /// Own ones first.
    pub(super) methods: Vec<SymbolId>,
    /// Those of types outside that are known by name.
    pub(super) outer: Vec<&'static str>,
    /// Something is embedded of which nothing is known.
    pub(super) is_open: bool,
}

impl MethodSets {
    /// The methods that a type has, promoted ones too.
    pub(super) fn of(&self, id: SymbolId) -> &[SymbolId] {
        self.0.get(&id).map_or(&[], |set| &set.methods)
    }

    /// The types that have a method, own or promoted.
    pub(super) fn types_with(&self, method: SymbolId) -> Vec<SymbolId> {
        let sets = self.0.iter();
        let has = sets.filter(|(_, set)| set.methods.contains(&method));
        let mut types: Vec<SymbolId> = has.map(|(id, _)| *id).collect();
        types.sort_unstable();
        types
    }

    /// Types and the methods that they have.
    pub(super) fn all(&self) -> impl Iterator<Item = (SymbolId, &[SymbolId])> {
        self.0.iter().map(|(id, set)| (*id, set.methods.as_slice()))
    }
}

/// Kinds of definitions that heritage ties.
pub(super) fn is_type_node(kind: SymbolKind) -> bool {
    kind.has_members() && kind != SymbolKind::Impl || kind == SymbolKind::Module
}
