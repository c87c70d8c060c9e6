//! The engine as its callers see it, without a model: register, index, search, explain, errors.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use whyrank_engine::api::{
    CallPathRequest, Channel, DeadCodeRequest, DepStep, DepsRequest, GrepRequest, ImpactRequest,
    ImportPathStep, IndexOptions, JobState, LookupRequest, RefsRequest, RepoId, RepoState,
    SearchRequest, SymbolPlace, UseConfidence,
};
use whyrank_engine::{Engine, EnginePaths};

struct Fixture {
    folder: TempDir,
    engine: Engine,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EnginePaths::below(&folder.path().join("home"))).unwrap();
        let fixture = Self { folder, engine };
        git2::Repository::init(fixture.root()).unwrap();
        fixture.write(
            "src/router.py",
            "class Router:\n    def add_route(self, path):\n        return path\n",
        );
        fixture.write("src/app.py", "from .router import Router\n\n\ndef main():\n    router = Router()\n    return router.add_route('/')\n");
        fixture.write(".env", "TOKEN=1\n");
        fixture
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn index(&self) -> RepoId {
        let repo = self.engine.add_repo(&self.root()).unwrap();
        let job = self
            .engine
            .start_index(&repo.id, IndexOptions::default())
            .unwrap();
        let end = self.engine.wait_job(&job).unwrap();
        assert_eq!(end.state, JobState::Done, "{end:?}");
        repo.id
    }

    fn search(&self, repo: &RepoId, query: &str) -> whyrank_engine::api::SearchResponse {
        let request = SearchRequest {
            repo: repo.to_owned(),
            query: query.to_owned(),
            distinct_files: true,
            ..SearchRequest::default()
        };
        self.engine.search(&request).unwrap()
    }
}

#[test]
fn exact_text_and_patterns_find_every_line_that_the_filters_let_in() {
    let fixture = Fixture::new();
    fixture.write(
        "tests/test_router.py",
        "def test_route():\n    Router().add_route('/')\n",
    );
    let repo = fixture.index();
    let grep = |pattern: &str, regex: bool, change: &dyn Fn(&mut GrepRequest)| {
        let mut request = GrepRequest {
            repo: repo.clone(),
            pattern: pattern.to_owned(),
            regex,
            ..GrepRequest::default()
        };
        change(&mut request);
        fixture.engine.grep(&request).unwrap()
    };
    let places = |answer: &whyrank_engine::api::GrepResponse| -> Vec<String> {
        let files = answer.files.iter();
        let lines = files.flat_map(|file| {
            let place = |line: u32| format!("{}:{line}", file.path);
            file.lines.iter().map(move |line| place(line.text.line))
        });
        lines.collect()
    };
    let exact = grep("add_route(", false, &|_| ());
    // Tests come last.
    assert_eq!(
        places(&exact),
        ["src/app.py:6", "src/router.py:2", "tests/test_router.py:2"]
    );
    let inside = exact.files[0].lines[0].inside.as_ref();
    assert_eq!(
        inside.map(|one| (one.name.as_str(), one.start_line)),
        Some(("main", 4))
    );
    assert_eq!(exact.files[0].lines[0].text.matches, [(18, 28)]);
    assert_eq!((exact.n_files, exact.stopped), (3, None));
    let pattern = grep(r"^class \w+:$", true, &|_| ());
    assert_eq!(places(&pattern), ["src/router.py:1"]);
    let narrowed = grep("ROUTER", false, &|request| request.filters.no_tests = true);
    assert_eq!(narrowed.n_lines, 0, "a capital letter counts");
    let narrowed = grep("router", false, &|request| {
        request.filters.no_tests = true;
        request.filters.kinds = vec!["class".to_owned()];
    });
    assert_eq!(places(&narrowed), ["src/router.py:1"]);
    let first = grep("route", false, &|request| request.limit = 1);
    assert_eq!((places(&first).len(), first.stopped.is_some()), (1, true));
    assert!(first.n_lines > 1);
    let broken = grep("add_route(", true, &|_| ());
    assert_eq!(broken.problem.unwrap().start, 9);
}

#[test]
fn add_index_search_explain() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let answer = fixture.search(&repo, "add a route");
    assert_eq!(answer.hits[0].path, "src/router.py");
    let trace = fixture.engine.explain(&answer.query_id).unwrap();
    assert_eq!(trace.rows[0].path, answer.hits[0].path);
    // The trace was text in between.
    assert!((trace.rows[0].score - answer.hits[0].score).abs() < 1e-12);
    let last = fixture.engine.explain(&"last".into()).unwrap();
    assert_eq!(answer.query_id, *last.query_id);
}

#[test]
fn explain_names_the_lines_that_the_hits_have() {
    let fixture = Fixture::new();
    let long = "    value = shift(value)\n".repeat(120);
    let tax = format!(
        "import math\n\n\n# Rounds a tax to cents,\n# half to even.\ndef round_tax(value):\n{long}    return value\n"
    );
    fixture.write("src/tax.py", &tax);
    let repo = fixture.index();
    let answer = fixture.search(&repo, "round a tax to cents");
    let trace = fixture.engine.explain(&answer.query_id).unwrap();
    let hits = answer.hits.iter();
    let hits: Vec<_> = hits
        .map(|hit| (hit.path.as_str(), hit.start_line, hit.end_line))
        .collect();
    assert_eq!(hits[0], ("src/tax.py", 6, 127));
    let rows = trace.rows.iter().filter(|row| row.shown);
    let rows: Vec<_> = rows
        .map(|row| (row.path.as_str(), row.start_line, row.end_line))
        .collect();
    assert_eq!(rows, hits);
    let part = trace.rows[0].part.unwrap();
    assert!(part.start_line < 6 || part.end_line < 127, "{part:?}");
}

