//! The shape of a code base as the engine tells it, without a model.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use whyrank_engine::api::{
    AuditRequest, ClustersRequest, ConceptsRequest, ExportRequest, FileDiffRequest, IndexOptions,
    JobState, Level, LineKind, OverviewRequest, RepoId, RepositoryMapRequest, ReviewRequest,
    ReviewedSymbol, TestMapRequest, TestedSymbol,
};
use whyrank_engine::{Engine, EnginePaths};

struct Fixture {
    folder: TempDir,
    engine: Engine,
    git: git2::Repository,
}

const FILES: &[(&str, &str)] = &[
    (
        "shop/cart.py",
        "from shop import prices\n\n\nclass Cart:\n    def __init__(self):\n        self.items = []\n\n    def \
         total(self):\n        return sum(prices.price_of(item) for item in self.items)\n\n    def \
         empty(self):\n        self.items = []\n",
    ),
    (
        "shop/prices.py",
        "from shop import cart\n\n\ndef price_of(item):\n    return with_tax(item.price)\n\n\ndef \
         with_tax(price):\n    return price * 2\n",
    ),
    (
        "shop/main.py",
        "from shop.cart import Cart\n\n\ndef main():\n    return Cart().total()\n",
    ),
    (
        "tests/test_cart.py",
        "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 0\n",
    ),
    (
        "pyproject.toml",
        "[project.scripts]\nshop = \"shop.main:main\"\n",
    ),
];

impl Fixture {
    fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EnginePaths::below(&folder.path().join("home"))).unwrap();
        let git = git2::Repository::init(folder.path().join("repo")).unwrap();
        Self {
            folder,
            engine,
            git,
        }
    }

    fn shop() -> Self {
        let fixture = Self::empty();
        for (path, text) in FILES {
            fixture.write(path, text);
        }
        fixture.commit();
        fixture
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn commit(&self) {
        let mut index = self.git.index().unwrap();
        index
            .add_all(["*"], git2::IndexAddOption::DEFAULT, None)
            .unwrap();
        index.write().unwrap();
        let tree = self.git.find_tree(index.write_tree().unwrap()).unwrap();
        let time = git2::Time::new(1_700_000_000, 0);
        let ada = git2::Signature::new("Ada", "ada@example.org", &time).unwrap();
        let parent = self
            .git
            .head()
            .ok()
            .map(|head| head.peel_to_commit().unwrap());
        let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
        self.git
            .commit(Some("HEAD"), &ada, &ada, "a change", &tree, &parents)
            .unwrap();
    }

    fn index(&self) -> RepoId {
        let repo = self.engine.add_repo(&self.root()).unwrap();
        let options = IndexOptions {
            skip_vectors: true,
            ..IndexOptions::default()
        };
        let job = self.engine.start_index(&repo.id, options).unwrap();
        let end = self.engine.wait_job(&job).unwrap();
        assert_eq!(end.state, JobState::Done, "{end:?}");
        repo.id
    }
}

#[test]
fn an_overview_has_exports_entry_points_and_bridges() {
    let fixture = Fixture::shop();
    let repo = fixture.index();
    let map = fixture.engine.overview(&OverviewRequest {
        repo: repo.clone(),
        ..OverviewRequest::default()
    });
    let map = map.unwrap();
    let starts: Vec<(&str, u32)> = map
        .entry_points
        .iter()
        .map(|entry| (entry.path.as_str(), entry.line))
        .collect();
    assert_eq!(starts, [("shop/main.py", 4)]);
    let shop = map
        .modules
        .iter()
        .find(|module| module.path == "shop")
        .unwrap();
    let exports: Vec<&str> = shop
        .exports
        .iter()
        .map(|symbol| symbol.name.as_str())
        .collect();
    assert!(
        exports.contains(&"Cart") && exports.contains(&"price_of"),
        "{exports:?}"
    );
    let nowhere = fixture.engine.overview(&OverviewRequest {
        repo: repo.clone(),
        path: "shopp".to_owned(),
        ..OverviewRequest::default()
    });
    let error = nowhere.unwrap_err();
    assert_eq!(error.code, "bad-argument");
    let inside = fixture.engine.overview(&OverviewRequest {
        repo,
        path: "./shop/".to_owned(),
        ..OverviewRequest::default()
    });
    assert_eq!(inside.unwrap().modules.len(), 1);
}

