//! What memory costs an answer: nothing that nobody asked for, and all of it in the trace.

use crate::fixture::Fixture;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use whyrank_engine::api::{RepoId, SearchRequest, SearchResponse, StageTiming};
use whyrank_engine::{Engine, EnginePaths};

const N_COMMITS: usize = 10_000;
/// Commits with the same author, moment and message, half of them on a branch of their own.
const N_ALIKE: usize = 1_000;

/// A history on top of `main`; `false` where there is no git program to make it.
fn grow(root: &Path) -> bool {
    let mut stream = String::new();
    for n in 0..N_COMMITS {
        let (name, at) = if n < N_ALIKE {
            ("alike", 1_700_000_000)
        } else {
            ("change", 1_700_000_000 + n)
        };
        let branch = if n < N_ALIKE / 2 { "side" } else { "main" };
        let from = if n == 0 || n == N_ALIKE / 2 {
            "from refs/heads/main^0\n"
        } else {
            ""
        };
        let who = format!("Ada <ada@example.org> {at} +0000");
        let message = if n < N_ALIKE {
            name.to_owned()
        } else {
            format!("{name} {n}")
        };
        let text = format!("line {n}\n");
        let _ = write!(
            stream,
            "commit refs/heads/{branch}\nauthor {who}\ncommitter {who}\ndata {}\n{message}\n{from}\
             M 100644 inline notes/{}.txt\ndata {}\n{text}\n",
            message.len(),
            n % 10,
            text.len()
        );
    }
    let importer = Command::new("git")
        .args(["fast-import", "--quiet", "--force"])
        .current_dir(root)
        .stdin(Stdio::piped())
        .spawn();
    let Ok(mut importer) = importer else {
        return false;
    };
    let mut input = importer.stdin.take().expect("a pipe");
    input.write_all(stream.as_bytes()).expect("it is read");
    drop(input);
    assert!(importer.wait().expect("it ends").success());
    true
}

fn search(engine: &Engine, repo: &RepoId) -> (SearchResponse, Vec<StageTiming>) {
    let request = SearchRequest {
        repo: repo.to_owned(),
        query: "next delay of a retry".to_owned(),
        ..SearchRequest::default()
    };
    let response = engine.search(&request).expect("it answers");
    let trace = engine.explain(&response.query_id).expect("its trace");
    (response, trace.timings)
}

/// Commits that were read for memory, and diffs that were computed.
fn n_read(timings: &[StageTiming]) -> Option<u32> {
    let memory = timings.iter().find(|timing| timing.stage == "memory");
    memory.expect("the stage").n_in
}

#[test]
fn a_first_answer_reads_no_commit_that_a_memo_does_not_need() {
    let fixture = Fixture::new();
    if !grow(&fixture.root()) {
        return;
    }
    let repo = fixture.repo();
    fixture.index(&repo);
    let home = fixture.folder.path().join("home");
    let first_answer = || {
        let engine = Engine::open(EnginePaths::below(&home)).expect("a new process");
        n_read(&search(&engine, &repo).1)
    };
    assert_eq!(first_answer(), Some(0), "no memo, no history");
    let kept = || {
        let files = std::fs::read_dir(EnginePaths::below(&home).data_dir.join("memory"));
        let files = files.expect("a folder").flatten();
        files
            .filter(|file| file.file_name().to_string_lossy().ends_with(".commits"))
            .count()
    };
    assert_eq!(kept(), 0);
    let n_facts = fixture.make_memos(&repo, 1_000);
    assert!(n_facts > 1_000 && kept() == 1);
    assert_eq!(
        first_answer(),
        Some(0),
        "commits are kept, and lookalikes decide nothing"
    );
    fixture.commit("one more");
    assert_eq!(first_answer(), Some(1), "only what is new is read");
}

#[test]
fn the_stages_of_a_trace_account_for_the_whole_answer() {
    let fixture = Fixture::new();
    let repo = fixture.repo();
    fixture.index(&repo);
    fixture.remember(
        &repo,
        "The next delay of a retry has no jitter",
        &["src/retry.py"],
    );
    // The best of some: a busy machine may stop between two stages.
    let shares = (0..8).map(|_| {
        let (response, timings) = search(&fixture.engine, &repo);
        assert_eq!(response.memos.len(), 1);
        let known: f64 = timings.iter().map(|timing| timing.elapsed_ms).sum();
        known / response.elapsed_ms
    });
    let best = shares.fold(0.0, f64::max);
    assert!(
        (0.95..1.001).contains(&best),
        "{best} of an answer's time is known"
    );
}
