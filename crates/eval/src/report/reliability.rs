//! The reliability diagram: confidence against how often the first place was right.

use super::numbers::{count, score};
use super::svg::{Caption, SHAPES, Scale, WIDTH, grid, label, line, marker, svg, tick_score};
use super::table::{Cell, ColumnKind, Table};
use super::view::View;
use crate::calibration::Calibration;

/// What the diagram and the table under it show.
pub(super) const READ_RELIABILITY: &str = "Confidence in the first place against the share of \
    answers whose first place is right, in five groups of equal size. Brier: mean squared difference, \
    0 is best; beside it that of one who always says the share of right answers.";

/// The figures of each subject that says how sure it is.
pub(super) fn calibrations<'a>(view: &View<'a>, suite: &str) -> Vec<(&'a str, Calibration)> {
    let of = |subject: &'a str| {
        let lines = view.results.iter();
        let lines = lines.filter(|line| line.suite == suite && line.subject == subject);
        Some((subject, Calibration::of(lines)?))
    };
    view.subjects.iter().copied().filter_map(of).collect()
}

/// A line for each subject: how often it was right, by how sure it was.
pub(super) fn diagram(view: &View<'_>, id: &str, found: &[(&str, Calibration)]) -> String {
    let caption = Caption {
        id,
        title: "Right as often as it says?",
        x: "confidence",
        y: "first place right",
    };
    let (left, top, right, bottom) = (56.0, 24.0, WIDTH - 20.0, 308.0);
    let x = Scale::linear(0.0, 1.0, (left, right));
    let y = Scale::linear(0.0, 1.0, (bottom, top));
    let mut body = String::new();
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        body += &grid((x.at(tick), top), (x.at(tick), bottom));
        body += &grid((left, y.at(tick)), (right, y.at(tick)));
        body += &label((x.at(tick), bottom + 18.0), "middle", &tick_score(tick));
        body += &label((left - 8.0, y.at(tick) + 4.0), "end", &tick_score(tick));
    }
    body += &label(((left + right) / 2.0, bottom + 40.0), "middle", caption.x);
    body += &label((left, top - 8.0), "start", caption.y);
    body += &line("front", (x.at(0.0), y.at(0.0)), (x.at(1.0), y.at(1.0)));
    for (subject, calibration) in found {
        let points = calibration.bins.iter();
        let points = points.map(|bin| (x.at(bin.confidence), y.at(bin.right)));
        let points: Vec<(f64, f64)> = points.collect();
        let series = view.series(subject);
        for pair in points.windows(2) {
            let class = format!("whisker s{}", series % SHAPES.len());
            body += &line(&class, pair[0], pair[1]);
        }
        for (x, y) in points {
            body += &marker(series, x, y);
        }
    }
    let said = found.iter().map(|(subject, calibration)| {
        let bins = calibration.bins.iter();
        let bins =
            bins.map(|bin| format!("{} said, {} right", score(bin.confidence), score(bin.right)));
        format!("{subject}: {}", bins.collect::<Vec<_>>().join("; "))
    });
    svg(
        &caption,
        bottom + 50.0,
        &said.collect::<Vec<_>>().join(". "),
        &body,
    )
}

/// The same in figures.
pub(super) fn reliability_table(view: &View<'_>, found: &[(&str, Calibration)]) -> Table {
    let number = |name| (name, ColumnKind::Number);
    let mut table = Table::new(&[
        ("Subject", ColumnKind::Text),
        number("Answers"),
        number("Brier"),
        number("Brier of the base rate"),
        number("Calibration error"),
    ]);
    for (subject, calibration) in found {
        let mut cells = vec![Cell::subject(view, subject)];
        let n = calibration.n as f64;
        cells.push(Cell::number(n, count(n)));
        let figures = [calibration.brier, calibration.base_brier, calibration.error];
        cells.extend(figures.map(|figure| Cell::number(figure, score(figure))));
        table.rows.push(cells);
    }
    table
}
