//! Structural search and recurring roles over an index, without a model.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

use std::fs;
use tempfile::TempDir;
use whyrank_engine::api::{
    AstGrepRequest, AstGrepResponse, IndexOptions, JobState, PatternsRequest, PatternsResponse,
    RepoId,
};
use whyrank_engine::{Engine, EnginePaths, Result};

struct Fixture {
    folder: TempDir,
    engine: Engine,
    repo: RepoId,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EnginePaths::below(&folder.path().join("home"))).unwrap();
        let root = folder.path().join("shop");
        git2::Repository::init(&root).unwrap();
        let mut fixture = Self {
            folder,
            engine,
            repo: RepoId::default(),
        };
        files
            .iter()
            .for_each(|(path, text)| fixture.write(path, text));
        fixture.repo = fixture.engine.add_repo(&root).unwrap().id;
        fixture.index();
        fixture
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join("shop").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn index(&self) {
        let options = IndexOptions {
            skip_vectors: true,
            ..IndexOptions::default()
        };
        let job = self.engine.start_index(&self.repo, options).unwrap();
        assert_eq!(self.engine.wait_job(&job).unwrap().state, JobState::Done);
    }

    fn ask(&self, pattern: &str, change: impl Fn(&mut AstGrepRequest)) -> Result<AstGrepResponse> {
        let mut request = AstGrepRequest {
            repo: self.repo.clone(),
            pattern: pattern.to_owned(),
            ..AstGrepRequest::default()
        };
        change(&mut request);
        self.engine.ast_grep(&request)
    }

    fn places(&self, pattern: &str, change: impl Fn(&mut AstGrepRequest)) -> Vec<String> {
        let response = self.ask(pattern, change).unwrap();
        let place =
            |found: &whyrank_engine::api::AstMatch| format!("{}:{}", found.path, found.start_line);
        response.matches.iter().map(place).collect()
    }
}

fn shop() -> Fixture {
    Fixture::new(&[
        (
            "src/a.py",
            "class Cart:\n    def load(self, path):\n        return open(path, 'r')\n",
        ),
        ("src/b.js", "const a = open('x');\nopen(a, 'r');\n"),
        (
            "src/view.vue",
            "<template/>\n<script>\nopen(1, \"r\")\n</script>\n",
        ),
        ("tests/test_a.py", "open(2, 'r')\n"),
        ("README.md", "open(3, 'r')\n"),
    ])
}

#[test]
fn a_shape_is_found_in_every_language_that_can_write_it() {
    let shop = shop();
    let expected = [
        "src/a.py:3",
        "src/b.js:2",
        "src/view.vue:3",
        "tests/test_a.py:1",
    ];
    assert_eq!(shop.places("open($X, 'r')", |_| ()), expected);
    let response = shop.ask("open($X, 'r')", |_| ()).unwrap();
    let first = &response.matches[0];
    assert_eq!(first.enclosing.as_deref(), Some("Cart.load"));
    assert_eq!(
        (
            first.bindings[0].name.as_str(),
            first.bindings[0].text.as_str()
        ),
        ("X", "path")
    );
    assert!(response.matches[3].test && response.note.is_empty());
    assert_eq!((response.n_matches, response.n_files), (4, 4));
}

#[test]
fn language_path_and_limit_narrow() {
    let shop = shop();
    let python = shop.places("open($$$)", |request| {
        "py".clone_into(&mut request.language)
    });
    assert_eq!(python, ["src/a.py:3", "tests/test_a.py:1"]);
    let vue = shop.places("open($$$)", |request| {
        "vue".clone_into(&mut request.language)
    });
    assert_eq!(vue, ["src/view.vue:3"]);
    let script = shop.places("open($$$)", |request| {
        "javascript".clone_into(&mut request.language)
    });
    assert_eq!(script, ["src/b.js:1", "src/b.js:2", "src/view.vue:3"]);
    let below = shop.places("open($$$)", |request| {
        request.paths = vec!["tests".to_owned()]
    });
    assert_eq!(below, ["tests/test_a.py:1"]);
    let response = shop.ask("open($$$)", |request| request.limit = 1).unwrap();
    assert_eq!((response.matches.len(), response.n_matches), (1, 5));
}

#[test]
fn an_older_commit_is_searched_as_it_was() {
    let shop = shop();
    let repository = git2::Repository::open(shop.folder.path().join("shop")).unwrap();
    let mut index = repository.index().unwrap();
    index
        .add_all(["*"], git2::IndexAddOption::DEFAULT, None)
        .unwrap();
    let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
    let author = git2::Signature::now("a", "a@example.com").unwrap();
    repository
        .commit(Some("HEAD"), &author, &author, "first", &tree, &[])
        .unwrap();
    shop.write("src/b.js", "close();\n");
    shop.index();
    let in_script = |as_of: Option<&str>| {
        shop.places("open($$$)", |request| {
            request.paths = vec!["src/b.js".to_owned()];
            request.as_of = as_of.map(str::to_owned);
        })
    };
    assert!(in_script(None).is_empty());
    assert_eq!(in_script(Some("HEAD")).len(), 2);
}

#[test]
fn what_is_no_pattern_is_refused_with_a_way_out() {
    let shop = shop();
    let error = |pattern: &str, language: &str| {
        let answer = shop.ask(pattern, |request| {
            language.clone_into(&mut request.language)
        });
        let error = answer.unwrap_err();
        assert_eq!(error.code, "bad-argument");
        format!("{error}")
    };
    assert!(error("open($X", "python").contains("such as"));
    assert!(error("open(($", "").contains("is not valid"));
    assert!(error("$X", "").contains("matches everything"));
    assert!(error("f()", "cobol").contains("it knows typescript"));
    assert!(
        shop.ask("f()", |request| request.paths = vec!["nowhere".to_owned()])
            .is_err()
    );
}

fn roles(fixture: &Fixture, pattern: &str, paths: &[&str]) -> Result<PatternsResponse> {
    fixture.engine.patterns(&PatternsRequest {
        repo: fixture.repo.clone(),
        pattern: pattern.to_owned(),
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        as_of: None,
    })
}

#[test]
fn roles_are_listed_with_their_evidence_and_counted() {
    let fixture = Fixture::new(&[
        ("src/errors.py", "class NotFound(Exception):\n    pass\n"),
        (
            "src/app.py",
            "from .errors import NotFound\n\ndef find():\n    raise NotFound()\n",
        ),
        (
            "src/log.js",
            "function log(req, res, next) {\n  console.log(req.url);\n  next();\n}\n",
        ),
        ("tests/test_a.py", "class Odd(Exception):\n    pass\n"),
    ]);
    let errors = roles(&fixture, "exceptions", &[]).unwrap();
    let first = &errors.findings[0];
    assert_eq!(
        (first.symbol.name.as_str(), first.confidence.as_str()),
        ("NotFound", "high")
    );
    let evidence = &first.evidence[1];
    assert_eq!((evidence.path.as_str(), evidence.line), ("src/app.py", 4));
    assert!(errors.findings[1].test);
    let all = roles(&fixture, "", &[]).unwrap();
    let names: Vec<&str> = all
        .findings
        .iter()
        .map(|one| one.pattern.as_str())
        .collect();
    assert_eq!(names, ["error-type", "middleware"]);
    assert_eq!(
        (all.counts[0].reason.as_str(), all.counts[0].count),
        ("error-type", 1)
    );
    assert!(
        roles(&fixture, "middleware", &["tests"])
            .unwrap()
            .findings
            .is_empty()
    );
    let error = roles(&fixture, "soup", &[]).unwrap_err();
    assert!(error.hint.contains("middleware"), "{error}");
}
