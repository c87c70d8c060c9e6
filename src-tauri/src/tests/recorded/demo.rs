//! The demo: two small repositories, what is remembered of them, and a session of an agent.

use super::ids::{Ids, MOMENT_MS};
use super::{Answers, Said, trees};
use crate::agents::Agents;
use crate::consent::Consent;
use crate::fresh::OfFiles;
use crate::shell::Shell;
use crate::tests::recorded::calls::Call;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, UNIX_EPOCH};
use whyrank_benchmark::Bench;
use whyrank_engine::api::{CallRecord, ClientHello, EngineEvent, IndexOptions, RepoId};
use whyrank_engine::{Engine, EnginePaths};
use whyrank_mcp::{Readiness, Session, call_tool, estimate_tokens};

/// The machine's programs, for git; answers see those of the demo's home.
pub(super) const PATH: &str = "WHYRANK_DEMO_PATH";
/// Folders below a home that scenes change.
const KEPT: [&str; 4] = [".local", ".config", ".cursor", "code/switchyard"];

/// The file that the dialog to save the log of calls gives.
const SAVED: &str = "whyrank-calls.jsonl";
/// The longest silence of a scene that has ended and still works.
const LONGEST_WORK: Duration = Duration::from_secs(120);
/// The last work in each repository, in seconds since 1970: at the moment of the recording, and before.
const WORKED_IN: [(&str, u64); 3] = [
    ("switchyard", MOMENT_MS as u64 / 1000),
    ("ledger", MOMENT_MS as u64 / 1000 - 86_400),
    ("switchyard-before", MOMENT_MS as u64 / 1000 - 90 * 86_400),
];

/// A commit: its day, who made it, what it says, and what it changes: files as they are now, with one text
/// put back to what it was.
struct Commit {
    date: &'static str,
    author: &'static str,
    message: &'static str,
    files: &'static [&'static str],
    before: Option<(&'static str, &'static str)>,
}

const COMMITS: [Commit; 6] = [
    Commit {
        date: "2025-11-03T09:12:00Z",
        author: "Ana López",
        message: "Add the trie router",
        files: &[
            "package.json",
            "README.md",
            "src/router.ts",
            "src/router/trie-router",
            "src/utils/url.ts",
        ],
        before: Some(("LIMIT = 8192", "LIMIT = 2048")),
    },
    Commit {
        date: "2026-01-12T14:40:00Z",
        author: "Bo Lindgren",
        message: "Add the regular expression and linear routers",
        files: &[
            "src/router/reg-exp-router",
            "src/router/linear-router",
            "scripts",
        ],
        before: None,
    },
    Commit {
        date: "2026-02-20T08:05:00Z",
        author: "Ana López",
        message: "Choose a router at the first request",
        files: &[
            "src/router/smart-router",
            "src/app.ts",
            "src/middleware/compose.ts",
        ],
        before: None,
    },
    Commit {
        date: "2026-03-02T16:30:00Z",
        author: "A contributor with a long name",
        message: "Validate parameters before handlers, and log requests",
        files: &["src/middleware", "docs"],
        before: None,
    },
    Commit {
        date: "2026-04-15T11:20:00Z",
        author: "Bo Lindgren",
        message: "Add the handlers of the shop",
        files: &["src/handlers"],
        before: None,
    },
    Commit {
        date: "2026-05-18T10:00:00Z",
        author: "Ana López",
        message: "Accept longer paths, and decode them in the native build",
        files: &["src/utils/url.ts", "native"],
        before: None,
    },
];

/// Each is a group of handlers over the application, in a file of its own.
const HANDLERS: [&str; 16] = [
    "accounts",
    "addresses",
    "baskets",
    "brands",
    "coupons",
    "customers",
    "deliveries",
    "invoices",
    "orders",
    "payments",
    "prices",
    "products",
    "refunds",
    "returns",
    "reviews",
    "stocks",
];

/// The copies that scenes begin with: beside the home, where no scan for repositories finds them.
fn kept_of(home: &Path) -> PathBuf {
    home.with_file_name("kept")
}

