//! Bad input and bad luck: a clear error, and nothing is lost.

use crate::fixture::{World, draft, timed_scribe};
use std::io::{Seek, SeekFrom, Write};
use whyrank_memory::{Anchor, Draft, Endings, Memory, MemoryError};

fn refused(draft: Draft) -> MemoryError {
    let mut world = World::new();
    let outcome = world.write(|writer, _| writer.add(draft));
    assert_eq!(world.memory.ledger().n_facts(), 0);
    outcome.expect_err("it is refused")
}

fn anchored(path: &str) -> Draft {
    let anchor = Anchor {
        path: path.to_owned(),
        ..Anchor::default()
    };
    Draft {
        anchors: vec![anchor],
        ..draft("x")
    }
}

#[test]
fn a_memo_of_a_megabyte_is_refused_with_the_limit() {
    let error = refused(draft(&"x".repeat(1 << 20)));
    assert!(
        error
            .to_string()
            .contains("1048576 bytes, and 65536 are the limit"),
        "{error}"
    );
}

#[test]
fn an_empty_memo_is_refused() {
    assert!(matches!(refused(draft(" \n")), MemoryError::Empty));
}

#[test]
fn anchors_outside_the_repository_are_refused() {
    for path in [
        "../x",
        "/etc/passwd",
        "a/../../x",
        "C:\\x",
        ".git/config",
        "a/.GIT/hooks",
    ] {
        let error = refused(anchored(path));
        assert!(
            matches!(error, MemoryError::AnchorOutside { .. }),
            "{path}: {error}"
        );
    }
    assert!(matches!(
        refused(anchored("./")),
        MemoryError::BadField { .. }
    ));
}

#[test]
fn odd_fields_are_refused() {
    for confidence in [-0.1, 1.1, f64::NAN] {
        let error = refused(Draft {
            confidence,
            ..draft("x")
        });
        assert!(matches!(error, MemoryError::BadField { .. }), "{error}");
    }
    let tags = vec!["a,b".to_owned()];
    assert!(matches!(
        refused(Draft { tags, ..draft("x") }),
        MemoryError::BadField { .. }
    ));
}

#[test]
fn a_clock_that_runs_backwards_leaves_the_order_as_it_was() {
    let mut world = World::new();
    let memo = world.add("v1");
    world.now_ms -= 100_000_000;
    world.edit(&memo, "v2");
    world.now_ms -= 1;
    world.edit(&memo, "v3");
    let ledger = world.memory.ledger();
    let versions = &ledger.memo(&memo).expect("a memo").versions;
    let times: Vec<i64> = versions
        .iter()
        .map(|idx| ledger.version(*idx).expect("a version").recorded_at)
        .collect();
    assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    let last = ledger.version(versions[2]).expect("a version");
    assert_eq!(
        (last.content.as_str(), last.clock),
        ("v3", Some(world.now_ms))
    );
}

#[test]
fn ids_are_found_by_their_beginning() {
    let mut world = World::new();
    let memo = world.add("x");
    let ledger = world.memory.ledger();
    assert_eq!(ledger.find(&memo[..5]).expect("it is found"), memo);
    assert!(matches!(
        ledger.find("m"),
        Err(MemoryError::UnknownMemo { .. })
    ));
    assert!(matches!(
        ledger.find("zzzz"),
        Err(MemoryError::UnknownMemo { .. })
    ));
}

#[test]
fn rows_can_not_be_changed_or_deleted_behind_memorys_back() {
    let mut world = World::new();
    world.add("x");
    let direct = rusqlite::Connection::open(world.memory.path()).expect("it opens");
    assert!(direct.execute("UPDATE fact SET body = '{}'", []).is_err());
    assert!(direct.execute("DELETE FROM fact", []).is_err());
    let shown: String = direct
        .query_row(
            "SELECT content FROM memo_rows WHERE valid_from_sha IS NULL",
            [],
            |row| row.get(0),
        )
        .expect("the rows can be read with plain SQL");
    assert_eq!(shown, "x");
}

#[test]
fn a_corrupt_page_is_detected_and_the_rest_is_exported() {
    let mut world = with_memos(400);
    let path = world.memory.path().to_owned();
    world.memory.check().expect("it is sound");
    let other = World::new();
    world.memory = Memory::open(&other.folder.path().join("memos.db")).expect("a memory");
    let size = std::fs::metadata(&path).expect("a file").len();
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .expect("it opens");
    for page in [size / 4096 / 3, size / 4096 / 2] {
        file.seek(SeekFrom::Start(page * 4096)).expect("a page");
        file.write_all(&[0xA5; 4096]).expect("it is overwritten");
    }
    drop(file);
    let mut memory = Memory::open(&path).expect("it still opens");
    assert!(matches!(memory.check(), Err(MemoryError::Damaged { .. })));
    assert!(!memory.damaged().is_empty());
    let n_left = memory.ledger().facts().len();
    assert!((300..400).contains(&n_left), "{n_left} of 400 are left");
    let mut fresh = Memory::open(&world.folder.path().join("fresh.db")).expect("a memory");
    assert_eq!(
        fresh
            .import(&memory.ledger().export(), i64::MAX, Endings::TakeIn)
            .expect("it is imported")
            .n_added,
        n_left
    );
    fresh.check().expect("the new one is sound");
}

