//! The sentences that both reports share.

use super::numbers::{NONE, count, counted, duration, score, signed_score};
use super::text::one_line;
use super::view::{View, category_of};
use crate::metric::Metric;
use crate::results::{RunInfo, RunState};
use crate::summary::{GroupBy, PairRow};

/// Length of a question, a name or a reason in a table.
pub(super) const SHORT: usize = 140;

/// What the tables of paired differences show.
pub(super) const READ_PAIRS: &str = "Differences over the tasks that both answered, with their 95% \
                                     intervals; clear where the interval leaves out zero and at \
                                     least six tasks differ.";

/// How the run stands, in a sentence.
pub(super) fn state(run: &RunInfo) -> String {
    let (done, wanted) = (count(f64::from(run.n_done)), count(f64::from(run.n_wanted)));
    let part = format!("{done} of {wanted} answers; figures cover what was answered");
    match run.state {
        RunState::Complete if run.n_done >= run.n_wanted => format!("Complete: {done} answers"),
        RunState::Complete => format!("Complete, with {part}"),
        RunState::Cancelled => format!("Cancelled after {part}"),
        RunState::Running => format!("Under way, or its process was killed, after {part}"),
        RunState::Failed => match &run.error {
            Some(error) => format!("Failed after {part}. Reason: {}", one_line(error, 400)),
            None => format!("Failed after {part}"),
        },
    }
}

/// Whether figures of the run cover less than all its tasks.
pub(super) fn is_partial(run: &RunInfo) -> bool {
    run.state != RunState::Complete || run.n_done < run.n_wanted
}

/// The name of the report.
pub(super) fn title(run: &RunInfo) -> String {
    match one_line(&run.title, SHORT) {
        title if title.is_empty() => format!("Benchmark {}", one_line(&run.id, SHORT)),
        title => title,
    }
}

