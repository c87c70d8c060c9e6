//! Looks at working trees for a window, which shows answers long after they were given: what each came to
//! is kept and told to whoever listens.
//!
//! An answer waits for a change once. Answers that follow, as one types on, come at once and say what is
//! behind; nor is an update begun anew for what the last one did not bring.

use super::freshness::NOT_YET;
use crate::Engine;
use crate::api::{EngineEvent, Freshness, IndexOptions, RepoId, TreeLook};
use crate::clock::now_ns;
use crate::error::{Result, caught};
use parking_lot::{Mutex, MutexGuard};
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long an answer waits for the update of files that changed: as long as an agent's.
const WAIT_MS: u32 = 1_000;
/// What was waited for is not waited for again so soon.
const WAITED_FOR: Duration = Duration::from_secs(5);
/// A look beside an answer begins once nobody has asked for so long: whoever types is not slowed down.
const REST: Duration = Duration::from_millis(120);
/// Repositories that are looked at at the same time.
const AT_ONCE: usize = 32;
/// From this share on, vectors are all but complete: an update makes those that are missing.
const NEARLY_ALL: f64 = 0.9;

/// What looks came to, by repository.
#[derive(Default)]
pub(crate) struct Looks {
    known: Mutex<HashMap<RepoId, KnownLook>>,
}

#[derive(Default)]
struct KnownLook {
    last: Option<TreeLook>,
    /// What was last waited for, and when.
    waited: Option<(Freshness, Instant)>,
    /// A look beside answers is under way; the time when it was last asked for.
    asked: Option<Instant>,
    /// When the last look began; held while one is made, so that several answers share it.
    turn: Arc<Mutex<Option<Instant>>>,
}

impl Looks {
    fn of(&self) -> MutexGuard<'_, HashMap<RepoId, KnownLook>> {
        self.known.lock()
    }

    fn has_waited(&self, repo: &RepoId, found: &Freshness) -> bool {
        let known = self.of();
        let waited = known.get(repo).and_then(|known| known.waited.as_ref());
        waited.is_some_and(|(before, at)| at.elapsed() < WAITED_FOR && is_same(before, found))
    }

    fn turn(&self, repo: &RepoId) -> Arc<Mutex<Option<Instant>>> {
        Arc::clone(&self.of().entry(repo.clone()).or_default().turn)
    }

    /// The last look, where it found nothing behind.
    fn current(&self, repo: &RepoId) -> Option<TreeLook> {
        let known = self.of();
        let last = known.get(repo)?.last.clone();
        last.filter(|look| look.found.is_current())
    }

    /// When a look beside answers was last asked for.
    fn asked(&self, repo: &RepoId) -> Option<Instant> {
        self.of().get(repo)?.asked
    }

    /// Why the last update came to nothing, where no other has begun since.
    fn reason(&self, repo: &RepoId, found: &Freshness) -> Option<String> {
        let known = self.of();
        let (before, _) = known.get(repo)?.waited.as_ref()?;
        (found.note == NOT_YET && is_same(before, found)).then(|| before.note.clone())
    }

    fn keep(&self, look: &TreeLook, has_waited: bool) {
        let mut known = self.of();
        let known = known.entry(look.repo.clone()).or_default();
        if look.found.is_current() {
            known.waited = None;
        } else if has_waited {
            known.waited = Some((look.found.clone(), Instant::now()));
        }
        // A look that began earlier may end later.
        if known
            .last
            .as_ref()
            .is_none_or(|last| last.looked_at <= look.looked_at)
        {
            known.last = Some(look.clone());
        }
    }
}

impl Engine {
    /// Sees to it that the index shows the files of a repository, or of several under a joined id, as they
    /// are, and waits for that a second at most. What is still behind then is told.
    pub fn look_before_answer(&self, repo: &RepoId) -> Vec<TreeLook> {
        self.look_at_all(repo, true)
    }

    /// Looks whether files changed. Starts nothing and waits for nothing.
    pub fn glance(&self, repo: &RepoId) -> Vec<TreeLook> {
        self.look_at_all(repo, false)
    }

    /// What the last looks came to, for an answer that comes at once; new ones begin beside it, and listeners
    /// hear of them.
    pub fn look_beside_answer(&self, repo: &RepoId) -> Vec<TreeLook> {
        let repos = repo.several().unwrap_or_else(|| vec![repo.clone()]);
        repos.iter().map(|repo| self.begin_look(repo)).collect()
    }

    /// What a change of files begins. Vectors are made where they were complete: who cancelled the rest is
    /// not given it by a save.
    pub(super) fn options_of_update(&self, repo: &RepoId) -> IndexOptions {
        let registered = self.state.registry.get(repo);
        let view = registered.and_then(|registered| self.state.worktree_view(&registered));
        let is_encoded = view.map_or(true, |view| {
            self.state.is_encoded(&view) || self.state.coverage(&view, 0).vector >= NEARLY_ALL
        });
        IndexOptions {
            skip_vectors: !is_encoded,
            ..IndexOptions::default()
        }
    }

    fn look_at_all(&self, repo: &RepoId, waits: bool) -> Vec<TreeLook> {
        let Some(repos) = repo.several() else {
            return self.look_at(repo, waits).into_iter().collect();
        };
        let mut looks = Vec::new();
        for some in repos.chunks(AT_ONCE) {
            std::thread::scope(|scope| {
                let begin = |repo| scope.spawn(move || self.look_at(repo, waits));
                let begun: Vec<_> = some.iter().map(begin).collect();
                looks.extend(begun.into_iter().filter_map(|one| one.join().ok()?));
            });
        }
        looks
    }

