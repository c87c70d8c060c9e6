//! The code that anchors are compared with: a working tree or a commit, read from where it is.

use super::place::Place;
use crate::Engine;
use crate::views::LiveView;
use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::sync::Arc;
use whyrank_memory::{CodeAt, check_path};
use whyrank_source::{CommitId, Repository, SkipReason};
use whyrank_syntax::{Symbol, analyze, detect};

/// Larger files are not compared.
const MAX_BYTES: u64 = 4 << 20;
/// Files that a missing one may have become.
const MAX_SUCCESSORS: usize = 60;
/// Files that the index does not have yet in which definitions are looked for.
const MAX_UNINDEXED: usize = 60;

pub(super) struct AnchoredCode<'a> {
    place: &'a Place,
    commit: Option<CommitId>,
    /// The index, where there is one: for definitions elsewhere.
    view: Option<Arc<LiveView>>,
    texts: RefCell<HashMap<String, Option<String>>>,
    /// The files that there are, whether the index has them or not.
    paths: OnceCell<BTreeSet<String>>,
}

impl<'a> AnchoredCode<'a> {
    pub(super) fn new(engine: &Engine, place: &'a Place, commit: Option<CommitId>) -> Self {
        let registered = place.registered.as_ref();
        let view = registered.and_then(|repo| engine.state.worktree_view(repo).ok());
        Self {
            place,
            commit,
            view,
            texts: RefCell::default(),
            paths: OnceCell::new(),
        }
    }

    /// The files of the commit, or of the working tree: those that git tracks and those of the index,
    /// which may be behind.
    fn paths(&self) -> &BTreeSet<String> {
        self.paths.get_or_init(|| {
            let repository = self.place.repository.as_ref();
            if let (Some(repository), Some(commit)) = (repository, self.commit) {
                let blobs = repository.blobs_of(commit);
                return blobs.map_or_else(|_| BTreeSet::new(), |blobs| blobs.into_keys().collect());
            }
            let tracked = repository.map_or_else(Vec::new, Repository::tracked_paths);
            let indexed = self.view.iter().flat_map(|view| &view.files);
            let indexed = indexed.map(|file| file.path.clone());
            tracked.into_iter().chain(indexed).collect()
        })
    }

    /// Files that are there and that the index does not have, where there is one.
    fn unindexed(&self) -> impl Iterator<Item = &String> {
        let view = self.view.as_ref();
        let is_new = move |path: &&String| view.is_some_and(|view| view.file(path).is_none());
        self.paths().iter().filter(is_new)
    }

    fn read(&self, path: &str) -> Option<String> {
        let path = check_path(path).ok()?;
        let bytes = match (&self.place.repository, self.commit) {
            (Some(repository), Some(commit)) => repository.read_at(commit, &path).ok()??,
            (Some(repository), None) => {
                let size = fs::metadata(self.place.root.join(&path)).ok()?.len();
                (size <= MAX_BYTES).then(|| repository.read_worktree(&path).ok())??
            }
            (None, _) => {
                whyrank_system::regular::read(&self.place.root.join(&path), MAX_BYTES).ok()?
            }
        };
        // A memo keeps the text of its place, and shows it when it differs.
        let filter = self.place.repository.as_ref().map(Repository::filter);
        match whyrank_source::shown(&path, &bytes, &filter.unwrap_or_default()) {
            Err(SkipReason::Secret) => None,
            Err(_) => whyrank_source::decode(&bytes).ok().map(Cow::into_owned),
            Ok(text) => Some(text.into_owned()),
        }
    }

    /// The definitions of a file, as its text has them now.
    pub(super) fn symbols(&self, path: &str) -> Vec<Symbol> {
        let Some(text) = self.text(path) else {
            return Vec::new();
        };
        let head = &text.as_bytes()[..text.len().min(512)];
        detect(path, head).map_or_else(Vec::new, |language| analyze(&text, language).symbols)
    }

    /// Files that define a name, by the index.
    pub(super) fn files_with(&self, symbol: &str) -> Vec<String> {
        let Some(view) = &self.view else {
            return Vec::new();
        };
        let has = |known: &Symbol| known.qualified == symbol || known.name == symbol;
        let files = view.files.iter();
        files
            .filter(|file| file.outline().symbols.iter().any(has))
            .map(|file| file.path.clone())
            .collect()
    }
}

impl CodeAt for AnchoredCode<'_> {
    fn text(&self, path: &str) -> Option<String> {
        if let Some(known) = self.texts.borrow().get(path) {
            return known.clone();
        }
        let text = self.read(path);
        self.texts
            .borrow_mut()
            .insert(path.to_owned(), text.clone());
        text
    }

    fn exists(&self, path: &str) -> bool {
        let Ok(path) = check_path(path) else {
            return false;
        };
        match (&self.place.repository, self.commit) {
            (Some(repository), Some(commit)) => repository.exists_at(commit, &path),
            _ => self.place.root.join(&path).exists(),
        }
    }

    fn definitions(&self, symbol: &str) -> Vec<(String, u32, u32)> {
        let mut found = Vec::new();
        let unindexed = self.unindexed().filter(|path| detect(path, b"").is_some());
        let unindexed = unindexed.take(MAX_UNINDEXED).cloned();
        for path in self.files_with(symbol).into_iter().chain(unindexed) {
            let named = self.symbols(&path);
            let named = named
                .iter()
                .filter(|known| known.qualified == symbol || known.name == symbol);
            found.extend(
                named.map(|known| (path.clone(), known.span.start_line, known.span.end_line)),
            );
        }
        found
    }

    fn successors(&self, path: &str) -> Vec<String> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        // What the index does not have yet came last.
        let is_new: BTreeSet<&String> = self.unindexed().collect();
        let rank = |other: &String| {
            let (other_folder, other_name) = other.rsplit_once('/').unwrap_or(("", other));
            let is_like = other_name.ends_with(ending);
            match (other_name == name, other_folder == folder) {
                (true, _) => Some(0),
                (false, _) if is_like && is_new.contains(other) => Some(1),
                (false, true) if is_like => Some(2),
                _ => None,
            }
        };
        let mut ranked: Vec<(u32, String)> = self
            .paths()
            .iter()
            .filter(|other| *other != path)
            .filter_map(|other| Some((rank(other)?, other.clone())))
            .collect();
        ranked.sort();
        ranked.truncate(MAX_SUCCESSORS);
        ranked.into_iter().map(|(_, path)| path).collect()
    }
}
