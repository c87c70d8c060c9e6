//! Score against cost: a point for each subject, with its name, and the front of those that none beats.

use super::numbers::{count, interval, score};
use super::svg::{
    Caption, SHAPES, Scale, WIDTH, grid, label, line, marker, svg, tick_score, whisker,
};
use super::text::escape;
use crate::statistics::Estimate;
use std::borrow::Cow;

/// Rows of places for names above and below a point.
const LABEL_ROWS: u8 = 9;
/// From here on a line leads from a point to its name.
const FAR: f64 = 24.0;

/// A point with whiskers on both axes.
#[derive(Clone, Debug)]
pub(super) struct Point<'a> {
    pub(super) label: Cow<'a, str>,
    pub(super) series: usize,
    pub(super) x: Estimate,
    pub(super) y: Estimate,
    /// Whether it is over the same tasks as the others, and may lie on the front.
    pub(super) competes: bool,
}

/// Indices of the points that no other beats on both axes (less x, more y), by ascending x.
pub(super) fn front(points: &[Point<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len())
        .filter(|point| points[*point].competes)
        .collect();
    order.sort_by(|a, b| {
        let (a, b) = (&points[*a], &points[*b]);
        a.x.mean
            .total_cmp(&b.x.mean)
            .then(b.y.mean.total_cmp(&a.y.mean))
    });
    let mut best = f64::NEG_INFINITY;
    order.retain(|point| {
        let is_better = points[*point].y.mean > best;
        best = best.max(points[*point].y.mean);
        is_better
    });
    order
}

/// Score against tokens on a log scale, with whiskers and the front of the best trades.
pub(super) fn scatter(caption: &Caption<'_>, points: &[Point<'_>]) -> String {
    let (left, top, right, bottom) = (56.0, 16.0, WIDTH - 20.0, 372.0);
    let xs: Vec<f64> = points
        .iter()
        .flat_map(|point| [point.x.low, point.x.high])
        .collect();
    let x = Scale::log(&xs, (left, right));
    let y = score_scale(points, (bottom, top));
    let mut body = String::new();
    for tick in x.ticks() {
        body.push_str(&grid((x.at(tick), top), (x.at(tick), bottom)));
        body.push_str(&label((x.at(tick), bottom + 18.0), "middle", &count(tick)));
    }
    for tick in y.ticks() {
        body.push_str(&grid((left, y.at(tick)), (right, y.at(tick))));
        body.push_str(&label(
            (left - 8.0, y.at(tick) + 4.0),
            "end",
            &tick_score(tick),
        ));
    }
    body.push_str(&label(
        ((left + right) / 2.0, bottom + 40.0),
        "middle",
        caption.x,
    ));
    body.push_str(&format!(
        r#"<text class="axis" text-anchor="middle" transform="translate(14 {:.1}) rotate(-90)">{}</text>"#,
        (top + bottom) / 2.0,
        escape(caption.y)
    ));
    body.push_str(&front_line(points, &x, &y));
    for point in points {
        let (px, py) = (x.at(point.x.mean), y.at(point.y.mean));
        body.push_str(&format!(
            r#"<g class="s{}"><title>{}</title>{}{}{}</g>"#,
            point.series % SHAPES.len(),
            escape(&point_words(point)),
            whisker((x.at(point.x.low), py), (x.at(point.x.high), py)),
            whisker((px, y.at(point.y.low)), (px, y.at(point.y.high))),
            marker(point.series, px, py)
        ));
    }
    body.push_str(&point_labels(points, &x, &y, (left, right)));
    let words: Vec<String> = points.iter().map(point_words).collect();
    svg(caption, 420.0, &words.join("; "), &body)
}

