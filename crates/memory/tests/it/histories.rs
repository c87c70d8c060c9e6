//! Histories of every shape, and what holds at each commit of them.

use crate::fixture::{World, oid};
use whyrank_memory::{Placement, Validity};
use whyrank_source::Repository;

#[test]
fn linear_a_memo_holds_from_its_commit_until_its_end() {
    let mut world = World::new();
    let before = world.commit("a", "0");
    let from = world.commit("a", "1");
    let memo = world.add("v1");
    let between = world.commit("a", "2");
    let edited = world.commit("a", "3");
    world.edit(&memo, "v2");
    let forgotten = world.commit("a", "4");
    world.forget(&memo);
    let after = world.commit("a", "5");
    let expected = [
        (before, vec![]),
        (from, vec!["v1"]),
        (between, vec!["v1"]),
        (edited, vec!["v2"]),
        (forgotten, vec![]),
        (after, vec![]),
    ];
    for (commit, texts) in expected {
        assert_eq!(world.at(commit), texts, "{commit}");
    }
}

#[test]
fn several_edits_at_one_commit_leave_the_last() {
    let mut world = World::new();
    let here = world.commit("a", "0");
    let memo = world.add("v1");
    world.edit(&memo, "v2");
    world.edit(&memo, "v3");
    assert_eq!(world.at(here), ["v3"]);
    assert!(
        world
            .resolved(&memo, here)
            .expect("it holds")
            .contested
            .is_empty()
    );
}

#[test]
fn as_known_at_a_moment_later_facts_do_not_count() {
    let mut world = World::new();
    let first = world.commit("a", "0");
    let memo = world.add("v1");
    let then = world.now_ms;
    let second = world.commit("a", "1");
    world.edit(&memo, "v2");
    assert_eq!(
        world.known(Some(second), then),
        ["v1"],
        "nobody knew of the edit"
    );
    assert_eq!(world.known(Some(second), i64::MAX), ["v2"]);
    assert_eq!(world.known(Some(first), i64::MAX), ["v1"], "both at once");
    assert!(world.known(Some(first), then - 1).is_empty());
}

#[test]
fn what_was_wrong_from_the_start_never_held_but_was_known() {
    let mut world = World::new();
    let first = world.commit("a", "0");
    let memo = world.add("wrong");
    let then = world.now_ms;
    world.commit("a", "1");
    world
        .write(|writer, snapshot| {
            let edit = whyrank_memory::Edit {
                since_start: true,
                ..crate::fixture::text("right")
            };
            writer.edit(&memo, &snapshot.seen(&memo)?, edit)
        })
        .expect("it is recorded");
    assert_eq!(world.at(first), ["right"]);
    assert_eq!(world.known(Some(first), then), ["wrong"]);
}

#[test]
fn a_branch_that_is_not_merged_is_not_seen_elsewhere() {
    let mut world = World::new();
    let base = world.commit("a", "0");
    world.branch("feature");
    let feature = world.commit("b", "1");
    let memo = world.add("only on feature");
    world.branch("main");
    let main = world.commit("a", "1");
    assert!(world.at(base).is_empty() && world.at(main).is_empty());
    assert_eq!(world.at(feature), ["only on feature"]);
    assert_eq!(world.state(&memo, Some(main)), "elsewhere");
}

#[test]
fn a_merge_brings_the_branch_and_what_it_ended() {
    let mut world = World::new();
    world.commit("a", "0");
    let memo = world.add("v1");
    world.branch("feature");
    let feature = world.commit("b", "1");
    world.edit(&memo, "v2");
    world.branch("main");
    let main = world.commit("a", "1");
    assert_eq!(world.at(main), ["v1"], "the edit is not merged yet");
    let merged = world.merge(feature);
    assert_eq!(world.at(merged), ["v2"]);
    assert_eq!(world.at(main), ["v1"], "the past stays");
}

