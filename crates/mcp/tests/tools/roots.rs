//! The client's open folders, where the server was started in none that it may serve.
#![expect(deprecated, reason = "clients of today say so what they have open")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ErrorData, Implementation,
    ListRootsResult, Root,
};
use rmcp::service::{RequestContext, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use whyrank_engine::api::{IndexOptions, JobState};
use whyrank_engine::{Engine, EnginePaths};
use whyrank_mcp::{Profile, Readiness, Server, Session};

/// A client with folders open, which notes when it is asked for them.
struct Editor {
    open: Arc<Mutex<Vec<PathBuf>>>,
    asked: mpsc::UnboundedSender<()>,
    has_roots: bool,
}

impl ClientHandler for Editor {
    fn get_info(&self) -> ClientConfig {
        let builder = ClientCapabilities::builder();
        let capabilities = if self.has_roots {
            builder.enable_roots().build()
        } else {
            builder.build()
        };
        ClientConfig::new(capabilities, Implementation::new("test", "1"))
    }

    async fn list_roots(
        &self,
        _context: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        let open = self.open.lock().expect("no panic");
        let roots = open
            .iter()
            .map(|folder| Root::new(format!("file://{}", folder.display())));
        self.asked.send(()).expect("somebody counts");
        Ok(ListRootsResult::new(roots.collect()))
    }
}

/// Folders with a function each, and an engine that knows none of them.
struct Machine {
    folder: tempfile::TempDir,
    engine: Engine,
}

type Client = RunningService<RoleClient, Editor>;

impl Machine {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let engine =
            Engine::open(EnginePaths::below(&folder.path().join("state"))).expect("an engine");
        let machine = Self { folder, engine };
        for name in ["alpha", "beta"] {
            git2::Repository::init(machine.plain(name)).expect("a repository");
        }
        machine.plain("nothing");
        machine
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A folder with a file.
    fn plain(&self, name: &str) -> PathBuf {
        let folder = self.path(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        let text = format!("def in_{name}():\n    return 1\n");
        std::fs::write(folder.join(format!("{name}.py")), text).expect("a file");
        folder
    }

    fn index(&self, root: &Path) {
        let repo = self
            .engine
            .find_repo(&root.to_string_lossy())
            .expect("a repository");
        let options = IndexOptions {
            skip_vectors: true,
            ..IndexOptions::default()
        };
        let job = self.engine.start_index(&repo.id, options).expect("a job");
        assert_eq!(
            self.engine.wait_job(&job).expect("its end").state,
            JobState::Done
        );
    }

    fn registered(&self) -> Vec<String> {
        let repos = self.engine.repos().expect("a list").into_iter();
        repos.map(|repo| repo.name).collect()
    }

    /// A client of a server that was started in a folder; its calls find what is indexed.
    async fn client(&self, started_in: &str, open: &[&str]) -> (Client, Asked) {
        self.client_with(started_in, open, true).await
    }

    async fn client_with(
        &self,
        started_in: &str,
        open: &[&str],
        has_roots: bool,
    ) -> (Client, Asked) {
        let (engine, home) = (self.engine.clone(), self.path("home"));
        let started_in = self.path(started_in).to_string_lossy().into_owned();
        let server = Server::new(Profile::Full, move || {
            let session = Session::new(engine.clone(), started_in.clone(), Readiness::OnDemand);
            Ok(session.for_agents().away_from(Some(&home)))
        });
        let (server_end, client_end) = tokio::io::duplex(64 * 1024);
        tokio::spawn(async move {
            let running = server.serve(server_end).await.expect("the handshake");
            running.waiting().await.expect("the server ends in order");
        });
        let (asked, times) = mpsc::unbounded_channel();
        let open = Arc::new(Mutex::new(
            open.iter().map(|name| self.path(name)).collect(),
        ));
        let editor = Editor {
            open: Arc::clone(&open),
            asked,
            has_roots,
        };
        let client = editor.serve(client_end).await.expect("the server answers");
        (client, Asked { open, times })
    }
}

struct Asked {
    open: Arc<Mutex<Vec<PathBuf>>>,
    times: mpsc::UnboundedReceiver<()>,
}

async fn call(client: &Client, tool: &str, args: Value) -> (bool, String) {
    let args = args.as_object().expect("an object").clone();
    let call = CallToolRequestParams::new(tool.to_owned()).with_arguments(args);
    let answer = client.call_tool(call).await.expect("an answer");
    let text = answer.content[0].as_text().expect("a text").text.clone();
    (answer.is_error == Some(true), text)
}

async fn lookup(client: &Client, symbol: &str) -> (bool, String) {
    call(client, "lookup", json!({ "symbol": symbol })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_in_no_repository_answers_from_the_client_s_root() {
    let machine = Machine::new();
    machine.index(&machine.path("alpha"));
    let inside = machine.path("alpha/deep");
    std::fs::create_dir(&inside).unwrap();
    for open in [
        &["alpha"][..],
        &["alpha/deep"],
        &["nothing", "no-such-folder", "alpha", "alpha/deep"],
    ] {
        let (client, _asked) = machine.client("nothing", open).await;
        let (failed, text) = lookup(&client, "in_alpha").await;
        assert!(!failed && text.contains("alpha.py:1"), "{open:?}: {text}");
    }
    assert_eq!(machine.registered(), ["alpha"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_home_folder_that_is_a_repository_is_served_to_who_registered_it() {
    let machine = Machine::new();
    git2::Repository::init(machine.plain("home")).unwrap();
    machine.index(&machine.path("alpha"));
    std::fs::create_dir(machine.path("home/deep")).unwrap();
    for started_in in ["home", "home/deep"] {
        let (client, _asked) = machine.client(started_in, &["home", "alpha"]).await;
        let (failed, text) = lookup(&client, "in_alpha").await;
        assert!(!failed && text.contains("alpha.py:1"), "{text}");
        let (without, _asked) = machine.client(started_in, &[]).await;
        let home = json!({"symbol": "in_home", "repo": machine.path("home")});
        for (failed, text) in [
            lookup(&without, "in_home").await,
            call(&without, "lookup", home).await,
        ] {
            assert!(failed && text.contains("whyrank repos add"), "{text}");
        }
        assert_eq!(machine.registered(), ["alpha"]);
    }
    machine.index(&machine.path("home"));
    let (client, _asked) = machine.client("home", &["alpha"]).await;
    let (failed, text) = lookup(&client, "in_home").await;
    assert!(!failed && text.contains("home.py:1"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn several_roots_are_asked_as_several_repositories() {
    let machine = Machine::new();
    for name in ["alpha", "beta"] {
        machine.index(&machine.path(name));
    }
    let (client, _asked) = machine.client("nothing", &["alpha", "beta"]).await;
    for name in ["alpha", "beta"] {
        let (failed, text) = lookup(&client, &format!("in_{name}")).await;
        assert!(!failed && text.contains(&format!("{name}.py:1")), "{text}");
    }
    let (failed, text) = call(&client, "dead_code", json!({})).await;
    assert!(failed && text.contains("takes one repository"), "{text}");
    let (failed, text) = call(&client, "dead_code", json!({"repo": "beta"})).await;
    assert!(!failed, "{text}");
    // A tool that asks no repository is not given any.
    let (failed, text) = call(&client, "list_repos", json!({})).await;
    assert!(!failed && !text.contains("ignored"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn roots_that_change_are_asked_for_again() {
    let machine = Machine::new();
    for name in ["alpha", "beta"] {
        machine.index(&machine.path(name));
    }
    let (client, mut asked) = machine.client("nothing", &["alpha"]).await;
    assert!(!lookup(&client, "in_alpha").await.0);
    asked.times.recv().await.unwrap();
    *asked.open.lock().unwrap() = vec![machine.path("beta")];
    client.notify_roots_list_changed().await.unwrap();
    asked.times.recv().await.unwrap();
    let (failed, text) = lookup(&client, "in_beta").await;
    assert!(!failed && text.contains("beta.py:1"), "{text}");
    assert!(lookup(&client, "in_alpha").await.0, "it was closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_root_the_error_says_so_and_nothing_is_registered() {
    let machine = Machine::new();
    let empty = machine.client("nothing", &[]).await;
    let elsewhere = machine.client("nothing", &["nothing"]).await;
    let unable = machine.client_with("nothing", &["alpha"], false).await;
    for (client, _asked) in [&empty, &elsewhere, &unable] {
        let (failed, text) = lookup(client, "in_nothing").await;
        assert!(failed && text.contains("not in a git repository"), "{text}");
    }
    assert_eq!(machine.registered(), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_in_a_repository_keeps_to_it_and_does_not_ask() {
    let machine = Machine::new();
    machine.index(&machine.path("alpha"));
    let (client, mut asked) = machine.client("alpha", &["beta"]).await;
    let (failed, text) = lookup(&client, "in_alpha").await;
    assert!(!failed && text.contains("alpha.py:1"), "{text}");
    assert!(asked.times.try_recv().is_err());
    assert_eq!(machine.registered(), ["alpha"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_client_has_open_is_registered_nowhere_and_ends_with_its_root() {
    let machine = Machine::new();
    for name in ["alpha", "beta"] {
        machine.index(&machine.path(name));
    }
    for repo in machine.engine.repos().unwrap() {
        machine.engine.remove_repo(&repo.id, false).unwrap();
    }
    let (client, mut asked) = machine.client("nothing", &["alpha", "beta"]).await;
    for name in ["alpha", "beta"] {
        let (failed, text) = lookup(&client, &format!("in_{name}")).await;
        assert!(!failed && text.contains(&format!("{name}.py:1")), "{text}");
    }
    asked.times.recv().await.unwrap();
    assert_eq!(machine.registered(), [""; 0]);
    *asked.open.lock().unwrap() = vec![machine.path("beta")];
    client.notify_roots_list_changed().await.unwrap();
    asked.times.recv().await.unwrap();
    assert!(!lookup(&client, "in_beta").await.0);
    for repo in [json!(machine.path("alpha")), json!("alpha")] {
        let closed = json!({"symbol": "in_alpha", "repo": repo});
        let (failed, text) = call(&client, "lookup", closed).await;
        assert!(failed, "{text}");
    }
    machine.engine.add_repo(&machine.path("alpha")).unwrap();
    let kept = json!({"symbol": "in_alpha", "repo": "alpha"});
    let (failed, text) = call(&client, "lookup", kept).await;
    assert!(!failed && text.contains("alpha.py:1"), "{text}");
}
