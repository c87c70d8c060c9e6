//! The lane of token vectors is killed, again and again, and goes on.

use serde_json::{Value, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant, SystemTime};
use std::{fs, thread};
use whyrank_tests::{Home, TestRepo, skip};

const N_FILES: usize = 150;
/// Kills that hit the lane between two of its batches.
const CAUGHT: u32 = 3;
const MAX_KILLS: usize = 12;
const TRIES: usize = 8;
const QUESTIONS: [&str; 3] = [
    "settle an invoice of the ledger",
    "which function reads the account",
    "module_0042",
];

#[test]
fn a_killed_lane_of_token_vectors_goes_on_and_answers_as_if_nothing_had_been() {
    let name = "a_killed_lane_of_token_vectors_goes_on_and_answers_as_if_nothing_had_been";
    let (Some(home), Some(other)) = (Home::with_model(), Home::with_model()) else {
        return skip(name, "no embedding model on this machine");
    };
    let repo = TestRepo::large(N_FILES);
    let (mut share, mut n_caught) = (0.0, 0);
    for _ in 0..MAX_KILLS {
        if n_caught == CAUGHT || !kill_in_the_lane(&home, &repo) {
            break;
        }
        let now = token_share(&home, &repo);
        assert!(share <= now, "{share} before, {now} after a kill");
        n_caught += u32::from(share < now && now < 1.0);
        share = now;
        assert_eq!(failed_checks(&home, &repo), Vec::<Value>::new());
        assert!(!home.paths_of(repo.arg(), "module_0042").is_empty());
    }
    assert!(n_caught >= 2, "killed in the lane {n_caught} times");
    home.run(&["index", repo.arg()]).succeeds();
    assert_eq!(token_share(&home, &repo), 1.0);
    assert_eq!(failed_checks(&home, &repo), Vec::<Value>::new());

    other.run(&["index", repo.arg()]).succeeds();
    assert_eq!(coded(&home), coded(&other), "the same codes");
    for question in QUESTIONS {
        let (mut one, mut another) = (Value::Null, json!(0));
        // On a busy machine an answer may be cut by its time; it is asked again then.
        for _ in 0..TRIES {
            one = hits(&home, &repo, question);
            another = hits(&other, &repo, question);
            if one == another {
                break;
            }
        }
        assert_eq!(one, another, "{question}");
    }
}

/// Starts a run and kills it while it keeps token vectors, at its third act of writing; false when
/// it ended before.
fn kill_in_the_lane(home: &Home, repo: &TestRepo) -> bool {
    let mut command = home.command(&["index", repo.arg()]);
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("whyrank starts");
    let deadline = Instant::now() + Duration::from_secs(120);
    let (mut last, mut was_writing, mut n_acts) = (token_files(home), false, 0);
    while n_acts < 3 {
        assert!(Instant::now() < deadline, "after {n_acts} acts of writing");
        if child.try_wait().expect("a child can be asked").is_some() {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
        let now = token_files(home);
        n_acts += u32::from(now != last && !was_writing);
        (was_writing, last) = (now != last, now);
    }
    // SIGKILL where there are signals.
    child.kill().expect("a child can be killed");
    child.wait().expect("it ended");
    true
}

/// Size and age of the tables of token vectors and of their logs.
fn token_files(home: &Home) -> Vec<(u64, Option<SystemTime>)> {
    let folders = token_folders(home).flat_map(|folder| below(&folder));
    let files = folders.filter_map(|file| fs::metadata(file).ok());
    files
        .filter(fs::Metadata::is_file)
        .map(|file| (file.len(), file.modified().ok()))
        .collect()
}

fn token_folders(home: &Home) -> impl Iterator<Item = PathBuf> {
    let generations = home.stores().into_iter().flat_map(|store| below(&store));
    let parts = generations.flat_map(|generation| below(&generation));
    parts.filter(|path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with("tokens-")
    })
}

/// The coded vectors: the name of each file, its size and a hash of its bytes.
fn coded(home: &Home) -> Vec<(String, usize, u64)> {
    let shards = token_folders(home).flat_map(|folder| below(&folder));
    let mut files: Vec<PathBuf> = shards.flat_map(|shard| below(&shard)).collect();
    files.sort();
    let digest = |file: &PathBuf| {
        let bytes = fs::read(file).expect("a file of a shard");
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        (name.into_owned(), bytes.len(), hasher.finish())
    };
    files.iter().map(digest).collect()
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn token_share(home: &Home, repo: &TestRepo) -> f64 {
    let status = home.run(&["status", "--repo", repo.arg(), "--json"]).json();
    let share = &status["health"]["summary"]["coverage"]["tokens"];
    share.as_f64().expect("a share of chunks")
}

fn failed_checks(home: &Home, repo: &TestRepo) -> Vec<Value> {
    let checks = home.run(&["doctor", "--repo", repo.arg(), "--json"]).json();
    let checks = checks.as_array().expect("a list of checks").iter();
    let failed = checks.filter(|check| check["state"] == "fail");
    failed.cloned().collect()
}

/// What is found, with all its scores.
fn hits(home: &Home, repo: &TestRepo, question: &str) -> Value {
    let answer = home.json(&["search", question, "--repo", repo.arg(), "--json"]);
    let trace = home.json(&["explain", "--last", "--json"]);
    json!([answer["hits"], trace["rows"]])
}