#[test]
fn facets_count_the_hits() {
    let fixture = Fixture::new();
    for n in 0..6 {
        let text = format!("def add_route_{n}(path):\n    return path\n");
        fixture.write(&format!("more/routes_{n}.py"), &text);
    }
    let repo = fixture.index();
    let request = SearchRequest {
        repo,
        query: "add_route".to_owned(),
        limit: 3,
        ..SearchRequest::default()
    };
    let answer = fixture.engine.search(&request).unwrap();
    assert_eq!(answer.hits.len(), 3);
    for facet in &answer.facets {
        let n: u32 = facet.values.iter().map(|value| value.count).sum();
        assert_eq!(n, 3, "{facet:?}");
    }
}

#[test]
fn another_engine_on_the_same_home_sees_index_and_traces() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let answer = fixture.search(&repo, "router");
    let other = Engine::open(EnginePaths::below(&fixture.folder.path().join("home"))).unwrap();
    assert_eq!(other.explain(&answer.query_id).unwrap().query, "router");
    assert_eq!(other.repo(&repo).unwrap().files, 2);
}

/// For a superuser, whom modes do not stop, it is searched all the more.
#[cfg(unix)]
#[test]
fn a_home_that_nobody_can_write_is_searched_as_before() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::new();
    let repo = fixture.index();
    let before = fixture.search(&repo, "add a route");
    let home = fixture.folder.path().join("home");
    let set_modes = |folder_mode, file_mode| {
        let mut folders = vec![home.clone()];
        while let Some(folder) = folders.pop() {
            fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
            for entry in fs::read_dir(&folder).unwrap().flatten() {
                if entry.path().is_dir() {
                    folders.push(entry.path());
                } else {
                    let mode = fs::Permissions::from_mode(file_mode);
                    fs::set_permissions(entry.path(), mode).unwrap();
                }
            }
            fs::set_permissions(&folder, fs::Permissions::from_mode(folder_mode)).unwrap();
        }
    };
    // The last connection that closes leaves all in the file itself.
    let Fixture { folder, engine } = fixture;
    drop(engine);
    set_modes(0o500, 0o400);
    let engine = Engine::open(EnginePaths::below(&home)).unwrap();
    let fixture = Fixture { folder, engine };
    let after = fixture.search(&repo, "add a route");
    assert_eq!(fixture.engine.repo(&repo).unwrap().state, RepoState::Ready);
    let explained = fixture.engine.explain(&after.query_id).unwrap();
    set_modes(0o700, 0o600);
    assert_eq!(after.hits, before.hits);
    assert_eq!(explained.rows[0].path, after.hits[0].path);
}

#[test]
fn the_symbol_graph_is_made_with_the_index_and_again_after_a_change() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let walked = |engine: &Engine| {
        let request = SearchRequest {
            repo: repo.clone(),
            query: "add a route".to_owned(),
            ..SearchRequest::default()
        };
        let answer = engine.search(&request).unwrap();
        let trace = engine.explain(&answer.query_id).unwrap();
        let run = trace
            .channels
            .iter()
            .find(|run| run.channel == Channel::Graph);
        let run = run.unwrap().clone();
        assert_eq!(run.skipped, None);
        assert!(run.n_hits > 0);
        answer.hits
    };
    let other = || Engine::open(EnginePaths::below(&fixture.folder.path().join("home"))).unwrap();
    assert_eq!(walked(&fixture.engine), walked(&other()));
    fixture.write(
        "src/more.py",
        "from .app import main\n\n\ndef more():\n    main()\n",
    );
    fixture.index();
    assert_eq!(walked(&fixture.engine), walked(&other()));
}

#[test]
fn without_its_graph_search_answers_and_says_so() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let with = fixture.search(&repo, "add a route");
    for state in ["damaged", "gone"] {
        let mut stack = vec![fixture.folder.path().join("home")];
        while let Some(path) = stack.pop() {
            if path.is_dir() {
                stack.extend(
                    fs::read_dir(path)
                        .unwrap()
                        .map(|entry| entry.unwrap().path()),
                );
            } else if path.to_string_lossy().contains("relations-") {
                match state {
                    "damaged" => fs::write(&path, [7; 40]).unwrap(),
                    _ => fs::remove_file(&path).unwrap(),
                }
            }
        }
        let other = Engine::open(EnginePaths::below(&fixture.folder.path().join("home"))).unwrap();
        let request = SearchRequest {
            repo: repo.clone(),
            query: "add a route".to_owned(),
            distinct_files: true,
            ..SearchRequest::default()
        };
        let without = other.search(&request).unwrap();
        assert_eq!(without.hits[0].path, "src/router.py");
        assert!(
            without
                .notes
                .iter()
                .any(|note| note.contains("whyrank index"))
        );
        assert_ne!(without.query_id, with.query_id);
    }
}

