//! Ten thousand memos over five thousand commits.
//!
//! Times are processor time, so that a busy machine fails nothing, and the better of two passes over
//! commits: far more lie between two looks at one than are kept, so every look is the first.

use crate::fixture::{World, draft, tokenize};
use std::time::Duration;
use whyrank_memory::{
    AsOf, Author, CommitHistory, FactWriter, History, Ledger, Memory, Point, Query, Snapshot,
    WordIndex,
};
use whyrank_source::{CommitId, CommitNode};

const N_COMMITS: u64 = 5_000;
const N_MEMOS: usize = 10_000;
/// Processor time that only a walk over everything would take. What it really takes is a figure of
/// `whyrank-lab memory`, not of a test.
const LIMIT: Duration = Duration::from_millis(200);
const N_PASSES: usize = 2;
/// Commits that are looked at of a history.
const N_LOOKS: u64 = 1_000;

fn commit(n: u64) -> CommitId {
    let mut id = [0; 20];
    id[..8].copy_from_slice(&n.to_be_bytes());
    CommitId(id)
}

/// Main, with a branch of ten commits merged every fifty.
fn branching(n: u64) -> Vec<CommitId> {
    match n {
        0 => vec![],
        n if n % 50 == 40 => vec![commit(n - 10)],
        n if n % 50 == 0 => vec![commit(n - 11), commit(n - 1)],
        n => vec![commit(n - 1)],
    }
}

/// Four lines side by side, of which every other commit merges two.
fn full_of_merges(n: u64) -> Vec<CommitId> {
    match n {
        0 => vec![],
        1..4 => vec![commit(0)],
        n if n % 2 == 0 => vec![commit(n - 4), commit(n - 3)],
        n => vec![commit(n - 4)],
    }
}

fn nodes(parents: fn(u64) -> Vec<CommitId>) -> Vec<CommitNode> {
    let node = |n: u64| CommitNode {
        id: commit(n),
        parents: parents(n),
        time_s: n as i64 * 600,
        summary: format!("commit {n}"),
        twin: n,
        kin: n,
        picked_from: None,
        // Some commits undo others.
        reverts: (n % 97 == 60).then(|| commit(n - 20)),
    };
    (0..N_COMMITS).rev().map(node).collect()
}

fn tips() -> Vec<CommitId> {
    (1..=4).map(|back| commit(N_COMMITS - back)).collect()
}

fn history(parents: fn(u64) -> Vec<CommitId>) -> History {
    History::made_up(&nodes(parents), &tips())
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
                let content = format!(
                    "The {} of module{} {} before the {} {}, see ticket {n}: {}",
                    subjects[n % 10],
                    n % 97,
                    verbs[n % 8],
                    subjects[n / 10 % 10],
                    verbs[n / 8 % 8],
                    "some more words on how it came about ".repeat(n % 5)
                );
                facts.extend(writer(ledger, at, recorded_at).add(draft(&content))?);
            }
            Ok(facts)
        })
        .expect("they are recorded");
}

fn writer(ledger: &Ledger, at: u64, recorded_at: i64) -> FactWriter<'_> {
    FactWriter {
        ledger,
        recorded_at,
        clock: None,
        at: Point {
            sha: Some(commit(at).to_string()),
            at: recorded_at,
        },
        commit: None,
        author: Author::default(),
    }
}

/// Every third memo is edited once, and every seventh ends, later and elsewhere.
fn change(memory: &mut Memory) {
    memory
        .write(1, |ledger, _| {
            let mut facts = Vec::new();
            for (n, (id, known)) in ledger.memos().enumerate() {
                let at = (n as u64 * 104_729 + 17) % N_COMMITS;
                let writer = writer(ledger, at, N_COMMITS as i64 * 600_000 + n as i64);
                match n {
                    n if n % 7 == 0 => facts.extend(writer.end(&known.versions, None)),
                    n if n % 3 == 0 => {
                        let edit = crate::fixture::text(&format!("It was not so, see {n}"));
                        facts.extend(writer.edit(id, &known.versions, edit)?);
                    }
                    _ => {}
                }
            }
            Ok(facts)
        })
        .expect("they are recorded");
}

fn at(n: u64) -> AsOf {
    AsOf {
        commit: Some(commit(n)),
        time_ms: i64::MAX,
        known_at: i64::MAX,
    }
}