/// Makes the repositories and programs of a home.
pub(super) fn lay_out(home: &Path) {
    let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("demo");
    let code = home.join("code");
    copy(&sources, &code);
    for name in HANDLERS {
        let file = code
            .join("switchyard/src/handlers")
            .join(format!("{name}.ts"));
        write(&file, &handlers(name));
    }
    let (bin, cursor) = (home.join("bin"), home.join(".cursor"));
    fs::create_dir_all(cursor).expect("a folder for settings");
    fs::create_dir_all(&bin).expect("a folder for programs");
    super::runs::link_programs(&bin);
    let programs = ["code", "zed", "claude"].map(|name| bin.join(name));
    for program in programs.iter().chain([&home.join(".local/bin/whyrank")]) {
        write(program, "#!/bin/sh\n");
        executable(program);
    }
    write(&home.join(".config/zed/settings.json"), "{ \"theme\": ");
    commit_all(
        &code.join("ledger"),
        "2026-05-02T12:00:00Z",
        "Bo Lindgren",
        "Keep books in plain text",
    );
    let yard = code.join("switchyard");
    let later = yard.join("src/utils/url.ts");
    let text = fs::read_to_string(&later).expect("a source of the demo");
    git(&yard, &["init", "--quiet", "--initial-branch", "main"], &[]);
    let origin = "https://github.com/example/switchyard.git";
    git(&yard, &["remote", "add", "origin", origin], &[]);
    for (n_before, commit) in COMMITS.iter().enumerate() {
        let (now, was) = commit.before.unwrap_or_default();
        if n_before == 0 {
            write(&later, &text.replace(now, was));
        } else if n_before + 1 == COMMITS.len() {
            write(&later, &text);
        }
        let files = [&["add", "--"], commit.files].concat();
        git(&yard, &files, &[]);
        commit_staged(&yard, commit.date, commit.author, commit.message);
        if n_before == 3 {
            git(&yard, &["tag", "v2.0.0"], &[]);
        }
    }
    // All of it was pushed.
    git(
        &yard,
        &["update-ref", "refs/remotes/origin/main", "main"],
        &[],
    );
    copy(&yard, &code.join("switchyard-before"));
    copy(&code.join("ledger"), &code.join("archive"));
}

/// Sets when git was last used in a repository, by the files that tell.
fn work_ended(root: &Path, at_s: u64) {
    for name in ["HEAD", "logs/HEAD", "index"] {
        let file = fs::File::options()
            .append(true)
            .open(root.join(".git").join(name));
        file.and_then(|file| file.set_modified(UNIX_EPOCH + Duration::from_secs(at_s)))
            .expect("a file of git");
    }
}

fn handlers(name: &str) -> String {
    let single = name.strip_suffix("ies").map_or_else(
        || name.trim_end_matches('s').to_owned(),
        |stem| format!("{stem}y"),
    );
    let mut title = single.clone();
    title[..1].make_ascii_uppercase();
    format!(
        "import type {{ App }} from \"../app\";\nimport {{ mergePath }} from \"../utils/url\";\n\n\
         /** The routes of {name}. */\n\
         export function register{title}Routes(app: App, base = \"/{name}\"): void {{\n  \
         app.get(base, async () => \"all {name}\");\n  \
         app.get(mergePath(base, \":id\"), async ({{ params }}) => show{title}(params.id ?? \"\"));\n}}\n\n\
         /** One of the {name}, as text. */\n\
         export function show{title}(id: string): string {{\n  return `{single} ${{id}}`;\n}}\n"
    )
}

/// The home with indexes, memos and calls in it, as every scene finds it.
pub(super) struct Demo {
    home: PathBuf,
    yard: RepoId,
}