#[test]
fn the_same_question_has_the_same_id() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let (one, two) = (
        fixture.search(&repo, "router"),
        fixture.search(&repo, "router"),
    );
    assert_eq!(one.query_id, two.query_id);
    assert_eq!(one.hits, two.hits);
}

#[test]
fn status_tells_freshness_coverage_and_what_was_left_out() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let summary = fixture.engine.repo(&repo).unwrap();
    assert_eq!(summary.state, RepoState::Ready, "{}", summary.state_note);
    let listed = fixture.engine.repos().unwrap();
    assert_eq!(listed[0].state, RepoState::Ready, "in the list");
    assert_eq!(summary.skipped_by_reason[0].reason, "may hold secrets");
    assert_eq!(summary.coverage.lexical, 1.0);
    assert_eq!(summary.graph, "ready");
    assert!(
        summary
            .coverage
            .vector_note
            .unwrap()
            .contains("whyrank models pull")
    );
}

#[test]
fn no_graph_is_ready_before_search_can_walk_it() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    // As a run leaves it that ends between the two.
    for entry in walk(fixture.folder.path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with("relations-") {
            fs::remove_file(&entry).unwrap();
        }
    }
    let paths = EnginePaths::below(&fixture.folder.path().join("home"));
    let again = Engine::open(paths).unwrap();
    let graph = again.repo(&repo).unwrap().graph;
    assert!(graph.contains("is not built yet"), "{graph}");
    let job = again.start_index(&repo, IndexOptions::default()).unwrap();
    again.wait_job(&job).unwrap();
    assert_eq!(again.repo(&repo).unwrap().graph, "ready");
}

/// All files below a folder.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let below = entries.map(|path| {
        if path.is_dir() {
            walk(&path)
        } else {
            vec![path]
        }
    });
    below.flatten().collect()
}

/// Commits the files as they are.
fn commit(fixture: &Fixture, message: &str) -> String {
    let git = git2::Repository::open(fixture.root()).unwrap();
    let mut index = git.index().unwrap();
    index
        .add_all(["src"], git2::IndexAddOption::DEFAULT, None)
        .unwrap();
    index.write().unwrap();
    let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
    let author = git2::Signature::now("a", "a@example.org").unwrap();
    let parent = git.head().ok().map(|head| head.peel_to_commit().unwrap());
    let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
    git.commit(Some("HEAD"), &author, &author, message, &tree, &parents)
        .unwrap()
        .to_string()
}

#[test]
fn what_later_commits_said_does_not_count_for_an_issue() {
    let fixture = Fixture::new();
    let before = commit(&fixture, "first");
    fixture.write("src/app.py", "def main():\n    return 1\n");
    commit(&fixture, "Flickering of the lantern is gone");
    let after = commit(&fixture, "nothing");
    let repo = fixture.index();
    let history = |as_of: Option<&str>| {
        let request = SearchRequest {
            repo: repo.clone(),
            query: "Flickering lantern\n\nThe lantern has a flickering light.\n```\nmain()\n```\n"
                .to_owned(),
            as_of: as_of.map(str::to_owned),
            ..SearchRequest::default()
        };
        let answer = fixture.engine.search(&request).unwrap();
        let rows = fixture.engine.explain(&answer.query_id).unwrap().rows;
        let terms = rows.iter().flat_map(|row| {
            let its = row.evidence.iter();
            its.filter(|term| term.name == "issue-history")
        });
        terms.map(|term| term.reason.clone()).collect::<Vec<_>>()
    };
    assert_eq!(history(Some(&before)), Vec::<String>::new());
    for later in [Some(after.as_str()), None] {
        let said = history(later);
        assert!(said[0].contains("lantern"), "{said:?}");
    }
}

#[test]
fn what_the_user_hides_no_view_shows_and_hiding_nearly_all_is_not_ready() {
    let fixture = Fixture::new();
    let git = git2::Repository::open(fixture.root()).unwrap();
    let mut index = git.index().unwrap();
    index
        .add_path(std::path::Path::new("src/router.py"))
        .unwrap();
    index.add_path(std::path::Path::new("src/app.py")).unwrap();
    index.write().unwrap();
    let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
    let author = git2::Signature::now("a", "a@example.org").unwrap();
    git.commit(Some("HEAD"), &author, &author, "first", &tree, &[])
        .unwrap();
    let repo = fixture.index();
    let as_of_head = || {
        let request = SearchRequest {
            repo: repo.clone(),
            query: "add_route".to_owned(),
            as_of: Some("HEAD".to_owned()),
            ..SearchRequest::default()
        };
        let answer = fixture.engine.search(&request).unwrap();
        let mut paths: Vec<String> = answer.hits.into_iter().map(|hit| hit.path).collect();
        paths.sort();
        paths.dedup();
        paths
    };
    assert_eq!(as_of_head(), ["src/app.py", "src/router.py"]);
    fixture.write(".whyrankignore", "router.py\n");
    assert_eq!(as_of_head(), ["src/app.py"]);
    fixture.write("src/.whyrankignore", "*\n");
    fixture.write(".whyrankignore", "*\n");
    assert_eq!(as_of_head(), Vec::<String>::new());
    let summary = {
        fixture.index();
        fixture.engine.repo(&repo).unwrap()
    };
    assert_eq!(summary.state, RepoState::Partial);
    assert!(
        summary.state_note.contains("2 by .whyrankignore"),
        "{}",
        summary.state_note
    );
}

