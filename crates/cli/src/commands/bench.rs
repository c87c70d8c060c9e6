//! `whyrank bench`: runs, comparisons, reports.

mod progress;
pub(super) use progress::{failure, show};

use std::path::{Path, PathBuf};

use serde_json::json;
use whyrank_benchmark::api::RunRequest;
use whyrank_benchmark::eval::{RunState, Summary, report};
use whyrank_benchmark::{Bench, Extra, Watch, describe_suite};
use whyrank_engine::EnginePaths;
use whyrank_mcp::ToolError;

use crate::args::{BenchAction, BenchArgs, BenchCommon, BenchOwnArgs, BenchRunArgs};
use crate::{exit, out, workspace};

pub(crate) fn run(args: &BenchArgs, json: bool) -> anyhow::Result<()> {
    let bench = open()?;
    match &args.action {
        BenchAction::Run(args) => run_suites(&bench, args, json),
        BenchAction::Own(args) => own(&bench, args, json),
        BenchAction::Ablate { ignored: _ } => {
            let message = "ablate, fit, memory, scale and sensitivity are in whyrank-lab";
            let hint = "build it in a checkout of Whyrank, as lab/README.md says";
            Err(ToolError::new("bad-argument", message, hint).into())
        }
        BenchAction::Index { path, suite, repos } => {
            let request = RunRequest {
                suites: suite.clone(),
                folders: repos.clone(),
                ..RunRequest::default()
            };
            index_costs(&bench, path, &request, json)
        }
        BenchAction::List => list(&bench, json),
        BenchAction::Suites { path } => suites(&bench, path.as_deref(), json),
        BenchAction::Compare { base, other } => {
            let comparison = bench.compare(base, other).map_err(failure)?;
            if json {
                out::json(&comparison)
            } else {
                out::bytes(report::comparison_markdown(&comparison).as_bytes())
            }
        }
        BenchAction::Report { run, format } => {
            let format = if json { "json" } else { format };
            out::bytes(bench.report(run, format).map_err(failure)?.as_bytes())
        }
        BenchAction::Delete { run } => {
            bench.delete(run).map_err(failure)?;
            if json {
                out::json(&json!({"deleted": run}))
            } else {
                out::line(&format!("{run} is deleted"))
            }
        }
    }
}

/// The harness over the user's engine.
pub(super) fn open() -> anyhow::Result<Bench> {
    Ok(Bench::new(workspace::open()?, EnginePaths::from_env()?))
}

fn request(common: &BenchCommon) -> RunRequest {
    RunRequest {
        title: common.title.clone(),
        categories: common.category.clone(),
        languages: common.lang.clone(),
        limit: common.limit,
        seed: common.seed,
        folders: common.repos.clone(),
        no_vectors: common.no_vectors,
        ..RunRequest::default()
    }
}

fn run_suites(bench: &Bench, args: &BenchRunArgs, json: bool) -> anyhow::Result<()> {
    let request = RunRequest {
        suites: args.suite.clone(),
        subjects: args.subject.clone(),
        ..request(&args.common)
    };
    let (path, summary) = show(|on_start| bench.run(&request, Extra::default(), on_start))?;
    finish(&path, &summary, json)
}

fn own(bench: &Bench, args: &BenchOwnArgs, json: bool) -> anyhow::Result<()> {
    let (_, summary) = workspace::searchable(args.repo.repo.as_deref())?;
    let names = ["whyrank", "smart-grep-fair", "bm25", "random"];
    let subjects = if args.subject.is_empty() {
        names.map(str::to_owned).to_vec()
    } else {
        args.subject.clone()
    };
    let request = RunRequest {
        own_repo: Some(summary.id),
        subjects,
        ..request(&args.common)
    };
    let (path, summary) = show(|on_start| bench.run(&request, Extra::default(), on_start))?;
    finish(&path, &summary, json)
}

