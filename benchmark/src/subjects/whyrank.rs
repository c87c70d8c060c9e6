//! Whyrank itself, asked through the tools that agents call. What counts is what a tool answers; what
//! it costs is the text that an agent reads.

use super::Subject;
use super::behind::look_behind;
use crate::checkouts::Checkout;
use crate::process::own_cpu_ms;
use crate::watch::Watch;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use whyrank_engine::Engine;
use whyrank_engine::api::{
    DeadFinding, EngineErrorDto, IndexOptions, JobProgress, JobState, Level, RepoId, RepoSummary,
    TestPlace, TestedSymbol,
};
use whyrank_eval::{
    Answer, Call, Category, Direction, Expected, Matching, Place, Question, RepositoryInfo,
    ReturnedPlace, SubjectInfo, Task,
};
use whyrank_mcp::{Readiness, Session, ToolAnswer, ToolResult, call_tool};

const POLL: Duration = Duration::from_millis(30);
/// Room for a whole list of uses: what is counted must be what the agent reads.
const LIST_TOKENS: u32 = 20_000;
/// Steps of impact when the task names none.
const DEFAULT_DEPTH: u32 = 3;

/// Whyrank in this process.
pub struct WhyrankSubject {
    name: String,
    notes: String,
    session: Session,
    no_vectors: bool,
    /// Words in comments and strings count as references.
    mentions: bool,
    /// What is behind an answer is looked at: candidates, times of the stages.
    looks_behind: bool,
    /// The repository asked about, and others by their key.
    repo: RepoId,
    others: BTreeMap<String, RepoId>,
    /// Searches ask all repositories of the suite.
    is_pooled: bool,
    pool: Pool,
}

/// All repositories of a suite.
#[derive(Default)]
struct Pool {
    repos: Vec<RepoId>,
    /// Folders that tasks are about, below the names of their repositories.
    paths: Vec<String>,
}

/// The calls made for one task.
struct Caller<'a> {
    subject: &'a WhyrankSubject,
    answer: Answer,
}

impl WhyrankSubject {
    /// Asks `engine`, whose settings are the configuration; `name` tells variants apart.
    pub fn new(name: &str, notes: &str, engine: Engine, no_vectors: bool) -> Self {
        Self {
            name: name.to_owned(),
            notes: notes.to_owned(),
            session: Session::new(engine, "", Readiness::Prepared),
            no_vectors,
            mentions: false,
            looks_behind: false,
            repo: RepoId::default(),
            others: BTreeMap::new(),
            is_pooled: false,
            pool: Pool::default(),
        }
    }

    /// Asks all repositories of a suite as one.
    #[must_use]
    pub fn pooled(self) -> Self {
        Self {
            is_pooled: true,
            ..self
        }
    }

    /// Asks for uses together with words in comments, strings and documentation, as the truth of the
    /// original tasks has them.
    #[must_use]
    pub fn with_mentions(self) -> Self {
        Self {
            mentions: true,
            ..self
        }
    }

    /// Keeps of each search its candidates and the times of its stages.
    #[must_use]
    pub fn looking_behind(self) -> Self {
        Self {
            looks_behind: true,
            ..self
        }
    }

    /// Id of the repository that was prepared last.
    pub(crate) fn repo(&self) -> &RepoId {
        &self.repo
    }

    fn engine(&self) -> &Engine {
        self.session.engine()
    }

    /// Indexes a checkout; returns the repository's id.
    fn index(
        &self,
        checkout: &Checkout,
        info: Option<&mut RepositoryInfo>,
        watch: &Watch,
    ) -> Result<RepoSummary, String> {
        let root = checkout.root.to_string_lossy();
        let summary = self
            .engine()
            .find_repo(&root)
            .map_err(|error| format!("{}: {error}", checkout.name))?;
        let was_new = summary.indexed_at.is_none();
        let before = own_cpu_ms();
        self.run_lane(&summary.id, true, watch)?;
        if let Some(info) = info {
            info.index_cpu_s = own_cpu_ms()
                .zip(before)
                .filter(|_| was_new)
                .map(|(after, before)| (after - before) / 1e3);
        }
        if !self.no_vectors {
            self.run_lane(&summary.id, false, watch)?;
        }
        self.engine()
            .repo(&summary.id)
            .map_err(|error| error.to_string())
    }

    /// Another version's index is built anew: it is the benchmark's own.
    fn run_lane(&self, repo: &RepoId, skip_vectors: bool, watch: &Watch) -> Result<(), String> {
        let options = |rebuild| IndexOptions {
            rebuild,
            skip_vectors,
            impatient: true,
            as_of: None,
        };
        let outcome = self.run_job(repo, options(false), watch);
        let outcome = match outcome {
            Err(error) if error.code == "index-incompatible" => {
                self.run_job(repo, options(true), watch)
            }
            outcome => outcome,
        };
        outcome.map_err(|error| error.message)
    }

