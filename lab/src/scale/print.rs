//! What trees cost, for people, and the ceiling that they are held to.

use whyrank_mcp::ToolError;

use super::ScalePoint;
use super::program::ProcessCost;
use crate::out;

pub(super) fn keep_to_ceiling(
    points: &[ScalePoint],
    ceiling_mb: Option<f64>,
) -> anyhow::Result<()> {
    let Some(ceiling_mb) = ceiling_mb else {
        return Ok(());
    };
    for point in points {
        let Some(peak) = point.peak_mb() else {
            let message = "this system does not tell what memory a process takes";
            return Err(ToolError::new("not-measured", message, "leave out --ceiling-mb").into());
        };
        if peak > ceiling_mb {
            let message = format!("{} files took {peak:.0} MB", point.n_files);
            let hint = format!("the ceiling is {ceiling_mb:.0} MB");
            return Err(ToolError::new("over-ceiling", message, hint).into());
        }
    }
    Ok(())
}

pub(super) fn points(points: &[ScalePoint]) -> anyhow::Result<()> {
    for point in points {
        out::line(&format!(
            "\n{} files, {} commits, {} definitions: {:.1} MB on disk",
            point.n_files, point.n_commits, point.n_symbols, point.disk_mb
        ))?;
        out::line(&format!(
            "  {:<22} {:>8} {:>8} {:>8}",
            "new process", "CPU s", "MB", "wall s"
        ))?;
        for (name, cost) in processes(point) {
            out::line(&format!(
                "  {name:<22} {:>8} {:>8} {:>8.2}",
                figure(cost.cpu_s, 2),
                figure(cost.peak_mb, 0),
                cost.wall_s
            ))?;
        }
        out::line(&format!(
            "  warm p95: search {:.1} ms, lookup {:.1} ms, refs {:.1} ms; an edit is found after {:.2} s",
            point.search_p95_ms, point.lookup_p95_ms, point.refs_p95_ms, point.edit_s
        ))?;
    }
    Ok(())
}

fn figure(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "?".to_owned(), |value| format!("{value:.decimals$}"))
}

fn processes(point: &ScalePoint) -> [(&'static str, ProcessCost); 4] {
    [
        ("index", point.index),
        ("first search", point.search),
        ("first lookup", point.lookup),
        ("first refs", point.refs),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ceiling_is_held_or_named() {
        let point = |peak_mb| ScalePoint {
            n_files: 400,
            n_commits: 1,
            n_symbols: 9,
            disk_mb: 1.0,
            index: ProcessCost {
                peak_mb,
                ..ProcessCost::default()
            },
            search: ProcessCost::default(),
            lookup: ProcessCost::default(),
            refs: ProcessCost::default(),
            search_p95_ms: 1.0,
            lookup_p95_ms: 1.0,
            refs_p95_ms: 1.0,
            edit_s: 0.1,
        };
        let check = |peak, ceiling| keep_to_ceiling(&[point(peak)], ceiling);
        assert!(check(Some(90.0), Some(100.0)).is_ok() && check(None, None).is_ok());
        let error = check(Some(120.0), Some(100.0)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "400 files took 120 MB\nthe ceiling is 100 MB"
        );
        assert!(check(None, Some(100.0)).is_err());
    }
}
