//! Down to an earlier version and up again: what a later one wrote is refused by name, and is there
//! when the later one comes back.

use serde_json::Value;
use std::path::PathBuf;
use whyrank_tests::{Home, TestRepo};

#[test]
fn an_index_of_a_later_version_is_refused_and_answers_again_when_that_is_back() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    let found = || home.paths_of(repo.arg(), "vat_rate");
    let before = found();
    let path = home.live_generation().join("manifest.json");
    let ours = std::fs::read_to_string(&path).expect("a manifest");
    let mut later: Value = serde_json::from_str(&ours).expect("JSON");
    later["parts"][0][1] = "99".into();
    let manifest = later.as_object_mut().expect("an object");
    manifest.remove("hash");
    std::fs::write(&path, later.to_string()).expect("written");

    for args in [
        ["search", "vat_rate", "--repo", repo.arg()].as_slice(),
        ["index", repo.arg(), "--no-vectors"].as_slice(),
    ] {
        let outcome = home.run(args);
        assert_eq!(outcome.code, Some(3), "{outcome:?}");
        assert!(outcome.stderr.contains("a later version"), "{outcome:?}");
        assert!(outcome.stderr.contains("update Whyrank"), "{outcome:?}");
    }
    std::fs::write(&path, ours).expect("written");
    assert_eq!(found(), before);
}

#[test]
fn a_memory_of_a_later_version_is_refused_unchanged_and_is_whole_when_that_is_back() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    let add = |text| home.run(&["memo", "add", text, "--repo", repo.arg()]);
    add("rates are whole percents").succeeds();
    let memory = memory_of(&home);
    let ours = format_of(&memory);
    set_format(&memory, 99);
    let bytes = std::fs::read(&memory).expect("a memory");

    for outcome in [
        home.run(&["memo", "list", "--repo", repo.arg()]),
        add("never written"),
    ] {
        assert!(!matches!(outcome.code, Some(0)), "{outcome:?}");
        assert!(outcome.stderr.contains("newer version"), "{outcome:?}");
        assert!(outcome.stderr.contains("update Whyrank"), "{outcome:?}");
    }
    // Code is searched all the same.
    assert_eq!(home.paths_of(repo.arg(), "vat_rate")[0], "billing/tax.py");
    assert_eq!(std::fs::read(&memory).expect("a memory"), bytes);

    set_format(&memory, ours);
    let list = home.run(&["memo", "list", "--repo", repo.arg()]);
    let list = list.succeeds().stdout;
    assert!(list.contains("rates are whole percents"), "{list}");
    assert!(!list.contains("never written"), "{list}");
}

fn memory_of(home: &Home) -> PathBuf {
    let entries = std::fs::read_dir(home.data().join("memory")).expect("a folder of memories");
    let mut files = entries.flatten().map(|entry| entry.path());
    let is_memory = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "db");
    files.find(is_memory).expect("a memory")
}

/// SQLite's `user_version`: four bytes at 60 of the first page.
fn format_of(memory: &PathBuf) -> u32 {
    let bytes = std::fs::read(memory).expect("a memory");
    u32::from_be_bytes(bytes[60..64].try_into().expect("four bytes"))
}

fn set_format(memory: &PathBuf, format: u32) {
    let mut bytes = std::fs::read(memory).expect("a memory");
    bytes[60..64].copy_from_slice(&format.to_be_bytes());
    std::fs::write(memory, bytes).expect("written");
}
