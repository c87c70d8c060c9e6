//! A look at the working tree for the moments before there is an index.

use crate::Engine;
use crate::api::{RepoId, UnindexedGrep, UnindexedLine};
use crate::error::Result;
use std::time::{Duration, Instant};
use whyrank_retrieval::{FileReader, unindexed_grep};
use whyrank_source::{Reader, Repository};

/// Larger files are passed over: one of them would take the time of all others.
const MAX_BYTES: u64 = 256 << 10;

struct WorkingTree<'a> {
    reader: Reader<'a>,
    until: Instant,
}

impl FileReader for WorkingTree<'_> {
    fn text(&mut self, path: &str) -> Option<String> {
        self.reader.text(path, MAX_BYTES)
    }

    fn has_time(&self) -> bool {
        Instant::now() < self.until
    }
}

impl Engine {
    /// Counts the files that git tracks: how much there would be to index.
    ///
    /// # Errors
    /// As [`Engine::unindexed_grep`].
    pub fn n_tracked_files(&self, repo: &RepoId) -> Result<u32> {
        let registered = self.state.registry.get(repo)?;
        let repository = Repository::discover(&registered.root)?;
        Ok(repository.tracked_paths().len() as u32)
    }

    /// Returns lines of tracked files that hold words of a query, one a file, best first, read from
    /// the working tree within about `budget_ms`. It needs no index.
    ///
    /// # Errors
    /// `unknown-repository`, and what opening the repository gives.
    pub fn unindexed_grep(
        &self,
        repo: &RepoId,
        query: &str,
        limit: usize,
        budget_ms: u32,
    ) -> Result<UnindexedGrep> {
        let until = Instant::now() + Duration::from_millis(budget_ms.into());
        let registered = self.state.registry.get(repo)?;
        let repository = Repository::discover(&registered.root)?;
        let paths = repository.tracked_paths();
        let mut files = WorkingTree {
            reader: repository.reader(),
            until,
        };
        let (lines, n_read) = unindexed_grep(query, &paths, &mut files, limit);
        let lines = lines.into_iter().map(|one| UnindexedLine {
            path: one.path,
            line: one.line,
            text: one.text,
        });
        Ok(UnindexedGrep {
            lines: lines.collect(),
            n_read: n_read as u32,
            n_files: paths.len() as u32,
        })
    }
}