#[test]
fn definitions_uses_and_dependencies() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let lookup = fixture
        .engine
        .lookup(&LookupRequest {
            repo: repo.clone(),
            symbol: "Router.add_route".to_owned(),
            ..LookupRequest::default()
        })
        .unwrap();
    assert_eq!(
        (
            lookup.definitions[0].path.as_str(),
            lookup.definitions[0].name_line
        ),
        ("src/router.py", 2)
    );
    let refs = fixture
        .engine
        .refs(&RefsRequest {
            repo: repo.clone(),
            symbol: "add_route".to_owned(),
            ..RefsRequest::default()
        })
        .unwrap();
    assert!(
        refs.references
            .iter()
            .any(|hit| hit.path == "src/app.py" && hit.line == 6 && hit.kind == "call")
    );
    let deps = fixture
        .engine
        .deps(&DepsRequest {
            repo,
            path: "src/router.py".to_owned(),
            ..DepsRequest::default()
        })
        .unwrap();
    assert_eq!(deps.importers[0].path, "src/app.py");
}

#[test]
fn an_unknown_symbol_brings_near_names() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let lookup = fixture
        .engine
        .lookup(&LookupRequest {
            repo,
            symbol: "add_rout".to_owned(),
            ..LookupRequest::default()
        })
        .unwrap();
    assert!(lookup.definitions.is_empty());
    assert_eq!(lookup.near[0].name, "add_route");
}

#[test]
fn errors_have_a_code_and_a_next_step() {
    let fixture = Fixture::new();
    let outside = tempfile::tempdir().unwrap();
    let error = fixture.engine.add_repo(outside.path()).unwrap_err();
    assert_eq!(error.code, "not-a-repository");
    assert!(!error.hint.is_empty(), "{error}");
    let repo = fixture.engine.add_repo(&fixture.root()).unwrap();
    let request = SearchRequest {
        repo: repo.id,
        query: "x".to_owned(),
        ..SearchRequest::default()
    };
    let error = fixture.engine.search(&request).unwrap_err();
    assert_eq!(error.code, "index-missing");
    assert!(error.hint.contains("whyrank index"), "{error}");
    assert_eq!(
        fixture.engine.explain(&"q0".into()).unwrap_err().code,
        "unknown-query"
    );
}

#[test]
fn weights_are_saved_and_applied() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let mut settings = fixture.engine.settings().unwrap();
    for setting in &mut settings.weights {
        setting.weight = if setting.channel == Channel::Fts {
            2.0
        } else {
            0.0
        };
    }
    fixture.engine.set_settings(&settings).unwrap();
    let answer = fixture.search(&repo, "router");
    assert!(answer.hits.iter().all(|hit| hit.channels == [Channel::Fts]));
    settings.rrf_k = 0.0;
    assert_eq!(
        fixture.engine.set_settings(&settings).unwrap_err().code,
        "bad-argument"
    );
}

#[test]
fn a_save_is_followed_when_watched() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let events = fixture.engine.subscribe();
    fixture.engine.set_watching(&repo, true).unwrap();
    fixture.write("src/cart.py", "def checkout(cart):\n    return cart\n");
    while fixture.engine.repo(&repo).unwrap().files < 3 {
        events
            .recv_timeout(std::time::Duration::from_secs(20))
            .expect("a change is told");
    }
    assert_eq!(
        fixture.search(&repo, "checkout cart").hits[0].path,
        "src/cart.py"
    );
}

#[test]
fn a_removed_repository_takes_its_index_along() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    fixture.engine.remove_repo(&repo, true).unwrap();
    assert!(fixture.engine.repos().unwrap().is_empty());
    assert!(
        fs::read_dir(fixture.folder.path().join("home/data/stores"))
            .unwrap()
            .next()
            .is_none()
    );
}

#[test]
fn a_scan_writes_nothing() {
    let fixture = Fixture::new();
    let report = fixture.engine.scan(&fixture.root()).unwrap();
    assert_eq!(report.files, 2);
    assert!(fixture.engine.repos().unwrap().is_empty());
}

#[test]
fn a_preview_has_the_text_and_its_definitions() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let preview = fixture
        .engine
        .preview(&repo, "src/router.py", None)
        .unwrap();
    assert!(preview.text.starts_with("class Router"));
    assert_eq!(preview.symbols[1].qualified, "Router.add_route");
    assert!(
        preview
            .highlights
            .iter()
            .any(|range| range.class == "keyword")
    );
    let found = |typed: &str| fixture.engine.suggest(&repo, typed, 5).unwrap();
    for typed in ["add_r", "adro", "router.add", "add router.py"] {
        let [symbol, ..] = &found(typed)[..] else {
            panic!("{typed} finds nothing");
        };
        assert_eq!(symbol.text, "Router.add_route", "{typed}");
        let place = (symbol.path.as_deref(), symbol.line);
        assert_eq!(place, (Some("src/router.py"), Some(2)), "{typed}");
    }
    let file = found("rout.py").pop().unwrap();
    assert_eq!(file.path.as_deref(), Some("src/router.py"));
}

