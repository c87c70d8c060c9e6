//! What an index costs as trees grow: made-up repositories of several sizes, each indexed and asked by
//! new processes, whose processor time and peak memory are measured from outside.

use crate::bench::Bench;
use crate::error::{BenchError, Result};
use crate::process::{self, Usage};
use crate::watch::Watch;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tree::Tree;
use whyrank_engine::api::{IndexOptions, LookupRequest, RefsRequest, RepoId, SearchRequest};
use whyrank_engine::{Engine, EnginePaths};

mod tree;

/// An index of a very large tree may take this long.
const LIMIT: Duration = Duration::from_secs(24 * 3600);
const QUESTIONS: [&str; 4] = [
    "flush the queue before the session is closed",
    "where is the order record merged",
    "parse header",
    "cache",
];

/// Which trees, and how often each question is asked.
#[derive(Clone, Debug)]
pub struct ScaleRequest {
    /// The program that is measured.
    pub program: PathBuf,
    /// Where trees and indexes are made, and kept.
    pub folder: PathBuf,
    /// Files of each tree.
    pub n_files: Vec<u32>,
    /// Commits of each.
    pub n_commits: u32,
    /// Which trees.
    pub seed: u64,
    /// Questions of each kind to a process that runs.
    pub n_looks: u32,
}

/// What a process cost.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct ProcessCost {
    /// Seconds of processor time; none where they cannot be told.
    pub cpu_s: Option<f64>,
    /// Peak resident memory in MB; none where it cannot be told.
    pub peak_mb: Option<f64>,
    /// Seconds by the clock.
    pub wall_s: f64,
}

/// What a tree cost.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScalePoint {
    /// Files of the tree.
    pub n_files: u32,
    /// Commits of its history.
    pub n_commits: u32,
    /// Definitions.
    pub n_symbols: u32,
    /// MB of the index.
    pub disk_mb: f64,
    /// Text, names and symbol graph from nothing.
    pub index: ProcessCost,
    /// The first answer of a new process.
    pub search: ProcessCost,
    /// The same.
    pub lookup: ProcessCost,
    /// The same.
    pub refs: ProcessCost,
    /// 95th percentile in milliseconds, in a process that runs, without the look at the files.
    pub search_p95_ms: f64,
    /// The same.
    pub lookup_p95_ms: f64,
    /// The same.
    pub refs_p95_ms: f64,
    /// Seconds from a saved file until its definition and its use are found.
    pub edit_s: f64,
}

impl ScalePoint {
    /// Returns the largest peak of its processes.
    pub fn peak_mb(&self) -> Option<f64> {
        let all = [self.index, self.search, self.lookup, self.refs];
        let peaks = all.into_iter().filter_map(|cost| cost.peak_mb);
        peaks.max_by(f64::total_cmp)
    }
}

impl Bench {
    /// Makes `folder/<files>/repo`, unless it is there, indexes it from nothing with a home beside it,
    /// and measures. Both are kept.
    ///
    /// # Errors
    /// `Io` where git or a folder fails; a program that fails; the engine's.
    pub fn scale(&self, request: &ScaleRequest, watch: &Watch) -> Result<Vec<ScalePoint>> {
        let sizes = request.n_files.iter();
        let points = sizes.map(|n_files| point(request, *n_files, watch));
        points.collect()
    }
}

fn point(request: &ScaleRequest, n_files: u32, watch: &Watch) -> Result<ScalePoint> {
    let tree = Tree {
        seed: request.seed,
        n_files,
    };
    let folder = request.folder.join(n_files.to_string());
    let probe = Probe {
        tree,
        root: folder.join("repo"),
        home: folder.join("home"),
        request,
        watch,
    };
    if !probe.root.exists() {
        watch.phase(format!(
            "making {n_files} files, {} commits",
            request.n_commits
        ));
        probe.make()?;
    }
    if probe.home.exists() {
        fs::remove_dir_all(&probe.home).map_err(|error| BenchError::io(&probe.home, error))?;
    }
    let name = tree.function(probe.middle(), 0);
    let index = probe.cost(&["index", ".", "--no-vectors"])?;
    let search = probe.cost(&["search", QUESTIONS[0]])?;
    let lookup = probe.cost(&["lookup", &name])?;
    let refs = probe.cost(&["refs", &name])?;

    let engine = Engine::open(EnginePaths::below(&probe.home))?;
    let summary = engine.find_repo(&probe.root.to_string_lossy())?;
    let repo = &summary.id;
    let (search_p95_ms, lookup_p95_ms, refs_p95_ms) = probe.answers(&engine, repo)?;
    Ok(ScalePoint {
        n_files: summary.files,
        n_commits: request.n_commits,
        n_symbols: summary.symbols,
        disk_mb: summary.index_bytes / 1e6,
        index,
        search,
        lookup,
        refs,
        search_p95_ms,
        lookup_p95_ms,
        refs_p95_ms,
        edit_s: probe.edit(&engine, repo)?,
    })
}

struct Probe<'a> {
    tree: Tree,
    root: PathBuf,
    home: PathBuf,
    request: &'a ScaleRequest,
    watch: &'a Watch,
}

