//! The report as one HTML file that needs nothing else: style, charts, figures and a little script are
//! inside it, and it may ask for nothing outside. Without the script all parts are there as well, one
//! below the other.

use super::drill_down::{self, DrillDowns};
use super::figures::{
    defects_table, group_table, headline_table, metrics_table, p5_table, pairs_tables,
    repositories_table, subjects_table,
};
use super::reliability::{READ_RELIABILITY, calibrations, diagram, reliability_table};
use super::scatter::{Point, scatter};
use super::svg::{Caption, Dot, DotRow, dot_whisker, swatch};
use super::table::{Cell, ColumnKind, Table};
use super::tasks::{tasks_table, weak_label, weak_sentence, weak_table};
use super::text::{escape, one_line};
use super::view::View;
use super::words::{
    READ_PAIRS, SHORT, configuration, facts, group_label, in_short, is_partial, method, reproduce,
    state, title,
};
use crate::results::TaskResult;
use crate::summary::{GroupBy, Summary};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
/// The page may not ask for anything outside itself, whatever got into it.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// Writes `report.html`: the figures of [`super::markdown()`] with charts, all tasks in a table that
/// sorts and filters, and what was expected and found where the first subject falls short.
///
/// `results` are the lines that `summary` sums up. The summary itself is in the page as JSON, in the
/// element `summary`.
pub fn html(summary: &Summary, results: &[TaskResult]) -> String {
    let view = View::new(summary, results);
    let title = escape(&title(view.run()));
    let drill_downs = DrillDowns::choose(&view);
    let suites = view.suites.iter().enumerate();
    let suites: String = suites
        .map(|(n, suite)| suite_part(&view, n, suite, &drill_downs))
        .collect();
    let body = [
        &head_part(&view, &title),
        "<main>\n",
        &suites,
        &run_part(&view),
        "</main>\n<script type=\"application/json\" id=\"summary\">",
        &json(summary),
        &format!("</script>\n<script>\n{SCRIPT}</script>\n"),
    ]
    .concat();
    page(&title, &body)
}

/// A page of its own; `title` is escaped.
fn page(title: &str, body: &str) -> String {
    [
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
        &format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n"),
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
        "<meta name=\"color-scheme\" content=\"light dark\">\n",
        &format!("<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"),
        body,
        "</body>\n</html>\n",
    ]
    .concat()
}

/// JSON that cannot end its script element.
fn json(summary: &Summary) -> String {
    let json = serde_json::to_string(summary).unwrap_or_else(|_| "null".to_owned());
    let json = json
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026");
    json.replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}

fn head_part(view: &View<'_>, title: &str) -> String {
    let run = view.run();
    let (class, mark) = if is_partial(run) {
        ("partial", "Partial run. ")
    } else {
        ("whole", "")
    };
    let tabs = view.suites.iter().enumerate().map(|(n, suite)| {
        format!(
            "<a href=\"#suite-{n}\">{}</a>",
            escape(&one_line(suite, SHORT))
        )
    });
    let tabs: String = tabs
        .chain(["<a href=\"#run\">The run</a>".to_owned()])
        .collect();
    let shown = ["Started", "Whyrank", "Commit", "Seed"];
    let facts = facts(run)
        .into_iter()
        .filter(|(name, _)| shown.contains(name));
    let facts = facts.map(|(name, value)| format!("{name} {}", escape(&value)));
    format!(
        "<header>\n<h1>{title}</h1>\n<p class=\"state {class}\"><strong>{mark}</strong>{}.</p>\n\
         <p class=\"muted\">{}</p>\n<nav aria-label=\"Parts\">{tabs}</nav>\n</header>\n",
        escape(&state(run)),
        facts.collect::<Vec<_>>().join(" · ")
    )
}

fn suite_part(view: &View<'_>, n: usize, suite: &str, drill_downs: &DrillDowns<'_>) -> String {
    let name = escape(&one_line(suite, SHORT));
    let mut part = format!("<section class=\"part\" id=\"suite-{n}\">\n<h2>{name}</h2>\n");
    match in_short(view, suite) {
        Some(sentence) => part.push_str(&format!("<p class=\"lead\">{}</p>\n", escape(&sentence))),
        None => return part + "<p>No answers.</p>\n</section>\n",
    }
    part.push_str(&table(&headline_table(view, suite)));
    part.push_str(&scatter_part(view, n, suite));
    if let Some(p5) = p5_table(view, suite) {
        part.push_str(&format!("<h3>With and without P5</h3>\n{}", table(&p5)));
    }
    part.push_str(&category_part(view, n, suite));
    if let Some(languages) = group_table(view, suite, GroupBy::Language) {
        part.push_str(&format!(
            "<h3>By language</h3>\n{READ_CELLS}{}",
            table(&languages)
        ));
    }
    for (name, inside) in [
        (
            "By repository",
            group_table(view, suite, GroupBy::Repository),
        ),
        ("By stratum", group_table(view, suite, GroupBy::Stratum)),
        ("All metrics", metrics_table(view, suite)),
    ] {
        if let Some(inside) = inside {
            part.push_str(&details(name, &table(&inside)));
        }
    }
    if let Some((whole, by_category)) = pairs_tables(view, suite) {
        part.push_str(&format!(
            "<h3>Task by task against the others</h3>\n<p class=\"muted\">{READ_PAIRS}</p>\n{}{}",
            table(&whole),
            details("Against the others by category", &table(&by_category))
        ));
    }
    part.push_str(&reliability_part(view, n, suite));
    part.push_str(&weak_part(view, suite, drill_downs));
    part.push_str(&tasks_part(view, n, suite, drill_downs));
    part.push_str(&drill_down::part(view, suite, drill_downs));
    part + "</section>\n"
}

