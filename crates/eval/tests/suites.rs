//! Task files as people write them, right and wrong.
#![expect(clippy::unwrap_used, reason = "a test that fails here fails")]

use std::fs;
use std::path::{Path, PathBuf};
use whyrank_eval::suites::{Source, Suite, corrected, documents};
use whyrank_eval::{Category, Expected, Matching, Place, Question};

const PRIMITIVE: &str = r#"{"id": "p1", "repo": "npm:thing", "version": "1.0.0", "lang": "javascript", "category": "P1", "query": {"symbol": "f"}, "expected": [{"file": "a.js", "line": 3}], "stratum": "unique"}"#;

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

fn load(text: &str) -> Result<Suite, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "tasks.jsonl", text);
    Suite::load(&path).map_err(|error| error.to_string())
}

#[test]
fn a_primitive_is_read_with_its_pin() {
    let suite = load(PRIMITIVE).unwrap();
    assert_eq!(suite.name, "tasks");
    assert_eq!(
        suite.repositories[0].source,
        Source::Npm("thing".to_owned())
    );
    assert_eq!(suite.repositories[0].version, "1.0.0");
    let Expected::Places {
        tolerance,
        matching,
        ..
    } = &suite.tasks[0].expected
    else {
        panic!("places")
    };
    assert_eq!((*tolerance, *matching), (3, Matching::OneToOne));
}

#[test]
fn repositories_that_are_only_asked_along_keep_their_pins() {
    let folder = tempfile::tempdir().unwrap();
    let asked = PRIMITIVE.replace("P1", "P3").replace(
        r#""symbol": "f""#,
        r#""symbol": "f", "elsewhere": ["npm:other"]"#,
    );
    write(folder.path(), "tasks.jsonl", &asked);
    let pin = |name: &str| {
        format!(r#"{{"name": "npm:{name}", "source": {{"npm": "{name}"}}, "version": "2.0.1"}}"#)
    };
    let pins = format!("[{}, {}, {}]", pin("thing"), pin("other"), pin("unused"));
    write(folder.path(), "repositories.json", &pins);
    let suite = Suite::load(folder.path()).unwrap();
    let pins = suite.repositories.iter();
    let pins: Vec<_> = pins.map(|pin| (&*pin.name, &*pin.version)).collect();
    assert_eq!(pins, [("npm:other", "2.0.1"), ("npm:thing", "2.0.1")]);
}

#[test]
fn a_doc_comment_s_function_begins_a_little_above_and_its_text_is_blanked() {
    let suite = load(
        r#"{"id": "n", "repo": "r", "category": "NLDOC", "query": {"text": "does it"}, "expected": [{"file": "a", "line": 10, "end_line": 12}], "strip": [{"file": "a", "start": 5, "end": 9}]}"#,
    )
    .unwrap();
    assert_eq!(suite.tasks[0].expected.places()[0].line, 7);
    assert_eq!(suite.repositories[0].blank[0].end, 9);
}

#[test]
fn issues_are_asked_at_the_commit_before_their_fix() {
    let line = |id: &str, repo: &str| {
        format!(
            r#"{{"id": "{id}", "repo": "{repo}", "commit": "abc", "issue": "It fails\n\nbadly", "gold": [{{"path": "a.py", "spans": [[3, 4]], "functions": [{{"name": "A.f", "start": 2, "end": 9}}]}}]}}"#
        )
    };
    let lines = [line("1", "o/big"), line("2", "o/big"), line("3", "o/small")];
    let suite = load(&lines.join("\n")).unwrap();
    assert_eq!(suite.name, "localization");
    assert_eq!(suite.repositories.len(), 2);
    assert_eq!(suite.tasks[0].language, "python");
    let strata: Vec<&str> = suite
        .tasks
        .iter()
        .map(|task| task.stratum.as_str())
        .collect();
    assert_eq!(strata, ["o/big", "o/big", "other repositories"]);
    let Question::Text { as_of, .. } = &suite.tasks[0].question else {
        panic!("text")
    };
    assert_eq!(as_of.as_deref(), Some("abc"));
    assert_eq!(
        suite.tasks[0].expected.places()[0].symbol.as_deref(),
        Some("A.f")
    );
}

#[test]
fn what_is_wrong_is_said_with_file_and_line() {
    let twice = format!("{PRIMITIVE}\n{PRIMITIVE}");
    let cases = [
        ("{\"id\": 1", "tasks.jsonl:1"),
        (
            "{\"id\": \"a\"}",
            "neither `dataset` nor `repo` and `query`",
        ),
        (&twice, "two tasks have the id `p1`"),
        ("", "no tasks"),
        (
            r#"{"id": "a", "repo": "r", "category": "P7", "query": {}, "expected": []}"#,
            "P7",
        ),
        (
            r#"{"id": "a", "repo": "r", "category": "P4", "query": {}, "expected": []}"#,
            "P4 needs query.file",
        ),
        (
            r#"{"id": "a", "repo": "r", "category": "P5", "query": {"symbol": "x", "file": "a", "line": 1}, "expected": [1]}"#,
            "does not fit P5",
        ),
    ];
    for (text, expected) in cases {
        let error = load(text).unwrap_err();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn an_original_task_has_its_own_rules_and_a_corrected_twin() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = write(
        folder.path(),
        "primitives_express.jsonl",
        r#"{"id":"e1","category":"P1","dataset":"express","query":"f","expected":{"kind":"locations","locations":[]}}
{"id":"e2","category":"P5","dataset":"express","query":"","expected":{"kind":"names","names":[]}}
"#,
    );
    let suite = Suite::load(&tasks).unwrap();
    assert_eq!(suite.name, "original express");
    assert_eq!(suite.defects.len(), 3, "one for all, and one for each task");
    let corrections = write(
        folder.path(),
        "original-corrected.jsonl",
        r#"{"id":"e1","expected":{"kind":"locations","locations":[{"file":"a.js","line":2}]},"changed":"it is there"}"#,
    );
    let corrected = corrected(&suite, &corrections).unwrap();
    assert_eq!(corrected.tasks.len(), 1);
    assert_eq!(corrected.tasks[0].expected.places()[0].line, 2);
    assert_eq!(corrected.defects[0].suite, "original express");
}

#[test]
fn semble_s_targets_are_paths_and_spans_below_the_folder_that_is_searched() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "repos.json",
        r#"[{"name":"x","language":"c","url":"https://example.org/x.git","revision":"abc","benchmark_root":"lib"}]"#,
    );
    write(
        folder.path(),
        "annotations/x.json",
        r#"[{"query":"q","relevant":["lib/a.c",{"path":"lib/b.c","start_line":3,"end_line":9}],"secondary":[],"category":"semantic"}]"#,
    );
    let suite = Suite::load(folder.path()).unwrap();
    assert_eq!(suite.repositories[0].root.as_deref(), Some("lib"));
    let Expected::Ranked {
        relevant,
        by_suffix,
        ..
    } = &suite.tasks[0].expected
    else {
        panic!("ranked")
    };
    assert_eq!(relevant[0], Place::file("a.c"));
    assert_eq!(relevant[1].end_line, 9);
    assert!(!by_suffix, "whole paths are met whole");
}

