//! What memory costs: a made-up repository with thousands of commits and memos, and how long the
//! engine takes to answer from it.

mod memos;
mod print;

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use serde::Serialize;
use whyrank_benchmark::{BenchError, Watch};
use whyrank_engine::api::{MemoId, MemoListRequest, MemoMoment, RecallRequest, RepoId};
use whyrank_engine::{Endings, Engine, EnginePaths};

use crate::args::MemoryArgs;
use crate::cpu;
use crate::git::{self, git};
use crate::out;
use crate::progress::Follower;

type Result<T> = anyhow::Result<T>;

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

/// How long one sort of question took.
#[derive(Clone, Debug, Serialize)]
struct MemoryCost {
    /// What was asked.
    what: String,
    /// How often.
    n: u32,
    /// Wall milliseconds: median.
    p50_ms: f64,
    /// 95th percentile.
    p95_ms: f64,
    /// The longest.
    worst_ms: f64,
    /// Median in milliseconds of processor time, which a busy machine does not stretch; none where it
    /// cannot be told.
    p50_cpu_ms: Option<f64>,
    /// The longest of that.
    worst_cpu_ms: Option<f64>,
}

/// What memory of a size costs.
#[derive(Clone, Debug, Serialize)]
struct MemoryCosts {
    /// Memos that hold somewhere.
    n_memos: u32,
    /// Commits of HEAD's history.
    n_commits: u32,
    /// CPU milliseconds of the first question to a new process: it reads memory and history.
    first_cpu_ms: Option<f64>,
    /// The same by the clock.
    first_ms: f64,
    /// Sorts of questions.
    costs: Vec<MemoryCost>,
}

/// Measures, and prints what was measured.
pub(crate) fn run(args: &MemoryArgs, json: bool) -> Result<ExitCode> {
    let (follower, watch) = Follower::of_new_watch();
    let costs = measure(args, &watch)?;
    drop(follower);
    if json {
        out::json(&costs)?;
    } else {
        print::costs(&costs)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Makes `folder/repo` with a history and `folder/home` with memos, unless they are there, and asks
/// memory. Both are kept: `WHYRANK_HOME=folder/home` opens them in every other program.
fn measure(args: &MemoryArgs, watch: &Watch) -> Result<MemoryCosts> {
    let (root, home) = (args.folder.join("repo"), args.folder.join("home"));
    if !root.exists() {
        watch.phase(format!("making {} commits", args.commits));
        let history = history(args.commits);
        git::make(&root, |out| out.write_all(history.as_bytes()))?;
    }
    let engine = Engine::open(EnginePaths::below(&home))?;
    let repo = engine.add_repo(&root)?.id;
    let none = RecallRequest {
        repo: repo.clone(),
        ..RecallRequest::default()
    };
    if engine.recall(&none)?.n_found == 0 {
        watch.phase(format!("making {} memos", args.memos));
        let made = memos::export(&root, args.memos).map_err(anyhow::Error::from_boxed)?;
        engine.import_memos(&repo, &made, Endings::TakeIn)?;
    }
    drop(engine);
    // What is measured is read by a process that knows nothing yet.
    let engine = Engine::open(EnginePaths::below(&home))?;
    let (started, cpu) = (Instant::now(), cpu::own_ms());
    engine.recall(&none)?;
    let (first_ms, after) = (started.elapsed().as_secs_f64() * 1e3, cpu::own_ms());
    let first_cpu_ms = cpu.zip(after).map(|(before, after)| after - before);
    let commits = commits_of(&root)?;
    let probe = CostProbe {
        engine: &engine,
        repo: &repo,
        commits: &commits,
        n_looks: args.looks,
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

struct CostProbe<'a> {
    engine: &'a Engine,
    repo: &'a RepoId,
    commits: &'a [String],
    n_looks: u32,
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
        for n in 0..self.n_looks.max(1) {
            if self.watch.is_cancelled() {
                return Err(BenchError::Cancelled.into());
            }
            let (started, before) = (Instant::now(), cpu::thread_ms());
            act(n)?;
            walls.push(started.elapsed().as_secs_f64() * 1e3);
            let cpu = before.zip(cpu::thread_ms());
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

/// The commits of HEAD's history, newest first.
fn commits_of(root: &Path) -> Result<Vec<String>> {
    let text = git(root, &["rev-list", "HEAD"], |_| Ok(()))?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// The history as `git fast-import` reads it: with a branch of ten commits in every fifty, merged; the
/// last is not.
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
