//! What recall puts first, and why.

use crate::fixture::{World, draft, tokenize};
use whyrank_memory::{Anchor, Draft, Field, Kind, Query, RecallChannel, Recalled, WordIndex};

fn recall(world: &World, query: Query) -> Vec<Recalled> {
    let commit_history = world.commit_history();
    let mut words = WordIndex::new(tokenize);
    words.extend(world.memory.ledger());
    world
        .snapshot(&commit_history, None, i64::MAX)
        .recall(&words, &query)
}

fn ask(text: &str) -> Query {
    Query {
        text: text.to_owned(),
        ..Query::default()
    }
}

fn add(world: &mut World, draft: Draft) -> String {
    let facts = world
        .write(|writer, _| writer.add(draft))
        .expect("it is recorded");
    crate::fixture::memo_of(&facts)
}

fn anchored(content: &str, path: &str, symbol: &str) -> Draft {
    let anchor = Anchor {
        path: path.to_owned(),
        symbol: Some(symbol.to_owned()),
        ..Anchor::default()
    };
    Draft {
        anchors: vec![anchor],
        ..draft(content)
    }
}

#[test]
fn terms_sum_to_the_score() {
    let mut world = World::new();
    add(
        &mut world,
        anchored("backoff doubles", "src/retry.rs", "Retry.next"),
    );
    add(
        &mut world,
        Draft {
            confidence: 0.5,
            ..draft("backoff is capped")
        },
    );
    for found in recall(&world, ask("backoff in Retry.next")) {
        let sum: f64 = found.terms.iter().map(|term| term.contribution).sum();
        assert!((sum - found.score).abs() < 1e-12);
        assert!(found.terms.iter().all(|term| !term.reason.is_empty()));
    }
}

#[test]
fn a_memo_that_is_anchored_to_what_is_asked_comes_first() {
    let mut world = World::new();
    let wanted = add(
        &mut world,
        anchored("the wait doubles", "src/retry.rs", "Retry.next"),
    );
    add(&mut world, draft("next year we use another retry library"));
    let found = recall(&world, ask("Retry.next"));
    let first = world
        .memory
        .ledger()
        .version(found[0].resolved.version)
        .expect("a version");
    assert_eq!(first.memo, wanted);
    assert!(
        found[0]
            .terms
            .iter()
            .any(|term| term.channel == RecallChannel::Anchor)
    );
}

#[test]
fn pins_break_ties_and_kinds_and_tags_narrow() {
    let mut world = World::new();
    let first = world.add("deploy on Fridays one");
    world.add("deploy on Fridays two");
    world.mark(&first, Field::Pinned(true));
    let found = recall(&world, ask("deploy fridays"));
    assert_eq!(
        world.text(found[0].resolved.version),
        "deploy on Fridays one"
    );
    let todo = Query {
        kinds: vec![Kind::Todo],
        ..ask("deploy")
    };
    assert!(recall(&world, todo).is_empty());
    add(
        &mut world,
        Draft {
            tags: vec!["#Ops ".to_owned()],
            ..draft("deploy by hand")
        },
    );
    let tagged = Query {
        tags: vec!["ops".to_owned()],
        ..ask("deploy")
    };
    assert_eq!(recall(&world, tagged).len(), 1);
}

#[test]
fn nearness_brings_memos_that_no_word_finds() {
    let mut world = World::new();
    add(&mut world, anchored("the wait doubles", "src/net", "x"));
    let near = Query {
        near: [("src/net/retry.rs".to_owned(), 1.0)].into(),
        ..ask("backoff")
    };
    assert_eq!(recall(&world, near).len(), 1);
    assert!(recall(&world, ask("backoff")).is_empty());
}

#[test]
fn without_a_question_the_pinned_and_the_newest_come_first() {
    let mut world = World::new();
    let old = world.add("old");
    world.add("middle");
    world.add("new");
    world.mark(&old, Field::Pinned(true));
    let texts: Vec<String> = recall(&world, ask(""))
        .iter()
        .map(|one| world.text(one.resolved.version))
        .collect();
    assert_eq!(texts, ["old", "new", "middle"]);
}
