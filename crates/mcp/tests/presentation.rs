//! What agents read, over hand-made answers.

use proptest::prelude::{any, prop, proptest};
use proptest::{prop_assert, strategy::Strategy};
use whyrank_engine::api::{
    Breakages, BrokenImports, CallPathResponse, CallStep, Channel, ChannelRank, ChannelRun,
    ChannelWeight, CounterStats, Coverage, CoverageReport, CritiqueResponse, DeadCodeResponse,
    DeadFinding, DeadVerdict, DepEdge, DepStep, DepsDirection, DepsResponse, Evidence, FoundReport,
    FoundReports, GateCheck, GateFeatures, GateFigure, GateReason, GateRecord, GateSettings,
    GateVerdict, Heir, Hit, ImpactHit, ImpactResponse, ImportPathStep, JobProgress, JobStage,
    JobState, Lane, LanguageShare, Level, LookupResponse, ManifestPart, QueryShape, RefHit,
    RefsResponse, Relation, RepoHealth, RepoState, RepoSummary, ScipImport, SearchResponse,
    SkipCount, SkippedEntry, SnippetLine, StageMovement, StageRanks, StageStats, StageTiming,
    SymbolLine, TimerStats, Trace, TraceRow, UnchangedCaller, UseConfidence, VectorKind,
    VectorRoom,
};
use whyrank_mcp::estimate_tokens;
use whyrank_mcp::present::{self, BreakageLine, Style};

const CONCISE: Style = Style {
    budget: 2_000,
    detailed: false,
};
const DETAILED: Style = Style {
    budget: 2_000,
    detailed: true,
};

fn full() -> Coverage {
    Coverage {
        lexical: 1.0,
        vector: 1.0,
        vector_note: None,
        vector_model: Some("minilm-l6".to_owned()),
        static_vectors: 1.0,
        n_skipped: 0,
        ..Coverage::default()
    }
}

fn symbol(path: &str, line: u32, kind: &str, qualified: &str, signature: &str) -> SymbolLine {
    SymbolLine {
        path: path.to_owned(),
        start_line: line,
        end_line: line + 17,
        name_line: line,
        kind: kind.to_owned(),
        name: qualified.rsplit('.').next().unwrap_or_default().to_owned(),
        qualified: qualified.to_owned(),
        signature: signature.to_owned(),
        exported: true,
    }
}

fn snippet(lines: &[(u32, &str)]) -> Vec<SnippetLine> {
    let line = |&(line, text): &(u32, &str)| SnippetLine {
        line,
        text: text.to_owned(),
        matches: vec![(0, 1)],
    };
    lines.iter().map(line).collect()
}

fn hit(rank: u32, path: &str, signature: &str, lines: &[(u32, &str)]) -> Hit {
    Hit {
        repo: None,
        rank,
        path: path.to_owned(),
        start_line: 43,
        end_line: 60,
        symbol: Some("Router.use".to_owned()),
        kind: "method".to_owned(),
        signature: signature.to_owned(),
        language: "javascript".to_owned(),
        score: 0.0512,
        channels: vec![Channel::SymbolName, Channel::Fts],
        snippet: snippet(lines),
        badges: vec![],
        more_in_file: 0,
        copies: Vec::new(),
        evidence_id: "e1".to_owned(),
    }
}

fn search_response() -> SearchResponse {
    let mut tested = hit(2, "test/router.js", "describe('use')", &[]);
    tested.badges = vec!["test".to_owned()];
    tested.more_in_file = 3;
    let lines = [
        (43, "  use(path, ...handlers) {"),
        (44, "    for (const handler of handlers) {"),
        (45, "      this.stack.push(new Layer(path, handler));"),
        (46, "    }"),
    ];
    SearchResponse {
        missing: Vec::new(),
        unknown_current_file: None,
        query_id: "q1a2b3c4".into(),
        hits: vec![
            hit(1, "lib/router.js", "use(path, ...handlers)", &lines),
            tested,
        ],
        n_candidates: 43,
        elapsed_ms: 12.0,
        notes: vec![],
        poor_fit: None,
        confidence: None,
        coverage: Coverage {
            vector: 0.61,
            ..full()
        },
        facets: vec![],
        memory_gap: None,
        memos: vec![],
        rerank: None,
    }
}

#[test]
fn a_hit_names_the_files_that_say_the_same() {
    let mut response = search_response();
    let copies = ["a", "b", "c", "d"].map(|at| format!("{at}/router.js"));
    response.hits[1].copies = copies.to_vec();
    let text = present::search(&response, CONCISE);
    let named = "(same in a/router.js, b/router.js, c/router.js and 1 more)";
    assert!(text.contains(named), "{text}");
    response.hits[1].copies.truncate(1);
    assert!(present::search(&response, CONCISE).contains("(same in a/router.js)"));
}

#[test]
fn a_search_is_a_line_a_hit() {
    insta::assert_snapshot!(present::search(&search_response(), CONCISE));
}

