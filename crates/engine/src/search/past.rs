//! The newest commits before a view's commit, for searches that ask what the past says. Kept by commit:
//! a file that is saved does not change the past.

use crate::views::LiveView;
use parking_lot::Mutex;
use std::path::Path;
use std::sync::Arc;
use whyrank_retrieval::PastChanges;
use whyrank_source::{RecentChanges, Repository, SourceError};

/// Commits looked at: those further back add nothing on the issues that were measured.
const MAX_COMMITS: usize = 400;
/// A commit of more files says nothing about each.
const MAX_FILES: usize = 12;
/// Commits whose past is kept.
const MAX_KEPT: usize = 8;

/// What was read, by commit; the newest last.
#[derive(Default)]
pub(crate) struct PastReads(Mutex<Vec<(String, Arc<RecentChanges>)>>);

impl PastReads {
    /// The past of a view; nothing where there is no commit or git cannot tell.
    pub(crate) fn of<'v>(&self, view: &'v LiveView, root: &Path) -> Option<&'v PastChanges> {
        let past = view.past_changes.get_or_init(|| {
            let commit = view.commit.as_deref();
            let read = commit.map(|commit| self.read(commit, root));
            match read {
                Some(Ok(changes)) => by_file(view, &changes),
                Some(Err(error)) => {
                    tracing::debug!(%error, "the past cannot be read");
                    PastChanges::default()
                }
                None => PastChanges::default(),
            }
        });
        (!past.is_empty()).then_some(past)
    }

    fn read(&self, commit: &str, root: &Path) -> Result<Arc<RecentChanges>, SourceError> {
        let lock = || self.0.lock();
        if let Some((_, known)) = lock().iter().find(|(of, _)| of == commit) {
            return Ok(Arc::clone(known));
        }
        let repository = Repository::discover(root)?;
        let id = repository.resolve(commit)?;
        let changes = Arc::new(repository.recent_changes(id, MAX_COMMITS, MAX_FILES)?);
        let mut kept = lock();
        kept.push((commit.to_owned(), Arc::clone(&changes)));
        let n_over = kept.len().saturating_sub(MAX_KEPT);
        kept.drain(..n_over);
        Ok(changes)
    }
}

fn by_file(view: &LiveView, changes: &RecentChanges) -> PastChanges {
    let files = |paths: &Vec<String>| -> Vec<u32> {
        let known = paths.iter().filter_map(|path| view.file(path));
        known.collect()
    };
    let commits = changes.messages.iter().zip(&changes.commits);
    PastChanges::new(commits.map(|(message, paths)| (message.clone(), files(paths))))
}
