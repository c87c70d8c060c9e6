//! `whyrank explain`: rank per channel, the sum behind each score, weights and times.

mod table;
pub(super) use table::{cells, place, print_table};

use whyrank_engine::api::{Channel, IssueRecord, Trace, TraceRow};
use whyrank_mcp::present::{self, Style};

use super::tools::MAX_TOKENS;
use crate::args::ExplainArgs;
use crate::exit::{Exit, NOTHING_FOUND};
use crate::out::{self, Paint, paint};
use crate::workspace;

mod second_stage;
mod third_stage;

/// Rows of the table when no hit is named.
const N_ROWS: usize = 10;
/// Of these rows the terms are listed.
const N_SUMS: usize = 3;

pub(crate) fn run(args: &ExplainArgs, json: bool) -> anyhow::Result<()> {
    let query_id = &args.query_id.clone().unwrap_or_else(|| "last".into());
    let engine = workspace::open()?;
    if let Some(other) = args.against {
        let compared = engine.compare_hits(query_id, args.hit.unwrap_or(1), other)?;
        return if json {
            out::json(&compared)
        } else {
            out::line(&present::comparison(&compared, Style::concise(MAX_TOKENS)))
        };
    }
    let trace = engine.explain(query_id)?;
    if json {
        out::json(&trace)
    } else {
        print(&trace, args.hit)
    }
}

/// Prints a trace: what was asked, the table of ranks, the sums, and what it took.
pub(crate) fn print(trace: &Trace, hit: Option<u32>) -> anyhow::Result<()> {
    let rows: Vec<&TraceRow> = match hit {
        Some(rank) => trace.rows.iter().filter(|row| row.rank == rank).collect(),
        None => trace
            .rows
            .iter()
            .filter(|row| row.shown)
            .take(N_ROWS)
            .collect(),
    };
    if rows.is_empty() && hit.is_some() {
        out::note(&format!(
            "no hit at that rank: the trace has {} rows",
            trace.rows.len()
        ));
        return Err(Exit(NOTHING_FOUND).into());
    }
    out::line(&paint(
        &format!("\"{}\" {}", trace.query, trace.query_id),
        Paint::Bold,
    ))?;
    out::line(&format!("in {}, index {}", trace.view, trace.manifest))?;
    out::line(&format!(
        "shape {}: {}",
        kebab(&trace.shape),
        trace.shape_reason
    ))?;
    if let Some(confidence) = &trace.confidence {
        out::line(&format!("confidence {}", confidence.sentence()))?;
    }
    print_table("weights", &weights(trace))?;
    if let Some(issue) = &trace.issue {
        print_table("parts of the issue", &parts(issue))?;
    }
    second_stage::print_gate(trace)?;
    second_stage::print_cross(trace)?;
    print_table("ranks in each channel", &ranks(trace, &rows))?;
    print_table("ranks from stage to stage", &second_stage::ranks(&rows))?;
    print_sums(rows.get(..N_SUMS).unwrap_or(&rows))?;
    second_stage::print_alignments(trace, rows.get(..N_SUMS).unwrap_or(&rows))?;
    third_stage::print(trace)?;
    print_table("times", &times(trace))?;
    for note in &trace.notes {
        out::line(&format!("note: {note}"))?;
    }
    Ok(())
}

/// Letters of a part that are shown.
const PART_CHARS: usize = 60;

/// A line for each part of an issue; what it adds is of the first hit.
fn parts(issue: &IssueRecord) -> Vec<Vec<String>> {
    let mut table = vec![cells(&["part", "weight", "files", "adds to #1", "read as"])];
    table.extend(issue.parts.iter().map(|part| {
        let text: Vec<&str> = part.text.split_whitespace().collect();
        vec![
            kebab(&part.kind),
            format!("{:.2}", part.weight),
            part.n_files.to_string(),
            format!("{:+.4}", part.brought),
            text.join(" ").chars().take(PART_CHARS).collect(),
        ]
    }));
    table
}

