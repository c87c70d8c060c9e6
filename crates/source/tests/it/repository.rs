//! Finding repositories, reading HEAD, revisions and single files.

use crate::fixture::{Fixture, paths};
use git2::{RepositoryInitOptions, WorktreeAddOptions};
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use whyrank_source::{CommitId, FileFilter, Head, Repository, SourceError, blob_id};

fn assert_threads_may_share<T: Send + Sync>() {}

#[test]
fn a_repository_can_be_shared_by_threads() {
    assert_threads_may_share::<Repository>();
}

#[test]
fn discover_works_from_any_path_inside() {
    let fixture = Fixture::with_files(&[("src/deep/a.rs", "a")]);
    for path in ["", "src/deep", "src/deep/a.rs", "src/../src", ".git"] {
        let repository = Repository::discover(&fixture.path(path)).expect("found");
        assert_eq!(repository.root(), fixture.root(), "{path}");
        assert_eq!(repository.git_dir(), fixture.path(".git"));
        assert_eq!(repository.common_dir(), fixture.path(".git"));
    }
}

#[test]
fn discover_says_what_is_wrong() {
    let folder = TempDir::new().expect("a folder");
    let error = Repository::discover(folder.path()).expect_err("no repository");
    assert!(
        matches!(error, SourceError::NotARepository { .. }),
        "{error}"
    );
    let error = Repository::discover(&folder.path().join("none")).expect_err("no folder");
    assert!(matches!(error, SourceError::PathMissing { .. }), "{error}");
    git2::Repository::init_bare(folder.path().join("b.git")).expect("a bare repository");
    let error = Repository::discover(&folder.path().join("b.git")).expect_err("bare");
    assert!(matches!(error, SourceError::Bare { .. }), "{error}");
    fs::create_dir(folder.path().join("broken")).expect("a folder");
    fs::write(folder.path().join("broken/.git"), "gitdir: nowhere").expect("a file");
    let error = Repository::discover(&folder.path().join("broken")).expect_err("broken");
    assert!(
        matches!(
            error,
            SourceError::OpenRepository { .. } | SourceError::NotARepository { .. }
        ),
        "{error}"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_gits_files_is_refused() {
    use std::io::Write;
    for name in [
        "index",
        "shallow",
        "info/exclude",
        "included",
        "refs/heads/main",
    ] {
        let fixture = Fixture::with_files(&[("a.rs", "a")]);
        let git_dir = fixture.path(".git");
        let mut config = fs::OpenOptions::new();
        let mut config = config
            .append(true)
            .open(git_dir.join("config"))
            .expect("settings");
        writeln!(config, "[include] path = \"included\"").expect("it is written");
        fs::write(git_dir.join("HEAD"), "ref: refs/heads/main\n").expect("it is written");
        let pipe = git_dir.join(name);
        drop(fs::remove_file(&pipe));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        let error = Repository::discover(&fixture.root()).expect_err(name);
        assert!(
            matches!(error, SourceError::SpecialFile { .. }),
            "{name}: {error}"
        );
    }
}

/// Worktrees are tested below; these lead into a repository that does not know of them.
#[cfg(unix)]
#[test]
fn a_git_file_that_leads_into_another_repository_is_refused() {
    let fixture = Fixture::with_files(&[("secret.rs", "a")]);
    fixture.commit("first");
    let git_dir = fixture.path(".git");
    let folder = TempDir::new().expect("a folder");
    let stranger = folder.path().join("stranger");
    let refused = |how: &str| {
        let error = Repository::discover(&stranger).expect_err(how);
        assert!(
            matches!(error, SourceError::LeadsElsewhere { .. }),
            "{how}: {error}"
        );
        fs::remove_dir_all(&stranger).expect("removed");
    };
    fs::create_dir(&stranger).expect("a folder");
    fs::write(
        stranger.join(".git"),
        format!("gitdir: {}", git_dir.display()),
    )
    .expect("a file");
    refused("a file");
    fs::create_dir(&stranger).expect("a folder");
    std::os::unix::fs::symlink(&git_dir, stranger.join(".git")).expect("a link");
    refused("a link");
    let own = git2::Repository::init(&stranger).expect("a repository");
    let root = fixture.root().display().to_string();
    own.config()
        .and_then(|mut config| config.set_str("core.worktree", &root))
        .expect("set");
    refused("a setting");
    git2::Repository::init(&stranger).expect("a repository");
    fs::write(
        stranger.join(".git/commondir"),
        git_dir.display().to_string(),
    )
    .expect("a file");
    refused("a common folder");
}

#[test]
fn a_submodule_is_its_own_repository() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let other = Fixture::with_files(&[("b.rs", "b")]);
    other.commit("first");
    let url = other.root().display().to_string();
    let mut sub = fixture
        .git
        .submodule(&url, Path::new("sub"), true)
        .expect("a submodule");
    sub.clone(None).expect("cloned");
    let found = Repository::discover(&fixture.path("sub")).expect("found");
    assert_eq!(found.root(), fixture.path("sub"));
    assert_eq!(found.git_dir(), fixture.path(".git/modules/sub"));
}

#[cfg(unix)]
#[test]
fn a_repository_of_another_user_is_refused_with_the_way_out() {
    let fixture = Fixture::with_files(&[("src/a.rs", "a")]);
    for path in [fixture.root(), fixture.path(".git")] {
        if std::os::unix::fs::chown(&path, Some(4321), None).is_err() {
            return; // Only root can give files away.
        }
    }
    let error = Repository::discover(&fixture.path("src")).expect_err("refused");
    let SourceError::DubiousOwnership { path } = &error else {
        panic!("{error}")
    };
    assert_eq!(path, &fixture.root());
    assert!(
        error
            .to_string()
            .contains("git config --global --add safe.directory")
    );
}

#[test]
fn head_is_unborn_then_a_branch_then_detached() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let repository = fixture.open();
    assert_eq!(
        repository.head().expect("head"),
        Head::Unborn {
            branch: "main".into()
        }
    );
    assert_eq!(paths(&fixture.list()), ["a.rs"]);
    let commit = fixture.commit("first");
    assert_eq!(
        repository.head().expect("head"),
        Head::Branch {
            branch: "main".into(),
            commit
        }
    );
    fixture
        .git
        .set_head_detached(oid(commit))
        .expect("detached");
    assert_eq!(repository.head().expect("head"), Head::Detached { commit });
}

