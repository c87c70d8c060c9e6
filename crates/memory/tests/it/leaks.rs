//! What must never be answered: each test is a leak that memories of this kind have had.

use crate::fixture::{World, tokenize};
use whyrank_memory::{Field, Query, Tier, WordIndex};
use whyrank_source::CommitId;

fn recalled(world: &World, commit: Option<CommitId>, text: &str) -> Vec<String> {
    let commit_history = world.commit_history();
    let mut words = WordIndex::new(tokenize);
    words.extend(world.memory.ledger());
    let query = Query {
        text: text.to_owned(),
        ..Query::default()
    };
    let found = world
        .snapshot(&commit_history, commit, i64::MAX)
        .recall(&words, &query);
    found
        .iter()
        .map(|one| world.text(one.resolved.version))
        .collect()
}

#[test]
fn outside_git_a_superseded_memo_is_not_active() {
    let mut world = World::new();
    let old = world.add("retries use three attempts");
    world.supersede(&old, "retries use five attempts");
    assert_eq!(
        recalled(&world, None, "retries"),
        ["retries use five attempts"]
    );
}

#[test]
fn in_git_recall_leaves_superseded_memos_out() {
    let mut world = World::new();
    let commit = world.commit("a", "0");
    let old = world.add("retries use three attempts");
    world.supersede(&old, "retries use five attempts");
    assert_eq!(
        recalled(&world, Some(commit), "retries"),
        ["retries use five attempts"]
    );
    assert_eq!(world.state(&old, Some(commit)), "superseded");
}

#[test]
fn a_memo_of_an_unmerged_branch_is_not_recalled_on_main() {
    let mut world = World::new();
    world.commit("a", "0");
    world.branch("feature");
    world.commit("b", "1");
    world.add("retries happen in the client");
    world.branch("main");
    let main = world.commit("a", "1");
    assert!(recalled(&world, Some(main), "retries client").is_empty());
}

#[test]
fn superseding_on_a_branch_does_not_reach_main() {
    let mut world = World::new();
    world.commit("a", "0");
    let old = world.add("retries use three attempts");
    world.branch("feature");
    world.commit("b", "1");
    world.supersede(&old, "retries use five attempts");
    world.branch("main");
    let main = world.commit("a", "1");
    assert_eq!(
        recalled(&world, Some(main), "retries"),
        ["retries use three attempts"]
    );
}

#[test]
fn a_forgotten_memo_is_not_recalled_and_its_history_stays() {
    let mut world = World::new();
    let first = world.commit("a", "0");
    let memo = world.add("retries");
    let second = world.commit("a", "1");
    world.forget(&memo);
    assert!(recalled(&world, Some(second), "retries").is_empty());
    assert_eq!(recalled(&world, Some(first), "retries"), ["retries"]);
}

#[test]
fn a_later_memo_is_not_recalled_as_of_an_earlier_commit() {
    let mut world = World::new();
    let first = world.commit("a", "0");
    world.commit("a", "1");
    world.add("retries");
    assert!(recalled(&world, Some(first), "retries").is_empty());
}

#[test]
fn a_purged_memo_leaves_no_text_behind() {
    let mut world = World::new();
    world.commit("a", "0");
    let memo = world.add("the password is hunter2");
    world.edit(&memo, "the password was hunter2");
    world.add("something else");
    world.purge(&memo);
    world.memory.scrub().expect("it is overwritten");
    assert!(recalled(&world, None, "password").is_empty());
    assert!(!world.memory.ledger().export().contains("hunter2"));
    for entry in std::fs::read_dir(world.folder.path()).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let bytes = std::fs::read(&path).expect("a file");
            let found = bytes.windows(7).any(|window| window == b"hunter2");
            assert!(!found, "{} still has it", path.display());
        }
    }
}

#[test]
fn archived_memos_come_only_when_nothing_else_is_found() {
    let mut world = World::new();
    let archived = world.add("retries in the old client");
    world.mark(&archived, Field::Tier(Tier::Archive));
    assert_eq!(
        recalled(&world, None, "retries"),
        ["retries in the old client"]
    );
    world.add("retries in the new client");
    assert_eq!(
        recalled(&world, None, "retries"),
        ["retries in the new client"]
    );
}
