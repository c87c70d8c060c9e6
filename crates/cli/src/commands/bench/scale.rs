//! `whyrank bench scale`: what an index costs as repositories grow.

use whyrank_benchmark::eval::report::{Curve, curves_html};
use whyrank_benchmark::{Bench, ProcessCost, ScalePoint, ScaleRequest, Watch};
use whyrank_mcp::ToolError;

use super::progress::show;
use crate::args::BenchScaleArgs;
use crate::out;

pub(super) fn costs(bench: &Bench, args: &BenchScaleArgs, json: bool) -> anyhow::Result<()> {
    let request = ScaleRequest {
        program: std::env::current_exe()?,
        folder: std::path::absolute(&args.folder)?,
        n_files: args.files.clone(),
        n_commits: args.commits,
        seed: args.seed,
        n_looks: args.looks,
    };
    let points = show(|on_start| {
        let watch = Watch::default();
        on_start(&watch);
        bench.scale(&request, &watch)
    })?;
    let report = request.folder.join("report.html");
    let facts = format!(
        "whyrank {}, seed {}, {} commits",
        env!("CARGO_PKG_VERSION"),
        args.seed,
        args.commits
    );
    std::fs::write(
        &report,
        curves_html("What size costs", &facts, &curves(&points)),
    )?;
    if json {
        out::json(&points)?;
    } else {
        print(&points)?;
        out::line(&format!("\n{}", report.display()))?;
    }
    keep_to_ceiling(&points, args.ceiling_mb)
}

fn keep_to_ceiling(points: &[ScalePoint], ceiling_mb: Option<f64>) -> anyhow::Result<()> {
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

fn print(points: &[ScalePoint]) -> anyhow::Result<()> {
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

type Figure = fn(&ScalePoint) -> Option<f64>;

fn curves(points: &[ScalePoint]) -> Vec<Curve> {
    let of = |title: &str, series: &[(&str, Figure)]| Curve {
        title: title.to_owned(),
        x: "files".to_owned(),
        series: series
            .iter()
            .map(|(name, figure)| {
                let points = points.iter();
                let points = points.map(|point| (f64::from(point.n_files), figure(point)));
                let known = points.filter_map(|(size, figure)| Some((size, figure?)));
                ((*name).to_owned(), known.collect())
            })
            .collect(),
    };
    vec![
        of(
            "Processor time of a new process, seconds",
            &[
                ("index", |point| point.index.cpu_s),
                ("first search", |point| point.search.cpu_s),
                ("first lookup", |point| point.lookup.cpu_s),
                ("first refs", |point| point.refs.cpu_s),
                ("an edit, by the clock", |point| Some(point.edit_s)),
            ],
        ),
        of(
            "Peak memory of a new process, and disk, MB",
            &[
                ("index", |point| point.index.peak_mb),
                ("first search", |point| point.search.peak_mb),
                ("first lookup", |point| point.lookup.peak_mb),
                ("first refs", |point| point.refs.peak_mb),
                ("disk", |point| Some(point.disk_mb)),
            ],
        ),
        of(
            "Answers of a process that runs, 95th percentile, milliseconds",
            &[
                ("search", |point| Some(point.search_p95_ms)),
                ("lookup", |point| Some(point.lookup_p95_ms)),
                ("refs", |point| Some(point.refs_p95_ms)),
            ],
        ),
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
