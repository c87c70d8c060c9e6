//! What an index costs as trees grow: made-up repositories of several sizes, each indexed and asked by
//! new processes, whose processor time and peak memory are measured from outside.

mod curves;
mod print;
mod program;
mod tree;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;
use whyrank_benchmark::{BenchError, Watch};
use whyrank_engine::api::{IndexOptions, LookupRequest, RefsRequest, RepoId, SearchRequest};
use whyrank_engine::{Engine, EnginePaths};

use self::program::{ProcessCost, measured};
use self::tree::Tree;
use crate::args::ScaleArgs;
use crate::git;
use crate::out;
use crate::progress::Follower;

type Result<T> = anyhow::Result<T>;

const QUESTIONS: [&str; 4] = [
    "flush the queue before the session is closed",
    "where is the order record merged",
    "parse header",
    "cache",
];

/// What a tree cost.
#[derive(Clone, Debug, Serialize)]
struct ScalePoint {
    /// Files of the tree.
    n_files: u32,
    /// Commits of its history.
    n_commits: u32,
    /// Definitions.
    n_symbols: u32,
    /// MB of the index.
    disk_mb: f64,
    /// Text, names and symbol graph from nothing.
    index: ProcessCost,
    /// The first answer of a new process.
    search: ProcessCost,
    /// The same.
    lookup: ProcessCost,
    /// The same.
    refs: ProcessCost,
    /// 95th percentile in milliseconds, in a process that runs, without the look at the files.
    search_p95_ms: f64,
    /// The same.
    lookup_p95_ms: f64,
    /// The same.
    refs_p95_ms: f64,
    /// Seconds from a saved file until its definition and its use are found.
    edit_s: f64,
}

impl ScalePoint {
    /// The largest peak of its processes.
    fn peak_mb(&self) -> Option<f64> {
        let all = [self.index, self.search, self.lookup, self.refs];
        let peaks = all.into_iter().filter_map(|cost| cost.peak_mb);
        peaks.max_by(f64::total_cmp)
    }
}

/// Measures each tree, draws the curves beside them, and prints what was measured.
pub(crate) fn run(args: &ScaleArgs, json: bool) -> Result<ExitCode> {
    let folder = std::path::absolute(&args.folder)?;
    let program = match &args.program {
        Some(program) => std::path::absolute(program)?,
        None => std::env::current_exe()?
            .with_file_name("whyrank")
            .with_extension(std::env::consts::EXE_EXTENSION),
    };
    let (follower, watch) = Follower::of_new_watch();
    let sizes = args.files.iter();
    let points: Result<Vec<ScalePoint>> = sizes
        .map(|n_files| point(args, (&program, &folder), *n_files, &watch))
        .collect();
    drop(follower);
    let points = points?;
    let report = folder.join("report.html");
    fs::write(&report, curves::page(args, &points))?;
    if json {
        out::json(&points)?;
    } else {
        print::points(&points)?;
        out::line(&format!("\n{}", report.display()))?;
    }
    print::keep_to_ceiling(&points, args.ceiling_mb)?;
    Ok(ExitCode::SUCCESS)
}

/// Makes `folder/<files>/repo`, unless it is there, indexes it from nothing with a home beside it, and
/// measures. Both are kept.
fn point(
    args: &ScaleArgs,
    (program, folder): (&Path, &Path),
    n_files: u32,
    watch: &Watch,
) -> Result<ScalePoint> {
    let tree = Tree {
        seed: args.seed,
        n_files,
    };
    let folder = folder.join(n_files.to_string());
    let probe = Probe {
        tree,
        root: folder.join("repo"),
        home: folder.join("home"),
        program,
        n_looks: args.looks,
        watch,
    };
    if !probe.root.exists() {
        watch.phase(format!("making {n_files} files, {} commits", args.commits));
        probe.make(args.commits)?;
    }
    if probe.home.exists() {
        fs::remove_dir_all(&probe.home)?;
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
        n_commits: args.commits,
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
    program: &'a Path,
    n_looks: u32,
    watch: &'a Watch,
}

impl Probe<'_> {
    /// A file of Python.
    fn middle(&self) -> u32 {
        self.tree.n_files / 8 * 4
    }

    /// Makes the repository beside its place: one that was cut off is no repository.
    fn make(&self, n_commits: u32) -> Result<()> {
        let making = self.root.with_extension("making");
        if making.exists() {
            fs::remove_dir_all(&making)?;
        }
        git::make(&making, |out| self.tree.write_history(n_commits, out))?;
        Ok(fs::rename(&making, &self.root)?)
    }

    /// Runs the program as a new process.
    fn cost(&self, args: &[&str]) -> Result<ProcessCost> {
        self.watch
            .phase(format!("{} files: {}", self.tree.n_files, args[0]));
        let mut command = std::process::Command::new(self.program);
        command
            .args(args)
            .current_dir(&self.root)
            .env("WHYRANK_HOME", &self.home);
        measured(&mut command, self.watch)
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
        for n in 0..self.n_looks.max(1) {
            if self.watch.is_cancelled() {
                return Err(BenchError::Cancelled.into());
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
        let before = fs::read(&place)?;
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
        anyhow::bail!("{path}: what was saved was not found; look at `whyrank doctor`")
    }

    fn save(&self, place: &Path, bytes: &[u8]) -> Result<()> {
        Ok(fs::write(place, bytes)?)
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