#[test]
fn static_vectors_are_whole_where_no_model_is_installed() {
    let mut response = search_response();
    (response.coverage.vector, response.coverage.vector_model) = (0.0, None);
    let text = present::search(&response, CONCISE);
    assert!(!text.contains("vectors"), "{text}");
    let mut summary = summary();
    summary.coverage = response.coverage.clone();
    let status = present::status(
        &RepoHealth {
            summary,
            ..health()
        },
        &[],
        &[],
        &stage_stats(),
        CONCISE,
    );
    assert!(
        status.contains("lexical 100%, static vectors 100%, graph"),
        "{status}"
    );
    response.coverage.static_vectors = 0.0;
    let text = present::search(&response, CONCISE);
    assert!(text.contains("; vectors 0%]"), "{text}");
}

#[test]
fn a_detailed_search_has_scores_and_snippets() {
    insta::assert_snapshot!(present::search(&search_response(), DETAILED));
}

#[test]
fn a_search_says_that_its_first_file_may_be_wrong() {
    let mut response = search_response();
    response.confidence = Some(0.42);
    let text = present::search(&response, CONCISE);
    assert!(
        text.contains("; first file right in 42% of such answers; "),
        "{text}"
    );
    response.confidence = Some(0.52);
    assert!(!present::search(&response, CONCISE).contains("first file"));
    response.confidence = Some(0.1);
    response.poor_fit = Some("nothing fits well".to_owned());
    assert!(!present::search(&response, CONCISE).contains("first file"));
}

#[test]
fn a_search_without_hits_says_what_to_try() {
    let mut response = search_response();
    response.hits.clear();
    response.notes = vec!["no embedding model: lexical only".to_owned()];
    insta::assert_snapshot!(present::search(&response, CONCISE));
}

#[test]
fn an_unambiguous_lookup_is_one_line() {
    let definition = symbol(
        "lib/router.js",
        43,
        "method",
        "Router.use",
        "use(path, ...handlers)",
    );
    let response = LookupResponse {
        definitions: vec![definition],
        n_definitions: 1,
        n_left_out: 0,
        near: vec![],
        unread: vec![],
        memory_gap: None,
        memos: vec![],
    };
    let broken = LookupResponse {
        memory_gap: Some("memos left out: the memory is damaged".to_owned()),
        ..response.clone()
    };
    assert!(present::lookup(&broken, CONCISE).contains("memos left out"));
    insta::assert_snapshot!(present::lookup(&response, CONCISE));
}

fn reference(path: &str, line: u32, kind: &str, test: bool) -> RefHit {
    RefHit {
        path: path.to_owned(),
        line,
        kind: kind.to_owned(),
        enclosing: Some("mount".to_owned()),
        confidence: UseConfidence::Resolved,
        text: "  router.use(path, handler);".to_owned(),
        test,
        doc: false,
        ruling: None,
        because: String::new(),
    }
}

#[test]
fn places_with_a_ruling_are_no_uses() {
    let mut response = refs_response(0);
    let n_uses = response.references.len();
    response.references.push(RefHit {
        ruling: Some(whyrank_engine::api::PlaceRuling::Elsewhere),
        because: "Other.use (lib/other.js:4)".to_owned(),
        ..reference("lib/other.js", 9, "mention", false)
    });
    let text = present::refs("Router.use", &response, false, CONCISE);
    let head = text.lines().next().unwrap();
    assert!(head.contains(&format!("{n_uses} uses")), "{head}");
    assert!(head.contains("1 other place of the name"), "{head}");
    assert!(
        text.contains("elsewhere: Other.use (lib/other.js:4) at 9"),
        "{text}"
    );
}

fn refs_response(n_tests: u32) -> RefsResponse {
    let mut references = vec![
        reference("lib/app.js", 3, "import", false),
        reference("lib/app.js", 69, "call", false),
        reference("lib/app.js", 124, "read", false),
        reference("lib/index.js", 7, "call", false),
    ];
    references[3].confidence = UseConfidence::NameOnly;
    references.extend((0..n_tests).map(|line| reference("test/a.js", line + 10, "call", true)));
    let definition = symbol(
        "lib/router.js",
        43,
        "method",
        "Router.use",
        "use(path, ...handlers)",
    );
    RefsResponse {
        definitions: vec![definition],
        references,
        ..RefsResponse::default()
    }
}

#[test]
fn uses_are_grouped_by_file() {
    insta::assert_snapshot!(present::refs(
        "Router.use",
        &refs_response(2),
        false,
        CONCISE
    ));
}

#[test]
fn many_uses_in_tests_are_only_counted() {
    insta::assert_snapshot!(present::refs(
        "Router.use",
        &refs_response(40),
        false,
        CONCISE
    ));
}

#[test]
fn uses_in_tests_are_listed_on_request() {
    let text = present::refs("Router.use", &refs_response(40), true, CONCISE);
    assert!(text.contains("test/a.js: 10,11,12,"), "{text}");
}