#[test]
fn an_audit_finds_the_cycle_and_what_to_cut() {
    let fixture = Fixture::shop();
    let repo = fixture.index();
    let ask = |kinds: &[&str], path: &str| {
        fixture.engine.audit(&AuditRequest {
            repo: repo.clone(),
            path: path.to_owned(),
            kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
            as_of: None,
        })
    };
    let found = ask(&["cycle"], "").unwrap();
    assert_eq!(found.findings.len(), 1, "{found:?}");
    let cycle = &found.findings[0];
    assert_eq!(cycle.severity, Level::High);
    assert_eq!(cycle.with, ["shop/cart.py", "shop/prices.py"]);
    assert!(cycle.reason.contains("none is left"), "{}", cycle.reason);
    assert!(ask(&["cycle"], "shop/main.py").unwrap().findings.is_empty());
    assert!(!ask(&[], "").unwrap().notes.is_empty());
    assert_eq!(ask(&["circle"], "").unwrap_err().code, "bad-argument");
    assert_eq!(ask(&[], "nowhere").unwrap_err().code, "bad-argument");
}

#[test]
fn a_late_import_is_a_lesser_cycle() {
    let fixture = Fixture::shop();
    let late = "def price_of(item):\n    from shop import cart\n    return cart, item\n";
    fixture.write("shop/prices.py", late);
    let repo = fixture.index();
    let request = AuditRequest {
        repo,
        kinds: vec!["cycle".to_owned()],
        ..AuditRequest::default()
    };
    let found = fixture.engine.audit(&request).unwrap();
    assert_eq!(found.findings[0].severity, Level::Low, "{found:?}");
}

#[test]
fn the_map_has_files_of_code_by_importance_and_who_leans_on_whom() {
    let shop = Fixture::shop();
    let map = shop
        .engine
        .repository_map(&RepositoryMapRequest {
            repo: shop.index(),
            ..RepositoryMapRequest::default()
        })
        .unwrap();
    let paths: Vec<&str> = map.files.iter().map(|file| file.path.as_str()).collect();
    assert!(
        paths.contains(&"shop/main.py") && !paths.contains(&"tests/test_cart.py"),
        "{paths:?}"
    );
    assert!(map.files.is_sorted_by(|a, b| a.rank >= b.rank) && map.n_files == 3);
    let at = |path: &str| paths.iter().position(|one| *one == path).unwrap() as u32;
    let leans = |from: &str, to: &str| {
        let ends = (at(from), at(to));
        map.edges
            .iter()
            .any(|edge| (edge.from, edge.to) == ends && edge.n_uses > 0)
    };
    assert!(leans("shop/main.py", "shop/cart.py") && !leans("shop/cart.py", "shop/main.py"));
}

#[test]
fn the_map_shows_what_is_asked_for_once_and_what_there_is() {
    let shop = Fixture::shop();
    let also = ["tests/test_cart.py", "shop/main.py", "gone.py"];
    let request = RepositoryMapRequest {
        repo: shop.index(),
        also: also.map(str::to_owned).to_vec(),
        ..RepositoryMapRequest::default()
    };
    let map = shop.engine.repository_map(&request).unwrap();
    let n_times = |path: &str| map.files.iter().filter(|file| file.path == path).count();
    assert_eq!(also.map(n_times), [1, 1, 0]);
    assert_eq!((map.files.len(), map.n_files), (4, 3));
}

