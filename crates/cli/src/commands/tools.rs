//! Commands that are a row of the tool table: the same text, without its token budget.

use std::path::PathBuf;

use serde_json::{Map, Value, json};
use whyrank_mcp::{Call, call_tool};

use crate::args::{CallPathArgs, DeadCodeArgs, DepsArgs, ImpactArgs, LookupArgs, RefsArgs};
use crate::exit::{Exit, NOTHING_FOUND};
use crate::{out, workspace};

/// People scroll; the cap of the tools is the only limit.
const MAX_TOKENS: u32 = 20_000;

pub(crate) fn lookup(args: &LookupArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({
        "symbol": args.symbol,
        "kind": args.kind,
        "path": args.path,
        "as_of": args.as_of,
    });
    run(
        "lookup",
        args.repo.repo.as_deref(),
        arguments,
        json,
        "definitions",
    )
}

pub(crate) fn refs(args: &RefsArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({
        "symbol": args.symbol,
        "path": args.path,
        "line": args.line,
        "kinds": args.kinds,
        "mentions": args.mentions,
        "tests": args.tests,
        "as_of": args.as_of,
    });
    run(
        "refs",
        args.repo.repo.as_deref(),
        arguments,
        json,
        "references",
    )
}

pub(crate) fn impact(args: &ImpactArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({
        "symbol": args.symbol,
        "path": args.path,
        "line": args.line,
        "depth": args.depth,
        "as_of": args.as_of,
    });
    run(
        "impact",
        args.repo.repo.as_deref(),
        arguments,
        json,
        "callers",
    )
}

pub(crate) fn call_path(args: &CallPathArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({"from": args.from, "to": args.to, "as_of": args.as_of});
    let repo = args.repo.repo.as_deref();
    run("call_path", repo, arguments, json, "paths")
}

pub(crate) fn dead_code(args: &DeadCodeArgs, json: bool) -> anyhow::Result<()> {
    // From the shell a path is meant from where one stands.
    let coverage = args.coverage.iter().map(|path| {
        if path.exists() {
            std::path::absolute(path).unwrap_or_else(|_| path.clone())
        } else {
            path.clone()
        }
    });
    let coverage: Vec<PathBuf> = coverage.collect();
    let arguments = json!({
        "path": args.path,
        "kinds": args.kinds,
        "tests": args.tests,
        "coverage": coverage,
        "as_of": args.as_of,
    });
    let repo = args.repo.repo.as_deref();
    run("dead_code", repo, arguments, json, "findings")
}

pub(crate) fn deps(args: &DepsArgs, json: bool) -> anyhow::Result<()> {
    let arguments = json!({"path": args.path, "direction": args.direction, "as_of": args.as_of});
    run("deps", args.repo.repo.as_deref(), arguments, json, "path")
}

/// Runs the tool; nothing is found when the answer's list of this name is empty.
pub(super) fn run(
    tool: &str,
    repo: Option<&str>,
    arguments: Value,
    json: bool,
    list: &str,
) -> anyhow::Result<()> {
    let (session, _) = workspace::searchable(repo)?;
    let Value::Object(mut arguments) = arguments else {
        return Ok(());
    };
    arguments.retain(|_, value| !value.is_null());
    let budget = arguments.entry("max_tokens");
    budget.or_insert_with(|| MAX_TOKENS.into());
    let answer = call_tool(tool, &Call::plain(&session), arguments)?;
    if json {
        out::json(&answer.structured)?
    } else {
        out::line(&answer.text)?
    }
    if is_empty(answer.structured.as_object(), list) {
        Err(Exit(NOTHING_FOUND).into())
    } else {
        Ok(())
    }
}

fn is_empty(answer: Option<&Map<String, Value>>, list: &str) -> bool {
    let found = answer
        .and_then(|answer| answer.get(list))
        .and_then(Value::as_array);
    found.is_some_and(Vec::is_empty)
}