#[test]
fn detailed_uses_show_their_line() {
    insta::assert_snapshot!(present::refs(
        "Router.use",
        &refs_response(0),
        false,
        DETAILED
    ));
}

fn heir(path: &str, line: u32, name: &str, depth: u32, certain: bool) -> Heir {
    Heir {
        symbol: symbol(path, line, "class", name, "class"),
        relation: Relation::Implements,
        depth,
        certain,
        line: None,
        test: path.starts_with("test"),
    }
}

#[test]
fn heirs_are_listed_with_what_is_not_certain() {
    let response = RefsResponse {
        references: vec![],
        heirs: vec![
            heir("lib/memory.js", 3, "Memory", 1, true),
            heir("lib/disk.js", 9, "Disk", 2, false),
            heir("test/fake.js", 2, "Fake", 1, true),
        ],
        bases: vec![heir("lib/closer.js", 1, "Closer", 1, true)],
        ..refs_response(0)
    };
    insta::assert_snapshot!(present::refs(
        "Store",
        &response,
        false,
        Style::concise(800)
    ));
}

#[test]
fn uses_that_may_mean_an_overload_say_so() {
    let mut response = refs_response(0);
    response.references[1].confidence = UseConfidence::Possible;
    let text = present::refs("Router.use", &response, false, Style::concise(800));
    assert!(text.contains("; another overload may be meant"), "{text}");
    assert!(!text.contains("by way of"), "{text}");
}

#[test]
fn uses_of_what_is_overridden_are_possible_ones() {
    let mut response = refs_response(0);
    response.references[1].confidence = UseConfidence::Possible;
    response.bases = vec![heir("lib/closer.js", 1, "Closer.use", 1, true)];
    insta::assert_snapshot!(present::refs(
        "Router.use",
        &response,
        false,
        Style::concise(800)
    ));
}

#[test]
fn callers_through_an_interface_are_told_apart() {
    let mut response = impact_response(0);
    let through = |path: &str, line, name: &str| ImpactHit {
        relation: Relation::Through,
        uses: "Handler.use".to_owned(),
        ..caller(path, line, name, 1, "possible")
    };
    let validity_in = ImpactHit {
        relation: Relation::Overrides,
        ..caller("lib/sub.js", 4, "Sub.use", 1, "resolved")
    };
    response.callers.splice(
        2..2,
        [
            validity_in,
            through("lib/app.js", 200, "serve"),
            through("lib/run.js", 8, "run"),
        ],
    );
    insta::assert_snapshot!(present::impact(
        "Router.use",
        &response,
        Style::concise(800)
    ));
}

fn caller(path: &str, line: u32, name: &str, depth: u32, confidence: &str) -> ImpactHit {
    ImpactHit {
        caller: symbol(path, line, "function", name, "fn"),
        depth,
        confidence: UseConfidence::from_word(confidence).expect("a word of the enum"),
        relation: Relation::Uses,
        uses: "Router.use".to_owned(),
        line: line + 2,
        ran: String::new(),
        rank: 0.5,
        test: path.starts_with("test"),
    }
}

fn impact_response(n_tests: u32) -> ImpactResponse {
    let mut callers = vec![
        caller("lib/app.js", 60, "App.use", 1, "resolved"),
        caller("lib/app.js", 90, "App.route", 1, "name-only"),
        caller("lib/index.js", 7, "create", 2, "resolved"),
    ];
    callers.extend((0..n_tests).map(|n| caller("test/a.js", n + 10, "checks", 1, "resolved")));
    ImpactResponse {
        definitions: vec![symbol(
            "lib/router.js",
            43,
            "method",
            "Router.use",
            "use(path)",
        )],
        callers,
        depth: 3,
        ..ImpactResponse::default()
    }
}

#[test]
fn without_the_symbol_graph_answers_say_first_that_they_go_by_name() {
    let note = "the symbol graph is being made (3 of 9 files)";
    let said = format!("BY NAME ONLY: {note}\n");
    let mut refs = refs_response(0);
    refs.by_name_only = note.to_owned();
    let text = present::refs("Router.use", &refs, false, CONCISE);
    assert!(text.starts_with(&said), "{text}");
    let mut impact = impact_response(0);
    impact.by_name_only = note.to_owned();
    let text = present::impact("Router.use", &impact, CONCISE);
    assert!(text.starts_with(&said), "{text}");

    let mut dead = dead_response();
    dead.by_name_only = note.to_owned();
    dead.findings.truncate(1);
    (dead.findings[0].verdict, dead.findings[0].dead) = (DeadVerdict::Used, false);
    let asked = ["use".to_owned()];
    let text = present::dead_code(&asked, &dead, CONCISE);
    assert!(
        text.starts_with(&said) && text.contains(": not judged, "),
        "{text}"
    );
    dead.findings.clear();
    let text = present::dead_code(&[], &dead, CONCISE);
    assert!(text.starts_with(&said), "{text}");
    assert!(!text.contains("nothing unneeded"), "{text}");
}