#[test]
fn an_empty_repository_lists_nothing() {
    let listing = Fixture::new().list();
    assert!(listing.files.is_empty() && listing.skipped.is_empty());
}

#[test]
fn revisions_resolve_to_commits() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let first = fixture.commit("first");
    fixture.write("a.rs", "b");
    let second = fixture.commit("second\n\nbody");
    let target = fixture
        .git
        .find_object(oid(first), None)
        .expect("an object");
    fixture
        .git
        .tag_lightweight("v1", &target, false)
        .expect("a tag");
    let repository = fixture.open();
    let short = &second.to_string()[..8];
    for (revision, commit) in [
        ("main", second),
        ("HEAD", second),
        (short, second),
        ("HEAD~1", first),
        ("v1", first),
    ] {
        assert_eq!(
            repository.resolve(revision).expect("known"),
            commit,
            "{revision}"
        );
    }
    for revision in ["nope", "HEAD~5", "HEAD:a.rs", ""] {
        let error = repository.resolve(revision).expect_err("unknown");
        assert!(
            matches!(error, SourceError::UnknownRevision { .. }),
            "{revision}: {error}"
        );
    }
    let info = repository.commit_info(second).expect("known");
    assert_eq!(
        (info.summary.as_str(), info.author.as_str()),
        ("second", "Ada")
    );
    assert_eq!(info.time_s, 1_700_000_000);
    let error = repository
        .commit_info(CommitId([7; 20]))
        .expect_err("unknown");
    assert!(matches!(error, SourceError::ReadCommit { .. }));
}

#[test]
fn read_worktree_stays_inside_the_root() {
    let fixture = Fixture::with_files(&[("src/a.rs", "a\r\n")]);
    fs::write(fixture.above.join("outside"), "secret").expect("a file");
    let repository = fixture.open();
    assert_eq!(
        repository.read_worktree("src/a.rs").expect("read"),
        b"a\r\n"
    );
    for path in [
        "../outside",
        "src/../../outside",
        "/etc/passwd",
        "",
        ".git/config",
        "x/.GIT/a",
    ] {
        let error = repository.read_worktree(path).expect_err("refused");
        let is_refused = matches!(
            error,
            SourceError::PathOutside { .. } | SourceError::PathMissing { .. }
        );
        assert!(is_refused, "{path}: {error}");
    }
    for path in ["none.rs", "src/a.rs/b"] {
        let error = repository.read_worktree(path).expect_err("missing");
        assert!(
            matches!(error, SourceError::PathMissing { .. }),
            "{path}: {error}"
        );
    }
    let error = repository.read_worktree("src").expect_err("a folder");
    assert!(matches!(error, SourceError::ReadFile { .. }), "{error}");
}

#[cfg(unix)]
#[test]
fn read_worktree_follows_no_links() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    fs::write(fixture.above.join("outside"), "secret").expect("a file");
    crate::fixture::link("../outside", &fixture.path("file"));
    crate::fixture::link("..", &fixture.path("up"));
    for path in ["file", "up/outside"] {
        let error = fixture.open().read_worktree(path).expect_err("refused");
        assert!(
            matches!(error, SourceError::PathLinked { .. }),
            "{path}: {error}"
        );
    }
}

#[test]
fn read_blob_knows_committed_content_alone() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let repository = fixture.open();
    let error = repository
        .read_blob(blob_id(b"a"))
        .expect_err("not committed");
    assert!(matches!(error, SourceError::ReadBlob { .. }));
    fixture.commit("first");
    assert_eq!(
        repository.read_blob(blob_id(b"a")).expect("committed"),
        b"a"
    );
}

