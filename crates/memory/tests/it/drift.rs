//! What a memo says when the code that it is about changes or moves.

use std::collections::BTreeMap;
use whyrank_memory::{Anchor, AnchorState, CodeAt, Drift, anchor_text, check_anchor};

const CODE: &str = "use std::io;\n\nfn retry(n: u32) -> u32 {\n    let limit = 3;\n    n.min(limit)\n}\n\nfn other() {\n    retry(1);\n}\n";

struct Files(BTreeMap<&'static str, String>);

impl CodeAt for Files {
    fn text(&self, path: &str) -> Option<String> {
        self.0.get(path).cloned()
    }
    fn exists(&self, path: &str) -> bool {
        self.0
            .keys()
            .any(|known| *known == path || known.starts_with(&format!("{path}/")))
    }
    fn definitions(&self, symbol: &str) -> Vec<(String, u32, u32)> {
        let mut found = Vec::new();
        for (path, text) in &self.0 {
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate() {
                if line.starts_with(&format!("fn {symbol}(")) {
                    let end = lines[at..]
                        .iter()
                        .position(|line| *line == "}")
                        .unwrap_or(0);
                    found.push(((*path).to_owned(), at as u32 + 1, (at + end) as u32 + 1));
                }
            }
        }
        found
    }
    fn successors(&self, path: &str) -> Vec<String> {
        let name = path.rsplit('/').next().unwrap_or(path);
        self.0
            .keys()
            .filter(|known| known.ends_with(name))
            .map(|known| (*known).to_owned())
            .collect()
    }
}

fn anchor(symbol: Option<&str>) -> Anchor {
    let anchor = Anchor {
        path: "src/a.rs".to_owned(),
        symbol: symbol.map(str::to_owned),
        start_line: 3,
        end_line: 6,
        ..Anchor::default()
    };
    anchor_text(anchor, CODE).expect("the lines are there")
}

fn check(symbol: Option<&str>, files: &[(&'static str, &str)]) -> Drift {
    let files = files
        .iter()
        .map(|(path, text)| (*path, (*text).to_owned()))
        .collect();
    check_anchor(&anchor(symbol), &Files(files))
}

fn place(drift: &Drift) -> String {
    let now = drift.now.as_ref().expect("it was found");
    format!("{}:{}-{}", now.path, now.start_line, now.end_line)
}

#[test]
fn what_stands_where_it_stood_has_not_drifted() {
    let drift = check(None, &[("src/a.rs", CODE)]);
    assert_eq!(
        (drift.state, drift.diff.as_str()),
        (AnchorState::Unchanged, "")
    );
    let trailing = CODE
        .replace("limit = 3;", "limit = 3;  ")
        .replace('\n', "\r\n");
    assert_eq!(
        check(None, &[("src/a.rs", &trailing)]).state,
        AnchorState::Unchanged
    );
}

#[test]
fn lines_that_moved_down_are_followed_by_content() {
    let moved = format!("// new\n// lines\n{CODE}");
    let drift = check(None, &[("src/a.rs", &moved)]);
    assert_eq!((drift.state, drift.by), (AnchorState::Moved, "content"));
    assert_eq!(place(&drift), "src/a.rs:5-8");
}

#[test]
fn a_function_that_moved_to_another_file_is_followed() {
    let drift = check(
        Some("retry"),
        &[("src/a.rs", "use std::io;\n"), ("src/b.rs", CODE)],
    );
    assert_eq!(drift.state, AnchorState::Moved);
    assert_eq!(place(&drift), "src/b.rs:3-6");
}

#[test]
fn a_name_in_another_file_is_no_proof() {
    let other = "fn retry() -> bool {\n    start();\n    true\n}\n";
    let drift = check(Some("retry"), &[("src/b.rs", other)]);
    assert_eq!((drift.state, drift.now), (AnchorState::Gone, None));
    let changed = CODE.replace("limit = 3", "limit = 5");
    let drift = check(
        Some("retry"),
        &[("src/b.rs", other), ("src/c.rs", &changed)],
    );
    assert_eq!((drift.state, drift.by), (AnchorState::Changed, "symbol"));
    assert_eq!(place(&drift), "src/c.rs:3-6");
}

#[test]
fn a_renamed_file_is_followed() {
    let drift = check(None, &[("lib/a.rs", CODE)]);
    assert_eq!(
        (drift.state, place(&drift).as_str()),
        (AnchorState::Moved, "lib/a.rs:3-6")
    );
}

#[test]
fn a_changed_function_is_found_by_name_and_shows_the_diff() {
    let changed = format!("// head\n{}", CODE.replace("limit = 3", "limit = 5"));
    let drift = check(Some("retry"), &[("src/a.rs", &changed)]);
    assert_eq!((drift.state, drift.by), (AnchorState::Changed, "symbol"));
    assert_eq!(place(&drift), "src/a.rs:4-7");
    assert!(
        drift
            .diff
            .contains("-    let limit = 3;\n+    let limit = 5;"),
        "{}",
        drift.diff
    );
}

#[test]
fn without_a_name_likeness_finds_it() {
    let changed = CODE
        .replace("limit = 3", "limit = 5")
        .replace("fn other", "fn another");
    let drift = check(None, &[("src/a.rs", &changed)]);
    assert_eq!(
        (drift.state, drift.by),
        (AnchorState::Changed, "similarity")
    );
    assert!(drift.similarity >= 0.5, "{}", drift.similarity);
}

#[test]
fn what_is_gone_is_said_to_be_gone() {
    let drift = check(Some("retry"), &[("src/a.rs", "fn nothing() {}\n")]);
    assert_eq!((drift.state, drift.now), (AnchorState::Gone, None));
    assert!(drift.diff.contains("-fn retry(n: u32)"), "{}", drift.diff);
}

#[test]
fn an_anchor_on_a_file_or_a_folder_drifts_only_when_it_goes() {
    let whole = |path: &str| {
        let anchor = Anchor {
            path: path.to_owned(),
            ..Anchor::default()
        };
        anchor_text(anchor, CODE).expect("a file")
    };
    let files = |files: &[(&'static str, &str)]| {
        Files(
            files
                .iter()
                .map(|(path, text)| (*path, (*text).to_owned()))
                .collect(),
        )
    };
    let edited = files(&[("src/a.rs", "fn nothing() {}\n")]);
    assert_eq!(
        check_anchor(&whole("src/a.rs"), &edited).state,
        AnchorState::Unchanged
    );
    assert_eq!(
        check_anchor(&whole("src"), &edited).state,
        AnchorState::Unchanged
    );
    let renamed = files(&[("lib/a.rs", CODE)]);
    let drift = check_anchor(&whole("src/a.rs"), &renamed);
    assert_eq!(
        (drift.state, place(&drift).as_str()),
        (AnchorState::Moved, "lib/a.rs:0-0")
    );
    assert_eq!(
        check_anchor(&whole("doc"), &renamed).state,
        AnchorState::Gone
    );
}

#[test]
fn an_anchor_beyond_the_end_has_no_lines() {
    let beyond = Anchor {
        path: "a".to_owned(),
        start_line: 99,
        end_line: 100,
        ..Anchor::default()
    };
    assert_eq!(anchor_text(beyond, CODE), None);
}

#[test]
fn an_edit_of_one_line_leaves_the_other_lines_where_they_are() {
    let commented = "fn other() {\n    work();\n}\n\n/**\n * Tells what is wanted.\n *\n * @param {String} str\n */\n\nfunction wanted(str) {\n  return parse(str, {\n    deep: true\n  });\n}\n\n/**\n * Tells what is not.\n *\n * @param {String} str\n */\n";
    let anchor = Anchor {
        path: "src/a.rs".to_owned(),
        start_line: 5,
        end_line: 15,
        ..Anchor::default()
    };
    let anchor = anchor_text(anchor, commented).expect("the lines are there");
    let edited = format!(
        "// head\n{}",
        commented.replace("deep: true", "deep: false")
    );
    let files = Files(BTreeMap::from([("src/a.rs", edited)]));
    let drift = check_anchor(&anchor, &files);
    assert_eq!(place(&drift), "src/a.rs:6-16");
    let changed = drift
        .diff
        .lines()
        .filter(|line| line.starts_with(['-', '+']));
    assert_eq!(changed.count(), 2, "{}", drift.diff);
}

#[test]
fn lines_within_a_definition_are_not_followed_to_the_whole_of_it() {
    let body = "fn retry(n: u32) {\n    a();\n    b();\n    let limit = 3;\n    c(limit);\n    d();\n    e();\n    f();\n}\n";
    let anchor = Anchor {
        path: "src/a.rs".to_owned(),
        symbol: Some("retry".to_owned()),
        start_line: 3,
        end_line: 5,
        ..Anchor::default()
    };
    let anchor = anchor_text(anchor, body).expect("the lines are there");
    let files = Files(BTreeMap::from([("src/a.rs", body.replace("= 3", "= 5"))]));
    assert_eq!(place(&check_anchor(&anchor, &files)), "src/a.rs:3-5");
}

#[test]
fn a_definition_keeps_its_edited_first_and_last_lines() {
    let body = "fn retry(n: u32) {\n    a();\n    b();\n    c() }\n";
    let anchor = Anchor {
        path: "src/a.rs".to_owned(),
        symbol: Some("retry".to_owned()),
        start_line: 1,
        end_line: 4,
        ..Anchor::default()
    };
    let anchor = anchor_text(anchor, body).expect("the lines are there");
    let after = |edited: String| {
        let n_lines = edited.lines().count() as u32;
        let spans = vec![("src/a.rs".to_owned(), 1, n_lines)];
        let drift = check_anchor(&anchor, &Spans(edited, spans));
        (place(&drift), drift.diff)
    };
    let (now, diff) = after(body.replace("c() }", "d() }"));
    assert_eq!(now, "src/a.rs:1-4");
    assert!(diff.contains("-    c() }\n+    d() }"), "{diff}");
    let (now, _) = after(body.replace("n: u32", "n: u64"));
    assert_eq!(now, "src/a.rs:1-4");
    // One line edited, and the definition two lines longer.
    let longer = body
        .replace("b();", "x();")
        .replace("c() }", "c();\n    d();\n}");
    assert_eq!(after(longer).0, "src/a.rs:1-6");
}

/// One file, with definitions that end in other ways than those of [`Files`].
struct Spans(String, Vec<(String, u32, u32)>);

impl CodeAt for Spans {
    fn text(&self, path: &str) -> Option<String> {
        (path == "src/a.rs").then(|| self.0.clone())
    }
    fn exists(&self, path: &str) -> bool {
        path == "src/a.rs"
    }
    fn definitions(&self, _symbol: &str) -> Vec<(String, u32, u32)> {
        self.1.clone()
    }
    fn successors(&self, _path: &str) -> Vec<String> {
        Vec::new()
    }
}