#[test]
fn clusters_and_concepts_name_what_belongs_together() {
    let fixture = Fixture::shop();
    let repo = fixture.index();
    let request = ClustersRequest {
        repo: repo.clone(),
        min_size: 2,
        as_of: None,
    };
    let clusters = fixture.engine.clusters(&request).unwrap();
    assert_eq!(clusters.unit, "definition");
    assert!(!clusters.clusters.is_empty(), "{clusters:?}");
    let again = fixture.engine.clusters(&request).unwrap();
    assert_eq!(clusters, again);
    let ask = |query: &str| {
        let request = ConceptsRequest {
            repo: repo.clone(),
            query: query.to_owned(),
            ..ConceptsRequest::default()
        };
        fixture.engine.concepts(&request)
    };
    let tax = ask("taxes").unwrap();
    assert!(tax.is_match, "{tax:?}");
    assert_eq!(tax.concepts[0].definitions[0].name, "with_tax");
    let other = ask("kubernetes").unwrap();
    assert!(
        !other.is_match && other.unknown == ["kubernetes"],
        "{other:?}"
    );
    assert!(!other.concepts.is_empty());
    assert_eq!(ask("  ").unwrap_err().code, "bad-argument");
}

#[test]
fn an_export_counts_callers_and_what_is_left_out() {
    let fixture = Fixture::shop();
    let repo = fixture.index();
    let export = |limit| {
        let request = ExportRequest {
            repo: repo.clone(),
            limit,
            ..ExportRequest::default()
        };
        fixture.engine.export_context(&request).unwrap()
    };
    let all = export(0);
    let price = all
        .definitions
        .iter()
        .find(|one| one.symbol.name == "with_tax")
        .unwrap();
    assert_eq!(price.n_callers, 1);
    assert_eq!(all.definitions[0].stars, 3);
    assert_eq!(all.n_test_definitions, 1);
    let few = export(2);
    assert_eq!(
        (few.definitions.len(), few.n_definitions),
        (2, all.n_definitions)
    );
}

fn names(symbols: &[TestedSymbol]) -> Vec<(&str, Option<u32>)> {
    let depth = |one: &TestedSymbol| one.tests.first().map(|test| test.depth);
    symbols
        .iter()
        .map(|one| (one.symbol.qualified.as_str(), depth(one)))
        .collect()
}

#[test]
fn a_test_map_follows_the_diff() {
    let fixture = Fixture::shop();
    let changed = FILES[1].1.replace("price * 2", "price * 3");
    fixture.write("shop/prices.py", &changed);
    fixture.write("shop/new.py", "def fresh():\n    return 1\n");
    fixture.write("README.md", "# Shop\n");
    let repo = fixture.index();
    let ask = |reference: Option<&str>, path: Option<&str>| {
        fixture.engine.test_map(&TestMapRequest {
            repo: repo.clone(),
            reference: reference.map(str::to_owned),
            path: path.map(str::to_owned),
            ..TestMapRequest::default()
        })
    };
    let map = ask(None, None).unwrap();
    assert_eq!(
        names(&map.symbols),
        [("with_tax", Some(3)), ("fresh", None)]
    );
    assert_eq!(map.unmapped, ["README.md"]);
    assert!(map.base.unwrap().starts_with("HEAD ("));
    let below = ask(Some("HEAD"), Some("shop/prices.py")).unwrap();
    assert_eq!(names(&below.symbols), [("with_tax", Some(3))]);
    let all = ask(None, Some("shop/cart.py")).unwrap();
    assert_eq!(
        names(&all.symbols),
        [
            ("Cart.empty", None),
            ("Cart.total", Some(1)),
            ("Cart.__init__", Some(1))
        ]
    );
    assert_eq!(
        ask(Some("no-such"), None).unwrap_err().code,
        "unknown-revision"
    );
    assert_eq!(ask(None, Some("nowhere")).unwrap_err().code, "bad-argument");
}

