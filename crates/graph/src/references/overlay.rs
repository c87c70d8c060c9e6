//! The uses of a view a few edits after those in a file: the file, and what is other since.
//!
//! To write all uses anew costs a pass over the view; here an edit costs what it changes and what looks at
//! that. Questions get the same answers from both.

use std::{
    borrow::Cow,
    sync::{Arc, OnceLock},
};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::{
    input::files::SymbolId,
    references::{
        renumbering::Renumbering,
        stored_uses::{MOST_KEPT, StoredUses},
        uses::{FileUses, Use, UseAt},
    },
};

/// What is other in a view than in uses that lie in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsesOverlay {
    pub(crate) renumbering: Renumbering,
    /// Uses of files that were resolved again, by file.
    pub(super) files: Vec<(u32, FileUses)>,
    /// Those of the whole view.
    pub(crate) aliases: Vec<(String, String)>,
}

impl UsesOverlay {
    /// Returns its stored form.
    pub fn stored(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain data serialises")
    }

    /// Reads a stored form; `None` for what is none.
    pub fn read(stored: &[u8]) -> Option<Self> {
        postcard::from_bytes(stored).ok()
    }

    /// Where the files and definitions of the uses in the file are now.
    pub fn renumbering(&self) -> &Renumbering {
        &self.renumbering
    }

    /// Returns the files that were resolved again, in order.
    pub fn files(&self) -> impl Iterator<Item = u32> + '_ {
        self.files.iter().map(|(file, _)| *file)
    }

    pub(crate) fn file(&self, file: u32) -> Option<&FileUses> {
        let at = self.files.binary_search_by_key(&file, |(file, _)| *file);
        at.ok().map(|at| &self.files[at].1)
    }

    fn fits(&self, n_before: usize, n_symbols: &[u32]) -> bool {
        let is_there = |(file, _): &(u32, FileUses)| (*file as usize) < n_symbols.len();
        self.files.is_sorted_by(|a, b| a.0 < b.0)
            && self.files.iter().all(is_there)
            && self.renumbering.fits(n_before, n_symbols)
    }
}

/// Uses in a file, seen from a view a few edits later. What cannot be read is empty, and the file says so.
#[derive(Clone, Debug)]
pub(crate) struct OverlaidUses {
    base: StoredUses,
    overlay: Arc<UsesOverlay>,
    /// Uses in the files of the overlay: by definition, and by name.
    resolved: FxHashMap<SymbolId, Vec<UseAt>>,
    open: FxHashMap<String, Vec<UseAt>>,
    /// The other files, as this view numbers what they mean.
    read: Vec<OnceLock<Box<FileUses>>>,
}

impl OverlaidUses {
    /// `n_symbols`: of each file of the view.
    pub(crate) fn open(
        base: StoredUses,
        overlay: Arc<UsesOverlay>,
        n_symbols: &[u32],
    ) -> Option<Self> {
        if !overlay.fits(base.n_files(), n_symbols) {
            return None;
        }
        let mut resolved: FxHashMap<SymbolId, Vec<UseAt>> = FxHashMap::default();
        let mut open: FxHashMap<String, Vec<UseAt>> = FxHashMap::default();
        for (file, known) in &overlay.files {
            let place = |at: u32| UseAt { file: *file, at };
            for (at, id) in &known.targets {
                resolved.entry(*id).or_default().push(place(*at));
            }
            for (at, name) in &known.open {
                let name = known.names.get(*name as usize)?;
                open.entry(name.clone()).or_default().push(place(*at));
            }
        }
        Some(Self {
            read: n_symbols.iter().map(|_| OnceLock::new()).collect(),
            base,
            overlay,
            resolved,
            open,
        })
    }

    pub(crate) fn n_files(&self) -> usize {
        self.read.len()
    }

    pub(crate) fn met_damage(&self) -> bool {
        self.base.met_damage()
    }

    pub(crate) fn file_uses(&self, file: u32) -> Option<&FileUses> {
        if let Some(own) = self.overlay.file(file) {
            return Some(own);
        }
        let read = self.read.get(file as usize)?;
        Some(read.get_or_init(|| Box::new(self.carried(file).unwrap_or_default())))
    }

    pub(crate) fn glance(&self, file: u32) -> Option<Cow<'_, FileUses>> {
        let read = self.read.get(file as usize)?;
        let is_here = self.overlay.file(file).is_some() || read.get().is_some();
        if is_here || self.n_files() <= MOST_KEPT {
            return self.file_uses(file).map(Cow::Borrowed);
        }
        Some(Cow::Owned(self.carried(file).unwrap_or_default()))
    }

    /// The uses of a file without what they mean.
    pub(crate) fn uses_of(&self, file: u32) -> Cow<'_, [Use]> {
        if let Some(own) = self.overlay.file(file) {
            return Cow::Borrowed(&own.uses);
        }
        let before = self.overlay.renumbering.file_before(file);
        before.map_or_else(Cow::default, |before| self.base.uses_of(before))
    }

    /// A file that means what it meant.
    fn carried(&self, file: u32) -> Option<FileUses> {
        let renumbering = &self.overlay.renumbering;
        let mut uses = self.base.uses(renumbering.file_before(file)?)?;
        let now = |(at, id): (u32, SymbolId)| Some((at, renumbering.now(id)?));
        uses.targets = uses.targets.into_iter().filter_map(now).collect();
        Some(uses)
    }

    pub(crate) fn resolved(&self, id: SymbolId) -> Vec<UseAt> {
        let before = self.overlay.renumbering.before(id);
        let carried = before.map(|before| self.base.resolved(before));
        self.joined(carried, self.resolved.get(&id))
    }

    pub(crate) fn open_uses(&self, name: &str) -> Vec<UseAt> {
        self.joined(Some(self.base.open_uses(name)), self.open.get(name))
    }

    /// Places in files that were not resolved again, and those in the others.
    fn joined(&self, carried: Option<Vec<UseAt>>, own: Option<&Vec<UseAt>>) -> Vec<UseAt> {
        let now = |place: UseAt| {
            let file = self.overlay.renumbering.file_now(place.file)?;
            let is_carried = self.overlay.file(file).is_none();
            is_carried.then_some(UseAt { file, ..place })
        };
        let carried = carried.into_iter().flatten().filter_map(now);
        let mut found: Vec<UseAt> = carried.chain(own.into_iter().flatten().copied()).collect();
        found.sort_unstable();
        found
    }
}
