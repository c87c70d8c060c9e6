//! An answer, made by hand, for tests.

use std::collections::BTreeMap;
use whyrank_benchmark::eval::{Category, Metric, Scores, TaskResult};

/// A P2 answer with the given F1.
pub(super) fn line(subject: &str, task: &str, f1: f64) -> TaskResult {
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
        scores: Scores::from([(Metric::F1, f1)]),
        tokens: 255,
        calls: Vec::new(),
        wall_ms: 12.5,
        cpu_ms: None,
        expected: Vec::new(),
        expected_note: String::new(),
        met: Vec::new(),
        found: Vec::new(),
        verdicts: Vec::new(),
        found_note: String::new(),
        text: String::new(),
        stages: BTreeMap::new(),
        query_id: None,
        confidence: None,
        error: None,
        unsupported: false,
    }
}
