//! Watching a working tree.

use crate::fixture::Fixture;
use std::collections::BTreeSet;
use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use whyrank_source::{Repository, WatchEvent, Watcher};

const PATIENCE: Duration = Duration::from_secs(10);

struct Watched {
    changes: Receiver<WatchEvent>,
    fixture: Fixture,
    _watcher: Watcher,
}

fn watch(fixture: Fixture) -> Watched {
    let repository = fixture.open();
    watch_repository(fixture, &repository)
}

fn watch_repository(fixture: Fixture, repository: &Repository) -> Watched {
    let (sender, changes) = channel();
    // The test may be over before the last change is told.
    let watcher = Watcher::start(repository, None, move |change| drop(sender.send(change)));
    Watched {
        changes,
        fixture,
        _watcher: watcher.expect("watching"),
    }
}

impl Watched {
    /// Waits until all these files were told, and returns all that were told on the way.
    fn expect_files(&self, files: &[&str]) -> BTreeSet<String> {
        let mut told = BTreeSet::new();
        while !files.iter().all(|file| told.contains(*file)) {
            match self.changes.recv_timeout(PATIENCE) {
                Ok(WatchEvent::Files(paths)) => told.extend(paths),
                Ok(_) => {}
                Err(error) => panic!("{error}: waited for {files:?}, got {told:?}"),
            }
        }
        told
    }

    fn expect(&self, change: &WatchEvent) {
        let mut told = Vec::new();
        while told.last() != Some(change) {
            match self.changes.recv_timeout(PATIENCE) {
                Ok(next) => told.push(next),
                Err(error) => panic!("{error}: waited for {change:?}, got {told:?}"),
            }
        }
    }
}

#[test]
fn saves_creations_renames_and_deletions_are_told() {
    let watched = watch(Fixture::with_files(&[("src/a.rs", "a"), ("b.rs", "b")]));
    let fixture = &watched.fixture;
    fixture.write("src/a.rs", "changed");
    watched.expect_files(&["src/a.rs"]);
    fixture.write("src/new.rs", "new");
    watched.expect_files(&["src/new.rs"]);
    fs::rename(fixture.path("b.rs"), fixture.path("src/c.rs")).expect("renamed");
    watched.expect_files(&["b.rs", "src/c.rs"]);
    fs::remove_file(fixture.path("src/a.rs")).expect("removed");
    watched.expect_files(&["src/a.rs"]);
}

#[test]
fn a_save_by_rename_is_told() {
    let watched = watch(Fixture::with_files(&[("a.rs", "a")]));
    watched.fixture.write(".a.rs.swp", "new");
    fs::rename(
        watched.fixture.path(".a.rs.swp"),
        watched.fixture.path("a.rs"),
    )
    .expect("renamed");
    watched.expect_files(&["a.rs"]);
}

#[test]
fn files_of_new_folders_are_told_however_fast_they_come() {
    let watched = watch(Fixture::new());
    watched.fixture.write("x/y/z/a.rs", "a");
    watched.expect_files(&["x/y/z/a.rs"]);
    watched.fixture.write("x/y/z/a.rs", "b");
    watched.fixture.write("x/b.rs", "b");
    watched.expect_files(&["x/y/z/a.rs", "x/b.rs"]);
}

#[test]
fn a_moved_or_deleted_folder_asks_for_a_new_listing() {
    let watched = watch(Fixture::with_files(&[("old/deep/a.rs", "a")]));
    let fixture = &watched.fixture;
    fs::rename(fixture.path("old"), fixture.path("new")).expect("renamed");
    watched.expect(&WatchEvent::Rescan);
    fixture.write("new/deep/a.rs", "changed");
    watched.expect_files(&["new/deep/a.rs"]);
    fs::remove_dir_all(fixture.path("new")).expect("removed");
    fixture.write("new/deep/b.rs", "again");
    watched.expect(&WatchEvent::Rescan);
    fixture.write("new/deep/c.rs", "watched again");
    watched.expect_files(&["new/deep/c.rs"]);
}

#[test]
fn ignored_paths_are_not_told() {
    let watched = watch(Fixture::with_files(&[
        (".gitignore", "target\n*.log\n"),
        ("target/debug/a", ""),
        ("nested/.git", "gitdir: x"),
    ]));
    let fixture = &watched.fixture;
    for n in 0..50 {
        fixture.write(&format!("target/debug/f{n}"), "x");
    }
    fixture.write("a.log", "x");
    fixture.write("nested/a.rs", "x");
    fixture.write("node_modules/a.js", "x");
    fixture.write("last.rs", "x");
    let told = watched.expect_files(&["last.rs", "node_modules/a.js"]);
    let expected = ["last.rs", "node_modules/a.js"].map(str::to_owned);
    assert_eq!(told, BTreeSet::from(expected));
}

