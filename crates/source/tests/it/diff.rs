//! What changed since a commit.

use crate::fixture::Fixture;
use git2::Oid;
use git2::build::CheckoutBuilder;
use whyrank_source::{DiffLine, EntryKind, LineChange, blob_id, changed_lines, hunks};

fn change(start: u32, n_lines: u32, n_removed: u32) -> LineChange {
    LineChange {
        start,
        n_lines,
        n_removed,
    }
}

#[test]
fn changes_are_lines_of_the_new_text() {
    let old = b"a\nb\nc\nd\n";
    assert_eq!(changed_lines(old, old), []);
    assert_eq!(
        changed_lines(old, b"a\nB\nc\nd\ne\n"),
        [change(2, 1, 1), change(5, 1, 0)]
    );
    assert_eq!(changed_lines(old, b"a\nd\n"), [change(1, 0, 2)]);
    assert_eq!(changed_lines(b"", b"a\nb\n"), [change(1, 2, 0)]);
}

#[test]
fn hunks_hold_the_lines_of_both_sides_up_to_a_limit() {
    let line = |old, new, text: &str| DiffLine {
        old,
        new,
        text: text.to_owned(),
    };
    let (found, is_all) = hunks("a\nb\nc\n", "a\nB\nc", 10);
    assert!(is_all);
    assert_eq!((found[0].old_start, found[0].new_start), (1, 1));
    let expected = [
        line(Some(1), Some(1), "a"),
        line(Some(2), None, "b"),
        line(Some(3), None, "c"),
        line(None, Some(2), "B"),
        line(None, Some(3), "c"),
    ];
    assert_eq!(found[0].lines, expected);
    let (found, is_all) = hunks("", "a\nb\nc\n", 2);
    assert_eq!((found[0].lines.len(), is_all), (2, false));
    assert_eq!(hunks("a\n", "a\n", 2), (Vec::new(), true));
}

#[test]
fn line_ends_are_no_change() {
    assert_eq!(changed_lines(b"a\nb\n", b"a\r\nb\r\n"), []);
}

#[test]
fn a_binary_text_is_changed_as_a_whole() {
    assert_eq!(changed_lines(b"a\0b", b"a\0c\nd").len(), 1);
}

#[test]
fn a_commits_blobs_are_listed_without_what_is_ignored() {
    let fixture = Fixture::with_files(&[
        (".whyrankignore", "*.snap\n"),
        ("a.snap", ""),
        ("src/a.rs", "fn a() {}\n"),
    ]);
    let first = fixture.commit("first");
    let blobs = fixture.open().blobs_of(first).expect("listed");
    assert_eq!(blobs["src/a.rs"], blob_id(b"fn a() {}\n"));
    assert!(!blobs.contains_key("a.snap"));
}

#[test]
fn what_is_in_conflict_has_both_its_sides() {
    let fixture = Fixture::with_files(&[
        ("both.rs", "fn a() {}\n"),
        ("gone.rs", "fn b() {}\n"),
        ("kept.rs", "fn c() {}\n"),
        ("same.rs", ""),
    ]);
    fixture.commit("first");
    let go = |branch: &str| {
        let git = &fixture.git;
        git.set_head(&format!("refs/heads/{branch}"))
            .expect("a branch");
        let mut force = CheckoutBuilder::new();
        git.checkout_head(Some(force.force())).expect("checked out");
    };
    let tip = fixture.git.head().and_then(|head| head.peel_to_commit());
    let tip = tip.expect("a commit");
    fixture.git.branch("theirs", &tip, false).expect("a branch");
    let remove = |path: &str| std::fs::remove_file(fixture.path(path)).expect("removed");
    go("theirs");
    for path in ["both.rs", "gone.rs", "new.rs"] {
        fixture.write(path, "fn theirs() {}\n");
    }
    remove("kept.rs");
    let theirs = fixture.commit("theirs");
    go("main");
    for path in ["both.rs", "kept.rs", "new.rs"] {
        fixture.write(path, "fn ours() {}\n");
    }
    remove("gone.rs");
    let head = fixture.commit("ours");
    let theirs = Oid::from_bytes(&theirs.0).expect("an id");
    let theirs = fixture.git.find_annotated_commit(theirs).expect("a commit");
    fixture
        .git
        .merge(&[&theirs], None, None)
        .expect("conflicts are left");
    let deltas = fixture.open().deltas(Some(head), None).expect("compared");
    let told = deltas.iter().map(|one| {
        let kinds = (one.old.map(|side| side.kind), one.new.map(|side| side.kind));
        (one.path.as_str(), kinds)
    });
    let file = Some(EntryKind::File);
    let expected = [
        ("both.rs", (file, file)),
        ("gone.rs", (None, file)),
        ("kept.rs", (file, file)),
        ("new.rs", (file, file)),
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
}

#[test]
fn branches_meet_at_the_commit_they_left() {
    let fixture = Fixture::with_files(&[("a.rs", "")]);
    let first = fixture.commit("first");
    fixture.write("a.rs", "fn a() {}\n");
    let second = fixture.commit("second");
    let repository = fixture.open();
    assert_eq!(repository.merge_base(first, second), Some(first));
    assert_eq!(repository.merge_base(second, second), Some(second));
}
