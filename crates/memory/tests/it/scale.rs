//! Ten thousand memos over five thousand commits.

use crate::fixture::{World, draft, tokenize};
use std::time::{Duration, Instant};
use whyrank_memory::{AsOf, Author, Ground, History, Lens, Memory, Point, Query, Scribe, Words};
use whyrank_source::{CommitId, CommitNode, Lineage};

const N_COMMITS: u64 = 5_000;
const N_MEMOS: usize = 10_000;

fn commit(n: u64) -> CommitId {
    let mut id = [0; 20];
    id[..8].copy_from_slice(&n.to_be_bytes());
    CommitId(id)
}

/// Main, with a branch of ten commits merged every fifty.
fn lineage() -> Lineage {
    let node = |n: u64| {
        let parents = match n {
            0 => vec![],
            n if n % 50 == 40 => vec![commit(n - 10)],
            n if n % 50 == 0 => vec![commit(n - 11), commit(n - 1)],
            n => vec![commit(n - 1)],
        };
        CommitNode {
            id: commit(n),
            parents,
            time_s: n as i64 * 600,
            summary: format!("commit {n}"),
            twin: n,
            kin: n,
            patch: None,
            picked_from: None,
            reverts: None,
        }
    };
    Lineage {
        nodes: (0..N_COMMITS).map(|n| (commit(n), node(n))).collect(),
        tips: vec![commit(N_COMMITS - 1)],
        is_shallow: false,
    }
}

fn fill(memory: &mut Memory) {
    let subjects = [
        "retry", "cache", "router", "session", "parser", "index", "socket", "token", "queue",
        "lock",
    ];
    let verbs = [
        "waits",
        "fails",
        "is shared",
        "is flushed",
        "is built",
        "is dropped",
        "counts",
        "grows",
    ];
    memory
        .write(1, |ledger, _| {
            let mut facts = Vec::new();
            for n in 0..N_MEMOS {
                let at = (n as u64 * 7_919) % N_COMMITS;
                let recorded_at = at as i64 * 600_000 + n as i64;
                let scribe = Scribe {
                    ledger,
                    recorded_at,
                    clock: None,
                    at: Point {
                        sha: Some(commit(at).to_string()),
                        at: recorded_at,
                    },
                    commit: None,
                    author: Author::default(),
                };
                let content = format!(
                    "The {} of module{} {} before the {} {}, see ticket {n}: {}",
                    subjects[n % 10],
                    n % 97,
                    verbs[n % 8],
                    subjects[n / 10 % 10],
                    verbs[n / 8 % 8],
                    "some more words on how it came about ".repeat(n % 5)
                );
                facts.extend(scribe.add(draft(&content))?);
            }
            Ok(facts)
        })
        .expect("they are recorded");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

#[test]
fn as_of_and_recall_stay_within_ten_milliseconds() {
    let mut world = World::new();
    fill(&mut world.memory);
    let ledger = world.memory.ledger();
    let ground = Ground::new(History::new(&lineage()), ledger);
    let mut words = Words::new(tokenize);
    words.extend(ledger);
    let lens = |n: u64| {
        let as_of = AsOf {
            commit: Some(commit(n)),
            time_ms: i64::MAX,
            known_at: i64::MAX,
        };
        Lens::new(ledger, Some(&ground), as_of).expect("the commit is there")
    };
    assert_eq!(lens(N_COMMITS - 1).sightings().len(), N_MEMOS);
    let as_of: Vec<Duration> = (0..200)
        .map(|n| {
            // The first look at a commit, not a later one.
            let started = Instant::now();
            let n_seen = lens(n * 24).sightings().len();
            assert!(n_seen <= N_MEMOS);
            started.elapsed()
        })
        .collect();
    let questions = [
        "retry waits before the cache",
        "module13",
        "ticket 4711",
        "who drops the session lock",
    ];
    let recall: Vec<Duration> = (0..100)
        .map(|n| {
            let started = Instant::now();
            let query = Query {
                text: questions[n % 4].to_owned(),
                ..Query::default()
            };
            let found = lens(N_COMMITS - 1).recall(&words, &query);
            assert!(!found.is_empty());
            started.elapsed()
        })
        .collect();
    let worst = as_of.iter().max().copied().unwrap_or_default();
    let (as_of, recall) = (median(as_of), median(recall));
    println!("as of: median {as_of:?}, worst {worst:?}; recall: median {recall:?}");
    assert!(
        as_of <= Duration::from_millis(10),
        "as of a commit: {as_of:?}"
    );
    assert!(recall <= Duration::from_millis(10), "recall: {recall:?}");
}