/// A memory of so many memos, all of them in the file itself.
fn with_memos(n_memos: i64) -> World {
    let mut world = World::new();
    for n in 0..n_memos {
        world
            .memory
            .write(world.now_ms + n, |ledger, recorded_at| {
                timed_scribe(ledger, recorded_at)
                    .add(draft(&format!("memo {n} {}", "of some length ".repeat(20))))
            })
            .expect("it is recorded");
    }
    world.memory.scrub().expect("all is in the file");
    world
}

#[test]
fn a_damaged_page_is_named_and_its_facts_are_read() {
    let world = with_memos(60);
    let n_facts = world.memory.ledger().facts().len();
    let whole = std::fs::read(world.memory.path()).expect("a file");
    let copy = world.folder.path().join("copy.db");
    for page in 0..whole.len() / 4096 {
        // The count of a page's cells: without sums, a row more or less.
        for at in [4, 20, 2000, 4090] {
            let mut bytes = whole.clone();
            bytes[page * 4096 + at] ^= 1;
            std::fs::write(&copy, bytes).expect("a copy");
            for beside in ["-wal", "-shm"] {
                let _ = std::fs::remove_file(format!("{}{beside}", copy.display()));
            }
            match Memory::open(&copy) {
                Err(MemoryError::Damaged { .. }) => {}
                Err(error) => panic!("page {page}, byte {at}: {error}"),
                Ok(memory) => {
                    let n_read = memory.ledger().facts().len();
                    let is_said = !memory.damaged().is_empty();
                    assert!(
                        is_said || n_read == n_facts,
                        "page {page}, byte {at}: {n_read}"
                    );
                    assert!(n_read * 2 >= n_facts, "page {page}, byte {at}: {n_read}");
                }
            }
        }
    }
}

#[test]
fn a_made_up_count_of_facts_costs_no_more_than_the_file() {
    let world = with_memos(60);
    let n_facts = world.memory.ledger().facts().len();
    let copy = world.folder.path().join("copy.db");
    std::fs::copy(world.memory.path(), &copy).expect("a copy");
    rusqlite::Connection::open(&copy)
        .and_then(|direct| direct.execute("UPDATE sqlite_sequence SET seq = 1000000000000000", []))
        .expect("it is changed");
    let mut bytes = std::fs::read(&copy).expect("a file");
    let middle = bytes.len() / 4096 / 2 * 4096 + 2000;
    bytes[middle] ^= 1;
    std::fs::write(&copy, bytes).expect("a copy");
    let memory = Memory::open(&copy).expect("it opens");
    assert!(!memory.damaged().is_empty());
    let n_read = memory.ledger().facts().len();
    assert!(n_read + 1 >= n_facts, "{n_read} of {n_facts}");
}

#[test]
fn a_memory_of_the_version_before_is_read_and_written_as_it_is() {
    let world = World::new();
    let old = world.folder.path().join("old.db");
    let direct = rusqlite::Connection::open(&old).expect("it opens");
    let schema = rusqlite::Connection::open(world.memory.path()).expect("it opens");
    let mut parts = schema
        .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")
        .expect("the schema is read");
    let parts = parts
        .query_map([], |row| row.get::<_, String>(0))
        .expect("it is read");
    for sql in parts {
        direct
            .execute_batch(&sql.expect("text"))
            .expect("it is made");
    }
    direct
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA user_version = 1")
        .expect("it is set");
    // A program of that version has it open all the while, and writes into it afterwards.
    let mut memory = Memory::open(&old).expect("it opens");
    memory
        .write(world.now_ms, |ledger, recorded_at| {
            timed_scribe(ledger, recorded_at).add(draft("kept as it was"))
        })
        .expect("it is recorded");
    memory.scrub().expect("it is tidied");
    direct
        .execute_batch("CREATE TABLE theirs(x)")
        .expect("it is written");
    drop(memory);
    let mut memory = Memory::open(&old).expect("it opens again");
    memory.check().expect("it is sound");
    assert_eq!(memory.ledger().n_versions(), 1);
}

#[test]
fn a_file_that_is_no_memory_says_so() {
    let world = World::new();
    let path = world.folder.path().join("no.db");
    std::fs::write(
        &path,
        "not a database, but long enough to look like one".repeat(100),
    )
    .expect("a file");
    assert!(matches!(
        Memory::open(&path),
        Err(MemoryError::Damaged { .. })
    ));
    let newer = world.folder.path().join("newer.db");
    let direct = rusqlite::Connection::open(&newer).expect("it opens");
    direct
        .execute_batch("PRAGMA user_version = 99")
        .expect("it is set");
    assert!(matches!(
        Memory::open(&newer),
        Err(MemoryError::Newer { format: 99, .. })
    ));
}

#[test]
fn another_writer_is_waited_for_and_nothing_is_lost() {
    let mut world = World::new();
    world.add("kept");
    let direct = rusqlite::Connection::open(world.memory.path()).expect("it opens");
    direct.execute_batch("BEGIN IMMEDIATE").expect("locked");
    let other = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(50));
        direct.execute_batch("ROLLBACK").expect("free again");
    });
    world.add("and more");
    other.join().expect("it ends");
    assert_eq!(world.known(None, i64::MAX), ["and more", "kept"]);
}
