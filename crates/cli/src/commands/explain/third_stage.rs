//! What the reranker did, window by window.

use whyrank_engine::api::{RerankRecord, RerankWindow, Trace};

use super::table::{cells, print_table};
use crate::out::{self, Paint, paint};

/// Prints who ranked, what came of it, and each question with its answer.
pub(super) fn print(trace: &Trace) -> anyhow::Result<()> {
    let Some(record) = &trace.rerank else {
        return Ok(());
    };
    print_table("reranker", &table(record))?;
    let said = format!("{}: {}", record.backend, record.sentence());
    out::line(&format!("  {said}"))?;
    for window in record
        .windows
        .iter()
        .filter(|window| !window.answer.is_empty())
    {
        let answer = window.answer.replace('\n', " ");
        out::line(&format!("  {}", paint(&answer, Paint::Dim)))?;
    }
    Ok(())
}

/// A line a window, hits by the ranks that they came with.
fn table(record: &RerankRecord) -> Vec<Vec<String>> {
    let mut table = vec![cells(&[
        "ranks",
        "order before",
        "order after",
        "tokens",
        "ms",
        "",
    ])];
    let line = |window: &RerankWindow| {
        let last = window.first as usize + window.before.len() - 1;
        vec![
            format!("{}-{last}", window.first),
            list(&window.before),
            list(&window.after),
            window.prompt_tokens.to_string(),
            format!("{:.0}", window.elapsed_ms),
            window.remarks.join("; "),
        ]
    };
    table.extend(record.windows.iter().map(line));
    table
}

fn list(ranks: &[u32]) -> String {
    let words: Vec<String> = ranks.iter().map(u32::to_string).collect();
    words.join(" ")
}
