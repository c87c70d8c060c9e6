//! Following saves and checkouts.

use crate::Engine;
use crate::api::{EngineEvent, IndexOptions, RepoId};
use crate::error::Result;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use whyrank_source::{Repository, Watcher};

/// Where watchers write their cookies, below the state folder.
const COOKIES: &str = "cookies";
/// How long a watcher is waited for; beyond that the files are looked at themselves.
const PATIENCE: Duration = Duration::from_millis(50);

#[derive(Default)]
pub(crate) struct Watching {
    watchers: Mutex<HashMap<RepoId, Arc<Watcher>>>,
}

impl Engine {
    /// Follows saves and checkouts, or stops to. The choice is remembered; call
    /// [`Engine::resume_watching`] once after start to take it up again.
    ///
    /// # Errors
    /// `unknown-repository`; `source` when the system refuses to watch, with the limit to raise.
    pub fn set_watching(&self, repo: &RepoId, watching: bool) -> Result<()> {
        let registered = self.state.registry.get(repo)?;
        if watching {
            self.watch(repo)?;
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
    /// As [`Engine::set_watching`].
    pub fn watch(&self, repo: &RepoId) -> Result<()> {
        let registered = self.state.registry.get(repo)?;
        let repository = Repository::discover(&registered.root)?;
        let state = Arc::downgrade(&self.state);
        let id = registered.id.clone();
        let cookies = self.state.paths.state_dir.join(COOKIES);
        let watcher = Watcher::start(&repository, Some(&cookies), move |_| {
            // Which files changed does not matter: a scan knows them by size and time.
            if let Some(state) = state.upgrade()
                && let Err(error) = (Self { state }).start_index(&id, IndexOptions::default())
            {
                tracing::warn!(%error, "a change could not be indexed");
            }
        })?;
        self.watchers().insert(registered.id, Arc::new(watcher));
        Ok(())
    }

    /// Stops to follow a repository that [`Engine::watch`] follows, and forgets what looks at its files
    /// found out; one whose watching is remembered is followed on.
    pub fn unwatch(&self, repo: &RepoId) {
        let is_remembered = self
            .state
            .registry
            .get(repo)
            .is_ok_and(|known| known.watching);
        if !is_remembered {
            self.watchers().remove(repo);
            self.state.worktree_records.forget(repo);
        }
    }

    /// Takes up watching where it was left on when the last process ended.
    pub fn resume_watching(&self) {
        for repo in self.state.registry.all().unwrap_or_default() {
            if repo.watching
                && let Err(error) = self.watch(&repo.id)
            {
                tracing::warn!(repo = %repo.name, %error, "cannot be watched");
            }
        }
    }

    pub(crate) fn is_watching(&self, repo: &RepoId) -> bool {
        self.watchers().contains_key(repo)
    }

    /// Counts what happened in a repository that is watched: as long as the number stays, nothing did.
    pub(super) fn watched_events(&self, repo: &RepoId) -> Option<u64> {
        let watcher = self.watchers().get(repo).cloned();
        watcher?.events(PATIENCE)
    }

    fn watchers(&self) -> std::sync::MutexGuard<'_, HashMap<RepoId, Arc<Watcher>>> {
        self.state
            .watching
            .watchers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
