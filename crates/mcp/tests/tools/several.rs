//! Several repositories in one call.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use whyrank_engine::api::{GraphEdgeKind, GraphViewRequest, IndexOptions, JobState, SymbolPlace};
use whyrank_engine::{Engine, EnginePaths};
use whyrank_mcp::{Call, Readiness, Session, ToolAnswer, ToolError, call_tool};

/// A library, two programs and a home.
struct Street {
    folder: tempfile::TempDir,
    engine: Engine,
    session: Session,
}

const LIBRARY: &str = "\
def retry_with_backoff(call, attempts):
    \"\"\"Calls again after a failure, waiting longer each time.\"\"\"
    for attempt in range(attempts):
        call()

def parse_header(text):
    return text.split(\":\")
";
const PROGRAM: &str = "\
from pacer import retry_with_backoff

def fetch_orders(client):
    \"\"\"Fetches orders, and retries with backoff after a failure.\"\"\"
    return retry_with_backoff(client.get, 3)
";
const OTHER: &str = "\
def render_invoice(order):
    return order.total

def parse_header(text):
    return text.partition(\":\")
";

impl Street {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let engine =
            Engine::open(EnginePaths::below(&folder.path().join("home"))).expect("it opens");
        let session = Session::new(engine.clone(), "", Readiness::OnDemand);
        let street = Self {
            folder,
            engine,
            session,
        };
        street.house("pacer", "pacer/__init__.py", LIBRARY);
        street.house("orders", "orders/main.py", PROGRAM);
        street.house("invoices", "invoices/main.py", OTHER);
        street
    }

    fn root(&self, name: &str) -> PathBuf {
        self.folder.path().join("code").join(name)
    }

    /// A repository, committed and indexed.
    fn house(&self, name: &str, path: &str, text: &str) {
        let manifest = format!("[project]\nname = \"{name}\"\n");
        self.build(name, &[("pyproject.toml", &manifest), (path, text)]);
    }

    /// A repository of these files, indexed.
    fn build(&self, name: &str, files: &[(&str, &str)]) {
        let root = self.root(name);
        git2::Repository::init(&root).expect("a repository");
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }
        self.index(&root);
    }

    fn index(&self, root: &Path) {
        let repo = self.engine.add_repo(root).expect("added");
        let options = IndexOptions {
            skip_vectors: true,
            ..IndexOptions::default()
        };
        let job = self.engine.start_index(&repo.id, options).expect("a job");
        let end = self.engine.wait_job(&job).expect("its end");
        assert_eq!(end.state, JobState::Done, "{end:?}");
    }

    fn try_call(&self, tool: &str, args: Value) -> Result<ToolAnswer, ToolError> {
        let Value::Object(args) = args else {
            panic!("arguments are an object");
        };
        call_tool(tool, &Call::plain(&self.session), args)
    }

    fn call(&self, tool: &str, args: Value) -> ToolAnswer {
        self.try_call(tool, args)
            .unwrap_or_else(|error| panic!("{tool}: {error}"))
    }

    fn first_line(&self, tool: &str, args: Value) -> String {
        let text = self.call(tool, args).text;
        text.lines().next().unwrap_or_default().to_owned()
    }
}

