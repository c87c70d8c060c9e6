//! The report as Markdown (GitHub's flavour), readable as it stands too.

use super::figures::{
    defects_table, group_table, headline_table, metrics_table, p5_table, pairs_tables,
    repositories_table, subjects_table,
};
use super::reliability::{READ_RELIABILITY, calibrations, reliability_table};
use super::table::{Cell, ColumnKind, Table};
use super::tasks::{weak_label, weak_sentence, weak_table};
use super::text::{clean, one_line};
use super::view::View;
use super::words::{
    self, READ_PAIRS, SHORT, configuration, facts, in_short, is_partial, method, reproduce, state,
};
use crate::results::TaskResult;
use crate::summary::{GroupBy, Summary};

/// Writes `report.md`: what ran on what, each suite's figures with their intervals, where the first
/// subject is weak, and how to get the same figures.
///
/// `results` are the lines that `summary` sums up; they serve the weaknesses only.
pub fn markdown(summary: &Summary, results: &[TaskResult]) -> String {
    let view = View::new(summary, results);
    let run = view.run();
    let mark = if is_partial(run) {
        "**Partial run.** "
    } else {
        ""
    };
    let mut page = Page::default();
    page.line(&format!("# {}", text(&words::title(run))));
    page.line(&format!("{mark}{}.", text(&state(run))));
    if view.summary.rows.is_empty() {
        page.line("There are no answers to sum up.");
    }
    for suite in &view.suites {
        suite_part(&mut page, &view, suite);
    }
    page.line("## What ran on what");
    let facts = facts(run)
        .into_iter()
        .map(|(name, value)| format!("- {name}: {}", text(&value)));
    page.line(&facts.collect::<Vec<_>>().join("\n"));
    page.table(&subjects_table(&view));
    page.table(&repositories_table(run));
    page.line("## Known defects of the truth");
    match defects_table(&view) {
        Some(table) => page.table(&table),
        None => page.line("None listed for these suites."),
    }
    page.line("## How to read the figures");
    page.line(
        &method(run)
            .iter()
            .map(|line| format!("- {}", text(line)))
            .collect::<Vec<_>>()
            .join("\n"),
    );
    page.line("## Configuration");
    configurations(&mut page, &view);
    page.line("## How to reproduce");
    let steps = reproduce(run).into_iter().enumerate();
    page.line(
        &steps
            .map(|(n, step)| format!("{}. {}", n + 1, text(&step)))
            .collect::<Vec<_>>()
            .join("\n"),
    );
    page.text
}

fn suite_part(page: &mut Page, view: &View<'_>, suite: &str) {
    page.line(&format!("## {}", text(&one_line(suite, SHORT))));
    let Some(sentence) = in_short(view, suite) else {
        page.line("No answers.");
        return;
    };
    page.line(&text(&sentence));
    page.table(&headline_table(view, suite));
    if let Some(table) = p5_table(view, suite) {
        page.line("### With and without P5");
        page.table(&table);
    }
    page.line("### By category");
    page.line(
        "Score [95% interval] / tokens a task. Bold is the best of those that did all tasks.",
    );
    page.optional(group_table(view, suite, GroupBy::Category));
    page.line("### By language");
    page.optional(group_table(view, suite, GroupBy::Language));
    for (name, table) in [
        (
            "By repository",
            group_table(view, suite, GroupBy::Repository),
        ),
        ("By stratum", group_table(view, suite, GroupBy::Stratum)),
        ("All metrics", metrics_table(view, suite)),
    ] {
        if let Some(table) = table {
            page.details(name, |page| page.table(&table));
        }
    }
    if let Some((whole, by_category)) = pairs_tables(view, suite) {
        page.line("### Task by task against the others");
        page.line(READ_PAIRS);
        page.table(&whole);
        page.details("Against the others by category", |page| {
            page.table(&by_category)
        });
    }
    let calibrations = calibrations(view, suite);
    if !calibrations.is_empty() {
        page.line("### Right as often as it says?");
        page.line(READ_RELIABILITY);
        page.table(&reliability_table(view, &calibrations));
    }
    weaknesses(page, view, suite);
}

