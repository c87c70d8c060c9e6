//! The moment that a caller asks of.

use super::MemorySession;
use super::calendar::{parse_time, time_words};
use crate::api::MemoMoment;
use crate::error::{EngineError, Result};
use whyrank_memory::{AsOf, commit_moment};
use whyrank_source::CommitId;

impl MemorySession<'_> {
    /// The moment that a caller means; reads the history of its commit where that is needed.
    pub(super) fn as_of(&mut self, moment: &MemoMoment) -> Result<AsOf> {
        let known_at = match &moment.known_at {
            None => i64::MAX,
            Some(text) => parse_time(text, self.now_ms)?,
        };
        let commit = self.commit(moment.as_of.as_deref())?;
        let time_ms = match (&moment.as_of, commit, &self.place.repository) {
            (Some(_), Some(commit), Some(repository)) => {
                commit_moment(repository.commit_info(commit)?.time_s) + 999
            }
            _ => self.now_ms,
        };
        Ok(AsOf {
            commit,
            time_ms,
            known_at,
        })
    }

    /// The commit of a revision; HEAD's for none. `None` outside git and before the first commit.
    pub(super) fn commit(&mut self, revision: Option<&str>) -> Result<Option<CommitId>> {
        let revision = revision.map(str::trim).filter(|text| !text.is_empty());
        let commit = match (&self.place.repository, revision) {
            (None, Some(_)) => {
                return Err(EngineError::bad_argument(
                    "this folder is not in git, so there is no commit to ask of",
                    "ask by time: known_at",
                ));
            }
            (None, None) => return Ok(None),
            (Some(repository), None | Some("HEAD" | "@")) => repository.head_commit()?,
            (Some(repository), Some(revision)) => Some(repository.resolve(revision)?),
        };
        let is_known = |commit: CommitId| {
            let commit_history = self.commit_history();
            commit_history
                .is_some_and(|commit_history| commit_history.history.find(commit).is_some())
        };
        if let Some(commit) = commit.filter(|commit| !is_known(*commit)) {
            self.open.refresh(self.place, Some(commit))?;
        }
        Ok(commit)
    }

    /// The moment in words; empty for here and now.
    pub(super) fn moment_words(&self, moment: &MemoMoment, as_of: AsOf) -> String {
        let mut words = Vec::new();
        if let (Some(revision), Some(commit)) = (&moment.as_of, as_of.commit) {
            words.push(format!("as of {revision} ({})", &commit.to_string()[..8]));
        }
        if moment.known_at.is_some() {
            words.push(format!("as known at {}", time_words(as_of.known_at)));
        }
        words.join(", ")
    }
}