#[test]
fn answers_that_rest_on_what_the_repository_brought_begin_with_it() {
    let brought = || vec!["index.scip".to_owned()];
    let refs = RefsResponse {
        brought: brought(),
        ..refs_response(1)
    };
    let impact = ImpactResponse {
        brought: brought(),
        ..impact_response(0)
    };
    let dead = DeadCodeResponse {
        brought: brought(),
        ..dead_response()
    };
    let path = CallPathResponse {
        brought: brought(),
        ..path_response(1, false)
    };
    let critique = CritiqueResponse {
        points: vec![],
        evidence: vec![],
        brought: brought(),
    };
    for text in [
        present::refs("use", &refs, false, CONCISE),
        present::impact("use", &impact, CONCISE),
        present::dead_code(&[], &dead, CONCISE),
        present::dead_code(&["use".to_owned()], &dead, CONCISE),
        present::call_path("a", "b", &path, CONCISE),
        present::critique(&critique, CONCISE),
    ] {
        let first = text.lines().next().unwrap_or_default();
        assert!(
            first.starts_with("RESTS ON WHAT THE REPOSITORY BROUGHT: index.scip"),
            "{text}"
        );
    }
}

#[test]
fn a_call_that_a_run_saw_names_the_run() {
    let mut response = impact_response(0);
    let seen = &mut response.callers[1];
    seen.confidence = UseConfidence::Observed;
    seen.ran = "ran 3 times in profiles/app.pstats".to_owned();
    response.runs = vec![CoverageReport {
        path: "profiles/app.pstats".to_owned(),
        format: "cProfile".to_owned(),
        n_files: 2,
        notes: vec!["1 file changed since it was written, left out: lib/old.js".to_owned()],
        is_brought: false,
    }];
    let text = present::impact("Router.use", &response, CONCISE);
    insta::assert_snapshot!(text, @r"
    Router.use (lib/router.js:43-60): 3 callers within 3 steps, certain
    1 step:
    lib/app.js: 60 App.use, 90 App.route (ran 3 times in profiles/app.pstats)
    2 steps:
    lib/index.js: 7 create
    profiles/app.pstats: 1 file changed since it was written, left out: lib/old.js
    ");
    let mut path = path_response(1, false);
    let step = &mut path.paths[0][0];
    (step.line, step.confidence) = (None, UseConfidence::Observed);
    step.ran = "ran in 12 samples of app.cpuprofile".to_owned();
    let text = present::call_path("start", "end", &path, CONCISE);
    assert!(
        text.contains("start -> ran in 12 samples of app.cpuprofile"),
        "{text}"
    );
}

#[test]
fn callers_are_grouped_by_distance_and_file() {
    let text = present::impact("Router.use", &impact_response(1), CONCISE);
    insta::assert_snapshot!(text, @r"
    Router.use (lib/router.js:43-60): 3 callers + 1 in tests within 3 steps, 3 certain, 1 maybe: by name
    1 step:
    lib/app.js: 60 App.use, maybe 90 App.route
    2 steps:
    lib/index.js: 7 create
    tests: test/a.js: 10 checks
    ");
    let many = present::impact("Router.use", &impact_response(40), CONCISE);
    assert!(many.contains("tests: 40 callers in 1 file"), "{many}");
}

#[test]
fn imports_stand_in_for_a_path_of_uses() {
    let step = |path: &str, line| ImportPathStep {
        path: path.to_owned(),
        line,
    };
    let response = CallPathResponse {
        imports: vec![step("src/a.ts", Some(3)), step("src/b.ts", None)],
        ..path_response(0, false)
    };
    let text = present::call_path("start", "end", &response, CONCISE);
    assert!(
        text.contains("start -> end by 1 import\n  src/a.ts:3\n  src/b.ts"),
        "{text}"
    );
}

fn path_response(n_paths: usize, reversed: bool) -> CallPathResponse {
    let step = |name: &str, line, at: Option<u32>| CallStep {
        symbol: symbol("lib/app.js", line, "function", name, "fn"),
        line: at,
        confidence: UseConfidence::Resolved,
        ran: String::new(),
    };
    let path = vec![
        step("start", 3, Some(5)),
        step("next", 9, Some(12)),
        step("end", 20, None),
    ];
    CallPathResponse {
        runs: vec![],
        imports: Vec::new(),
        from: vec![],
        to: vec![],
        paths: vec![path; n_paths],
        brought: vec![],
        reversed,
        near: vec![],
    }
}

#[test]
fn a_path_is_a_line_a_step() {
    insta::assert_snapshot!(present::call_path("start", "end", &path_response(1, false), CONCISE), @r"
    start -> end: 2 steps
      lib/app.js:3 start -> at 5
      lib/app.js:9 next -> at 12
      lib/app.js:20 end
    ");
    let reversed = present::call_path("end", "start", &path_response(1, true), CONCISE);
    assert!(
        reversed.starts_with("no certain chain from end to start; the other way: start -> end")
    );
    let none = present::call_path("a", "b", &path_response(0, false), CONCISE);
    assert_eq!(none, "no certain chain between a and b");
    let mut guessed = path_response(1, false);
    guessed.paths[0][1].confidence = UseConfidence::NameOnly;
    let guessed = present::call_path("start", "end", &guessed, CONCISE);
    let head = "no certain chain; with 1 step by name alone: start -> end: 2 steps\n";
    assert!(guessed.starts_with(head), "{guessed}");
}

fn finding(path: &str, line: u32, name: &str, verdict: &str, confidence: &str) -> DeadFinding {
    DeadFinding {
        symbol: symbol(path, line, "function", name, "fn"),
        verdict: DeadVerdict::from_word(verdict).expect("a word of the enum"),
        reason: "nothing in the checkout uses it".to_owned(),
        confidence: Level::from_word(confidence).expect("a word of the enum"),
        dead: verdict == "dead",
    }
}

fn dead_response() -> DeadCodeResponse {
    DeadCodeResponse {
        findings: vec![
            finding("lib/a.js", 3, "old", "dead", "high"),
            finding("lib/a.js", 9, "older", "dead", "medium"),
            finding("lib/b.js", 4, "check", "test-only", "high"),
            DeadFinding {
                reason: "named in text at a.yaml:3".to_owned(),
                ..finding("lib/b.js", 6, "hook", "possibly-dynamic", "low")
            },
            finding("lib/b.js", 8, "api", "exported-unused", "medium"),
        ],
        n_checked: 1_200,
        n_exported_unused: 215,
        ..DeadCodeResponse::default()
    }
}

#[test]
fn dead_code_is_a_block_a_verdict() {
    insta::assert_snapshot!(present::dead_code(&[], &dead_response(), CONCISE), @r"
    5 of 1,200 without a certain use
    dead: 2 definitions
      lib/a.js: 3 old, 9 older*
    used only by tests or examples: 1 definition
      lib/b.js: 4 check
    maybe: 1 definition that something may reach
      lib/b.js: 6 hook (named in text at a.yaml:3)
    exported, used by tests or examples at most: 1 definition
      lib/b.js: 8 api
    214 more exported, used by tests or examples at most: public API (kinds=exported lists it)
    [5/5 findings; 132 tokens; * = used only by dead code]
    ");
    let asked = present::dead_code(&["old".to_owned()], &dead_response(), CONCISE);
    assert!(
        asked.starts_with("lib/a.js:3 old: dead, nothing in the checkout uses it\n"),
        "{asked}"
    );
}

#[test]
fn dead_code_says_what_coverage_it_took_in() {
    let coverage = CoverageReport {
        path: "coverage/lcov.info".to_owned(),
        format: "lcov".to_owned(),
        n_files: 3,
        notes: vec!["line 7: `DA:x` cannot be read".to_owned()],
        is_brought: false,
    };
    let response = DeadCodeResponse {
        findings: vec![finding("lib/a.js", 3, "old", "dead", "high")],
        coverage: vec![coverage],
        n_never_ran: 2,
        n_kept_by_run: 1,
        ..dead_response()
    };
    insta::assert_snapshot!(present::dead_code(&[], &response, CONCISE), @r"
    1 of 1,200 without a certain use
    coverage coverage/lcov.info: 3 files; line 7: `DA:x` cannot be read
    1 alive for having run alone (kinds: ran), 2 used but never ran (kinds: never-ran)
    dead: 1 definition
      lib/a.js: 3 old
    215 exported, used by tests or examples at most: public API (kinds=exported lists it)
    ");
}

fn edge(path: &str, line: u32, external: bool) -> DepEdge {
    DepEdge {
        path: path.to_owned(),
        module: path.to_owned(),
        line,
        external,
    }
}

#[test]
fn dependencies_are_two_lists() {
    let response = DepsResponse {
        path: "lib/router.js".to_owned(),
        imports: vec![
            edge("lib/layer.js", 1, false),
            edge("http", 2, true),
            edge("debug", 3, true),
            edge("lib/layer.js", 9, false),
        ],
        importers: vec![edge("lib/app.js", 4, false)],
        further_imports: vec![],
        further_importers: vec![],
    };
    insta::assert_snapshot!(present::deps(&response, DepsDirection::Both, CONCISE));
    let step = |path: &str, depth, from: &str| DepStep {
        path: path.to_owned(),
        depth,
        from: from.to_owned(),
        line: 7,
    };
    let response = DepsResponse {
        further_importers: vec![
            step("lib/index.js", 2, "lib/app.js"),
            step("bin/run.js", 2, "lib/app.js"),
            step("test/run.js", 3, "bin/run.js"),
        ],
        ..response
    };
    let text = present::deps(&response, DepsDirection::Importers, CONCISE);
    insta::assert_snapshot!(text, @r"
    lib/router.js is imported by 1 file
      lib/app.js: 4
    2 steps: 2 files importing them
      lib/app.js > lib/index.js:7, bin/run.js:7
    3 steps: 1 file importing them
      bin/run.js > test/run.js:7
    ");
}

fn summary() -> RepoSummary {
    RepoSummary {
        id: "0123456789ab".into(),
        name: "express".to_owned(),
        root: "/src/express".to_owned(),
        branch: Some("main".to_owned()),
        head: Some("1a2b3c4".to_owned()),
        state: RepoState::Ready,
        state_note: "up to date".to_owned(),
        commits_behind: 0,
        is_set_aside: false,
        files: 120,
        chunks: 1_400,
        symbols: 900,
        languages: vec![LanguageShare {
            language: "javascript".to_owned(),
            files: 120,
            lines: 9_000,
        }],
        index_bytes: 1e6,
        indexed_at: Some(0.0),
        watching: true,
        watch_note: String::new(),
        coverage: Coverage {
            vector: 0.61,
            vector_note: Some("being computed".to_owned()),
            n_skipped: 3,
            ..full()
        },
        vectors_left_s: None,
        graph: "ready".to_owned(),
        skipped_by_reason: vec![SkipCount {
            is_secret: false,
            reason: "too large (over 1 MB)".to_owned(),
            count: 3,
        }],
    }
}

fn job() -> JobProgress {
    JobProgress {
        job_id: "j1".into(),
        repo: "0123456789ab".into(),
        lane: Lane::Vector,
        stage: JobStage::Vectors,
        done: 854,
        total: 1_400,
        rate: 30.0,
        eta_s: Some(18.2),
        current: None,
        state: JobState::Running,
        error: None,
    }
}

fn health() -> RepoHealth {
    let skip = |path: &str| SkippedEntry {
        path: path.to_owned(),
        reason: "too large (over 1 MB)".to_owned(),
    };
    RepoHealth {
        summary: summary(),
        compatibility: "c0ffee".to_owned(),
        manifest: vec![ManifestPart {
            name: "schema".to_owned(),
            value: "1".to_owned(),
        }],
        index_path: "/data/express".to_owned(),
        skipped: vec![skip("dist/a.js"), skip("dist/b.js")],
        parse_errors: vec![],
        views: vec![],
        vectors: [(VectorKind::Dense, 3_161.0), (VectorKind::Token, 5_262.0)]
            .map(|(kind, bytes_per_chunk)| VectorRoom {
                kind,
                bytes: 100.0 * bytes_per_chunk,
                chunks: 100,
                bytes_per_chunk,
            })
            .to_vec(),
        problems: vec![],
        scip: None,
        reports: FoundReports::default(),
    }
}

#[test]
fn a_status_tells_what_a_scip_index_covers() {
    let mut health = health();
    health.scip = Some(ScipImport {
        path: "index.scip".to_owned(),
        tool: "scip-typescript 0.4.0".to_owned(),
        age_s: 7_300,
        n_documents: 40,
        n_files: 38,
        n_code_files: 41,
        n_uses: 1_200,
        brought: vec![],
        notes: vec!["2 changed since, left out: lib/a.js, lib/b.js".to_owned()],
    });
    let text = present::status(&health, &[], &[], &stage_stats(), CONCISE);
    let line = "scip index.scip (scip-typescript 0.4.0, 2 h old): precise in 38 of 41 code files, \
                1,200 uses; 2 changed since, left out: lib/a.js, lib/b.js";
    assert!(text.lines().any(|one| one == line), "{text}");
}

#[test]
fn a_status_tells_which_reports_answers_read() {
    let report = |path: &str, is_used, note: &str| FoundReport {
        path: path.to_owned(),
        kind: "lcov".to_owned(),
        is_used,
        note: note.to_owned(),
    };
    let mut health = health();
    health.reports = FoundReports {
        reports: vec![
            report("a.info", true, ""),
            report("b.info", false, "changed since it was named"),
        ],
        n_more: 2,
    };
    let text = present::status(&health, &[], &[], &stage_stats(), CONCISE);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("reports"))
        .collect();
    let expected = [
        "reports in use: a.info (lcov)",
        "reports that no answer reads: b.info (lcov, changed since it was named) and 2 more; \
         `whyrank reports use PATH` changes that",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn precise_uses_are_told_apart() {
    let mut response = refs_response(0);
    for (hit, confidence) in
        response
            .references
            .iter_mut()
            .zip(["precise", "resolved", "ambiguous"])
    {
        hit.confidence = UseConfidence::from_word(confidence).expect("a word of the enum");
    }
    let mixed = present::refs("use", &response, false, CONCISE);
    let head = mixed.lines().next().unwrap();
    assert!(head.contains(" certain, "), "{mixed}");
    assert!(mixed.contains("maybe "), "{mixed}");
    for hit in &mut response.references {
        hit.confidence = UseConfidence::Precise;
    }
    let all = present::refs("use", &response, false, CONCISE);
    assert!(
        !all.contains('!') && all.lines().next().unwrap().ends_with(", precise"),
        "{all}"
    );
}

#[test]
fn a_status_tells_coverage_and_reasons() {
    insta::assert_snapshot!(present::status(
        &health(),
        &[],
        &[job()],
        &stage_stats(),
        CONCISE
    ));
}

#[test]
fn a_detailed_status_lists_what_was_left_out() {
    insta::assert_snapshot!(present::status(
        &health(),
        &[],
        &[],
        &stage_stats(),
        DETAILED
    ));
}

#[test]
fn repositories_are_a_line_each() {
    insta::assert_snapshot!(present::list_repos(&[summary()], CONCISE));
}

fn stage_stats() -> StageStats {
    StageStats {
        n_answers: 100,
        timers: vec![TimerStats {
            name: "warp_search_ms".to_owned(),
            n: 41,
            p50_ms: 6.2,
            p95_ms: 14.0,
        }],
        counters: [
            ("warp_runs", 41),
            ("warp_skipped_gate", 57),
            ("gate_decisions", 99),
        ]
        .map(|(name, n)| CounterStats {
            name: name.to_owned(),
            n,
        })
        .to_vec(),
        movements: vec![StageMovement {
            stage: "evidence".to_owned(),
            n_hits: 960,
            n_moved: 702,
            n_entered: 211,
        }],
    }
}

fn trace_row() -> TraceRow {
    let rank = |channel, rank, contribution| ChannelRank {
        channel,
        rank,
        raw_score: 3.2,
        contribution,
        way: None,
    };
    TraceRow {
        repo: None,
        rank: 1,
        path: "lib/router.js".to_owned(),
        start_line: 43,
        end_line: 60,
        part: None,
        symbol: Some("Router.use".to_owned()),
        channels: vec![
            rank(Channel::SymbolName, 1, 1.8 / 61.0),
            rank(Channel::Fts, 3, 1.0 / 63.0),
        ],
        evidence: vec![Evidence {
            words: Vec::new(),
            name: "test-file".to_owned(),
            contribution: -0.01,
            reason: "tests rank lower: -0.01".to_owned(),
        }],
        fused: 1.8 / 61.0 + 1.0 / 63.0,
        score: 1.8 / 61.0 + 1.0 / 63.0 - 0.01,
        shown: true,
        late: None,
        stages: None,
        alignment: None,
    }
}

fn trace() -> Trace {
    Trace {
        query_id: "q1a2b3c4".into(),
        query: "Router.use".to_owned(),
        repo: "0123456789ab".into(),
        view: "working tree".to_owned(),
        as_of: None,
        shape: QueryShape::Identifier,
        shape_reason: "one word with a dot".to_owned(),
        rrf_k: 60.0,
        issue: None,
        weights: vec![
            ChannelWeight {
                channel: Channel::Fts,
                prior: 1.0,
                effective: 1.0,
                reason: String::new(),
            },
            ChannelWeight {
                channel: Channel::SymbolName,
                prior: 1.2,
                effective: 1.8,
                reason: "identifier × 1.5".to_owned(),
            },
        ],
        channels: vec![
            ChannelRun {
                channel: Channel::Fts,
                n_hits: 43,
                elapsed_ms: 2.1,
                encode_ms: None,
                skipped: None,
            },
            ChannelRun {
                channel: Channel::Vector,
                n_hits: 0,
                elapsed_ms: 0.0,
                encode_ms: None,
                skipped: Some("no model".to_owned()),
            },
        ],
        rows: vec![trace_row()],
        timings: vec![StageTiming {
            stage: "channels".to_owned(),
            elapsed_ms: 5.0,
            budget_ms: Some(120.0),
            n_in: None,
            n_out: Some(43),
            skipped: None,
        }],
        gate: None,
        refine: None,
        cross: None,
        rerank: None,
        fit: None,
        confidence: None,
        coverage: full(),
        manifest: "c0ffee/7".to_owned(),
        notes: vec![],
    }
}

#[test]
fn a_row_says_how_the_graph_came_upon_it() {
    let mut trace = trace();
    let way = "from `App.handle` by call → `Router.use`";
    trace.rows[0].channels.push(ChannelRank {
        channel: Channel::Graph,
        rank: 4,
        raw_score: 0.01,
        contribution: 0.0,
        way: Some(way.to_owned()),
    });
    assert!(present::explain(&trace, Some(1), CONCISE).contains(&format!("reached {way}")));
    assert!(!present::explain(&trace, None, CONCISE).contains(way));
}

#[test]
fn a_trace_reads_as_a_sum() {
    insta::assert_snapshot!(present::explain(&trace(), None, CONCISE));
}

#[test]
fn a_trace_says_what_the_gate_decided_in_a_line() {
    let mut trace = trace();
    let features = GateFeatures {
        n_candidates: 212,
        z_margin: 0.4,
        z_peak: 6.1,
        entropy: 0.62,
        agreement: Some(0.31),
        id_hit: false,
        shape: QueryShape::NaturalLanguage,
        n_words: 5,
        time_left_ms: 240.0,
        expected_ms: Some(18.0),
    };
    trace.gate = Some(GateRecord {
        settings: GateSettings::default(),
        features,
        missing: None,
        verdict: GateVerdict {
            runs: true,
            reason: GateReason::HighEntropy,
            sentence: "runs: entropy 0.62 > 0.25".to_owned(),
            checks: vec![GateCheck {
                name: GateFigure::Entropy,
                value: 0.62,
                threshold: 0.25,
                at_most: true,
                sure: false,
            }],
        },
    });
    trace.rows[0].stages = Some(StageRanks {
        fused: 9,
        evidence: 4,
        refined: Some(2),
        ordered: 2,
        crossed: None,
        presented: None,
        reranked: None,
    });
    let concise = present::explain(&trace, None, CONCISE);
    assert!(
        concise.contains("late interaction runs: entropy 0.62 > 0.25\n"),
        "{concise}"
    );
    assert!(!concise.contains("ranks fused"));
    let detailed = present::explain(&trace, None, DETAILED);
    assert!(
        detailed.contains("entropy 0.62 (sure ≤ 0.25)"),
        "{detailed}"
    );
    let row = present::explain(&trace, Some(1), CONCISE);
    assert!(
        row.contains("ranks fused 9 → evidence 4 → refined 2 → ordered 2 → shown 1"),
        "{row}"
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
        signature in "\\PC{0,400}",
    ) {
        let style = Style { budget, detailed };
        let mut response = search_response();
        let lines = [(1, signature.as_str()), (2, path.as_str())];
        response.hits = (0..n_items).map(|_| hit(1, &path, &signature, &lines)).collect();
        response.notes = vec![signature.clone()];
        let definitions: Vec<SymbolLine> =
            (0..n_items).map(|_| symbol(&path, 1, "function", &path, &signature)).collect();
        let refs = RefsResponse {
            definitions: definitions.clone(),
            references: (1..=n_items as u32).map(|line| reference(&path, line, "call", line % 3 == 0)).collect(),
            heirs: vec![heir(&path, 1, &signature, 1, true); n_items],
            ..RefsResponse::default()
        };
        let edges: Vec<DepEdge> =
            (1..=n_items as u32).map(|line| edge(&format!("{path}{line}"), line, line % 2 == 0)).collect();
        let deps = DepsResponse { path: path.clone(), imports: edges.clone(), importers: edges, further_imports: vec![], further_importers: vec![] };
        let found = finding(&path, 3, &signature, "dead", "medium");
        let dead = DeadCodeResponse { findings: vec![found; n_items], ..dead_response() };
        let mut health = health();
        health.summary.state_note = signature.clone();
        let mut trace = trace();
        trace.query = signature.clone();
        trace.rows = vec![trace.rows[0].clone(); n_items];
        let texts = [
            present::search(&response, style),
            present::lookup(&LookupResponse { n_definitions: definitions.len() as u32, definitions, n_left_out: 0, near: vec![], unread: vec![], memos: vec![], memory_gap: None }, style),
            present::refs(&path, &refs, false, style),
            present::impact(&path, &impact_response(n_items as u32), style),
            present::call_path(&path, "end", &path_response(n_items, true), style),
            present::dead_code(&[], &dead, style),
            present::dead_code(std::slice::from_ref(&path), &dead, style),
            present::deps(&deps, DepsDirection::Both, style),
            present::status(&health, &[], &[job()], &stage_stats(), style),
            present::list_repos(&vec![summary(); n_items], style),
            present::explain(&trace, None, style),
            present::json(&serde_json::to_value(&response).unwrap(), budget),
        ];
        for text in texts {
            prop_assert!(estimate_tokens(&text) <= budget, "{} > {budget}: {text}", estimate_tokens(&text));
        }
    }
}

#[test]
fn what_an_edit_broke_is_five_lines_at_most_with_nothing_hidden() {
    let import = |at: u32| BrokenImports {
        path: format!("src/a{at}\u{202e}\n.py"),
        now: None,
        risk: 50.0,
        n_importers: 9,
        importers: vec![UnchangedCaller {
            path: "src/b.py".to_owned(),
            line: at,
            name: None,
            test: false,
        }],
    };
    let found = present::breakages(&Breakages {
        symbols: Vec::new(),
        broken_imports: (1..=7).map(import).collect(),
    });
    let all: Vec<&BreakageLine> = found.iter().collect();
    let note = present::breakage_note(&all).expect("seven findings");
    let lines: Vec<&str> = note.lines().collect();
    assert_eq!(lines.len(), 5, "{note}");
    assert_eq!(
        lines[1],
        "- `src/a1\\u202e\\n.py` went, and is still imported: src/b.py:1 +8"
    );
    assert_eq!(lines[4], "- 4 more findings: call review_diff");
    let four = present::breakage_note(&all[..4]).expect("four findings");
    assert_eq!(four.lines().count(), 5);
    assert!(!four.contains("more"), "{four}");
    assert_eq!(present::breakage_note(&[]), None);
}
