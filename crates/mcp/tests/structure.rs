//! What agents read about the shape of a code base, over hand-made answers.

use proptest::prelude::{any, prop, proptest};
use proptest::{prop_assert, strategy::Strategy};
use whyrank_engine::api::{
    AuditFinding, AuditKind, AuditLimit, AuditPlace, AuditResponse, BridgeMember, Cluster,
    ClusterBridge, ClustersResponse, Concept, ConceptsResponse, EntryPoint, ExportDefinition,
    ExportModule, ExportResponse, LanguageShare, Level, ModuleBridge, Overview, OverviewFile,
    OverviewModule, ReasonCount, SymbolLine, TestMapResponse, TestPlace, TestedSymbol,
};
use whyrank_mcp::estimate_tokens;
use whyrank_mcp::present::{self, Style};

const CONCISE: Style = Style {
    budget: 2_000,
    detailed: false,
};

fn symbol(path: &str, line: u32, qualified: &str) -> SymbolLine {
    SymbolLine {
        path: path.to_owned(),
        start_line: line,
        end_line: line + 17,
        name_line: line,
        kind: "method".to_owned(),
        name: qualified.rsplit('.').next().unwrap_or_default().to_owned(),
        qualified: qualified.to_owned(),
        signature: "use(path, ...handlers)".to_owned(),
        exported: true,
    }
}

fn bridge(from: &str, to: &str) -> ModuleBridge {
    ModuleBridge {
        from: from.to_owned(),
        to: to.to_owned(),
        n_imports: 3,
        n_uses: 12,
        path: format!("{from}/router.js"),
        line: 4,
        target: format!("{to}/layer.js"),
    }
}

fn map() -> Overview {
    let file = OverviewFile {
        path: "lib/router.js".to_owned(),
        rank: 1.0,
        symbols: vec![
            symbol("lib/router.js", 12, "Router"),
            symbol("lib/router.js", 43, "Router.use"),
        ],
        n_importers: 4,
    };
    let module = |path: &str, files: Vec<OverviewFile>| OverviewModule {
        path: path.to_owned(),
        n_files: 12,
        n_lines: 3_400,
        rank: 1.0,
        files,
        exports: vec![symbol("lib/router.js", 12, "Router")],
        depends_on: vec![ReasonCount {
            reason: "util".to_owned(),
            count: 3,
        }],
    };
    let language = |name: &str, files, lines| LanguageShare {
        language: name.to_owned(),
        files,
        lines,
    };
    Overview {
        languages: vec![
            language("javascript", 12, 3_000),
            language("markdown", 2, 1_000),
        ],
        modules: vec![
            module("lib", vec![file]),
            module("", vec![]),
            OverviewModule {
                rank: 0.0,
                ..module("test", vec![])
            },
        ],
        entry_points: vec![EntryPoint {
            path: "bin/serve.js".to_owned(),
            line: 1,
        }],
        bridges: vec![bridge("lib", "util")],
    }
}