const READ_CELLS: &str = "<p class=\"muted\">Score [95% interval] / tokens a task. \
                          Bold is the best of those that did all tasks; the \
                          stronger the tint, the higher the score.</p>\n";

fn scatter_part(view: &View<'_>, n: usize, suite: &str) -> String {
    let rows = view.whole(suite, GroupBy::All);
    let most = rows.iter().map(|row| row.n).max().unwrap_or_default();
    let points: Vec<Point<'_>> = rows
        .iter()
        .map(|row| Point {
            label: if row.n == most {
                row.subject.as_str().into()
            } else {
                format!("{} ({} of {most} tasks)", row.subject, row.n).into()
            },
            competes: row.n == most,
            series: view.series(&row.subject),
            x: row.tokens,
            y: row.value,
        })
        .collect();
    let chart = scatter(
        &Caption {
            id: &format!("scatter-{n}"),
            title: "Score against tokens a task",
            x: "tokens a task (log scale)",
            y: "score",
        },
        &points,
    );
    format!(
        "<h3>Score against tokens</h3>\n<figure>{chart}<figcaption>Up is better, left is cheaper. \
         Whiskers are 95 % intervals. The dashed line joins what no other subject beats on both; a \
         subject that does fewer tasks than others stays out of it.</figcaption></figure>\n"
    )
}

/// Nothing where no subject says how sure it is.
fn reliability_part(view: &View<'_>, n: usize, suite: &str) -> String {
    let found = calibrations(view, suite);
    if found.is_empty() {
        return String::new();
    }
    format!(
        "<h3>Right as often as it says?</h3>\n<figure>{}<figcaption>{READ_RELIABILITY} The dashed line \
         is where both agree.</figcaption></figure>\n{}",
        diagram(view, &format!("reliability-{n}"), &found),
        table(&reliability_table(view, &found))
    )
}

fn category_part(view: &View<'_>, n: usize, suite: &str) -> String {
    let Some(categories) = group_table(view, suite, GroupBy::Category) else {
        return String::new();
    };
    let subjects = view.whole(suite, GroupBy::All);
    let rows: Vec<DotRow<'_>> = view
        .groups(suite, GroupBy::Category)
        .into_iter()
        .map(|name| DotRow {
            label: group_label(GroupBy::Category, name),
            dots: subjects
                .iter()
                .map(|subject| Dot {
                    name: &subject.subject,
                    series: view.series(&subject.subject),
                    figure: view
                        .row(suite, &subject.subject, GroupBy::Category, name)
                        .map(|row| row.value),
                })
                .collect(),
        })
        .collect();
    let id = format!("categories-{n}");
    let caption = Caption {
        id: &id,
        title: "Score by category",
        x: "score",
        y: "category",
    };
    let legend: String = subjects
        .iter()
        .map(|row| {
            let name = escape(&one_line(&row.subject, SHORT));
            format!("<li>{}{name}</li>", swatch(view.series(&row.subject)))
        })
        .collect();
    format!(
        "<h3>By category</h3>\n<figure><ul class=\"legend\">{legend}</ul>{}</figure>\n{READ_CELLS}{}",
        dot_whisker(&caption, &rows),
        table(&categories)
    )
}

fn weak_part(view: &View<'_>, suite: &str, drill_downs: &DrillDowns<'_>) -> String {
    let Some(sentence) = weak_sentence(view, suite) else {
        return String::new();
    };
    let mut part = format!("<h3>Weaknesses</h3>\n<p>{}</p>\n", escape(&sentence));
    for (category, lines) in view.weakest(suite) {
        let mut weak = weak_table(&lines);
        for (row, line) in weak.rows.iter_mut().zip(&lines) {
            row[1].link = drill_downs.id(suite, &line.task);
        }
        part.push_str(&format!(
            "<h4>{}</h4>\n{}",
            escape(&weak_label(category)),
            table(&weak)
        ));
    }
    part
}