impl Demo {
    pub(super) fn make(home: &Path, ids: &mut Ids) -> Self {
        let stage = Stage::open(home);
        let code = home.join("code");
        let yard = stage
            .engine
            .add_repo(&code.join("switchyard"))
            .expect("a repository")
            .id;
        ids.call(&yard, "a1b2c3d4e5f6");
        let ledger = stage
            .engine
            .add_repo(&code.join("ledger"))
            .expect("a repository")
            .id;
        ids.call(&ledger, "b2c3d4e5f6a1");
        let gone = stage
            .engine
            .add_repo(&code.join("archive"))
            .expect("a repository")
            .id;
        ids.call(&gone, "e5f6a1b2c3d4");
        fs::remove_dir_all(code.join("archive")).expect("it was there");
        for several in [format!("{yard}+{ledger}"), format!("{ledger}+{yard}")] {
            ids.also_call(&several, "a1b2c3d4e5f6+b2c3d4e5f6a1");
        }
        for (repo, name) in [(&yard, "c3d4e5f6a1b2"), (&ledger, "f6a1b2c3d4e5")] {
            if let Some(file) = stage.memory_file(repo) {
                ids.call(&file, name);
            }
        }
        stage.remember_before(&code.join("switchyard-before"), ids);
        // Memos are of the code before the last commit, which changes what one of them is about.
        let root = code.join("switchyard");
        git(&root, &["checkout", "--quiet", "main~1"], &[]);
        stage.index(&yard);
        stage.remember(ids);
        git(&root, &["checkout", "--quiet", "main"], &[]);
        // Work that is not committed yet.
        let logger = root.join("src/middleware/logger.ts");
        let text = fs::read_to_string(&logger).expect("a source of the demo");
        write(
            &logger,
            &text.replace("Date.now() - start", "Math.round(Date.now() - start)"),
        );
        for (name, at_s) in WORKED_IN {
            work_ended(&code.join(name), at_s);
        }
        stage.index(&yard);
        stage.index(&ledger);
        stage.be_an_agent(&root);
        stage.set_up("claude-code");
        stage.measure(&yard, ids);
        stage.end();
        for kept in KEPT {
            copy(&home.join(kept), &kept_of(home).join(kept));
        }
        Self {
            home: home.to_owned(),
            yard,
        }
    }

    /// The home as it was made, changed as a scene begins.
    pub(super) fn open(&self, scene: &str) -> Stage {
        for kept in KEPT {
            let _ = fs::remove_dir_all(self.home.join(kept));
            copy(&kept_of(&self.home).join(kept), &self.home.join(kept));
        }
        let data = self.home.join(".local/share/whyrank");
        match scene {
            "first" => {
                for folder in [".local/share/whyrank", ".local/state/whyrank"] {
                    fs::remove_dir_all(self.home.join(folder)).expect("it was made");
                }
            }
            "failing" => {
                for name in ["repositories.json", "repositories.copy.json"] {
                    write(&data.join(name), "[");
                }
            }
            _ => {}
        }
        let is_worked_on = trees::work_on(scene, &self.home.join("code/switchyard"));
        let mut stage = Stage::open(&self.home);
        if is_worked_on {
            stage.index(&self.yard);
        }
        if scene == "indexing" {
            stage.watch_index(&self.yard);
        }
        stage
    }
}

/// An engine with all that the commands ask.
pub(super) struct Stage {
    pub(super) engine: Engine,
    pub(super) bench: Bench,
    asked: Vec<Box<dyn Answers>>,
    /// Events of an index in the making.
    told: Vec<EngineEvent>,
}

impl Stage {
    fn open(home: &Path) -> Self {
        let paths = EnginePaths {
            data_dir: home.join(".local/share/whyrank"),
            config_file: home.join(".config/whyrank/config.toml"),
            state_dir: home.join(".local/state/whyrank"),
            models_dir: home.join(".local/share/whyrank/models"),
        };
        let engine = Engine::open(paths.clone()).expect("an engine");
        let agents = Agents::new(engine.clone(), &paths);
        let bench = Bench::new(engine.clone(), paths);
        let consent = Consent::new(|_| true);
        consent.grant_write(home.join(SAVED));
        let shell = Shell {
            engine: engine.clone(),
            bench: bench.clone(),
            agents: agents.clone(),
            consent,
        };
        let asked: Vec<Box<dyn Answers>> = vec![
            Box::new(OfFiles(engine.clone())),
            Box::new(engine.clone()),
            Box::new(agents),
            Box::new(bench.clone()),
            Box::new(shell),
        ];
        Self {
            engine,
            bench,
            asked,
            told: Vec::new(),
        }
    }

