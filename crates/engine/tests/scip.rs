//! A SCIP index beside a repository: precise where it fits, told apart, named where it does not.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

use protobuf::{Message, MessageField};
use scip::types::{Document, Index, Metadata, Occurrence, SymbolRole, ToolInfo};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use whyrank_engine::api::{
    CritiqueRequest, DeadCodeRequest, FileNamesRequest, ImpactRequest, IndexOptions, JobState,
    RefsRequest, RepoId, ScipImport, SymbolPlace, UseConfidence,
};
#[cfg(unix)]
use whyrank_engine::api::{IndexerConsent, IndexerState, PreciseState};
use whyrank_engine::{Engine, EnginePaths};

const SHAPES: &str = "class Round:\n    def area(self):\n        return 3\n\n\n\
                      class Square:\n    def area(self):\n        return 4\n";
const USE: &str =
    "from shapes import Round, Square\n\n\ndef both(one, two):\n    one.area()\n    two.area()\n";
const ROUND: &str = "scip-python python shop 1 shapes/Round#area().";
const SQUARE: &str = "scip-python python shop 1 shapes/Square#area().";

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
        fixture.write("shapes.py", SHAPES.as_bytes());
        fixture.write("use.py", USE.as_bytes());
        fixture
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        fs::write(self.root().join(path), bytes).unwrap();
    }

    fn index(&self) -> RepoId {
        let repo = self.engine.add_repo(&self.root()).unwrap();
        let options = IndexOptions::default();
        let job = self.engine.start_index(&repo.id, options).unwrap();
        assert_eq!(self.engine.wait_job(&job).unwrap().state, JobState::Done);
        repo.id
    }

    /// `line confidence` of each use of a shape's area.
    /// Has answers read the index in the root.
    fn name_index(&self, repo: &RepoId) {
        let file = std::path::Path::new("index.scip");
        self.engine.set_scip(repo, Some(file)).unwrap();
    }

    fn uses(&self, repo: &RepoId, line: u32) -> Vec<String> {
        let response = self.engine.refs(&RefsRequest {
            repo: repo.to_owned(),
            symbol: "area".to_owned(),
            path: Some("shapes.py".to_owned()),
            line: Some(line),
            ..RefsRequest::default()
        });
        let hits = response.unwrap().references;
        hits.iter()
            .map(|hit| format!("{} {}", hit.line, hit.confidence))
            .collect()
    }

    fn status(&self, repo: &RepoId) -> Option<ScipImport> {
        self.engine.health(repo).unwrap().scip
    }
}

fn occurrence(line: i32, start: i32, symbol: &str, role: SymbolRole) -> Occurrence {
    Occurrence {
        range: vec![line - 1, start, start + 4],
        symbol: symbol.to_owned(),
        symbol_roles: role as i32,
        ..Occurrence::default()
    }
}

fn document(path: &str, occurrences: Vec<Occurrence>) -> Document {
    Document {
        relative_path: path.to_owned(),
        occurrences,
        ..Document::default()
    }
}

fn scip() -> Vec<u8> {
    let tool_info = ToolInfo {
        name: "scip-python".to_owned(),
        version: "0.6.6".to_owned(),
        ..ToolInfo::default()
    };
    let metadata = Metadata {
        tool_info: MessageField::some(tool_info),
        ..Metadata::default()
    };
    let index = Index {
        metadata: MessageField::some(metadata),
        documents: vec![
            document(
                "shapes.py",
                vec![
                    occurrence(2, 8, ROUND, SymbolRole::Definition),
                    occurrence(7, 8, SQUARE, SymbolRole::Definition),
                ],
            ),
            document(
                "use.py",
                vec![
                    occurrence(5, 8, ROUND, SymbolRole::ReadAccess),
                    occurrence(6, 8, SQUARE, SymbolRole::ReadAccess),
                ],
            ),
        ],
        ..Index::default()
    };
    index.write_to_bytes().unwrap()
}

#[test]
fn an_index_in_the_root_that_was_named_makes_uses_precise() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    assert_eq!(fixture.uses(&repo, 2), ["5 ambiguous", "6 ambiguous"]);
    assert_eq!(fixture.status(&repo), None);
    fixture.write("index.scip", &scip());
    assert_eq!(fixture.uses(&repo, 2).len(), 2, "nobody named it");
    fixture.name_index(&repo);
    assert_eq!(fixture.uses(&repo, 2), ["5 precise"]);
    assert_eq!(fixture.uses(&repo, 7), ["6 precise"]);
    let status = fixture.status(&repo).unwrap();
    assert_eq!(status.tool, "scip-python 0.6.6");
    let counts = (
        status.n_documents,
        status.n_files,
        status.n_code_files,
        status.n_uses,
    );
    assert_eq!(counts, (2, 2, 2, 2));
    assert!(
        status.age_s < 3_600 && status.notes.is_empty(),
        "{status:?}"
    );
    let verdict = fixture.engine.dead_code(&DeadCodeRequest {
        repo,
        symbols: vec![SymbolPlace {
            symbol: "Round.area".to_owned(),
            ..SymbolPlace::default()
        }],
        ..DeadCodeRequest::default()
    });
    assert_eq!(verdict.unwrap().findings[0].reason, "1 precise use");
}

