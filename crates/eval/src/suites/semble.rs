//! The annotations of the semble benchmark: `repos.json` and `annotations/<repository>.json`.

use super::{Pin, Source, Suite, files_of, name_of, read};
use crate::error::{EvalError, Result};
use crate::task::{Category, Expected, Place, Question, Task};
use serde::Deserialize;
use std::path::Path;

const TOP_K: u32 = 10;

#[derive(Deserialize)]
struct Repository {
    name: String,
    language: String,
    url: String,
    revision: String,
    benchmark_root: Option<String>,
}

#[derive(Deserialize)]
struct Item {
    query: String,
    relevant: Vec<Target>,
    #[serde(default)]
    secondary: Vec<Target>,
    #[serde(default)]
    category: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Target {
    Path(String),
    Span {
        path: String,
        start_line: u32,
        end_line: u32,
    },
}

pub(super) fn load(path: &Path) -> Result<Suite> {
    let list = path.join("repos.json");
    let repositories: Vec<Repository> = read_json(&list)?;
    let mut tasks = Vec::new();
    for file in files_of(&path.join("annotations"))? {
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let Some(repository) = repositories
            .iter()
            .find(|repository| repository.name == name)
        else {
            return Err(EvalError::format(
                &list,
                None,
                format!("it does not pin `{name}`, which has annotations"),
            ));
        };
        let items: Vec<Item> = read_json(&file)?;
        tasks.extend(
            items
                .into_iter()
                .enumerate()
                .map(|(index, item)| task(repository, index, item)),
        );
    }
    Ok(Suite {
        name: name_of(path),
        description:
            "Questions and names, each with the files that answer it; labelled by a language model"
                .to_owned(),
        tasks,
        repositories: repositories.iter().map(pin).collect(),
        defects: Vec::new(),
    })
}

fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    serde_json::from_str(&read(path)?)
        .map_err(|error| EvalError::format(path, Some(error.line()), error))
}

fn pin(repository: &Repository) -> Pin {
    Pin {
        source: Source::Git(repository.url.clone()),
        root: repository.benchmark_root.clone(),
        ..Pin::of_key(&repository.name, &repository.revision, &repository.language)
    }
}

fn task(repository: &Repository, index: usize, item: Item) -> Task {
    let root = repository.benchmark_root.as_deref().unwrap_or_default();
    let relevant = item
        .relevant
        .into_iter()
        .chain(item.secondary)
        .map(|target| place(target, root));
    Task {
        id: format!("{}-{:02}", repository.name, index + 1),
        repo: repository.name.clone(),
        language: repository.language.clone(),
        category: Category::Search,
        stratum: item.category,
        question: Question::Text {
            text: item.query,
            scope: None,
            kinds: Vec::new(),
            top_k: TOP_K,
            as_of: None,
        },
        expected: Expected::Ranked {
            relevant: relevant.collect(),
            by_suffix: true,
            needs_overlap: true,
        },
    }
}

/// Some paths begin at the repository and some at the folder that is searched; both are met by suffix
/// once the folder is taken away.
fn place(target: Target, root: &str) -> Place {
    let below = |path: String| match path.strip_prefix(&format!("{root}/")) {
        Some(rest) if !root.is_empty() => rest.to_owned(),
        _ => path,
    };
    match target {
        Target::Path(path) => Place::file(below(path)),
        Target::Span {
            path,
            start_line,
            end_line,
        } => Place {
            file: below(path),
            line: start_line,
            end_line,
            ..Place::default()
        },
    }
}