#[test]
fn examples_are_a_repositorys_own_names() {
    let fixture = Fixture::new();
    fixture.write("web/pool.py", "def open_all_connections():\n    return 1\n");
    fixture.write("web/tests/test_pool.py", "class TestPool:\n    pass\n");
    fixture.write("web/late.py", "LIMIT = 1\n");
    let repo = fixture.index();
    fixture.engine.prepare_search(&repo).unwrap();
    let examples = fixture.engine.example_queries(&repo).unwrap();
    let texts: Vec<(&str, &str)> = (examples.iter())
        .map(|example| (example.kind.as_str(), example.text.as_str()))
        .collect();
    let [
        ("symbol", "Router"),
        ("words", "open all connections"),
        ("path", path),
    ] = texts[..]
    else {
        panic!("{texts:?}");
    };
    assert!(path.contains('/') && !path.contains("test"), "{path}");
}

#[test]
fn where_no_use_leads_imports_do() {
    let fixture = Fixture::new();
    fixture.write("pkg/__init__.py", "");
    fixture.write(
        "pkg/low.py",
        "LIMIT = 3\n\n\ndef low():\n    return LIMIT\n",
    );
    fixture.write(
        "pkg/mid.py",
        "from pkg import low\n\n\ndef mid():\n    return 1\n",
    );
    fixture.write(
        "pkg/top.py",
        "import pkg.mid\n\n\ndef top():\n    return 2\n",
    );
    let repo = fixture.index();
    let ask = |from: &str, to: &str| {
        let request = CallPathRequest {
            repo: repo.clone(),
            from: from.to_owned(),
            from_path: Some("pkg/top.py".to_owned()).filter(|_| from == "top"),
            from_line: Some(4).filter(|_| from == "top"),
            to: to.to_owned(),
            ..CallPathRequest::default()
        };
        let response = fixture.engine.call_path(&request).unwrap();
        assert!(response.paths.is_empty());
        let step = |step: &ImportPathStep| (step.path.clone(), step.line);
        let steps: Vec<_> = response.imports.iter().map(step).collect();
        (steps, response.reversed)
    };
    let chain = vec![
        ("pkg/top.py".to_owned(), Some(1)),
        ("pkg/mid.py".to_owned(), Some(1)),
        ("pkg/low.py".to_owned(), None),
    ];
    assert_eq!(ask("top", "low"), (chain.clone(), false));
    assert_eq!(ask("low", "top"), (chain, true));
}

#[test]
fn impact_call_path_and_dead_code() {
    let fixture = Fixture::new();
    fixture.write("src/_old.py", "def _unused():\n    return _unused()\n");
    let repo = fixture.index();
    let impact = fixture.engine.impact(&ImpactRequest {
        repo: repo.clone(),
        symbol: "Router.add_route".to_owned(),
        ..ImpactRequest::default()
    });
    let callers = impact.unwrap().callers;
    assert_eq!(callers.len(), 1);
    let place = (
        &callers[0].caller.qualified[..],
        callers[0].depth,
        callers[0].line,
    );
    assert_eq!(place, ("main", 1, 6));
    let path = fixture.engine.call_path(&CallPathRequest {
        repo: repo.clone(),
        from: "add_route".to_owned(),
        to: "main".to_owned(),
        ..CallPathRequest::default()
    });
    let path = path.unwrap();
    assert!(path.reversed && path.paths[0].len() == 2, "{path:?}");
    let ask = |symbols: Vec<SymbolPlace>| {
        let request = DeadCodeRequest {
            repo: repo.clone(),
            symbols,
            ..DeadCodeRequest::default()
        };
        fixture.engine.dead_code(&request).unwrap()
    };
    let place = |symbol: &str| SymbolPlace {
        symbol: symbol.to_owned(),
        ..SymbolPlace::default()
    };
    assert_eq!(ask(vec![place("_unused")]).dead, Some(true));
    assert_eq!(ask(vec![place("Router")]).dead, Some(false));
    assert_eq!(ask(vec![place("nowhere")]).unknown, ["nowhere"]);
    let all = ask(Vec::new());
    let dead = all.findings.iter().filter(|finding| finding.dead);
    let names: Vec<&str> = dead.map(|finding| finding.symbol.name.as_str()).collect();
    assert_eq!(names, ["_unused"]);
    let elsewhere = DeadCodeRequest {
        repo,
        path: "nowhere".to_owned(),
        ..DeadCodeRequest::default()
    };
    let error = fixture.engine.dead_code(&elsewhere).unwrap_err();
    assert_eq!(error.code, "bad-argument");
}

/// `verdict name: reason` of each finding, and what is said of the coverage.
fn dead_with(fixture: &Fixture, repo: &RepoId, coverage: &[&str]) -> (Vec<String>, Vec<String>) {
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let request = DeadCodeRequest {
        repo: repo.to_owned(),
        kinds: owned(&["dead", "ran", "never-ran"]),
        coverage: owned(coverage),
        ..DeadCodeRequest::default()
    };
    let response = fixture.engine.dead_code(&request).unwrap();
    let findings = response.findings.iter().map(|finding| {
        let name = &finding.symbol.name;
        format!("{} {name}: {}", finding.verdict, finding.reason)
    });
    let said = response.coverage.iter().map(|report| {
        let notes = report.notes.join("; ");
        format!(
            "{} {} {}: {notes}",
            report.path, report.format, report.n_files
        )
    });
    (findings.collect(), said.collect())
}

