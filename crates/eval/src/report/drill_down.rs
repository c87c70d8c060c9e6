//! Single tasks of the HTML report: expected against found, the calls, and what the agent read.

use super::numbers::{count, counted, ms, score};
use super::tasks::others;
use super::text::{clean, escape, expected_place, found_place, head, one_line};
use super::view::View;
use super::words::SHORT;
use crate::answer::ReturnedPlace;
use crate::judge::Verdict;
use crate::results::TaskResult;
use std::collections::BTreeMap;

/// Tasks shown in all, so that the file stays small.
const N_TASKS: usize = 400;
/// Places shown on either side of a task.
const N_PLACES: usize = 25;
/// Calls shown of a task.
const N_CALLS: usize = 10;
/// Characters of what the agent read.
const N_CHARS: usize = 2000;

/// The tasks that are shown on their own: the first subject's worst of all suites.
pub(super) struct DrillDowns<'a> {
    /// By suite, worst first.
    chosen: BTreeMap<&'a str, Vec<&'a TaskResult>>,
    ids: BTreeMap<(&'a str, &'a str), usize>,
    n_short: BTreeMap<&'a str, usize>,
}

impl<'a> DrillDowns<'a> {
    /// Of equally bad tasks the categories take turns, so that no large one takes all places.
    pub(super) fn choose(view: &View<'a>) -> Self {
        let mut candidates: Vec<(f64, usize, &TaskResult)> = Vec::new();
        let mut n_short = BTreeMap::new();
        for suite in &view.suites {
            let lines = view.short_of_one(suite);
            n_short.insert(*suite, lines.len());
            let mut turns = BTreeMap::new();
            for line in lines {
                let turn = turns.entry(line.category).or_insert(0_usize);
                candidates.push((line.value(), *turn, line));
                *turn += 1;
            }
        }
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        candidates.truncate(N_TASKS);
        let mut chosen: BTreeMap<&str, Vec<&TaskResult>> = BTreeMap::new();
        let mut ids = BTreeMap::new();
        for (id, (_, _, line)) in candidates.into_iter().enumerate() {
            chosen.entry(&line.suite).or_default().push(line);
            ids.insert((line.suite.as_str(), line.task.as_str()), id);
        }
        Self {
            chosen,
            ids,
            n_short,
        }
    }

    /// The element of a task, where it is shown.
    pub(super) fn id(&self, suite: &str, task: &str) -> Option<String> {
        self.ids.get(&(suite, task)).map(|id| format!("task-{id}"))
    }
}

/// The tasks of a suite that are shown on their own, and how many are not.
pub(super) fn part(view: &View<'_>, suite: &str, drill_downs: &DrillDowns<'_>) -> String {
    let Some(lines) = drill_downs.chosen.get(suite) else {
        return String::new();
    };
    let n_short = drill_downs.n_short.get(suite).copied().unwrap_or_default();
    let left_out = n_short - lines.len();
    let note = format!(
        "{} on which {} scores below 1, worst first.{}",
        capital_counted(lines.len()),
        one_line(view.first().unwrap_or_default(), SHORT),
        match left_out {
            0 => String::new(),
            n => format!(
                " {} more are left out: this page shows {N_TASKS} at most, over all suites; raw.jsonl has all.",
                count(n as f64)
            ),
        }
    );
    let tasks: String = lines
        .iter()
        .map(|line| task(view, line, drill_downs))
        .collect();
    format!(
        "<h3>Expected and found</h3>\n<p class=\"muted\">{}</p>\n{tasks}",
        escape(&note)
    )
}

fn capital_counted(n: usize) -> String {
    if n == 1 {
        "The one task".to_owned()
    } else {
        format!("The {}", counted(n, "task", "tasks"))
    }
}

fn task(view: &View<'_>, line: &TaskResult, drill_downs: &DrillDowns<'_>) -> String {
    let id = drill_downs.id(&line.suite, &line.task).unwrap_or_default();
    let error = line.error.as_deref().map(|error| {
        format!(
            "<p class=\"wrong\"><b>Error.</b> {}</p>\n",
            escape(&one_line(error, 600))
        )
    });
    [
        &format!(
            "<details class=\"task\" id=\"{id}\"><summary><span class=\"score\">{}</span> ",
            score(line.value())
        ),
        &format!("<span class=\"tag\">{}</span> ", line.category.name()),
        &format!("<code>{}</code> ", escape(&one_line(&line.repo, SHORT))),
        &format!(
            "<bdi>{}</bdi></summary>\n",
            escape(&one_line(&line.question, SHORT))
        ),
        &format!("<p class=\"muted\">{}</p>\n", escape(&facts(view, line))),
        &error.unwrap_or_default(),
        "<div class=\"two\">\n",
        &expected(line),
        &found(line),
        "</div>\n",
        &calls(line),
        &read(line),
        "</details>\n",
    ]
    .map(|part| part as &str)
    .concat()
}

