//! Which suites and tasks a request means, and what they are.

use crate::api::{RunRequest, SuiteChoice};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use whyrank_eval::suites::Suite;

pub(crate) fn describe(name: &str, path: &Path) -> SuiteChoice {
    let loaded = Suite::load(path);
    let choice = |suite: Option<&Suite>, error: Option<String>| SuiteChoice {
        name: name.to_owned(),
        path: path.to_string_lossy().into_owned(),
        n_tasks: suite.map_or(0, |suite| suite.tasks.len() as u32),
        n_repositories: suite.map_or(0, |suite| suite.repositories.len() as u32),
        categories: suite
            .map(|suite| {
                suite
                    .categories()
                    .into_iter()
                    .map(|category| category.name().to_owned())
                    .collect()
            })
            .unwrap_or_default(),
        languages: suite
            .map(|suite| {
                suite
                    .languages()
                    .into_iter()
                    .filter(|name| !name.is_empty())
                    .map(str::to_owned)
                    .collect()
            })
            .unwrap_or_default(),
        description: suite
            .map(|suite| suite.description.clone())
            .unwrap_or_default(),
        error,
    };
    match &loaded {
        Ok(suite) => choice(Some(suite), None),
        Err(error) => choice(None, Some(error.to_string())),
    }
}

/// Returns what a task file holds.
pub fn describe_suite(path: &Path) -> SuiteChoice {
    describe(&path.to_string_lossy(), path)
}

/// Whether a list of what is asked for has a name; an empty one has all.
pub(crate) fn wants(list: &[String], value: &str) -> bool {
    list.is_empty() || list.iter().any(|name| name.eq_ignore_ascii_case(value))
}

/// Keeps the tasks that were asked for; with a limit, a seeded sample of each category.
pub(crate) fn narrow(suite: &mut Suite, request: &RunRequest) {
    suite.tasks.retain(|task| {
        wants(&request.categories, task.category.name())
            && wants(&request.languages, &task.language)
    });
    if request.limit == 0 {
        return;
    }
    let mut order: Vec<usize> = (0..suite.tasks.len()).collect();
    whyrank_eval::Random(u64::from(request.seed)).shuffle(&mut order);
    let mut taken: BTreeMap<_, u32> = BTreeMap::new();
    let mut kept: Vec<usize> = order
        .into_iter()
        .filter(|index| {
            let count = taken.entry(suite.tasks[*index].category).or_default();
            *count += 1;
            *count <= request.limit
        })
        .collect();
    kept.sort_unstable();
    suite.tasks = kept
        .into_iter()
        .map(|index| suite.tasks[index].clone())
        .collect();
}

/// The first name that comes twice.
pub(crate) fn twin<'a>(names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut seen = BTreeSet::new();
    names.into_iter().find(|name| !seen.insert(*name))
}

/// Suites of one name get a number: their answers are told apart by it.
pub(crate) fn tell_apart(suites: &mut [(Suite, PathBuf)]) {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for (suite, _) in suites {
        let count = counts.entry(suite.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            let name = format!("{} ({count})", suite.name);
            for defect in suite
                .defects
                .iter_mut()
                .filter(|defect| defect.suite == suite.name)
            {
                defect.suite.clone_from(&name);
            }
            suite.name = name;
        }
    }
}
