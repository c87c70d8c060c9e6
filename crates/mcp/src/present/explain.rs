//! A trace in words and numbers.

use whyrank_engine::api::{
    ChannelWeight, ComparedTerm, Evidence, HitComparison, QueryShape, StageTiming, Trace, TraceRow,
};

use super::Style;
use super::page::{Footer, Page, clip, span, vectors};

/// Rows explained when no hit is named.
const N_ROWS: usize = 3;
const N_ROWS_DETAILED: usize = 20;

/// Writes how an answer came about: shape and weights, the sum behind each score, timings.
/// `hit` is a rank; without it the first three hits are explained.
pub fn explain(trace: &Trace, hit: Option<u32>, style: Style) -> String {
    let mut page = Page::new(style.budget);
    page.head(&format!("\"{}\" in {}", trace.query, trace.view));
    page.line(&format!(
        "shape {}: {}",
        shape_name(trace.shape),
        trace.shape_reason
    ));
    if let Some(confidence) = &trace.confidence {
        page.line(&format!("confidence {}", confidence.sentence()));
    }
    page.line(&format!(
        "weights {}; k {}",
        weights(&trace.weights),
        trace.rrf_k
    ));
    page.line(&channels(trace));
    for line in late_interaction(trace, style) {
        page.line(&line);
    }
    if let Some(record) = &trace.rerank {
        page.line(&format!(
            "reranker {}: {}",
            record.backend,
            record.sentence()
        ));
    }
    let rows = rows(trace, hit, style);
    let gives_reasons = style.detailed || hit.is_some();
    let shown = rows
        .iter()
        .take_while(|row| page.line(&row_block(row, gives_reasons)))
        .count();
    page.line(&timings(trace));
    if style.detailed {
        page.line(&format!("index {}", trace.manifest));
    }
    for note in &trace.notes {
        page.line(&format!("note: {note}"));
    }
    page.finish(&Footer {
        shown,
        total: if hit.is_some() {
            rows.len()
        } else {
            trace.rows.len()
        },
        what: "rows",
        coverage: Some(&trace.coverage),
        ..Footer::default()
    })
}

/// Says why one hit stands before another, the largest difference first.
pub fn comparison(compared: &HitComparison, style: Style) -> String {
    let mut page = Page::new(style.budget);
    page.head(&compared.sentence);
    let line =
        |term: &ComparedTerm| format!("{:+.4} {}: {}", term.by, term.name, clip(&term.words, 240));
    let terms = compared.terms.iter();
    let shown = terms.take_while(|term| page.line(&line(term))).count();
    page.finish(&Footer {
        shown,
        total: compared.terms.len(),
        what: "terms",
        ..Footer::default()
    })
}

fn rows(trace: &Trace, hit: Option<u32>, style: Style) -> Vec<&TraceRow> {
    let n_rows = if style.detailed {
        N_ROWS_DETAILED
    } else {
        N_ROWS
    };
    match hit {
        Some(rank) => trace.rows.iter().filter(|row| row.rank == rank).collect(),
        None => trace.rows.iter().take(n_rows).collect(),
    }
}

/// The terms sum to the score; each names its rank, so the sum can be checked by hand.
fn row_block(row: &TraceRow, gives_reasons: bool) -> String {
    let mut place = span(&row.path, row.start_line, row.end_line);
    if let Some(repo) = &row.repo {
        place = format!("{repo}/{place}");
    }
    let symbol = row
        .symbol
        .as_ref()
        .map(|name| format!(" {name}"))
        .unwrap_or_default();
    let shown = if row.shown { "" } else { " (not shown)" };
    let mut lines = vec![format!("#{} {place}{symbol}{shown}", row.rank)];
    lines.push(format!("  {:.4} = {}", row.score, sum(row)));
    if gives_reasons {
        let way = |way: &String| format!("  reached {}", clip(way, 160));
        lines.extend(
            row.channels
                .iter()
                .filter_map(|rank| Some(way(rank.way.as_ref()?))),
        );
        let reason = |term: &Evidence| format!("  {}: {}", term.name, clip(&term.reason, 160));
        lines.extend(row.evidence.iter().map(reason));
        lines.extend(stages(row));
    }
    lines.join("\n")
}

