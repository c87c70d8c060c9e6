//! The annotations of the semble benchmark: `repos.json` and `annotations/<repository>.json`.

use super::read::{files_of, name_of, read};
use super::suite::Suite;
use super::{Pin, Source};
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

impl Target {
    fn path(&self) -> &str {
        match self {
            Self::Path(path) | Self::Span { path, .. } => path,
        }
    }
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
    let targets: Vec<Target> = item.relevant.into_iter().chain(item.secondary).collect();
    // Paths that begin at the repository are whole; others are met by their end.
    let is_whole = !root.is_empty()
        && targets
            .iter()
            .all(|target| below(target.path(), root).is_some());
    let relevant = targets
        .into_iter()
        .map(|target| place(target, root))
        .collect();
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
            relevant,
            by_suffix: !is_whole,
            needs_overlap: true,
            refused: None,
        },
    }
}

/// The path below the folder that is searched.
fn below<'a>(path: &'a str, root: &str) -> Option<&'a str> {
    path.strip_prefix(root)?.strip_prefix('/')
}

fn place(target: Target, root: &str) -> Place {
    let short = |path: &str| below(path, root).unwrap_or(path).to_owned();
    match target {
        Target::Path(path) => Place::file(short(&path)),
        Target::Span {
            path,
            start_line,
            end_line,
        } => Place {
            file: short(&path),
            line: start_line,
            end_line,
            ..Place::default()
        },
    }
}