fn weaknesses(page: &mut Page, view: &View<'_>, suite: &str) {
    let Some(sentence) = weak_sentence(view, suite) else {
        return;
    };
    page.line("### Weaknesses");
    page.line(&text(&sentence));
    for (category, lines) in view.weakest(suite) {
        page.line(&format!("#### {}", text(&weak_label(category))));
        page.table(&weak_table(&lines));
    }
}

fn configurations(page: &mut Page, view: &View<'_>) {
    let subjects = view.run().subjects.iter();
    let subjects: Vec<_> = subjects
        .filter(|subject| !subject.configuration.is_empty())
        .collect();
    if subjects.is_empty() {
        page.line("No subject has one.");
    }
    for subject in subjects {
        page.details(&one_line(&subject.name, SHORT), |page| {
            page.fenced("json", &configuration(&subject.configuration));
        });
    }
}

/// Markdown under way: blocks with an empty line between them.
#[derive(Default)]
pub(super) struct Page {
    pub(super) text: String,
}

impl Page {
    /// A block, already Markdown.
    pub(super) fn line(&mut self, block: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(block);
        self.text.push('\n');
    }

    pub(super) fn table(&mut self, table: &Table) {
        if table.rows.is_empty() {
            return;
        }
        let heads = table.columns.iter().map(|(name, _)| text(name));
        let rule = table.columns.iter().map(|(_, kind)| match kind {
            ColumnKind::Number => "---:".to_owned(),
            _ => "---".to_owned(),
        });
        let mut lines = vec![row(heads), row(rule)];
        lines.extend(table.rows.iter().map(|cells| row(cells.iter().map(cell))));
        self.line(&lines.join("\n"));
    }

    fn optional(&mut self, table: Option<Table>) {
        match table {
            Some(table) => self.table(&table),
            None => self.line("Nothing to show."),
        }
    }

    pub(super) fn details(&mut self, name: &str, inside: impl FnOnce(&mut Self)) {
        // Some renderers act on Markdown inside HTML.
        let name = super::text::escape(name)
            .replace('[', "&#91;")
            .replace('`', "&#96;");
        self.line(&format!("<details><summary>{name}</summary>"));
        inside(self);
        self.line("</details>");
    }

    /// A code block whose fence is longer than any in the text.
    fn fenced(&mut self, language: &str, code: &str) {
        let mut fence = "```".to_owned();
        while code.contains(&fence) {
            fence.push('`');
        }
        self.line(&format!("{fence}{language}\n{}\n{fence}", clean(code)));
    }
}

fn row(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}

fn cell(cell: &Cell) -> String {
    let main = match cell.kind {
        ColumnKind::Code => cell.text.lines().map(code).collect::<Vec<_>>().join(", "),
        ColumnKind::Text => text(&cell.text),
        // Figures are our own, and their brackets no links.
        ColumnKind::Number => cell.text.clone(),
    };
    let main = if cell.is_best {
        format!("**{main}**")
    } else {
        main
    };
    match cell.detail.as_str() {
        "" => main,
        detail => format!("{main} {detail}"),
    }
}

/// Escapes what Markdown, its tables or the HTML in it would act on.
pub(super) fn text(plain: &str) -> String {
    let line = one_line(plain, usize::MAX);
    let chars: Vec<char> = line.chars().collect();
    let is_word = |at: Option<usize>| {
        at.and_then(|at| chars.get(at))
            .is_some_and(|c| c.is_alphanumeric())
    };
    let mut escaped = String::with_capacity(line.len());
    for (at, c) in chars.iter().enumerate() {
        // Within a word an underscore is just that.
        let is_inside = is_word(at.checked_sub(1)) && is_word(Some(at + 1));
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '_' if is_inside => escaped.push('_'),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '$' => {
                escaped.push('\\');
                escaped.push(*c);
            }
            c => escaped.push(*c),
        }
    }
    escaped
}

/// A code span, fit for a table. What a span cannot hold is written as text.
fn code(plain: &str) -> String {
    let is_awkward = plain.contains(['`', '<']) || (plain.contains('|') && plain.contains('\\'));
    if plain.is_empty() || is_awkward {
        return text(plain);
    }
    format!("`{}`", one_line(plain, usize::MAX).replace('|', "\\|"))
}