/// The gate's verdict, and what the stage did where it ran.
fn late_interaction(trace: &Trace, style: Style) -> Vec<String> {
    let Some(gate) = &trace.gate else {
        return Vec::new();
    };
    let mut lines = vec![format!("late interaction {}", gate.verdict.sentence)];
    if let Some(record) = &trace.refine {
        lines.push(format!(
            "  {} of {} rescored in {:.1} ms, query {:.1} ms",
            record.n_done, record.n_asked, record.search_ms, record.query_ms
        ));
    }
    if style.detailed {
        let checks = gate.verdict.checks.iter().map(|check| {
            let bound = if check.at_most { "≤" } else { "≥" };
            let name = check.name.name();
            format!(
                "{name} {:.2} (sure {bound} {:.2})",
                check.value, check.threshold
            )
        });
        lines.push(format!("  {}", checks.collect::<Vec<_>>().join(", ")));
    }
    lines
}

/// Ranks from stage to stage: `fused 9 → evidence 4 → refined 2 → ordered 2 → shown 1`.
fn stages(row: &TraceRow) -> Option<String> {
    let stages = row.stages.as_ref()?;
    let mut ranks = vec![
        format!("fused {}", stages.fused),
        format!("evidence {}", stages.evidence),
    ];
    ranks.extend(stages.refined.map(|rank| format!("refined {rank}")));
    ranks.push(format!("ordered {}", stages.ordered));
    ranks.extend(stages.crossed.map(|rank| format!("crossed {rank}")));
    ranks.push(format!("shown {}", stages.presented.unwrap_or(row.rank)));
    ranks.extend(stages.reranked.map(|rank| format!("reranked {rank}")));
    Some(format!("  ranks {}", ranks.join(" → ")))
}

fn sum(row: &TraceRow) -> String {
    let channels = row.channels.iter().map(|rank| {
        (
            format!("{} #{}", rank.channel.name(), rank.rank),
            rank.contribution,
        )
    });
    let evidence = row
        .evidence
        .iter()
        .map(|term| (term.name.clone(), term.contribution));
    let mut text = String::new();
    for (name, value) in channels.chain(evidence) {
        let sign = match (text.is_empty(), value < 0.0) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        text.push_str(&format!("{sign}{name} {:.4}", value.abs()));
    }
    text
}

fn weights(weights: &[ChannelWeight]) -> String {
    let weights = weights.iter().map(|weight| {
        let name = weight.channel.name();
        if weight.reason.is_empty() {
            format!("{name} {:.2}", weight.effective)
        } else {
            format!(
                "{name} {:.2} → {:.2} ({})",
                weight.prior, weight.effective, weight.reason
            )
        }
    });
    weights.collect::<Vec<_>>().join(", ")
}

fn channels(trace: &Trace) -> String {
    let runs = trace.channels.iter().map(|run| match &run.skipped {
        Some(reason) => format!("{} skipped ({reason})", run.channel.name()),
        None => format!(
            "{} {} in {:.1} ms",
            run.channel.name(),
            run.n_hits,
            run.elapsed_ms
        ),
    });
    format!("hits {}", runs.collect::<Vec<_>>().join(", "))
}

fn timings(trace: &Trace) -> String {
    // That the reranker is off goes without saying.
    let ran = |timing: &&StageTiming| timing.stage != "rerank" || timing.skipped.is_none();
    let timings = trace.timings.iter().filter(ran);
    let stages = timings.map(|timing| match timing.budget_ms {
        Some(budget) => format!(
            "{} {:.1} of {budget:.0} ms",
            timing.stage, timing.elapsed_ms
        ),
        None => format!("{} {:.1} ms", timing.stage, timing.elapsed_ms),
    });
    format!(
        "time {}; {}",
        stages.collect::<Vec<_>>().join(", "),
        vectors(&trace.coverage, None)
    )
}

fn shape_name(shape: QueryShape) -> &'static str {
    match shape {
        QueryShape::Identifier => "identifier",
        QueryShape::Path => "path",
        QueryShape::ErrorString => "error string",
        QueryShape::Issue => "issue",
        QueryShape::NaturalLanguage => "natural language",
    }
}
