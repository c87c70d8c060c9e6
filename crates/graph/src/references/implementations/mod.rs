//! Which types implement or extend which, and which members override which.
//!
//! In: the definitions of a view and its settled heritage ([`ReferenceQuery`]). Out: [`Implementations`], edges
//! between types, each stated in the text, or structural (Go's method sets), or tied by a name alone;
//! and the answers about members that follow from them. Never decides what a call means: that a call
//! of an interface's method may reach an implementation is said by [`ReferenceQuery::dispatching`].

mod heritage;
mod members;
mod method_sets;
mod overlaid;
mod stored;
mod tables;

use std::{
    borrow::Cow,
    collections::{VecDeque, hash_map::Entry},
    sync::Arc,
};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use whyrank_syntax::SymbolKind;

use crate::{
    input::files::SymbolId,
    pagerank::numbers::Sections,
    references::{
        overlay::UsesOverlay, reference_index::ReferenceIndex, reference_query::ReferenceQuery,
        scip_overlay::ScipOverlay, update::ViewParts,
    },
};
use overlaid::OverlaidTies;
use stored::StoredTies;
use tables::FieldsOfVariables;

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
struct Tie {
    other: SymbolId,
    block: Option<SymbolId>,
    descent: Descent,
    is_certain: bool,
    line: Option<u32>,
    /// Between a function and the field of a table that it fills.
    is_slot: bool,
    /// The file that states it; none for what follows from all files together.
    from: Option<u32>,
}

/// The other end of an edge, its block and its line: two edges of a definition with the same say the same.
type TieEnd = (SymbolId, Option<SymbolId>, Option<u32>);

impl Tie {
    fn end(&self) -> TieEnd {
        (self.other, self.block, self.line)
    }

    /// What is one edge away.
    fn relative(&self) -> Relative {
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

/// The types of a view with their bases and their heirs.
#[derive(Clone, Debug)]
pub struct Implementations(Known);

#[derive(Clone, Debug)]
enum Known {
    Here(Gathered),
    /// In a file, read where it is asked for.
    There(StoredTies),
    /// In a file, but for what a few edits changed.
    Overlaid(OverlaidTies),
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
struct Gathered {
    bases: FxHashMap<SymbolId, Vec<Tie>>,
    heirs: FxHashMap<SymbolId, Vec<Tie>>,
    /// Where each edge is kept, among the bases of its heir and the heirs of its base.
    kept: FxHashMap<TieKey, (usize, usize)>,
    /// Go: the methods of each type, promoted ones included.
    method_sets: method_sets::MethodSets,
}

impl Implementations {
    /// Gathers the edges. O(heritage of the view, and for Go methods × interfaces that share a name).
    pub fn new(uses: &ReferenceQuery<'_>) -> Self {
        let mut made = Gathered::default();
        let files = || 0..uses.resolver.files.len() as u32;
        files().for_each(|file| heritage::stated(uses, file, &mut made));
        method_sets::structural(uses, &mut made);
        let mut fields = FieldsOfVariables::default();
        files().for_each(|file| tables::filled(uses, file, &mut fields, &mut made));
        made.stated_by_compiler(uses);
        Self(Known::Here(made))
    }

    /// Gathers the same with no more of the files in memory than there is room for, but for those of Go,
    /// whose methods are compared with each other.
    pub fn of_view(parts: &ViewParts<'_>, known: &ReferenceIndex) -> Self {
        let mut made = Gathered::default();
        parts.each_file(known, &mut |uses, file| {
            heritage::stated(uses, file, &mut made);
        });
        parts.files.open(&mut |open| {
            let uses = ReferenceQuery::new(open.files, parts.imports, parts.table, known);
            method_sets::structural(&uses, &mut made);
        });
        let mut fields = FieldsOfVariables::default();
        parts.each_file(known, &mut |uses, file| {
            tables::filled(uses, file, &mut fields, &mut made);
        });
        Self(Known::Here(made))
    }

    /// Returns the sections of a file of it; none of edges that lie in a file already.
    pub fn sections(&self) -> Vec<Vec<u8>> {
        match &self.0 {
            Known::Here(gathered) => stored::sections(gathered),
            Known::There(_) | Known::Overlaid(_) => Vec::new(),
        }
    }

    /// Opens edges in a file, whose sections begin with the one given; `None` where there are none.
    pub fn stored(file: Arc<dyn Sections>, first: usize) -> Option<Self> {
        Some(Self(Known::There(StoredTies::open(file, first)?)))
    }

    /// Returns the stored form of the edges that the files of an overlay state. `known` are the uses with
    /// that overlay. Functions and fields of tables in other files that only names tie stay as they were;
    /// such edges are never certain.
    pub fn overlay(
        parts: &ViewParts<'_>,
        known: &ReferenceIndex,
        overlay: &UsesOverlay,
    ) -> Vec<u8> {
        let mut made = Gathered::default();
        parts.files.open(&mut |open| {
            let uses = ReferenceQuery::new(open.files, parts.imports, parts.table, known);
            let mut fields = FieldsOfVariables::default();
            for file in overlay.files() {
                heritage::stated(&uses, file, &mut made);
                tables::filled(&uses, file, &mut fields, &mut made);
            }
        });
        overlaid::stored(made)
    }

    /// Opens edges in a file, whose sections begin with the one given, with those of an overlay
    /// ([`Implementations::overlay`]); `None` where there are none.
    pub fn overlaid(
        file: Arc<dyn Sections>,
        first: usize,
        overlay: Arc<UsesOverlay>,
        ties: &[u8],
    ) -> Option<Self> {
        let base = StoredTies::open(file, first)?;
        let ties = OverlaidTies::open(base, overlay, ties)?;
        Some(Self(Known::Overlaid(ties)))
    }

    /// Says whether a part of it could not be read: what was made of it since must not be used.
    pub fn met_damage(&self) -> bool {
        match &self.0 {
            Known::Here(_) => false,
            Known::There(stored) => stored.met_damage(),
            Known::Overlaid(ties) => ties.met_damage(),
        }
    }

    fn bases(&self, id: SymbolId) -> Cow<'_, [Tie]> {
        once(match &self.0 {
            Known::Here(gathered) => Cow::Borrowed(gathered.bases(id)),
            Known::There(stored) => Cow::Owned(stored.of(id).bases),
            Known::Overlaid(ties) => Cow::Owned(ties.bases(id)),
        })
    }

    fn heirs(&self, id: SymbolId) -> Cow<'_, [Tie]> {
        once(match &self.0 {
            Known::Here(gathered) => Cow::Borrowed(gathered.heirs(id)),
            Known::There(stored) => Cow::Owned(stored.of(id).heirs),
            Known::Overlaid(ties) => Cow::Owned(ties.heirs(id)),
        })
    }

    /// Go: the methods that a type has, promoted ones too.
    fn methods(&self, id: SymbolId) -> Cow<'_, [SymbolId]> {
        match &self.0 {
            Known::Here(gathered) => Cow::Borrowed(gathered.method_sets.of(id)),
            Known::There(stored) => Cow::Owned(stored.of(id).methods),
            Known::Overlaid(ties) => Cow::Owned(ties.methods(id)),
        }
    }