#[test]
fn tracked_files_of_ignored_folders_are_told_from_when_git_tracks_them() {
    let fixture = Fixture::with_files(&[(".gitignore", "out\n"), ("out/deep/a.rs", "a")]);
    fixture.commit("first");
    fixture.write("out/other/b.rs", "b");
    let watched = watch(fixture);
    let fixture = &watched.fixture;
    fixture.write("out/deep/a.rs", "now");
    fixture.write("out/other/b.rs", "now");
    fixture.write("last.rs", "x");
    assert!(
        !watched
            .expect_files(&["last.rs", "out/deep/a.rs"])
            .contains("out/other/b.rs")
    );
    fixture.commit("second");
    watched.expect(&WatchEvent::Head);
    fixture.write("out/other/b.rs", "later");
    watched.expect_files(&["out/other/b.rs"]);
}

#[test]
fn a_changed_ignore_file_asks_for_a_new_listing_and_holds_from_then_on() {
    let watched = watch(Fixture::with_files(&[
        (".gitignore", "out\n"),
        ("out/a.rs", "a"),
    ]));
    let fixture = &watched.fixture;
    fixture.write(".gitignore", "*.log\n");
    watched.expect(&WatchEvent::Rescan);
    fixture.write("a.log", "x");
    fixture.write("out/a.rs", "now watched");
    assert!(!watched.expect_files(&["out/a.rs"]).contains("a.log"));
    fixture.write(".git/info/exclude", "*.rs\n");
    watched.expect(&WatchEvent::Rescan);
}

#[test]
fn a_folder_that_becomes_a_repository_is_left_alone() {
    let watched = watch(Fixture::with_files(&[("sub/a.rs", "a")]));
    git2::Repository::init(watched.fixture.path("sub")).expect("a repository");
    watched.expect(&WatchEvent::Rescan);
    watched.fixture.write("sub/a.rs", "b");
    watched.fixture.write("last.rs", "x");
    assert!(!watched.expect_files(&["last.rs"]).contains("sub/a.rs"));
}

#[test]
fn commits_branches_and_checkouts_move_head() {
    let watched = watch(Fixture::with_files(&[("a.rs", "a")]));
    let fixture = &watched.fixture;
    let first = crate::repository::oid(fixture.commit("first"));
    watched.expect(&WatchEvent::Head);
    fixture.write("a.rs", "b");
    watched.expect_files(&["a.rs"]);
    fixture.commit("second");
    watched.expect(&WatchEvent::Head);
    let commit = fixture.git.find_commit(first).expect("the commit");
    fixture
        .git
        .branch("feature/deep/one", &commit, false)
        .expect("a branch");
    watched.expect(&WatchEvent::Head);
    fixture
        .git
        .checkout_tree(commit.as_object(), None)
        .expect("checked out");
    fixture
        .git
        .set_head("refs/heads/feature/deep/one")
        .expect("head moves");
    watched.expect(&WatchEvent::Head);
}

#[test]
fn a_checkout_that_removes_a_folder_asks_for_a_new_listing() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let first = crate::repository::oid(fixture.commit("first"));
    fixture.write("a.rs", "longer");
    fixture.write("dir/b.rs", "b");
    fixture.commit("second");
    let watched = watch(fixture);
    let git = &watched.fixture.git;
    git.set_head_detached(first).expect("detached");
    let mut force = git2::build::CheckoutBuilder::new();
    git.checkout_head(Some(force.force())).expect("checked out");
    watched.expect(&WatchEvent::Head);
    watched.expect(&WatchEvent::Rescan);
    watched.fixture.write("dir/b.rs", "b");
    watched.expect_files(&["dir/b.rs"]);
}

#[test]
fn a_linked_worktree_sees_its_own_head_and_the_shared_refs() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let first = crate::repository::oid(fixture.commit("first"));
    let second = crate::repository::add_worktree(&fixture.git, &fixture.above.join("second"));
    let watched = watch_repository(fixture, &second);
    let linked = git2::Repository::open(second.root()).expect("opened");
    linked.set_head_detached(first).expect("detached");
    watched.expect(&WatchEvent::Head);
    let commit = watched.fixture.git.find_commit(first).expect("the commit");
    watched
        .fixture
        .git
        .branch("other", &commit, false)
        .expect("a branch");
    watched.expect(&WatchEvent::Head);
    fs::write(second.root().join("a.rs"), "b").expect("written");
    watched.expect_files(&["a.rs"]);
}