    /// Gives the commit that a task is about its vectors; answers would else be those of words alone.
    fn encode_commit(&self, task: &Task, watch: &Watch) -> Result<(), String> {
        let Question::Text {
            as_of: Some(commit),
            ..
        } = &task.question
        else {
            return Ok(());
        };
        if self.no_vectors {
            return Ok(());
        }
        let options = IndexOptions {
            as_of: Some(commit.clone()),
            ..IndexOptions::default()
        };
        self.run_job(&self.repo, options, watch)
            .map_err(|error| error.message)
    }

    fn run_job(
        &self,
        repo: &RepoId,
        options: IndexOptions,
        watch: &Watch,
    ) -> Result<(), EngineErrorDto> {
        let job = self.engine().start_index(repo, options)?;
        let mut is_cancelled = false;
        let is_running = |progress: &JobProgress| {
            progress.job_id == job && matches!(progress.state, JobState::Running | JobState::Paused)
        };
        while self.engine().jobs().iter().any(is_running) {
            if watch.is_cancelled() && !is_cancelled {
                self.engine().cancel_job(&job)?;
                is_cancelled = true;
            }
            std::thread::sleep(POLL);
        }
        let last = self.engine().wait_job(&job)?;
        let failure = |code: &str, message: &str| EngineErrorDto {
            code: code.to_owned(),
            message: message.to_owned(),
            hint: String::new(),
        };
        match last.state {
            JobState::Failed => Err(last
                .error
                .unwrap_or_else(|| failure("failed", "indexing failed"))),
            JobState::Cancelled => Err(failure("cancelled", "indexing was cancelled")),
            _ => Ok(()),
        }
    }
}

impl Subject for WhyrankSubject {
    fn info(&self) -> SubjectInfo {
        let settings = self.engine().settings().ok();
        let configuration = settings.and_then(|settings| serde_json::to_string(&settings).ok());
        SubjectInfo {
            name: self.name.clone(),
            version: self.engine().info().version,
            notes: self.notes.clone(),
            configuration: configuration.unwrap_or_default(),
        }
    }

    fn prepare(
        &mut self,
        checkout: &Checkout,
        others: &[Checkout],
        info: &mut RepositoryInfo,
        watch: &Watch,
    ) -> Result<(), String> {
        watch.phase(format!("indexing {}", checkout.name));
        let summary = self.index(checkout, Some(info), watch)?;
        info.files = summary.files;
        info.manifest = self
            .engine()
            .health(&summary.id)
            .map(|health| health.compatibility)
            .unwrap_or_default();
        self.repo = summary.id;
        self.others.clear();
        for other in others {
            let summary = self.index(other, None, watch)?;
            self.others.insert(other.name.clone(), summary.id);
        }
        Ok(())
    }

    fn is_pooled(&self) -> bool {
        self.is_pooled
    }

    fn gather(&mut self, members: &[(Checkout, Vec<String>)], watch: &Watch) -> Result<(), String> {
        self.pool = Pool::default();
        for (checkout, scopes) in members {
            watch.phase(format!("indexing {}", checkout.name));
            let summary = self.index(checkout, None, watch)?;
            let below = |scope: &String| format!("{}/{scope}", summary.name);
            self.pool.paths.extend(scopes.iter().map(below));
            if scopes.is_empty() {
                self.pool.paths.push(format!("{}/**", summary.name));
            }
            self.pool.repos.push(summary.id);
        }
        Ok(())
    }

    fn reads_commits(&self) -> bool {
        true
    }

    fn answer(&mut self, task: &Task, watch: &Watch) -> Answer {
        if let Err(error) = self.encode_commit(task, watch) {
            return Answer::failed(error);
        }
        let before = own_cpu_ms();
        let mut caller = Caller {
            subject: self,
            answer: Answer::default(),
        };
        let is_asked = caller.ask(task);
        let mut answer = caller.answer;
        if !is_asked {
            return Answer::unsupported();
        }
        answer.cpu_ms = own_cpu_ms()
            .zip(before)
            .map(|(after, before)| after - before);
        let id = answer.query_id.as_deref().filter(|_| self.looks_behind);
        if let Some(Ok(trace)) = id.map(|id| self.engine().explain(&id.into())) {
            look_behind(&mut answer, &trace);
        }
        answer
    }
}

