//! Facts that cannot be: refused when they are imported, left out where they lie in the file already.

use crate::fixture::{World, draft, timed_scribe};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use whyrank_memory::{Endings, Fact, Field, LAST_MOMENT_MS, Memory, MemoryError, Tier};

const NOW_MS: i64 = 1_800_000_000_000;

fn world() -> World {
    let mut world = World::new();
    world.commit("a", "0");
    let memo = world.add("one");
    world.commit("a", "1");
    world.edit(&memo, "two");
    world.mark(&memo, Field::Tier(Tier::Core));
    world.supersede(&memo, "three");
    world
}

/// Every fact that differs from one of these in one number or id.
fn changed_facts(export: &str) -> Vec<Fact> {
    let numbers = [
        json!(i64::MAX),
        json!(i64::MIN),
        json!(-1),
        json!(1_i64 << 53),
        json!(1e300),
    ];
    let words = [
        json!(""),
        json!("m"),
        json!("../x"),
        json!("x".repeat(1 << 20)),
    ];
    let mut facts = Vec::new();
    for line in export.lines() {
        let fact: Value = serde_json::from_str(line).expect("an export");
        let mut places = Vec::new();
        places_in(&fact, String::new(), &mut places);
        for place in places {
            let is_number = fact.pointer(&place).is_some_and(Value::is_number);
            for other in if is_number { &numbers[..] } else { &words } {
                let mut changed = fact.clone();
                *changed.pointer_mut(&place).expect("a place") = other.clone();
                facts.extend(serde_json::from_value::<Fact>(changed).map(Fact::sealed));
            }
        }
    }
    facts
}

fn places_in(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                places_in(field, format!("{at}/{name}"), places);
            }
        }
        Value::Array(items) => {
            for (nth, item) in items.iter().enumerate() {
                places_in(item, format!("{at}/{nth}"), places);
            }
        }
        Value::Number(_) | Value::String(_) => places.push(at),
        Value::Null | Value::Bool(_) => {}
    }
}

#[test]
fn an_import_with_a_number_or_id_that_cannot_be_is_refused_whole_and_names_the_line() {
    let world = world();
    let export = world.memory.ledger().export();
    let n_lines = export.lines().count();
    let (mut n_refused, mut n_taken) = (0, 0);
    let mut memory = Memory::open(&world.folder.path().join("0.db")).expect("a memory");
    for fact in changed_facts(&export) {
        match memory.import(
            &format!("{export}{}\n", fact.json()),
            NOW_MS,
            Endings::TakeIn,
        ) {
            Err(MemoryError::BadLine { line, detail }) => {
                let n_facts = memory.ledger().n_facts();
                assert_eq!((line, n_facts), (n_lines + 1, 0), "{detail}");
                n_refused += 1;
                continue;
            }
            Err(error) => panic!("{error}"),
            Ok(_) => n_taken += 1,
        }
        let facts = write(&mut memory, "after").expect("it is recorded");
        let latest = facts.iter().map(Fact::recorded_at).max();
        let line = fact.json();
        assert!(latest <= Some(NOW_MS + 1), "{latest:?} after {line}");
        let whole = memory.ledger().export();
        let next = world.folder.path().join(format!("{n_taken}.db"));
        let mut copy = Memory::open(&next.with_extension("copy")).expect("a memory");
        copy.import(&whole, NOW_MS + 1, Endings::TakeIn)
            .expect("its own export");
        memory = Memory::open(&next).expect("a memory");
    }
    assert!(n_refused > 50 && n_taken > 0, "{n_refused} {n_taken}");
}

fn write(memory: &mut Memory, content: &str) -> whyrank_memory::Result<Vec<Fact>> {
    memory.write(NOW_MS, |ledger, recorded_at| {
        timed_scribe(ledger, recorded_at).add(draft(content))
    })
}

#[test]
fn a_panic_while_facts_are_made_leaves_memory_open_to_everybody() {
    let mut world = world();
    let before = world.memory.ledger().export();
    let panics = || world.memory.write(NOW_MS, |_, _| panic!("within"));
    assert!(catch_unwind(AssertUnwindSafe(panics)).is_err());
    let mut other = Memory::open(world.memory.path()).expect("a memory");
    assert_eq!(other.ledger().export(), before);
    write(&mut other, "by another").expect("nobody holds the lock");
    write(&mut world.memory, "by the same").expect("no transaction is open");
    assert!(world.memory.ledger().export().contains("by another"));
}

