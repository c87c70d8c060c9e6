//! An earlier graph of a view: which of its files still mean the same, and where their definitions are now.

use std::{borrow::Cow, ops::ControlFlow};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    input::files::SymbolId,
    references::{
        file_resolution::Update,
        new_names::NewNames,
        reference_index::ReferenceIndex,
        renumbering::Renumbering,
        uses::{Basis, FileHead, FileUses},
        uses_journal::PackedFile,
    },
    resolution::{
        dependency_tracking::{LookupKind, key, name_key, reached_key},
        export_fingerprint::FileFingerprint,
    },
};

/// An earlier graph, seen from the new view. Its files are read as they are needed.
pub(super) struct PreviousGraph {
    pub(super) old: ReferenceIndex,
    /// A mark of each earlier file's path.
    marks: Vec<u64>,
    /// The earlier index of each new file.
    before: Vec<Option<u32>>,
    /// The same of those that are the same in themselves.
    same: Vec<Option<u32>>,
    /// What each file shows, where that had to be worked out.
    pub(super) fingerprint: Vec<Option<FileFingerprint>>,
    /// Where the earlier files and definitions are now.
    pub(super) renumbering: Renumbering,
    changed: FxHashSet<u32>,
}

impl PreviousGraph {
    pub(super) fn new(old: ReferenceIndex, update: &Update<'_>) -> Self {
        let (old, heads) = heads(old);
        let by_mark: FxHashMap<u64, u32> = heads.iter().map(|head| head.mark).zip(0u32..).collect();
        let new = update.marks.iter();
        let mut before: Vec<Option<u32>> = new.map(|mark| by_mark.get(mark).copied()).collect();
        // An answer with several definitions has them in the order of the files.
        if !before.iter().flatten().is_sorted_by(|a, b| a < b) {
            before.fill(None);
        }
        let is_same = |(file, at): (u32, &Option<u32>)| {
            let at = (*at)?;
            let FileHead { content, edges, .. } = heads[at as usize];
            let is_same = content != 0
                && content == update.content(file)
                && edges == update.edges[file as usize];
            is_same.then_some(at)
        };
        Self {
            same: (0u32..).zip(&before).map(is_same).collect(),
            fingerprint: before.iter().map(|_| None).collect(),
            renumbering: Renumbering::new(heads.len(), before.len()),
            changed: FxHashSet::default(),
            old,
            marks: heads.iter().map(|head| head.mark).collect(),
            before,
        }
    }

    /// Says whether there is none, or it cannot be read.
    pub(super) fn is_none(&self) -> bool {
        self.marks.is_empty()
    }

    /// The new files that are not as they were in themselves.
    pub(super) fn other(&self) -> Vec<u32> {
        let other = (0u32..).zip(&self.same).filter(|(_, same)| same.is_none());
        other.map(|(file, _)| file).collect()
    }