#[test]
fn one_ranking_over_all_names_each_hits_repository() {
    let street = Street::new();
    let ask = |repo: Value| {
        street.call(
            "search",
            json!({"query": "retry with backoff", "repo": repo}),
        )
    };
    let answer = ask(json!("all"));
    let repos: Vec<&str> = answer
        .results
        .iter()
        .filter_map(|hit| hit.repo.as_deref())
        .collect();
    assert_eq!(repos[..2], ["pacer", "orders"], "{}", answer.text);
    assert!(
        answer.text.starts_with("pacer/pacer/__init__.py:1-"),
        "{}",
        answer.text
    );
    // The order in which they are named says nothing, and neither does how.
    street
        .engine
        .set_workspace(
            "street",
            &[
                "orders".to_owned(),
                "invoices".to_owned(),
                "pacer".to_owned(),
            ],
        )
        .unwrap();
    for repo in [
        json!(["orders", "pacer", "invoices"]),
        json!("pacer,invoices,orders"),
        json!("street"),
    ] {
        assert_eq!(ask(repo.clone()).text, answer.text, "{repo}");
    }
    let some = ask(json!(["invoices", "orders"]));
    assert!(
        some.results
            .iter()
            .all(|hit| hit.repo.as_deref() != Some("pacer"))
    );
    let path = json!({"query": "parse header", "repo": "all", "path": "invoices/invoices"});
    let narrowed = street.call("search", path);
    assert!(
        narrowed
            .results
            .iter()
            .all(|hit| hit.repo.as_deref() == Some("invoices"))
    );
    assert!(!narrowed.results.is_empty(), "{}", narrowed.text);
}

#[test]
fn terms_of_a_pooled_answer_sum_to_its_scores_and_name_repositories() {
    let street = Street::new();
    let answer = street.call(
        "search",
        json!({"query": "pacer: retry after a failure", "repo": "all"}),
    );
    let id = answer.structured["query_id"].as_str().unwrap().into();
    let trace = street.engine.explain(&id).unwrap();
    assert!(!trace.rows.is_empty());
    for row in &trace.rows {
        let channels: f64 = row.channels.iter().map(|rank| rank.contribution).sum();
        let terms: f64 = row.evidence.iter().map(|term| term.contribution).sum();
        assert!((channels + terms - row.score).abs() < 1e-9, "{row:?}");
        let is_named = row
            .evidence
            .iter()
            .any(|term| term.name == "repository-named");
        assert_eq!(is_named, row.repo.as_deref() == Some("pacer"), "{row:?}");
    }
}

#[test]
fn how_sure_an_answer_is_was_measured_on_one_repository_alone() {
    let street = Street::new();
    let ask = |repo: Value| {
        let query = json!({"query": "retry with backoff", "repo": repo});
        street.call("search", query).structured
    };
    assert!(ask(json!("pacer"))["confidence"].is_f64());
    let pooled = ask(json!(["pacer", "orders"]));
    assert!(pooled.get("confidence").is_none(), "{pooled}");
    let id = &pooled["query_id"];
    let explained = street.call("explain", json!({"query_id": id})).text;
    let why = "confidence not given: not measured over several repositories";
    assert!(explained.contains(why), "{explained}");
}

#[test]
fn memos_of_several_are_one_list_each_with_its_repository() {
    let street = Street::new();
    let remember = |repo: &str, content: &str| {
        street.call("remember", json!({"repo": repo, "content": content}))
    };
    remember("pacer", "Backoff doubles because the gateway blocks");
    remember("orders", "Orders never retry a payment");
    remember("orders", "The gateway blocks");
    let ask = |repo: Value| street.call("recall", json!({"query": "gateway blocks", "repo": repo}));
    let answer = ask(json!("all"));
    let repos: Vec<&str> = answer
        .text
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(repos[1..3], ["orders", "pacer"], "{}", answer.text);
    assert_eq!(
        answer.structured["memos"][0]["memo"]["repo"]["name"],
        "orders"
    );
    fs::remove_dir_all(street.root("invoices")).unwrap();
    // What was never indexed has a memory all the same.
    git2::Repository::init(street.root("fresh")).unwrap();
    street.engine.add_repo(&street.root("fresh")).unwrap();
    remember("fresh", "The gateway of fresh blocks at once");
    let answer = ask(json!(["pacer", "invoices", "orders", "fresh"]));
    let mut lines = answer.text.lines();
    assert_eq!(
        lines.next(),
        Some("not asked: invoices (its folder is gone)")
    );
    assert!(answer.text.contains("\nfresh "), "{}", answer.text);
}