#[test]
fn edits_on_both_sides_of_a_merge_are_contested_and_the_last_one_answers() {
    let mut world = World::new();
    world.commit("a", "0");
    let memo = world.add("v1");
    world.branch("feature");
    let feature = world.commit("b", "1");
    world.edit(&memo, "theirs");
    world.branch("main");
    world.commit("a", "1");
    world.edit(&memo, "ours");
    let merged = world.merge(feature);
    let resolved = world.resolved(&memo, merged).expect("it holds");
    assert_eq!(world.text(resolved.version), "ours");
    assert_eq!(resolved.contested.len(), 1);
    world
        .write(|writer, snapshot| {
            let edit = whyrank_memory::Edit {
                change: whyrank_memory::Change::Resolve,
                ..crate::fixture::text("both")
            };
            writer.edit(&memo, &snapshot.seen(&memo)?, edit)
        })
        .expect("it is recorded");
    let resolved = world.resolved(&memo, merged).expect("it holds");
    assert_eq!(
        (
            world.text(resolved.version).as_str(),
            resolved.contested.len()
        ),
        ("both", 0)
    );
}

#[test]
fn a_revert_marks_what_is_pinned_to_the_commit_and_its_own_revert_unmarks_it() {
    let mut world = World::new();
    world.commit("a", "0");
    let pinned = world.commit("a", "1");
    let memo = world.add("of 1");
    let undo = world.commit_with(
        "a",
        "0",
        &format!("Revert \"a\"\n\nThis reverts commit {pinned}.\n"),
    );
    let reverted = |world: &World, at| {
        world
            .resolved(&memo, at)
            .expect("it holds still")
            .reverted_by
    };
    assert_eq!(reverted(&world, pinned), None);
    assert!(reverted(&world, undo).is_some());
    let redo = world.commit_with(
        "a",
        "1",
        &format!("Reapply\n\nThis reverts commit {undo}.\n"),
    );
    assert_eq!(reverted(&world, redo), None);
}

#[test]
fn a_rebase_carries_memos_to_the_copies_and_not_to_main() {
    let mut world = World::new();
    let base = world.commit("a", "0");
    world.branch("feature");
    let first = world.commit("b", "1");
    let memo = world.add("pinned before the rebase");
    world.branch("main");
    let main = world.commit("a", "1");
    let copy = world.replay(first, main, None);
    world.set_branch("feature", copy);
    assert!(matches!(
        world.validity(&memo, copy),
        Some(Validity::Copied { .. })
    ));
    assert!(
        world.at(main).is_empty() && world.at(base).is_empty(),
        "no leak onto main"
    );
    assert_eq!(
        world.validity(&memo, first),
        Some(Validity::Exact),
        "asked of the old commit itself"
    );
}

#[test]
fn a_rebase_that_rewords_is_followed_by_author_and_time() {
    let mut world = World::new();
    let base = world.commit("a", "0");
    let old = world.commit("b", "1");
    let memo = world.add("amended");
    let copy = world.replay(old, base, Some("another message"));
    world.set_branch("main", copy);
    assert!(matches!(
        world.validity(&memo, copy),
        Some(Validity::Copied { .. })
    ));
}

#[test]
fn a_cherry_pick_brings_the_memo_to_the_branch_that_picked() {
    let mut world = World::new();
    world.commit("a", "0");
    world.branch("feature");
    world.commit("x", "1");
    let fix = world.commit("b", "1");
    let memo = world.add("of the fix");
    world.commit("c", "1");
    let other = world.add("of what followed");
    world.branch("main");
    let main = world.commit("a", "1");
    assert!(world.at(main).is_empty());
    let picked = world.replay(fix, main, None);
    world.set_branch("main", picked);
    assert!(matches!(
        world.validity(&memo, picked),
        Some(Validity::Copied { .. })
    ));
    assert_eq!(
        world.validity(&other, picked),
        None,
        "what was not picked stays away"
    );
    assert!(world.at(main).is_empty());
}

