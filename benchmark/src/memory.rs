//! What memory costs: a made-up repository with thousands of commits and memos, and how long the
//! engine takes to answer from it.

use crate::bench::Bench;
use crate::error::{BenchError, Result};
use crate::process::{own_cpu_ms, thread_cpu_ms};
use crate::watch::Watch;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use whyrank_engine::api::{MemoId, MemoListRequest, MemoMoment, RecallRequest, RepoId};
use whyrank_engine::{Engine, EnginePaths};

/// Modules of the made-up repository.
const N_MODULES: u32 = 100;
/// A page of the window's list.
const PAGE: u32 = 200;
const QUESTIONS: [&str; 6] = [
    "retry flushed before the socket",
    "who owns the upload queue",
    "module13 cursor",
    "a customer lost an order",
    "ticket 4711",
    "why does the session never wait",
];

/// How large, and how often each question is asked.
#[derive(Clone, Copy, Debug)]
pub struct MemorySize {
    /// Memos.
    pub n_memos: u32,
    /// Commits.
    pub n_commits: u32,
    /// Questions of each sort.
    pub n_looks: u32,
}

/// How long one sort of question took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemoryCost {
    /// What was asked.
    pub what: String,
    /// How often.
    pub n: u32,
    /// Wall milliseconds: median.
    pub p50_ms: f64,
    /// 95th percentile.
    pub p95_ms: f64,
    /// The longest.
    pub worst_ms: f64,
    /// Median in milliseconds of processor time, which a busy machine does not stretch; none where it
    /// cannot be told.
    pub p50_cpu_ms: Option<f64>,
    /// The longest of that.
    pub worst_cpu_ms: Option<f64>,
}

/// What memory of a size costs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MemoryCosts {
    /// Memos that hold somewhere.
    pub n_memos: u32,
    /// Commits of HEAD's history.
    pub n_commits: u32,
    /// CPU milliseconds of the first question to a new process: it reads memory and history.
    pub first_cpu_ms: Option<f64>,
    /// The same by the clock.
    pub first_ms: f64,
    /// Sorts of questions.
    pub costs: Vec<MemoryCost>,
}

impl Bench {
    /// Makes `folder/repo` with a history and `folder/home` with memos, unless they are there, and
    /// asks memory. Both are kept: `WHYRANK_HOME=folder/home` opens them in every other program.
    ///
    /// # Errors
    /// `Io` where git or the folder fails; the engine's.
    pub fn memory_costs(
        &self,
        folder: &Path,
        size: MemorySize,
        watch: &Watch,
    ) -> Result<MemoryCosts> {
        let (root, home) = (folder.join("repo"), folder.join("home"));
        if !root.exists() {
            watch.phase(format!("making {} commits", size.n_commits));
            make_repository(&root, size.n_commits)?;
        }
        let engine = Engine::open(EnginePaths::below(&home))?;
        let repo = engine.add_repo(&root)?.id;
        let none = RecallRequest {
            repo: repo.clone(),
            ..RecallRequest::default()
        };
        if engine.recall(&none)?.n_found == 0 {
            watch.phase(format!("making {} memos", size.n_memos));
            engine.make_memos(&repo, size.n_memos)?;
        }
        drop(engine);
        // What is measured is read by a process that knows nothing yet.
        let engine = Engine::open(EnginePaths::below(&home))?;
        let (started, cpu) = (Instant::now(), own_cpu_ms());
        engine.recall(&none)?;
        let (first_ms, after) = (started.elapsed().as_secs_f64() * 1e3, own_cpu_ms());
        let first_cpu_ms = cpu.zip(after).map(|(before, after)| after - before);
        let commits = commits_of(&root)?;
        let probe = CostProbe {
            engine: &engine,
            repo: &repo,
            commits: &commits,
            size,
            watch,
        };
        let costs = probe.all()?;
        let list = engine.memos(&MemoListRequest {
            repo,
            state: "all".to_owned(),
            limit: 1,
            ..MemoListRequest::default()
        })?;
        Ok(MemoryCosts {
            n_memos: list.n_total,
            n_commits: commits.len() as u32,
            first_ms,
            first_cpu_ms,
            costs,
        })
    }
}

struct CostProbe<'a> {
    engine: &'a Engine,
    repo: &'a RepoId,
    commits: &'a [String],
    size: MemorySize,
    watch: &'a Watch,
}