#[test]
fn one_burst_is_told_once_and_soon() {
    let watched = watch(Fixture::new());
    for n in 0..100 {
        watched.fixture.write(&format!("f{n}.rs"), "x");
    }
    let start = Instant::now();
    let first = watched.changes.recv_timeout(PATIENCE).expect("told");
    assert!(start.elapsed() < Duration::from_secs(3));
    assert!(matches!(first, WatchEvent::Files(files) if files.len() > 1));
}

#[test]
fn reading_tells_nothing_and_dropping_ends_the_callbacks() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let Watched {
        changes,
        fixture,
        _watcher,
    } = watch(fixture);
    fixture.list();
    fixture.write("b.rs", "b");
    let told = changes.recv_timeout(PATIENCE).expect("told");
    assert_eq!(told, WatchEvent::Files(vec!["b.rs".into()]));
    drop(_watcher);
    // The callback is gone, and with it the sender.
    assert!(
        changes
            .recv_timeout(PATIENCE)
            .is_err_and(|error| { error == std::sync::mpsc::RecvTimeoutError::Disconnected })
    );
}

#[test]
fn events_are_counted_up_to_the_moment_of_the_question() {
    let fixture = Fixture::with_files(&[("a.rs", "a"), (".gitignore", "*.log")]);
    let cookies = tempfile::tempdir().expect("a folder");
    let watcher = Watcher::start(&fixture.open(), Some(cookies.path()), |_| {});
    let watcher = watcher.expect("watching");
    let Some(mut before) = watcher.events(PATIENCE) else {
        // Where trees are watched as a whole the order is not certain.
        return;
    };
    assert_eq!(
        watcher.events(PATIENCE),
        Some(before),
        "asking changes nothing"
    );
    fixture.write("noise.log", "ignored");
    assert_eq!(watcher.events(PATIENCE), Some(before));
    for edit in [
        "a.rs",
        "b.rs",
        "new/deep/c.rs",
        "new/deep/d.rs",
        ".git/HEAD",
    ] {
        fixture.write(edit, "ref: refs/heads/other\n");
        let after = watcher.events(PATIENCE).expect("known");
        assert!(after > before, "{edit}");
        before = after;
    }
    // What a killed process left goes.
    let left = cookies.path().join("4294967295-1");
    fs::create_dir(&left).expect("made");
    let other = Watcher::start(&fixture.open(), Some(cookies.path()), |_| {});
    let other = other.expect("watching");
    assert_ne!(other.events(PATIENCE), Some(before));
    let folders = || fs::read_dir(cookies.path()).expect("read").flatten();
    let n_cookies = |folder: fs::DirEntry| fs::read_dir(folder.path()).expect("read").count();
    // Each writes where no other watches.
    assert_eq!(folders().map(n_cookies).collect::<Vec<_>>(), [0, 0]);
    drop((watcher, other));
    assert_eq!(folders().count(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn all_trees_of_a_process_share_one_place_in_the_systems_table_of_watchers() {
    let trees: Vec<Watched> = (0..6).map(|_| watch(Fixture::new())).collect();
    let handles = fs::read_dir("/proc/self/fd").expect("handles").flatten();
    let is_inotify = |path: &std::path::Path| {
        fs::read_link(path).is_ok_and(|target| target == std::path::Path::new("anon_inode:inotify"))
    };
    let n_instances = handles.filter(|handle| is_inotify(&handle.path())).count();
    assert_eq!(n_instances, 1);

    for (number, tree) in trees.iter().enumerate() {
        tree.fixture
            .write(&format!("own{number}.rs"), "fn own() {}\n");
    }
    for (number, tree) in trees.iter().enumerate() {
        let told = tree.expect_files(&[&format!("own{number}.rs")]);
        assert_eq!(told.len(), 1, "{told:?}");
    }
}

#[test]
fn a_tree_that_is_left_takes_nothing_from_a_worktree_of_the_same_repository() {
    let fixture = Fixture::new();
    fixture.write("src/lib.rs", "fn a() {}\n");
    fixture.commit("first");
    let (first, second) = (watch_again(&fixture), watch(fixture));
    drop(first);
    second.fixture.write("src/lib.rs", "fn b() {}\n");
    second.expect_files(&["src/lib.rs"]);
    second.fixture.commit("second");
    second.expect(&WatchEvent::Head);
}

/// A second watcher of a tree.
fn watch_again(fixture: &Fixture) -> Watcher {
    Watcher::start(&fixture.open(), None, |_| {}).expect("watching")
}
