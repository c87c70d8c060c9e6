//! CKB's evaluation format: a JSON list of needle, ranking and expansion tasks.

use super::read::{name_of, read};
use super::suite::Suite;
use crate::error::{EvalError, Result};
use crate::task::{Category, Expected, Question, Task};
use serde::Deserialize;
use std::path::Path;

const DEFAULT_TOP_K: u32 = 10;
/// Share of the names that an expansion needs.
const EXPANSION_SHARE: f64 = 0.8;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    id: String,
    #[serde(rename = "type")]
    category: Category,
    query: String,
    expected_symbols: Vec<String>,
    #[serde(default)]
    scope: Option<String>,
    #[serde(default)]
    kinds: Option<Vec<String>>,
    #[serde(default)]
    top_k: Option<u32>,
    /// Ours: the repository that it is asked of.
    #[serde(default)]
    repo: Option<String>,
    #[serde(default)]
    language: Option<String>,
}

pub(super) fn load(path: &Path) -> Result<Suite> {
    let tasks = parse(&read(path)?, "")
        .map_err(|(line, message)| EvalError::format(path, line, message))?;
    Ok(Suite {
        name: name_of(path),
        description: "Symbols to be found: needles, rankings, expansions".to_owned(),
        tasks,
        repositories: Vec::new(),
        defects: Vec::new(),
    })
}

/// Reads tasks from JSON text; those that name no repository are asked of `repo`.
///
/// # Errors
/// The line where one is known, and what is wrong.
pub fn parse(text: &str, repo: &str) -> std::result::Result<Vec<Task>, (Option<usize>, String)> {
    let items: Vec<Item> = serde_json::from_str(text).map_err(|error| {
        let hint = "a task is {id, type: needle|ranking|expansion, query, expectedSymbols, topK}";
        (Some(error.line()), format!("{error}; {hint}"))
    })?;
    items.into_iter().map(|item| task(item, repo)).collect()
}

fn task(item: Item, repo: &str) -> std::result::Result<Task, (Option<usize>, String)> {
    let refuse = |message: &str| Err((None, format!("task `{}`: {message}", item.id)));
    if !matches!(
        item.category,
        Category::Needle | Category::Ranking | Category::Expansion
    ) {
        return refuse("its type is none of needle, ranking, expansion");
    }
    if item.expected_symbols.is_empty() {
        return refuse("it expects no symbols");
    }
    let top_k = item.top_k.filter(|k| *k > 0).unwrap_or(DEFAULT_TOP_K);
    Ok(Task {
        repo: item.repo.unwrap_or_else(|| repo.to_owned()),
        language: item.language.unwrap_or_default(),
        category: item.category,
        stratum: String::new(),
        question: Question::Text {
            text: item.query,
            scope: item.scope.filter(|scope| !scope.is_empty()),
            kinds: item.kinds.unwrap_or_default(),
            top_k,
            as_of: None,
        },
        expected: Expected::Symbols {
            names: item.expected_symbols,
            share: if item.category == Category::Expansion {
                EXPANSION_SHARE
            } else {
                0.0
            },
            top_k,
        },
        id: item.id,
    })
}