#[test]
fn worktrees_share_the_common_directory() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let commit = fixture.commit("first");
    let main = fixture.open();
    assert_eq!(main.worktrees().expect("listed"), [fixture.root()]);
    let second = add_worktree(&fixture.git, &fixture.above.join("second"));
    assert_eq!(second.common_dir(), main.common_dir());
    assert_ne!(second.git_dir(), main.git_dir());
    assert_eq!(
        second.head().expect("head"),
        Head::Branch {
            branch: "second".into(),
            commit
        }
    );
    assert_eq!(paths(&crate::fixture::list(&second)), ["a.rs"]);
    let listing = second
        .list_commit(commit, &FileFilter::default(), &|_, _| None)
        .expect("listed");
    assert_eq!(paths(&listing), ["a.rs"]);
    let both = [fixture.root(), fixture.above.join("second")];
    assert_eq!(main.worktrees().expect("listed"), both);
    assert_eq!(second.worktrees().expect("listed"), both);
    fs::remove_dir_all(&both[1]).expect("removed");
    assert_eq!(main.worktrees().expect("listed"), [fixture.root()]);
}

#[test]
fn a_worktree_of_a_bare_repository_is_a_repository() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    fixture.commit("first");
    let mut options = RepositoryInitOptions::new();
    options.bare(true).initial_head("main");
    let path = fixture.above.join("bare.git");
    let bare = git2::Repository::init_opts(&path, &options).expect("a bare repository");
    let source = fixture.root();
    let mut remote = bare
        .remote_anonymous(source.to_str().expect("UTF-8"))
        .expect("a remote");
    remote
        .fetch(&["+refs/heads/*:refs/heads/*"], None, None)
        .expect("fetched");
    let tree = add_worktree(&bare, &fixture.above.join("tree"));
    assert_eq!(tree.common_dir(), path);
    assert_eq!(tree.root(), fixture.above.join("tree"));
    assert_eq!(
        tree.worktrees().expect("listed"),
        [fixture.above.join("tree")]
    );
}

#[test]
fn the_fingerprint_follows_head_and_index() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let repository = fixture.open();
    let mut seen = vec![repository.fingerprint().expect("unborn")];
    assert_eq!(repository.fingerprint().expect("unborn"), seen[0]);
    let commit = fixture.commit("first");
    seen.push(repository.fingerprint().expect("a branch"));
    fixture
        .git
        .set_head_detached(oid(commit))
        .expect("detached");
    seen.push(repository.fingerprint().expect("detached"));
    fixture.write("b.rs", "b");
    let mut index = fixture.git.index().expect("an index");
    index.add_path(Path::new("b.rs")).expect("staged");
    index.write().expect("written");
    seen.push(repository.fingerprint().expect("staged"));
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 4);
}

pub(crate) fn add_worktree(git: &git2::Repository, path: &Path) -> Repository {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .expect("a name");
    git.worktree(name, path, Some(&WorktreeAddOptions::new()))
        .expect("a working tree");
    Repository::discover(path).expect("the working tree opens")
}

pub(crate) fn oid(commit: CommitId) -> git2::Oid {
    git2::Oid::from_bytes(&commit.0).expect("twenty bytes")
}

#[test]
fn a_file_of_the_past_is_that_of_the_newest_commit_then() {
    let fixture = Fixture::with_files(&[("a.py", "one\n")]);
    let repository = fixture.open();
    assert_eq!(repository.blobs_at(i64::MAX, &["a.py"]).unwrap(), [None]);
    fixture.commit("one");
    fixture.write("a.py", "two\n");
    let newest = fixture.commit("two");
    let time_s = repository.commit_info(newest).unwrap().time_s;
    let found = repository.blobs_at(time_s, &["a.py", "b.py"]).unwrap();
    assert_eq!(found, [Some(blob_id(b"two\n")), None]);
    assert_eq!(repository.blobs_at(0, &["a.py"]).unwrap(), [None]);
}

#[test]
fn how_much_git_tracks_holds_without_reading_its_index_too() {
    let fixture = Fixture::with_files(&[("a.rs", "a"), ("b.rs", "b"), ("c.rs", "c")]);
    assert!(!fixture.open().tracks_more_than(0), "nothing was added");
    fixture.commit("three");
    assert!(fixture.open().tracks_more_than(2));
    assert!(!fixture.open().tracks_more_than(3));

    // What is not checked out does not count, although the index has an entry for it.
    let mut index = fixture.git.index().expect("an index");
    let mut entry = index.get_path(Path::new("c.rs"), 0).expect("an entry");
    entry.flags |= git2::IndexEntryFlag::EXTENDED.bits();
    entry.flags_extended |= git2::IndexEntryExtendedFlag::SKIP_WORKTREE.bits();
    index.add(&entry).expect("the entry is changed");
    index.write().expect("the index is written");
    assert!(!fixture.open().tracks_more_than(2));

    // An index that begins as nothing git wrote says nothing of a number.
    fs::write(fixture.path(".git/index"), "nonsense").expect("a file");
    assert!(!fixture.open().tracks_more_than(0));
}
