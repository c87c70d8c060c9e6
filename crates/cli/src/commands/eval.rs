//! `whyrank eval`: tasks in CKB's format on one repository.

use serde_json::json;
use whyrank_benchmark::api::RunRequest;
use whyrank_benchmark::eval::suites::{Pin, Source, Suite, parse_symbols};
use whyrank_benchmark::eval::{Metric, Summary, SummaryRow, TaskResult, report};
use whyrank_benchmark::{BenchError, Extra};
use whyrank_engine::api::RepoSummary;
use whyrank_mcp::ToolError;

use super::bench::{failure, open, show};
use crate::args::EvalArgs;
use crate::{out, workspace};

/// Repositories with tasks of their own: name, a file by which each is known, tasks.
const BUILTIN: [(&str, &str, &str); 3] = [
    (
        "whyrank",
        "crates/retrieval/src/pipeline.rs",
        include_str!("../../../../benchmark/eval/whyrank.json"),
    ),
    (
        "scrapy",
        "scrapy/crawler.py",
        include_str!("../../../../benchmark/eval/scrapy.json"),
    ),
    (
        "caddy",
        "modules/caddyhttp/caddyhttp.go",
        include_str!("../../../../benchmark/eval/caddy.json"),
    ),
];
/// Names shown of what a task found.
const N_NAMES: usize = 5;

pub(crate) fn run(args: &EvalArgs, json: bool) -> anyhow::Result<()> {
    let (_, repo) = workspace::searchable(args.repo.repo.as_deref())?;
    let suite = suite(args, &repo)?;
    let request = RunRequest {
        title: format!("eval of {}", repo.name),
        subjects: vec!["whyrank".to_owned()],
        no_vectors: args.no_vectors,
        ..RunRequest::default()
    };
    let bench = open()?;
    let extra = Extra {
        suites: vec![suite],
        ..Extra::default()
    };
    let (path, summary) = show(|on_start| bench.run(&request, extra, on_start))?;
    match (json, args.format.as_str()) {
        (true, _) | (_, "json") => out::json(&figures(
            &summary,
            &bench.results_of(&summary.run.id).map_err(failure)?,
        )),
        (_, "md") => out::bytes(
            report::markdown(
                &summary,
                &bench.results_of(&summary.run.id).map_err(failure)?,
            )
            .as_bytes(),
        ),
        (_, "html") => out::bytes(
            report::html(
                &summary,
                &bench.results_of(&summary.run.id).map_err(failure)?,
            )
            .as_bytes(),
        ),
        _ => {
            if args.verbose {
                tasks(&bench.results_of(&summary.run.id).map_err(failure)?)?;
            }
            text(&path, &summary)
        }
    }
}

/// A line a task: whether it passed, what was asked, what was found, how long that took.
fn tasks(results: &[TaskResult]) -> anyhow::Result<()> {
    for line in results {
        let verdict = if line.value() == 1.0 { "pass" } else { "FAIL" };
        let names = names(line);
        let more = match names.len().saturating_sub(N_NAMES) {
            0 => String::new(),
            n => format!(" +{n}"),
        };
        let shown = names[..names.len().min(N_NAMES)].join(", ");
        out::line(&format!(
            "{verdict} {:<18} {:<10} {:>7.1} ms  \"{}\": {shown}{more}",
            line.task,
            line.category.name(),
            line.wall_ms,
            line.question
        ))?;
    }
    out::line("")
}

fn suite(args: &EvalArgs, repo: &RepoSummary) -> anyhow::Result<Suite> {
    let mut suite = match &args.fixtures {
        Some(file) => Suite::load(file).map_err(|error| failure(BenchError::Eval(error)))?,
        None => builtin(repo)?,
    };
    for task in &mut suite.tasks {
        task.repo.clone_from(&repo.name);
    }
    suite.repositories = vec![Pin {
        source: Source::Folder(repo.root.clone()),
        ..Pin::of_key(&repo.name, repo.head.as_deref().unwrap_or_default(), "")
    }];
    Ok(suite)
}

