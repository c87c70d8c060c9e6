//! Listing working trees.

use crate::fixture::{Fixture, list, paths, skipped};
use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;
use whyrank_source::{
    FileFilter, FileStat, KnownFile, KnownFiles, Listing, SkipReason, SourceError, blob_id,
};

#[test]
fn ignore_files_nest_and_the_nearest_rule_wins() {
    let fixture = Fixture::with_files(&[
        (".gitignore", "target/\n*.log\n"),
        ("target/debug/a.rs", ""),
        ("a.log", ""),
        (".ignore", "generated\n"),
        ("generated/a.rs", ""),
        (".whyrankignore", "vendor\n"),
        ("vendor/a.rs", ""),
        ("sub/.gitignore", "!keep.log\n/here.rs\n"),
        ("sub/keep.log", ""),
        ("sub/drop.log", ""),
        ("sub/here.rs", ""),
        ("sub/deep/here.rs", ""),
        (".github/workflows/ci.yml", ""),
        ("whyrank.toml", ""),
    ]);
    fixture.write(".git/info/exclude", "private.rs\n");
    fixture.write("private.rs", "");
    let expected = [
        ".github/workflows/ci.yml",
        ".gitignore",
        ".ignore",
        ".whyrankignore",
        "sub/.gitignore",
        "sub/deep/here.rs",
        "sub/keep.log",
        "whyrank.toml",
    ];
    assert_eq!(paths(&fixture.list()), expected);
    assert!(fixture.list().skipped.is_empty());
}

#[test]
fn tracked_files_are_in_whatever_ignore_files_say_and_hidden_ones_are_not() {
    let fixture = Fixture::with_files(&[
        ("kept/deep/a.c", "a"),
        ("kept/b.c", "b"),
        ("c.c", "c"),
        ("mine/d.c", "d"),
    ]);
    let commit = fixture.commit("first");
    fixture.write(".gitignore", "/*\n");
    fixture.write(".ignore", "*.c\n");
    fixture.write(".whyrankignore", "mine/\n");
    fixture.write("kept/untracked.c", "e");
    let expected = ["c.c", "kept/b.c", "kept/deep/a.c"];
    assert_eq!(paths(&fixture.list()), expected);
    let repository = fixture.open();
    let listing = repository.list_commit(commit, &FileFilter::default(), &|_, _| None);
    let of_commit = listing.expect("a listing");
    assert_eq!(
        paths(&of_commit),
        expected,
        "the user's word holds for commits too"
    );
    let mut reader = repository.reader();
    let mut reads = |path: &str| reader.text(path, 100).is_some();
    assert!(reads("kept/deep/a.c") && !reads("mine/d.c") && !reads("kept/untracked.c"));
}

#[cfg(unix)]
#[test]
fn ignore_files_that_are_pipes_or_huge_are_no_rules() {
    let fixture = Fixture::with_files(&[("a.rs", "a"), ("sub/b.rs", "b")]);
    for path in [".ignore", "sub/.gitignore"] {
        let path = fixture.path(path);
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo runs").success());
    }
    let huge = fs::File::create(fixture.path(".gitignore")).expect("created");
    huge.set_len(8 << 30).expect("sparse");
    assert_eq!(paths(&fixture.list()), ["a.rs", "sub/b.rs"]);
}

#[test]
fn ignore_files_above_the_root_do_not_count() {
    let fixture = Fixture::with_files(&[("a.rs", "")]);
    for name in [".gitignore", ".ignore", ".whyrankignore"] {
        fs::write(fixture.above.join(name), "*.rs\n").expect("written");
    }
    assert_eq!(paths(&fixture.list()), ["a.rs"]);
}

#[test]
fn the_exclude_file_of_the_repository_holds_in_every_worktree() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    fixture.commit("first");
    let second = crate::repository::add_worktree(&fixture.git, &fixture.above.join("second"));
    fixture.write(".git/info/exclude", "private.rs\n");
    fs::write(second.root().join("private.rs"), "").expect("written");
    assert_eq!(paths(&list(&second)), ["a.rs"]);
}

