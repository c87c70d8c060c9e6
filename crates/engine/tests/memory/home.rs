//! Memory follows a repository that was moved; nothing is merged unasked, and nothing is lost.

use crate::fixture::{CODE, Fixture, act};
use std::fs;
use std::path::{Path, PathBuf};
use whyrank_engine::api::{MemoListRequest, MemoListResponse, MemoState, RepoId};
use whyrank_engine::{Engine, EnginePaths};

/// Another process over the same home.
fn again(fixture: &Fixture) -> Engine {
    Engine::open(EnginePaths::below(&fixture.folder.path().join("home"))).expect("it opens")
}

fn repo_at(engine: &Engine, root: &Path) -> RepoId {
    engine.add_repo(root).expect("it is added").id
}

fn list(engine: &Engine, repo: &RepoId) -> MemoListResponse {
    let request = MemoListRequest {
        repo: repo.to_owned(),
        ..MemoListRequest::default()
    };
    engine.memos(&request).expect("a list")
}

fn texts(engine: &Engine, repo: &RepoId) -> Vec<String> {
    let mut texts: Vec<String> = list(engine, repo)
        .memos
        .into_iter()
        .map(|memo| memo.content)
        .collect();
    texts.sort();
    texts
}

fn moved(fixture: &Fixture, name: &str) -> PathBuf {
    let to = fixture.folder.path().join(name);
    fs::rename(fixture.root(), &to).expect("it is moved");
    to
}

fn cloned(fixture: &Fixture, name: &str) -> PathBuf {
    let to = fixture.folder.path().join(name);
    let from = fixture.root();
    git2::Repository::clone(from.to_str().expect("UTF-8"), &to).expect("a clone");
    to
}

#[test]
fn a_moved_repository_finds_its_memory_and_says_so_once() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.remember(&repo, "Retries stop after three attempts", &[]);
    let (old, new) = (fixture.root(), moved(&fixture, "store"));
    let engine = again(&fixture);
    let repo = repo_at(&engine, &new);
    let found = list(&engine, &repo);
    assert_eq!(found.memos[0].content, "Retries stop after three attempts");
    assert!(
        found.memos[0].state == MemoState::Valid,
        "it stands at its commit"
    );
    let old = old.display().to_string();
    assert!(
        found
            .notes
            .iter()
            .any(|note| note.contains(&old) && note.contains("followed")),
        "{:?}",
        found.notes
    );
    // What is recorded here and from now on is one memory.
    let later = again(&fixture);
    assert_eq!(texts(&later, &repo), ["Retries stop after three attempts"]);
    assert!(list(&later, &repo).notes.is_empty(), "it is said once");
    assert_eq!(
        later.memory_home(&repo).expect("a home").used_from,
        Some(old)
    );
    // Moved once more, it follows once more.
    let third = fixture.folder.path().join("third");
    fs::rename(&new, &third).expect("it is moved");
    let engine = again(&fixture);
    let repo = repo_at(&engine, &third);
    assert_eq!(texts(&engine, &repo), ["Retries stop after three attempts"]);
}

#[test]
fn it_goes_back_to_its_own_memory_when_told_to() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.remember(&repo, "Retries stop", &[]);
    let new = moved(&fixture, "store");
    let engine = again(&fixture);
    let repo = repo_at(&engine, &new);
    assert_eq!(texts(&engine, &repo).len(), 1);
    engine.detach_memory(&repo).expect("it is detached");
    assert!(texts(&engine, &repo).is_empty());
    // It was said once; nobody asks again.
    assert!(texts(&again(&fixture), &repo).is_empty());
    let home = engine.memory_home(&repo).expect("a home");
    assert_eq!((home.found.len(), home.found[0].n_memos), (1, 1));
    let error = engine.detach_memory(&repo).expect_err("it has its own");
    assert_eq!(error.code, "bad-argument");
}

#[test]
fn a_clone_is_told_of_the_memory_and_takes_it_only_when_told_to() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.remember(&repo, "Retries stop", &[]);
    let clone = cloned(&fixture, "clone");
    let engine = again(&fixture);
    let copy = repo_at(&engine, &clone);
    let found = list(&engine, &copy);
    assert!(found.memos.is_empty());
    assert!(
        found.notes.iter().any(|note| note.contains("memo attach")),
        "{:?}",
        found.notes
    );
    let root = fixture.root();
    engine
        .attach_memory(&copy, root.to_str().expect("UTF-8"))
        .expect("it is attached");
    assert_eq!(texts(&engine, &copy), ["Retries stop"]);
    // Both places write into one memory now.
    fixture.remember(&repo, "Retries have jitter", &[]);
    assert_eq!(
        texts(&engine, &copy),
        ["Retries have jitter", "Retries stop"]
    );
}