#[test]
fn a_cherry_pick_with_conflicts_is_known_by_its_trailer() {
    let mut world = World::new();
    world.commit("a", "0");
    world.branch("feature");
    let fix = world.commit("a", "fix");
    let memo = world.add("of the fix");
    world.branch("main");
    world.commit("a", "1");
    let picked = world.commit_with(
        "a",
        "fix on 1",
        &format!("a: fix\n\n(cherry picked from commit {fix})\n"),
    );
    // Author and time differ as well: that is a new change, and only the trailer would tell.
    assert_eq!(world.validity(&memo, picked), None);
}

#[test]
fn strangers_that_look_alike_are_no_copies() {
    let mut world = World::new();
    let base = world.commit("a", "0");
    world.branch("feature");
    let wip = world.commit_with("b", "1", "wip");
    let memo = world.add("of this wip");
    world.branch("main");
    // The same author, second and message, another change.
    let other = world.replay_other(wip, base, "c", "2");
    world.set_branch("main", other);
    assert_eq!(world.validity(&memo, other), None);
}

#[test]
fn a_force_push_that_orphans_leaves_memos_at_the_nearest_ancestor_marked() {
    let mut world = World::new();
    let base = world.commit("a", "0");
    let kept = world.add("kept");
    let dropped = world.commit("b", "1");
    let memo = world.add("of the dropped commit");
    world.edit(&kept, "edited on the dropped commit");
    let unrelated = {
        world.set_branch("main", base);
        world.commit("c", "1")
    };
    let at = world.commit_history().history.find(base).expect("the base");
    assert_eq!(
        world.validity(&memo, unrelated),
        Some(Validity::Orphaned { nearest: at })
    );
    assert_eq!(
        world.validity(&memo, base),
        Some(Validity::Orphaned { nearest: at })
    );
    assert_eq!(world.validity(&kept, unrelated), Some(Validity::Exact));
    let resolved = world.resolved(&kept, unrelated).expect("it holds");
    assert_eq!(
        world.text(resolved.version),
        "kept",
        "a dropped edit displaces nothing"
    );
    assert_eq!(
        world.validity(&memo, dropped),
        Some(Validity::Exact),
        "the commit itself can be asked for"
    );
}

#[test]
fn an_orphan_is_placed_even_when_git_has_collected_it() {
    let mut world = World::new();
    let base = world.commit("a", "0");
    world.commit("b", "1");
    let dropped = world.commit("b", "2");
    let memo = world.add("of the dropped commit");
    world.set_branch("main", base);
    let id = dropped.to_string();
    std::fs::remove_file(
        world
            .root()
            .join(".git/objects")
            .join(&id[..2])
            .join(&id[2..]),
    )
    .expect("collected");
    world.git = git2::Repository::open(world.root()).expect("a repository");
    assert!(matches!(
        world.validity(&memo, base),
        Some(Validity::Orphaned { .. })
    ));
}

#[test]
fn a_deleted_branch_that_was_merged_changes_nothing() {
    let mut world = World::new();
    world.commit("a", "0");
    world.branch("feature");
    let feature = world.commit("b", "1");
    let memo = world.add("merged");
    world.branch("main");
    let merged = world.merge(feature);
    world.delete_branch("feature");
    assert_eq!(world.validity(&memo, merged), Some(Validity::Exact));
}

#[test]
fn a_detached_head_sees_its_own_past() {
    let mut world = World::new();
    let first = world.commit("a", "0");
    world.add("of 0");
    world.commit("a", "1");
    world.add("of 1");
    world.detach(first);
    assert_eq!(world.at(world.head_id()), ["of 0"]);
    let aside = world.commit("a", "aside");
    world.add("written detached");
    assert_eq!(world.at(aside), ["of 0", "written detached"]);
}

