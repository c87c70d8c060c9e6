//! A small run, made by hand, for the tests of the reports.

use crate::answer::{Call, ReturnedPlace};
use crate::judge::Verdict;
use crate::metric::{Metric, Scores};
use crate::results::{Machine, RepositoryInfo, RunInfo, RunState, SubjectInfo, TaskResult};
use crate::suites::Defect;
use crate::summary::{Summary, summarize};
use crate::task::{Category, Place};

/// A run of the given subjects, complete.
pub(super) fn run(subjects: &[&str]) -> RunInfo {
    RunInfo {
        id: "2026-01-02T03-04-05".to_owned(),
        title: "Night run".to_owned(),
        started: "2026-01-02T03:04:05Z".to_owned(),
        seconds: 192.0,
        state: RunState::Complete,
        error: None,
        seed: 7,
        version: "0.1.0".to_owned(),
        commit: Some("0123abc+".to_owned()),
        machine: Machine {
            system: "linux x86_64".to_owned(),
            processor: "Example 3000".to_owned(),
            cores: 2,
            memory_mib: 8192,
        },
        suites: vec!["primitives".to_owned()],
        subjects: subjects
            .iter()
            .map(|name| SubjectInfo {
                name: (*name).to_owned(),
                version: "1".to_owned(),
                notes: format!("what {name} is"),
                configuration: "{\"k\":60}".to_owned(),
            })
            .collect(),
        repositories: vec![RepositoryInfo {
            name: "express".to_owned(),
            version: "4.21.2".to_owned(),
            files: 141,
            index_cpu_s: Some(1.25),
            manifest: "0011223344556677".to_owned(),
            error: None,
        }],
        n_wanted: 4,
        n_done: 4,
    }
}

/// A P2 answer with the given F1.
pub(crate) fn line(subject: &str, task: &str, f1: f64) -> TaskResult {
    let found = |file: &str, line| ReturnedPlace {
        file: file.to_owned(),
        line,
        ..ReturnedPlace::default()
    };
    TaskResult {
        suite: "primitives".to_owned(),
        task: task.to_owned(),
        subject: subject.to_owned(),
        repo: "express".to_owned(),
        language: "javascript".to_owned(),
        category: Category::P2,
        stratum: "method".to_owned(),
        question: "Router.use".to_owned(),
        headline: Metric::F1,
        scores: Scores::from([
            (Metric::F1, f1),
            (Metric::Precision, f1),
            (Metric::Recall, f1),
        ]),
        tokens: 255,
        calls: vec![Call {
            tool: "search".to_owned(),
            arguments: "{\"query\":\"use\"}".to_owned(),
        }],
        wall_ms: 12.5,
        cpu_ms: None,
        expected: vec![Place {
            file: "lib/app.js".to_owned(),
            line: 3,
            ..Place::default()
        }],
        expected_note: String::new(),
        met: vec![f1 > 0.0],
        found: vec![
            found("lib/app.js", 3),
            found("test/app.js", 9),
            found("lib/other.js", 1),
        ],
        verdicts: vec![Verdict::Right, Verdict::Optional, Verdict::Wrong],
        found_note: String::new(),
        text: "lib/app.js:3".to_owned(),
        stages: std::collections::BTreeMap::new(),
        query_id: None,
        confidence: None,
        error: None,
        unsupported: false,
    }
}

/// The same of another category.
pub(super) fn of(category: Category, line: TaskResult) -> TaskResult {
    TaskResult { category, ..line }
}

/// Sums up lines of subjects `ours` and `naive-grep`, or as many as there are.
pub(super) fn summary(subjects: &[&str], results: &[TaskResult]) -> Summary {
    let defects = [Defect {
        suite: "primitives".to_owned(),
        task: Some("t1".to_owned()),
        text: "truth is a word count".to_owned(),
    }];
    summarize(&run(subjects), results, &defects)
}

/// Two subjects on two tasks; the baseline wins both.
pub(super) fn lost() -> (Summary, Vec<TaskResult>) {
    let results = vec![
        line("ours", "t1", 0.0),
        line("naive-grep", "t1", 0.9),
        line("ours", "t2", 0.5),
        line("naive-grep", "t2", 1.0),
    ];
    (summary(&["ours", "naive-grep"], &results), results)
}
