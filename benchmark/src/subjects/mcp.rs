//! Any MCP server over standard input and output, by a small file that says which tool answers which
//! kind of task.

use super::Subject;
use crate::checkouts::Checkout;
use crate::error::{BenchError, Result};
use crate::process::{children_cpu_ms, must, own_group};
use crate::watch::Watch;
use regex::Regex;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;
use whyrank_eval::{
    Answer, Call, Direction, Question, RepositoryInfo, ReturnedPlace, SubjectInfo, Task,
};

const DEFAULT_TIMEOUT_S: u64 = 60;
/// Keys under which servers list places in structured content.
const LISTS: [&str; 4] = ["results", "references", "definitions", "hits"];
/// How often a call looks whether the run was cancelled.
const POLL: Duration = Duration::from_millis(50);
const INDEX_LIMIT: Duration = Duration::from_secs(1800);

/// A rival's file (TOML).
///
/// ```toml
/// name = "rival"
/// command = ["rival", "mcp", "{root}"]
/// index = ["rival", "index", "{root}"]      # run once for each repository
/// timeout_s = 60
/// [tools.P1]
/// tool = "lookup"
/// arguments = { symbol = "{symbol}" }
/// ```
///
/// `{root}`, `{symbol}`, `{file}`, `{line}`, `{text}`, `{direction}`, `{top_k}` are filled in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RivalConfig {
    /// Name in tables.
    pub name: String,
    /// The server's command line.
    pub command: Vec<String>,
    /// Run once for each repository before the server starts.
    #[serde(default)]
    pub index: Vec<String>,
    /// Seconds that a call may take.
    #[serde(default)]
    pub timeout_s: Option<u64>,
    /// Seconds that the server may take to start.
    #[serde(default)]
    pub start_timeout_s: Option<u64>,
    /// The tool for each kind of task.
    pub tools: BTreeMap<String, ToolUse>,
}

/// A tool and its arguments.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolUse {
    /// Name.
    pub tool: String,
    /// Arguments with places to fill in.
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

impl RivalConfig {
    /// Reads a rival's file.
    ///
    /// # Errors
    /// `Io`, and `Request` for a file of another form.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            BenchError::request(
                format!("{}: {error}", path.display()),
                "give the file that describes the server",
            )
        })?;
        toml::from_str(&text).map_err(|error| {
            let before = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = text[..before].lines().count().max(1);
            BenchError::request(
                format!(
                    "{}:{line}: it does not describe a server: {}",
                    path.display(),
                    error.message()
                ),
                "its form is in benchmark/README.md, under Subjects",
            )
        })
    }
}

/// A server, restarted for each repository.
pub struct McpSubject {
    config: RivalConfig,
    runtime: Runtime,
    root: PathBuf,
    client: Option<RunningService<RoleClient, ()>>,
}

impl McpSubject {
    /// Returns a subject that has not been started.
    ///
    /// # Errors
    /// `Request` for a file without a command, `Io` when the system gives no threads.
    pub fn new(config: RivalConfig) -> Result<Self> {
        if config.command.is_empty() {
            return Err(BenchError::request(
                format!("{}: `command` is empty", config.name),
                "give the server's command line",
            ));
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        let runtime = runtime.map_err(|error| BenchError::io(Path::new("threads"), error))?;
        Ok(Self {
            config,
            runtime,
            root: PathBuf::new(),
            client: None,
        })
    }

    fn command(&self, line: &[String]) -> Command {
        let line: Vec<String> = line
            .iter()
            .map(|part| part.replace("{root}", &self.root.to_string_lossy()))
            .collect();
        let mut command = Command::new(&line[0]);
        command.args(&line[1..]).current_dir(&self.root);
        command
    }

    fn limit(&self) -> Duration {
        Duration::from_secs(self.config.timeout_s.unwrap_or(DEFAULT_TIMEOUT_S))
    }

    fn start(&mut self, watch: &Watch) -> std::result::Result<(), String> {
        let mut command = self.command(&self.config.command);
        own_group(&mut command);
        let start_limit =
            Duration::from_secs(self.config.start_timeout_s.unwrap_or(DEFAULT_TIMEOUT_S));
        let client = self.runtime.block_on(async {
            let mut command = tokio::process::Command::from(command);
            command.kill_on_drop(true);
            let (transport, _) = TokioChildProcess::builder(command)
                .stderr(std::process::Stdio::null())
                .spawn()
                .map_err(|error| format!("cannot start: {error}"))?;
            let started = within(start_limit, watch, ().serve(transport)).await;
            let started = started.map_err(|why| format!("did not start: {why}"))?;
            started.map_err(|error| format!("does not speak MCP: {error}"))
        })?;
        self.client = Some(client);
        Ok(())
    }

    fn ask(
        &self,
        tool: &ToolUse,
        task: &Task,
        answer: &mut Answer,
        watch: &Watch,
    ) -> std::result::Result<CallToolResult, String> {
        let arguments = fill(&tool.arguments, task, &self.root);
        answer.calls.push(Call {
            tool: tool.tool.clone(),
            arguments: Value::Object(arguments.clone()).to_string(),
        });
        let client = self.client.as_ref().ok_or("the server is not running")?;
        let call = client
            .call_tool(CallToolRequestParams::new(tool.tool.clone()).with_arguments(arguments));
        let answered = self.runtime.block_on(within(self.limit(), watch, call));
        let answered = answered.map_err(|why| format!("did not answer: {why}"))?;
        answered.map_err(|error| error.to_string())
    }
}

impl Subject for McpSubject {
    fn info(&self) -> SubjectInfo {
        let server = self.client.as_ref().and_then(|client| client.peer_info());
        SubjectInfo {
            name: self.config.name.clone(),
            version: server
                .and_then(|server| Some(server.server_info.as_ref()?.version.clone()))
                .unwrap_or_default(),
            notes: format!("MCP server `{}`", self.config.command.join(" ")),
            ..SubjectInfo::default()
        }
    }