/// Who reads a file is led where the compiler's index says; without one nothing tells the two apart.
#[test]
fn names_in_a_file_lead_where_the_index_says() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let leads = || {
        let request = FileNamesRequest {
            repo: repo.clone(),
            path: "use.py".to_owned(),
            as_of: None,
        };
        let names = fixture.engine.names_in_file(&request).unwrap();
        let calls = names.names.iter().filter(|name| name.line >= 5);
        let line = |at: &u32| names.definitions[*at as usize].name_line;
        calls
            .map(|name| (name.confidence, name.targets.iter().map(line).collect()))
            .collect::<Vec<(UseConfidence, Vec<u32>)>>()
    };
    let open = (UseConfidence::Ambiguous, vec![2, 7]);
    assert_eq!(leads(), [open.clone(), open]);
    fixture.write("index.scip", &scip());
    fixture.name_index(&repo);
    let precise = |line| (UseConfidence::Precise, vec![line]);
    assert_eq!(leads(), [precise(2), precise(7)]);
}

/// Commits the index in the root.
fn commit_index(fixture: &Fixture) {
    let git = git2::Repository::open(fixture.root()).unwrap();
    let mut staged = git.index().unwrap();
    staged.add_path(std::path::Path::new("index.scip")).unwrap();
    staged.write().unwrap();
    let tree = git.find_tree(staged.write_tree().unwrap()).unwrap();
    let who = git2::Signature::now("Ada", "ada@example.org").unwrap();
    git.commit(Some("HEAD"), &who, &who, "index", &tree, &[])
        .unwrap();
}

#[test]
fn answers_that_rest_on_a_committed_index_say_so() {
    let fixture = Fixture::new();
    fixture.write("index.scip", &scip());
    let repo = fixture.index();
    fixture.name_index(&repo);
    let refs = || {
        let request = RefsRequest {
            repo: repo.clone(),
            symbol: "Round.area".to_owned(),
            ..RefsRequest::default()
        };
        fixture.engine.refs(&request).unwrap().brought
    };
    assert_eq!(refs(), [""; 0], "it was made here");
    commit_index(&fixture);
    fixture.name_index(&repo);
    assert_eq!(refs(), ["index.scip"]);
    assert_eq!(fixture.status(&repo).unwrap().brought, ["index.scip"]);
    let dead = fixture.engine.dead_code(&DeadCodeRequest {
        repo: repo.clone(),
        ..DeadCodeRequest::default()
    });
    assert_eq!(dead.unwrap().brought, ["index.scip"]);
    let impact = fixture.engine.impact(&ImpactRequest {
        repo: repo.clone(),
        symbol: "Round.area".to_owned(),
        ..ImpactRequest::default()
    });
    assert_eq!(impact.unwrap().brought, ["index.scip"]);
    let critique = fixture.engine.critique(&CritiqueRequest {
        repo: repo.clone(),
        claim: "`both` calls `Round.area`".to_owned(),
        ..CritiqueRequest::default()
    });
    assert_eq!(critique.unwrap().brought, ["index.scip"]);
}

#[test]
fn uses_over_another_name_are_left_out_and_counted() {
    let fixture = Fixture::new();
    let renamed = USE.replace("two.area()", "two.edge()");
    fixture.write("use.py", renamed.as_bytes());
    fixture.write("index.scip", &scip());
    let repo = fixture.index();
    fixture.name_index(&repo);
    assert_eq!(fixture.uses(&repo, 2), ["5 precise"]);
    let status = fixture.status(&repo).unwrap();
    assert_eq!(
        status.notes,
        ["1 uses over another name than their symbol's, left out"]
    );
}

#[test]
fn a_changed_file_is_left_out_and_named() {
    let fixture = Fixture::new();
    fixture.write("index.scip", &scip());
    fixture.write("use.py", format!("# moved\n{USE}").as_bytes());
    let repo = fixture.index();
    fixture.name_index(&repo);
    assert_eq!(fixture.uses(&repo, 2), ["6 ambiguous", "7 ambiguous"]);
    let status = fixture.status(&repo).unwrap();
    assert_eq!(status.n_files, 1);
    assert_eq!(status.notes, ["1 changed since, left out: use.py"]);
}

#[test]
fn a_damaged_index_gives_what_it_has() {
    let fixture = Fixture::new();
    let bytes = scip();
    fixture.write("index.scip", &bytes[..bytes.len() - 3]);
    let repo = fixture.index();
    fixture.name_index(&repo);
    let status = fixture.status(&repo).unwrap();
    assert_eq!((status.n_documents, status.n_files), (1, 1));
    assert!(status.notes[0].contains("damaged or cut"), "{status:?}");
    assert_eq!(fixture.uses(&repo, 2), ["5 ambiguous", "6 ambiguous"]);
    fixture.write("index.scip", b"this is text");
    assert_eq!(fixture.status(&repo).unwrap().n_files, 0);
    assert_eq!(fixture.uses(&repo, 2).len(), 2);
}