    /// Asks a call as the window would.
    pub(super) fn ask(&mut self, call: &Call, ids: &mut Ids) -> Said {
        let given = Value::Object(call.given.clone());
        let said = self.answer(&call.command, &ids.real(&given));
        ids.named(&given, said)
    }

    fn answer(&self, command: &str, given: &Value) -> Said {
        match command {
            "look" => {
                let repo: RepoId = super::argument(given, "repo");
                Ok(super::wire(&self.engine.look_before_answer(&repo)))
            }
            "events" => Ok(super::wire(&self.told)),
            _ => {
                let mut said = self
                    .asked
                    .iter()
                    .filter_map(|callee| callee.answer(command, given));
                said.next()
                    .unwrap_or_else(|| panic!("{command} is no command of the engine"))
            }
        }
    }

    /// The name of the file of a memory, without its ending.
    fn memory_file(&self, repo: &RepoId) -> Option<String> {
        let home = self.engine.memory_home(repo).expect("a memory");
        let name = Path::new(&home.file).file_stem()?;
        Some(name.to_string_lossy().into_owned())
    }

    fn index(&self, repo: &RepoId) {
        let job = self
            .engine
            .start_index(repo, IndexOptions::default())
            .expect("a job");
        self.engine.wait_job(&job).expect("an index");
    }

    /// Keeps what is told while an index is made anew: the last of each stage.
    fn watch_index(&mut self, repo: &RepoId) {
        let events = self.engine.subscribe();
        let rebuild = IndexOptions {
            rebuild: true,
            ..IndexOptions::default()
        };
        let job = self.engine.start_index(repo, rebuild).expect("a job");
        self.engine.wait_job(&job).expect("an index");
        let mut told: Vec<EngineEvent> = Vec::new();
        for event in events.try_iter() {
            let EngineEvent::Progress(new) = &event else {
                continue;
            };
            let is_later = |old: &EngineEvent| matches!(old, EngineEvent::Progress(old) if old.stage == new.stage && old.state == new.state);
            told.retain(|old| !is_later(old));
            told.push(event);
        }
        self.told = told;
    }

    /// Leaves a memory behind of a copy that is not registered any more.
    fn remember_before(&self, root: &Path, ids: &mut Ids) {
        let before = self.engine.add_repo(root).expect("a repository").id;
        if let Some(file) = self.memory_file(&before) {
            ids.call(&file, "d4e5f6a1b2c3");
        }
        let memo = json!({"repo": before, "content": "Releases are cut on Thursdays", "kind": "procedure"});
        self.answer("memo_add", &json!({"request": memo}))
            .expect("a memo");
        self.engine
            .remove_repo(&before, true)
            .expect("it is registered");
    }

    fn remember(&self, ids: &mut Ids) {
        let memos = include_str!("memos.json");
        let memos: Vec<Value> = serde_json::from_str(memos).expect("the demo's memos");
        for memo in memos {
            let (command, given) = (memo["command"].as_str().unwrap_or_default(), &memo["given"]);
            let said = self.answer(command, &ids.real(given));
            let said = said.unwrap_or_else(|error| panic!("{command} {given}: {}", error.message));
            let _ = ids.named(given, Ok(said));
        }
    }