#[test]
fn paths_are_sorted_by_their_bytes() {
    let fixture =
        Fixture::with_files(&[("a/b", ""), ("a.b", ""), ("A", ""), ("a-b", ""), ("é", "")]);
    assert_eq!(paths(&fixture.list()), ["A", "a-b", "a.b", "a/b", "é"]);
}

#[test]
fn files_are_skipped_with_the_same_reasons_as_classify_gives() {
    let fixture = Fixture::with_files(&[
        (".env", "KEY=1"),
        (".env.example", "KEY="),
        ("a.png", "text"),
        ("nul.txt", "a\0"),
        ("long.js", &"x".repeat(30_000)),
        ("big.txt", &"line\n".repeat(300_000)),
    ]);
    fixture.write(
        "sjis.txt",
        b"\x82\xb1\x82\xea\x82\xcd\x83e\x83X\x83g\x82\xc5\x82\xb7",
    );
    let listing = fixture.list();
    assert_eq!(paths(&listing), [".env.example"]);
    let limit_bytes = FileFilter::default().max_file_bytes;
    assert_eq!(
        skipped(&listing),
        [
            (".env", SkipReason::Secret),
            ("a.png", SkipReason::Binary),
            (
                "big.txt",
                SkipReason::TooLarge {
                    size_bytes: 1_500_000,
                    limit_bytes
                }
            ),
            ("long.js", SkipReason::Minified),
            ("nul.txt", SkipReason::Binary),
            ("sjis.txt", SkipReason::Encoding),
        ]
    );
}

#[test]
fn a_library_that_is_one_long_file_is_listed() {
    let long = "line();\n".repeat(200_000);
    let fixture =
        Fixture::with_files(&[("Long.java", &long), ("long.js", &long), ("long.h", &long)]);
    let too_long = "line();\n".repeat(600_000);
    fixture.write("TooLong.java", &too_long);
    let listing = fixture.list();
    assert_eq!(paths(&listing), ["Long.java"]);
    let limit_bytes = FileFilter::default().max_file_bytes;
    let limit = |reason| match reason {
        SkipReason::TooLarge { limit_bytes, .. } => limit_bytes,
        other => panic!("{other:?}"),
    };
    let limits: Vec<(String, u64)> = skipped(&listing)
        .into_iter()
        .map(|(path, reason)| (path.to_owned(), limit(reason)))
        .collect();
    let long_limit = limit_bytes * whyrank_source::LONG_SOURCE_FACTOR;
    let expected = [
        ("TooLong.java", long_limit),
        ("long.h", limit_bytes),
        ("long.js", limit_bytes),
    ];
    assert_eq!(
        limits,
        expected.map(|(path, limit)| (path.to_owned(), limit))
    );
}

#[test]
fn blob_ids_are_over_the_bytes_on_disk() {
    let fixture = Fixture::with_files(&[(".gitattributes", "* text=auto eol=crlf\n")]);
    fixture.write("a.txt", "a\r\n");
    fixture
        .git
        .config()
        .expect("config")
        .set_bool("core.autocrlf", true)
        .expect("set");
    let listing = fixture.list();
    assert_eq!(listing.files[1].blob, blob_id(b"a\r\n"));
    assert_eq!(listing.files[1].size_bytes, 3);
    assert!(listing.files[1].mtime_ns > 1_500_000_000_000_000_000);
}

