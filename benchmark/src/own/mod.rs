//! Tasks made from a repository itself: definitions, uses, descriptions and past fixes. Needs no
//! network.
//!
//! The truth is rough and says so: each kind has its defect in the reports.

mod declarations;
mod definitions;
mod descriptions;
mod fixes;
mod uses;

use crate::api::RunRequest;
use crate::choose::wants;
use crate::error::{BenchError, Result};
use std::path::Path;
use whyrank_engine::Engine;
use whyrank_engine::api::RepoSummary;
use whyrank_eval::suites::{Pin, Suite};
use whyrank_eval::{Defect, Question, Random, Relation, Task};

/// Tasks in all when the request sets no limit.
const DEFAULT_TASKS: usize = 50;
const TOP_K: u32 = 10;
/// Shorter names stand in too many places that mean something else.
const MIN_NAME: usize = 4;

/// The suite of a repository: `limit` tasks, shared out among the kinds.
pub(crate) fn suite(
    engine: &Engine,
    repo: &RepoSummary,
    pin: &Pin,
    request: &RunRequest,
) -> Result<Suite> {
    let most = match request.limit {
        0 => DEFAULT_TASKS,
        limit => limit as usize,
    };
    let mut random = Random(u64::from(request.seed));
    let mut declared = declarations::unique(Path::new(&repo.root), MIN_NAME);
    random.shuffle(&mut declared);
    let definitions = declared
        .iter()
        .map(|one| definitions::task(&repo.name, one));
    // From the other end: few names are asked about twice.
    let described = declared.iter().rev();
    let mut kinds: [(&str, Vec<Task>); 4] = [
        ("definition", definitions.take(most).collect()),
        ("use", uses::tasks(engine, repo, most, &mut random)?),
        (
            "description",
            described
                .filter_map(|one| descriptions::task(&repo.name, one))
                .take(most)
                .collect(),
        ),
        ("fix", fixes::tasks(repo, most, &mut random)?),
    ];
    // Before they share the number: who wants one kind gets as many of it.
    for (_, tasks) in &mut kinds {
        tasks.retain(|task| wants(&request.categories, task.category.name()));
    }
    let tasks = shared_out(kinds, most);
    if tasks.is_empty() {
        return Err(BenchError::request(
            format!("no task can be made from {}", repo.name),
            "it needs declarations of functions or types, or commits that describe fixes",
        ));
    }
    let defects = [
        definitions::DEFECT,
        uses::DEFECT,
        descriptions::DEFECT,
        fixes::DEFECT,
    ];
    Ok(Suite {
        defects: defects
            .map(|text| Defect {
                suite: repo.name.clone(),
                task: None,
                text: text.to_owned(),
            })
            .to_vec(),
        description: "Definitions, uses, descriptions from comments, and past fixes, made from the repository itself"
            .to_owned(),
        repositories: vec![pin.clone()],
        tasks,
        name: repo.name.clone(),
    })
}

/// A question about a name alone.
fn about(symbol: &str) -> Question {
    Question::Symbol {
        symbol: symbol.to_owned(),
        file: None,
        line: None,
        max_depth: None,
        elsewhere: Vec::new(),
        relation: Relation::default(),
    }
}

/// The same number of each kind; what one cannot give, the others do.
fn shared_out<const N: usize>(kinds: [(&str, Vec<Task>); N], most: usize) -> Vec<Task> {
    let mut counts = [0; N];
    let mut left = most;
    while left > 0 {
        let before = left;
        for (count, (_, tasks)) in counts.iter_mut().zip(&kinds) {
            if left > 0 && *count < tasks.len() {
                *count += 1;
                left -= 1;
            }
        }
        if left == before {
            break;
        }
    }
    let kinds = kinds.into_iter().zip(counts);
    kinds
        .flat_map(|((kind, tasks), count)| {
            let numbered = tasks.into_iter().take(count).enumerate();
            numbered.map(move |(index, task)| Task {
                id: format!("{kind}-{:03}", index + 1),
                ..task
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own::declarations::Declaration;

    #[test]
    fn kinds_share_the_questions_and_fill_in_for_each_other() {
        let declared = Declaration {
            name: "price".to_owned(),
            path: "a.py".to_owned(),
            line: 1,
            comment: String::new(),
        };
        let tasks = |n| vec![definitions::task("shop", &declared); n];
        let kinds = [("a", tasks(9)), ("b", tasks(1)), ("c", tasks(0))];
        let ids: Vec<String> = shared_out(kinds, 5)
            .into_iter()
            .map(|task| task.id)
            .collect();
        assert_eq!(ids, ["a-001", "a-002", "a-003", "a-004", "b-001"]);
    }
}
