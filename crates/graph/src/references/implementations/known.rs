//! The edges of a view, wherever they lie.

use std::{borrow::Cow, sync::Arc};

use rustc_hash::FxHashMap;

use super::{
    overlaid::OverlaidTies,
    stored::{self, StoredTies},
    ties::{Gathered, Relative, Tie, TieEnd},
};
use crate::{
    input::files::SymbolId, pagerank::numbers::Sections, references::overlay::UsesOverlay,
};

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

impl Implementations {
    pub(super) fn gathered(made: Gathered) -> Self {
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

    pub(super) fn bases(&self, id: SymbolId) -> Cow<'_, [Tie]> {
        once(match &self.0 {
            Known::Here(gathered) => Cow::Borrowed(gathered.bases(id)),
            Known::There(stored) => Cow::Owned(stored.of(id).bases),
            Known::Overlaid(ties) => Cow::Owned(ties.bases(id)),
        })
    }

    pub(super) fn heirs(&self, id: SymbolId) -> Cow<'_, [Tie]> {
        once(match &self.0 {
            Known::Here(gathered) => Cow::Borrowed(gathered.heirs(id)),
            Known::There(stored) => Cow::Owned(stored.of(id).heirs),
            Known::Overlaid(ties) => Cow::Owned(ties.heirs(id)),
        })
    }

    /// Go: the methods that a type has, promoted ones too.
    pub(super) fn methods(&self, id: SymbolId) -> Cow<'_, [SymbolId]> {
        match &self.0 {
            Known::Here(gathered) => Cow::Borrowed(gathered.method_sets.of(id)),
            Known::There(stored) => Cow::Owned(stored.of(id).methods),
            Known::Overlaid(ties) => Cow::Owned(ties.methods(id)),
        }
    }

    /// Go: the types that have a method, own or promoted.
    pub(super) fn types_with(&self, method: SymbolId) -> Vec<SymbolId> {
        match &self.0 {
            Known::Here(gathered) => gathered.method_sets.types_with(method),
            Known::There(stored) => stored.of(method).types,
            Known::Overlaid(ties) => ties.types_with(method),
        }
    }

    /// The fields that a function fills, or the functions that fill a field.
    pub(super) fn slots(&self, id: SymbolId, way: HeritageDirection) -> Vec<Relative> {
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

/// Which way edges are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeritageDirection {
    ToBases,
    ToHeirs,
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