impl Probe<'_> {
    /// A file of Python.
    fn middle(&self) -> u32 {
        self.tree.n_files / 8 * 4
    }

    /// Makes the repository beside its place: one that was cut off is no repository.
    fn make(&self) -> Result<()> {
        let making = self.root.with_extension("making");
        let io = |error| BenchError::io(&making, error);
        if making.exists() {
            fs::remove_dir_all(&making).map_err(io)?;
        }
        fs::create_dir_all(&making).map_err(io)?;
        let git = |args: &[&str]| {
            let mut git = Command::new("git");
            let done = process::must(git.args(args), &making, LIMIT, self.watch);
            done.map(drop).map_err(|why| self.failed(why))
        };
        git(&["init", "-q", "-b", "main"])?;
        let mut import = Command::new("git")
            .args(["fast-import", "--quiet"])
            .current_dir(&making)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .map_err(io)?;
        if let Some(stdin) = import.stdin.take() {
            let mut out = BufWriter::new(stdin);
            let written = self.tree.write_history(self.request.n_commits, &mut out);
            written.and_then(|()| out.flush()).map_err(io)?;
        }
        if !import.wait().map_err(io)?.success() {
            return Err(BenchError::request(
                "git fast-import failed",
                "give a folder that is empty or does not exist",
            ));
        }
        git(&["reset", "-q", "--hard", "main"])?;
        fs::rename(&making, &self.root).map_err(io)
    }

    fn failed(&self, why: String) -> BenchError {
        if self.watch.is_cancelled() {
            return BenchError::Cancelled;
        }
        BenchError::request(why, "run it by hand in the folder that was made")
    }

    /// Runs the program as a new process.
    fn cost(&self, args: &[&str]) -> Result<ProcessCost> {
        self.watch
            .phase(format!("{} files: {}", self.tree.n_files, args[0]));
        let mut command = Command::new(&self.request.program);
        command
            .args(args)
            .current_dir(&self.root)
            .env("WHYRANK_HOME", &self.home);
        let measured = process::measured(&mut command, LIMIT, self.watch);
        let Usage {
            cpu_ms,
            peak_kb,
            wall,
        } = measured.map_err(|why| self.failed(why))?;
        Ok(ProcessCost {
            cpu_s: cpu_ms.map(|ms| ms / 1e3),
            peak_mb: peak_kb.map(|kb| kb as f64 * 1024.0 / 1e6),
            wall_s: wall.as_secs_f64(),
        })
    }

    /// 95th percentiles of search, lookup and refs in this process, which has answered before.
    fn answers(&self, engine: &Engine, repo: &RepoId) -> Result<(f64, f64, f64)> {
        let name = |n: u32| self.tree.function(n * 7919 % self.tree.n_files, n % 3);
        let search = self.p95(|n| {
            engine.search(&SearchRequest {
                repo: repo.clone(),
                query: QUESTIONS[n as usize % QUESTIONS.len()].to_owned(),
                ..SearchRequest::default()
            })?;
            Ok(())
        })?;
        let lookup = self.p95(|n| {
            engine.lookup(&LookupRequest {
                repo: repo.clone(),
                symbol: name(n),
                ..LookupRequest::default()
            })?;
            Ok(())
        })?;
        let refs = self.p95(|n| {
            engine.refs(&RefsRequest {
                repo: repo.clone(),
                symbol: name(n),
                ..RefsRequest::default()
            })?;
            Ok(())
        })?;
        Ok((search, lookup, refs))
    }

    fn p95(&self, act: impl Fn(u32) -> Result<()>) -> Result<f64> {
        act(0)?;
        let mut walls = Vec::new();
        for n in 0..self.request.n_looks.max(1) {
            if self.watch.is_cancelled() {
                return Err(BenchError::Cancelled);
            }
            let started = Instant::now();
            act(n)?;
            walls.push(started.elapsed().as_secs_f64() * 1e3);
        }
        walls.sort_by(f64::total_cmp);
        Ok(walls[((walls.len() - 1) as f64 * 0.95).round() as usize])
    }

    /// Saves a file with a function of its own that calls another, waits until both are found, and
    /// puts the file back.
    fn edit(&self, engine: &Engine, repo: &RepoId) -> Result<f64> {
        let file = self.middle();
        let path = self.tree.path(file);
        let place = self.root.join(&path);
        let before = fs::read(&place).map_err(|error| BenchError::io(&place, error))?;
        let callee = self.tree.function(file, 0);
        let added = format!("\n\ndef added_by_bench(value):\n    return {callee}(value)\n");
        let edited = [&before[..], added.as_bytes()].concat();
        self.watch
            .phase(format!("{} files: an edit", self.tree.n_files));
        let started = Instant::now();
        let found = self
            .save(&place, &edited)
            .and_then(|()| self.index(engine, repo))
            .and_then(|()| self.is_found(engine, repo, &path, &callee));
        let edit_s = started.elapsed().as_secs_f64();
        self.save(&place, &before)?;
        // Who keeps the folder asks an index of what lies there.
        self.index(engine, repo)?;
        if found? {
            return Ok(edit_s);
        }
        Err(BenchError::request(
            format!("{path}: what was saved was not found"),
            "look at `whyrank doctor`",
        ))
    }

    fn save(&self, place: &Path, bytes: &[u8]) -> Result<()> {
        fs::write(place, bytes).map_err(|error| BenchError::io(place, error))
    }

    fn index(&self, engine: &Engine, repo: &RepoId) -> Result<()> {
        let job = engine.start_index(
            repo,
            IndexOptions {
                skip_vectors: true,
                ..IndexOptions::default()
            },
        )?;
        engine.wait_job(&job)?;
        Ok(())
    }

    fn is_found(&self, engine: &Engine, repo: &RepoId, path: &str, callee: &str) -> Result<bool> {
        let lookup = engine.lookup(&LookupRequest {
            repo: repo.clone(),
            symbol: "added_by_bench".to_owned(),
            ..LookupRequest::default()
        })?;
        if lookup.definitions.is_empty() {
            return Ok(false);
        }
        let refs = engine.refs(&RefsRequest {
            repo: repo.clone(),
            symbol: callee.to_owned(),
            ..RefsRequest::default()
        })?;
        let line = lookup.definitions[0].start_line + 1;
        let mut hits = refs.references.iter();
        Ok(hits.any(|hit| hit.path == path && hit.line == line))
    }
}
