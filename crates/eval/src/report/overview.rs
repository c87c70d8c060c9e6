//! A run in a few lines, for a terminal.

use crate::summary::{GroupBy, Summary};

/// Writes the figures of each suite: over all, and by category.
pub fn overview(summary: &Summary) -> String {
    let wanted = |by: GroupBy| matches!(by, GroupBy::All | GroupBy::WithoutP5 | GroupBy::Category);
    let (mut suite, mut lines) = ("", Vec::new());
    for row in summary.rows.iter().filter(|row| wanted(row.group.by)) {
        if row.suite != suite {
            suite = &row.suite;
            lines.push(format!("\n{suite}"));
            lines.push(format!(
                "  {:<18} {:<18} {:>5} {:>7} {:>16} {:>9} {:>7} {:>9}",
                "group", "subject", "n", "score", "95%", "tokens", "calls", "p50 ms"
            ));
        }
        let group = match row.group.by {
            GroupBy::All => "all",
            GroupBy::WithoutP5 => "all but P5",
            _ => &row.group.name,
        };
        lines.push(format!(
            "  {group:<18} {:<18} {:>5} {:>7.3} {:>16} {:>9.0} {:>7.1} {:>9.1}",
            row.subject,
            row.n,
            row.value.mean,
            format!("[{:.3}, {:.3}]", row.value.low, row.value.high),
            row.tokens.mean,
            row.calls,
            row.wall_p50_ms
        ));
    }
    lines.join("\n")
}