#[test]
fn a_file_elsewhere_is_taken_when_it_is_named() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    let elsewhere = fixture.folder.path().join("out.scip");
    let error = fixture
        .engine
        .set_scip(&repo, Some(&elsewhere))
        .unwrap_err();
    assert_eq!(error.code, "bad-argument");
    fs::write(&elsewhere, scip()).unwrap();
    fixture.engine.set_scip(&repo, Some(&elsewhere)).unwrap();
    assert_eq!(fixture.uses(&repo, 2), ["5 precise"]);
    fs::remove_file(&elsewhere).unwrap();
    assert_eq!(fixture.uses(&repo, 2).len(), 2);
    let notes = fixture.status(&repo).unwrap().notes;
    assert_eq!(notes, ["the file is gone: run the indexer again"]);
    fixture.engine.set_scip(&repo, None).unwrap();
    assert_eq!(fixture.status(&repo), None);
}

/// An installed indexer: a script that answers with an index that was made beforehand.
#[cfg(unix)]
fn install(fixture: &Fixture, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let folder = fixture
        .folder
        .path()
        .join("home/data/tools/node_modules/.bin");
    fs::create_dir_all(&folder).unwrap();
    fs::write(fixture.folder.path().join("made.scip"), scip()).unwrap();
    let made = fixture.folder.path().join("made.scip");
    let text = format!("#!/bin/sh\nMADE={}\n{script}\n", made.display());
    let program = folder.join("scip-python");
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
const WRITES: &str = r#"for last; do :; done; cp "$MADE" "$last"; echo wrote it"#;

#[cfg(unix)]
#[test]
fn an_indexer_that_was_agreed_to_makes_uses_precise() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    install(&fixture, WRITES);
    let plan = fixture.engine.precise_plan(&repo).unwrap();
    let [python] = plan.indexers.as_slice() else {
        panic!("{plan:?}");
    };
    assert_eq!((python.id.as_str(), python.n_files), ("scip-python", 2));
    assert_eq!(
        (python.state, &python.runs_code),
        (IndexerState::Ready, &None)
    );
    assert!(
        python.commands[0]
            .line
            .contains("scip-python index --quiet"),
        "{python:?}"
    );
    assert_eq!(
        fixture.uses(&repo, 2),
        ["5 ambiguous", "6 ambiguous"],
        "nothing ran yet"
    );

    let run = |agreed: &IndexerConsent| {
        let agreed = std::slice::from_ref(agreed);
        fixture.engine.run_indexers(&repo, agreed, &mut |_| ())
    };
    let mut agreed = python.consent();
    let report = run(&agreed).unwrap();
    assert_eq!(report.indexers[0].state, PreciseState::Done, "{report:?}");
    assert_eq!(report.current.unwrap().n_files, 2);
    assert_eq!(fixture.uses(&repo, 2), ["5 precise"]);
    assert_eq!(
        fs::read_dir(fixture.root()).unwrap().count(),
        3,
        ".git and two files"
    );

    install(&fixture, "echo no memory left >&2; exit 3");
    let report = run(&agreed).unwrap();
    let error = report.indexers[0].error.clone().unwrap();
    assert!(
        error.message.contains("exit status: 3: no memory left"),
        "{error:?}"
    );
    assert_eq!(
        fixture.uses(&repo, 2),
        ["5 precise"],
        "what was there stays"
    );

    agreed.commands[0].line.push_str(" --more");
    assert_eq!(run(&agreed).unwrap_err().code, "plan-changed");
    agreed.id = "scip-go".to_owned();
    assert_eq!(run(&agreed).unwrap_err().code, "bad-argument");
    fixture.engine.forget_precise(&repo).unwrap();
    assert_eq!(fixture.uses(&repo, 2), ["5 ambiguous", "6 ambiguous"]);
}

#[cfg(unix)]
#[test]
fn a_cancelled_indexer_leaves_answers_as_they_were() {
    let fixture = Fixture::new();
    let repo = fixture.index();
    install(&fixture, "echo begun; sleep 60");
    let unfinished = fixture
        .folder
        .path()
        .join("home/data/precise")
        .join(repo.as_str());
    let unfinished = unfinished.join("scip-python-7.scip.new");
    fs::create_dir_all(unfinished.parent().unwrap()).unwrap();
    fs::write(&unfinished, "what a killed run left").unwrap();
    let plan = fixture.engine.precise_plan(&repo).unwrap();
    let agreed = [plan.indexers[0].consent()];
    let report = fixture
        .engine
        .run_indexers(&repo, &agreed, &mut |progress| {
            if progress.line == "begun" {
                fixture.engine.cancel_indexers(&repo).unwrap();
            }
        });
    let one = report.unwrap().indexers.remove(0);
    assert_eq!(one.state, PreciseState::Cancelled, "{one:?}");
    assert!(!unfinished.exists());
    assert_eq!(fixture.status(&repo), None);
    assert!(!fixture.engine.precise_plan(&repo).unwrap().is_running);
}
