//! The graph of a repository as its callers see it: neighbourhoods, ways, exports, bad input.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use whyrank_engine::api::{
    GraphDirection, GraphEdgeKind, GraphFormat, GraphNode, GraphNodeKind, GraphSide, GraphView,
    GraphViewRequest, IndexOptions, JobState, RepoId, SymbolPlace,
};
use whyrank_engine::{Engine, EnginePaths};

struct Fixture {
    folder: TempDir,
    engine: Engine,
}

impl Fixture {
    fn new(files: &[(&str, &str)]) -> (Self, RepoId) {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EnginePaths::below(&folder.path().join("home"))).unwrap();
        let fixture = Self { folder, engine };
        git2::Repository::init(fixture.root()).unwrap();
        for (path, text) in files {
            fixture.write(path, text);
        }
        let id = fixture.index();
        (fixture, id)
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
        let options = IndexOptions::default();
        let job = self.engine.start_index(&repo.id, options).unwrap();
        let end = self.engine.wait_job(&job).unwrap();
        assert_eq!(end.state, JobState::Done, "{end:?}");
        repo.id
    }
}

const SHOP: &[(&str, &str)] = &[
    (
        "shop/tax.py",
        "def tax(price):\n    return round_up(price)\n\n\ndef round_up(price):\n    return price\n",
    ),
    (
        "shop/cart.py",
        "from .tax import tax\n\n\ndef total(prices):\n    return sum(tax(p) for p in prices)\n",
    ),
    (
        "shop/app.py",
        "from . import cart\n\n\ndef main():\n    print('<\"&')\n",
    ),
    (
        "tests/test_tax.py",
        "from shop.tax import tax\n\n\ndef test_tax():\n    assert tax(1) == 2\n",
    ),
];

fn symbol(name: &str) -> SymbolPlace {
    SymbolPlace {
        symbol: name.to_owned(),
        ..SymbolPlace::default()
    }
}

fn around(repo: &RepoId, name: &str) -> GraphViewRequest {
    GraphViewRequest {
        repo: repo.to_owned(),
        focus: symbol(name),
        ..GraphViewRequest::default()
    }
}

fn labels(view: &GraphView, side: GraphSide) -> Vec<&str> {
    let on_side = view.nodes.iter().filter(|node| node.side == side);
    on_side.map(|node| node.label.as_str()).collect()
}

fn node<'v>(view: &'v GraphView, label: &str) -> &'v GraphNode {
    view.nodes.iter().find(|node| node.label == label).unwrap()
}

#[test]
fn a_neighbourhood_has_places_figures_and_ids() {
    let (fixture, repo) = Fixture::new(SHOP);
    let view = fixture.engine.graph_view(&around(&repo, "tax")).unwrap();
    assert_eq!(view.focus.as_deref(), Some("shop/tax.py#tax:1"));
    assert_eq!(labels(&view, GraphSide::Callers), ["total", "test_tax"]);
    assert_eq!(labels(&view, GraphSide::Callees), ["round_up"]);
    let (tax, total, round_up) = (
        &view.nodes[0],
        node(&view, "total"),
        node(&view, "round_up"),
    );
    assert!(total.x < tax.x && tax.x < round_up.x);
    assert_eq!((tax.callers, tax.callees, tax.tested), (2, 1, 1));
    assert!(tax.risk > 0.0 && tax.risk_reason.contains("1 test reaches it"));
    assert_eq!(tax.tests[0].name, "test_tax");
    assert!(node(&view, "test_tax").is_test);
    let edge = view
        .edges
        .iter()
        .find(|edge| edge.from == total.id)
        .unwrap();
    assert_eq!((edge.to.as_str(), edge.line), (tax.id.as_str(), Some(5)));
    assert_eq!(edge.kind, GraphEdgeKind::Call);
    assert!(edge.points.len() >= 2 && !edge.is_back);
    let again = fixture.engine.graph_view(&around(&repo, "tax")).unwrap();
    assert_eq!(again, view);
}

