//! The check of the files behind an answer, and the words in which the answer says what it found.

use std::cell::{Cell, RefCell};

use serde_json::{Map, Value};
use whyrank_engine::api::{Freshness, RepoId};

use crate::present;

/// What a call found out about the files behind its answer.
#[derive(Debug, Default)]
pub struct FreshnessCheck {
    /// The call is about a commit, which does not change.
    pub(super) is_of_commit: Cell<bool>,
    /// The answer is read from git and the files; the index adds to it.
    reads_files: Cell<bool>,
    /// By repository, as each was first needed.
    pub(super) found: RefCell<Vec<(RepoId, Freshness)>>,
    /// The call behind an earlier answer, whose files have other contents by now.
    pub(super) outdated: RefCell<Option<String>>,
}

impl FreshnessCheck {
    /// Notes what a call asks for, before it runs.
    pub(crate) fn begin(&self, args: &Map<String, Value>) {
        let as_of = args.get("as_of").and_then(Value::as_str);
        self.is_of_commit
            .set(as_of.is_some_and(|as_of| !as_of.trim().is_empty()));
    }

    /// Notes that what an answer says of changes is of the files themselves.
    pub(crate) fn reads_files(&self) {
        self.reads_files.set(true);
    }

    /// Returns the first line of an answer that names these paths, where it is not of the files as they are.
    pub(super) fn line(&self, named: &[&str]) -> Option<String> {
        let found = self.found.borrow();
        let says = if self.reads_files.get() {
            present::index_beside
        } else {
            present::freshness
        };
        let behind = found.iter().find_map(|(_, one)| says(one, named));
        behind.or_else(|| self.outdated.borrow().as_deref().map(present::outdated))
    }

    /// Returns the same as data.
    pub(super) fn behind(&self) -> Option<Value> {
        let found = self.found.borrow();
        let behind = found.iter().find(|(_, one)| !one.is_current());
        behind.and_then(|(_, one)| serde_json::to_value(one).ok())
    }
}
