//! The tool calls that answer one task, and what of their answers counts.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;
use whyrank_engine::api::{DeadFinding, Level, RepoId, RepoSummary, TestPlace, TestedSymbol};
use whyrank_eval::{
    Answer, Call, Category, Direction, Expected, Matching, Place, Question, Relation,
    ReturnedPlace, Task,
};
use whyrank_mcp::{Session, ToolAnswer, ToolResult, call_tool};

/// Room for a whole list of uses: what is counted must be what the agent reads.
const LIST_TOKENS: u32 = 20_000;
/// Steps of impact when the task names none.
const DEFAULT_DEPTH: u32 = 3;

/// Where calls go.
pub(super) struct CallTarget {
    pub(super) session: Session,
    /// Words in comments and strings count as references.
    pub(super) mentions: bool,
    /// The repository asked about, and others by their key.
    pub(super) repo: RepoId,
    pub(super) others: BTreeMap<String, RepoSummary>,
    /// Where searches ask all repositories of the suite.
    pub(super) pool: Option<Pool>,
}

/// All repositories of a suite.
#[derive(Default)]
pub(super) struct Pool {
    pub(super) repos: Vec<RepoId>,
    /// Folders that tasks are about, below the names of their repositories.
    pub(super) paths: Vec<String>,
}

/// Answers a task; `None` where there are no tools for such a task.
pub(super) fn answer(target: &CallTarget, task: &Task) -> Option<Answer> {
    let mut caller = Caller {
        target,
        answer: Answer::default(),
    };
    caller.ask(task).then_some(caller.answer)
}

/// The calls made for one task.
struct Caller<'a> {
    target: &'a CallTarget,
    answer: Answer,
}

impl Caller<'_> {
    /// Whether there are tools for such a task.
    fn ask(&mut self, task: &Task) -> bool {
        match (&task.question, task.category) {
            (Question::Symbol { symbol, .. }, Category::P1) => self.definition(symbol),
            (Question::Symbol { .. }, Category::P3) => self.across(&task.question),
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
        let repo = json!(self.target.repo);
        self.call_in(&repo, tool, arguments)
    }

    fn call_in(&mut self, repo: &Value, tool: &str, arguments: Value) -> Option<ToolAnswer> {
        let Value::Object(mut arguments) = arguments else {
            return None;
        };
        arguments.retain(|_, value| !value.is_null());
        self.answer.calls.push(Call {
            tool: tool.to_owned(),
            arguments: Value::Object(arguments.clone()).to_string(),
        });
        let repo = match &self.target.pool {
            Some(pool) if tool == "search" => {
                arguments.insert("path".to_owned(), json!(pool.paths));
                json!(pool.repos)
            }
            _ => repo.clone(),
        };
        arguments.insert("repo".to_owned(), repo);
        let started = Instant::now();
        let outcome = call_tool(
            tool,
            &whyrank_mcp::Call::plain(&self.target.session),
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

    /// One call for the repository itself and the others.
    fn across(&mut self, question: &Question) {
        let Question::Symbol {
            symbol,
            file,
            line,
            elsewhere,
            relation,
            ..
        } = question
        else {
            return;
        };
        let others = elsewhere
            .iter()
            .filter_map(|name| self.target.others.get(name));
        let ids: Vec<RepoId> = std::iter::once(self.target.repo.clone())
            .chain(others.map(|other| other.id.clone()))
            .collect();
        let own = self.own_name();
        // A path that several repositories may have begins with the name of one.
        let path = file.as_ref().map(|file| format!("{own}/{file}"));
        let (tool, arguments) = match relation {
            Relation::Definition => ("lookup", json!({"symbol": symbol})),
            Relation::Uses => (
                "refs",
                json!({"symbol": symbol, "path": path, "line": line, "tests": true, "max_tokens": LIST_TOKENS}),
            ),
            Relation::Callers => (
                "impact",
                json!({"symbol": symbol, "path": path, "line": line, "depth": 1, "max_tokens": LIST_TOKENS}),
            ),
        };
        let places = places(self.call_in(&json!(ids), tool, arguments));
        let is_asked =
            |place: &&ToolResult| *relation != Relation::Callers || place.symbol.is_some();
        let key = |name: &String| {
            let mut others = self.target.others.iter();
            let other = others.find(|(_, summary)| summary.name == *name);
            other.map(|(key, _)| key.clone())
        };
        let found = places.iter().filter(is_asked).map(|place| ReturnedPlace {
            repo: place
                .repo
                .as_ref()
                .filter(|name| **name != own)
                .and_then(key),
            ..found(place)
        });
        self.answer.found = found.collect();
    }

    fn own_name(&self) -> String {
        let own = self.target.session.engine().repo(&self.target.repo);
        own.map(|summary| summary.name).unwrap_or_default()
    }

    fn refs(&mut self, symbol: &str, file: Option<&str>, line: Option<u32>) -> Vec<ToolResult> {
        let arguments = json!({"symbol": symbol, "path": file, "line": line, "tests": true, "mentions": self.mentions(), "max_tokens": LIST_TOKENS});
        places(self.call("refs", arguments))
    }

    /// Left out of the call where it is not asked for.
    fn mentions(&self) -> Option<bool> {
        self.target.mentions.then_some(true)
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
        let is_non_production = |hit: &Value| {
            let is = |name: &str| hit.get(name).and_then(Value::as_bool) == Some(true);
            is("test") || is("doc")
        };
        let listed = listed.unwrap_or_default();
        let aside: BTreeSet<(&str, u64)> = listed
            .iter()
            .filter(|hit| is_non_production(hit))
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
        let confidence = answer.as_ref();
        let confidence =
            confidence.and_then(|answer| answer.structured.get("confidence")?.as_f64());
        self.answer.confidence = confidence;
        let id = answer.as_ref().and_then(|answer| {
            answer
                .structured
                .get("query_id")?
                .as_str()
                .map(str::to_owned)
        });
        self.answer.query_id = id;
        let own = self.own_name();
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