/// Each changed definition as `name change from`, by name.
fn told(symbols: &[ReviewedSymbol]) -> Vec<String> {
    let mut told: Vec<String> = symbols
        .iter()
        .map(|one| {
            let from = one.from.iter();
            let from = from.map(|from| format!(" {} {}", from.path, from.qualified));
            let from: String = from.collect();
            format!("{} {}{from}", one.symbol.qualified, one.change)
        })
        .collect();
    told.sort();
    told
}

#[test]
fn what_is_renamed_or_moved_is_told_once_with_what_it_was() {
    let fixture = Fixture::shop();
    let repo = fixture.index();
    let review = || {
        let request = ReviewRequest {
            repo: repo.clone(),
            ..ReviewRequest::default()
        };
        fixture.engine.review_diff(&request).unwrap().symbols
    };
    // Renamed in its file; one use is left behind.
    fixture.write(
        "shop/prices.py",
        "from shop import cart\n\n\ndef price_of(item):\n    return with_tax(item.price)\n\n\ndef \
         taxed(price):\n    return price * 2\n",
    );
    let symbols = review();
    assert_eq!(
        told(&symbols),
        ["taxed renamed shop/prices.py with_tax"],
        "{symbols:?}"
    );
    let reason = &symbols[0].reasons[0].text;
    assert_eq!(
        reason,
        "it was renamed, and its old name is still used once"
    );
    assert_eq!(symbols[0].callers[0].name.as_deref(), Some("price_of"));
    // Moved to another file, with its name.
    fixture.write(
        "shop/prices.py",
        "from shop import cart\nfrom shop.tax import with_tax\n\n\ndef price_of(item):\n    return \
         with_tax(item.price)\n",
    );
    fixture.write(
        "shop/tax.py",
        "def with_tax(price):\n    return price * 2\n",
    );
    assert_eq!(
        told(&review()),
        ["with_tax renamed shop/prices.py with_tax"]
    );
    // A type, with members that are as they were.
    fixture.write("shop/prices.py", FILES[1].1);
    fs::remove_file(fixture.root().join("shop/tax.py")).unwrap();
    fixture.write("shop/cart.py", &FILES[0].1.replace("Cart", "Basket"));
    assert_eq!(told(&review()), ["Basket renamed shop/cart.py Cart"]);
    // What has nothing in common is another.
    fixture.write(
        "shop/cart.py",
        "from shop import prices\n\n\ndef label(item):\n    return item.name.title()\n",
    );
    let other = told(&review());
    assert!(other.contains(&"label new".to_owned()), "{other:?}");
}

#[test]
fn an_empty_repository_has_empty_answers() {
    let fixture = Fixture::empty();
    fixture.write("README.md", "# Nothing yet\n");
    let repo = fixture.index();
    let engine = &fixture.engine;
    let audit = engine.audit(&AuditRequest {
        repo: repo.clone(),
        ..AuditRequest::default()
    });
    assert!(audit.unwrap().findings.is_empty());
    let clusters = engine.clusters(&ClustersRequest {
        repo: repo.clone(),
        ..ClustersRequest::default()
    });
    assert!(clusters.unwrap().clusters.is_empty());
    let concepts = engine.concepts(&ConceptsRequest {
        repo: repo.clone(),
        query: "cache".to_owned(),
        ..ConceptsRequest::default()
    });
    assert_eq!(concepts.unwrap().n_topics, 0);
    let export = engine.export_context(&ExportRequest {
        repo: repo.clone(),
        ..ExportRequest::default()
    });
    assert_eq!(export.unwrap().n_definitions, 0);
    let overview = engine.overview(&OverviewRequest {
        repo: repo.clone(),
        ..OverviewRequest::default()
    });
    assert!(overview.unwrap().bridges.is_empty());
    let tests = engine.test_map(&TestMapRequest {
        repo,
        ..TestMapRequest::default()
    });
    assert_eq!(tests.unwrap_err().code, "unknown-revision");
}

