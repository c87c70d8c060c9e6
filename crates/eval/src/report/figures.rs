//! The tables of figures, and of what ran on what.

use super::numbers::{NONE, clarity, count, difference, interval, ms, score, tenths};
use super::table::{Best, Cell, ColumnKind, Table, mark_best, number};
use super::text::one_line;
use super::view::View;
use super::words::{SHORT, group_label, metric_label};
use crate::results::RunInfo;
use crate::summary::{GroupBy, PairRow, SummaryRow};
use crate::task::Category;

/// A suite's subjects with quality, cost and time.
pub(super) fn headline_table(view: &View<'_>, suite: &str) -> Table {
    let rows = view.whole(suite, GroupBy::All);
    let metric = rows
        .iter()
        .find_map(|row| row.headline)
        .filter(|metric| rows.iter().all(|row| row.headline == Some(*metric)));
    let metric = metric.map_or_else(|| "Score".to_owned(), metric_label);
    let mut table = Table::new(&[
        ("Subject", ColumnKind::Text),
        number(&metric),
        number("Tasks"),
        number("Errors"),
        number("Tokens"),
        number("Calls"),
        number("p50 ms"),
        number("p95 ms"),
        number("CPU ms"),
        number("Tokens per correct"),
        number("Gated"),
    ]);
    let most = rows.iter().map(|row| row.n).max().unwrap_or_default();
    for row in rows {
        let mut cells = headline_cells(view, row, most);
        // An answer of nothing is cheap; it does not compete on cost.
        let answers = row.value.mean > 0.0;
        for (column, cell) in cells.iter_mut().enumerate() {
            cell.competes = row.n == most && (column == 1 || (column > 3 && answers));
        }
        table.rows.push(cells);
    }
    mark_best(table.column(1), Best::High);
    (4..11).for_each(|column| mark_best(table.column(column), Best::Low));
    table.without_empty()
}

fn headline_cells(view: &View<'_>, row: &SummaryRow, most: u32) -> Vec<Cell> {
    let optional = |value: Option<f64>, write: fn(f64) -> String| {
        value.map_or_else(Cell::none, |value| Cell::number(value, write(value)))
    };
    let errors = (row.errors > 0).then_some(f64::from(row.errors));
    vec![
        Cell::subject(view, &row.subject),
        Cell::score(row),
        Cell::number(f64::from(row.n), count(f64::from(row.n))).detail(of_most(row.n, most)),
        optional(errors, count),
        Cell::number(row.tokens.mean, count(row.tokens.mean)),
        Cell::number(row.calls, tenths(row.calls)),
        Cell::number(row.wall_p50_ms, ms(row.wall_p50_ms)),
        Cell::number(row.wall_p95_ms, ms(row.wall_p95_ms)),
        optional(row.cpu_ms, ms),
        Cell::number(row.tokens_per_correct, count(row.tokens_per_correct)),
        optional(row.gated_tokens_per_correct, count).detail(match row.n_gated {
            0 => String::new(),
            n => format!("(n {})", count(f64::from(n))),
        }),
    ]
}

/// Tells that a mean is over fewer tasks than others are.
fn of_most(n: u32, most: u32) -> String {
    if n == most {
        String::new()
    } else {
        format!("of {}", count(f64::from(most)))
    }
}

/// A suite with and without its dead-code tasks; none where it has none.
pub(super) fn p5_table(view: &View<'_>, suite: &str) -> Option<Table> {
    if !view.has_p5(suite) {
        return None;
    }
    let mut table = Table::new(&[
        ("Subject", ColumnKind::Text),
        number("With P5"),
        number("Tasks"),
        number("Tokens"),
        number("Without P5"),
        number("Tasks"),
        number("Tokens"),
    ]);
    for subject in &view.subjects {
        let sides = [GroupBy::All, GroupBy::WithoutP5].map(|by| view.row(suite, subject, by, ""));
        if sides.iter().any(Option::is_some) {
            let mut cells = vec![Cell::subject(view, subject)];
            cells.extend(sides.into_iter().flat_map(score_n_tokens));
            table.rows.push(cells);
        }
    }
    for column in [1, 4] {
        let most = table
            .column(column + 1)
            .filter_map(|cell| cell.order)
            .fold(0.0, f64::max);
        for row in &mut table.rows {
            row[column].competes = row[column + 1].order == Some(most);
        }
        mark_best(table.column(column), Best::High);
    }
    Some(table)
}