#[test]
fn a_node_can_become_the_focus_by_its_symbol() {
    let (fixture, repo) = Fixture::new(SHOP);
    let view = fixture.engine.graph_view(&around(&repo, "tax")).unwrap();
    for node in &view.nodes {
        let line = node.symbol.clone().unwrap();
        let request = GraphViewRequest {
            focus: SymbolPlace {
                symbol: line.qualified,
                path: Some(line.path),
                line: Some(line.name_line),
            },
            ..around(&repo, "")
        };
        let next = fixture.engine.graph_view(&request).unwrap();
        assert_eq!(next.focus.as_deref(), Some(node.id.as_str()));
    }
}

#[test]
fn a_file_is_a_focus_by_its_path() {
    let (fixture, repo) = Fixture::new(SHOP);
    let mut request = around(&repo, "");
    request.focus.path = Some("shop/cart.py".to_owned());
    let view = fixture.engine.graph_view(&request).unwrap();
    assert_eq!(view.focus.as_deref(), Some("shop/cart.py"));
    assert!(
        view.nodes
            .iter()
            .all(|node| node.kind == GraphNodeKind::File)
    );
    assert_eq!(labels(&view, GraphSide::Callees), ["tax.py"]);
    let by_name = fixture
        .engine
        .graph_view(&around(&repo, "shop/cart.py"))
        .unwrap();
    assert_eq!(by_name, view);
}

#[test]
fn impact_follows_callers_alone() {
    let (fixture, repo) = Fixture::new(SHOP);
    let request = GraphViewRequest {
        direction: GraphDirection::Impact,
        radius: 3,
        ..around(&repo, "round_up")
    };
    let view = fixture.engine.graph_view(&request).unwrap();
    assert_eq!(
        labels(&view, GraphSide::Callers),
        ["tax", "total", "test_tax"]
    );
    assert!(labels(&view, GraphSide::Callees).is_empty());
    assert_eq!(node(&view, "total").distance, 2);
}

#[test]
fn a_way_leads_from_one_symbol_to_another_and_back() {
    let (fixture, repo) = Fixture::new(SHOP);
    let ways = |from: &str, to: &str| {
        let request = GraphViewRequest {
            to: Some(symbol(to)),
            ..around(&repo, from)
        };
        fixture.engine.graph_view(&request).unwrap()
    };
    let view = ways("total", "round_up");
    let expected = [
        "shop/cart.py#total:4",
        "shop/tax.py#tax:1",
        "shop/tax.py#round_up:5",
    ];
    assert_eq!(view.chains, [expected]);
    assert_eq!(view.edges.len(), 2);
    assert_eq!(view.to.as_deref(), Some(expected[2]));
    let back = ways("round_up", "total");
    assert_eq!(back.chains, view.chains);
    assert!(back.notes[0].contains("reverse path"), "{:?}", back.notes);
    let imports = ways("main", "round_up");
    assert_eq!(
        imports.chains,
        [["shop/app.py", "shop/cart.py", "shop/tax.py"]]
    );
    assert!(imports.notes[0].contains("import"), "{:?}", imports.notes);
    let none = ways("main", "test_tax");
    assert!(none.chains.is_empty() && none.nodes.len() == 2);
    assert!(ways("main", "tacks").focus.is_none());
}

#[test]
fn unknown_and_empty_are_said() {
    let (fixture, repo) = Fixture::new(SHOP);
    let view = fixture
        .engine
        .graph_view(&around(&repo, "round_dwon"))
        .unwrap();
    assert!(view.focus.is_none() && view.nodes.is_empty());
    assert_eq!(view.near[0].name, "round_up");
    let start = fixture.engine.graph_view(&around(&repo, " ")).unwrap();
    assert!(start.focus.is_none() && start.nodes.is_empty());
    assert!(!start.near.is_empty(), "what others use most is offered");
    assert!(start.near.iter().all(|line| !line.path.contains("test")));
    let mut request = around(&repo, "");
    request.focus.path = Some("shop/carts.py".to_owned());
    let error = fixture.engine.graph_view(&request).unwrap_err();
    assert_eq!(error.code, "bad-argument");
    let error = fixture
        .engine
        .graph_export(&around(&repo, "nothing"), GraphFormat::Svg)
        .unwrap_err();
    assert_eq!(error.code, "unknown-symbol");
    let (fixture, repo) = Fixture::new(&[]);
    let view = fixture
        .engine
        .graph_view(&around(&repo, "anything"))
        .unwrap();
    assert!(view.focus.is_none() && view.near.is_empty());
}