fn tasks_part(view: &View<'_>, n: usize, suite: &str, drill_downs: &DrillDowns<'_>) -> String {
    let (mut tasks, ids) = tasks_table(view, suite);
    for (row, id) in tasks.rows.iter_mut().zip(&ids) {
        row[0].link = drill_downs.id(suite, id);
    }
    format!(
        "<h3>All tasks</h3>\n<p class=\"muted\">The first subject's worst first.<span class=\"no-print\"> \
         A task's name leads to what was expected and found.</span></p>\n\
         <div class=\"filter\" data-for=\"tasks-{n}\" hidden></div>\n{}",
        table_with(
            &tasks,
            &format!(" id=\"tasks-{n}\""),
            "scroll tall no-print"
        )
    )
}

fn run_part(view: &View<'_>) -> String {
    let run = view.run();
    let facts = facts(run);
    let facts = facts
        .iter()
        .map(|(name, value)| format!("<dt>{name}</dt><dd>{}</dd>", escape(value)));
    let items = |lines: Vec<String>| -> String {
        lines
            .iter()
            .map(|line| format!("<li>{}</li>\n", escape(line)))
            .collect()
    };
    let defects = defects_table(view).map_or_else(
        || "<p>None listed for these suites.</p>\n".to_owned(),
        |it| table(&it),
    );
    let subjects = run
        .subjects
        .iter()
        .filter(|subject| !subject.configuration.is_empty());
    let configurations: String = subjects
        .map(|subject| {
            let code = escape(&configuration(&subject.configuration));
            details(
                &one_line(&subject.name, SHORT),
                &format!("<pre>{code}</pre>"),
            )
        })
        .collect();
    let configurations = match configurations.as_str() {
        "" => "<p>No subject has one.</p>\n",
        some => some,
    };
    [
        "<section class=\"part\" id=\"run\">\n<h2>The run</h2>\n<h3>What ran on what</h3>\n<dl>",
        &facts.collect::<String>(),
        "</dl>\n",
        &table(&subjects_table(view)),
        &table(&repositories_table(run)),
        "<h3>Known defects of the truth</h3>\n",
        &defects,
        "<h3>How to read the figures</h3>\n<ul>\n",
        &items(method(run)),
        "</ul>\n<h3>Configuration</h3>\n",
        configurations,
        "<h3>How to reproduce</h3>\n<ol>\n",
        &items(reproduce(run)),
        "</ol>\n</section>\n",
    ]
    .concat()
}

pub(super) fn details(name: &str, inside: &str) -> String {
    format!(
        "<details><summary>{}</summary>\n{inside}</details>\n",
        escape(name)
    )
}

fn table(table: &Table) -> String {
    table_with(table, "", "scroll")
}

/// A table in a box of its own, so that a wide one scrolls without the page.
fn table_with(table: &Table, attributes: &str, class: &str) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let heads = table
        .columns
        .iter()
        .map(|(name, kind)| format!("<th scope=\"col\"{}>{}</th>", class_of(*kind), escape(name)));
    let heads: String = heads.collect();
    let rows = table.rows.iter().map(|cells| {
        let cells: String = cells.iter().map(cell).collect();
        format!("<tr>{cells}</tr>\n")
    });
    let rows: String = rows.collect();
    format!(
        "<div class=\"{class}\"><table{attributes}>\n<thead><tr>{heads}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table></div>\n"
    )
}

fn class_of(kind: ColumnKind) -> &'static str {
    if kind == ColumnKind::Number {
        " class=\"n\""
    } else {
        ""
    }
}

/// Whether a cell is better wrapped than kept on a line.
fn is_wide(text: &str) -> bool {
    text.chars().nth(28).is_some()
}

fn cell(cell: &Cell) -> String {
    let mut text = escape(&cell.text);
    if cell.kind == ColumnKind::Code {
        text = format!("<code>{}</code>", text.replace('\n', "<br>"));
    }
    if let Some(link) = &cell.link {
        text = format!("<a href=\"#{}\">{text}</a>", escape(link));
    }
    if cell.is_best {
        text = format!("<b>{text}</b>");
    }
    if let Some(series) = cell.series {
        text = format!("{}{text}", swatch(series));
    }
    if !cell.detail.is_empty() {
        text.push_str(&format!(" <small>{}</small>", escape(&cell.detail)));
    }
    let heat = cell
        .order
        .filter(|_| cell.has_heat)
        .map(|value| (value * 5.0).clamp(0.0, 4.0) as u8);
    let class = match (cell.kind, heat) {
        (_, Some(step)) => format!(" class=\"n h{step}\""),
        (ColumnKind::Text | ColumnKind::Code, None) if is_wide(&cell.text) => {
            " class=\"wide\"".to_owned()
        }
        (kind, None) => class_of(kind).to_owned(),
    };
    let order = cell
        .order
        .map(|order| format!(" data-order=\"{order}\""))
        .unwrap_or_default();
    format!("<td{class}{order}>{text}</td>")
}