/// Has answers read reports of the repository from now on.
fn name_reports(fixture: &Fixture, repo: &RepoId, paths: &[&str]) {
    let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
    fixture.engine.use_reports(repo, &paths).unwrap();
}

const OLD: &str = "def _unused():\n    return 1\n\n\ndef _plugin():\n    return 2\n";

#[test]
fn coverage_in_a_usual_place_says_what_ran() {
    let fixture = Fixture::new();
    fixture.write("src/_old.py", OLD);
    let repo = fixture.index();
    assert_eq!(dead_with(&fixture, &repo, &[]).0.len(), 2);
    fixture.write(
        "coverage/lcov.info",
        "TN:\nSF:/ci/shop/src/_old.py\nDA:1,1\nDA:2,0\nDA:5,1\nDA:6,7\nend_of_record\n\
         SF:/ci/shop/src/router.py\nDA:3,0\nend_of_record\n\
         SF:/ci/shop/src/gone.py\nDA:3,0\nDA:x\nend_of_record\n",
    );
    assert_eq!(
        dead_with(&fixture, &repo, &[]).1,
        [""; 0],
        "nobody named it"
    );
    name_reports(&fixture, &repo, &["coverage/lcov.info"]);
    let (findings, said) = dead_with(&fixture, &repo, &[]);
    let expected = [
        "dead _unused: nothing in the checkout uses `_unused`; never ran in coverage/lcov.info",
        "never-ran Router: 1 use, never ran in coverage/lcov.info",
        "never-ran add_route: 1 use, never ran in coverage/lcov.info",
        "ran _plugin: ran 7 times in coverage/lcov.info; nothing in the checkout uses `_plugin`",
    ];
    assert_eq!(findings, expected);
    let expected = "coverage/lcov.info lcov 2: 1 path not in the index: /ci/shop/src/gone.py; \
                    line 13: `DA:x` cannot be read";
    assert_eq!(said, [expected]);
    assert!(dead_with(&fixture, &repo, &["none"]).1.is_empty());
}

#[test]
fn one_symbol_is_judged_with_coverage_too() {
    let fixture = Fixture::new();
    fixture.write("src/_old.py", OLD);
    fixture.write(
        "out/cov.info",
        "SF:src/_old.py\nDA:1,1\nDA:2,0\nDA:5,1\nDA:6,1\nend_of_record\n",
    );
    let repo = fixture.index();
    let ask = |symbol: &str| {
        let request = DeadCodeRequest {
            repo: repo.clone(),
            symbols: vec![SymbolPlace {
                symbol: symbol.to_owned(),
                ..SymbolPlace::default()
            }],
            coverage: vec!["out".to_owned()],
            ..DeadCodeRequest::default()
        };
        let finding = fixture
            .engine
            .dead_code(&request)
            .unwrap()
            .findings
            .remove(0);
        (finding.dead, finding.reason)
    };
    let (dead, reason) = ask("_unused");
    assert!(dead && reason.ends_with("; never ran in out"), "{reason}");
    let (dead, reason) = ask("_plugin");
    assert!(!dead && reason.starts_with("ran in out; "), "{reason}");
}

#[test]
fn coverage_of_another_text_is_left_out_and_told() {
    let fixture = Fixture::new();
    fixture.write("lcov.info", "TN:\nSF:src/_old.py\nDA:6,7\nend_of_record\n");
    // Written after the report, and never committed before it.
    let since = std::time::Duration::from_secs(60);
    let report = fs::File::open(fixture.root().join("lcov.info")).unwrap();
    let written = report.metadata().unwrap().modified().unwrap() - since;
    report.set_modified(written).unwrap();
    fixture.write("src/_old.py", OLD);
    let repo = fixture.index();
    name_reports(&fixture, &repo, &["lcov.info"]);
    let (findings, said) = dead_with(&fixture, &repo, &[]);
    assert_eq!(findings.len(), 2, "{findings:?}");
    let expected = "lcov.info lcov 0: 1 file changed since it was written, left out: src/_old.py";
    assert_eq!(said, [expected]);
    // A report that lists more lines than there are is of another text, whatever its date.
    fixture.write(
        "lcov.info",
        "TN:\nSF:src/_old.py\nDA:6,7\nDA:60,7\nend_of_record\n",
    );
    assert_eq!(dead_with(&fixture, &repo, &[]).1, [expected]);
}

#[test]
fn damaged_coverage_fails_nothing_and_a_missing_file_is_named() {
    let fixture = Fixture::new();
    fixture.write("src/_old.py", OLD);
    fixture.write("coverage.xml", "<report/>");
    fixture.write("lcov.info", "SF:src/_old.py\nDA:6");
    fixture.write("cover.out", "");
    let repo = fixture.index();
    name_reports(&fixture, &repo, &["coverage.xml", "lcov.info", "cover.out"]);
    let (findings, said) = dead_with(&fixture, &repo, &[]);
    assert_eq!((findings.len(), said.len()), (2, 3));
    assert!(said[0].contains("not read: it is empty"), "{said:?}");
    assert!(said[1].contains("not read"), "{said:?}");
    let missing = DeadCodeRequest {
        repo,
        coverage: vec!["nowhere.info".to_owned()],
        ..DeadCodeRequest::default()
    };
    let error = fixture.engine.dead_code(&missing).unwrap_err();
    assert_eq!(error.code, "bad-argument");
    assert!(error.message.contains("nowhere.info"), "{error}");
}

