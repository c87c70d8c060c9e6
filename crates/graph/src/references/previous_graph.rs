//! An earlier graph of a view: which of its files still mean the same, and where their definitions are now.

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    input::files::SymbolId,
    references::{
        new_names::NewNames,
        reference_index::{FileUses, ReferenceIndex},
        stored_uses::PackedFile,
        update::Update,
    },
    resolution::{
        dependency_tracking::{LookupKind, key, name_key, reached_key, text_key},
        export_fingerprint::FileFingerprint,
    },
};

/// An earlier graph, seen from the new view. Its files are read as they are needed.
pub(super) struct PreviousGraph {
    old: ReferenceIndex,
    paths: Vec<String>,
    /// The earlier index of each new file.
    before: Vec<Option<u32>>,
    /// The same of those that are the same in themselves.
    same: Vec<Option<u32>>,
    /// What each file shows, where that had to be worked out.
    pub(super) fingerprint: Vec<Option<FileFingerprint>>,
    /// Where each earlier file's definitions are now.
    moved: Vec<Moved>,
    changed: FxHashSet<u32>,
}

/// Where an earlier file's definitions are now.
enum Moved {
    Gone,
    /// In this file, at the same indices.
    To(u32),
    /// In this file, at these indices.
    Changed(u32, Vec<Option<u32>>),
}

impl PreviousGraph {
    pub(super) fn new(old: ReferenceIndex, update: &Update<'_>) -> Self {
        let (old, paths, origins) = heads(old);
        let by_path: FxHashMap<&str, u32> = (0u32..)
            .zip(&paths)
            .map(|(at, path)| (path.as_str(), at))
            .collect();
        let new = update.paths.iter();
        let mut before: Vec<Option<u32>> = new
            .map(|path| by_path.get(path.as_str()).copied())
            .collect();
        // An answer with several definitions has them in the order of the files.
        if !before.iter().flatten().is_sorted() {
            before.fill(None);
        }
        let is_same = |(file, at): (u32, &Option<u32>)| {
            let at = (*at)?;
            let (content, edges) = origins[at as usize];
            let is_same = content != 0
                && content == update.content(file)
                && edges == update.edges[file as usize];
            is_same.then_some(at)
        };
        Self {
            same: (0u32..).zip(&before).map(is_same).collect(),
            fingerprint: before.iter().map(|_| None).collect(),
            moved: paths.iter().map(|_| Moved::Gone).collect(),
            changed: FxHashSet::default(),
            old,
            paths,
            before,
        }
    }

    /// Works out what each file shows that is new or not as it was, and which look-ups that answers in
    /// another way.
    pub(super) fn note_changes(&mut self, update: &Update<'_>) {
        if self.paths.is_empty() {
            return;
        }
        let other = (0u32..).zip(&self.same).filter(|(_, same)| same.is_none());
        let other: Vec<u32> = other.map(|(file, _)| file).collect();
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
                self.moved[*at as usize] = Moved::To(file);
            }
        }
        for (at, (path, moved)) in (0u32..).zip(self.paths.iter().zip(&self.moved)) {
            if matches!(moved, Moved::Gone) {
                let old = self.old.basis(at);
                let old = old.as_ref().map(|old| &old.fingerprint);
                FileFingerprint::changes(text_key(path), old, None, &mut self.changed);
            }
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
            self.moved[at as usize] = Moved::Changed(file, followed(old, now));
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
            if !follow(&self.moved, id) {
                return None;
            }
            is_as_stored &= before == *id;
        }
        Some((known, is_as_stored))
    }

    pub(super) fn packed(&self, file: u32) -> Option<PackedFile<'_>> {
        self.old.packed(self.same[file as usize]?)
    }
}

/// Paths of an earlier graph, and from which content and imports each file's uses were made. Where they
/// cannot be read, there is no earlier graph.
fn heads(old: ReferenceIndex) -> (ReferenceIndex, Vec<String>, Vec<(u64, u64)>) {
    let head = |file: u32| {
        let basis = old.basis(file)?;
        let path = old.path(file)?.into_owned();
        Some((path, (basis.content, basis.edges)))
    };
    let heads: Option<Vec<_>> = (0..old.n_files() as u32).map(head).collect();
    match heads {
        Some(heads) => {
            let (paths, origins) = heads.into_iter().unzip();
            (old, paths, origins)
        }
        None => (ReferenceIndex::default(), Vec::new(), Vec::new()),
    }
}

/// Puts a definition's present index in place of the earlier one; false when it is gone.
fn follow(moved: &[Moved], id: &mut SymbolId) -> bool {
    let (file, symbol) = match moved.get(id.file as usize) {
        Some(Moved::To(file)) => (*file, Some(id.symbol)),
        Some(Moved::Changed(file, symbols)) => {
            (*file, symbols.get(id.symbol as usize).copied().flatten())
        }
        Some(Moved::Gone) | None => return false,
    };
    let Some(symbol) = symbol else {
        return false;
    };
    *id = SymbolId { file, symbol };
    true
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
