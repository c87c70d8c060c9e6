//! Charts as SVG text: pure functions from figures to strings.
//!
//! Each chart carries a title and a description for those who do not see it. Series differ by shape
//! first and colour second; colours are the classes `s0`, `s1`, … of the page's style sheet, so that one
//! chart serves light and dark.

use super::numbers::{interval, score};
use super::text::escape;
use crate::statistics::Estimate;

pub(super) const WIDTH: f64 = 760.0;
/// Height that a dot takes in its row.
const DOT_STEP: f64 = 13.0;
/// Shapes around the origin, about 11 units wide; told apart without colour.
pub(super) const SHAPES: [&str; 8] = [
    "M5 0A5 5 0 1 1-5 0A5 5 0 1 1 5 0z",
    "M-4.5-4.5h9v9h-9z",
    "M0-6L5.8 4.5h-11.6z",
    "M0-6.4L6.4 0 0 6.4-6.4 0z",
    "M0 6L5.8-4.5h-11.6z",
    "M-1.8-5.6h3.6v3.8h3.8v3.6h-3.8v3.8h-3.6v-3.8h-3.8v-3.6h3.8z",
    "M-5.5-3.2L-3.2-5.5 0-2.3 3.2-5.5 5.5-3.2 2.3 0 5.5 3.2 3.2 5.5 0 2.3-3.2 5.5-5.5 3.2-2.3 0z",
    "M-5.5-5L5.5 5V-5L-5.5 5z",
];

/// What a chart is called; `id` is unique on its page and safe in an attribute.
#[derive(Clone, Debug)]
pub(super) struct Caption<'a> {
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    pub(super) x: &'a str,
    pub(super) y: &'a str,
}

/// A row of dots with whiskers.
#[derive(Clone, Debug)]
pub(super) struct DotRow<'a> {
    pub(super) label: String,
    /// One for each subject, from top to bottom.
    pub(super) dots: Vec<Dot<'a>>,
}

/// A dot; without a figure its place stays empty.
#[derive(Clone, Debug)]
pub(super) struct Dot<'a> {
    pub(super) name: &'a str,
    pub(super) series: usize,
    pub(super) figure: Option<Estimate>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum ColumnKind {
    Linear,
    Log,
}

/// A scale from figures to pixels. What lies outside is drawn at its edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    kind: ColumnKind,
    low: f64,
    high: f64,
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Scale {
    /// From `low` to `high` in equal steps.
    pub(super) fn linear(low: f64, high: f64, pixels: (f64, f64)) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        Self {
            kind: ColumnKind::Linear,
            low,
            high,
            from: pixels.0,
            to: pixels.1,
        }
    }

    /// Decades around `values`, at least one. Begins at 1 or above: zero is drawn at the lower edge.
    pub(super) fn log(values: &[f64], pixels: (f64, f64)) -> Self {
        let values = values
            .iter()
            .copied()
            .filter(|value| value.is_finite())
            .map(|v| v.max(1.0));
        let (least, greatest) = values.fold((f64::MAX, 1.0_f64), |(a, b), v| (a.min(v), b.max(v)));
        let round = |steps: f64| steps_125().find(|step| *step >= steps).unwrap_or(1e12);
        let low = steps_125()
            .take_while(|step| *step <= least.min(greatest) / 1.25)
            .last();
        let low = low.unwrap_or(1.0);
        let high = round((greatest * 1.25).max(low * 10.0));
        Self {
            kind: ColumnKind::Log,
            low,
            high,
            from: pixels.0,
            to: pixels.1,
        }
    }

    /// The pixel of a figure.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = if value.is_finite() {
            value.clamp(self.low, self.high)
        } else {
            self.low
        };
        let share = match self.kind {
            ColumnKind::Linear => (value - self.low) / (self.high - self.low),
            ColumnKind::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        self.from + share * (self.to - self.from)
    }

    /// Figures to mark, ascending: steps of 1, 2 or 5, about four to eight of them.
    pub(super) fn ticks(&self) -> Vec<f64> {
        match self.kind {
            ColumnKind::Log => {
                let steps = || steps_125().filter(|step| (self.low..=self.high).contains(step));
                let is_decade = |step: &f64| step.log10().fract().abs() < 1e-9;
                let all: Vec<f64> = steps().collect();
                if all.len() <= 10 {
                    all
                } else {
                    steps().filter(is_decade).collect()
                }
            }
            ColumnKind::Linear => {
                let span = self.high - self.low;
                let widths = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
                let width = widths
                    .into_iter()
                    .find(|width| span / width <= 8.0)
                    .unwrap_or(span / 5.0);
                let first = (self.low / width - 1e-9).ceil() as i64;
                let last = (self.high / width + 1e-9).floor() as i64;
                (first..=last).map(|step| step as f64 * width).collect()
            }
        }
    }
}

/// 1, 2, 5, 10, 20, 50, … to 10^12.
fn steps_125() -> impl Iterator<Item = f64> {
    (0..=12).flat_map(|decade| [1.0, 2.0, 5.0].map(|step| step * 10_f64.powi(decade)))
}

/// The marker of a series, centred on a pixel. From the ninth series on markers are hollow.
pub(super) fn marker(series: usize, x: f64, y: f64) -> String {
    let hollow = if series >= SHAPES.len() {
        " hollow"
    } else {
        ""
    };
    let n = SHAPES.len();
    format!(
        r#"<path class="mark s{}{hollow}" transform="translate({x:.1} {y:.1})" d="{}"/>"#,
        series % n,
        SHAPES[series % n]
    )
}

