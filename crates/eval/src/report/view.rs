//! What the reports ask of a summary, in the order in which they show it.

use crate::metric::Metric;
use crate::results::{RunInfo, TaskResult};
use crate::summary::{GroupBy, PairRow, Summary, SummaryRow};
use crate::task::Category;
use std::collections::BTreeMap;

/// Tasks in the list of weaknesses, for each category.
const N_WEAKEST: usize = 10;

/// A summary, its lines, and the order of suites and subjects.
pub(super) struct View<'a> {
    pub(super) summary: &'a Summary,
    pub(super) results: &'a [TaskResult],
    pub(super) suites: Vec<&'a str>,
    /// The first one is the one that the report is about.
    pub(super) subjects: Vec<&'a str>,
}

impl<'a> View<'a> {
    pub(super) fn new(summary: &'a Summary, results: &'a [TaskResult]) -> Self {
        let run = &summary.run;
        let rows = &summary.rows;
        let suites = run.suites.iter().chain(rows.iter().map(|row| &row.suite));
        let subjects = run.subjects.iter().map(|subject| &subject.name);
        Self {
            summary,
            results,
            suites: distinct(suites.map(String::as_str)),
            subjects: distinct(
                subjects
                    .chain(rows.iter().map(|row| &row.subject))
                    .map(String::as_str),
            ),
        }
    }

    pub(super) fn run(&self) -> &'a RunInfo {
        &self.summary.run
    }

    /// The subject that the report is about.
    pub(super) fn first(&self) -> Option<&'a str> {
        self.subjects.first().copied()
    }

    /// Place of a subject, which decides its marker.
    pub(super) fn series(&self, subject: &str) -> usize {
        self.subjects
            .iter()
            .position(|name| *name == subject)
            .unwrap_or_default()
    }

    pub(super) fn row(
        &self,
        suite: &str,
        subject: &str,
        by: GroupBy,
        name: &str,
    ) -> Option<&'a SummaryRow> {
        self.summary.rows.iter().find(|row| {
            row.suite == suite
                && row.subject == subject
                && row.group.by == by
                && row.group.name == name
        })
    }

    /// The rows of the whole suite, or of the suite without P5, in the order of subjects.
    pub(super) fn whole(&self, suite: &str, by: GroupBy) -> Vec<&'a SummaryRow> {
        let rows = self
            .subjects
            .iter()
            .filter_map(|subject| self.row(suite, subject, by, ""));
        rows.collect()
    }

    /// Names of the groups of a kind; categories in their own order, others by name.
    pub(super) fn groups(&self, suite: &str, by: GroupBy) -> Vec<&'a str> {
        let rows = self.summary.rows.iter();
        let rows = rows.filter(|row| row.suite == suite && row.group.by == by);
        let mut names = distinct(rows.map(|row| row.group.name.as_str()));
        names.sort_by_key(|name| (category_of(name), *name));
        names
    }

    /// Whether the suite asks for dead code.
    pub(super) fn has_p5(&self, suite: &str) -> bool {
        let groups = self.groups(suite, GroupBy::Category);
        groups
            .iter()
            .any(|name| matches!(category_of(name), Some(Category::P5 | Category::P5S)))
    }

    pub(super) fn pairs(&self, suite: &str) -> Vec<&'a PairRow> {
        let pairs = self.summary.pairs.iter();
        pairs.filter(|pair| pair.suite == suite).collect()
    }

    /// Lines of the first subject that fall short of 1, worst first.
    pub(super) fn short_of_one(&self, suite: &str) -> Vec<&'a TaskResult> {
        let first = self.first().unwrap_or_default();
        let lines = self.results.iter().filter(|line| {
            line.suite == suite && line.subject == first && !line.unsupported && line.value() < 1.0
        });
        let mut lines: Vec<&TaskResult> = lines.collect();
        lines.sort_by(|a, b| a.value().total_cmp(&b.value()));
        lines
    }

    /// The first subject's worst tasks by category.
    pub(super) fn weakest(&self, suite: &str) -> BTreeMap<Category, Vec<&'a TaskResult>> {
        let mut weakest: BTreeMap<Category, Vec<&TaskResult>> = BTreeMap::new();
        for line in self.short_of_one(suite) {
            let lines = weakest.entry(line.category).or_default();
            if lines.len() < N_WEAKEST {
                lines.push(line);
            }
        }
        weakest
    }

    /// Metrics that any of the suite's subjects has.
    pub(super) fn metrics(&self, suite: &str) -> Vec<Metric> {
        let rows = self.whole(suite, GroupBy::All);
        let mut metrics: Vec<Metric> = rows
            .iter()
            .flat_map(|row| row.scores.keys().copied())
            .collect();
        metrics.sort_unstable();
        metrics.dedup();
        metrics
    }
}

/// The category of a name as reports write it.
pub(super) fn category_of(name: &str) -> Option<Category> {
    serde_json::from_value(serde_json::Value::String(name.to_owned())).ok()
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct: Vec<&str> = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}
