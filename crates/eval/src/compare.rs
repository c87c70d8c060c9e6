//! Two runs side by side, over the tasks that both answered. Regressions first.

use crate::results::TaskResult;
use crate::statistics::{Paired, paired_difference};
use crate::task::Category;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// The difference of a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct GroupDifference {
    /// Suite.
    pub suite: String,
    /// Subject.
    pub subject: String,
    /// Category; none for the whole suite.
    pub category: Option<Category>,
    /// Headline metric: base, other, difference with its interval.
    pub value: Paired,
    /// Tokens a task: base, other, difference; fewer is better.
    pub tokens: Paired,
}

/// A task whose score changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct TaskDifference {
    /// Suite.
    pub suite: String,
    /// Subject.
    pub subject: String,
    /// Task.
    pub task: String,
    /// Kind.
    pub category: Category,
    /// The question on a line.
    pub question: String,
    /// Score in the first run.
    pub base: f64,
    /// In the second.
    pub other: f64,
}

/// Two runs side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Comparison {
    /// Id of the first run.
    pub base: String,
    /// Id of the second.
    pub other: String,
    /// Groups, greatest loss first.
    pub groups: Vec<GroupDifference>,
    /// Tasks whose score changed, greatest loss first.
    pub tasks: Vec<TaskDifference>,
    /// Answers that only one of the runs has.
    pub unmatched: u32,
}

/// A run to compare.
#[derive(Clone, Copy, Debug)]
pub struct ComparedRun<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its answers.
    pub results: &'a [TaskResult],
}

/// Compares two runs by the lines of the same suite, subject and task.
pub fn compare(base: ComparedRun<'_>, other: ComparedRun<'_>, seed: u64) -> Comparison {
    let first = by_key(base.results);
    let second = by_key(other.results);
    let both: Vec<(&TaskResult, &TaskResult)> = first
        .iter()
        .filter_map(|(key, line)| Some((*line, *second.get(key)?)))
        .collect();
    let unmatched = first.len() + second.len() - 2 * both.len();
    Comparison {
        base: base.id.to_owned(),
        other: other.id.to_owned(),
        groups: groups(&both, seed),
        tasks: changed(&both),
        unmatched: unmatched as u32,
    }
}

type Key<'a> = (&'a str, &'a str, &'a str);

fn by_key(results: &[TaskResult]) -> BTreeMap<Key<'_>, &TaskResult> {
    let lines = results.iter().filter(|line| !line.unsupported);
    lines
        .map(|line| {
            (
                (
                    line.suite.as_str(),
                    line.subject.as_str(),
                    line.task.as_str(),
                ),
                line,
            )
        })
        .collect()
}

type Pair<'a> = (&'a TaskResult, &'a TaskResult);
type GroupKey<'a> = (&'a str, &'a str, Option<Category>);

fn groups(both: &[Pair<'_>], seed: u64) -> Vec<GroupDifference> {
    let mut members: BTreeMap<GroupKey<'_>, Vec<Pair<'_>>> = BTreeMap::new();
    for pair in both {
        for category in [None, Some(pair.0.category)] {
            let key = (pair.0.suite.as_str(), pair.0.subject.as_str(), category);
            members.entry(key).or_default().push(*pair);
        }
    }
    let mut groups: Vec<GroupDifference> = members
        .into_iter()
        .map(|((suite, subject, category), pairs)| {
            let column = |of: fn(&TaskResult) -> f64| -> Vec<(f64, f64)> {
                pairs
                    .iter()
                    .map(|(base, other)| (of(base), of(other)))
                    .collect()
            };
            GroupDifference {
                suite: suite.to_owned(),
                subject: subject.to_owned(),
                category,
                value: paired_difference(&column(TaskResult::value), seed),
                tokens: paired_difference(&column(|line| f64::from(line.tokens)), seed),
            }
        })
        .collect();
    groups.sort_by(|a, b| a.value.difference.mean.total_cmp(&b.value.difference.mean));
    groups
}

fn changed(both: &[Pair<'_>]) -> Vec<TaskDifference> {
    let mut tasks: Vec<TaskDifference> = both
        .iter()
        .filter(|(base, other)| (base.value() - other.value()).abs() > 1e-9)
        .map(|(base, other)| TaskDifference {
            suite: base.suite.clone(),
            subject: base.subject.clone(),
            task: base.task.clone(),
            category: base.category,
            question: base.question.clone(),
            base: base.value(),
            other: other.value(),
        })
        .collect();
    tasks.sort_by(|a, b| {
        (a.other - a.base)
            .total_cmp(&(b.other - b.base))
            .then(a.task.cmp(&b.task))
    });
    tasks
}
