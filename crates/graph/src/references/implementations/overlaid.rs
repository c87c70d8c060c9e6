//! Edges between types a few edits after those in a file: those of files that were resolved again, and of the
//! rest what the file says.

use std::sync::Arc;

use super::{
    stored::StoredTies,
    ties::{Gathered, Tie},
};
use crate::{
    input::files::SymbolId,
    references::{overlay::UsesOverlay, renumbering::Renumbering},
};

/// The stored form of edges.
pub(super) fn stored(made: Gathered) -> Vec<u8> {
    let mut bases: Vec<(SymbolId, Vec<Tie>)> = made.bases.into_iter().collect();
    bases.sort_unstable_by_key(|(heir, _)| *heir);
    postcard::to_stdvec(&bases).expect("plain data serialises")
}

/// Edges in a file, seen from a view a few edits later.
#[derive(Clone, Debug)]
pub(super) struct OverlaidTies {
    base: StoredTies,
    overlay: Arc<UsesOverlay>,
    /// What the files of the overlay state.
    made: Gathered,
}

impl OverlaidTies {
    /// `None` where `ties` are not what [`stored`] gave.
    pub(super) fn open(base: StoredTies, overlay: Arc<UsesOverlay>, ties: &[u8]) -> Option<Self> {
        let ties: Vec<(SymbolId, Vec<Tie>)> = postcard::from_bytes(ties).ok()?;
        let mut made = Gathered::default();
        for (heir, ties) in ties {
            for tie in ties {
                made.tie(heir, tie);
            }
        }
        Some(Self {
            base,
            overlay,
            made,
        })
    }

    pub(super) fn met_damage(&self) -> bool {
        self.base.met_damage()
    }

    pub(super) fn bases(&self, id: SymbolId) -> Vec<Tie> {
        let before = self.renumbering().before(id);
        let carried = before.map(|id| self.base.of(id).bases);
        self.joined(carried, self.made.bases(id))
    }

    pub(super) fn heirs(&self, id: SymbolId) -> Vec<Tie> {
        let before = self.renumbering().before(id);
        let carried = before.map(|id| self.base.of(id).heirs);
        self.joined(carried, self.made.heirs(id))
    }

    /// The methods that a type has. An overlay changes none.
    pub(super) fn methods(&self, id: SymbolId) -> Vec<SymbolId> {
        let before = self.renumbering().before(id);
        self.now(before.map(|id| self.base.of(id).methods))
    }

    pub(super) fn types_with(&self, method: SymbolId) -> Vec<SymbolId> {
        let before = self.renumbering().before(method);
        self.now(before.map(|id| self.base.of(id).types))
    }

    fn renumbering(&self) -> &Renumbering {
        self.overlay.renumbering()
    }

    fn now(&self, ids: Option<Vec<SymbolId>>) -> Vec<SymbolId> {
        let ids = ids.into_iter().flatten();
        ids.filter_map(|id| self.renumbering().now(id)).collect()
    }

    /// What other files state, and what those of the overlay do.
    fn joined(&self, carried: Option<Vec<Tie>>, own: &[Tie]) -> Vec<Tie> {
        let carried = carried.into_iter().flatten();
        let carried = carried.filter_map(|tie| self.carried(tie));
        carried.chain(own.iter().copied()).collect()
    }

    /// An edge as this view numbers it; `None` where a file of the overlay states it, or what it leads to
    /// is gone.
    fn carried(&self, tie: Tie) -> Option<Tie> {
        let now = self.renumbering();
        let from = match tie.from {
            Some(file) => Some(now.file_now(file)?),
            None => None,
        };
        if from.is_some_and(|file| self.overlay.file(file).is_some()) {
            return None;
        }
        let block = match tie.block {
            Some(block) => Some(now.now(block)?),
            None => None,
        };
        Some(Tie {
            other: now.now(tie.other)?,
            block,
            from,
            ..tie
        })
    }
}