fn score_n_tokens(row: Option<&SummaryRow>) -> [Cell; 3] {
    let Some(row) = row else {
        return [Cell::none(), Cell::none(), Cell::none()];
    };
    [
        Cell::score(row),
        Cell::number(f64::from(row.n), count(f64::from(row.n))),
        Cell::number(row.tokens.mean, count(row.tokens.mean)),
    ]
}

/// All metrics of a suite; none where it has but one.
pub(super) fn metrics_table(view: &View<'_>, suite: &str) -> Option<Table> {
    let metrics = view.metrics(suite);
    if metrics.len() < 2 {
        return None;
    }
    let mut table = Table::new(&[("Subject", ColumnKind::Text)]);
    table.columns.extend(
        metrics
            .iter()
            .map(|metric| (metric_label(*metric), ColumnKind::Number)),
    );
    let rows = view.whole(suite, GroupBy::All);
    let most = rows.iter().map(|row| row.n).max().unwrap_or_default();
    for row in rows {
        let mut cells = vec![Cell::subject(view, &row.subject)];
        cells.extend(metrics.iter().map(|metric| match row.scores.get(metric) {
            Some(value) => Cell {
                competes: row.n == most,
                ..Cell::number(*value, score(*value))
            },
            None => Cell::none(),
        }));
        table.rows.push(cells);
    }
    (1..table.columns.len()).for_each(|column| mark_best(table.column(column), Best::High));
    Some(table)
}

/// Score and tokens of each subject by category, language, repository or stratum.
pub(super) fn group_table(view: &View<'_>, suite: &str, by: GroupBy) -> Option<Table> {
    let groups = view.groups(suite, by);
    let subjects = view.whole(suite, GroupBy::All);
    if groups.is_empty() || subjects.is_empty() {
        return None;
    }
    let mut table = Table::new(&[
        (group_head(by), ColumnKind::Text),
        ("Tasks", ColumnKind::Number),
    ]);
    if by == GroupBy::Category {
        table.columns.push(("Metric".to_owned(), ColumnKind::Text));
    }
    let heads = subjects
        .iter()
        .map(|row| (one_line(&row.subject, SHORT), ColumnKind::Number));
    table.columns.extend(heads);
    for name in groups {
        let rows: Vec<Option<&SummaryRow>> = subjects
            .iter()
            .map(|row| view.row(suite, &row.subject, by, name))
            .collect();
        table.rows.push(group_cells(by, name, &rows));
    }
    Some(table)
}

fn group_head(by: GroupBy) -> &'static str {
    match by {
        GroupBy::All | GroupBy::WithoutP5 => "Group",
        GroupBy::Category => "Category",
        GroupBy::Language => "Language",
        GroupBy::Repository => "Repository",
        GroupBy::Stratum => "Stratum",
    }
}

fn group_cells(by: GroupBy, name: &str, rows: &[Option<&SummaryRow>]) -> Vec<Cell> {
    let most = rows
        .iter()
        .flatten()
        .map(|row| row.n)
        .max()
        .unwrap_or_default();
    let mut cells = vec![Cell::text(&group_label(by, name))];
    cells.push(Cell::number(f64::from(most), count(f64::from(most))));
    if by == GroupBy::Category {
        let metric = rows.iter().flatten().find_map(|row| row.headline);
        cells.push(Cell::text(
            &metric.map_or_else(|| NONE.to_owned(), metric_label),
        ));
    }
    let first = cells.len();
    for row in rows {
        cells.push(match row {
            None => Cell::none(),
            Some(row) => {
                let mut detail = format!("{} / {}", interval(&row.value), count(row.tokens.mean));
                if row.n != most {
                    detail.push_str(&format!(", n {}", count(f64::from(row.n))));
                }
                let competes = row.n == most;
                Cell {
                    competes,
                    has_heat: true,
                    ..Cell::score(row).detail(detail)
                }
            }
        });
    }
    mark_best(cells[first..].iter_mut(), Best::High);
    cells
}

