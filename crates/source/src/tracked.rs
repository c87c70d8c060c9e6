//! The files that git tracks, without a walk: what can be read before there is a listing.

use crate::worktree::walk_builder;
use crate::{FileFilter, Repository, classify, decode};
use ignore::IncrementalIgnore;
use std::fs;
use std::path::Path;

/// Kind of a file in git's index: neither link nor submodule.
const REGULAR: u32 = 0o100_000;

impl Repository {
    /// Paths of the files in git's index, in its order; none where it cannot be read.
    ///
    /// Milliseconds for tens of thousands; files that were never added are not among them.
    pub fn tracked_paths(&self) -> Vec<String> {
        let git = self.git();
        let Ok(index) = git.index() else {
            return Vec::new();
        };
        let entries = index.iter();
        let regular = entries.filter(|entry| entry.mode & 0o170_000 == REGULAR);
        regular
            .filter_map(|entry| String::from_utf8(entry.path).ok())
            .collect()
    }

    /// Reads files one by one as a listing would.
    pub fn reader(&self) -> Reader<'_> {
        Reader {
            repository: self,
            ignore: walk_builder(self.root()).build_matchers().pop(),
            filter: FileFilter::default(),
        }
    }
}

/// Reads files one by one, by the rules of a listing: what one would leave out is not read.
pub struct Reader<'a> {
    repository: &'a Repository,
    ignore: Option<IncrementalIgnore>,
    filter: FileFilter,
}

impl Reader<'_> {
    /// The text of a file of at most so many bytes; `None` where it is larger, a listing would leave
    /// it out (ignored, secret, binary, minified, linked), or it is gone.
    pub fn text(&mut self, path: &str, most_bytes: u64) -> Option<String> {
        let ignore = self.ignore.as_mut()?;
        let size_bytes = fs::symlink_metadata(self.repository.root().join(path))
            .ok()?
            .len();
        if size_bytes > most_bytes || ignore.matched(Path::new(path), false).is_ignore() {
            return None;
        }
        let bytes = self.repository.read_worktree(path).ok()?;
        match classify(path, &bytes, &self.filter) {
            Some(_) => None,
            None => decode(&bytes).ok().map(std::borrow::Cow::into_owned),
        }
    }
}