#[test]
fn an_unindexed_grep_finds_lines_without_an_index_and_keeps_to_what_may_be_shown() {
    let fixture = Fixture::shop();
    fixture.write(".env", "TAX_TOKEN=with_tax\n");
    fixture.write(
        "private/tax.py",
        "def with_tax_of_the_private_part():\n    pass\n",
    );
    fixture.write(".whyrankignore", "private\n");
    fixture.write(
        "tests/test_tax.py",
        "def test_with_tax():\n    with_tax(1)\n",
    );
    fixture.commit();
    let repo = fixture.engine.add_repo(&fixture.root()).unwrap().id;
    let grep = |query: &str| {
        fixture
            .engine
            .unindexed_grep(&repo, query, 8, 10_000)
            .unwrap()
    };
    let found = grep("with_tax");
    let places: Vec<String> = found
        .lines
        .iter()
        .map(|one| format!("{}:{} {}", one.path, one.line, one.text))
        .collect();
    assert_eq!(places[0], "shop/prices.py:8 def with_tax(price):");
    assert!(places[1].starts_with("tests/test_tax.py:1"), "{places:?}");
    assert_eq!(places.len(), 2, "{places:?}");
    assert!(found.n_read < found.n_files);
    assert!(
        grep("the price of items in a cart").lines[0]
            .path
            .starts_with("shop/")
    );
    assert!(grep("").lines.is_empty() && grep("zebra").lines.is_empty());
}

#[test]
fn without_a_test_the_places_that_may_be_one_are_counted() {
    let fixture = Fixture::shop();
    let types = "class Basket:\n    def clear(self):\n        pass\n\n\nclass Bag:\n    def clear(self):\n        pass\n\n\ndef go():\n    Basket().clear()\n";
    fixture.write("shop/basket.py", types);
    fixture.write(
        "tests/test_basket.py",
        "def test_clear(thing):\n    thing.clear()\n",
    );
    let repo = fixture.index();
    let map = fixture
        .engine
        .test_map(&TestMapRequest {
            repo,
            symbol: Some("Basket.clear".to_owned()),
            ..TestMapRequest::default()
        })
        .unwrap();
    assert_eq!(names(&map.symbols), [("Basket.clear", None)]);
    assert_eq!(map.symbols[0].n_open, 1);
}

#[test]
fn a_files_difference_is_shown_line_by_line_without_its_secrets() {
    let fixture = Fixture::shop();
    let repo = fixture.index();
    let diff = |path: &str| {
        fixture.engine.file_diff(&FileDiffRequest {
            repo: repo.clone(),
            path: path.to_owned(),
            ..FileDiffRequest::default()
        })
    };
    let same = diff("shop/cart.py").unwrap_err();
    assert_eq!(same.code, "bad-argument");
    let key = ["ghp", "_", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].concat();
    let text = format!("from shop import cart\n\n\ntoken = \"{key}\"\n");
    fixture.write("shop/prices.py", &text);
    let found = diff("shop/prices.py").unwrap();
    let lines = found.hunks.iter().flat_map(|hunk| &hunk.lines);
    let of = |kind| lines.clone().filter(move |line| line.kind == kind);
    let added: Vec<&str> = of(LineKind::Added).map(|line| &*line.text).collect();
    assert!(added.iter().any(|line| line.contains("token")), "{added:?}");
    assert!(!added.iter().any(|line| line.contains(&key)), "{added:?}");
    assert!(of(LineKind::Removed).any(|line| line.text.contains("price_of")));
    fs::remove_file(fixture.root().join("shop/main.py")).unwrap();
    let gone = diff("shop/main.py").unwrap();
    let kinds = gone.hunks.iter().flat_map(|hunk| &hunk.lines);
    assert!(kinds.clone().count() > 3);
    assert!(kinds.into_iter().all(|line| line.kind == LineKind::Removed));
    let state = fixture.engine.change_state(&repo).unwrap();
    assert_eq!(state.unstaged, ["shop/main.py", "shop/prices.py"]);
}
