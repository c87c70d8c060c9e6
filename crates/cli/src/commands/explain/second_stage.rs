//! The gate's figures, ranks from stage to stage, and which words answered which.

use std::collections::BTreeMap;
use whyrank_engine::api::{AlignedPair, Alignment, GateCheck, QueryToken, Trace, TraceRow};

use super::table::{cells, place, print_table};
use crate::out::{self, Paint, paint};

/// Width of a figure's bar.
const BAR: usize = 20;

/// The verdict in a sentence, then each figure against its threshold.
pub(super) fn print_gate(trace: &Trace) -> anyhow::Result<()> {
    let Some(gate) = &trace.gate else {
        return Ok(());
    };
    let mut table = vec![cells(&["figure", "value", "sure", "", ""])];
    table.extend(gate.verdict.checks.iter().map(|check| {
        let bound = if check.at_most { "≤" } else { "≥" };
        vec![
            check.name.name().to_owned(),
            format!("{:.2}", check.value),
            format!("{bound} {:.2}", check.threshold),
            bar(check),
            if check.sure { "sure" } else { "not sure" }.to_owned(),
        ]
    }));
    print_table("gate of late interaction", &table)?;
    out::line(&format!("  {}", gate.verdict.sentence))?;
    let Some(record) = &trace.refine else {
        return Ok(());
    };
    out::line(&format!(
        "  {} of {} candidates rescored against {} words of code: query {:.1} ms, comparison {:.1} ms{}",
        record.n_done,
        record.n_asked,
        record.n_tokens,
        record.query_ms,
        record.search_ms,
        record
            .cut
            .as_ref()
            .map(|cut| format!("; {cut}"))
            .unwrap_or_default(),
    ))
}

/// What the cross-encoder read, where there is one.
pub(super) fn print_cross(trace: &Trace) -> anyhow::Result<()> {
    let Some(record) = &trace.cross else {
        return Ok(());
    };
    let (done, asked) = (record.n_done, record.n_asked);
    let cut = record.cut.as_ref().map(|cut| format!("; {cut}"));
    out::line(&format!(
        "\ncross-encoder {}: {done} of {asked} passages read{}",
        record.model,
        cut.unwrap_or_default()
    ))
}

/// The figure as a bar, the threshold as a mark on it: `█████████│          `.
fn bar(check: &GateCheck) -> String {
    let most = (check.value.max(check.threshold) * 1.25).max(f64::MIN_POSITIVE);
    let at = |value: f64| ((value / most * BAR as f64).round() as usize).min(BAR - 1);
    let (value, threshold) = (at(check.value), at(check.threshold));
    let cell = |column: usize| match column {
        _ if column == threshold => '│',
        _ if column < value => '█',
        _ => ' ',
    };
    (0..BAR).map(cell).collect()
}

/// A line for each row: its rank after each stage.
pub(super) fn ranks(rows: &[&TraceRow]) -> Vec<Vec<String>> {
    let mut table = vec![cells(&[
        "#", "fused", "evidence", "refined", "ordered", "shown", "reranked", "MaxSim", "place",
    ])];
    table.extend(rows.iter().filter_map(|row| {
        let stages = row.stages.as_ref()?;
        let late = row
            .late
            .map(|late| format!("{:.2} (#{})", late.score, late.rank));
        let dash = || "-".to_owned();
        Some(vec![
            row.rank.to_string(),
            stages.fused.to_string(),
            stages.evidence.to_string(),
            stages.refined.map_or_else(dash, |rank| rank.to_string()),
            stages.ordered.to_string(),
            stages.presented.unwrap_or(row.rank).to_string(),
            stages.reranked.map_or_else(dash, |rank| rank.to_string()),
            late.unwrap_or_else(dash),
            place(row),
        ])
    }));
    table
}

/// Query words, what they bring, and the place that answers them best.
pub(super) fn print_alignments(trace: &Trace, rows: &[&TraceRow]) -> anyhow::Result<()> {
    let Some(record) = &trace.refine else {
        return Ok(());
    };
    for row in rows {
        let Some(aligned) = &row.alignment else {
            continue;
        };
        let mut table = vec![cells(&["query", "adds", "", "answered by", "line"])];
        table.extend(words(aligned, &record.query_tokens));
        print_table(&format!("words of #{} {}", row.rank, place(row)), &table)?;
        let rest = format!(
            "other words {:+.3}, MaxSim {:.3}",
            aligned.rest, aligned.score
        );
        out::line(&format!("  {}", paint(&rest, Paint::Dim)))?;
    }
    Ok(())
}

/// A line for each word of the query, pieces together, in the query's order; the place is that of
/// the piece that adds most.
fn words(aligned: &Alignment, tokens: &[QueryToken]) -> Vec<Vec<String>> {
    let mut by_word: BTreeMap<usize, Vec<&AlignedPair>> = BTreeMap::new();
    for pair in &aligned.pairs {
        let before = tokens.iter().take(pair.query as usize + 1);
        let word = before.filter(|token| !token.continues).count();
        by_word.entry(word).or_default().push(pair);
    }
    let line = |pairs: Vec<&AlignedPair>| {
        let adds: f64 = pairs.iter().map(|pair| pair.score).sum();
        let share = adds / pairs.len() as f64;
        let mut pieces: Vec<u32> = pairs.iter().map(|pair| pair.query).collect();
        pieces.sort_unstable();
        let label = pieces.iter().filter_map(|at| tokens.get(*at as usize));
        // By falling contribution, so the first adds most.
        let best = pairs.first().map(|pair| (pair.text.as_str(), pair.line));
        let (text, line) = best.unwrap_or_default();
        vec![
            label.map(|token| token.text.as_str()).collect(),
            format!("{adds:.3}"),
            "█".repeat((share.clamp(0.0, 1.0) * 10.0).round() as usize),
            if text.is_empty() { "its name" } else { text }.to_owned(),
            line.to_string(),
        ]
    };
    by_word.into_values().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_engine::api::GateFigure;

    #[test]
    fn pieces_of_a_word_are_one_line() {
        let pair = |query: u32, score: f64, text: &str| AlignedPair {
            query,
            score,
            line: 3,
            column: 0,
            length: text.len() as u32,
            text: text.to_owned(),
        };
        let token = |text: &str, continues: bool| QueryToken {
            text: text.to_owned(),
            continues,
        };
        let aligned = Alignment {
            score: 2.0,
            pairs: vec![
                pair(2, 0.9, "GlobSet"),
                pair(0, 0.6, ""),
                pair(1, 0.5, "Glob"),
            ],
            rest: 0.0,
            cells: None,
        };
        let tokens = [token("new", false), token("gl", false), token("ob", true)];
        let lines = words(&aligned, &tokens);
        assert_eq!(lines[0][..2], ["new", "0.600"]);
        assert_eq!(lines[0][3], "its name");
        assert_eq!(lines[1][0], "glob");
        assert_eq!(
            (lines[1][1].as_str(), lines[1][3].as_str()),
            ("1.400", "GlobSet")
        );
    }

    #[test]
    fn the_threshold_stands_on_the_bar() {
        let check = |value: f64| GateCheck {
            name: GateFigure::Margin,
            value,
            threshold: 2.0,
            at_most: false,
            sure: value >= 2.0,
        };
        assert_eq!(bar(&check(0.5)), "████            │   ");
        assert_eq!(bar(&check(4.0)), "████████│███████    ");
        assert_eq!(bar(&check(0.0)).chars().count(), BAR);
    }
}
