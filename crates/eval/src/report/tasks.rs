//! The tables of tasks: where the first subject is weak, and all of them.

use super::numbers::{NONE, count, score};
use super::table::{Best, Cell, ColumnKind, Table, mark_best};
use super::text::{expected_place, found_place, one_line};
use super::view::View;
use super::words::{SHORT, group_label, metric_label};
use crate::judge::Verdict;
use crate::metric::headline;
use crate::results::TaskResult;
use crate::summary::GroupBy;
use crate::task::Category;
use std::collections::BTreeMap;

/// Expected and found places that a row of weaknesses names.
const N_NAMED: usize = 3;

/// The worst tasks of a category.
pub(super) fn weak_table(lines: &[&TaskResult]) -> Table {
    let mut table = Table::new(&[
        ("Score", ColumnKind::Number),
        ("Question", ColumnKind::Text),
        ("Repository", ColumnKind::Code),
        ("Expected", ColumnKind::Code),
        ("First wrong results", ColumnKind::Code),
    ]);
    for line in lines {
        table.rows.push(vec![
            Cell::number(line.value(), score(line.value())),
            Cell::text(&line.question),
            Cell::code(&line.repo),
            named(
                line.expected.iter().map(expected_place).collect(),
                &line.expected_note,
            ),
            wrong(line),
        ]);
    }
    table
}

/// The first wrong results, or what replaces them.
fn wrong(line: &TaskResult) -> Cell {
    if let Some(error) = &line.error {
        return Cell::text(&format!("error: {error}"));
    }
    let verdicts = line.found.iter().zip(&line.verdicts);
    let wrong = verdicts.filter(|(_, verdict)| **verdict == Verdict::Wrong);
    let wrong: Vec<String> = wrong.map(|(found, _)| found_place(found)).collect();
    let note = match (
        wrong.is_empty(),
        line.found.is_empty(),
        line.found_note.as_str(),
    ) {
        (true, true, "") => "nothing found",
        (true, false, "") => "none wrong, some missed",
        (_, _, note) => note,
    };
    named(wrong, note)
}

/// A few places, or the note where there is none.
fn named(places: Vec<String>, note: &str) -> Cell {
    if places.is_empty() {
        return Cell::text(if note.is_empty() { NONE } else { note });
    }
    let more = places.len().saturating_sub(N_NAMED);
    let shown = places[..places.len() - more].join("\n");
    let cell = Cell {
        kind: ColumnKind::Code,
        text: shown,
        ..Cell::default()
    };
    match more {
        0 => cell,
        n => cell.detail(format!("and {} more", count(n as f64))),
    }
}

/// What the weaknesses of a category are measured by: `P2 references, F1`.
pub(super) fn weak_label(category: Category) -> String {
    let label = group_label(GroupBy::Category, category.name());
    format!("{label}, {}", metric_label(headline(category)))
}

/// All tasks of a suite with each subject's score, the first subject's worst first.
pub(super) fn tasks_table(view: &View<'_>, suite: &str) -> (Table, Vec<String>) {
    let subjects: Vec<&str> = view
        .whole(suite, GroupBy::All)
        .iter()
        .map(|row| row.subject.as_str())
        .collect();
    let mut table = Table::new(&[
        ("Task", ColumnKind::Code),
        ("Category", ColumnKind::Text),
        ("Repository", ColumnKind::Code),
        ("Language", ColumnKind::Text),
        ("Question", ColumnKind::Text),
    ]);
    table.columns.extend(
        subjects
            .iter()
            .map(|name| (one_line(name, SHORT), ColumnKind::Number)),
    );
    let mut tasks = tasks_of(view, suite);
    let worst = |lines: &[&TaskResult]| {
        let first = lines
            .iter()
            .find(|line| Some(line.subject.as_str()) == view.first());
        first
            .filter(|line| !line.unsupported)
            .map_or(f64::INFINITY, |line| line.value())
    };
    tasks.sort_by(|a, b| worst(a).total_cmp(&worst(b)));
    for lines in &tasks {
        let Some(any) = lines.first() else { continue };
        let mut cells = vec![
            Cell::code(&any.task),
            Cell::text(any.category.name()),
            Cell::code(&any.repo),
            Cell::text(&any.language),
            Cell::text(&any.question),
        ];
        cells.extend(subjects.iter().map(|subject| task_cell(lines, subject)));
        mark_best(cells[5..].iter_mut(), Best::High);
        table.rows.push(cells);
    }
    let ids = tasks
        .iter()
        .filter_map(|lines| lines.first())
        .map(|line| line.task.clone());
    (table, ids.collect())
}

fn task_cell(lines: &[&TaskResult], subject: &str) -> Cell {
    match lines.iter().find(|line| line.subject == subject) {
        Some(line) if line.error.is_some() => Cell {
            competes: true,
            ..Cell::number(line.value(), score(line.value()))
        }
        .detail("error".to_owned()),
        Some(line) if !line.unsupported => Cell {
            competes: true,
            has_heat: true,
            ..Cell::number(line.value(), score(line.value()))
        },
        _ => Cell::none(),
    }
}

/// The lines of each task, tasks in the order of their first answer.
fn tasks_of<'a>(view: &View<'a>, suite: &str) -> Vec<Vec<&'a TaskResult>> {
    let mut places = BTreeMap::new();
    let mut tasks: Vec<Vec<&TaskResult>> = Vec::new();
    for line in view.results.iter().filter(|line| line.suite == suite) {
        let place = *places.entry(line.task.as_str()).or_insert(tasks.len());
        if place == tasks.len() {
            tasks.push(Vec::new());
        }
        tasks[place].push(line);
    }
    tasks
}

/// The other subjects' scores on a task, in words.
pub(super) fn others(view: &View<'_>, line: &TaskResult) -> String {
    let lines = view.results.iter().filter(|other| {
        other.suite == line.suite
            && other.task == line.task
            && other.subject != line.subject
            && !other.unsupported
    });
    let scores: Vec<String> = lines
        .map(|other| {
            format!(
                "{} {}",
                one_line(&other.subject, SHORT),
                score(other.value())
            )
        })
        .collect();
    scores.join(", ")
}

/// The heading of what a suite's first subject loses: how many tasks fall short.
pub(super) fn weak_sentence(view: &View<'_>, suite: &str) -> Option<String> {
    let first = view.first()?;
    let answered = view.row(suite, first, GroupBy::All, "")?.n;
    let short = view.short_of_one(suite).len();
    let first = one_line(first, SHORT);
    Some(match short {
        0 => format!("{first} scores 1 on each task it answered."),
        n => format!(
            "{first} falls short of 1 on {} of {} tasks. The worst of each category, ten at most:",
            count(n as f64),
            count(f64::from(answered))
        ),
    })
}