    fn prepare(
        &mut self,
        checkout: &Checkout,
        _: &[Checkout],
        _: &mut RepositoryInfo,
        watch: &Watch,
    ) -> std::result::Result<(), String> {
        self.client = None;
        self.root.clone_from(&checkout.root);
        watch.phase(format!(
            "{} gets ready for {}",
            self.config.name, checkout.name
        ));
        if !self.config.index.is_empty() {
            must(
                &mut self.command(&self.config.index),
                &checkout.root,
                INDEX_LIMIT,
                watch,
            )?;
        }
        self.start(watch)
            .map_err(|why| format!("{} {why}", self.config.name))
    }

    fn answer(&mut self, task: &Task, watch: &Watch) -> Answer {
        let Some(tool) = self.config.tools.get(task.category.name()).cloned() else {
            return Answer::unsupported();
        };
        let started = Instant::now();
        let before = children_cpu_ms();
        let mut answer = Answer::default();
        match self.ask(&tool, task, &mut answer, watch) {
            Ok(result) => read(&result, task, &mut answer),
            Err(error) => {
                answer.error = Some(format!("{} {error}", self.config.name));
                // What hangs once may answer late and out of turn: start over.
                self.client = None;
                if let Err(error) = self.start(watch) {
                    watch.note(format!("{} {error}", self.config.name));
                }
            }
        }
        answer.wall_ms = started.elapsed().as_secs_f64() * 1e3;
        answer.cpu_ms = children_cpu_ms()
            .zip(before)
            .map(|(after, before)| after - before)
            .filter(|ms| *ms > 0.0);
        answer
    }
}

/// Waits for an answer until time is up or the user cancels.
async fn within<T>(
    limit: Duration,
    watch: &Watch,
    answer: impl Future<Output = T>,
) -> std::result::Result<T, String> {
    let cancelled = async {
        while !watch.is_cancelled() {
            tokio::time::sleep(POLL).await;
        }
    };
    tokio::select! {
        answered = tokio::time::timeout(limit, answer) => {
            answered.map_err(|_| format!("{} s are up", limit.as_secs()))
        }
        () = cancelled => Err("the run was cancelled".to_owned()),
    }
}

/// Fills in the places of the arguments; an argument whose place has no value is left out.
fn fill(arguments: &Map<String, Value>, task: &Task, root: &Path) -> Map<String, Value> {
    let mut values: BTreeMap<&str, Value> =
        BTreeMap::from([("{root}", Value::from(root.to_string_lossy().into_owned()))]);
    let mut put = |name, value: Option<Value>| drop(value.map(|value| values.insert(name, value)));
    match &task.question {
        Question::Symbol {
            symbol, file, line, ..
        } => {
            put("{symbol}", Some(symbol.clone().into()));
            put("{file}", file.clone().map(Value::from));
            put("{line}", line.map(Value::from));
        }
        Question::File { file, direction } => {
            let direction = match direction {
                Direction::Imports => "imports",
                Direction::Importers => "importers",
                Direction::Both => "both",
            };
            put("{file}", Some(file.clone().into()));
            put("{direction}", Some(direction.into()));
        }
        Question::Dead { symbol, file, line } => {
            put("{symbol}", Some(symbol.clone().into()));
            put("{file}", Some(file.clone().into()));
            put("{line}", Some((*line).into()));
        }
        Question::Text { text, top_k, .. } => {
            put("{text}", Some(text.clone().into()));
            put("{symbol}", Some(text.clone().into()));
            put("{top_k}", Some((*top_k).min(10).into()));
        }
        Question::DeadBelow { path } => put("{file}", Some(path.clone().into())),
        Question::DeadAmong { .. } | Question::DeadNames => {}
    }
    let filled = arguments.iter().filter_map(|(name, value)| {
        let Some(text) = value
            .as_str()
            .filter(|text| text.starts_with('{') && text.ends_with('}'))
        else {
            return Some((name.clone(), value.clone()));
        };
        Some((name.clone(), values.get(text)?.clone()))
    });
    filled.collect()
}

/// Reads places from structured content where it has `results`, from `path:line` in the text otherwise.
fn read(result: &CallToolResult, task: &Task, answer: &mut Answer) {
    let texts = result.content.iter().filter_map(|part| part.as_text());
    answer.text = texts
        .map(|part| part.text.clone())
        .collect::<Vec<_>>()
        .join("\n");
    if result.is_error == Some(true) {
        answer.error = Some(answer.text.clone());
        return;
    }
    let structured = result.structured_content.as_ref();
    let lists = structured
        .into_iter()
        .flat_map(|value| LISTS.iter().filter_map(|key| value.get(*key)));
    let listed = lists
        .filter_map(|list| Vec::<ReturnedPlace>::deserialize(list).ok())
        .next();
    answer.found = listed.unwrap_or_else(|| places_in(&answer.text));
    let files = || {
        answer
            .found
            .iter()
            .map(|found| found.file.clone())
            .collect::<Vec<_>>()
    };
    match &task.question {
        Question::File {
            direction: Direction::Importers,
            ..
        } => answer.importers = files(),
        Question::File { .. } => answer.imports = files(),
        Question::Dead { .. } => answer.dead = Some(answer.found.is_empty()),
        _ => {}
    }
}

/// Every place of a text, in order: `path:line`, `path:line-line`, `path: line, line`.
fn places_in(text: &str) -> Vec<ReturnedPlace> {
    let Ok(pattern) = Regex::new(r"([\w@.+/-]+\.\w{1,8})(?::[ ]?(\d[\d, ?-]*))?") else {
        return Vec::new();
    };
    let mut places = Vec::new();
    for groups in pattern.captures_iter(text) {
        let file = groups[1].trim_start_matches("./");
        let lines = groups.get(2).map_or("", |lines| lines.as_str());
        let spans: Vec<(u32, u32)> = lines.split(',').filter_map(span_of).collect();
        let spans = if spans.is_empty() {
            vec![(0, 0)]
        } else {
            spans
        };
        places.extend(spans.into_iter().map(|(line, end_line)| ReturnedPlace {
            file: file.to_owned(),
            line,
            end_line,
            ..ReturnedPlace::default()
        }));
    }
    places
}

/// `12` or `12-20`; marks of doubt behind a number are passed over.
fn span_of(text: &str) -> Option<(u32, u32)> {
    let text = text.trim().trim_end_matches(['?', ' ', '-']);
    match text.split_once('-') {
        Some((first, last)) => Some((first.trim().parse().ok()?, last.trim().parse().ok()?)),
        None => Some((text.parse().ok()?, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_out_of_prose() {
        let places = places_in("see src/a.rs:12-20 and ./b/c.py:3, or d.go");
        let read: Vec<_> = places
            .iter()
            .map(|place| (place.file.as_str(), place.line, place.end_line))
            .collect();
        assert_eq!(
            read,
            [("src/a.rs", 12, 20), ("b/c.py", 3, 0), ("d.go", 0, 0)]
        );
    }

    #[test]
    fn lines_after_a_path_are_a_place_each() {
        let places = places_in("billing/invoice.py: 5,9?; import 1");
        let read: Vec<_> = places.iter().map(|place| place.line).collect();
        assert_eq!(read, [5, 9]);
    }

    #[test]
    fn an_argument_without_a_value_is_left_out() {
        let config: RivalConfig = toml::from_str(
            "name = 'r'\ncommand = ['r']\n[tools.P2]\ntool = 't'\narguments = { symbol = '{symbol}', path = '{file}', limit = 5 }\n",
        )
        .unwrap();
        let task: Task = serde_json::from_value(serde_json::json!({
            "id": "1", "repo": "r", "language": "", "category": "P2", "stratum": "",
            "question": {"kind": "symbol", "symbol": "f"}, "expected": {"kind": "dead", "dead": true},
        }))
        .unwrap();
        let filled = fill(&config.tools["P2"].arguments, &task, Path::new("/"));
        assert_eq!(
            Value::Object(filled),
            serde_json::json!({"symbol": "f", "limit": 5})
        );
    }
}