/// Puts a fact into a file as a version did that let everything in.
fn plant(path: &Path, fact: &Fact) {
    let body = fact.json();
    let sum = hex::encode(Sha256::digest(&body));
    let memory = Memory::open(path).expect("a memory");
    drop(memory);
    let file = whyrank_sqlite::open(path, whyrank_sqlite::Sums::IfThere).expect("it opens");
    file.execute(
        "INSERT INTO fact(id, type, memo, recorded_at, body, sum) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            fact.id(),
            fact.type_name(),
            fact.memo(),
            fact.recorded_at(),
            body,
            &sum[..16]
        ],
    )
    .expect("it is planted");
}

fn commit_fact(recorded_at: i64) -> Fact {
    let fact = json!({"fact": "commit", "sha": "b".repeat(40), "twin": "0".repeat(16),
        "kin": "0".repeat(16), "at": 0, "summary": "x", "lineage": [], "recorded_at": recorded_at});
    serde_json::from_value(fact).expect("a fact")
}

#[test]
fn who_was_hit_by_an_impossible_time_can_write_and_sets_it_aside() {
    let world = world();
    let (path, before) = (
        world.memory.path().to_owned(),
        world.memory.ledger().export(),
    );
    let impossible = commit_fact(i64::MAX);
    plant(&path, &impossible);
    let mut memory = Memory::open(&path).expect("a memory");
    assert_eq!(memory.impossible().len(), 1);
    assert_eq!(memory.ledger().export(), before);
    write(&mut memory, "before it is set aside").expect("it is recorded");

    let retired = memory.retire_impossible(NOW_MS).expect("it is set aside");
    assert_eq!(retired[0].id, impossible.id());
    assert!(memory.impossible().is_empty());
    write(&mut memory, "after").expect("it is recorded");
    let reopened = Memory::open(&path).expect("a memory");
    assert!(reopened.impossible().is_empty());
    assert_eq!(reopened.ledger().export(), memory.ledger().export());

    let file = open(&path);
    let sql = "SELECT body, reason FROM retired";
    let kept: (String, String) = file
        .query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("it is kept");
    assert_eq!(kept.0, impossible.json());
    assert!(kept.1.contains(&i64::MAX.to_string()), "{}", kept.1);
    let deleted = file.execute("DELETE FROM fact", []);
    assert!(deleted.is_err(), "facts still stay");
}

fn open(path: &Path) -> Connection {
    whyrank_sqlite::open(path, whyrank_sqlite::Sums::IfThere).expect("it opens")
}

#[test]
fn the_last_moment_ends_no_writing() {
    let world = world();
    let path = world.memory.path().to_owned();
    plant(&path, &commit_fact(LAST_MOMENT_MS));
    let mut memory = Memory::open(&path).expect("a memory");
    for content in ["one after", "another"] {
        write(&mut memory, content).expect("it is recorded");
    }
    let reopened = Memory::open(&path).expect("a memory");
    assert_eq!(reopened.ledger().export(), memory.ledger().export());
    assert!(reopened.ledger().export().contains("another"));
}

#[test]
fn what_was_set_aside_of_a_memo_goes_when_it_is_purged() {
    let mut world = world();
    let memo = world.add("dear");
    let path = world.memory.path().to_owned();
    let versions = world.memory.ledger().facts();
    let version = versions.into_iter().find_map(|fact| match fact {
        Fact::Version(version) if version.memo == memo => Some(version),
        _ => None,
    });
    let mut version = version.expect("its version");
    version.recorded_at = i64::MIN;
    version.content = "the secret".to_owned();
    plant(&path, &Fact::Version(version).sealed());
    world.memory.refresh().expect("it is read");
    world
        .memory
        .retire_impossible(NOW_MS)
        .expect("it is set aside");
    world.purge(&memo);
    let n_kept = open(&path).query_row("SELECT count(*) FROM retired", [], |row| row.get(0));
    assert_eq!(n_kept, Ok(0));
}