impl CostProbe<'_> {
    fn all(&self) -> Result<Vec<MemoryCost>> {
        let page = self.page(None, 0)?;
        Ok(vec![
            self.measure("recall at HEAD", |n| self.recall(n, None))?,
            self.measure("recall as of a commit, far jumps", |n| {
                self.recall(n, Some(self.commit(n)))
            })?,
            self.measure("list, 200 memos at HEAD", |n| {
                self.page(None, n % 40 * PAGE).map(drop)
            })?,
            self.measure("list, 200 memos as of a commit", |n| {
                self.page(Some(self.commit(n)), 0).map(drop)
            })?,
            self.measure("timeline of 200 memos", |_| {
                let moment = MemoMoment::default();
                self.engine.memo_timeline(self.repo, &moment, &page)?;
                Ok(())
            })?,
            self.measure("one memo with its history", |n| {
                let memo = &page[n as usize % page.len()];
                self.engine.memo_history(self.repo, memo)?;
                Ok(())
            })?,
            self.measure("session primer", |_| {
                self.engine.wakeup(self.repo)?;
                Ok(())
            })?,
        ])
    }

    /// A commit far from the one before.
    fn commit(&self, n: u32) -> String {
        self.commits[n as usize * 2_003 % self.commits.len()].clone()
    }

    fn recall(&self, n: u32, as_of: Option<String>) -> Result<()> {
        let question = QUESTIONS[n as usize % QUESTIONS.len()];
        self.engine.recall(&RecallRequest {
            repo: self.repo.clone(),
            query: question.to_owned(),
            moment: MemoMoment {
                as_of,
                known_at: None,
            },
            ..RecallRequest::default()
        })?;
        Ok(())
    }

    fn page(&self, as_of: Option<String>, offset: u32) -> Result<Vec<MemoId>> {
        let list = self.engine.memos(&MemoListRequest {
            repo: self.repo.clone(),
            limit: PAGE,
            offset,
            with_drift: true,
            moment: MemoMoment {
                as_of,
                known_at: None,
            },
            ..MemoListRequest::default()
        })?;
        Ok(list.memos.into_iter().map(|memo| memo.id).collect())
    }

    fn measure(&self, what: &str, act: impl Fn(u32) -> Result<()>) -> Result<MemoryCost> {
        self.watch.phase(what.to_owned());
        let (mut walls, mut cpus) = (Vec::new(), Vec::new());
        for n in 0..self.size.n_looks.max(1) {
            if self.watch.is_cancelled() {
                return Err(BenchError::Cancelled);
            }
            let (started, cpu) = (Instant::now(), thread_cpu_ms());
            act(n)?;
            walls.push(started.elapsed().as_secs_f64() * 1e3);
            let cpu = cpu.zip(thread_cpu_ms());
            cpus.extend(cpu.map(|(before, after)| after - before));
        }
        walls.sort_by(f64::total_cmp);
        cpus.sort_by(f64::total_cmp);
        let at = |share: f64| walls[((walls.len() - 1) as f64 * share).round() as usize];
        Ok(MemoryCost {
            what: what.to_owned(),
            n: walls.len() as u32,
            p50_ms: at(0.5),
            p95_ms: at(0.95),
            worst_ms: at(1.0),
            p50_cpu_ms: cpus.get(cpus.len() / 2).copied(),
            worst_cpu_ms: cpus.last().copied(),
        })
    }
}

/// A repository whose history has a branch of ten commits in every fifty, merged; the last is not.
fn make_repository(root: &Path, n_commits: u32) -> Result<()> {
    fs::create_dir_all(root).map_err(|error| BenchError::io(root, error))?;
    git(root, &["init", "-q", "-b", "main"], "")?;
    git(root, &["fast-import", "--quiet"], &history(n_commits))?;
    git(root, &["reset", "-q", "--hard", "main"], "")?;
    Ok(())
}

/// The commits of HEAD's history, newest first.
fn commits_of(root: &Path) -> Result<Vec<String>> {
    let text = git(root, &["rev-list", "HEAD"], "")?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// The history as `git fast-import` reads it.
fn history(n_commits: u32) -> String {
    let mut text = String::new();
    for n in 0..n_commits.max(1) {
        let is_branch = n % 50 >= 40;
        let branch = if is_branch { "feature" } else { "main" };
        let message = format!("Change module{} for the {n}th time", n % N_MODULES);
        let who = format!("Ada <ada@example.org> {} +0000", 1_600_000_000 + n * 600);
        // Marks count from 1: the mark of the commit before is `n`.
        let _ = write!(
            text,
            "commit refs/heads/{branch}\nmark :{}\ncommitter {who}\ndata {}\n{message}\n",
            n + 1,
            message.len()
        );
        let _ = match n {
            0 => Ok(()),
            n if n % 50 == 40 => writeln!(text, "from :{}", n - 9),
            n if n % 50 == 0 => writeln!(text, "from :{}\nmerge :{n}", n - 10),
            n => writeln!(text, "from :{n}"),
        };
        let module = module_text(n);
        let _ = write!(
            text,
            "M 100644 inline src/module{}.py\ndata {}\n{module}\n",
            n % N_MODULES,
            module.len()
        );
    }
    text
}

fn module_text(n: u32) -> String {
    format!(
        "LIMIT = {n}\n\n\ndef retry_{0}(order):\n    return min(order, LIMIT)\n\n\ndef flush_{0}(queue):\n    while queue:\n        queue.pop()\n",
        n % N_MODULES
    )
}

fn git(root: &Path, args: &[&str], input: &str) -> Result<String> {
    let run = || -> std::io::Result<std::process::Output> {
        let mut child = Command::new("git")
            .args(args)
            .current_dir(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes())?;
        }
        child.wait_with_output()
    };
    let done = run().map_err(|error| BenchError::io(root, error))?;
    if !done.status.success() {
        let why = String::from_utf8_lossy(&done.stderr);
        return Err(BenchError::request(
            format!("git {} failed: {}", args[0], why.trim()),
            "give a folder that is empty or does not exist",
        ));
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}
