//! Which types implement or extend which, and which members override which.
//!
//! In: the definitions of a view and its settled heritage ([`ReferenceQuery`]). Out: [`Implementations`], edges
//! between types, each stated in the text, or structural (Go's method sets), or tied by a name alone;
//! and the answers about members that follow from them. Never decides what a call means: that a call
//! of an interface's method may reach an implementation is said by [`ReferenceQuery::dispatching`].

mod heritage;
mod known;
mod members;
mod method_sets;
mod overlaid;
mod stored;
mod tables;
mod ties;

pub use known::Implementations;
pub use ties::{Descent, Relative};

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use whyrank_syntax::SymbolKind;

use crate::{
    input::files::SymbolId,
    references::{
        overlay::UsesOverlay, reference_index::ReferenceIndex, reference_query::ReferenceQuery,
        scip_overlay::ScipOverlay, view_parts::ViewParts,
    },
};
use known::HeritageDirection;
use tables::FieldsOfVariables;
use ties::{Gathered, Tie, TieEnd, is_type_node};

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
        Self::gathered(made)
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
        Self::gathered(made)
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