#[test]
fn a_lonely_definition_is_drawn_and_said() {
    let (fixture, repo) = Fixture::new(SHOP);
    let view = fixture.engine.graph_view(&around(&repo, "main")).unwrap();
    assert_eq!((view.nodes.len(), view.edges.len()), (1, 0));
    assert!(view.width > 0.0 && view.notes[0].contains("nothing around it"));
    assert_eq!(view.nodes[0].risk, 0.0);
}

#[test]
fn exports_stand_alone_and_are_well_formed() {
    let (fixture, repo) = Fixture::new(SHOP);
    let export = |format| {
        fixture
            .engine
            .graph_export(&around(&repo, "tax"), format)
            .unwrap()
    };
    let svg = export(GraphFormat::Svg);
    assert_eq!(svg.file_name, "graph-tax.svg");
    assert!(svg.text.starts_with("<svg xmlns=") && svg.text.ends_with("</svg>\n"));
    for part in [
        "<title id=",
        "<desc id=",
        "prefers-color-scheme:dark",
        ">total</text>",
    ] {
        assert!(svg.text.contains(part), "{part}");
    }
    assert_eq!(
        svg.text.matches("<g>").count(),
        svg.text.matches("</g>").count()
    );
    assert!(!svg.text.contains("href"), "a picture that stands alone");
    let dot = export(GraphFormat::Dot).text;
    assert!(dot.starts_with("digraph \"Around tax in shop/tax.py\" {"));
    assert!(dot.contains("\"shop/cart.py#total:4\" -> \"shop/tax.py#tax:1\""));
    let json = export(GraphFormat::Json).text;
    let view: GraphView = serde_json::from_str(&json).unwrap();
    assert_eq!(
        view,
        fixture.engine.graph_view(&around(&repo, "tax")).unwrap()
    );
    let path = fixture.folder.path().join("out.svg");
    let request = around(&repo, "tax");
    fixture
        .engine
        .graph_save(&request, GraphFormat::Svg, &path)
        .unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), svg.text);
    let nowhere = Path::new("/does/not/exist.svg");
    let error = fixture
        .engine
        .graph_save(&request, GraphFormat::Svg, nowhere);
    assert_eq!(error.unwrap_err().code, "write-failed");
}

#[test]
fn files_changed_together_are_shown_when_asked_for() {
    let (fixture, _) = Fixture::new(SHOP);
    let git = git2::Repository::open(fixture.root()).unwrap();
    for change in 0..3 {
        fixture.write("shop/tax.py", &format!("{}# {change}\n", SHOP[0].1));
        fixture.write("docs/tax.md", &format!("# Tax\n\nversion {change}\n"));
        commit(&git);
    }
    let repo = fixture.index();
    let request = GraphViewRequest {
        kinds: vec![GraphEdgeKind::Call, GraphEdgeKind::CoChange],
        ..around(&repo, "tax")
    };
    let view = fixture.engine.graph_view(&request).unwrap();
    assert_eq!(labels(&view, GraphSide::CoChange), ["tax.md"]);
    let mut edges = view.edges.iter();
    let edge = edges
        .find(|edge| edge.kind == GraphEdgeKind::CoChange)
        .unwrap();
    assert_eq!(edge.detail, "changed together in 3 of 3 commits");
    assert_eq!(view.nodes[0].changes, Some(3));
    let without = fixture.engine.graph_view(&around(&repo, "tax")).unwrap();
    assert_eq!(without.nodes[0].changes, None);
}

fn commit(git: &git2::Repository) {
    let mut index = git.index().unwrap();
    index
        .add_all(["*"], git2::IndexAddOption::DEFAULT, None)
        .unwrap();
    let tree = git.find_tree(index.write_tree().unwrap()).unwrap();
    let time = git2::Time::new(1_700_000_000, 0);
    let author = git2::Signature::new("A", "a@example.org", &time).unwrap();
    let parent = git.head().ok().and_then(|head| head.peel_to_commit().ok());
    let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
    git.commit(Some("HEAD"), &author, &author, "change", &tree, &parents)
        .unwrap();
}
