//! Disks that take no writes. Root may write everywhere, so as root a child without rights looks.
#![cfg(unix)]

use crate::fixture::World;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use whyrank_memory::{Endings, Memory, MemoryError};

const VARIABLE: &str = "WHYRANK_TEST_DISK";
/// Nobody.
const UID: u32 = 65_534;

fn permit(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("permissions");
}

/// A folder with a memory that has one memo.
fn folder(world: &mut World) -> PathBuf {
    world.add("kept");
    permit(world.folder.path(), 0o755);
    let folder = world.folder.path().join("disk");
    fs::create_dir(&folder).expect("a folder");
    let mut copy = Memory::open(&folder.join("memos.db")).expect("a memory");
    let export = world.memory.ledger().export();
    copy.import(&export, i64::MAX, Endings::TakeIn)
        .expect("it is imported");
    folder
}

/// Runs one of the tests that are none, as nobody where this runs as root.
fn look(world: &World, test: &str, path: &Path) -> Output {
    let own = std::env::current_exe().expect("this program");
    // Nobody may not be able to reach the folder of built programs.
    let program = world.folder.path().join("test-program");
    if fs::hard_link(&own, &program).is_err() {
        fs::copy(&own, &program).expect("a copy");
    }
    let mut command = Command::new(&program);
    command
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(VARIABLE, path)
        .current_dir(world.folder.path());
    if fs::write(path.with_file_name("probe"), "").is_ok() {
        command.uid(UID).gid(UID);
    }
    command.output().expect("it runs")
}

fn asked() -> Option<PathBuf> {
    std::env::var_os(VARIABLE).map(PathBuf::from)
}

fn succeeds(done: &Output) {
    let text = String::from_utf8_lossy(&done.stdout);
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{text}{errors}");
    assert!(text.contains("looked"), "{text}{errors}");
}

/// No test of its own: reads what it may not write.
#[test]
fn reader() {
    let Some(path) = asked() else {
        return;
    };
    assert!(fs::write(path.with_file_name("probe"), "").is_err());
    let mut memory = Memory::open(&path).expect("it opens for reading");
    assert!(memory.ledger().export().contains("kept"));
    assert!(!memory.is_writable());
    let error = memory.write(1, |_, _| Ok(Vec::new()));
    let error = error.expect_err("it is refused");
    assert!(matches!(error, MemoryError::ReadOnly { .. }), "{error}");
    println!("looked: {error}");
}

/// No test of its own: makes a memory where it may not.
#[test]
fn maker() {
    let Some(path) = asked() else {
        return;
    };
    let mut memory = Memory::open(&path).expect("one without memos");
    assert_eq!(memory.ledger().memos().count(), 0);
    let error = memory.write(1, |_, _| Ok(Vec::new()));
    let error = error.expect_err("it is refused");
    assert!(matches!(error, MemoryError::ReadOnly { .. }), "{error}");
    assert!(error.to_string().contains("memos.db"), "{error}");
    println!("looked: {error}");
}

#[test]
fn a_read_only_disk_is_read_and_refuses_writing() {
    let mut world = World::new();
    let folder = folder(&mut world);
    let path = folder.join("memos.db");
    permit(&path, 0o444);
    permit(&folder, 0o555);
    succeeds(&look(&world, "disk::reader", &path));
    permit(&folder, 0o755);
}

#[test]
fn a_read_only_file_is_read_and_refuses_writing() {
    let mut world = World::new();
    let folder = folder(&mut world);
    let path = folder.join("memos.db");
    for entry in fs::read_dir(&folder).expect("a folder") {
        permit(&entry.expect("an entry").path(), 0o444);
    }
    permit(&folder, 0o555);
    succeeds(&look(&world, "disk::reader", &path));
    permit(&folder, 0o755);
}

#[test]
fn where_no_memory_can_be_made_there_are_no_memos_and_writing_is_refused() {
    let mut world = World::new();
    let folder = folder(&mut world);
    fs::remove_file(folder.join("memos.db")).expect("it goes");
    permit(&folder, 0o555);
    succeeds(&look(&world, "disk::maker", &folder.join("memos.db")));
    permit(&folder, 0o755);
}

/// No test of its own: writes until the disk is full.
#[test]
fn filler() {
    let Some(path) = asked() else {
        return;
    };
    let mut memory = Memory::open(&path).expect("a memory");
    let mut n_recorded = 0;
    let error = loop {
        let outcome = memory.write(1, |ledger, recorded_at| {
            let writer = crate::fixture::timed_scribe(ledger, recorded_at);
            writer.add(crate::fixture::draft(&"text ".repeat(4_000)))
        });
        match outcome {
            Ok(_) => n_recorded += 1,
            Err(error) => break error,
        }
    };
    println!("looked {n_recorded} {error}");
}

/// A file size limit simulates a full disk: what was recorded before is there, the rest is refused.
#[test]
fn a_full_disk_refuses_and_keeps_what_was_recorded() {
    let world = World::new();
    let path = world.folder.path().join("full.db");
    let program = std::env::current_exe().expect("this program");
    // Blocks of 512 bytes; the signal is ignored, so that the write fails instead.
    let script = "trap '' XFSZ; ulimit -f 1000; exec \"$0\" --exact disk::filler --nocapture";
    let done = Command::new("sh")
        .args(["-c", script])
        .arg(&program)
        .env(VARIABLE, &path)
        .output()
        .expect("a shell");
    let text = String::from_utf8_lossy(&done.stdout);
    let line = text.lines().find_map(|line| line.split_once("looked "));
    let (_, told) = line.expect("it says how far it came");
    let (n_recorded, error) = told.split_once(' ').expect("a number and an error");
    let n_recorded: usize = n_recorded.parse().expect("a number");
    assert!(n_recorded > 3 && !error.is_empty(), "{told}");
    let mut memory = Memory::open(&path).expect("it opens");
    memory.check().expect("it is sound");
    assert_eq!(memory.ledger().memos().count(), n_recorded, "{error}");
}