#[test]
fn repositories_inside_are_skipped_whole() {
    let fixture = Fixture::with_files(&[
        ("a.rs", ""),
        ("module/b.rs", ""),
        ("module/.git", "gitdir: x"),
    ]);
    git2::Repository::init(fixture.path("nested/deep")).expect("a repository");
    fixture.write("nested/deep/c.rs", "");
    fixture.write(".gitignore", "cache\n");
    git2::Repository::init(fixture.path("cache/ignored")).expect("a repository");
    let listing = fixture.list();
    assert_eq!(paths(&listing), [".gitignore", "a.rs"]);
    let expected = [
        ("module", SkipReason::NestedRepository),
        ("nested/deep", SkipReason::NestedRepository),
    ];
    assert_eq!(skipped(&listing), expected);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_loops_are_harmless() {
    use crate::fixture::link;
    let fixture = Fixture::with_files(&[("src/a.rs", "a")]);
    link("src/a.rs", &fixture.path("file.rs"));
    link("..", &fixture.path("src/up"));
    link("itself", &fixture.path("itself"));
    link("nowhere", &fixture.path("dangling"));
    let listing = fixture.list();
    assert_eq!(paths(&listing), ["src/a.rs"]);
    let expected = [
        ("file.rs", SkipReason::Symlink),
        ("src/up", SkipReason::Symlink),
    ];
    assert_eq!(skipped(&listing), expected);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_no_line_of_text_are_skipped_by_name() {
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.rs");
    fs::write(fixture.root().join(name), "x").expect("written");
    fs::write(fixture.root().join("b\n2. a.rs"), "x").expect("written");
    let listing = fixture.list();
    assert_eq!(paths(&listing), ["a.rs"]);
    let expected = [
        ("b\\n2. a.rs", SkipReason::Name),
        ("caf\u{fffd}.rs", SkipReason::Name),
    ];
    assert_eq!(skipped(&listing), expected);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_is_skipped_as_unreadable() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::with_files(&[("a.rs", "a"), ("locked.rs", "b"), ("closed/c.rs", "c")]);
    for path in ["locked.rs", "closed"] {
        let nobody = fs::Permissions::from_mode(0o0);
        fs::set_permissions(fixture.path(path), nobody).expect("set");
    }
    let is_root = fs::read(fixture.path("locked.rs")).is_ok();
    let listing = fixture.list();
    fs::set_permissions(fixture.path("closed"), fs::Permissions::from_mode(0o755)).expect("set");
    if is_root {
        return; // Root reads everything.
    }
    assert_eq!(paths(&listing), ["a.rs"]);
    let unreadable: Vec<&str> = skipped(&listing).iter().map(|(path, _)| *path).collect();
    assert_eq!(unreadable, ["closed", "locked.rs"]);
    let is_unreadable = |(_, reason)| matches!(reason, SkipReason::Unreadable { .. });
    assert!(skipped(&listing).into_iter().all(is_unreadable));
}

#[cfg(unix)]
#[test]
fn sockets_and_pipes_are_not_files() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let _socket = std::os::unix::net::UnixListener::bind(fixture.path("s")).expect("a socket");
    let listing = fixture.list();
    assert_eq!(paths(&listing), ["a.rs"]);
    assert!(listing.skipped.is_empty());
}

#[test]
fn a_renamed_file_keeps_its_blob() {
    let fixture = Fixture::with_files(&[("a.rs", "text")]);
    let before = fixture.list();
    fs::rename(fixture.path("a.rs"), fixture.path("b.rs")).expect("renamed");
    let after = fixture.list();
    assert_eq!(paths(&after), ["b.rs"]);
    assert_eq!(after.files[0].blob, before.files[0].blob);
}

/// Remembers a listing and the questions asked.
#[derive(Default)]
struct Memory {
    files: HashMap<(String, u64, i64), KnownFile>,
    asked: RefCell<Vec<String>>,
}

impl Memory {
    fn of(listing: &Listing) -> Self {
        let files = listing.files.iter().map(|file| {
            let key = (file.path.clone(), file.size_bytes, file.mtime_ns);
            (key, KnownFile::Indexed(file.blob))
        });
        Self {
            files: files.collect(),
            asked: RefCell::default(),
        }
    }
}

impl KnownFiles for Memory {
    fn blob(&self, path: &str, stat: FileStat) -> Option<KnownFile> {
        self.asked.borrow_mut().push(path.to_owned());
        self.files
            .get(&(path.to_owned(), stat.size_bytes, stat.mtime_ns))
            .cloned()
    }
}

fn list_with(fixture: &Fixture, known: &dyn KnownFiles) -> Listing {
    let mut go_on = |_| ControlFlow::Continue(());
    fixture
        .open()
        .list_worktree(&FileFilter::default(), known, &mut go_on)
        .expect("listed")
}

#[test]
fn known_files_are_not_read_again() {
    let fixture = Fixture::with_files(&[("a.rs", "a"), ("b.rs", "b"), (".env", "")]);
    let mut memory = Memory::of(&fixture.list());
    let claimed = blob_id(b"not what is on disk");
    for known in memory.files.values_mut() {
        *known = KnownFile::Indexed(claimed);
    }
    let listing = list_with(&fixture, &memory);
    assert!(listing.files.iter().all(|file| file.blob == claimed));
    let mut asked = memory.asked.take();
    asked.sort();
    assert_eq!(
        asked,
        ["a.rs", "b.rs"],
        "a secret is refused by name before it is asked for"
    );
    fixture.write("b.rs", "longer");
    let listing = list_with(&fixture, &memory);
    assert_eq!(listing.files[0].blob, claimed);
    assert_eq!(listing.files[1].blob, blob_id(b"longer"));
}

#[test]
fn a_known_skip_is_repeated() {
    let fixture = Fixture::with_files(&[("a.txt", "text")]);
    let mut memory = Memory::of(&fixture.list());
    for known in memory.files.values_mut() {
        *known = KnownFile::Skipped(SkipReason::Minified);
    }
    assert_eq!(
        skipped(&list_with(&fixture, &memory)),
        [("a.txt", SkipReason::Minified)]
    );
}

/// Deletes a file between the walk and the read.
struct Deleting<'a>(&'a Fixture);

