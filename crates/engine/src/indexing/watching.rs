//! Following saves and checkouts.
//!
//! A window follows every repository unless somebody switched that off. Where the system lets no more
//! folders be watched this is said, and files are looked at by time and before each answer instead.

use crate::Engine;
use crate::api::{EngineEvent, RepoId};
use crate::error::Result;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use whyrank_source::{Repository, Watcher};

/// Where watchers write their cookies, below the state folder.
const COOKIES: &str = "cookies";
/// How long a watcher is waited for; beyond that the files are looked at themselves.
const PATIENCE: Duration = Duration::from_millis(50);

#[derive(Default)]
pub(crate) struct Watching {
    watchers: Mutex<HashMap<RepoId, Arc<Watcher>>>,
    /// This process follows what is registered, as a window does.
    follows_all: AtomicBool,
}

impl Engine {
    /// Follows saves and checkouts, or stops to. The choice is remembered; call
    /// [`Engine::follow_repositories`] once after start to take it up again. Where the system's limit is
    /// reached, the choice holds and the summary says so.
    ///
    /// # Errors
    /// `unknown-repository`; `source` when the system refuses to watch.
    pub fn set_watching(&self, repo: &RepoId, watching: bool) -> Result<()> {
        let registered = self.state.registry.get(repo)?;
        if watching {
            match self.watch(repo) {
                Err(error) if error.code == "watch-limit" => {}
                outcome => outcome?,
            }
        } else {
            self.watchers().remove(repo);
        }
        self.state.registry.set_watching(repo, watching)?;
        self.state.events.send(&EngineEvent::RepoChanged {
            repo: registered.id,
        });
        Ok(())
    }

    /// Follows a repository for the life of this process, without remembering it.
    ///
    /// # Errors
    /// `unknown-repository`; `watch-limit`, with the limit to raise; `source`.
    pub fn watch(&self, repo: &RepoId) -> Result<()> {
        let registered = self.state.registry.get(repo)?;
        let repository = Repository::discover(&registered.root)?;
        let state = Arc::downgrade(&self.state);
        let id = registered.id.clone();
        let cookies = self.state.paths.state_dir.join(COOKIES);
        let started = Watcher::start(&repository, Some(&cookies), move |_| {
            // Which files changed does not matter: a scan knows them by size and time.
            if let Some(state) = state.upgrade() {
                (Self { state }).index_change(&id);
            }
        });
        let outcome = started.map_err(crate::EngineError::from);
        let is_past_limit = matches!(&outcome, Err(error) if error.code == "watch-limit");
        if is_past_limit != registered.is_past_limit {
            self.note_limit(repo, is_past_limit);
        }
        self.watchers().insert(registered.id, Arc::new(outcome?));
        Ok(())
    }

    /// Keeps whether the limit of watched folders was reached: the summary says it, of other processes too.
    fn note_limit(&self, repo: &RepoId, is_past: bool) {
        if let Err(error) = self.state.registry.set_past_limit(repo, is_past) {
            tracing::warn!(%error, "whether the limit of watched folders was reached is not kept");
        }
        let repo = repo.clone();
        self.state.events.send(&EngineEvent::RepoChanged { repo });
    }

    /// Brings the index up to what changed. Vectors are made where they were complete before: who
    /// cancelled them is not given them back by a save.
    fn index_change(&self, repo: &RepoId) {
        if let Err(error) = self.start_index(repo, self.options_of_update(repo)) {
            tracing::warn!(%error, "a change could not be indexed");
        }
    }

    /// Stops to follow a repository that [`Engine::watch`] follows, and forgets what looks at its files
    /// found out; where all are followed this one is, too.
    pub fn unwatch(&self, repo: &RepoId) {
        let known = self.state.registry.get(repo);
        let is_to_stay = self.state.watching.follows_all.load(Ordering::Relaxed)
            && known.is_ok_and(|known| known.is_to_be_watched());
        if !is_to_stay {
            self.watchers().remove(repo);
            self.state.worktree_records.forget(repo);
        }
    }

    /// Follows what is registered, and what will be, save where somebody switched that off.
    pub fn follow_repositories(&self) {
        let watching = &self.state.watching;
        watching.follows_all.store(true, Ordering::Relaxed);
        for repo in self.state.registry.all().unwrap_or_default() {
            self.follow_registered(&repo.id);
        }
    }

    /// Follows one of them, where this process follows any; it walks the whole tree.
    pub(super) fn follow_registered(&self, repo: &RepoId) {
        let is_to_be = self.state.registry.get(repo);
        let is_to_be = is_to_be.is_ok_and(|repo| repo.is_to_be_watched());
        let follows = self.state.watching.follows_all.load(Ordering::Relaxed);
        if !follows || !is_to_be || self.watchers().contains_key(repo) {
            return;
        }
        if let Err(error) = self.watch(repo) {
            tracing::warn!(%repo, %error, "cannot be watched: files are looked at by time");
        }
    }

    /// Counts what happened in a repository that is watched: as long as the number stays, nothing did.
    pub(super) fn watched_events(&self, repo: &RepoId) -> Option<u64> {
        let watcher = self.watchers().get(repo).cloned();
        watcher?.events(PATIENCE)
    }

    fn watchers(&self) -> parking_lot::MutexGuard<'_, HashMap<RepoId, Arc<Watcher>>> {
        self.state.watching.watchers.lock()
    }
}