/// A scale of scores that leaves no large part empty and is never narrower than .3.
fn score_scale(points: &[Point<'_>], pixels: (f64, f64)) -> Scale {
    let lows = points
        .iter()
        .map(|point| point.y.low)
        .filter(|low| low.is_finite());
    let low = lows.fold(0.7, f64::min);
    let highs = points
        .iter()
        .map(|point| point.y.high)
        .filter(|high| high.is_finite());
    let high = highs.fold(0.0, f64::max);
    let low = (((low - 0.03) * 10.0).floor() / 10.0).max(0.0);
    let high = (((high + 0.03) * 10.0).ceil() / 10.0)
        .max(low + 0.3)
        .min(1.0);
    Scale::linear(low, high, pixels)
}

fn point_words(point: &Point<'_>) -> String {
    format!(
        "{}: {} {} at {} tokens [{}, {}]",
        point.label,
        score(point.y.mean),
        interval(&point.y),
        count(point.x.mean),
        count(point.x.low),
        count(point.x.high)
    )
}

/// Steps through the points that no other beats: what can be had for how many tokens.
fn front_line(points: &[Point<'_>], x: &Scale, y: &Scale) -> String {
    let mut path = String::new();
    for index in front(points) {
        let (px, py) = (x.at(points[index].x.mean), y.at(points[index].y.mean));
        if path.is_empty() {
            path = format!("M{px:.1} {py:.1}");
        } else {
            path.push_str(&format!("H{px:.1}V{py:.1}"));
        }
    }
    if path.is_empty() {
        return path;
    }
    format!(r#"<path class="front" d="{path}H{:.1}"/>"#, x.to)
}

/// Names beside their points, each where it covers no point and no earlier name.
fn point_labels(points: &[Point<'_>], x: &Scale, y: &Scale, edges: (f64, f64)) -> String {
    let at = |point: &Point<'_>| (x.at(point.x.mean), y.at(point.y.mean));
    let mut taken: Vec<[f64; 4]> = points.iter().map(|point| around(at(point), 7.0)).collect();
    let mut text = String::new();
    for point in points {
        let (px, py) = at(point);
        let width = point.label.chars().count() as f64 * 7.2;
        let box_of = |(lx, ly, anchor): (f64, f64, &str)| {
            let from = if anchor == "end" { lx - width } else { lx };
            [from, ly - 11.0, from + width, ly + 3.0]
        };
        let is_free = |place: &(f64, f64, &str)| {
            let of = box_of(*place);
            let is_inside = of[0] >= edges.0 && of[2] <= edges.1 && of[1] >= 0.0 && of[3] <= y.from;
            is_inside && taken.iter().all(|other| !overlap(&of, other))
        };
        let (lx, ly, anchor) =
            label_places((px, py))
                .find(is_free)
                .unwrap_or((px + 10.0, py - 8.0, "start"));
        taken.push(box_of((lx, ly, anchor)));
        if (ly - 4.0 - py).abs() > FAR {
            text.push_str(&line("leader", (px, py), (lx, ly - 4.0)));
        }
        text.push_str(&format!(
            r#"<text class="name" x="{lx:.1}" y="{ly:.1}" text-anchor="{anchor}">{}</text>"#,
            escape(&point.label)
        ));
    }
    text
}

/// Where a point's name may stand, the nearest first.
fn label_places((x, y): (f64, f64)) -> impl Iterator<Item = (f64, f64, &'static str)> {
    (0..LABEL_ROWS).flat_map(move |row| {
        let off = 14.0 * f64::from(row);
        let sides = [(x + 10.0, "start"), (x - 10.0, "end")];
        sides
            .into_iter()
            .flat_map(move |(x, anchor)| [(x, y - 8.0 - off, anchor), (x, y + 16.0 + off, anchor)])
    })
}

fn around((x, y): (f64, f64), reach: f64) -> [f64; 4] {
    [x - reach, y - reach, x + reach, y + reach]
}

fn overlap(a: &[f64; 4], b: &[f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exactly(mean: f64) -> Estimate {
        Estimate {
            mean,
            low: mean,
            high: mean,
        }
    }

    fn point(label: &str, tokens: f64, score: f64) -> Point<'_> {
        Point {
            label: label.into(),
            series: 0,
            x: exactly(tokens),
            y: exactly(score),
            competes: true,
        }
    }

    const CAPTION: Caption<'_> = Caption {
        id: "c",
        title: "Score",
        x: "tokens",
        y: "score",
    };

    #[test]
    fn the_front_holds_what_no_other_beats() {
        let points = [
            point("dear and good", 1000.0, 0.9),
            point("cheap and poor", 10.0, 0.2),
            point("beaten", 1000.0, 0.5),
            point("beaten at the same cost", 10.0, 0.1),
            Point {
                competes: false,
                ..point("over other tasks", 1.0, 1.0)
            },
        ];
        assert_eq!(front(&points), [1, 0]);
        assert_eq!(front(&[]), Vec::<usize>::new());
    }

    #[test]
    fn charts_have_finite_numbers_and_words_whatever_comes() {
        let points = [
            point("<b>", 0.0, 0.0),
            point("n", f64::NAN, f64::NAN),
            point("x", 1e9, 1.0),
        ];
        let chart = scatter(&CAPTION, &points);
        assert!(!chart.contains("NaN") && !chart.contains("inf"), "{chart}");
        assert!(chart.contains("&lt;b&gt;") && !chart.contains("<b>"));
        assert!(chart.contains("<title id=\"c-title\">Score</title>"));
        assert!(scatter(&CAPTION, &[]).ends_with("</svg>"));
    }

    #[test]
    fn names_of_points_on_one_spot_stand_apart() {
        let points: Vec<Point<'_>> = (0..12)
            .map(|at| point("gate never", 100.0 + f64::from(at), 0.5))
            .collect();
        let chart = scatter(&CAPTION, &points);
        let names = chart.split("<text class=\"name\"").skip(1);
        let places: std::collections::BTreeSet<String> = names
            .map(|name| {
                let of = |key: &str| {
                    let value = name.split(&format!("{key}=\"")).nth(1);
                    value
                        .and_then(|value| value.split('"').next())
                        .unwrap_or_default()
                };
                format!("{} {}", of("y"), of("text-anchor"))
            })
            .collect();
        assert_eq!(places.len(), 12);
        assert!(chart.contains("class=\"leader\""));
    }
}
