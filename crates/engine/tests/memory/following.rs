//! What other processes record is heard of, and what a place without commits shows.

use crate::fixture::{Fixture, act, request};
use std::fs;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use whyrank_engine::api::{EngineEvent, MemoListRequest, MemoMoment, RecallRequest};
use whyrank_engine::{Endings, Engine, EnginePaths};

/// Long for a machine with much to do; what is waited for comes in milliseconds.
const PATIENCE: Duration = Duration::from_secs(30);

fn hears_of_memory(events: &Receiver<EngineEvent>) -> bool {
    std::iter::from_fn(|| events.recv_timeout(PATIENCE).ok())
        .any(|event| event == EngineEvent::MemoryChanged)
}

#[test]
fn what_another_process_records_is_told_to_whoever_listens() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    assert!(fixture.recalled(&repo, "").is_empty());
    fixture.engine.follow_memory().expect("it is followed");
    let events = fixture.engine.subscribe();
    let other =
        Engine::open(EnginePaths::below(&fixture.folder.path().join("home"))).expect("it opens");
    let memo = other.remember(&request(&repo, "from elsewhere", &[]));
    let memo = memo.expect("it is recorded").memo;
    assert!(hears_of_memory(&events), "an agent remembered something");
    assert_eq!(fixture.recalled(&repo, ""), ["from elsewhere"]);
    other.forget_memo(&act(&repo, &memo.id)).expect("it ends");
    assert!(hears_of_memory(&events), "an agent forgot something");
}

#[test]
fn what_this_process_records_is_told_once_and_questions_tell_nothing() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    let events = fixture.engine.subscribe();
    fixture.remember(&repo, "here", &[]);
    fixture.recalled(&repo, "here");
    let list = MemoListRequest {
        repo,
        ..MemoListRequest::default()
    };
    fixture.engine.memos(&list).expect("a list");
    let n_told = events
        .try_iter()
        .filter(|event| *event == EngineEvent::MemoryChanged)
        .count();
    assert_eq!(n_told, 1);
}

#[test]
fn a_place_whose_repository_was_begun_anew_keeps_its_memos_and_says_that_they_do_not_hold() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    let old = fixture.remember(&repo, "of the old history", &["src/retry.py"]);
    fs::remove_dir_all(fixture.root().join(".git")).expect("the history goes");
    let mut options = git2::RepositoryInitOptions::new();
    options.initial_head("main");
    git2::Repository::init_opts(fixture.root(), &options).expect("a repository");
    let of = |state: &str| {
        let request = MemoListRequest {
            repo: repo.clone(),
            state: state.to_owned(),
            with_drift: true,
            ..MemoListRequest::default()
        };
        let memos = fixture.engine.memos(&request).expect("a list").memos;
        memos
            .into_iter()
            .map(|memo| memo.content)
            .collect::<Vec<_>>()
    };
    assert!(of("valid").is_empty(), "HEAD has no commit");
    let at_head = RecallRequest {
        repo: repo.clone(),
        moment: MemoMoment {
            as_of: Some("HEAD".to_owned()),
            known_at: None,
        },
        ..RecallRequest::default()
    };
    let recalled = fixture.engine.recall(&at_head).expect("HEAD is a place");
    assert!(recalled.memos.is_empty());
    assert_eq!(of("unplaced"), ["of the old history"]);
    let timeline = fixture
        .engine
        .memo_timeline(&repo, &MemoMoment::default(), &[])
        .expect("a timeline");
    assert_eq!((timeline.commits.len(), timeline.recorded.len()), (0, 1));
    fixture.engine.wakeup(&repo).expect("a primer");
    fixture.remember(&repo, "before the first commit", &["src/retry.py"]);
    assert_eq!(of("valid"), ["before the first commit"]);
    fixture.commit("anew");
    let holding = of("valid");
    assert!(
        holding.contains(&"before the first commit".to_owned()),
        "{holding:?}"
    );
    let history = fixture.engine.memo_history(&repo, &old.memo.id);
    assert_eq!(history.expect("its history").versions.len(), 1);
}

#[test]
fn memos_whose_file_was_removed_are_missed_until_they_are_back() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.remember(&repo, "orders are sent once", &[]);
    let export = fixture.engine.export_memos(&repo).expect("an export").text;
    let folder = fixture.folder.path().join("home/data/memory");
    for entry in fs::read_dir(&folder).expect("a folder").flatten() {
        if entry.file_name().to_string_lossy().contains(".db") {
            fs::remove_file(entry.path()).expect("it goes");
        }
    }
    let asked = RecallRequest {
        repo: repo.clone(),
        ..RecallRequest::default()
    };
    for turn in 0..3 {
        let recalled = fixture.engine.recall(&asked).expect("an answer");
        assert!(recalled.memos.is_empty());
        let notes = recalled.notes.join(" ");
        assert!(notes.contains("1 memo is gone with it"), "{turn}: {notes}");
    }
    fixture.remember(&repo, "another one", &[]);
    let imported = fixture
        .engine
        .import_memos(&repo, &export, Endings::LeaveOut);
    imported.expect("it is taken in");
    let recalled = fixture.engine.recall(&asked).expect("an answer");
    assert_eq!(recalled.notes, [""; 0]);
    assert_eq!(fixture.recalled(&repo, "").len(), 2);
}