#[test]
fn what_a_place_recorded_itself_is_kept_when_it_takes_another_memory() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.remember(&repo, "Recorded before", &[]);
    let clone = cloned(&fixture, "clone");
    let engine = again(&fixture);
    let copy = repo_at(&engine, &clone);
    let own = engine
        .remember(&crate::fixture::request(
            &copy,
            "Recorded in the clone",
            &[],
        ))
        .expect("it is recorded")
        .memo;
    assert!(
        list(&engine, &copy).memos.len() == 1,
        "nothing is merged unasked"
    );
    let root = fixture.root();
    let home = engine.memory_home(&copy).expect("a home");
    engine
        .attach_memory(&copy, root.to_str().expect("UTF-8"))
        .expect("it is attached");
    let both = ["Recorded before", "Recorded in the clone"];
    assert_eq!(texts(&engine, &copy), both);
    assert_eq!(texts(&fixture.engine, &repo), both);
    // Its own file is as it was, so that going back loses nothing either.
    engine.detach_memory(&copy).expect("it is detached");
    assert_eq!(texts(&engine, &copy), ["Recorded in the clone"]);
    // A purge reaches the file that is not in use as well.
    engine
        .attach_memory(&copy, root.to_str().expect("UTF-8"))
        .expect("it is attached");
    engine.purge_memo(&act(&copy, &own.id)).expect("it goes");
    let bytes = fs::read(&home.file).expect("its own file");
    let text = b"Recorded in the clone";
    assert!(!bytes.windows(text.len()).any(|window| window == text));
}

#[test]
fn two_memories_that_fit_are_both_named_and_neither_is_taken() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    let clone = cloned(&fixture, "clone");
    let copy = repo_at(&fixture.engine, &clone);
    for (repo, content) in [(&repo, "Recorded here"), (&copy, "Recorded there")] {
        fixture.remember(repo, content, &[]);
    }
    let new = moved(&fixture, "store");
    fs::remove_dir_all(&clone).expect("it is deleted");
    let engine = again(&fixture);
    let repo = repo_at(&engine, &new);
    assert!(texts(&engine, &repo).is_empty());
    let found = engine.memory_home(&repo).expect("a home").found;
    assert_eq!(found.len(), 2);
    for other in &found {
        engine
            .attach_memory(&repo, &other.name)
            .expect("it is attached");
    }
    assert_eq!(texts(&engine, &repo), ["Recorded here", "Recorded there"]);
}

#[test]
fn another_repository_at_the_old_place_or_the_new_one_gets_nothing() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.remember(&repo, "Retries stop", &[]);
    let strange = fixture.folder.path().join("strange");
    git2::Repository::init(&strange).expect("a repository");
    let engine = again(&fixture);
    let other = repo_at(&engine, &strange);
    assert!(list(&engine, &other).notes.is_empty());
    assert!(engine.memory_home(&other).expect("a home").found.is_empty());
    // Something else stands where it was: the memory follows its commits, not the path.
    let new = moved(&fixture, "store");
    fs::create_dir(fixture.root()).expect("a folder");
    let other = git2::Repository::init(fixture.root()).expect("a repository");
    fixture.write("src/other.py", CODE);
    // Another author at another time: the same ones would make it look like an amendment.
    let time = git2::Time::new(1_600_000_000, 0);
    let who = git2::Signature::new("Bo", "bo@example.org", &time).expect("a name");
    let tree = other.treebuilder(None).and_then(|tree| tree.write());
    let tree = other.find_tree(tree.expect("a tree")).expect("a tree");
    other
        .commit(Some("HEAD"), &who, &who, "another beginning", &tree, &[])
        .expect("a commit");
    let engine = again(&fixture);
    let repo = repo_at(&engine, &new);
    assert_eq!(texts(&engine, &repo), ["Retries stop"]);
    assert!(texts(&engine, &repo_at(&engine, &fixture.root())).is_empty());
}

#[test]
fn a_memory_that_nobody_recorded_is_refused_by_name() {
    let fixture = Fixture::new();
    let error = fixture
        .engine
        .attach_memory(&fixture.repo(), "/no/such/place")
        .expect_err("it is refused");
    assert_eq!(error.code, "not-found");
    assert!(error.message.contains("/no/such/place"), "{error}");
}