#[test]
fn ckb_s_list_is_read_and_its_mistakes_named() {
    let folder = tempfile::tempdir().unwrap();
    let good = write(
        folder.path(),
        "a.json",
        r#"[{"id":"1","type":"expansion","query":"f","expectedSymbols":["g"],"topK":5}]"#,
    );
    let suite = Suite::load(&good).unwrap();
    assert_eq!(suite.tasks[0].category, Category::Expansion);
    assert!(matches!(
        suite.tasks[0].expected,
        Expected::Symbols { top_k: 5, .. }
    ));
    let bad = write(
        folder.path(),
        "b.json",
        r#"[{"id":"1","type":"needle","query":"f","expectedSymbols":[]}]"#,
    );
    assert!(
        Suite::load(&bad)
            .unwrap_err()
            .to_string()
            .contains("`1`: it expects no symbols")
    );
}

#[test]
fn corpora_are_read_in_both_layouts() {
    let folder = tempfile::tempdir().unwrap();
    let coir = folder.path().join("coir");
    write(
        &coir,
        "corpus.jsonl",
        r#"{"_id":"d1","title":"","text":"def f(): pass"}"#,
    );
    write(
        &coir,
        "queries.jsonl",
        "{\"_id\":\"q1\",\"text\":\"a function\"}\n{\"_id\":\"q2\",\"text\":\"not judged\"}",
    );
    write(
        &coir,
        "qrels/test.tsv",
        "query-id\tcorpus-id\tscore\nq1\td1\t1\n",
    );
    let suite = Suite::load(&coir).unwrap();
    assert_eq!(suite.tasks.len(), 1);
    assert_eq!(documents(&coir).unwrap()[0].text, "def f(): pass");

    let cosqa = folder.path().join("cosqa");
    write(&cosqa, "code_idx_map.txt", r#"{"def f(): pass": 7}"#);
    write(
        &cosqa,
        "cosqa-retrieval-test-500.json",
        r#"[{"idx":"t1","doc":"python function","code":"def f(): pass","retrieval_idx":7}]"#,
    );
    let suite = Suite::load(&cosqa).unwrap();
    assert!(
        matches!(&suite.tasks[0].question, Question::Text { text, .. } if text == "python function")
    );
    assert_eq!(documents(&cosqa).unwrap()[0].id, "7");
}
