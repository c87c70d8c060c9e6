//! Files of an index that somebody changes under an engine that has read them.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};
use whyrank_engine::api::{
    ImpactRequest, IndexOptions, JobState, LookupRequest, RefsRequest, RepoId, SearchRequest,
};
use whyrank_engine::{Engine, EngineError, EnginePaths, whole};

const FILES: [(&str, &str); 3] = [
    (
        "src/router.py",
        "class Router:\n    def add_route(self, path):\n        \"\"\"Adds a route.\"\"\"\n        return path\n",
    ),
    (
        "src/app.py",
        "from .router import Router\n\n\ndef main():\n    router = Router()\n    return router.add_route('/')\n",
    ),
    ("README.md", "# Shop\n\nRoutes lead to pages.\n"),
];

/// Ways to damage a file.
#[derive(Clone, Copy, Debug)]
enum How {
    Cut,
    Overwrite,
    Remove,
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (from, to) = (
            entry.as_ref().unwrap().path(),
            to.join(entry.unwrap().file_name()),
        );
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = path.to_string_lossy().into_owned();
        if path.is_dir() {
            files(&path, found);
        } else if !name.ends_with("-wal") && !name.ends_with("-shm") && !name.ends_with("lock") {
            found.push(path);
        }
    }
    found.sort();
}

/// Answers as the tools ask for them: the files are looked at first, and what is damaged is asked again once.
fn ask(engine: &Engine, repo: &RepoId) -> Result<String, EngineError> {
    let once = || {
        let state = engine.freshen(repo, 5_000, IndexOptions::default())?;
        let found = engine.search(&SearchRequest {
            repo: repo.clone(),
            query: "add a route".to_owned(),
            ..SearchRequest::default()
        })?;
        let hits: Vec<(String, u64)> = found
            .hits
            .iter()
            .map(|hit| (hit.path.clone(), hit.score.to_bits()))
            .collect();
        let symbol = "add_route".to_owned();
        let (repo, as_of) = (repo.clone(), None);
        let refs = engine.refs(&RefsRequest {
            repo: repo.clone(),
            symbol: symbol.clone(),
            as_of,
            ..RefsRequest::default()
        })?;
        let impact = engine.impact(&ImpactRequest {
            repo: repo.clone(),
            symbol: symbol.clone(),
            ..ImpactRequest::default()
        })?;
        let lookup = engine.lookup(&LookupRequest {
            repo,
            symbol,
            ..LookupRequest::default()
        })?;
        Ok::<_, EngineError>(format!(
            "{hits:?} {refs:?} {impact:?} {lookup:?} {}",
            state.note
        ))
    };
    match whole(once) {
        Err(error) if error.code == "index-damaged" => whole(once),
        outcome => outcome,
    }
}

fn spoil(path: &Path, how: How) {
    let bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    match how {
        How::Cut => {
            let file = fs::OpenOptions::new().write(true).open(path).unwrap();
            file.set_len(middle as u64).unwrap();
        }
        How::Overwrite => {
            let mut bytes = bytes;
            let end = bytes.len().min(middle + 4_096);
            bytes[middle..end].iter_mut().for_each(|byte| *byte ^= 0x55);
            fs::write(path, bytes).unwrap();
        }
        How::Remove => fs::remove_file(path).unwrap(),
    }
}

/// A file of some kinds in one way each; with `WHYRANK_DAMAGE=all` each file in each.
#[test]
fn what_is_damaged_under_its_reader_is_told_or_mended_and_never_another_answer() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("shop");
    git2::Repository::init(&root).unwrap();
    for (path, text) in FILES {
        fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
        fs::write(root.join(path), text).unwrap();
    }
    let good = folder.path().join("good");
    let open = |home: &Path| Engine::open(EnginePaths::below(home)).unwrap();
    let engine = open(&good);
    let repo = engine.add_repo(&root).unwrap().id;
    let job = engine.start_index(&repo, IndexOptions::default()).unwrap();
    assert_eq!(engine.wait_job(&job).unwrap().state, JobState::Done);
    drop(engine);
    let wanted = ask(&open(&good), &repo).unwrap();
    let mut all = Vec::new();
    files(&good.join("data").join("stores"), &mut all);
    assert!(all.len() > 10, "{all:?}");
    let is_all = std::env::var("WHYRANK_DAMAGE").is_ok_and(|which| which == "all");
    let ways = [How::Cut, How::Overwrite, How::Remove];
    let mut tried = Vec::new();
    let some = [
        ("relations", How::Cut),
        (".fieldnorm", How::Overwrite),
        (".term", How::Cut),
        ("bits-", How::Overwrite),
        ("head", How::Remove),
        ("catalog.db", How::Remove),
    ];
    for path in &all {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let of_kind = some.iter().filter(|(kind, _)| name.contains(kind));
        let chosen: Vec<How> = match is_all {
            true => ways.to_vec(),
            false => of_kind.map(|(_, how)| *how).collect(),
        };
        tried.extend(chosen.into_iter().map(|how| (path, how)));
    }
    assert!(tried.len() >= some.len(), "{all:?}");
    for (number, (path, how)) in tried.into_iter().enumerate() {
        let home = folder.path().join(format!("home{number}"));
        copy(&good, &home);
        let engine = open(&home);
        assert_eq!(ask(&engine, &repo).unwrap(), wanted);
        spoil(&home.join(path.strip_prefix(&good).unwrap()), how);
        let mut outcome = String::new();
        for _ in 0..100 {
            outcome = match ask(&engine, &repo) {
                Ok(answer) if answer == wanted => break,
                Ok(answer) => {
                    let is_said = answer.contains("made again") || answer.contains("damaged");
                    assert!(
                        is_said,
                        "{how:?} {}: {answer}\nfor {wanted}",
                        path.display()
                    );
                    answer
                }
                Err(error) => {
                    let is_damage = ["index-damaged", "index-missing"].contains(&error.code);
                    assert!(is_damage, "{how:?} {}: {error}", path.display());
                    // What was set aside is made again by who waits for it.
                    drop(engine.wait_searchable(&repo, 5_000));
                    error.to_string()
                }
            };
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let now = ask(&engine, &repo);
        assert!(
            now.is_ok_and(|now| now == wanted),
            "{how:?} {}: {outcome}",
            path.display()
        );
        fs::remove_dir_all(home).unwrap();
    }
}
