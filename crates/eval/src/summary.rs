//! Means over the lines of a run, by suite, subject and group.

use crate::metric::{Metric, Scores};
use crate::results::{RunInfo, TaskResult};
use crate::statistics::{
    Estimate, Paired, estimate, estimate_clustered, mean, paired_difference, percentile,
};
use crate::suites::Defect;
use crate::task::Category;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::{BTreeMap, BTreeSet};

/// F1 from which a task counts as answered for the gated cost.
const GATE: f64 = 0.8;

/// What the tasks of a row have in common.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "kebab-case")]
pub enum GroupBy {
    /// Nothing: the whole suite.
    All,
    /// All but P5, whose truth is the least certain and whose empty answers are cheap.
    WithoutP5,
    /// Kind of task.
    Category,
    /// Language.
    Language,
    /// Repository.
    Repository,
    /// Kind and stratum.
    Stratum,
}

/// A group of tasks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type)]
pub struct Group {
    /// What they have in common.
    pub by: GroupBy,
    /// Its value; empty for the whole suite.
    pub name: String,
}

/// A subject's means over a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SummaryRow {
    /// Suite.
    pub suite: String,
    /// Subject.
    pub subject: String,
    /// Group.
    pub group: Group,
    /// Tasks.
    pub n: u32,
    /// Those that failed with an error; they score 0.
    pub errors: u32,
    /// The metric of `value`; none where the group mixes several.
    pub headline: Option<Metric>,
    /// Mean of each task's headline metric.
    pub value: Estimate,
    /// The same with repositories drawn before their tasks; `None` for one repository.
    #[serde(default)]
    pub value_over_repositories: Option<Estimate>,
    /// Means of all metrics, over the tasks that have them.
    pub scores: Scores,
    /// Tokens a task.
    pub tokens: Estimate,
    /// Calls a task.
    pub calls: f64,
    /// Median of wall milliseconds.
    pub wall_p50_ms: f64,
    /// 95th percentile.
    pub wall_p95_ms: f64,
    /// Mean CPU milliseconds, where they can be told.
    pub cpu_ms: Option<f64>,
    /// Tokens per correct answer, mean over all tasks.
    pub tokens_per_correct: f64,
    /// The same over the tasks with F1 of at least 0.8; none where there is none.
    pub gated_tokens_per_correct: Option<f64>,
    /// How many those are.
    pub n_gated: u32,
}

/// The difference of two subjects over the same tasks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct PairRow {
    /// Suite.
    pub suite: String,
    /// Category; none for the whole suite.
    pub category: Option<Category>,
    /// The subject that others are compared with.
    pub subject: String,
    /// The other.
    pub rival: String,
    /// `subject` is `other`, `rival` is `base`: above zero speaks for `subject`.
    pub paired: Paired,
    /// Tokens a task, over the same tasks.
    pub tokens: Paired,
}

/// All figures of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Summary {
    /// The run.
    pub run: RunInfo,
    /// Means.
    pub rows: Vec<SummaryRow>,
    /// The first subject against each other one.
    pub pairs: Vec<PairRow>,
    /// Known defects of the suites' truth.
    pub defects: Vec<Defect>,
}

/// Sums up a run.
pub fn summarize(run: &RunInfo, results: &[TaskResult], defects: &[Defect]) -> Summary {
    let seed = u64::from(run.seed);
    let mut groups: BTreeMap<(usize, Group, usize), Vec<&TaskResult>> = BTreeMap::new();
    let place = |names: &mut Vec<String>, name: &str| {
        names
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| {
                names.push(name.to_owned());
                names.len() - 1
            })
    };
    let mut suites = run.suites.clone();
    let mut subjects: Vec<String> = run
        .subjects
        .iter()
        .map(|subject| subject.name.clone())
        .collect();
    let with_p5: BTreeSet<&str> = results
        .iter()
        .filter(|result| is_p5(result))
        .map(|result| result.suite.as_str())
        .collect();
    for result in results {
        let suite = place(&mut suites, &result.suite);
        let subject = place(&mut subjects, &result.subject);
        for group in groups_of(result, with_p5.contains(result.suite.as_str())) {
            groups
                .entry((suite, group, subject))
                .or_default()
                .push(result);
        }
    }
    let rows = groups
        .into_iter()
        .filter_map(|((_, group, _), lines)| row(group, &lines, seed));
    Summary {
        run: run.clone(),
        rows: rows.collect(),
        pairs: pair_rows(&suites, &subjects, results, seed),
        defects: defects.to_vec(),
    }
}

fn is_p5(result: &TaskResult) -> bool {
    matches!(result.category, Category::P5 | Category::P5S)
}