#[test]
fn an_overview_maps_starts_folders_files_and_bridges() {
    insta::assert_snapshot!(present::overview(&map(), CONCISE), @r"
    javascript 75%, markdown 25% of 4,000 lines in 14 files
    starts: bin/serve.js:1
    lib/ 12 files, 3,400 lines; uses util/
      router.js (imported by 4) Router:12, use:43
    ./ 12 files, 3,400 lines; uses util/; exports Router
    bridges (1), strongest first:
      lib/ -> util/: 3 imports, 12 uses; lib/router.js:4
    tests, examples, docs and the like (files): test/ 12
    ");
}

fn finding(kind: &str, severity: &str, path: &str, reason: &str) -> AuditFinding {
    AuditFinding {
        kind: AuditKind::from_word(kind).expect("a word of the enum"),
        severity: Level::from_word(severity).expect("a word of the enum"),
        path: path.to_owned(),
        reason: reason.to_owned(),
        with: Vec::new(),
        places: Vec::new(),
        places_are_uses: false,
    }
}

fn place(path: &str, line: u32, target: &str) -> AuditPlace {
    AuditPlace {
        path: path.to_owned(),
        line,
        target: target.to_owned(),
    }
}

fn audit() -> AuditResponse {
    let cycle = AuditFinding {
        with: vec!["a.py".to_owned(), "b.py".to_owned()],
        places: vec![place("a.py", 3, "b.py"), place("b.py", 1, "a.py")],
        ..finding(
            "cycle",
            "high",
            "a.py",
            "2 files import each other; cut b.py:1 -> a.py: none is left in a cycle",
        )
    };
    let layer = AuditFinding {
        with: vec!["web/".to_owned()],
        places: vec![place("core/a.py", 2, "web/b.py")],
        ..finding(
            "layering",
            "high",
            "core/",
            "1 file edge against 12 the other way",
        )
    };
    let god = AuditFinding {
        places: vec![place("str.py", 12, "Str [c=40]")],
        ..finding(
            "god-file",
            "high",
            "str.py",
            "120 definitions, 2170 lines, 310 dependents",
        )
    };
    let reason = "nothing here uses it; users of the package may";
    AuditResponse {
        findings: vec![
            cycle,
            layer,
            god,
            finding("orphan", "low", "src/a.py", reason),
            finding("orphan", "low", "src/b.py", reason),
        ],
        n_files: 1_839,
        limits: vec![AuditLimit {
            kind: AuditKind::GodFile,
            what: "definitions × dependents".to_owned(),
            median: 12.0,
            limit: 1_340.0,
        }],
        notes: Vec::new(),
    }
}

#[test]
fn an_audit_is_a_block_a_kind() {
    insta::assert_snapshot!(present::audit(&audit(), CONCISE), @r"
    1,839 files of code: 1 import cycle, 1 edge against the layers, 1 god file, 2 orphans
    import cycles:
      high a.py:3 -> b.py:1 -> a.py; 2 files import each other; cut b.py:1 -> a.py: none is left in a cycle
    edges against the layers:
      high core/ -> web/ 1 file edge against 12 the other way: core/a.py:2 -> web/b.py
    god files, definitions × dependents over 1,340 (median 12):
      high str.py 120 definitions, 2170 lines, 310 dependents: 12 Str [c=40]
    orphans:
      low src/{a.py, b.py}: nothing here uses it; users of the package may
    ");
    let nothing = AuditResponse {
        findings: Vec::new(),
        ..audit()
    };
    assert_eq!(
        present::audit(&nothing, CONCISE),
        "1,839 files of code: nothing sticks out"
    );
}

fn cluster(id: u32, label: &[&str]) -> Cluster {
    Cluster {
        id,
        label: label.iter().map(|word| (*word).to_owned()).collect(),
        folder: "lib/router".to_owned(),
        size: 5,
        cohesion: 0.82,
        files: vec!["lib/router/index.js".to_owned()],
        key: vec![symbol("lib/router/index.js", 12, "Router.use")],
    }
}

fn clusters() -> ClustersResponse {
    ClustersResponse {
        clusters: vec![cluster(1, &["route", "layer"]), cluster(2, &["cache"])],
        bridges: vec![ClusterBridge {
            from: 2,
            to: 1,
            n_edges: 3,
            n_uses: 14,
            path: "lib/cache.js".to_owned(),
            line: 7,
            target: "lib/router/index.js".to_owned(),
        }],
        bridge_members: vec![BridgeMember {
            path: "lib/util.js".to_owned(),
            symbol: None,
            cluster: 1,
            n_clusters: 4,
            outside: 0.7,
        }],
        modularity: 0.613,
        unit: "file".to_owned(),
        n_members: 14,
        n_unlisted: 4,
        min_size: 3,
    }
}

#[test]
fn clusters_come_before_what_ties_them() {
    insta::assert_snapshot!(present::clusters(&clusters(), CONCISE), @r"
    2 clusters of 14 files, modularity 0.61; 4 in clusters smaller than 3
    clusters by importance:
      1 route layer in lib/router/: 5 files, cohesion 82%: Router.use
      2 cache in lib/router/: 5 files, cohesion 82%: Router.use
    bridges (1), strongest first:
      2 -> 1: 14 uses over 3 edges; lib/cache.js:7 -> lib/router/index.js
    files that tie clusters together (1):
      lib/util.js (1): touches 4 others, 70% of its weight outside
    ");
}

fn concepts(is_match: bool) -> ConceptsResponse {
    ConceptsResponse {
        concepts: vec![Concept {
            label: vec!["route".to_owned(), "layer".to_owned()],
            score: 3.2,
            matched: vec!["routing".to_owned()],
            folder: "lib/router".to_owned(),
            files: vec![
                "lib/router/index.js".to_owned(),
                "lib/router/layer.js".to_owned(),
            ],
            definitions: vec![
                symbol("lib/router/index.js", 12, "Router"),
                symbol("lib/router/index.js", 43, "Router.use"),
            ],
        }],
        is_match,
        unknown: if is_match {
            Vec::new()
        } else {
            vec!["quantum".to_owned()]
        },
        n_found: 1,
        n_topics: 14,
    }
}

#[test]
fn topics_say_whether_they_are_what_was_asked() {
    insta::assert_snapshot!(present::concepts("routing", &concepts(true), CONCISE), @r#"
    1 of 14 topics match "routing"
    route layer in lib/router/: 2 files
      lib/router/index.js: 12 Router, 43 Router.use
      also lib/router/layer.js
    "#);
    let far = present::concepts("quantum routing", &concepts(false), CONCISE);
    let head =
        "no topic is about \"quantum routing\"; no name or doc says quantum; nearest of 14 topics:";
    assert_eq!(far.lines().next(), Some(head));
}

fn export(n_definitions: u32) -> ExportResponse {
    let definition = |line: u32, stars| ExportDefinition {
        symbol: symbol("lib/router.js", line, "Router.use"),
        module: 0,
        n_callers: 12 * stars,
        stars,
    };
    ExportResponse {
        modules: vec![ExportModule {
            path: "lib".to_owned(),
            n_symbols: n_definitions,
            n_files: 6,
            exports: vec!["Router".to_owned()],
        }],
        bridges: vec![bridge("lib", "util")],
        definitions: vec![definition(43, 2), definition(12, 0)],
        n_definitions,
        n_test_definitions: 0,
    }
}

#[test]
fn an_export_has_table_bridges_and_marked_definitions() {
    insta::assert_snapshot!(present::export_context(&export(90), CONCISE), @r"
    | module | symbols | files | key exports |
    |---|---|---|---|
    | lib/ | 90 | 6 | Router |
    bridges:
    lib/ -> util/: 3 imports, 12 uses (lib/router.js:4)
    lib/router.js
      12 Router: use(path, ...handlers)
      43 Router: use(path, ...handlers) [c=24] ★★
    [2/90 definitions; 88 tokens; [c = callers], stars by PageRank]
    ");
    assert_eq!(
        present::export_context(
            &ExportResponse {
                definitions: vec![],
                ..export(0)
            },
            CONCISE
        ),
        "no definitions of code here"
    );
}

fn tested(line: u32, depth: Option<u32>) -> TestedSymbol {
    let test = |depth| TestPlace {
        path: "test/router.js".to_owned(),
        name: Some("test_use".to_owned()),
        line: 9,
        depth,
        sure: depth == 1,
    };
    TestedSymbol {
        symbol: symbol("lib/router.js", line, "Router.use"),
        tests: depth.map(test).into_iter().collect(),
        n_tests: u32::from(depth.is_some()),
        n_possible: 0,
        n_open: 0,
        rank: 0.5,
        risk: 0.5,
    }
}

fn test_map() -> TestMapResponse {
    TestMapResponse {
        symbols: vec![
            tested(12, None),
            tested(20, None),
            tested(30, Some(3)),
            tested(43, Some(1)),
        ],
        base: Some("main (1a2b3c4d5e)".to_owned()),
        changed: vec!["lib/router.js".to_owned()],
        unmapped: vec!["README.md".to_owned()],
        n_test_files: 12,
        unfollowed: vec![],
        depth: 4,
        ..TestMapResponse::default()
    }
}

#[test]
fn a_test_map_begins_with_what_no_test_reaches() {
    insta::assert_snapshot!(present::test_map(&test_map(), CONCISE), @r"
    4 definitions changed since main (1a2b3c4d5e): 1 used by tests, 1 through others, 2 by none; 12 test files
    changed without a definition of code: README.md
    no test within 4 steps, riskiest first:
      lib/router.js: 12 Router.use, 20 Router.use
    through others, riskiest first:
      lib/router.js:30 Router.use (3 steps) <- maybe test/router.js:9 test_use
    used by tests:
      lib/router.js:43 Router.use <- test/router.js:9 test_use
    ");
    let nothing = TestMapResponse {
        symbols: Vec::new(),
        unmapped: Vec::new(),
        ..test_map()
    };
    let text = present::test_map(&nothing, CONCISE);
    assert!(
        text.contains("no definition of code changed since main"),
        "{text}"
    );
}

fn path() -> impl Strategy<Value = String> {
    prop::string::string_regex("[a-zé/_]{1,200}").expect("a sound pattern")
}

proptest! {
    #[test]
    fn no_answer_outgrows_its_budget(
        budget in 80_u32..3_000,
        detailed in any::<bool>(),
        n_items in 0_usize..60,
        path in path(),
        text in "\\PC{0,400}",
    ) {
        let style = Style { budget, detailed };
        let named = SymbolLine { signature: text.clone(), ..symbol(&path, 3, &path) };
        let mut map = map();
        map.modules[0].files[0].path.clone_from(&path);
        map.modules[0].files[0].symbols = vec![named.clone(); n_items];
        map.modules = (0..n_items).map(|at| map.modules[at % 2].clone()).collect();
        map.bridges = vec![bridge(&path, &text); n_items];
        let mut audit = audit();
        audit.findings = (0..n_items).map(|at| audit.findings[at % 5].clone()).collect();
        audit.findings.iter_mut().for_each(|one| one.reason.clone_from(&text));
        audit.notes = vec![text.clone(); 2];
        let mut clusters = clusters();
        clusters.clusters = vec![Cluster { folder: path.clone(), key: vec![named.clone(); n_items], ..cluster(1, &["a"]) }; n_items];
        clusters.bridges = vec![clusters.bridges[0].clone(); n_items];
        let mut concepts = concepts(n_items % 2 == 0);
        concepts.concepts[0].definitions = vec![named.clone(); n_items];
        concepts.concepts = vec![concepts.concepts[0].clone(); n_items];
        let mut export = export(n_items as u32);
        export.definitions = vec![ExportDefinition { symbol: named, ..export.definitions[0].clone() }; n_items];
        export.modules = vec![ExportModule { path: path.clone(), ..export.modules[0].clone() }; n_items];
        export.bridges = vec![bridge(&path, &path); n_items];
        let mut tests = test_map();
        tests.symbols = (0..n_items).map(|at| tests.symbols[at % 4].clone()).collect();
        tests.unmapped = vec![path.clone(); n_items];
        let texts = [
            present::overview(&map, style),
            present::audit(&audit, style),
            present::clusters(&clusters, style),
            present::concepts(&text, &concepts, style),
            present::export_context(&export, style),
            present::test_map(&tests, style),
        ];
        for text in texts {
            prop_assert!(estimate_tokens(&text) <= budget, "{} > {budget}: {text}", estimate_tokens(&text));
        }
    }
}
