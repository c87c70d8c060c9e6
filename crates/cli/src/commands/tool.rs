//! `whyrank tool`: rows of the tool table from the command line, one by one or many in a process.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use whyrank_engine::api::RepoState;
use whyrank_mcp::{
    Call, Readiness, Session, ToolAnswer, ToolError, ToolResult, call_tool, estimate_tokens,
    find_tool, named_repositories,
};

use crate::args::ToolArgs;
use crate::interrupt::Interrupt;
use crate::{exit, out, workspace};

/// Tools that read no index.
const NEED_NO_INDEX: [&str; 2] = ["list_repos", "explain"];

/// Whether a call is answered from git and the files: where there is no index, none is made for it.
pub(crate) fn is_from_files(tool: &str, args: &Map<String, Value>) -> bool {
    let has = |name: &str| args.get(name).is_some_and(|value| !value.is_null());
    match tool {
        "review_diff" | "diff_search" => true,
        // Claims are about uses; what a symbol means and what lies below a path the index tells.
        "verify" => !has("claim"),
        "test_map" => !has("symbol") && (has("ref") || !has("path")),
        _ => false,
    }
}

/// Tools whose answers vectors rank; the others do not wait for them.
const RANKED_BY_VECTORS: [&str; 6] = [
    "search",
    "search_iterative",
    "context",
    "investigate",
    "ask",
    "diff_search",
];

/// A line of a batch.
#[derive(Debug, Deserialize)]
struct Request {
    #[serde(default)]
    id: Value,
    tool: String,
    #[serde(default)]
    args: Map<String, Value>,
    repo: Option<String>,
}

/// A line of answers.
#[derive(Debug, Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ToolError>,
    results: Vec<ToolResult>,
    /// The verdict of `dead_code` on one symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    dead: Option<bool>,
    text: String,
    tokens: u32,
    ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    structured: Option<Value>,
}

impl Answer {
    /// `with_structured` adds the answer as data.
    fn new(outcome: Result<ToolAnswer, ToolError>, ms: f64, with_structured: bool) -> Self {
        match outcome {
            Ok(answer) => Self {
                id: None,
                error: None,
                results: answer.results,
                dead: answer.structured.get("dead").and_then(Value::as_bool),
                text: answer.text,
                tokens: answer.tokens,
                ms,
                structured: with_structured.then_some(answer.structured),
            },
            Err(error) => Self {
                id: None,
                results: Vec::new(),
                dead: None,
                text: error.to_string(),
                tokens: estimate_tokens(&error.to_string()),
                ms,
                structured: None,
                error: Some(error),
            },
        }
    }
}

pub(crate) fn run(args: &ToolArgs, json: bool) -> anyhow::Result<()> {
    let mut runner = Runner {
        session: Session::new(workspace::open()?, "", Readiness::OnDemand),
        default_repo: workspace::selector(args.repo.repo.as_deref()).to_owned(),
        no_vectors: args.no_vectors,
        interrupt: Interrupt::listen(),
        prepared: HashMap::new(),
    };
    match (&args.batch, &args.name) {
        (Some(file), _) => batch(&mut runner, file),
        (None, Some(name)) => one(&mut runner, name, args.arguments.as_deref(), json),
        (None, None) => Ok(()),
    }
}

fn one(runner: &mut Runner, name: &str, arguments: Option<&str>, json: bool) -> anyhow::Result<()> {
    let arguments = serde_json::from_str(arguments.unwrap_or("{}")).map_err(|error| {
        ToolError::new(
            "bad-argument",
            format!("the arguments are not a JSON object: {error}"),
            "for example: whyrank tool search '{\"query\": \"retries\"}'",
        )
    })?;
    let request = Request {
        id: Value::Null,
        tool: name.to_owned(),
        args: arguments,
        repo: None,
    };
    let (outcome, ms) = runner.call(request);
    let error = outcome.as_ref().err().cloned();
    out::json(&Answer::new(outcome, ms, json))?;
    match error {
        Some(error) => Err(exit::Exit(exit::code_of(&error.code)).into()),
        None => Ok(()),
    }
}

/// Answers every line in order; a line that fails does not end the batch.
fn batch(runner: &mut Runner, file: &Path) -> anyhow::Result<()> {
    for line in lines(file)? {
        let line = line.with_context(|| format!("read {}", file.display()))?;
        if line.trim().is_empty() {
            continue;
        }
        if runner.interrupt.is_heard() {
            return Err(ToolError::new("cancelled", "the batch was cancelled", "").into());
        }
        let (id, (outcome, ms)) = match serde_json::from_str::<Request>(&line) {
            Ok(request) => (request.id.clone(), runner.call(request)),
            Err(error) => (id_of(&line), (Err(bad_line(&error)), 0.0)),
        };
        let answer = Answer {
            id: Some(id),
            ..Answer::new(outcome, ms, false)
        };
        out::line(&serde_json::to_string(&answer)?)?;
    }
    Ok(())
}

fn lines(file: &Path) -> anyhow::Result<Box<dyn Iterator<Item = std::io::Result<String>>>> {
    if file == Path::new("-") {
        return Ok(Box::new(std::io::stdin().lines()));
    }
    let opened = File::open(file).map_err(|error| {
        let message = format!("cannot open {}: {error}", file.display());
        ToolError::new(
            "bad-argument",
            message,
            "give a file of calls, or - for standard input",
        )
    })?;
    Ok(Box::new(BufReader::new(opened).lines()))
}

/// The id of a line that is JSON but no call.
fn id_of(line: &str) -> Value {
    let value: Option<Value> = serde_json::from_str(line).ok();
    value
        .and_then(|value| value.get("id").cloned())
        .unwrap_or_default()
}

