//! Export, import, merge, conflicts.

use crate::fixture::{World, draft, opposites, text, timed_scribe};
use whyrank_memory::{ConflictKind, Endings, Field, LAST_MOMENT_MS, Memory, MemoryError, Tier};

fn empty(world: &World, name: &str) -> Memory {
    Memory::open(&world.folder.path().join(name)).expect("a memory")
}

fn busy_world() -> (World, String) {
    let mut world = World::new();
    world.commit("a", "0");
    let memo = world.add("use tabs in Makefiles — \"really\"\n\n```\n\tmake\n```");
    world.edit(&memo, "use tabs");
    world.mark(&memo, Field::Tier(Tier::Core));
    world.commit("a", "1");
    world.supersede(&memo, "use spaces");
    let gone = world.add("purged");
    world.purge(&gone);
    (world, memo)
}

#[test]
fn a_round_trip_is_exact() {
    let (world, _) = busy_world();
    let text = world.memory.ledger().export();
    let mut other = empty(&world, "other.db");
    let imported = other
        .import(&text, LAST_MOMENT_MS, Endings::TakeIn)
        .expect("it is imported");
    assert_eq!(imported.n_added, text.lines().count());
    assert_eq!(other.ledger().export(), text);
    assert_eq!(
        other
            .import(&text, LAST_MOMENT_MS, Endings::TakeIn)
            .expect("again")
            .n_added,
        0
    );
    let reopened = empty(&world, "other.db");
    assert_eq!(reopened.ledger().export(), text);
}

#[test]
fn merging_two_exports_loses_nothing_in_either_order() {
    let (mut world, _) = busy_world();
    let shared = world.memory.ledger().export();
    let mut left = empty(&world, "left.db");
    left.import(&shared, LAST_MOMENT_MS, Endings::TakeIn)
        .expect("it is imported");
    world.add("only in the first");
    let first = world.memory.ledger().export();
    std::mem::swap(&mut world.memory, &mut left);
    world.add("only in the second");
    let second = world.memory.ledger().export();
    let merged = |texts: [&str; 2], name: &str| {
        let mut both = empty(&world, name);
        for text in texts {
            both.import(text, LAST_MOMENT_MS, Endings::TakeIn)
                .expect("it is imported");
        }
        both.ledger().export()
    };
    let one = merged([&first, &second], "one.db");
    assert_eq!(one, merged([&second, &first], "two.db"));
    for line in first.lines().chain(second.lines()) {
        assert!(one.contains(line), "lost: {line}");
    }
}

#[test]
fn a_deletion_elsewhere_deletes_nothing_here() {
    let mut world = World::new();
    let memo = world.add("dear to me");
    let mut other = empty(&world, "other.db");
    other
        .import(
            &world.memory.ledger().export(),
            LAST_MOMENT_MS,
            Endings::TakeIn,
        )
        .expect("it is imported");
    std::mem::swap(&mut world.memory, &mut other);
    world.purge(&memo);
    let imported = other
        .import(
            &world.memory.ledger().export(),
            LAST_MOMENT_MS,
            Endings::TakeIn,
        )
        .expect("it is imported");
    assert_eq!(imported.n_kept, 1);
    assert!(other.ledger().memo(&memo).is_some());
}

#[test]
fn edits_of_two_machines_are_a_conflict_after_the_merge() {
    let mut world = World::new();
    let here = world.commit("a", "0");
    let memo = world.add("v1");
    let mut other = empty(&world, "other.db");
    other
        .import(
            &world.memory.ledger().export(),
            LAST_MOMENT_MS,
            Endings::TakeIn,
        )
        .expect("it is imported");
    world.edit(&memo, "mine");
    let mine = world.memory.ledger().export();
    std::mem::swap(&mut world.memory, &mut other);
    world.edit(&memo, "yours");
    world
        .memory
        .import(&mine, LAST_MOMENT_MS, Endings::TakeIn)
        .expect("it is imported");
    let commit_history = world.commit_history();
    let conflicts = world
        .snapshot(&commit_history, Some(here), i64::MAX)
        .conflicts(&opposites(&world));
    assert_eq!(conflicts.len(), 1);
    assert_eq!(
        (conflicts[0].kind, conflicts[0].versions.len()),
        (ConflictKind::Writers, 2)
    );
}

#[test]
fn two_writers_with_the_same_version_in_view_are_a_conflict() {
    let mut world = World::new();
    let here = world.commit("a", "0");
    let memo = world.add("v1");
    let base = vec![world.resolved(&memo, here).expect("it holds").version];
    for content in ["one", "two"] {
        world
            .write(|writer, _| writer.edit(&memo, &base, text(content)))
            .expect("both are recorded");
    }
    let resolved = world.resolved(&memo, here).expect("it holds");
    assert_eq!(world.text(resolved.version), "two");
    assert_eq!(
        resolved.contested.len(),
        1,
        "the first is listed, not dropped"
    );
}

#[test]
fn opposite_claims_are_candidates_until_someone_says_that_they_agree() {
    let mut world = World::new();
    let always = world.add("Always retry failed uploads in the client");
    let never = world.add("Never retry failed uploads in the client");
    world.add("Uploads are logged by the server");
    world.add("The client is written in Rust");
    let count = |world: &World| {
        let commit_history = world.commit_history();
        let found = world
            .snapshot(&commit_history, None, i64::MAX)
            .conflicts(&opposites(world));
        found.into_iter().map(|one| one.reason).collect::<Vec<_>>()
    };
    let found = count(&world);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("one says \"always\""), "{found:?}");
    world.mark(&never, Field::Agrees(always));
    assert!(count(&world).is_empty());
}

#[test]
fn a_changed_line_is_refused_and_nothing_of_the_import_stays() {
    let (world, _) = busy_world();
    let text = world
        .memory
        .ledger()
        .export()
        .replace("use spaces", "use nothing");
    let mut other = empty(&world, "other.db");
    let error = other
        .import(&text, LAST_MOMENT_MS, Endings::TakeIn)
        .expect_err("it was changed");
    assert!(matches!(error, MemoryError::BadLine { .. }), "{error}");
    assert_eq!(other.ledger().n_facts(), 0);
    assert!(
        other
            .import("{\"fact\":\"nonsense\"}", LAST_MOMENT_MS, Endings::TakeIn)
            .is_err()
    );
}

#[test]
fn another_process_sees_what_was_recorded() {
    let mut world = World::new();
    let mut other = empty(&world, "memos.db");
    world.add("from the first");
    other.refresh().expect("it is read");
    assert!(other.ledger().export().contains("from the first"));
    let memo = crate::fixture::memo_of(
        &other
            .write(0, |ledger, recorded_at| {
                let writer = whyrank_memory::FactWriter {
                    clock: Some(0),
                    ..timed_scribe(ledger, recorded_at)
                };
                writer.add(draft("from the second"))
            })
            .expect("it is recorded"),
    );
    world.purge(&memo);
    other.refresh().expect("it is read");
    assert!(!other.ledger().export().contains("from the second"));
}