/// What ran where: label and value.
pub(super) fn facts(run: &RunInfo) -> Vec<(&'static str, String)> {
    let machine = &run.machine;
    let memory = match machine.memory_mib {
        0 => String::new(),
        mib => format!("{} MiB memory", count(f64::from(mib))),
    };
    let cores = match machine.cores {
        0 => String::new(),
        n => counted(n as usize, "core", "cores"),
    };
    let parts = [
        machine.system.clone(),
        machine.processor.clone(),
        cores,
        memory,
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let or_none = |text: &str| match one_line(text, SHORT) {
        text if text.is_empty() => NONE.to_owned(),
        text => text,
    };
    vec![
        ("Run", or_none(&run.id)),
        ("Started", or_none(&run.started)),
        ("Took", duration(run.seconds)),
        ("Whyrank", or_none(&run.version)),
        ("Commit", or_none(run.commit.as_deref().unwrap_or_default())),
        ("Machine", or_none(&parts.join(", "))),
        ("Seed", run.seed.to_string()),
        ("Suites", or_none(&run.suites.join("; "))),
    ]
}

/// What the figures mean.
pub(super) fn method(run: &RunInfo) -> Vec<String> {
    vec![
        format!(
            "Scores run from 0 to 1. Brackets hold the 95 % interval of the mean (bootstrap over \
             tasks, 2,000 resamples, seed {}). Where a group mixes kinds of tasks, its score is the \
             mean of each task's own headline metric.",
            run.seed
        ),
        "Tokens are characters of what an agent reads, divided by 3.5. Tokens per correct answer are \
         tokens / max(recall, .01), over all tasks; gated, over the n tasks with F1 of at least .8."
            .to_owned(),
        "The best of a comparison is bold, whoever it belongs to. A subject that does not do a \
         category has no figure there, and its means over a whole suite are compared with nobody's; a \
         task that failed with an error scores 0."
            .to_owned(),
        "Absolute times depend on the machine: compare them within this run only.".to_owned(),
    ]
}

/// The outcome of a suite in a sentence or two.
pub(super) fn in_short(view: &View<'_>, suite: &str) -> Option<String> {
    let first = view.first()?;
    let row = view.row(suite, first, GroupBy::All, "")?;
    let mut text = format!(
        "{} scores {} at {} tokens a task over {}.",
        one_line(first, SHORT),
        score(row.value.mean),
        count(row.tokens.mean),
        counted(row.n as usize, "task", "tasks")
    );
    let pairs: Vec<&PairRow> = view
        .pairs(suite)
        .into_iter()
        .filter(|pair| pair.category.is_none())
        .collect();
    for (words, keep) in [
        (
            "Clearly ahead of",
            (|pair| clear(pair) == Some(true)) as fn(&PairRow) -> bool,
        ),
        ("Clearly behind", |pair| clear(pair) == Some(false)),
        ("No clear difference from", |pair| clear(pair).is_none()),
    ] {
        let names: Vec<String> = pairs
            .iter()
            .filter(|pair| keep(pair))
            .map(|pair| rival(pair, row.n))
            .collect();
        if !names.is_empty() {
            text.push_str(&format!(" {words} {}.", names.join(", ")));
        }
    }
    Some(text)
}

fn clear(pair: &PairRow) -> Option<bool> {
    pair.paired
        .is_clear()
        .then_some(pair.paired.difference.mean > 0.0)
}

/// The rival and how far off it is; on how many tasks, where those are not all of the first subject's.
fn rival(pair: &PairRow, n_all: u32) -> String {
    let (name, paired) = (one_line(&pair.rival, SHORT), &pair.paired);
    let tasks = match paired.n {
        n if n == n_all => String::new(),
        n => format!(
            " over the {} that both did",
            counted(n as usize, "task", "tasks")
        ),
    };
    format!("{name} ({}{tasks})", signed_score(paired.difference.mean))
}

/// How somebody else gets the same figures.
pub(super) fn reproduce(run: &RunInfo) -> Vec<String> {
    let commit = run.commit.as_deref().map(|commit| one_line(commit, SHORT));
    let mut steps = vec![match commit {
        Some(commit) => format!(
            "Take Whyrank {} and check out commit {commit}{}.",
            one_line(&run.version, SHORT),
            if commit.ends_with('+') {
                " (the + marks uncommitted changes on top)"
            } else {
                ""
            }
        ),
        None => format!("Take Whyrank {}.", one_line(&run.version, SHORT)),
    }];
    if !run.repositories.is_empty() {
        steps.push("Obtain the repositories at the versions listed above.".to_owned());
    }
    steps.push(format!(
        "Run the benchmark with seed {} on these suites: {}. Subjects in this order: {}. Each has its \
         configuration above.",
        run.seed,
        one_line(&list(run.suites.iter().map(String::as_str)), 400),
        one_line(&list(run.subjects.iter().map(|subject| subject.name.as_str())), 400)
    ));
    steps.push(
        "Compare by tasks, not by eye: raw.jsonl holds each answer, scored; summary.json each figure \
         here."
            .to_owned(),
    );
    steps
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        NONE.to_owned()
    } else {
        names.join(", ")
    }
}

/// A configuration for reading: indented where it is JSON.
pub(super) fn configuration(text: &str) -> String {
    let value = serde_json::from_str::<serde_json::Value>(text);
    let indented = value.and_then(|value| serde_json::to_string_pretty(&value));
    indented.unwrap_or_else(|_| text.to_owned())
}

/// A metric as tables head it.
pub(super) fn metric_label(metric: Metric) -> String {
    let name = metric.name();
    for (plain, written) in [("mrr", "MRR"), ("ndcg", "NDCG"), ("f1", "F1")] {
        if name.contains(plain) {
            return capital(&name.replace(plain, written));
        }
    }
    capital(name)
}

/// A group's name as tables show it: categories with what they ask.
pub(super) fn group_label(by: GroupBy, name: &str) -> String {
    if name.is_empty() {
        return NONE.to_owned();
    }
    let asks = match (by, name) {
        (GroupBy::Category, name) if category_of(name).is_some() => asks(name),
        _ => "",
    };
    one_line(&format!("{name} {asks}"), SHORT)
}

fn asks(category: &str) -> &'static str {
    match category {
        "P1" => "definition",
        "P2" => "references",
        "P3" => "across repositories",
        "P4" => "file dependencies",
        "P5" => "dead code",
        "P5S" => "dead code among several",
        "CALLERS" => "who calls it",
        "IMPACT" => "what may break",
        "IMPLEMENTS" => "who implements it",
        "DEAD" => "all that is dead",
        "TESTS" => "tests to run",
        "NLDOC" => "description to function",
        "NLFIX" => "fix message to files",
        "issue" => "from an issue to what its fix changed",
        _ => "",
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}