    /// What an earlier file rested on, by the new one's index.
    pub(super) fn basis_before(&self, file: u32) -> Option<Cow<'_, Basis>> {
        self.old.basis(self.before[file as usize]?)
    }

    /// Works out what each file shows that is new or not as it was, and which look-ups that answers in
    /// another way.
    pub(super) fn note_changes(&mut self, update: &Update<'_>) {
        if self.is_none() {
            return;
        }
        let other = self.other();
        let mut opens_other: Vec<u32> = Vec::new();
        let _ = update.each(&other, &mut |resolver, file| {
            let now = FileFingerprint::new(resolver, &update.marks, file);
            if self.note_change(update.marks[file as usize], file, &now) {
                opens_other.push(file);
            }
            self.fingerprint[file as usize] = Some(now);
            ControlFlow::Continue(())
        });
        for (file, same) in (0u32..).zip(&self.same) {
            if let Some(at) = same {
                self.renumbering.note_same(*at, file);
            }
        }
        for at in self.renumbering.gone() {
            let old = self.old.basis(at);
            let old = old.as_ref().map(|old| &old.fingerprint);
            FileFingerprint::changes(self.marks[at as usize], old, None, &mut self.changed);
        }
        let reaching = update.parts.imports.reaching(opens_other).into_iter();
        let reached = reaching.map(|file| reached_key(update.marks[file as usize]));
        self.changed.extend(reached);
    }

    /// Notes what a file shows now; says whether it opens other files than before.
    fn note_change(&mut self, mark: u64, file: u32, now: &FileFingerprint) -> bool {
        let before = self.before[file as usize];
        let old = before.and_then(|at| self.old.basis(at));
        let old = old.as_ref().map(|old| &old.fingerprint);
        FileFingerprint::changes(mark, old, Some(now), &mut self.changed);
        if let (Some(at), Some(old)) = (before, old) {
            let symbols = followed(old, now);
            self.renumbering.note_changed(at, file, symbols);
        }
        old.is_none_or(|old| old.opened != now.opened)
    }

    /// Names that imports give and gave, and all that represent them.
    pub(super) fn note_aliases(&mut self, now: &[(String, String)]) {
        let before = self.old.aliases();
        let is_in = |pairs: &[(String, String)], pair| pairs.binary_search(pair).is_ok();
        let gone = before.iter().filter(|pair| !is_in(now, pair));
        let new = now.iter().filter(|pair| !is_in(before, pair));
        let heads: Vec<&str> = gone.chain(new).map(|(_, local)| local.as_str()).collect();
        for pairs in [before, now] {
            let reached = NewNames::of_pairs(pairs).of(heads.iter().copied());
            let keys = reached
                .into_iter()
                .map(|name| key(LookupKind::Alias, 0, name_key(name)));
            self.changed.extend(keys);
        }
    }

    /// Says whether a file's uses still mean the same; of one whose uses do not, notes what it shows.
    pub(super) fn note_carried(&mut self, file: u32) -> bool {
        if self.carried(file).is_some() {
            return true;
        }
        let same = self.same[file as usize];
        if let Some(basis) = same.and_then(|at| self.old.basis(at)) {
            self.fingerprint[file as usize] = Some(basis.into_owned().fingerprint);
        }
        false
    }

    /// The file's uses as they were, when they still mean the same, and whether they are as they are
    /// stored.
    pub(super) fn carried(&self, file: u32) -> Option<(FileUses, bool)> {
        let mut known = self.old.whole(self.same[file as usize]?)?;
        let mut lookups = known.basis.lookups.iter();
        if lookups.any(|read| self.changed.contains(read)) {
            return None;
        }
        let mut is_as_stored = true;
        for (_, id) in &mut known.targets {
            let before = *id;
            *id = self.renumbering.now(before)?;
            is_as_stored &= before == *id;
        }
        Some((known, is_as_stored))
    }

    /// Says whether something that a file looked up has another answer now, or is gone. `users_of_gone`:
    /// [`PreviousGraph::users_of_gone`].
    pub(super) fn is_touched(&self, file: u32, users_of_gone: &FxHashSet<u32>) -> bool {
        let Some(at) = self.same[file as usize] else {
            return true;
        };
        let changed = &self.changed;
        users_of_gone.contains(&at) || self.old.looked_up(at, &|key| changed.contains(&key))
    }

    /// The earlier files that use definitions which are gone.
    pub(super) fn users_of_gone(&self) -> FxHashSet<u32> {
        let of_gone_files = self.renumbering.gone().flat_map(|file| {
            let symbols = 0..self.old.n_symbols_stored(file);
            symbols.map(move |symbol| SymbolId { file, symbol })
        });
        let gone = self.renumbering.gone_symbols().chain(of_gone_files);
        let mut users = FxHashSet::default();
        for id in gone {
            users.extend(self.old.resolved(id).iter().map(|place| place.file));
        }
        users
    }

    pub(super) fn packed(&self, file: u32) -> Option<PackedFile<'_>> {
        self.old.packed(self.same[file as usize]?)
    }
}

/// The heads of an earlier graph's files. Where they cannot be read, there is no earlier graph.
fn heads(old: ReferenceIndex) -> (ReferenceIndex, Vec<FileHead>) {
    let heads = (0..old.n_files() as u32).map(|file| old.head(file));
    match heads.collect::<Option<Vec<FileHead>>>() {
        Some(heads) => (old, heads),
        None => (ReferenceIndex::default(), Vec::new()),
    }
}

/// The present indices of a file's earlier definitions: the n-th of a shape stays the n-th.
fn followed(before: &FileFingerprint, now: &FileFingerprint) -> Vec<Option<u32>> {
    let mut places: FxHashMap<u64, std::collections::VecDeque<u32>> = FxHashMap::default();
    for (at, print) in (0u32..).zip(&now.symbols) {
        places.entry(print.shape).or_default().push_back(at);
    }
    let find = |shape| places.get_mut(&shape)?.pop_front();
    before
        .symbols
        .iter()
        .map(|print| print.shape)
        .map(find)
        .collect()
}
