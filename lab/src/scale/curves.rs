//! A page of curves: figures against the number of files, both on log scales, one chart for each unit, and
//! the table that it is drawn from.

use super::ScalePoint;
use crate::args::ScaleArgs;

const COLOURS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#777777"];
const STYLE: &str = "body{font:15px system-ui;max-width:800px;margin:auto}td,th{padding:2px 12px;\
    text-align:right}:root{color-scheme:light dark}svg text{font-size:12px;fill:currentcolor}";
/// The plot within its chart: left, top, right, bottom.
const PLOT: [f64; 4] = [64.0, 16.0, 740.0, 300.0];

type Figure = fn(&ScalePoint) -> Option<f64>;

/// What a chart shows, with the unit, and its series.
type Chart = (&'static str, &'static [(&'static str, Figure)]);

const CHARTS: [Chart; 3] = [
    (
        "Processor time of a new process, seconds",
        &[
            ("index", |point| point.index.cpu_s),
            ("first search", |point| point.search.cpu_s),
            ("first lookup", |point| point.lookup.cpu_s),
            ("first refs", |point| point.refs.cpu_s),
            ("an edit, by the clock", |point| Some(point.edit_s)),
        ],
    ),
    (
        "Peak memory of a new process, and disk, MB",
        &[
            ("index", |point| point.index.peak_mb),
            ("first search", |point| point.search.peak_mb),
            ("first lookup", |point| point.lookup.peak_mb),
            ("first refs", |point| point.refs.peak_mb),
            ("disk", |point| Some(point.disk_mb)),
        ],
    ),
    (
        "Answers of a process that runs, 95th percentile, milliseconds",
        &[
            ("search", |point| Some(point.search_p95_ms)),
            ("lookup", |point| Some(point.lookup_p95_ms)),
            ("refs", |point| Some(point.refs_p95_ms)),
        ],
    ),
];

/// Writes a self-contained page.
pub(super) fn page(args: &ScaleArgs, points: &[ScalePoint]) -> String {
    let parts: String = CHARTS.iter().map(|chart| part(chart, points)).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>What size costs</title>\
         <style>{STYLE}</style>\n<h1>What size costs</h1>\n<p>whyrank {}, seed {}, {} commits</p>\n\
         {parts}</html>\n",
        env!("CARGO_PKG_VERSION"),
        args.seed,
        args.commits
    )
}

fn part((title, series): &Chart, points: &[ScalePoint]) -> String {
    let curves: Vec<(&str, Vec<(f64, f64)>)> = series
        .iter()
        .map(|(name, figure)| {
            let known = |point: &ScalePoint| Some((f64::from(point.n_files), figure(point)?));
            (*name, points.iter().filter_map(known).collect())
        })
        .collect();
    let rows = curves.iter().zip(COLOURS).map(|((name, points), colour)| {
        let cells = points
            .iter()
            .map(|(size, figure)| format!("<td title=\"{size} files\">{figure:.3}</td>"));
        let cells: String = cells.collect();
        format!("<tr><th style=\"color:{colour}\">{name}</th>{cells}</tr>\n")
    });
    let rows: String = rows.collect();
    let heads = points
        .iter()
        .map(|point| format!("<th>{}</th>", point.n_files));
    let heads: String = heads.collect();
    format!(
        "<h2>{title}</h2>\n{}\n<table><tr><th>files</th>{heads}</tr>\n{rows}</table>\n",
        drawing(&curves)
    )
}

fn drawing(curves: &[(&str, Vec<(f64, f64)>)]) -> String {
    let [left, top, right, bottom] = PLOT;
    let all = || curves.iter().flat_map(|(_, points)| points);
    let x = Scale::around(all().map(|(size, _)| *size), (left, right));
    let y = Scale::around(all().map(|(_, figure)| *figure), (bottom, top));
    let mut body = String::new();
    for tick in x.ticks() {
        let at = x.pixel(tick);
        let below = bottom + 18.0;
        body += &format!("<text x=\"{at:.1}\" y=\"{below}\" text-anchor=\"middle\">{tick}</text>");
    }
    for tick in y.ticks() {
        let (at, beside) = (y.pixel(tick), left - 8.0);
        body += &format!(
            "<path stroke=\"#8886\" d=\"M{left} {at:.1}H{right}\"/>\
             <text x=\"{beside}\" y=\"{at:.1}\" text-anchor=\"end\">{tick}</text>"
        );
    }
    for ((name, points), colour) in curves.iter().zip(COLOURS) {
        let line = points.iter();
        let line =
            line.map(|(size, figure)| format!("{:.1},{:.1}", x.pixel(*size), y.pixel(*figure)));
        let line: Vec<String> = line.collect();
        body += &format!(
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\">\
             <title>{name}</title></polyline>",
            line.join(" ")
        );
    }
    format!("<svg viewBox=\"0 0 760 330\" role=\"img\">{body}</svg>")
}

/// A log scale from figures to pixels, over the decades around them.
struct Scale {
    /// Powers of ten.
    low: f64,
    high: f64,
    pixels: (f64, f64),
}

impl Scale {
    fn around(figures: impl Iterator<Item = f64>, pixels: (f64, f64)) -> Self {
        let logs = figures.filter(|figure| *figure > 0.0).map(f64::log10);
        let (least, greatest) = logs.fold((f64::MAX, f64::MIN), |(least, greatest), log| {
            (least.min(log), greatest.max(log))
        });
        let low = least.min(greatest).clamp(-9.0, 12.0).floor();
        Self {
            low,
            high: greatest.min(12.0).ceil().max(low + 1.0),
            pixels,
        }
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        (self.low as i32..=self.high as i32).map(|power| 10_f64.powi(power))
    }

    /// Zero is drawn at the lower edge.
    fn pixel(&self, figure: f64) -> f64 {
        let log = figure.log10().max(self.low);
        let share = (log - self.low) / (self.high - self.low);
        self.pixels.0 + share * (self.pixels.1 - self.pixels.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_lie_around_all_figures() {
        let scale = Scale::around([0.0, 0.2, 30.0].into_iter(), (0.0, 300.0));
        assert_eq!(scale.ticks().collect::<Vec<_>>(), [0.1, 1.0, 10.0, 100.0]);
        assert_eq!(
            [0.0, 0.1, 10.0, 100.0].map(|figure| scale.pixel(figure).round()),
            [0.0, 0.0, 200.0, 300.0]
        );
        let none = drawing(&[("index", Vec::new())]);
        assert!(!none.contains("NaN") && !none.contains("inf"), "{none}");
    }
}