/// Says what came out, and where the report lies.
fn finish(path: &Path, summary: &Summary, json: bool) -> anyhow::Result<()> {
    if json {
        out::json(summary)?
    } else {
        overview(path, summary)?
    }
    match summary.run.state {
        // The summary says so; one document is what a program can read.
        RunState::Cancelled if json => Err(exit::Exit(exit::INTERRUPTED).into()),
        RunState::Cancelled => {
            let message = format!(
                "cancelled after {} of {} answers",
                summary.run.n_done, summary.run.n_wanted
            );
            Err(ToolError::new(
                "cancelled",
                message,
                "the answers so far are in the report, marked as partial",
            )
            .into())
        }
        _ => Ok(()),
    }
}

fn overview(path: &Path, summary: &Summary) -> anyhow::Result<()> {
    out::line(&report::overview(summary))?;
    for repository in &summary.run.repositories {
        if let Some(error) = &repository.error {
            out::note(&format!("left out, with all its tasks: {error}"));
        }
    }
    out::line(&format!("\n{}", path.join("report.html").display()))
}

fn index_costs(
    bench: &Bench,
    folders: &[PathBuf],
    request: &RunRequest,
    json: bool,
) -> anyhow::Result<()> {
    let costs = show(|on_start| {
        let watch = Watch::default();
        on_start(&watch);
        bench.index_costs(folders, request, &watch)
    })?;
    if json {
        return out::json(&costs);
    }
    out::line(&format!(
        "{:<44} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "repository", "files", "chunks", "symbols", "CPU s", "wall s", "MiB"
    ))?;
    for cost in &costs {
        let cpu = cost
            .cpu_s
            .map_or_else(|| "?".to_owned(), |cpu| format!("{cpu:.2}"));
        out::line(&format!(
            "{:<44} {:>7} {:>8} {:>8} {cpu:>8} {:>8.2} {:>8.1}",
            cost.name,
            cost.files,
            cost.chunks,
            cost.symbols,
            cost.wall_s,
            cost.bytes / f64::from(1 << 20)
        ))?;
    }
    let known: Vec<f64> = costs.iter().filter_map(|cost| cost.cpu_s).collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    out::line(&format!(
        "mean {mean:.2} CPU s over {} repositories",
        known.len()
    ))
}

fn list(bench: &Bench, json: bool) -> anyhow::Result<()> {
    let runs = bench.runs();
    if json {
        return out::json(&runs);
    }
    if runs.is_empty() {
        out::note("no runs; `whyrank bench run` makes one");
    }
    for run in &runs {
        let state = serde_json::to_value(run.state)?;
        let state = state.as_str().unwrap_or_default().to_owned();
        out::line(&format!(
            "{}  {state:<9} {:>6} answers  {}",
            run.id, run.n_done, run.title
        ))?;
    }
    Ok(())
}

fn counted(n: u32, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn suites(bench: &Bench, path: Option<&Path>, json: bool) -> anyhow::Result<()> {
    let suites = match path {
        Some(path) => vec![describe_suite(path)],
        None => bench.suites().map_err(failure)?,
    };
    if json {
        return out::json(&suites);
    }
    for suite in &suites {
        // Of all suites one that cannot be run is a line; of a file that was named it is the answer.
        if let (Some(error), None) = (&suite.error, path) {
            out::line(&format!("{}: {error}", suite.name))?;
            continue;
        }
        if let Some(error) = &suite.error {
            return Err(ToolError::new(
                "bad-argument",
                error.clone(),
                "the formats are described in benchmark/README.md, under Tasks",
            )
            .into());
        }
        let tasks = counted(suite.n_tasks, "task", "tasks");
        let repositories = counted(suite.n_repositories, "repository", "repositories");
        let parts = [
            format!("{tasks}, {repositories}"),
            suite.categories.join(", "),
            suite.languages.join(", "),
        ];
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let parts = parts.into_iter().filter(|part| !part.is_empty());
        let parts = parts.collect::<Vec<_>>().join("; ");
        out::line(&format!("{}: {parts}", suite.name))?;
        out::line(&format!("  {}", suite.description))?;
    }
    Ok(())
}
