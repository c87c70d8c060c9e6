//! What stands between a working tree and its last commit.

use crate::fixture::Fixture;
use std::path::Path;

fn stage(fixture: &Fixture, path: &str) {
    let mut index = fixture.git.index().expect("an index");
    index.add_path(Path::new(path)).expect("the path is staged");
    index.write().expect("the index is written");
}

#[test]
fn staged_unstaged_and_unknown_paths_are_told_apart() {
    let fixture = Fixture::with_files(&[("a.rs", "fn a() {}\n"), ("b.rs", "fn b() {}\n")]);
    fixture.commit("one");
    assert_eq!(
        fixture.open().tree_state().expect("a state"),
        Default::default()
    );
    fixture.write("a.rs", "fn a() { 1; }\n");
    stage(&fixture, "a.rs");
    fixture.write("a.rs", "fn a() { 2; }\n");
    fixture.write("b.rs", "fn b() { 2; }\n");
    fixture.write("new/c.rs", "fn c() {}\n");
    let state = fixture.open().tree_state().expect("a state");
    assert_eq!(state.staged, ["a.rs"]);
    assert_eq!(state.unstaged, ["a.rs", "b.rs"]);
    assert_eq!(state.untracked, ["new/c.rs"]);
    assert!(state.conflicted.is_empty() && state.under_way.is_none());
}

#[test]
fn a_merge_under_way_is_said() {
    let fixture = Fixture::with_files(&[("a.rs", "fn a() {}\n")]);
    let commit = fixture.commit("one");
    std::fs::write(fixture.git.path().join("MERGE_HEAD"), format!("{commit}\n")).expect("written");
    let state = fixture.open().tree_state().expect("a state");
    assert_eq!(state.under_way, Some("merge"));
}

#[test]
fn a_branch_left_main_where_both_last_agreed() {
    let fixture = Fixture::with_files(&[("a.rs", "fn a() {}\n")]);
    let base = fixture.commit("one");
    assert_eq!(fixture.open().trunk(), None);
    let head = fixture.git.head().and_then(|head| head.peel_to_commit());
    let head = head.expect("a commit");
    let made = fixture.git.branch("topic", &head, false);
    made.expect("a branch");
    let set = fixture.git.set_head("refs/heads/topic");
    set.expect("the branch is taken");
    fixture.write("a.rs", "fn a() { 1; }\n");
    fixture.commit("two");
    let trunk = fixture.open().trunk().expect("main was left");
    assert_eq!(
        (trunk.name.as_str(), trunk.base, trunk.n_ahead),
        ("main", base, 1)
    );
}