/// `has_p5`: whether the suite has tasks to leave out.
fn groups_of(result: &TaskResult, has_p5: bool) -> Vec<Group> {
    let group = |by, name: &str| Group {
        by,
        name: name.to_owned(),
    };
    let category = result.category.name();
    let mut groups = vec![
        group(GroupBy::All, ""),
        group(GroupBy::Category, category),
        group(GroupBy::Language, &result.language),
        group(GroupBy::Repository, &result.repo),
    ];
    if !result.stratum.is_empty() {
        groups.push(group(
            GroupBy::Stratum,
            &format!("{category} {}", result.stratum),
        ));
    }
    if has_p5 && !is_p5(result) {
        groups.push(group(GroupBy::WithoutP5, ""));
    }
    groups
}

/// None where the subject does none of the tasks.
fn row(group: Group, lines: &[&TaskResult], seed: u64) -> Option<SummaryRow> {
    let lines: Vec<&TaskResult> = lines
        .iter()
        .copied()
        .filter(|line| !line.unsupported)
        .collect();
    let first = *lines.first()?;
    let column =
        |of: &dyn Fn(&TaskResult) -> f64| lines.iter().map(|line| of(line)).collect::<Vec<f64>>();
    let is_gated = |line: &&&TaskResult| {
        line.scores
            .get(&Metric::F1)
            .copied()
            .unwrap_or_else(|| line.value())
            >= GATE
    };
    let gated: Vec<f64> = lines
        .iter()
        .filter(is_gated)
        .map(|line| line.tokens_per_correct())
        .collect();
    let mut wall = column(&|line| line.wall_ms);
    wall.sort_by(f64::total_cmp);
    let cpu: Vec<f64> = lines.iter().filter_map(|line| line.cpu_ms).collect();
    let headlines: BTreeSet<Metric> = lines.iter().map(|line| line.headline).collect();
    Some(SummaryRow {
        suite: first.suite.clone(),
        subject: first.subject.clone(),
        group,
        n: lines.len() as u32,
        errors: lines.iter().filter(|line| line.error.is_some()).count() as u32,
        headline: (headlines.len() == 1).then_some(first.headline),
        value: estimate(&column(&TaskResult::value), seed),
        value_over_repositories: estimate_clustered(&by_repository(&lines), seed),
        scores: mean_scores(&lines),
        tokens: estimate(&column(&|line| f64::from(line.tokens)), seed),
        calls: mean(&column(&|line| line.calls.len() as f64)),
        wall_p50_ms: percentile(&wall, 0.5),
        wall_p95_ms: percentile(&wall, 0.95),
        cpu_ms: (!cpu.is_empty()).then(|| mean(&cpu)),
        tokens_per_correct: mean(&column(&TaskResult::tokens_per_correct)),
        gated_tokens_per_correct: (!gated.is_empty()).then(|| mean(&gated)),
        n_gated: gated.len() as u32,
    })
}

/// Values of the tasks, repository by repository.
fn by_repository(lines: &[&TaskResult]) -> Vec<Vec<f64>> {
    let mut columns: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for line in lines {
        columns.entry(&line.repo).or_default().push(line.value());
    }
    columns.into_values().collect()
}

fn mean_scores(lines: &[&TaskResult]) -> Scores {
    let mut columns: BTreeMap<Metric, Vec<f64>> = BTreeMap::new();
    for line in lines {
        for (metric, value) in &line.scores {
            columns.entry(*metric).or_default().push(*value);
        }
    }
    columns
        .into_iter()
        .map(|(metric, values)| (metric, mean(&values)))
        .collect()
}

fn pair_rows(
    suites: &[String],
    subjects: &[String],
    results: &[TaskResult],
    seed: u64,
) -> Vec<PairRow> {
    let Some((subject, rivals)) = subjects.split_first() else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for suite in suites {
        let lines: Vec<&TaskResult> = results
            .iter()
            .filter(|line| &line.suite == suite && !line.unsupported)
            .collect();
        let categories: BTreeSet<Category> = lines.iter().map(|line| line.category).collect();
        for category in std::iter::once(None).chain(categories.into_iter().map(Some)) {
            let values = |name: &str| -> BTreeMap<&str, (f64, f64)> {
                let of_subject = lines.iter().filter(|line| line.subject == name);
                let of_category = of_subject
                    .filter(|line| category.is_none_or(|category| line.category == category));
                of_category
                    .map(|line| (line.task.as_str(), (line.value(), f64::from(line.tokens))))
                    .collect()
            };
            let ours = values(subject);
            for rival in rivals {
                let theirs = values(rival);
                let both = theirs.iter();
                let (pairs, tokens): (Vec<_>, Vec<_>) = both
                    .filter_map(|(task, theirs)| {
                        let ours = ours.get(task)?;
                        Some(((theirs.0, ours.0), (theirs.1, ours.1)))
                    })
                    .unzip();
                if !pairs.is_empty() {
                    rows.push(PairRow {
                        suite: suite.clone(),
                        category,
                        subject: subject.clone(),
                        rival: rival.clone(),
                        paired: paired_difference(&pairs, seed),
                        tokens: paired_difference(&tokens, seed),
                    });
                }
            }
        }
    }
    rows
}