    /// Go: the types that have a method, own or promoted.
    fn types_with(&self, method: SymbolId) -> Vec<SymbolId> {
        match &self.0 {
            Known::Here(gathered) => gathered.method_sets.types_with(method),
            Known::There(stored) => stored.of(method).types,
            Known::Overlaid(ties) => ties.types_with(method),
        }
    }

    /// The fields that a function fills, or the functions that fill a field.
    fn slots(&self, id: SymbolId, way: HeritageDirection) -> Vec<Relative> {
        let ties = match way {
            HeritageDirection::ToBases => self.bases(id),
            HeritageDirection::ToHeirs => self.heirs(id),
        };
        ties.iter()
            .filter(|tie| tie.is_slot)
            .map(Tie::relative)
            .collect()
    }
}

impl Gathered {
    /// Between types; members follow from them.
    fn stated_by_compiler(&mut self, uses: &ReferenceQuery<'_>) {
        let stated = uses.precise.map_or(&[][..], ScipOverlay::implementations);
        let kind = |id: SymbolId| uses.resolver.symbol(id).kind;
        for &(heir, base) in stated {
            if !is_type_node(kind(heir)) || !is_type_node(kind(base)) {
                continue;
            }
            let is_interface = matches!(kind(base), SymbolKind::Interface | SymbolKind::Trait);
            self.tie(
                heir,
                Tie {
                    other: base,
                    block: None,
                    descent: if is_interface {
                        Descent::Implements
                    } else {
                        Descent::Extends
                    },
                    is_certain: true,
                    line: None,
                    is_slot: false,
                    from: None,
                },
            );
        }
    }