/// The first subject against each other one, over the same tasks: on the whole, and by category.
pub(super) fn pairs_tables(view: &View<'_>, suite: &str) -> Option<(Table, Table)> {
    let pairs = view.pairs(suite);
    let first = one_line(pairs.first()?.subject.as_str(), SHORT);
    let mut whole = Table::new(&[
        ("Against", ColumnKind::Text),
        ("Category", ColumnKind::Text),
        number("Tasks"),
        number(&first),
        number("The other"),
        number("Difference"),
        number("Better / same / worse"),
        ("", ColumnKind::Text),
    ]);
    let mut by_category = whole.clone();
    for subject in &view.subjects {
        for pair in pairs.iter().filter(|pair| pair.rival == *subject) {
            let table = if pair.category.is_none() {
                &mut whole
            } else {
                &mut by_category
            };
            table.rows.push(pair_cells(view, pair));
        }
    }
    Some((whole, by_category))
}

fn pair_cells(view: &View<'_>, pair: &PairRow) -> Vec<Cell> {
    let paired = &pair.paired;
    let same = paired.n.saturating_sub(paired.wins + paired.losses);
    let written = difference(&paired.difference);
    let (mean, bounds) = written.split_once(' ').unwrap_or((&written, ""));
    let clarity = clarity(
        paired,
        &format!("for {}", pair.subject),
        &format!("for {}", pair.rival),
    );
    vec![
        Cell::subject(view, &pair.rival),
        Cell::text(pair.category.map_or("all", Category::name)),
        Cell::number(f64::from(paired.n), count(f64::from(paired.n))),
        Cell::number(paired.other, score(paired.other)),
        Cell::number(paired.base, score(paired.base)),
        Cell::number(paired.difference.mean, mean.to_owned()).detail(bounds.to_owned()),
        Cell::number(
            f64::from(paired.wins) - f64::from(paired.losses),
            format!("{} / {same} / {}", paired.wins, paired.losses),
        ),
        Cell::text(&clarity),
    ]
}

/// The subjects of a run.
pub(super) fn subjects_table(view: &View<'_>) -> Table {
    let mut table = Table::new(&[
        ("Subject", ColumnKind::Text),
        ("Version", ColumnKind::Text),
        ("What it is", ColumnKind::Text),
    ]);
    for subject in &view.run().subjects {
        table.rows.push(vec![
            Cell::subject(view, &subject.name),
            Cell::text(&subject.version),
            Cell {
                text: one_line(&subject.notes, 600),
                ..Cell::default()
            },
        ]);
    }
    table
}

/// The repositories of a run.
pub(super) fn repositories_table(run: &RunInfo) -> Table {
    let mut table = Table::new(&[
        ("Repository", ColumnKind::Code),
        ("Version", ColumnKind::Code),
        ("Files", ColumnKind::Number),
        ("Index CPU s", ColumnKind::Number),
        ("Manifest", ColumnKind::Code),
        ("Left out because", ColumnKind::Text),
    ]);
    for repository in &run.repositories {
        let files = f64::from(repository.files);
        table.rows.push(vec![
            Cell::code(&repository.name),
            Cell::code(&repository.version),
            if files > 0.0 {
                Cell::number(files, count(files))
            } else {
                Cell::none()
            },
            repository
                .index_cpu_s
                .map_or_else(Cell::none, |s| Cell::number(s, ms(s))),
            Cell::code(&one_line(&repository.manifest, 12)),
            Cell {
                text: one_line(repository.error.as_deref().unwrap_or_default(), 400),
                ..Cell::default()
            },
        ]);
    }
    table.without_empty()
}

/// Known defects as rows: suite, task, text.
pub(super) fn defects_table(view: &View<'_>) -> Option<Table> {
    if view.summary.defects.is_empty() {
        return None;
    }
    let mut table = Table::new(&[
        ("Suite", ColumnKind::Text),
        ("Task", ColumnKind::Code),
        ("Defect", ColumnKind::Text),
    ]);
    for defect in &view.summary.defects {
        table.rows.push(vec![
            Cell::text(&defect.suite),
            match &defect.task {
                Some(task) => Cell::code(task),
                None => Cell::text("the whole suite"),
            },
            Cell {
                text: one_line(&defect.text, 600),
                ..Cell::default()
            },
        ]);
    }
    Some(table)
}