fn facts(view: &View<'_>, line: &TaskResult) -> String {
    let mut facts = vec![one_line(&line.task, SHORT), one_line(&line.language, SHORT)];
    facts.push(one_line(&line.stratum, SHORT));
    let scores = line.scores.iter();
    let scores: Vec<String> = scores
        .map(|(metric, value)| format!("{} {}", metric.name(), score(*value)))
        .collect();
    facts.push(scores.join(", "));
    facts.push(counted(line.tokens as usize, "token", "tokens"));
    facts.push(format!("{} ms", ms(line.wall_ms)));
    let others = others(view, line);
    if !others.is_empty() {
        facts.push(format!("others: {others}"));
    }
    facts.retain(|fact| !fact.is_empty());
    facts.join(" · ")
}

fn expected(line: &TaskResult) -> String {
    let is_met = |place: usize| line.met.get(place).copied().unwrap_or(false);
    let places = line
        .expected
        .iter()
        .enumerate()
        .take(N_PLACES)
        .map(|(n, place)| {
            let (class, mark) = if is_met(n) {
                ("right", "✓ found")
            } else {
                ("wrong", "○ missed")
            };
            item(class, mark, &expected_place(place))
        });
    side(
        "Expected",
        places.collect(),
        line.expected.len(),
        &line.expected_note,
    )
}

fn found(line: &TaskResult) -> String {
    let found = line.found.iter().enumerate().take(N_PLACES);
    let found = found.map(|(n, found)| found_item(found, line.verdicts.get(n)));
    side("Found", found.collect(), line.found.len(), &line.found_note)
}

fn found_item(found: &ReturnedPlace, verdict: Option<&Verdict>) -> String {
    let (class, mark) = match verdict {
        Some(Verdict::Right) => ("right", "✓ right"),
        Some(Verdict::Optional) => ("optional", "~ optional"),
        Some(Verdict::Wrong) => ("wrong", "✗ wrong"),
        None => ("optional", "not judged"),
    };
    item(class, mark, &found_place(found))
}

fn item(class: &str, mark: &str, place: &str) -> String {
    format!(
        "<li class=\"{class}\"><span>{mark}</span> <code>{}</code></li>\n",
        escape(place)
    )
}

/// One side of a task: its places, how many more there are, and its words.
fn side(name: &str, items: Vec<String>, n: usize, note: &str) -> String {
    let mut inside = String::new();
    if !note.is_empty() {
        inside.push_str(&format!(
            "<p><bdi>{}</bdi></p>\n",
            escape(&one_line(note, 600))
        ));
    }
    if n == 0 && note.is_empty() {
        inside.push_str("<p>Nothing.</p>\n");
    }
    if n > 0 {
        inside.push_str(&format!("<ol>\n{}</ol>\n", items.concat()));
    }
    if n > items.len() {
        inside.push_str(&format!(
            "<p class=\"muted\">And {} more.</p>\n",
            count((n - items.len()) as f64)
        ));
    }
    format!("<div><h5>{name}</h5>\n{inside}</div>\n")
}

fn calls(line: &TaskResult) -> String {
    if line.calls.is_empty() {
        return String::new();
    }
    let items = line.calls.iter().take(N_CALLS).map(|call| {
        format!(
            "<li><code>{} {}</code></li>\n",
            escape(&one_line(&call.tool, SHORT)),
            escape(&one_line(&call.arguments, 600))
        )
    });
    let more = match line.calls.len().saturating_sub(N_CALLS) {
        0 => String::new(),
        n => format!("<p class=\"muted\">And {} more.</p>\n", count(n as f64)),
    };
    format!(
        "<h5>Calls</h5>\n<ol>\n{}</ol>\n{more}",
        items.collect::<String>()
    )
}

fn read(line: &TaskResult) -> String {
    if line.text.is_empty() {
        return String::new();
    }
    let text = clean(&line.text);
    let (start, of) = head(&text, N_CHARS);
    let note = of.map(|n| {
        format!(
            "<p class=\"muted\">The first {} of {} characters.</p>\n",
            count(N_CHARS as f64),
            count(n as f64)
        )
    });
    format!(
        "<h5>What the agent read</h5>\n<pre>{}</pre>\n{}",
        escape(start),
        note.unwrap_or_default()
    )
}
