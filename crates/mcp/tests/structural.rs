//! Structural search and roles as agents read them.

use proptest::prelude::*;
use whyrank_engine::api::{
    AstBinding, AstGrepResponse, AstMatch, Level, PatternEvidence, PatternFinding,
    PatternsResponse, ReasonCount, SymbolLine,
};
use whyrank_mcp::estimate_tokens;
use whyrank_mcp::present::{self, Style};

const CONCISE: Style = Style {
    budget: 2_000,
    detailed: false,
};
const DETAILED: Style = Style {
    budget: 2_000,
    detailed: true,
};

fn found(path: &str, lines: (u32, u32), text: &str, test: bool) -> AstMatch {
    AstMatch {
        path: path.to_owned(),
        start_line: lines.0,
        end_line: lines.1,
        text: text.to_owned(),
        enclosing: Some("Cart.load".to_owned()),
        bindings: vec![AstBinding {
            name: "X".to_owned(),
            text: "path".to_owned(),
        }],
        test,
    }
}

fn response() -> AstGrepResponse {
    AstGrepResponse {
        matches: vec![
            found("src/a.py", (3, 3), "return open(path)", false),
            found("src/a.py", (9, 12), "open(", false),
            found("src/b.py", (7, 7), "x = open(path)", false),
            found("tests/test_a.py", (1, 1), "open(path)", true),
        ],
        n_matches: 4,
        n_files: 3,
        n_searched: 40,
        languages: vec!["python".to_owned()],
        n_unfinished: 0,
        note: String::new(),
    }
}

#[test]
fn matches_are_grouped_by_file() {
    insta::assert_snapshot!(present::ast_grep("open($X)", &response(), CONCISE), @r"
    open($X): 4 matches in 3 files (python)
    src/a.py:
      3 return open(path)
      9-12 open(
    src/b.py:7 x = open(path)
    in tests:
    tests/test_a.py:1 open(path)
    ");
    let detailed = present::ast_grep("open($X)", &response(), DETAILED);
    assert!(
        detailed.contains("3 return open(path)  [in Cart.load; X = path]"),
        "{detailed}"
    );
}

#[test]
fn a_partial_answer_says_so_and_an_empty_one_where_it_looked() {
    let partial = AstGrepResponse {
        n_matches: 9,
        note: "partial: 3 of 40 files not finished; narrow by path".to_owned(),
        ..response()
    };
    let text = present::ast_grep("open($X)", &partial, CONCISE);
    assert!(
        text.contains("[4/9 matches;") && text.contains("partial: 3 of 40"),
        "{text}"
    );
    let none = AstGrepResponse {
        matches: vec![],
        n_matches: 0,
        n_files: 0,
        ..response()
    };
    let text = present::ast_grep("open($X)", &none, CONCISE);
    assert_eq!(text, "open($X): nothing of that shape in 40 files (python)");
}

fn role(pattern: &str, path: &str, confidence: &str, test: bool) -> PatternFinding {
    let evidence = |path: &str, line, why: &str| PatternEvidence {
        path: path.to_owned(),
        line,
        why: why.to_owned(),
    };
    PatternFinding {
        pattern: pattern.to_owned(),
        symbol: SymbolLine {
            path: path.to_owned(),
            start_line: 3,
            end_line: 9,
            name_line: 3,
            kind: "function".to_owned(),
            name: "create".to_owned(),
            qualified: "create".to_owned(),
            signature: "def create()".to_owned(),
            exported: true,
        },
        confidence: Level::from_word(confidence).expect("a word of the enum"),
        evidence: vec![
            evidence(path, 5, "returns a new App"),
            evidence("src/other.py", 7, "promises Base, makes App"),
        ],
        test,
    }
}

fn roles() -> PatternsResponse {
    let count = |reason: &str, count| ReasonCount {
        reason: reason.to_owned(),
        count,
    };
    PatternsResponse {
        findings: vec![
            role("factory", "src/a.py", "high", false),
            role("middleware", "src/m.py", "medium", false),
        ],
        counts: vec![count("middleware", 12), count("factory", 3)],
        n_searched: 40,
        n_unread: 0,
        known: vec!["factory".to_owned(), "middleware".to_owned()],
    }
}

#[test]
fn roles_are_counted_with_their_best_example() {
    insta::assert_snapshot!(present::patterns("", &roles(), CONCISE), @r"
    2 roles in 40 files; how often, and the best example
    middleware (12): src/m.py:3 create: 5 returns a new App
    factory (3): src/a.py:3 create: 5 returns a new App
    [2/2 roles; 62 tokens; patterns(pattern=NAME) lists one]
    ");
}

#[test]
fn one_role_is_listed_with_its_evidence() {
    let mut response = roles();
    response.findings = vec![
        role("factory", "src/a.py", "high", false),
        role("factory", "src/b.py", "low", false),
        role("factory", "tests/a.py", "high", true),
    ];
    insta::assert_snapshot!(present::patterns("factories", &response, CONCISE), @r"
    factory: 1 sure, 0 likely, 1 maybe in 40 files, and 1 in tests
    src/a.py:3 create: 5 returns a new App; src/other.py:7 promises Base, makes App
    ? src/b.py:3 create: 5 returns a new App; src/other.py:7 promises Base, makes App
    tests/a.py:3 create: 5 returns a new App; src/other.py:7 promises Base, makes App
    [3/3 findings; 101 tokens; ~ likely, ? maybe]
    ");
    let detailed = present::patterns("factory", &response, DETAILED);
    assert!(
        detailed.contains("src/a.py:3 function create (high)\n  5 returns a new App\n"),
        "{detailed}"
    );
    response.findings.clear();
    let none = present::patterns("factory", &response, CONCISE);
    assert_eq!(none, "factory: none found in 40 files");
    response.n_unread = 1_200;
    let partial = present::patterns("factory", &response, CONCISE);
    let expected =
        "factory: none found in 40 files (partial: time was up before 1,200 others that fewer use)";
    assert_eq!(partial, expected);
}

proptest! {
    #[test]
    fn no_answer_outgrows_its_budget(
        budget in 80_u32..3_000,
        detailed in any::<bool>(),
        n_items in 0_usize..60,
        text in "\\PC{0,400}",
    ) {
        let style = Style { budget, detailed };
        let one = found(&text, (1, 2), &text, n_items % 2 == 0);
        let matches = AstGrepResponse {
            matches: vec![one; n_items],
            n_matches: n_items as u32,
            note: text.clone(),
            ..response()
        };
        let mut finding = role("factory", &text, "low", false);
        finding.evidence[0].why.clone_from(&text);
        let roles = PatternsResponse { findings: vec![finding; n_items], ..roles() };
        for text in [
            present::ast_grep(&text, &matches, style),
            present::patterns("", &roles, style),
            present::patterns(&text, &roles, style),
        ] {
            prop_assert!(estimate_tokens(&text) <= budget, "{} > {budget}: {text}", estimate_tokens(&text));
        }
    }
}
