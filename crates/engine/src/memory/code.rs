//! The code that anchors are compared with: a working tree or a commit, read from where it is.

use super::place::Place;
use crate::Engine;
use crate::views::LiveView;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::sync::Arc;
use whyrank_memory::{CodeAt, check_path};
use whyrank_source::{CommitId, Repository, SkipReason};
use whyrank_syntax::{Symbol, analyze, detect};

/// Larger files are not compared.
const MAX_BYTES: u64 = 4 << 20;
/// Files that a missing one may have become.
const MAX_SUCCESSORS: usize = 60;

pub(super) struct AnchoredCode<'a> {
    place: &'a Place,
    commit: Option<CommitId>,
    /// The index, where there is one: for definitions elsewhere.
    view: Option<Arc<LiveView>>,
    texts: RefCell<HashMap<String, Option<String>>>,
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
        }
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
        for path in self.files_with(symbol) {
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
        let paths: Vec<String> = match (&self.view, &self.place.repository) {
            (Some(view), _) => view.files.iter().map(|file| file.path.clone()).collect(),
            (None, Some(repository)) => {
                let head = self
                    .commit
                    .or_else(|| repository.head_commit().ok().flatten());
                let blobs = head.and_then(|head| repository.blobs_of(head).ok());
                blobs.map_or_else(Vec::new, |blobs| blobs.into_keys().collect())
            }
            (None, None) => Vec::new(),
        };
        let rank = |other: &String| {
            let (other_folder, other_name) = other.rsplit_once('/').unwrap_or(("", other));
            match (other_name == name, other_folder == folder) {
                (true, _) => Some(0),
                (false, true) if other_name.ends_with(ending) => Some(1),
                _ => None,
            }
        };
        let mut ranked: Vec<(u32, String)> = paths
            .into_iter()
            .filter(|other| other != path)
            .filter_map(|other| Some((rank(&other)?, other)))
            .collect();
        ranked.sort();
        ranked.truncate(MAX_SUCCESSORS);
        ranked.into_iter().map(|(_, path)| path).collect()
    }
}
