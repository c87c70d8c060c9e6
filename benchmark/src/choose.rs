//! Which suites and tasks a request means, and what they are.

use crate::api::{RunRequest, SuiteChoice};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use whyrank_eval::suites::Suite;

pub(crate) fn describe(name: &str, path: &Path) -> SuiteChoice {
    match Suite::load(path) {
        Ok(suite) => choice_of(name, path, &suite),
        Err(error) => SuiteChoice {
            name: name.to_owned(),
            path: path.to_string_lossy().into_owned(),
            n_tasks: 0,
            n_repositories: 0,
            categories: Vec::new(),
            languages: Vec::new(),
            description: String::new(),
            error: Some(error.to_string()),
        },
    }
}

/// A suite that was read; one without a task cannot be run.
pub(crate) fn choice_of(name: &str, path: &Path, suite: &Suite) -> SuiteChoice {
    let categories = suite.categories().into_iter();
    let languages = suite.languages().into_iter();
    SuiteChoice {
        name: name.to_owned(),
        path: path.to_string_lossy().into_owned(),
        n_tasks: suite.tasks.len() as u32,
        n_repositories: suite.repositories.len() as u32,
        categories: categories
            .map(|category| category.name().to_owned())
            .collect(),
        languages: languages
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
        description: suite.description.clone(),
        error: None,
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