    /// Asks tools as agents do, and keeps their calls.
    fn be_an_agent(&self, root: &Path) {
        let session = Session::new(
            self.engine.clone(),
            root.to_string_lossy(),
            Readiness::OnDemand,
        );
        let calls = [
            (
                "claude-code",
                "s-claude",
                "search",
                json!({"query": "where are path parameters decoded"}),
            ),
            (
                "claude-code",
                "s-claude",
                "definitions",
                json!({"symbol": "decodePath"}),
            ),
            (
                "claude-code",
                "s-claude",
                "refs",
                json!({"symbol": "Router.match"}),
            ),
            (
                "claude-code",
                "s-claude",
                "impact",
                json!({"symbol": "mergePath"}),
            ),
            (
                "cursor",
                "s-cursor",
                "search",
                json!({"query": "how is a router chosen"}),
            ),
            (
                "cursor",
                "s-cursor",
                "refs",
                json!({"symbol": "NoSuchName"}),
            ),
        ];
        for (client, of, tool, args) in calls {
            let asked = whyrank_mcp::Call::plain(&session);
            let outcome = call_tool(tool, &asked, args.as_object().cloned().unwrap_or_default());
            let (text, hits, query_id, error) = match outcome {
                Ok(answer) => {
                    let id = answer.structured.get("query_id").and_then(Value::as_str);
                    (
                        answer.text.clone(),
                        answer.results.len(),
                        id.map(Into::into),
                        None,
                    )
                }
                Err(error) => (error.to_string(), 0, None, Some(error.code.clone())),
            };
            self.engine.record_call(&CallRecord {
                client: ClientHello {
                    name: client.to_owned(),
                    version: "1.4.0".to_owned(),
                    transport: "stdio".to_owned(),
                },
                session: of.to_owned(),
                tool: tool.to_owned(),
                args: args.to_string(),
                repo: None,
                ms: 12.5,
                tokens: estimate_tokens(&text),
                hits: u32::try_from(hits).unwrap_or_default(),
                query_id,
                error,
                text,
            });
        }
    }

    fn set_up(&self, client: &str) {
        let request = json!({
            "client": client, "scope": "user", "project": null, "profile": "standard", "instructions": false,
            "allow_reading": false,
        });
        let said = self.answer("agents_apply", &json!({"request": request, "seen": []}));
        said.unwrap_or_else(|error| panic!("{client}: {}", error.message));
    }

    /// Waits until nothing goes on that this scene began: it would write into the next one's folders.
    ///
    /// # Panics
    /// Something goes on for longer than any work of the demo takes.
    pub(super) fn end(self) {
        let events = self.engine.subscribe();
        drop(self);
        // Whoever works holds the engine, and with it the other end.
        loop {
            match events.recv_timeout(LONGEST_WORK) {
                Ok(_) => {}
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => panic!("a scene goes on after its end"),
            }
        }
    }
}

fn commit_all(root: &Path, date: &str, author: &str, message: &str) {
    git(root, &["init", "--quiet", "--initial-branch", "main"], &[]);
    git(root, &["add", "."], &[]);
    commit_staged(root, date, author, message);
}

pub(super) fn commit_staged(root: &Path, date: &str, author: &str, message: &str) {
    let email = format!(
        "{}@example.org",
        author.split(' ').next().unwrap_or_default().to_lowercase()
    );
    let variables = [
        ("GIT_AUTHOR_NAME", author),
        ("GIT_AUTHOR_EMAIL", &email),
        ("GIT_AUTHOR_DATE", date),
        ("GIT_COMMITTER_NAME", author),
        ("GIT_COMMITTER_EMAIL", &email),
        ("GIT_COMMITTER_DATE", date),
    ];
    git(
        root,
        &["commit", "--quiet", "--message", message],
        &variables,
    );
}

pub(super) fn git(root: &Path, args: &[&str], variables: &[(&str, &str)]) {
    let status = git_command(root, args, variables).status();
    assert!(status.expect("git starts").success(), "git {args:?}");
}

/// Git as it is on any machine: without the settings of this one.
pub(super) fn git_command(root: &Path, args: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new("git");
    command
        .current_dir(root)
        .args(args)
        .envs(variables.iter().copied());
    command
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null");
    let path: Option<OsString> = std::env::var_os(PATH);
    if let Some(path) = path {
        command.env("PATH", path);
    }
    command
}

pub(super) fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a program");
}

fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        return;
    }
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a file");
            // An index tells by its time whether git has moved.
            let saved = path.metadata().and_then(|metadata| metadata.modified());
            let copied = fs::File::options().append(true).open(&target);
            copied
                .and_then(|file| file.set_modified(saved?))
                .or_else(|error| match error.kind() {
                    std::io::ErrorKind::PermissionDenied => Ok(()),
                    _ => Err(error),
                })
                .expect("the same time");
        }
    }
}