#[test]
fn a_shallow_clone_takes_what_is_older_for_its_past_and_hides_the_unknown() {
    let mut world = World::new();
    world.commit("a", "0");
    let old = world.add("old");
    world.branch("feature");
    world.commit("b", "1");
    world.branch("main");
    for n in 1..5 {
        world.commit("a", &n.to_string());
    }
    let last = world.head_id();
    let newest = world.add("newest");
    let clone = world.folder.path().join("clone");
    let url = format!("file://{}", world.root().display());
    let cloned = std::process::Command::new("git")
        .args(["clone", "-q", "--depth", "2", "--branch", "main", &url])
        .arg(&clone)
        .status();
    if !cloned.is_ok_and(|status| status.success()) {
        return; // No git program: libgit2 makes no shallow clones of local repositories.
    }
    let commit_history = world.commit_history_of(&clone);
    let snapshot = world.snapshot(&commit_history, Some(last), i64::MAX);
    let validity = |memo: &str| match snapshot.state(memo) {
        whyrank_memory::MemoStatus::Valid(resolved) => Some(resolved.validity),
        _ => None,
    };
    assert_eq!(validity(&old), Some(Validity::Assumed));
    assert_eq!(validity(&newest), Some(Validity::Exact));
    let placement = commit_history.history.place(&"ab".repeat(20), None);
    assert_eq!(placement, Placement::Unknown);
}

#[test]
fn without_git_time_alone_decides() {
    let mut world = World::new();
    let memo = world.add("v1");
    let then = world.now_ms;
    world.edit(&memo, "v2");
    assert_eq!(world.known(None, i64::MAX), ["v2"]);
    assert_eq!(world.known(None, then), ["v1"]);
    let other = world.supersede(&memo, "v3");
    assert_eq!(world.known(None, i64::MAX), ["v3"]);
    world.forget(&other);
    assert!(world.known(None, i64::MAX).is_empty());
}

#[test]
fn what_was_written_before_the_first_commit_holds_at_commits_after_it() {
    let mut world = World::new();
    let memo = world.add("before git");
    let first = world.commit("a", "0");
    assert_eq!(world.validity(&memo, first), Some(Validity::ByTime));
    world.edit(&memo, "at the first commit");
    assert_eq!(world.at(first), ["at the first commit"]);
}

#[test]
fn a_second_worktree_keeps_its_detached_commits_alive() {
    let mut world = World::new();
    let base = world.commit("a", "0");
    let aside = world.commit("b", "1");
    let memo = world.add("in the other worktree");
    world.set_branch("side", aside);
    world.set_branch("main", base);
    let reference = world
        .git
        .find_reference("refs/heads/side")
        .expect("a branch");
    let mut options = git2::WorktreeAddOptions::new();
    options.reference(Some(&reference));
    let place = world.folder.path().join("other");
    let worktree = world
        .git
        .worktree("other", &place, Some(&options))
        .expect("a worktree");
    let other = git2::Repository::open_from_worktree(&worktree).expect("it opens");
    other.set_head_detached(oid(aside)).expect("detached");
    world.delete_branch("side");
    assert_eq!(
        world.validity(&memo, base),
        None,
        "still on its own line, no orphan"
    );
    let repository = Repository::discover(&place).expect("a repository");
    assert_eq!(repository.head_commit().expect("a head"), Some(aside));
}

#[test]
fn on_a_branch_without_a_commit_what_is_pinned_to_commits_does_not_hold() {
    let mut world = World::new();
    let before = world.add("before git");
    let first = world.commit("a", "0");
    let memo = world.add("at the first commit");
    world.edit(&before, "edited at the first commit");
    assert_eq!(
        world.at(first),
        ["at the first commit", "edited at the first commit"]
    );
    // An orphan branch sees what no commit has changed.
    assert_eq!(world.known(None, i64::MAX), ["before git"]);
    assert_eq!(world.state(&memo, None), "elsewhere");
}