    /// Adds an edge; the surer of two that say the same stays.
    fn tie(&mut self, heir: SymbolId, tie: Tie) {
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

    fn bases(&self, id: SymbolId) -> &[Tie] {
        self.bases.get(&id).map_or(&[], Vec::as_slice)
    }

    fn heirs(&self, id: SymbolId) -> &[Tie] {
        self.heirs.get(&id).map_or(&[], Vec::as_slice)
    }
}

/// What several files state, once; the surer of two that say the same stays.
fn once(ties: Cow<'_, [Tie]>) -> Cow<'_, [Tie]> {
    let mut seen: FxHashMap<TieEnd, usize> = FxHashMap::default();
    let mut single: Vec<Tie> = Vec::with_capacity(ties.len());
    for tie in ties.iter() {
        let at = *seen.entry(tie.end()).or_insert(single.len());
        match single.get_mut(at) {
            Some(known) => known.is_certain |= tie.is_certain,
            None => single.push(*tie),
        }
    }
    if single.len() == ties.len() {
        ties
    } else {
        Cow::Owned(single)
    }
}

/// Which way edges are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HeritageDirection {
    ToBases,
    ToHeirs,
}

impl ReferenceQuery<'_> {
    /// Returns the types that implement or extend these, directly and through others, nearest
    /// first.
    pub fn subtypes(&self, types: &[SymbolId]) -> Vec<Relative> {
        self.relatives(types, HeritageDirection::ToHeirs)
    }

    /// Returns the types that these implement or extend, directly and through others, nearest
    /// first.
    pub fn supertypes(&self, types: &[SymbolId]) -> Vec<Relative> {
        self.relatives(types, HeritageDirection::ToBases)
    }

    fn relatives(&self, types: &[SymbolId], way: HeritageDirection) -> Vec<Relative> {
        let known = self.implementations();
        let starts: Vec<SymbolId> = types
            .iter()
            .filter(|id| self.has(**id))
            .flat_map(|id| self.type_nodes(*id))
            .collect();
        let mut seen: FxHashSet<SymbolId> = starts.iter().copied().collect();
        let mut open: VecDeque<(SymbolId, u32, bool)> =
            starts.into_iter().map(|id| (id, 0, true)).collect();
        let mut found: Vec<Relative> = Vec::new();
        let mut nearest: FxHashSet<TieEnd> = FxHashSet::default();
        while let Some((at, depth, is_certain)) = open.pop_front() {
            let ties = match way {
                HeritageDirection::ToBases => known.bases(at),
                HeritageDirection::ToHeirs => known.heirs(at),
            };
            for tie in ties.iter() {
                let is_certain = is_certain && tie.is_certain;
                let relative = Relative {
                    depth: depth + 1,
                    is_certain,
                    ..tie.relative()
                };
                let is_new = seen.insert(tie.other);
                // Blocks for several types of one head, or several anonymous ones in a function.
                let is_other = depth == 0 && nearest.insert(tie.end());
                if is_new || is_other {
                    found.push(relative);
                }
                if is_new {
                    open.push_back((tie.other, depth + 1, is_certain));
                }
            }
        }
        found
    }

    /// The nodes that represent a type: of an `impl` block its type, of a declaration also its body.
    pub(crate) fn type_nodes(&self, id: SymbolId) -> Vec<SymbolId> {
        let mut nodes = self.same(id);
        if self.resolver.symbol(id).kind == SymbolKind::Impl {
            let types = self
                .resolver
                .table
                .named(&self.resolver.symbol(id).name)
                .iter();
            let known = self.implementations();
            let by_block = |other: &&SymbolId| {
                let ties = known.bases(**other);
                ties.iter().any(|tie| tie.block == Some(id))
            };
            nodes.extend(types.filter(by_block));
        }
        // Reopened types are one: classes and modules of Ruby, partial classes, extensions.
        if self.resolver.rules(id.file).types_are_reopened {
            nodes.extend(self.reopened(id));
        }
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The other places where a type of the same qualified name is opened.
    fn reopened(&self, id: SymbolId) -> Vec<SymbolId> {
        let (symbol, rules) = (self.resolver.symbol(id), self.resolver.rules(id.file));
        let key = (rules, symbol.qualified.as_str());
        let key_of = |other| {
            let found = self.resolver.symbol(other);
            let is_type = is_type_node(found.kind);
            is_type.then_some((self.resolver.rules(other.file), found.qualified.as_str()))
        };
        self.resolver
            .sharing(&symbol.name, |known| &known.type_nodes, key_of, &key)
    }
}

/// Kinds of definitions that heritage ties.
fn is_type_node(kind: SymbolKind) -> bool {
    kind.has_members() && kind != SymbolKind::Impl || kind == SymbolKind::Module
}