    /// A look that began after this one was asked for serves as well.
    fn look_at(&self, repo: &RepoId, waits: bool) -> Option<TreeLook> {
        let asked = Instant::now();
        let turn = self.state.looks.turn(repo);
        let mut began = turn.lock();
        if began.is_some_and(|began| began >= asked)
            && let Some(look) = self.state.looks.current(repo)
        {
            return Some(look);
        }
        *began = Some(Instant::now());
        self.look_anew(repo, waits)
    }

    fn look_anew(&self, repo: &RepoId, waits: bool) -> Option<TreeLook> {
        let looked_at = now_ms();
        let started = Instant::now();
        let (took, has_waited) = (Cell::new(None), Cell::new(false));
        let is_left = |found: &Freshness| {
            took.set(took.get().or(Some(started.elapsed())));
            has_waited.set(waits && !self.state.looks.has_waited(repo, found));
            !has_waited.get()
        };
        let options = self.options_of_update(repo);
        let mut found = self.freshen_unless(repo, WAIT_MS, options, &is_left).ok()?;
        if let Some(reason) = self.state.looks.reason(repo, &found) {
            found.note = reason;
        }
        let took = took.get().unwrap_or_else(|| started.elapsed());
        let look = TreeLook {
            repo: repo.clone(),
            found,
            index_state: self.index_state(repo).unwrap_or_default(),
            looked_at,
            took_ms: took.as_secs_f64() * 1e3,
            is_looking: false,
        };
        self.state.looks.keep(&look, has_waited.get());
        self.state.events.send(&EngineEvent::Looked(look.clone()));
        Some(look)
    }

    fn index_state(&self, repo: &RepoId) -> Result<String> {
        let registered = self.state.registry.get(repo)?;
        let view = self.state.worktree_view(&registered)?;
        Ok(format!("{}.{}", view.reader.generation(), view.version))
    }

    fn begin_look(&self, repo: &RepoId) -> TreeLook {
        let mut known = self.state.looks.of();
        let known = known.entry(repo.clone()).or_default();
        let last = known.last.clone();
        if known.asked.replace(Instant::now()).is_none() {
            let (engine, repo) = (self.clone(), repo.clone());
            let begun = std::thread::Builder::new().spawn(move || engine.look_beside(&repo));
            if begun.is_err() {
                known.asked = None;
            }
        }
        TreeLook {
            is_looking: true,
            ..last.unwrap_or_else(|| never(repo))
        }
    }

    /// Looks until nobody has asked since; what is behind is told before it is waited for.
    fn look_beside(&self, repo: &RepoId) {
        while let Some(asked) = self.state.looks.asked(repo) {
            let rested = asked.elapsed();
            if rested < REST {
                std::thread::sleep(REST - rested);
                continue;
            }
            // Nobody would look any more if a panic left it said that somebody does.
            caught(|| {
                let look = self.look_at(repo, false);
                if look.is_some_and(|look| !look.found.is_current()) {
                    drop(self.look_at(repo, true));
                }
            });
            let mut known = self.state.looks.of();
            if let Some(known) = known.get_mut(repo)
                && known.asked == Some(asked)
            {
                known.asked = None;
            }
        }
    }
}

/// The same files are behind, whatever is done about them.
fn is_same(one: &Freshness, other: &Freshness) -> bool {
    let plain = |one: &Freshness| Freshness {
        note: String::new(),
        ..one.clone()
    };
    plain(one) == plain(other)
}

fn never(repo: &RepoId) -> TreeLook {
    TreeLook {
        repo: repo.clone(),
        found: Freshness::default(),
        index_state: String::new(),
        looked_at: 0.0,
        took_ms: 0.0,
        is_looking: true,
    }
}

fn now_ms() -> f64 {
    now_ns() as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_waited_for_once() {
        let (looks, repo) = (Looks::default(), RepoId::from("r1"));
        let behind = |path: &str, note: &str| Freshness {
            behind: vec![path.to_owned()],
            n_behind: 1,
            note: note.to_owned(),
            ..Freshness::default()
        };
        let look = |found: Freshness| TreeLook {
            found,
            ..never(&repo)
        };
        let (first, other) = (behind("a", "update running"), behind("b", "update running"));
        assert!(!looks.has_waited(&repo, &first));
        looks.keep(&look(first.clone()), false);
        assert!(
            !looks.has_waited(&repo, &first),
            "a glance waits for nothing"
        );
        looks.keep(&look(behind("a", "no update: the disk is full")), true);
        assert!(looks.has_waited(&repo, &first));
        assert!(!looks.has_waited(&repo, &other));
        let reason = looks.reason(&repo, &behind("a", NOT_YET));
        assert_eq!(reason.as_deref(), Some("no update: the disk is full"));
        looks.keep(&look(Freshness::default()), true);
        assert!(
            !looks.has_waited(&repo, &first),
            "it came in, and may change again"
        );
    }

    #[test]
    fn the_look_that_began_last_is_the_one_that_holds() {
        let (looks, repo) = (Looks::default(), RepoId::from("r1"));
        for (looked_at, index_state) in [(2.0, "new"), (1.0, "old")] {
            let look = TreeLook {
                looked_at,
                index_state: index_state.to_owned(),
                ..never(&repo)
            };
            looks.keep(&look, false);
        }
        assert_eq!(looks.current(&repo).expect("a look").index_state, "new");
    }
}