impl Caller<'_> {
    /// Whether there are tools for such a task.
    fn ask(&mut self, task: &Task) -> bool {
        match (&task.question, task.category) {
            (Question::Symbol { symbol, .. }, Category::P1) => self.definition(symbol),
            (
                Question::Symbol {
                    symbol, elsewhere, ..
                },
                Category::P3,
            ) => self.across(symbol, elsewhere),
            // Its truth leaves out tests.
            (Question::Symbol { symbol, .. }, Category::P2) if is_original(&task.expected) => {
                self.answer.found = self.refs_without_tests(symbol);
            }
            (
                Question::Symbol {
                    symbol, file, line, ..
                },
                Category::P2,
            ) => {
                let places = self.refs(symbol, file.as_deref(), *line);
                self.answer.found = places.iter().map(found).collect();
            }
            (
                Question::Symbol {
                    symbol, file, line, ..
                },
                Category::Callers,
            ) => {
                self.impact(symbol, file.as_deref(), *line, 1);
                // Asked for functions: code outside of them is none.
                self.answer.found.retain(|found| found.symbol.is_some());
            }
            (
                Question::Symbol {
                    symbol,
                    file,
                    line,
                    max_depth,
                    ..
                },
                Category::Impact,
            ) => {
                let depth = max_depth.unwrap_or(DEFAULT_DEPTH);
                self.impact(symbol, file.as_deref(), *line, depth);
            }
            (
                Question::Symbol {
                    symbol, file, line, ..
                },
                Category::Implements,
            ) => self.implementations(symbol, file.as_deref(), *line),
            (Question::Symbol { symbol, file, .. }, Category::Tests) => {
                self.tests(symbol, file.as_deref());
            }
            (Question::DeadBelow { path }, _) => self.dead_below(path),
            (Question::File { file, direction }, _) => self.dependencies(file, *direction),
            (Question::Dead { symbol, file, line }, _) => {
                self.answer.dead = self.is_dead(symbol, file, *line);
            }
            (Question::DeadAmong { symbols }, _) => self.dead_among(symbols),
            (Question::DeadNames, _) => self.dead_names(),
            (Question::Text { text, .. }, Category::Expansion) => self.neighbours(text),
            (Question::Text { .. }, _) => self.search(task),
            _ => return false,
        }
        true
    }

    /// Calls a tool; its text is read and its time counted.
    fn call(&mut self, tool: &str, arguments: Value) -> Option<ToolAnswer> {
        let repo = self.subject.repo.clone();
        self.call_in(&repo, tool, arguments)
    }

    fn call_in(&mut self, repo: &RepoId, tool: &str, arguments: Value) -> Option<ToolAnswer> {
        let Value::Object(mut arguments) = arguments else {
            return None;
        };
        arguments.retain(|_, value| !value.is_null());
        self.answer.calls.push(Call {
            tool: tool.to_owned(),
            arguments: Value::Object(arguments.clone()).to_string(),
        });
        let pool = &self.subject.pool;
        let repo = match tool {
            "search" if self.subject.is_pooled => {
                arguments.insert("path".to_owned(), json!(pool.paths));
                json!(pool.repos)
            }
            _ => json!(repo),
        };
        arguments.insert("repo".to_owned(), repo);
        let started = Instant::now();
        let outcome = call_tool(
            tool,
            &whyrank_mcp::Call::plain(&self.subject.session),
            arguments,
        );
        self.answer.wall_ms += started.elapsed().as_secs_f64() * 1e3;
        match outcome {
            Ok(answer) => {
                self.read(&answer.text);
                Some(answer)
            }
            Err(error) => {
                self.read(&error.to_string());
                // Nothing found is an answer; anything else is none.
                if error.code != "not-found" {
                    self.answer.error = Some(error.to_string());
                }
                None
            }
        }
    }

    fn read(&mut self, text: &str) {
        if !self.answer.text.is_empty() {
            self.answer.text.push('\n');
        }
        self.answer.text += text;
    }

    fn definition(&mut self, symbol: &str) {
        let answer = self.call("lookup", json!({"symbol": symbol}));
        self.answer.found = places(answer).iter().map(found).collect();
    }

    /// In the repository itself, then in the others.
    fn across(&mut self, symbol: &str, elsewhere: &[String]) {
        self.definition(symbol);
        for name in elsewhere {
            let Some(repo) = self.subject.others.get(name).cloned() else {
                continue;
            };
            let answer = self.call_in(&repo, "lookup", json!({"symbol": symbol}));
            let there = places(answer).into_iter().map(|place| ReturnedPlace {
                repo: Some(name.clone()),
                ..found(&place)
            });
            self.answer.found.extend(there);
        }
    }

    fn refs(&mut self, symbol: &str, file: Option<&str>, line: Option<u32>) -> Vec<ToolResult> {
        let arguments = json!({"symbol": symbol, "path": file, "line": line, "tests": true, "mentions": self.mentions(), "max_tokens": LIST_TOKENS});
        places(self.call("refs", arguments))
    }

    /// Left out of the call where it is not asked for.
    fn mentions(&self) -> Option<bool> {
        self.subject.mentions.then_some(true)
    }

    /// As an agent asks that wants production code: uses in tests and documents are counted, not
    /// listed.
    fn refs_without_tests(&mut self, symbol: &str) -> Vec<ReturnedPlace> {
        let arguments =
            json!({"symbol": symbol, "mentions": self.mentions(), "max_tokens": LIST_TOKENS});
        let answer = self.call("refs", arguments);
        let Some(answer) = answer else {
            return Vec::new();
        };
        let listed = answer
            .structured
            .get("references")
            .and_then(Value::as_array)
            .cloned();
        let is_aside = |hit: &Value| {
            let is = |name: &str| hit.get(name).and_then(Value::as_bool) == Some(true);
            is("test") || is("doc")
        };
        let listed = listed.unwrap_or_default();
        let aside: BTreeSet<(&str, u64)> = listed
            .iter()
            .filter(|hit| is_aside(hit))
            .filter_map(|hit| Some((hit.get("path")?.as_str()?, hit.get("line")?.as_u64()?)))
            .collect();
        let is_listed = |place: &&ToolResult| {
            !aside.contains(&(place.path.as_str(), u64::from(place.start_line)))
        };
        answer.results.iter().filter(is_listed).map(found).collect()
    }

    /// The definitions that use a symbol within `depth` steps.
    fn impact(&mut self, symbol: &str, file: Option<&str>, line: Option<u32>, depth: u32) {
        let arguments = json!({"symbol": symbol, "path": file, "line": line, "depth": depth, "max_tokens": LIST_TOKENS});
        let answer = self.call("impact", arguments);
        self.answer.found = places(answer).iter().map(found).collect();
    }

    /// Who implements, extends or overrides it.
    fn implementations(&mut self, symbol: &str, file: Option<&str>, line: Option<u32>) {
        let arguments = json!({"symbol": symbol, "path": file, "line": line, "tests": true, "max_tokens": LIST_TOKENS,
            "kinds": ["implements", "extends", "overrides"]});
        let answer = self.call("refs", arguments);
        self.answer.found = places(answer).iter().map(found).collect();
    }

    /// The tests to run when it changes.
    fn tests(&mut self, symbol: &str, file: Option<&str>) {
        let arguments = json!({"symbol": symbol, "path": file, "max_tokens": LIST_TOKENS});
        let answer = self.call("test_map", arguments);
        let tested: Vec<TestedSymbol> = listed(answer, "symbols");
        let tests = tested.into_iter().flat_map(|one| one.tests);
        let place = |test: TestPlace| ReturnedPlace {
            file: test.path,
            line: test.line,
            symbol: test.name,
            certain: Some(test.sure),
            ..ReturnedPlace::default()
        };
        self.answer.found = tests.map(place).collect();
    }

    /// What is said to be dead, and not only that it may be.
    fn dead_below(&mut self, path: &str) {
        let path = Some(path).filter(|path| !path.is_empty());
        let arguments = json!({"path": path, "kinds": ["dead"], "max_tokens": LIST_TOKENS});
        let findings: Vec<DeadFinding> = listed(self.call("dead_code", arguments), "findings");
        let place = |finding: DeadFinding| ReturnedPlace {
            file: finding.symbol.path,
            line: finding.symbol.name_line,
            symbol: Some(finding.symbol.qualified),
            ..ReturnedPlace::default()
        };
        self.answer.found = findings.into_iter().map(place).collect();
    }

    fn dependencies(&mut self, file: &str, direction: Direction) {
        let name = match direction {
            Direction::Imports => "imports",
            Direction::Importers => "importers",
            Direction::Both => "both",
        };
        let answer = self.call(
            "deps",
            json!({"path": file, "direction": name, "max_tokens": LIST_TOKENS}),
        );
        let Some(answer) = answer else { return };
        let side = |key: &str| -> Vec<String> {
            let edges = answer
                .structured
                .get(key)
                .and_then(Value::as_array)
                .cloned()
                .unwrap_or_default();
            let inside = edges
                .iter()
                .filter(|edge| edge.get("external").and_then(Value::as_bool) != Some(true));
            let paths: BTreeSet<String> = inside
                .filter_map(|edge| Some(edge.get("path")?.as_str()?.to_owned()))
                .collect();
            paths.into_iter().collect()
        };
        if direction != Direction::Importers {
            self.answer.imports = side("imports");
        }
        if direction != Direction::Imports {
            self.answer.importers = side("importers");
        }
    }

    fn is_dead(&mut self, symbol: &str, file: &str, line: u32) -> Option<bool> {
        let arguments = json!({"symbol": symbol, "path": file, "line": line});
        let answer = self.call("dead_code", arguments)?;
        answer.structured.get("dead")?.as_bool()
    }

    fn dead_among(&mut self, symbols: &[Place]) {
        let places_of = symbols
            .iter()
            .map(|place| json!({"symbol": place.symbol, "path": place.file, "line": place.line}));
        let symbols: Vec<Value> = places_of.collect();
        let arguments = json!({"symbols": symbols, "max_tokens": LIST_TOKENS});
        let answer = self.call("dead_code", arguments);
        self.answer.found = places(answer).iter().map(found).collect();
    }

    /// Names that files export, that nothing uses, and that no user of the package can name.
    fn dead_names(&mut self) {
        let answer = self.call(
            "dead_code",
            json!({"kinds": ["dead"], "max_tokens": LIST_TOKENS}),
        );
        let findings: Vec<DeadFinding> = listed(answer, "findings");
        let sure = findings
            .into_iter()
            .filter(|finding| finding.confidence == Level::High && finding.symbol.exported);
        self.answer.names = sure.map(|finding| finding.symbol.name).collect();
    }

    /// Names next to a symbol in the graph: those that use it.
    fn neighbours(&mut self, symbol: &str) {
        let places = self.refs(symbol, None, None);
        let mut seen = BTreeSet::new();
        let names = places.iter().filter_map(|place| place.symbol.clone());
        self.answer.names = names.filter(|name| seen.insert(name.clone())).collect();
    }

    fn search(&mut self, task: &Task) {
        let Question::Text {
            text,
            scope,
            kinds,
            top_k,
            as_of,
        } = &task.question
        else {
            return;
        };
        // Text tasks are scored on ten results; a corpus on more, and an issue on ten files.
        let limit = match task.category {
            Category::Corpus | Category::Issue => *top_k,
            _ => (*top_k).min(10),
        };
        let mut arguments = Map::from_iter([
            ("query".to_owned(), json!(text)),
            ("limit".to_owned(), json!(limit)),
        ]);
        if let Some(scope) = scope {
            arguments.insert("path".to_owned(), json!([scope]));
        }
        if let Some(commit) = as_of {
            arguments.insert("as_of".to_owned(), json!(commit));
        }
        if task.category == Category::Issue {
            arguments.insert("max_tokens".to_owned(), json!(LIST_TOKENS));
        }
        if !kinds.is_empty() {
            arguments.insert("kind".to_owned(), json!(kinds));
        }
        let answer = self.call("search", Value::Object(arguments));
        let id = answer.as_ref().and_then(|answer| {
            answer
                .structured
                .get("query_id")?
                .as_str()
                .map(str::to_owned)
        });
        self.answer.query_id = id;
        let own = self.subject.engine().repo(&self.subject.repo);
        let own = own.map(|summary| summary.name).unwrap_or_default();
        let places = places(answer);
        // A file of another repository is none of the right one's, whatever its path.
        let found = places.iter().map(|place| match &place.repo {
            Some(repo) if *repo != own => ReturnedPlace {
                file: format!("{repo}: {}", place.path),
                repo: Some(repo.clone()),
                ..found(place)
            },
            _ => found(place),
        });
        self.answer.found = found.collect();
    }
}

fn places(answer: Option<ToolAnswer>) -> Vec<ToolResult> {
    answer.map(|answer| answer.results).unwrap_or_default()
}

/// A list of the answer as data.
fn listed<T: DeserializeOwned>(answer: Option<ToolAnswer>, name: &str) -> Vec<T> {
    let list = answer.and_then(|answer| answer.structured.get(name).cloned());
    list.and_then(|list| serde_json::from_value(list).ok())
        .unwrap_or_default()
}

fn is_original(expected: &Expected) -> bool {
    matches!(
        expected,
        Expected::Places {
            matching: Matching::Lenient,
            ..
        }
    )
}

fn found(place: &ToolResult) -> ReturnedPlace {
    ReturnedPlace {
        file: place.path.clone(),
        line: place.start_line,
        end_line: place.end_line,
        symbol: place.symbol.clone(),
        certain: place.certain,
        ..ReturnedPlace::default()
    }
}
