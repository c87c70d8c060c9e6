//! Looks at working trees before and beside answers: what changed is in the next answer, and is waited for
//! once.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use tempfile::TempDir;
use whyrank_engine::api::{EngineEvent, GrepRequest, IndexOptions, JobState, RepoId, TreeLook};
use whyrank_engine::{Engine, EnginePaths};

/// Longer than any machine takes.
const PATIENCE: Duration = Duration::from_secs(60);

struct Fixture {
    folder: TempDir,
    engine: Engine,
    repo: RepoId,
}

impl Fixture {
    /// An indexed repository that nothing follows.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EnginePaths::below(&folder.path().join("home"))).unwrap();
        let root = folder.path().join("shop");
        git2::Repository::init(&root).unwrap();
        fs::write(root.join("app.py"), "def main():\n    return 1\n").unwrap();
        let repo = engine.add_repo(&root).unwrap().id;
        let job = engine.start_index(&repo, IndexOptions::default()).unwrap();
        assert_eq!(engine.wait_job(&job).unwrap().state, JobState::Done);
        Self {
            folder,
            engine,
            repo,
        }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn edit(&self, name: &str) {
        let text = format!("def main():\n    return 1\n\n\ndef {name}():\n    return 2\n");
        fs::write(self.root().join("app.py"), text).unwrap();
    }

    fn finds(&self, name: &str) -> bool {
        let request = GrepRequest {
            repo: self.repo.clone(),
            pattern: name.to_owned(),
            ..GrepRequest::default()
        };
        self.engine.grep(&request).unwrap().n_lines > 0
    }

    fn look(&self) -> TreeLook {
        self.engine.look_before_answer(&self.repo).pop().unwrap()
    }

    fn glance(&self) -> TreeLook {
        self.engine.glance(&self.repo).pop().unwrap()
    }

    /// Holds the index, as another process that writes it does.
    fn hold(&self) -> whyrank_index::Writer {
        let stores = self.folder.path().join("home/data/stores");
        let store = fs::read_dir(stores).unwrap().next().unwrap().unwrap();
        let store = whyrank_index::Store::at(&store.path());
        store.writer(whyrank_index::WriteMode::Update).unwrap()
    }
}

/// The next look that listeners are told of and that fulfils a condition.
fn told(events: &Receiver<EngineEvent>, holds: impl Fn(&TreeLook) -> bool) -> TreeLook {
    loop {
        match events.recv_timeout(PATIENCE).unwrap() {
            EngineEvent::Looked(look) if holds(&look) => return look,
            _ => {}
        }
    }
}

#[test]
fn what_changed_is_in_the_answer_after_a_look() {
    let fixture = Fixture::new();
    let before = fixture.look();
    assert!(before.found.is_current() && before.looked_at > 0.0);
    fixture.edit("restock");
    let after = fixture.look();
    assert!(after.found.is_current(), "{after:?}");
    assert_ne!(after.index_state, before.index_state);
    assert!(fixture.finds("restock"));
}

#[test]
fn a_glance_says_what_is_behind_and_begins_nothing() {
    let fixture = Fixture::new();
    fixture.edit("restock");
    let look = fixture.glance();
    assert_eq!(look.found.behind, ["app.py"]);
    assert_eq!(
        (look.found.n_behind, look.found.note.as_str()),
        (1, "not updated yet")
    );
    assert!(!fixture.finds("restock"));
    assert!(
        fixture
            .engine
            .jobs()
            .iter()
            .all(|job| job.state == JobState::Done)
    );
}

#[test]
fn an_answer_that_comes_at_once_is_followed_by_the_look() {
    let fixture = Fixture::new();
    let events = fixture.engine.subscribe();
    fixture.edit("restock");
    let beside = fixture
        .engine
        .look_beside_answer(&fixture.repo)
        .pop()
        .unwrap();
    assert!(beside.is_looking, "nobody knows yet");
    told(&events, |look| look.found.behind == ["app.py"]);
    told(&events, |look| look.found.is_current());
    assert!(fixture.finds("restock"));
}

#[test]
fn what_another_process_keeps_from_being_updated_is_named_until_it_is_in() {
    let fixture = Fixture::new();
    let held = fixture.hold();
    fixture.edit("restock");
    let first = fixture.look();
    assert_eq!(first.found.behind, ["app.py"]);
    assert!(first.found.note.contains("another process"), "{first:?}");
    let second = fixture.look();
    assert_eq!(second.found, first.found);
    drop(held);
    let job = fixture.engine.jobs().remove(0);
    fixture.engine.wait_job(&job.job_id).unwrap();
    assert!(fixture.look().found.is_current());
    assert!(fixture.finds("restock"));
}

#[test]
fn a_window_follows_whatever_nobody_switched_off() {
    let fixture = Fixture::new();
    let is_watched = || fixture.engine.repo(&fixture.repo).unwrap().watching;
    assert!(is_watched(), "nobody was asked");
    let events = fixture.engine.subscribe();
    fixture.engine.follow_repositories();
    fixture.edit("restock");
    while !fixture.finds("restock") {
        events.recv_timeout(PATIENCE).expect("a change is told");
    }
    fixture.engine.set_watching(&fixture.repo, false).unwrap();
    assert!(!is_watched());
}
