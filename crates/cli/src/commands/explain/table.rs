//! Tables as `explain` prints them.

use crate::out::{self, Paint, paint};
use whyrank_engine::api::TraceRow;

pub(crate) fn place(row: &TraceRow) -> String {
    let symbol = row.symbol.as_deref().unwrap_or_default();
    format!("{}:{}-{} {symbol}", row.path, row.start_line, row.end_line)
        .trim_end()
        .to_owned()
}

pub(crate) fn cells(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

pub(crate) fn print_table(title: &str, table: &[Vec<String>]) -> anyhow::Result<()> {
    out::line("")?;
    out::line(&paint(title, Paint::Bold))?;
    for line in aligned(table) {
        out::line(&format!("  {line}"))?;
    }
    Ok(())
}

/// Pads every cell but a line's last to its column's width.
pub(super) fn aligned(table: &[Vec<String>]) -> Vec<String> {
    let n_columns = table.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = table.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    let padded = table.iter().map(|line| {
        let cells = line
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    padded.collect()
}
