//! The files that evidence is looked for in: those of a commit as git has them, or of the working tree as
//! they lie there.

use crate::error::Result;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use whyrank_source::{BlobId, CommitId, FileFilter, Repository, blob_id, shown};

/// Larger contents are no text that anybody cites.
const MAX_BYTES: u64 = 64 << 20;

/// A file as it is now.
pub(super) struct Current {
    pub(super) blob: BlobId,
    pub(super) text: String,
}

pub(super) struct FilesNow {
    pub(super) repository: Repository,
    filter: FileFilter,
    /// What is asked about; `None` for the working tree.
    as_of: Option<CommitId>,
    /// The commit asked about, else HEAD.
    pub(super) commit: Option<String>,
    /// Its files.
    pub(super) committed: BTreeMap<String, BlobId>,
    /// Paths that differ from a commit, by that.
    changed: RefCell<HashMap<Option<CommitId>, Rc<Vec<String>>>>,
}

impl FilesNow {
    pub(super) fn of(repository: Repository, as_of: Option<&str>) -> Result<Self> {
        let as_of = as_of.map(|as_of| repository.resolve(as_of)).transpose()?;
        // Without a commit all that is there is new.
        let head = as_of.or_else(|| repository.resolve("HEAD").ok());
        let committed = match head {
            Some(head) => repository.blobs_of(head)?,
            None => BTreeMap::new(),
        };
        Ok(Self {
            filter: repository.filter(),
            repository,
            as_of,
            commit: head.map(|head| head.to_string()),
            committed,
            changed: RefCell::default(),
        })
    }

    pub(super) fn is_worktree(&self) -> bool {
        self.as_of.is_none()
    }

    /// Paths that are there and were otherwise at a commit, HEAD where none is known.
    pub(super) fn changed_since(&self, commit: Option<&str>) -> Result<Rc<Vec<String>>> {
        let named = commit.and_then(|commit| self.repository.resolve(commit).ok());
        let from = named.or_else(|| self.repository.resolve("HEAD").ok());
        if let Some(known) = self.changed.borrow().get(&from) {
            return Ok(Rc::clone(known));
        }
        let deltas = self.repository.deltas(from, self.as_of)?;
        let there = deltas.into_iter().filter(|delta| delta.new.is_some());
        let paths: Rc<Vec<String>> = Rc::new(there.map(|delta| delta.path).collect());
        self.changed.borrow_mut().insert(from, Rc::clone(&paths));
        Ok(paths)
    }

    /// A file as it is now; `None` where it is gone, no text, or not to be shown: secrets above all.
    pub(super) fn read(&self, path: &str) -> Option<Current> {
        let bytes = match self.as_of {
            None => self.repository.read_worktree(path).ok()?,
            Some(_) => {
                let blob = *self.committed.get(path)?;
                self.repository.read_blob_within(blob, MAX_BYTES).ok()??
            }
        };
        let text = shown(path, &bytes, &self.filter).ok()?;
        Some(Current {
            blob: blob_id(&bytes),
            text: text.into_owned(),
        })
    }

    /// The path that is meant: one that is there, or the only one that ends so.
    pub(super) fn path_of(&self, path: &str) -> Option<String> {
        let path = path.trim_start_matches("./");
        let is_file = || self.is_worktree() && self.repository.read_worktree(path).is_ok();
        if self.committed.contains_key(path) || is_file() {
            return Some(path.to_owned());
        }
        let changed = self.changed_since(None).unwrap_or_default();
        let end = format!("/{path}");
        let known = self.committed.keys().chain(&*changed);
        let mut ends: Vec<&String> = known.filter(|one| one.ends_with(&end)).collect();
        ends.sort_unstable();
        ends.dedup();
        match ends.as_slice() {
            [one] => Some((*one).clone()),
            _ => None,
        }
    }
}
