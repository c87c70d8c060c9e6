//! What every trace must hold to.

use serde_json::Value;

/// Expects that in every row of a trace the contributions sum to the score.
pub fn assert_sums(trace: &Value) {
    let rows = trace["rows"].as_array().expect("a trace has rows");
    assert!(!rows.is_empty(), "a trace of an answer has rows: {trace}");
    for row in rows {
        let channels = sum(&row["channels"]);
        let fused = number(&row["fused"]);
        let score = number(&row["score"]);
        assert!(
            (channels - fused).abs() < 1e-9,
            "channels sum to {channels}: {row}"
        );
        assert!(
            (fused + sum(&row["evidence"]) - score).abs() < 1e-9,
            "terms do not sum: {row}"
        );
    }
}

/// Path and symbol of the rows that were shown, by rank. A row has the lines of what was ranked, which
/// may be a part of the definition that the hit gives.
pub fn shown_places(trace: &Value) -> Vec<(String, Value)> {
    let rows = trace["rows"].as_array().expect("a trace has rows");
    rows.iter()
        .filter(|row| row["shown"] == true)
        .map(place)
        .collect()
}

fn place(row: &Value) -> (String, Value) {
    let path = row["path"].as_str().expect("a row has a path").to_owned();
    (path, row["symbol"].clone())
}

fn sum(terms: &Value) -> f64 {
    terms
        .as_array()
        .expect("terms are a list")
        .iter()
        .map(|term| number(&term["contribution"]))
        .sum()
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}