/// Processes share nothing but the file, and neither do these engines.
#[test]
fn no_registration_is_lost_when_many_are_made_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let roots: Vec<_> = (0..16)
        .map(|n| folder.path().join(format!("r{n}")))
        .collect();
    let engine = || Engine::open(EnginePaths::below(&folder.path().join("home"))).expect("opened");
    for root in &roots {
        git2::Repository::init(root).expect("a repository");
    }
    std::thread::scope(|scope| {
        for root in &roots {
            scope.spawn(|| engine().add_repo(root).expect("added"));
        }
    });
    assert_eq!(engine().repos().expect("a list").len(), 16);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_whose_name_is_no_text_is_registered_for_the_user_alone() {
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("home");
    let engine = Engine::open(EnginePaths::below(&home)).expect("opened");
    let ids = [b"caf\xe9".as_slice(), b"caf\xe8"].map(|name| {
        let root = folder.path().join(std::ffi::OsStr::from_bytes(name));
        git2::Repository::init(&root).expect("a repository");
        engine.add_repo(&root).expect("added").id
    });
    assert_ne!(ids[0], ids[1]);
    for id in &ids {
        assert_eq!(engine.repo(id).expect("known").name, "caf\u{fffd}");
    }
    for path in ["data", "state", "data/repositories.json"] {
        let meta = std::fs::metadata(home.join(path)).expect("there");
        assert_eq!(meta.permissions().mode() & 0o077, 0, "{path}");
    }
}

#[test]
fn imports_are_followed_over_several_steps() {
    let fixture = Fixture::new();
    fixture.write("a.py", "import b\nimport c\n");
    fixture.write("b.py", "import c\n");
    fixture.write("c.py", "import d\n");
    fixture.write("d.py", "import a\n");
    let repo = fixture.index();
    let request = DepsRequest {
        repo,
        path: "a.py".to_owned(),
        depth: 9,
        ..DepsRequest::default()
    };
    let response = fixture.engine.deps(&request).unwrap();
    let steps = |steps: &[DepStep]| -> Vec<String> {
        let step = |step: &DepStep| format!("{} {} > {}", step.depth, step.from, step.path);
        steps.iter().map(step).collect()
    };
    assert_eq!(steps(&response.further_imports), ["2 c.py > d.py"]);
    let expected = ["2 d.py > c.py", "3 c.py > b.py"];
    assert_eq!(steps(&response.further_importers), expected);
}

#[test]
fn a_module_of_the_file_itself_is_no_external_import() {
    let fixture = Fixture::new();
    let text = "use std::fmt;\nfn f() {}\n\nmod tests {\n    use super::*;\n}\n";
    fs::write(fixture.root().join("src/own.rs"), text).unwrap();
    let repo = fixture.index();
    let request = DepsRequest {
        repo,
        path: "src/own.rs".to_owned(),
        ..DepsRequest::default()
    };
    let imports = fixture.engine.deps(&request).unwrap().imports;
    let modules: Vec<&str> = imports.iter().map(|edge| edge.module.as_str()).collect();
    assert_eq!(modules, ["std"]);
}

#[test]
fn a_search_as_of_a_commit_waits_for_who_is_writing() {
    let fixture = Fixture::new();
    let git = git2::Repository::open(fixture.root()).unwrap();
    let ada = git2::Signature::now("Ada", "ada@example.org").unwrap();
    let mut index = git.index().unwrap();
    index
        .add_all(["src"], git2::IndexAddOption::DEFAULT, None)
        .unwrap();
    let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
    git.commit(Some("HEAD"), &ada, &ada, "a change", &tree, &[])
        .unwrap();
    let repo = fixture.index();

    let stores = fixture.folder.path().join("home/data/stores");
    let store = fs::read_dir(stores).unwrap().next().unwrap().unwrap();
    let store = whyrank_index::Store::at(&store.path());
    let writer = store.writer(whyrank_index::WriteMode::Update).unwrap();
    let request = SearchRequest {
        repo,
        query: "add a route".to_owned(),
        as_of: Some("HEAD".to_owned()),
        ..SearchRequest::default()
    };
    let engine = fixture.engine.clone();
    let search = std::thread::spawn(move || engine.search(&request));
    std::thread::sleep(std::time::Duration::from_millis(100));
    writer.finish().unwrap();
    let answer = search.join().unwrap().unwrap();
    assert_eq!(answer.hits[0].path, "src/router.py");
}