fn builtin(repo: &RepoSummary) -> anyhow::Result<Suite> {
    let root = std::path::Path::new(&repo.root);
    let known = BUILTIN.iter().find(|(_, file, _)| root.join(file).exists());
    let Some((name, _, tasks)) = known else {
        let names = BUILTIN.map(|(name, ..)| name).join(", ");
        let message = format!(
            "the built-in tasks are about {names}, none of which {} is",
            repo.name
        );
        let hint = "give tasks with --fixtures, or generate some: whyrank bench own";
        return Err(ToolError::new("bad-argument", message, hint).into());
    };
    let tasks = parse_symbols(tasks, &repo.name)
        .map_err(|(_, message)| anyhow::anyhow!("built-in tasks: {message}"))?;
    Ok(Suite {
        name: (*name).to_owned(),
        description: format!("Symbols of {name}"),
        tasks,
        repositories: Vec::new(),
        defects: Vec::new(),
    })
}

fn row_json(row: &SummaryRow) -> serde_json::Value {
    let metric = |metric: Metric| row.scores.get(&metric).copied().unwrap_or(0.0);
    json!({
        "tasks": row.n,
        "passed": (row.value.mean * f64::from(row.n)).round(),
        "recallAtK": metric(Metric::Recall),
        "mrr": metric(Metric::Mrr),
        "latencyMsP50": row.wall_p50_ms,
        "latencyMsP95": row.wall_p95_ms,
    })
}

/// The names that a task found; neighbours of a symbol are names without places.
fn names(line: &TaskResult) -> Vec<&str> {
    let found = line.found.iter();
    let names: Vec<&str> = found.filter_map(|found| found.symbol.as_deref()).collect();
    if !names.is_empty() {
        return names;
    }
    let named = line.found_note.split(", ");
    named
        .filter(|name| !name.is_empty() && *name != "no names")
        .collect()
}

fn figures(summary: &Summary, results: &[TaskResult]) -> serde_json::Value {
    let by_type: serde_json::Map<String, serde_json::Value> = rows(summary)
        .map(|row| (name_of(row), row_json(row)))
        .collect();
    let tasks: Vec<serde_json::Value> = results
        .iter()
        .map(|line| {
            json!({"id": line.task, "type": line.category, "query": line.question, "passed": line.value() == 1.0, "found": names(line), "latencyMs": line.wall_ms, "error": line.error})
        })
        .collect();
    json!({"run": summary.run.id, "byType": by_type, "results": tasks})
}

fn name_of(row: &SummaryRow) -> String {
    if row.group.name.is_empty() {
        "all".to_owned()
    } else {
        row.group.name.clone()
    }
}

fn rows(summary: &Summary) -> impl Iterator<Item = &SummaryRow> {
    use whyrank_benchmark::eval::GroupBy::{All, Category};
    summary
        .rows
        .iter()
        .filter(|row| matches!(row.group.by, All | Category))
}

fn text(path: &std::path::Path, summary: &Summary) -> anyhow::Result<()> {
    out::line(&format!(
        "{:<12} {:>6} {:>7} {:>9} {:>7} {:>8}",
        "type", "tasks", "passed", "recall@k", "mrr", "p50 ms"
    ))?;
    for row in rows(summary) {
        let metric = |metric: Metric| row.scores.get(&metric).copied().unwrap_or(0.0);
        out::line(&format!(
            "{:<12} {:>6} {:>7.0} {:>9.3} {:>7.3} {:>8.1}",
            name_of(row),
            row.n,
            row.value.mean * f64::from(row.n),
            metric(Metric::Recall),
            metric(Metric::Mrr),
            row.wall_p50_ms
        ))?;
    }
    out::line(&path.join("report.html").display().to_string())
}
