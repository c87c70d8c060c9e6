//! Two runs side by side as Markdown, regressions first.

use super::markdown::{Page, text};
use super::numbers::{clarity, count, counted, difference, score, signed_count, signed_score};
use super::table::{Cell, ColumnKind, Table, number};
use super::text::one_line;
use super::words::{SHORT, group_label};
use crate::compare::{Comparison, GroupDifference, TaskDifference};
use crate::summary::GroupBy;

/// Tasks listed on either side.
const N_TASKS: usize = 100;

/// Writes two runs side by side: groups by their change, then tasks that lost, then tasks that won.
///
/// Groups and tasks keep the order of `comparison`, greatest loss first; of the tasks that won the
/// greatest gain comes first.
pub fn comparison_markdown(comparison: &Comparison) -> String {
    let name = |id: &str| one_line(id, SHORT);
    let (base, other) = (name(&comparison.base), name(&comparison.other));
    let mut page = Page::default();
    page.line(&format!("# {} against {}", text(&other), text(&base)));
    let (losses, gains): (Vec<&TaskDifference>, Vec<&TaskDifference>) = comparison
        .tasks
        .iter()
        .partition(|task| task.other < task.base);
    page.line(&format!(
        "Lost: {}. Won: {}. {} Differences are the second run minus the first, with their 95% intervals.",
        counted(losses.len(), "answer", "answers"),
        counted(gains.len(), "answer", "answers"),
        match comparison.unmatched {
            0 => "Both runs have the same answers.".to_owned(),
            n => format!("Left out: {} that only one of the runs has.", counted(n as usize, "answer", "answers")),
        }
    ));
    page.line("## Groups");
    if comparison.groups.is_empty() {
        page.line("The runs have no answer in common.");
    }
    let (same, changed): (Vec<&GroupDifference>, Vec<&GroupDifference>) =
        comparison.groups.iter().partition(|group| is_same(group));
    page.table(&groups_table(&changed));
    if !same.is_empty() {
        page.line(&format!(
            "Unchanged in score and tokens: {}.",
            counted(same.len(), "group", "groups")
        ));
    }
    tasks_part(&mut page, "Regressions", &losses);
    let gains: Vec<&TaskDifference> = gains.into_iter().rev().collect();
    tasks_part(&mut page, "Improvements", &gains);
    page.text
}

fn groups_table(groups: &[&GroupDifference]) -> Table {
    let mut table = Table::new(&[
        ("Suite", ColumnKind::Text),
        ("Subject", ColumnKind::Text),
        ("Category", ColumnKind::Text),
        number("Tasks"),
        number("First"),
        number("Second"),
        number("Difference"),
        ("", ColumnKind::Text),
        number("Tokens"),
        number("Change of tokens"),
    ]);
    for group in groups {
        let (value, tokens) = (&group.value, &group.tokens);
        let category = group
            .category
            .map(|category| group_label(GroupBy::Category, category.name()));
        table.rows.push(vec![
            Cell::text(&group.suite),
            Cell::text(&group.subject),
            Cell::text(category.as_deref().unwrap_or("all")),
            Cell::number(f64::from(value.n), count(f64::from(value.n))),
            Cell::number(value.base, score(value.base)),
            Cell::number(value.other, score(value.other)),
            Cell::number(value.difference.mean, difference(&value.difference)),
            Cell::text(&clarity(value, "better", "worse")),
            Cell::number(tokens.other, count(tokens.other)),
            Cell::number(tokens.difference.mean, token_change(group)),
        ]);
    }
    table
}

/// Whether no answer of the group changed in score or tokens.
fn is_same(group: &GroupDifference) -> bool {
    let (value, tokens) = (&group.value, &group.tokens);
    value.wins + value.losses + tokens.wins + tokens.losses == 0
}

fn token_change(group: &GroupDifference) -> String {
    let paired = &group.tokens;
    if paired.wins + paired.losses == 0 {
        return "none".to_owned();
    }
    format!(
        "{}, {}",
        signed_count(paired.difference.mean),
        clarity(paired, "more", "fewer")
    )
}

fn tasks_part(page: &mut Page, name: &str, tasks: &[&TaskDifference]) {
    page.line(&format!("## {name}"));
    if tasks.is_empty() {
        page.line("None.");
        return;
    }
    if tasks.len() > N_TASKS {
        page.line(&format!(
            "The first {N_TASKS} of {}.",
            count(tasks.len() as f64)
        ));
    }
    let mut table = Table::new(&[
        number("Change"),
        number("First"),
        number("Second"),
        ("Subject", ColumnKind::Text),
        ("Suite", ColumnKind::Text),
        ("Category", ColumnKind::Text),
        ("Task", ColumnKind::Code),
        ("Question", ColumnKind::Text),
    ]);
    for task in tasks.iter().take(N_TASKS) {
        table.rows.push(vec![
            Cell::number(task.other - task.base, signed_score(task.other - task.base)),
            Cell::number(task.base, score(task.base)),
            Cell::number(task.other, score(task.other)),
            Cell::text(&task.subject),
            Cell::text(&task.suite),
            Cell::text(task.category.name()),
            Cell::code(&task.task),
            Cell::text(&task.question),
        ]);
    }
    page.table(&table);
}
