//! Listing commits.

use crate::fixture::{Fixture, paths, skipped};
use whyrank_source::{CommitId, FileFilter, Listing, SkipReason, SourceError, blob_id};

fn list(fixture: &Fixture, commit: CommitId) -> Listing {
    fixture
        .open()
        .list_commit(commit, &FileFilter::default(), &|_, _| None)
        .expect("listed")
}

#[test]
fn a_commit_and_its_clean_working_tree_list_the_same() {
    let fixture = Fixture::with_files(&[
        ("src/a.rs", "fn a() {}\n"),
        ("src.rs", "mod a;\n"),
        ("empty", ""),
        (".env", "KEY=1"),
        ("a.bin", "a\0b"),
        ("crlf.txt", "a\r\nb\r\n"),
    ]);
    fixture.write("utf16.txt", b"\xff\xfea\x00\n\x00");
    let committed = list(&fixture, fixture.commit("first"));
    let mut on_disk = fixture.list();
    on_disk.files.iter_mut().for_each(|file| file.mtime_ns = 0);
    assert_eq!(committed.files, on_disk.files);
    assert_eq!(committed.skipped, on_disk.skipped);
    assert_eq!(
        paths(&committed),
        ["crlf.txt", "empty", "src.rs", "src/a.rs", "utf16.txt"]
    );
    assert_eq!(committed.files[0].blob, blob_id(b"a\r\nb\r\n"));
    assert_eq!(
        skipped(&committed),
        [(".env", SkipReason::Secret), ("a.bin", SkipReason::Binary)]
    );
}

#[test]
fn what_is_committed_is_listed_even_when_git_ignores_it() {
    let fixture = Fixture::with_files(&[(".gitignore", "dist\n"), ("dist/a.js", "a")]);
    let commit = fixture.commit("first");
    assert_eq!(paths(&list(&fixture, commit)), [".gitignore", "dist/a.js"]);
}

#[test]
fn the_whyrankignore_files_of_the_commit_apply() {
    let fixture = Fixture::with_files(&[
        (".whyrankignore", "*.snap\nvendor/\n/only.rs\n"),
        ("a.snap", ""),
        ("only.rs", ""),
        ("src/.whyrankignore", "!keep.snap\n/local.rs\n"),
        ("src/keep.snap", ""),
        ("src/only.rs", ""),
        ("src/drop.snap", ""),
        ("src/local.rs", ""),
        ("src/deep/local.rs", ""),
        ("vendor/a.rs", ""),
    ]);
    let commit = fixture.commit("first");
    let expected = [
        ".whyrankignore",
        "src/.whyrankignore",
        "src/deep/local.rs",
        "src/keep.snap",
        "src/only.rs",
    ];
    assert_eq!(paths(&list(&fixture, commit)), expected);
    assert_eq!(paths(&fixture.list()), expected);
    fixture.write(".whyrankignore", "");
    assert_eq!(
        paths(&list(&fixture, commit)),
        expected,
        "the commit's rules, not the disk's"
    );
}

#[test]
fn submodules_links_and_odd_names_are_skipped_with_a_reason() {
    let fixture = Fixture::with_files(&[("a.rs", "a")]);
    let first = fixture.commit("first");
    let blob = fixture.git.blob(b"a.rs").expect("a blob");
    fixture.commit_entry(b"link", 0o120_000, blob);
    fixture.commit_entry(b"caf\xe9.rs", 0o100_644, blob);
    fixture.commit_entry(b"b\n2. a.rs", 0o100_644, blob);
    let commit = fixture.commit_entry(b"sub", 0o160_000, crate::repository::oid(first));
    let listing = list(&fixture, commit);
    assert_eq!(paths(&listing), ["a.rs"]);
    assert_eq!(
        skipped(&listing),
        [
            ("b\\n2. a.rs", SkipReason::Name),
            ("caf\u{fffd}.rs", SkipReason::Name),
            ("link", SkipReason::Symlink),
            ("sub", SkipReason::Submodule)
        ]
    );
}

#[test]
fn a_large_blob_is_too_large_and_a_missing_one_unreadable() {
    let fixture = Fixture::with_files(&[("big.txt", &"line\n".repeat(300_000)), ("a.rs", "a")]);
    let commit = fixture.commit("first");
    let limit_bytes = FileFilter::default().max_file_bytes;
    let too_large = SkipReason::TooLarge {
        size_bytes: 1_500_000,
        limit_bytes,
    };
    assert_eq!(skipped(&list(&fixture, commit)), [("big.txt", too_large)]);
    let id = blob_id(b"a").to_string();
    let object = fixture.path(&format!(".git/objects/{}/{}", &id[..2], &id[2..]));
    std::fs::remove_file(object).expect("removed");
    let listing = list(&fixture, commit);
    assert!(matches!(
        listing.skipped[0].reason,
        SkipReason::Unreadable { .. }
    ));
}

#[test]
fn an_unknown_commit_is_an_error() {
    let fixture = Fixture::new();
    let error = fixture
        .open()
        .list_commit(CommitId([7; 20]), &FileFilter::default(), &|_, _| None);
    assert!(matches!(error, Err(SourceError::ListTree { .. })));
}

#[test]
fn many_files_come_back_in_path_order() {
    let fixture = Fixture::new();
    for n in 0..1300 {
        fixture.write(&format!("d{}/f{n}.rs", n % 7), format!("fn f{n}() {{}}\n"));
    }
    let committed = list(&fixture, fixture.commit("first"));
    assert_eq!(committed.files.len(), 1300);
    assert!(committed.files.is_sorted_by(|a, b| a.path < b.path));
    assert_eq!(paths(&committed), paths(&fixture.list()));
}