fn bad_line(error: &serde_json::Error) -> ToolError {
    let hint = "a line is {\"id\", \"tool\", \"args\", \"repo\"}";
    ToolError::new(
        "bad-argument",
        format!("the line is not a call: {error}"),
        hint,
    )
}

/// Runs calls in one process and prepares each repository once.
struct Runner {
    session: Session,
    default_repo: String,
    no_vectors: bool,
    interrupt: Interrupt,
    /// By repository, and whether vectors were made.
    prepared: HashMap<(String, bool), Result<String, ToolError>>,
}

impl Runner {
    /// The outcome, and the milliseconds that the call itself took.
    fn call(&mut self, mut request: Request) -> (Result<ToolAnswer, ToolError>, f64) {
        let several = named_repositories(&Call::plain(&self.session), request.args.get("repo"));
        if let Ok(Some(_)) = several {
            return self.timed(&request.tool, request.args);
        }
        let named = request
            .args
            .get("repo")
            .and_then(Value::as_str)
            .map(str::to_owned);
        let selector = request
            .repo
            .take()
            .or(named)
            .unwrap_or_else(|| self.default_repo.clone());
        let row = find_tool(&request.tool);
        let needs_index = row.is_some() && !NEED_NO_INDEX.contains(&request.tool.as_str());
        let is_from_files = is_from_files(&request.tool, &request.args);
        let repo = if needs_index && (!is_from_files || self.has_index(&selector)) {
            let ranked = row.is_some_and(|row| RANKED_BY_VECTORS.contains(&row.name));
            self.prepare(&selector, ranked && !self.no_vectors)
        } else {
            Ok(selector)
        };
        let repo = match repo {
            Ok(repo) => repo,
            Err(error) => return (Err(error), 0.0),
        };
        if needs_index {
            request.args.insert("repo".to_owned(), repo.into());
        }
        self.timed(&request.tool, request.args)
    }

    fn timed(&self, tool: &str, args: Map<String, Value>) -> (Result<ToolAnswer, ToolError>, f64) {
        let started = Instant::now();
        let outcome = call_tool(tool, &Call::plain(&self.session), args);
        (
            outcome,
            (started.elapsed().as_secs_f64() * 1e5).round() / 100.0,
        )
    }

    fn has_index(&self, selector: &str) -> bool {
        let found = self.session.engine().find_repo(selector);
        found.is_ok_and(|summary| summary.state != RepoState::NotIndexed)
    }

    fn prepare(&mut self, selector: &str, with_vectors: bool) -> Result<String, ToolError> {
        let key = (selector.to_owned(), with_vectors);
        if let Some(prepared) = self.prepared.get(&key) {
            return prepared.clone();
        }
        let prepared = workspace::prepare(
            self.session.engine(),
            selector,
            !with_vectors,
            &self.interrupt,
        );
        let prepared = prepared
            .map(|summary| summary.id.into())
            .map_err(|error| exit::as_tool_error(&error));
        self.prepared.insert(key, prepared.clone());
        prepared
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_tools_of_the_table_that_search_wait_for_vectors() {
        for name in RANKED_BY_VECTORS {
            assert_eq!(find_tool(name).map(|row| row.name), Some(name));
        }
        assert!(!RANKED_BY_VECTORS.contains(&"dead_code"));
    }

    #[test]
    fn changes_are_read_from_the_files_and_symbols_from_the_index() {
        let check = |tool: &str, args: Value, expected: bool| {
            let Value::Object(args) = args else {
                panic!("arguments are an object");
            };
            assert_eq!(is_from_files(tool, &args), expected, "{tool} {args:?}");
        };
        check("review_diff", json!({}), true);
        check("test_map", json!({}), true);
        check("test_map", json!({"ref": "main", "path": "src"}), true);
        check("test_map", json!({"path": "src"}), false);
        check("test_map", json!({"symbol": "f"}), false);
        check("verify", json!({"evidence_ids": ["a.rs:1"]}), true);
        check(
            "verify",
            json!({"evidence_ids": [], "claim": "`f` is unused"}),
            false,
        );
        check("refs", json!({"symbol": "f"}), false);
    }

    #[test]
    fn an_error_is_an_answer_without_results() {
        let error = ToolError::new("not-found", "no definition of `x`", "try search");
        let answer = Answer {
            id: Some(json!(7)),
            ..Answer::new(Err(error), 1.5, false)
        };
        let expected = json!({
            "id": 7,
            "error": {"code": "not-found", "message": "no definition of `x`", "hint": "try search"},
            "results": [],
            "text": "no definition of `x`\ntry search",
            "tokens": 9,
            "ms": 1.5,
        });
        assert_eq!(serde_json::to_value(&answer).unwrap(), expected);
    }

    #[test]
    fn an_answer_has_no_structured_part_unless_asked() {
        let answer = || ToolAnswer::new("text".to_owned(), vec![], json!({"a": 1}));
        let plain = serde_json::to_value(Answer::new(Ok(answer()), 0.0, false)).unwrap();
        assert_eq!(
            plain,
            json!({"results": [], "text": "text", "tokens": 2, "ms": 0.0})
        );
        let full = serde_json::to_value(Answer::new(Ok(answer()), 0.0, true)).unwrap();
        assert_eq!(full["structured"], json!({"a": 1}));
    }

    #[test]
    fn a_verdict_stands_in_the_line() {
        let answer = ToolAnswer::new("f: dead".to_owned(), vec![], json!({"dead": true}));
        let line = serde_json::to_value(Answer::new(Ok(answer), 0.0, false)).unwrap();
        assert_eq!(line["dead"], true);
    }

    #[test]
    fn a_bad_line_keeps_its_id() {
        assert_eq!(id_of(r#"{"id": "a", "args": 3}"#), json!("a"));
        assert_eq!(id_of("not json"), Value::Null);
    }
}