#[test]
fn a_name_is_looked_up_in_each() {
    let street = Street::new();
    let answer = street.call(
        "lookup",
        json!({"symbol": "parse_header", "repo": ["pacer", "invoices"]}),
    );
    insta::assert_snapshot!(answer.text, @r"
    ## invoices
    invoices/main.py:4-5 function def parse_header(text)
    ## pacer
    pacer/__init__.py:6-7 function def parse_header(text)
    ");
    let repos: Vec<&str> = answer
        .results
        .iter()
        .filter_map(|one| one.repo.as_deref())
        .collect();
    assert_eq!(repos, ["invoices", "pacer"]);
    let error = street
        .try_call("lookup", json!({"symbol": "nowhere", "repo": "all"}))
        .unwrap_err();
    assert_eq!(error.code, "not-found");
    let error = street
        .try_call("audit", json!({"repo": "all"}))
        .unwrap_err();
    assert!(error.hint.contains("search"), "{}", error.hint);
}

#[test]
fn what_cannot_be_asked_stands_in_the_first_line() {
    let street = Street::new();
    let query = |repo: Value| json!({"query": "retry with backoff", "repo": repo});
    let line = street.first_line("search", query(json!(["pacer", "orders", "nonsuch"])));
    assert_eq!(
        line,
        "not asked: nonsuch (no repository or workspace of that name)"
    );
    // A second working tree of a repository has nothing to add, and a link is the same folder.
    let pacer = git2::Repository::open(street.root("pacer")).unwrap();
    let mut index = pacer.index().unwrap();
    index
        .add_all(["*"], git2::IndexAddOption::DEFAULT, None)
        .unwrap();
    let tree = pacer.find_tree(index.write_tree().unwrap()).unwrap();
    let ada = git2::Signature::now("Ada", "ada@example.org").unwrap();
    pacer
        .commit(Some("HEAD"), &ada, &ada, "all", &tree, &[])
        .unwrap();
    pacer.worktree("twin", &street.root("twin"), None).unwrap();
    street.index(&street.root("twin"));
    let line = street.first_line("search", query(json!(["pacer", "twin", "orders"])));
    assert_eq!(
        line,
        "not asked: twin (a working tree of pacer, which is asked)"
    );
    fs::remove_dir_all(street.root("invoices")).unwrap();
    let line = street.first_line("search", query(json!(["pacer", "invoices", "orders"])));
    assert_eq!(line, "not asked: invoices (its folder is gone)");
    let line = street.first_line(
        "lookup",
        json!({"symbol": "fetch_orders", "repo": "pacer,invoices,orders"}),
    );
    assert_eq!(line, "not asked: invoices (its folder is gone)");
    git2::Repository::init(street.root("fresh")).unwrap();
    street.engine.add_repo(&street.root("fresh")).unwrap();
    let line = street.first_line("search", query(json!(["pacer", "fresh", "orders"])));
    assert!(line.starts_with("not asked: fresh (not indexed"), "{line}");
}

#[test]
fn what_one_repository_imports_binds_to_the_one_that_provides_it() {
    let street = Street::new();
    let ask = |tool: &str, args: Value| {
        let mut args = args;
        args["repo"] = json!(["orders", "invoices", "pacer"]);
        street.call(tool, args)
    };
    let refs = ask("refs", json!({"symbol": "retry_with_backoff"}));
    insta::assert_snapshot!(refs.text, @r"
    ## orders + pacer
    retry_with_backoff (pacer/pacer/__init__.py:1-4): all 2 uses
    orders/orders/main.py: 5; import 1
    ");
    let uses: Vec<(&str, &str, u32)> = refs
        .results
        .iter()
        .map(|one| {
            (
                one.repo.as_deref().unwrap_or_default(),
                one.path.as_str(),
                one.start_line,
            )
        })
        .collect();
    assert!(uses.contains(&("orders", "orders/main.py", 5)), "{uses:?}");
    let impact = ask("impact", json!({"symbol": "retry_with_backoff"}));
    assert!(
        impact
            .text
            .contains("orders/orders/main.py: 3 fetch_orders"),
        "{}",
        impact.text
    );
    let deps = ask("deps", json!({"path": "pacer/__init__.py"}));
    assert!(
        deps.text.contains("  orders/orders/main.py: 1"),
        "{}",
        deps.text
    );
    let path = ask(
        "call_path",
        json!({"from": "fetch_orders", "to": "retry_with_backoff"}),
    );
    assert!(
        path.text.contains("pacer/pacer/__init__.py"),
        "{}",
        path.text
    );
    let context = ask("context", json!({"task": "retry with backoff"}));
    assert!(
        context.text.contains("pacer/pacer/__init__.py"),
        "{}",
        context.text
    );
    let proposed = street.engine.propose_workspaces().unwrap();
    let names = |one: &whyrank_engine::api::ProposedWorkspace| -> Vec<String> {
        one.repos.iter().map(|repo| repo.name.clone()).collect()
    };
    assert_eq!(
        proposed.iter().map(names).collect::<Vec<_>>(),
        [["orders", "pacer"]]
    );
}

/// A language, what it calls the function, a manifest and a source that provide it, and those that use
/// it.
type Pair = (
    &'static str,
    &'static str,
    [(&'static str, &'static str); 4],
);

const PAIRS: [Pair; 7] = [
    (
        "go",
        "Again",
        [
            ("go.mod", "module github.com/acme/pacer\n"),
            (
                "retry/retry.go",
                "package retry\n\nfunc Again(n int) int { return n }\n",
            ),
            ("go.mod", "module github.com/acme/shop\n"),
            (
                "main.go",
                "package main\n\nimport \"github.com/acme/pacer/retry\"\n\nfunc main() { retry.Again(1) }\n",
            ),
        ],
    ),
    (
        "rust",
        "again",
        [
            ("Cargo.toml", "[package]\nname = \"pacer-core\"\n"),
            ("src/lib.rs", "pub fn again(n: u32) -> u32 {\n    n\n}\n"),
            ("Cargo.toml", "[package]\nname = \"shop\"\n"),
            (
                "src/main.rs",
                "use pacer_core::again;\n\nfn main() {\n    again(1);\n}\n",
            ),
        ],
    ),
    (
        "java",
        "again",
        [
            ("pom.xml", "<project/>"),
            (
                "src/main/java/org/acme/pacer/Retry.java",
                "package org.acme.pacer;\n\npublic class Retry {\n    public static int again(int n) { return n; }\n}\n",
            ),
            ("pom.xml", "<project/>"),
            (
                "src/main/java/org/acme/shop/Main.java",
                "package org.acme.shop;\n\nimport org.acme.pacer.Retry;\n\nclass Main {\n    int run() { return Retry.again(1); }\n}\n",
            ),
        ],
    ),
    (
        "php",
        "again",
        [
            (
                "composer.json",
                r#"{"autoload": {"psr-4": {"Acme\\Pacer\\": "src/"}}}"#,
            ),
            (
                "src/Retry.php",
                "<?php\nnamespace Acme\\Pacer;\n\nclass Retry {\n    public static function again($n) { return $n; }\n}\n",
            ),
            (
                "composer.json",
                r#"{"autoload": {"psr-4": {"Acme\\Shop\\": "src/"}}}"#,
            ),
            (
                "src/Main.php",
                "<?php\nnamespace Acme\\Shop;\n\nuse Acme\\Pacer\\Retry;\n\nclass Main {\n    function run() { return Retry::again(1); }\n}\n",
            ),
        ],
    ),
    (
        "ruby",
        "again",
        [
            ("pacer.gemspec", "Gem::Specification.new\n"),
            (
                "lib/pacer.rb",
                "module Pacer\n  class Retry\n    def self.again(n)\n      n\n    end\n  end\nend\n",
            ),
            ("Gemfile", "gem \"pacer\"\n"),
            (
                "lib/shop.rb",
                "require \"pacer\"\n\ndef run\n  Pacer::Retry.again(1)\nend\n",
            ),
        ],
    ),
    (
        "csharp",
        "Again",
        [
            ("Pacer/Pacer.csproj", "<Project></Project>"),
            (
                "Pacer/Retry.cs",
                "namespace Pacer;\n\npublic class Retry\n{\n    public static int Again(int n) => n;\n}\n",
            ),
            ("Shop/Shop.csproj", "<Project></Project>"),
            (
                "Shop/Main.cs",
                "using Pacer;\n\nnamespace Shop;\n\npublic class Main\n{\n    public int Run() => Retry.Again(1);\n}\n",
            ),
        ],
    ),
    (
        "typescript",
        "again",
        [
            (
                "package.json",
                r#"{"name": "@acme/pacer", "main": "dist/index.js"}"#,
            ),
            (
                "src/index.ts",
                "export function again(n: number) { return n; }\n",
            ),
            ("package.json", r#"{"name": "shop"}"#),
            (
                "src/main.ts",
                "import { again } from \"@acme/pacer\";\n\nexport const run = () => again(1);\n",
            ),
        ],
    ),
];

/// The same under a name that the importer gives to the package.
const ALIASED: [Pair; 3] = [
    (
        "npm",
        "again",
        [
            (
                "package.json",
                r#"{"name": "@acme/pacer", "main": "src/index.ts"}"#,
            ),
            (
                "src/index.ts",
                "export function again(n: number) { return n; }\n",
            ),
            (
                "package.json",
                r#"{"name": "shop", "dependencies": {"pace": "npm:@acme/pacer@^2"}}"#,
            ),
            (
                "src/main.ts",
                "import { again } from \"pace\";\n\nexport const run = () => again(1);\n",
            ),
        ],
    ),
    (
        "cargo",
        "again",
        [
            ("Cargo.toml", "[package]\nname = \"acme-pacer\"\n"),
            ("src/lib.rs", "pub fn again(n: u32) -> u32 {\n    n\n}\n"),
            (
                "Cargo.toml",
                "[package]\nname = \"shop\"\n\n[dependencies]\npace = { package = \"acme-pacer\", version = \"1\" }\n",
            ),
            (
                "src/main.rs",
                "use pace::again;\n\nfn main() {\n    again(1);\n}\n",
            ),
        ],
    ),
    (
        "gomod",
        "Again",
        [
            ("go.mod", "module example.org/fork/pacer\n"),
            (
                "pacer.go",
                "package pacer\n\nfunc Again(n int) int {\n\treturn n\n}\n",
            ),
            (
                "go.mod",
                "module example.org/shop\n\nreplace example.org/pacer => example.org/fork/pacer v1.0.0\n",
            ),
            (
                "main.go",
                "package main\n\nimport \"example.org/pacer\"\n\nfunc main() {\n\tpacer.Again(1)\n}\n",
            ),
        ],
    ),
];

#[test]
fn uses_are_found_across_repositories_in_each_language() {
    let street = Street::new();
    for (language, symbol, [manifest, provider, other_manifest, user]) in
        PAIRS.into_iter().chain(ALIASED)
    {
        let (lib, shop) = (format!("{language}-lib"), format!("{language}-shop"));
        street.build(&lib, &[manifest, provider]);
        street.build(&shop, &[other_manifest, user]);
        let refs = street.call("refs", json!({"symbol": symbol, "repo": [shop, lib]}));
        let is_use = |one: &whyrank_mcp::ToolResult| {
            one.repo.as_ref() == Some(&shop) && one.path == user.0 && one.certain == Some(true)
        };
        assert!(refs.results.iter().any(is_use), "{language}: {}", refs.text);
    }
}

#[test]
fn an_error_says_which_repositories_were_not_asked() {
    let street = Street::new();
    let new = street.root("new");
    git2::Repository::init(&new).unwrap();
    street.engine.add_repo(&new).unwrap();
    let args = json!({"symbol": "nowhere_at_all", "repo": ["pacer", "orders", "new"]});
    for tool in ["lookup", "refs"] {
        let error = street.try_call(tool, args.clone()).unwrap_err();
        assert_eq!(error.code, "not-found");
        assert!(error.message.contains("not asked: new"), "{error}");
    }
}

#[test]
fn a_folder_s_default_workspace_is_asked_where_none_is_named() {
    let street = Street::new();
    let names = ["pacer".to_owned(), "invoices".to_owned()];
    street.engine.set_workspace("street", &names).unwrap();
    let home = street.engine.known_repo("pacer").unwrap().unwrap().id;
    let set = |name| street.engine.set_default_workspace(&home, name);
    assert_eq!(set(Some("nowhere")).unwrap_err().code, "unknown-workspace");
    set(Some("street")).unwrap();
    let root = street.root("pacer");
    let session = Session::new(
        street.engine.clone(),
        root.to_string_lossy(),
        Readiness::OnDemand,
    );
    let lookup = |args: Value| {
        let args = args.as_object().unwrap().clone();
        let answer = call_tool("lookup", &Call::plain(&session), args).unwrap();
        answer.results.len()
    };
    assert_eq!(lookup(json!({"symbol": "parse_header"})), 2);
    assert_eq!(
        lookup(json!({"symbol": "parse_header", "repo": "pacer"})),
        1
    );
    // A tool that takes one repository is asked about the folder's.
    let args = json!({}).as_object().unwrap().clone();
    call_tool("dead_code", &Call::plain(&session), args).unwrap();
    set(None).unwrap();
    assert_eq!(lookup(json!({"symbol": "parse_header"})), 1);
}

#[test]
fn what_the_open_file_imports_comes_earlier_and_says_why() {
    let street = Street::new();
    let ask = |current: Option<&str>| {
        let mut args = json!({"query": "parse header", "repo": "orders"});
        if let Some(current) = current {
            args["current_file"] = json!(current);
        }
        let answer = street.call("search", args);
        let id = answer.structured["query_id"].as_str().unwrap().into();
        (street.engine.explain(&id).unwrap(), answer)
    };
    street.build(
        "orders",
        &[
            (
                "orders/far.py",
                "def parse_header(text):\n    return text\n",
            ),
            (
                "orders/near.py",
                "def parse_header(text):\n    return [text]\n",
            ),
            (
                "orders/open.py",
                "from orders.near import parse_header\n\nparse_header(1)\n",
            ),
        ],
    );
    let (trace, answer) = ask(Some("orders/open.py"));
    assert_eq!(answer.results[0].path, "orders/near.py", "{}", answer.text);
    let near = trace.rows.iter().find(|row| row.path == "orders/near.py");
    let mut terms = near.unwrap().evidence.iter();
    let term = terms.find(|term| term.name == "open-file").unwrap();
    assert_eq!(term.reason, "imported by orders/open.py, which is open");
    let (_, answer) = ask(Some("orders/gone.py"));
    let says =
        "current_file does not count, not in the asking repository's index: orders/gone.py\n";
    assert!(answer.text.starts_with(says), "{}", answer.text);
    let (trace, answer) = ask(None);
    assert!(!answer.text.contains("current_file"), "{}", answer.text);
    let mut terms = trace.rows.iter().flat_map(|row| &row.evidence);
    assert!(terms.all(|term| term.name != "open-file"));
}

#[test]
fn a_name_that_one_repository_has_leaves_out_similar_names_of_others() {
    let street = Street::new();
    street.house("headers", "headers/main.py", "PARSE_HEADER = 1\n");
    let lookup = |symbol: &str| {
        let repos = ["headers", "pacer"];
        let answer = street.call("lookup", json!({"symbol": symbol, "repo": repos}));
        let found = answer.results.into_iter();
        found
            .map(|one| one.repo.unwrap_or_default())
            .collect::<Vec<_>>()
    };
    assert_eq!(lookup("parse_header"), ["pacer"]);
    assert_eq!(lookup("PARSE_HEADER"), ["headers"]);
    assert_eq!(lookup("Parse_Header"), ["headers", "pacer"]);
}

#[test]
fn what_the_asking_repository_imports_comes_a_little_earlier() {
    let street = Street::new();
    let root = street.root("orders");
    let session = Session::new(
        street.engine.clone(),
        root.to_string_lossy(),
        Readiness::OnDemand,
    );
    let args = json!({"query": "parse header", "repo": "all"});
    let args = args.as_object().unwrap().clone();
    let answer = call_tool("search", &Call::plain(&session), args).unwrap();
    assert_eq!(
        answer.results[0].repo.as_deref(),
        Some("pacer"),
        "{}",
        answer.text
    );
    let id = answer.structured["query_id"].as_str().unwrap().into();
    let trace = street.engine.explain(&id).unwrap();
    for row in &trace.rows {
        let terms = row.evidence.iter();
        let reason = terms
            .clone()
            .find(|term| term.name == "repository-imported");
        let reason = reason.map(|term| term.reason.as_str());
        let expected =
            (row.repo.as_deref() == Some("pacer")).then_some("lies in pacer, which orders imports");
        assert_eq!(reason, expected);
    }
}

#[test]
fn an_agent_asks_together_what_it_may_ask_one_by_one() {
    let street = Street::new();
    let outside = street.folder.path().join("outside");
    git2::Repository::init(&outside).unwrap();
    let engine = street.engine.clone();
    let session = Session::new(
        engine,
        street.root("pacer").to_string_lossy(),
        Readiness::OnDemand,
    );
    let session = session.for_agents();
    let outside = outside.to_string_lossy();
    let args = json!({"query": "retry", "repo": ["orders", outside]});
    let error = call_tool(
        "search",
        &Call::plain(&session),
        args.as_object().unwrap().clone(),
    );
    assert_eq!(error.unwrap_err().code, "out-of-reach");
}

#[test]
fn what_the_window_draws_of_several_has_paths_that_lead_back() {
    let street = Street::new();
    let engine = &street.engine;
    let own = engine.find_repo(&street.root("orders").to_string_lossy());
    let own = own.unwrap().id;
    let shop = ["orders".to_owned(), "pacer".to_owned()];
    engine.set_workspace("shop", &shop).unwrap();
    engine.set_default_workspace(&own, Some("shop")).unwrap();
    let choices = engine.scope_choices(&own).unwrap();
    let named: Vec<(&str, usize, bool)> = choices
        .iter()
        .map(|one| (one.name.as_str(), one.repos.len(), one.is_default))
        .collect();
    assert_eq!(named, [("shop", 2, true), ("all", 3, false)]);

    let several = &choices[0].id;
    let found = engine.suggest(several, "retry_with", 5).unwrap();
    let path = found[0].path.clone().unwrap();
    assert_eq!(path, "pacer/pacer/__init__.py");
    let file = engine.preview(several, &path, None).unwrap();
    assert_eq!((file.path, file.text.as_str()), (path.clone(), LIBRARY));
    let drawn = engine.graph_view(&GraphViewRequest {
        repo: several.clone(),
        focus: SymbolPlace {
            symbol: "retry_with_backoff".to_owned(),
            ..SymbolPlace::default()
        },
        kinds: vec![GraphEdgeKind::Call, GraphEdgeKind::CoChange],
        ..GraphViewRequest::default()
    });
    let drawn = drawn.unwrap();
    let paths: Vec<&str> = drawn.nodes.iter().map(|node| node.path.as_str()).collect();
    assert!(paths.contains(&"orders/orders/main.py"), "{paths:?}");
    let note = drawn.notes.last().unwrap();
    assert!(note.contains("repositories share no commits"), "{note}");

    assert!(engine.blame(several, &path, None).is_ok());
    let error = engine
        .blame(several, "elsewhere/main.py", None)
        .unwrap_err();
    assert_eq!(error.code, "bad-argument");
}