/// A marker on its own, for legends and tables.
pub(super) fn swatch(series: usize) -> String {
    format!(
        r#"<svg class="swatch" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">{}</svg>"#,
        marker(series, 8.0, 8.0)
    )
}

/// Scores with their intervals, a band for each row, a dot for each subject in it.
pub(super) fn dot_whisker(caption: &Caption<'_>, rows: &[DotRow<'_>]) -> String {
    let (left, top, right) = (220.0, 8.0, WIDTH - 20.0);
    let x = Scale::linear(0.0, 1.0, (left, right));
    let (mut bands, mut dots, mut words) = (String::new(), String::new(), Vec::new());
    let mut y = top;
    for (index, row) in rows.iter().enumerate() {
        let height = row.dots.len().max(1) as f64 * DOT_STEP + 12.0;
        if index % 2 == 0 {
            bands.push_str(&format!(
                r#"<rect class="band" x="0" y="{y:.1}" width="{WIDTH:.0}" height="{height:.1}"/>"#
            ));
        }
        dots.push_str(&label(
            (left - 14.0, y + height / 2.0 + 4.0),
            "end",
            &row.label,
        ));
        for (place, dot) in row.dots.iter().enumerate() {
            if let Some(figure) = &dot.figure {
                dots.push_str(&dot_mark(
                    dot,
                    figure,
                    &x,
                    y + 6.0 + DOT_STEP * (place as f64 + 0.5),
                ));
                words.push(format!(
                    "{}, {}: {}",
                    row.label,
                    dot.name,
                    score(figure.mean)
                ));
            }
        }
        y += height;
    }
    let mut lines = String::new();
    for tick in x.ticks() {
        lines.push_str(&grid((x.at(tick), top), (x.at(tick), y)));
        lines.push_str(&label((x.at(tick), y + 18.0), "middle", &tick_score(tick)));
    }
    lines.push_str(&label(
        ((left + right) / 2.0, y + 38.0),
        "middle",
        caption.x,
    ));
    svg(
        caption,
        y + 48.0,
        &words.join("; "),
        &format!("{bands}{lines}{dots}"),
    )
}

fn dot_mark(dot: &Dot<'_>, figure: &Estimate, x: &Scale, y: f64) -> String {
    format!(
        r#"<g class="s{}"><title>{}: {} {}</title>{}{}</g>"#,
        dot.series % SHAPES.len(),
        escape(dot.name),
        score(figure.mean),
        interval(figure),
        whisker((x.at(figure.low), y), (x.at(figure.high), y)),
        marker(dot.series, x.at(figure.mean), y)
    )
}

pub(super) fn svg(caption: &Caption<'_>, height: f64, description: &str, body: &str) -> String {
    let id = caption.id;
    format!(
        concat!(
            r#"<svg class="chart" role="img" viewBox="0 0 {width:.0} {height:.0}" "#,
            r#"aria-labelledby="{id}-title {id}-desc">"#,
            r#"<title id="{id}-title">{title}</title><desc id="{id}-desc">{description}</desc>{body}</svg>"#
        ),
        width = WIDTH,
        height = height,
        id = id,
        title = escape(caption.title),
        description = escape(description),
        body = body
    )
}

pub(super) fn grid(from: (f64, f64), to: (f64, f64)) -> String {
    line("grid", from, to)
}

pub(super) fn whisker(from: (f64, f64), to: (f64, f64)) -> String {
    line("whisker", from, to)
}

pub(super) fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> String {
    format!(
        r#"<line class="{class}" x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}"/>"#,
        from.0, from.1, to.0, to.1
    )
}

pub(super) fn label(at: (f64, f64), anchor: &str, text: &str) -> String {
    format!(
        r#"<text class="axis" x="{:.1}" y="{:.1}" text-anchor="{anchor}">{}</text>"#,
        at.0,
        at.1,
        escape(text)
    )
}

/// `.2`, `1`: ticks need no three decimals.
pub(super) fn tick_score(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text.strip_prefix("0.") {
        Some(decimals) => format!(".{decimals}"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_scale_begins_at_one_and_takes_zero_to_its_edge() {
        let scale = Scale::log(&[0.0, 15_814.0], (0.0, 100.0));
        assert_eq!(scale.at(0.0), 0.0);
        assert_eq!(scale.at(1.0), 0.0);
        assert!(scale.at(15_814.0) < 100.0);
        assert_eq!(scale.ticks(), [1.0, 10.0, 100.0, 1000.0, 10_000.0]);
        let empty = Scale::log(&[], (0.0, 100.0));
        assert!(empty.at(f64::NAN).is_finite() && empty.at(1e300).is_finite());
    }

    #[test]
    fn a_linear_scale_marks_round_figures() {
        let marks: Vec<String> = Scale::linear(0.0, 1.0, (0.0, 1.0))
            .ticks()
            .into_iter()
            .map(tick_score)
            .collect();
        assert_eq!(marks, ["0", ".2", ".4", ".6", ".8", "1"]);
        assert_eq!(Scale::linear(1.0, 1.0, (0.0, 10.0)).at(1.0), 0.0);
    }

    #[test]
    fn a_chart_of_no_rows_is_whole() {
        let caption = Caption {
            id: "c",
            title: "Score",
            x: "tokens",
            y: "score",
        };
        assert!(dot_whisker(&caption, &[]).ends_with("</svg>"));
    }

    #[test]
    fn series_differ_by_shape_then_by_filling() {
        let shapes: std::collections::BTreeSet<String> =
            (0..16).map(|series| marker(series, 0.0, 0.0)).collect();
        assert_eq!(shapes.len(), 16);
    }
}