fn kebab(value: &impl serde::Serialize) -> String {
    let name = serde_json::to_value(value).ok();
    name.and_then(|name| name.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn weights(trace: &Trace) -> Vec<Vec<String>> {
    let mut table = vec![cells(&["channel", "prior", "used", "hits", "ms", ""])];
    for weight in &trace.weights {
        let run = trace
            .channels
            .iter()
            .find(|run| run.channel == weight.channel);
        let skipped = run.and_then(|run| run.skipped.clone());
        table.push(vec![
            weight.channel.name().to_owned(),
            format!("{:.2}", weight.prior),
            format!("{:.2}", weight.effective),
            run.map(|run| run.n_hits.to_string()).unwrap_or_default(),
            run.map(|run| format!("{:.1}", run.elapsed_ms))
                .unwrap_or_default(),
            skipped
                .map(|why| format!("skipped: {why}"))
                .unwrap_or(weight.reason.clone()),
        ]);
    }
    table
}

fn ranks(trace: &Trace, rows: &[&TraceRow]) -> Vec<Vec<String>> {
    let channels: Vec<Channel> = trace.weights.iter().map(|weight| weight.channel).collect();
    let mut head = cells(&["#"]);
    head.extend(channels.iter().map(|channel| channel.name().to_owned()));
    head.extend(cells(&["score", "place"]));
    let mut table = vec![head];
    for row in rows {
        let mut line = vec![row.rank.to_string()];
        line.extend(channels.iter().map(|channel| {
            let rank = row.channels.iter().find(|rank| rank.channel == *channel);
            rank.map_or("-".to_owned(), |rank| rank.rank.to_string())
        }));
        line.push(format!("{:.4}", row.score));
        line.push(place(row));
        table.push(line);
    }
    table
}

/// Every term of each score, with what it is made of, so that it can be added up by hand.
fn print_sums(rows: &[&TraceRow]) -> anyhow::Result<()> {
    for row in rows {
        out::line("")?;
        out::line(&paint(
            &format!("#{} {}", row.rank, place(row)),
            Paint::Bold,
        ))?;
        for rank in &row.channels {
            out::line(&format!(
                "  {:>+8.4}  {} rank {}{}",
                rank.contribution,
                rank.channel.name(),
                rank.rank,
                paint(
                    &format!(" (its own score {:.3})", rank.raw_score),
                    Paint::Dim
                )
            ))?;
            if let Some(way) = &rank.way {
                out::line(&format!("            reached {way}"))?;
            }
        }
        for term in &row.evidence {
            out::line(&format!(
                "  {:>+8.4}  {}: {}",
                term.contribution, term.name, term.reason
            ))?;
        }
        out::line(&format!("  {:>8.4}  sum", row.score))?;
    }
    Ok(())
}

fn times(trace: &Trace) -> Vec<Vec<String>> {
    let mut table = vec![cells(&["stage", "ms", "budget", "in", "out", ""])];
    table.extend(trace.timings.iter().map(|timing| {
        let budget = timing.budget_ms.map(|budget| format!("{budget:.0}"));
        let count = |n: Option<u32>| n.map(|n| n.to_string()).unwrap_or_default();
        vec![
            timing.stage.clone(),
            format!("{:.1}", timing.elapsed_ms),
            budget.unwrap_or_default(),
            count(timing.n_in),
            count(timing.n_out),
            timing.skipped.clone().unwrap_or_default(),
        ]
    }));
    table
}

#[cfg(test)]
mod tests {
    use super::table::aligned;
    use super::*;

    #[test]
    fn columns_line_up() {
        let table = [cells(&["#", "fts", "place"]), cells(&["10", "-", "a.rs"])];
        assert_eq!(aligned(&table), ["#   fts  place", "10  -    a.rs"]);
    }
}