#[expect(clippy::print_stdout, reason = "the figures are what the test is for")]
fn report(what: &str, mut times: Vec<Duration>) -> Duration {
    times.sort();
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    println!(
        "{what}: median {median:?}, worst {worst:?} of {}",
        times.len()
    );
    worst
}

/// Time on a processor, where the system tells it.
#[cfg(unix)]
fn now() -> Duration {
    let clock = nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID;
    nix::time::clock_gettime(clock).map_or(Duration::ZERO, Duration::from)
}

#[cfg(not(unix))]
fn now() -> Duration {
    static STARTED: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    STARTED.elapsed()
}

/// What each of `n` acts takes at best.
fn best_of_passes(n: u64, act: impl Fn(u64)) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; n as usize];
    for _ in 0..N_PASSES {
        for (n, best) in best.iter_mut().enumerate() {
            let started = now();
            act(n as u64);
            *best = (now() - started).min(*best);
        }
    }
    best
}

/// First looks at commits everywhere, with far jumps between one and the next.
fn far_jumps(ledger: &Ledger, commit_history: &CommitHistory) -> Vec<Duration> {
    best_of_passes(N_LOOKS, |n| {
        let snapshot = Snapshot::new(ledger, Some(commit_history), at(n * 2_003 % N_COMMITS));
        let n_seen = snapshot
            .expect("the commit is there")
            .resolved_versions()
            .len();
        assert!(n_seen <= N_MEMOS);
    })
}

#[test]
fn as_of_any_commit_does_not_walk_the_whole_history() {
    let mut world = World::new();
    fill(&mut world.memory);
    let ledger = world.memory.ledger();
    let commit_history = CommitHistory::new(history(branching), ledger);
    let head = Snapshot::new(ledger, Some(&commit_history), at(N_COMMITS - 1))
        .expect("the commit is there");
    assert_eq!(head.resolved_versions().len(), N_MEMOS);
    change(&mut world.memory);
    let ledger = world.memory.ledger();
    for (what, parents) in [
        (
            "as of, a branch in fifty commits",
            branching as fn(u64) -> _,
        ),
        ("as of, every other commit a merge", full_of_merges),
    ] {
        let commit_history = CommitHistory::new(history(parents), ledger);
        let worst = report(what, far_jumps(ledger, &commit_history));
        assert!(worst <= LIMIT, "{what}: {worst:?}");
    }
}

#[test]
fn memos_of_rewritten_commits_cost_no_more() {
    let mut world = World::new();
    fill(&mut world.memory);
    let ledger = world.memory.ledger();
    // Every second commit has been rewritten: refs lead to copies of the same author and time.
    let (mut nodes, mut tips) = (nodes(branching), tips());
    let mut copies = Vec::new();
    for n in (1..N_COMMITS).step_by(2) {
        let mut copy = nodes[(N_COMMITS - 1 - n) as usize].clone();
        copy.id = commit(n + N_COMMITS);
        copy.parents = vec![commit(n - 1)];
        tips.push(copy.id);
        copies.push(copy);
    }
    // Read before those that they descend from are added.
    copies.append(&mut nodes);
    let nodes = copies;
    tips.retain(|tip| *tip != commit(N_COMMITS - 1));
    let commit_history = CommitHistory::new(History::made_up(&nodes, &tips), ledger);
    let worst = report("as of, rewritten", far_jumps(ledger, &commit_history));
    assert!(worst <= LIMIT, "{worst:?}");
}

#[test]
fn recall_does_not_read_all_memos_anew() {
    let mut world = World::new();
    fill(&mut world.memory);
    let ledger = world.memory.ledger();
    let commit_history = CommitHistory::new(history(branching), ledger);
    let mut words = WordIndex::new(tokenize);
    words.extend(ledger);
    let questions = [
        "retry waits before the cache",
        "module13",
        "ticket",
        "who drops the session lock",
    ];
    let recall = best_of_passes(100, |n| {
        let query = Query {
            text: questions[n as usize % 4].to_owned(),
            ..Query::default()
        };
        let snapshot = Snapshot::new(ledger, Some(&commit_history), at(N_COMMITS - 1 - n));
        let snapshot = snapshot.expect("the commit is there");
        assert!(!snapshot.recall(&words, &query).is_empty());
    });
    let worst = report("recall", recall);
    assert!(worst <= LIMIT, "{worst:?}");
}
