//! Figures against a size, both on log scales: one chart for each unit, a line for each series.

use super::html::page;
use super::numbers::count;
use super::svg::{Caption, SHAPES, Scale, WIDTH, grid, label, marker, svg, swatch};
use super::text::escape;

/// A chart of lines.
#[derive(Clone, Debug)]
pub struct Curve {
    /// What it shows, with the unit.
    pub title: String,
    /// What it is drawn against.
    pub x: String,
    /// Names and points, by rising size.
    pub series: Vec<(String, Vec<(f64, f64)>)>,
}

/// Writes a self-contained page: charts, and the table that they are drawn from.
pub fn curves_html(title: &str, facts: &str, curves: &[Curve]) -> String {
    let parts = curves.iter().enumerate().map(|(n, curve)| {
        let names = curve.series.iter().enumerate();
        let legend: Vec<String> = names
            .map(|(series, (name, _))| format!("{} {}", swatch(series), escape(name)))
            .collect();
        format!(
            "<section class=\"part\"><h2>{}</h2>\n<p>{}</p>\n{}\n{}</section>\n",
            escape(&curve.title),
            legend.join(" · "),
            chart(n, curve),
            table(curve)
        )
    });
    let parts: String = parts.collect();
    let title = escape(title);
    let header = format!(
        "<header>\n<h1>{title}</h1>\n<p>{}</p>\n</header>\n",
        escape(facts)
    );
    page(&title, &format!("{header}<main>\n{parts}</main>\n"))
}

fn chart(n: usize, curve: &Curve) -> String {
    let (left, top, right, bottom) = (64.0, 16.0, WIDTH - 20.0, 300.0);
    let points = || curve.series.iter().flat_map(|(_, points)| points);
    let x = Scale::log(
        &points().map(|(x, _)| *x).collect::<Vec<_>>(),
        (left, right),
    );
    // A log scale begins at 1: thousandths are drawn as whole numbers.
    let thousandths: Vec<f64> = points().map(|(_, y)| y * 1e3).collect();
    let y = Scale::log(&thousandths, (bottom, top));
    let mut body = String::new();
    for tick in x.ticks() {
        body.push_str(&grid((x.at(tick), top), (x.at(tick), bottom)));
        body.push_str(&label((x.at(tick), bottom + 18.0), "middle", &count(tick)));
    }
    for tick in y.ticks() {
        let text = (tick / 1e3).to_string();
        body.push_str(&grid((left, y.at(tick)), (right, y.at(tick))));
        body.push_str(&label((left - 8.0, y.at(tick) + 4.0), "end", &text));
    }
    let middle = (left + right) / 2.0;
    body.push_str(&label((middle, bottom + 40.0), "middle", &curve.x));
    let mut words = Vec::new();
    for (series, (name, points)) in curve.series.iter().enumerate() {
        let at = |(size, figure): &(f64, f64)| (x.at(*size), y.at(figure * 1e3));
        let path: Vec<String> = points
            .iter()
            .map(at)
            .map(|(px, py)| format!("{px:.1} {py:.1}"))
            .collect();
        let marks: String = points
            .iter()
            .map(at)
            .map(|(px, py)| marker(series, px, py))
            .collect();
        body.push_str(&format!(
            r#"<g class="s{}"><path class="front" d="M{}"/>{marks}</g>"#,
            series % SHAPES.len(),
            path.join("L")
        ));
        let figures = points.iter();
        words.extend(figures.map(|(size, figure)| format!("{name} at {}: {figure}", count(*size))));
    }
    let id = format!("curve-{n}");
    let caption = Caption {
        id: &id,
        title: &curve.title,
        x: &curve.x,
        y: "",
    };
    svg(&caption, 350.0, &words.join("; "), &body)
}

fn table(curve: &Curve) -> String {
    let sizes = curve.series.first().map_or(&[][..], |(_, points)| points);
    let heads: String = sizes
        .iter()
        .map(|(size, _)| format!("<th scope=\"col\">{}</th>", count(*size)))
        .collect();
    let rows = curve.series.iter().map(|(name, points)| {
        let cells = points
            .iter()
            .map(|(_, figure)| format!("<td>{figure:.3}</td>"));
        let cells: String = cells.collect();
        format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", escape(name))
    });
    let rows: String = rows.collect();
    format!(
        "<table><thead><tr><th scope=\"col\">{}</th>{heads}</tr></thead><tbody>\n{rows}</tbody></table>",
        escape(&curve.x)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_a_chart_and_its_figures() {
        let curve = Curve {
            title: "Peak, <MB>".to_owned(),
            x: "files".to_owned(),
            series: vec![("index".to_owned(), vec![(1e3, 0.25), (4e3, f64::NAN)])],
        };
        let page = curves_html("Scale", "seed 1", &[curve]);
        assert!(page.contains("Peak, &lt;MB&gt;") && page.contains("<td>0.250</td>"));
        assert!(!page.contains("M NaN") && page.ends_with("</html>\n"));
        assert!(curves_html("Scale", "", &[]).contains("<main>"));
    }
}
