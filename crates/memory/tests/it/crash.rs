//! A writer that is killed at any moment: nothing acknowledged is lost, nothing is half written.

use crate::fixture::{draft, text};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use whyrank_memory::{AsOf, Fact, Memory, Snapshot};

const VARIABLE: &str = "WHYRANK_TEST_MEMORY_WRITER";

/// No test of its own: the program that gets killed.
#[test]
fn writer() {
    let Some(path) = std::env::var_os(VARIABLE) else {
        return;
    };
    let mut memory = Memory::open(Path::new(&path)).expect("a memory");
    let mut out = std::io::stdout();
    let mut memo: Option<String> = None;
    for n in 0.. {
        let facts = memory.write(1, |ledger, recorded_at| {
            let writer = crate::fixture::timed_scribe(ledger, recorded_at);
            let Some(memo) = memo.as_deref().filter(|_| n % 3 > 0) else {
                return writer.add(draft(&format!("memo {n} {}", "text ".repeat(n % 900))));
            };
            let as_of = AsOf {
                commit: None,
                time_ms: recorded_at,
                known_at: i64::MAX,
            };
            let snapshot = Snapshot::new(ledger, None, as_of).expect("no commit is asked for");
            writer.edit(memo, &snapshot.seen(memo)?, text(&format!("edit {n}")))
        });
        let facts = facts.expect("it is recorded");
        memo = Some(crate::fixture::memo_of(&facts));
        let ids: Vec<String> = facts.iter().map(Fact::id).collect();
        writeln!(out, "ack {}", ids.join(" ")).expect("someone listens");
        out.flush().expect("someone listens");
    }
}

/// Runs the writer, kills it after a while, and reads what it had acknowledged.
fn killed_after(path: &Path, wait: Duration) -> Vec<Vec<String>> {
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args([
            "--exact",
            "crash::writer",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(VARIABLE, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let stdout = child.stdout.take().expect("a pipe");
    let reader = std::thread::spawn(move || {
        let lines = BufReader::new(stdout).lines().map_while(Result::ok);
        // A line that was cut was not acknowledged: its sender had not finished saying so.
        lines
            .filter_map(|line| line.split_once("ack ").map(|(_, ids)| ids.to_owned()))
            .map(|ids| ids.split(' ').map(str::to_owned).collect())
            .collect::<Vec<Vec<String>>>()
    });
    std::thread::sleep(wait);
    child.kill().expect("SIGKILL");
    child.wait().expect("it ends");
    let mut acknowledged = reader.join().expect("it reads");
    for ids in &mut acknowledged {
        ids.retain(|id| id.len() == 13);
    }
    acknowledged
}

fn runs(n_runs: u64) {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("memos.db");
    let mut n_acknowledged = 0;
    for run in 0..n_runs {
        // Spread over starting, opening, and writing; no clock or chance is asked.
        let acknowledged = killed_after(&path, Duration::from_micros(2_000 + run * 7_919 % 60_000));
        let mut memory = Memory::open(&path).expect("it opens");
        memory.check().expect("it is sound");
        assert!(memory.damaged().is_empty());
        for id in acknowledged.iter().flatten() {
            assert!(
                memory.ledger().knows(id),
                "run {run}: {id} was acknowledged and is lost"
            );
        }
        n_acknowledged += acknowledged.len();
        for fact in memory.ledger().facts() {
            let Fact::Version(version) = fact else {
                continue;
            };
            for parent in &version.parents {
                let parent = memory
                    .ledger()
                    .find_version(parent)
                    .expect("the parent is there");
                let mut closings = memory.ledger().closings(parent);
                let is_closed =
                    closings.any(|closing| closing.superseded_by.as_ref() == Some(&version.id));
                assert!(is_closed, "run {run}: an edit was written by half");
            }
        }
    }
    assert!(
        n_acknowledged as u64 > n_runs,
        "only {n_acknowledged} writes were acknowledged"
    );
}

#[test]
fn killed_at_any_moment_nothing_acknowledged_is_lost() {
    runs(60);
}

#[test]
fn many_open_a_new_memory_at_once() {
    for _ in 0..10 {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memos.db");
        let begin = std::sync::Barrier::new(8);
        std::thread::scope(|scope| {
            let open = || {
                begin.wait();
                Memory::open(&path).map(|memory| memory.is_writable())
            };
            let opened: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            for one in opened {
                let outcome = one.join().expect("no panic");
                assert!(outcome.expect("it is opened"), "read-only");
            }
        });
    }
}