impl KnownFiles for Deleting<'_> {
    fn blob(&self, path: &str, _stat: FileStat) -> Option<KnownFile> {
        if path == "b.rs" {
            fs::remove_file(self.0.path("b.rs")).expect("removed");
        }
        None
    }
}

#[test]
fn a_file_deleted_between_walk_and_read_is_not_listed() {
    let fixture = Fixture::with_files(&[("a.rs", "a"), ("b.rs", "b")]);
    let listing = list_with(&fixture, &Deleting(&fixture));
    assert_eq!(paths(&listing), ["a.rs"]);
    assert!(listing.skipped.is_empty());
}

/// Lets a file grow over the limit between the walk and the read.
struct Growing<'a>(&'a Fixture);

impl KnownFiles for Growing<'_> {
    fn blob(&self, path: &str, _stat: FileStat) -> Option<KnownFile> {
        self.0.write(path, "line\n".repeat(1_000_000));
        None
    }
}

#[test]
fn a_file_that_grows_between_walk_and_read_is_too_large() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let listing = list_with(&fixture, &Growing(&fixture));
    assert!(matches!(
        listing.skipped[0].reason,
        SkipReason::TooLarge { .. }
    ));
}

#[test]
fn progress_rises_to_the_number_of_files_and_can_cancel() {
    let fixture = Fixture::new();
    for n in 0..500 {
        fixture.write(&format!("f{n}.rs"), "a");
    }
    let repository = fixture.open();
    let mut told = Vec::new();
    let mut note = |n_files| {
        told.push(n_files);
        ControlFlow::Continue(())
    };
    repository
        .list_worktree(&FileFilter::default(), &(), &mut note)
        .expect("listed");
    assert!(told.is_sorted() && told.len() > 2, "{told:?}");
    assert_eq!(told.last(), Some(&500));
    let mut stop = |_| ControlFlow::Break(());
    let error = repository.list_worktree(&FileFilter::default(), &(), &mut stop);
    assert!(matches!(error, Err(SourceError::Cancelled)));
}

#[test]
fn a_deleted_root_is_an_error() {
    let fixture = Fixture::new();
    let repository = fixture.open();
    fs::remove_dir_all(fixture.root()).expect("removed");
    let mut go_on = |_| ControlFlow::Continue(());
    let error = repository.list_worktree(&FileFilter::default(), &(), &mut go_on);
    assert!(matches!(error, Err(SourceError::ListFolder { .. })));
}