/// A V8 profile: `dispatch` of a file calls `_plugin` of another.
fn v8_profile(root: &str) -> String {
    let node = |id: u32, name: &str, path: &str, line: u32, children: &str| {
        format!(
            r#"{{"id":{id},"callFrame":{{"functionName":"{name}","url":"file://{path}","lineNumber":{line},"columnNumber":9}},"hitCount":3,"children":[{children}]}}"#
        )
    };
    let nodes = [
        node(1, "dispatch", &format!("{root}/src/run.py"), 0, "2,3,4"),
        node(2, "_plugin", &format!("{root}/src/_old.py"), 4, ""),
        node(3, "gone", &format!("{root}/src/gone.py"), 4, ""),
        node(4, "elsewhere", "/other/src/_old.py", 0, ""),
    ];
    format!(r#"{{"nodes":[{}],"samples":[]}}"#, nodes.join(","))
}

#[test]
fn a_profile_in_a_usual_place_says_what_ran_and_who_called_it() {
    let fixture = Fixture::new();
    fixture.write("src/_old.py", OLD);
    fixture.write(
        "src/run.py",
        "def dispatch(name):\n    return HANDLERS[name]()\n",
    );
    let repo = fixture.index();
    fixture.write(
        "app.cpuprofile",
        &v8_profile(&fixture.root().to_string_lossy()),
    );
    // Of this name, and something else.
    fixture.write("profiles/settings.json", "{\"a\": 1}");
    name_reports(&fixture, &repo, &["app.cpuprofile", "profiles"]);
    let (findings, said) = dead_with(&fixture, &repo, &[]);
    let ran = "ran _plugin: ran in 3 samples of app.cpuprofile; nothing in the checkout uses \
               `_plugin`";
    assert!(findings.contains(&ran.to_owned()), "{findings:?}");
    let report = "app.cpuprofile V8 CPU profile 2: 1 path not in the index: ";
    assert!(said.len() == 1 && said[0].starts_with(report), "{said:?}");
    let request = ImpactRequest {
        repo: repo.clone(),
        symbol: "_plugin".to_owned(),
        ..ImpactRequest::default()
    };
    let impact = fixture.engine.impact(&request).unwrap();
    let [caller] = impact.callers.as_slice() else {
        panic!("one caller: {:?}", impact.callers);
    };
    assert_eq!(caller.caller.name, "dispatch");
    assert_eq!(caller.confidence, UseConfidence::Observed);
    assert_eq!(caller.ran, "ran in 3 samples of app.cpuprofile");
    // What has changed since is not what ran.
    let profile = fs::File::open(fixture.root().join("app.cpuprofile")).unwrap();
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    profile.set_modified(before).unwrap();
    fixture.write("src/_old.py", &format!("\n{OLD}"));
    fixture.index();
    let impact = fixture.engine.impact(&request).unwrap();
    assert!(impact.callers.is_empty(), "{:?}", impact.callers);
    let notes = impact.runs[0].notes.join("; ");
    let stale = "changed since it was written, left out: src/_old.py";
    assert!(notes.contains(stale), "{notes}");
}

#[test]
fn a_committed_report_is_listed_and_read_once_it_is_named_in_this_version() {
    let fixture = Fixture::new();
    fixture.write("src/_old.py", OLD);
    let report = |hits: u32| format!("TN:\nSF:src/_old.py\nDA:6,{hits}\nend_of_record\n");
    fixture.write("src/package.json", "{}");
    fixture.write("src/lcov.info", &report(7));
    commit(&fixture, "with a report");
    let repo = fixture.index();
    let listed = || {
        let found = fixture.engine.reports(&repo).unwrap();
        let reports = found.reports.into_iter();
        let line = |one: whyrank_engine::api::FoundReport| {
            format!("{} {} {} {}", one.path, one.kind, one.is_used, one.note)
        };
        reports.map(line).collect::<Vec<_>>()
    };
    assert_eq!(listed(), ["src/lcov.info lcov false "]);
    assert!(dead_with(&fixture, &repo, &[]).1.is_empty());
    name_reports(&fixture, &repo, &["src/lcov.info"]);
    assert_eq!(listed(), ["src/lcov.info lcov true "]);
    assert_eq!(dead_with(&fixture, &repo, &[]).1.len(), 1);
    // Written here: what was named goes on.
    fixture.write("src/lcov.info", &report(8));
    assert_eq!(dead_with(&fixture, &repo, &[]).1.len(), 1);
    // Checked out in another version.
    commit(&fixture, "with another report");
    assert_eq!(
        listed(),
        ["src/lcov.info lcov false changed since it was named"]
    );
    assert!(dead_with(&fixture, &repo, &[]).1.is_empty());
    let path = [PathBuf::from("src/lcov.info")];
    fixture.engine.forget_reports(&repo, &path).unwrap();
    assert_eq!(listed(), ["src/lcov.info lcov false "]);
}

#[test]
fn an_agent_names_no_report_outside_the_repository() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    fixture.write("out/lcov.info", "TN:\n");
    let check = |path: &str| fixture.engine.check_report_inside(&repo, path);
    check("out/lcov.info").unwrap();
    for path in ["/etc/passwd", "../x", "out/../../x"] {
        assert_eq!(check(path).unwrap_err().code, "bad-argument", "{path}");
    }
}

#[test]
fn an_answer_that_nobody_waits_for_reads_no_report() {
    let fixture = Fixture::new();
    fixture.write("src/_old.py", OLD);
    fixture.write("lcov.info", "TN:\nSF:src/_old.py\nDA:6,7\nend_of_record\n");
    let repo = fixture.index();
    name_reports(&fixture, &repo, &["lcov.info"]);
    let request = DeadCodeRequest {
        repo: repo.clone(),
        ..DeadCodeRequest::default()
    };
    let left = std::rc::Rc::new(|| false);
    let outcome =
        whyrank_engine::interest::answer_while(left, || fixture.engine.dead_code(&request));
    assert_eq!(outcome.unwrap_err().code, "cancelled");
    assert_eq!(
        dead_with(&fixture, &repo, &[]).1.len(),
        1,
        "the next one does"
    );
}
