//! Task files of several formats, read into one shape.
//!
//! | what is there | format |
//! |---|---|
//! | a folder with `repositories.json` and `*.jsonl`, `symbols.json` | this project's own tasks |
//! | a `.jsonl` file whose tasks have `repo` and `query` objects | primitives |
//! | a `.jsonl` file whose tasks have `dataset` | the original primitives benchmark |
//! | a folder with `repos.json` and `annotations/` | semble |
//! | a `.jsonl` file whose tasks have `issue` and `gold` | issue localization |
//! | a folder with `corpus.jsonl` and `queries.jsonl`, or CoSQA's `code_idx_map.txt` | a corpus |
//! | a `.json` file with a list of `expectedSymbols` | CKB |

mod suite;
pub use suite::{Defect, Suite};

mod read;
use read::{files_of, name_of, parse, read_lines};

mod corpus;
mod localization;
mod original;
mod pin;
mod primitives;
mod semble;
mod symbols;

pub use corpus::{CorpusDocument, documents};
pub use pin::{Blank, Pin, Source};
pub use symbols::parse as parse_symbols;

use crate::error::{EvalError, Result};
use crate::task::{Category, Task};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

impl Suite {
    /// Reads a task file or folder. Several files of one folder can be one suite.
    ///
    /// # Errors
    /// `Io` and `Format`, with the file and, where one is to blame, the line.
    pub fn load(path: &Path) -> Result<Self> {
        let mut suite = if path.is_dir() {
            load_folder(path)?
        } else {
            load_file(path)?
        };
        if suite.tasks.is_empty() {
            return Err(EvalError::format(path, None, "it has no tasks"));
        }
        refuse_twins(path, &suite.tasks)?;
        suite.repositories = complete(suite.repositories, &suite.tasks);
        for task in suite
            .tasks
            .iter_mut()
            .filter(|task| task.language.is_empty())
        {
            let pin = suite.repositories.iter().find(|pin| pin.name == task.repo);
            task.language = pin.map(|pin| pin.language.clone()).unwrap_or_default();
        }
        Ok(suite)
    }

    /// Kinds of its tasks.
    pub fn categories(&self) -> BTreeSet<Category> {
        self.tasks.iter().map(|task| task.category).collect()
    }

    /// Returns languages of its tasks.
    pub fn languages(&self) -> BTreeSet<&str> {
        self.tasks
            .iter()
            .map(|task| task.language.as_str())
            .collect()
    }
}

fn load_folder(path: &Path) -> Result<Suite> {
    if path.join("annotations").is_dir() {
        return semble::load(path);
    }
    if corpus::is_corpus(path) {
        return corpus::load(path);
    }
    let mut suite = Suite {
        name: name_of(path),
        description: "Tasks with truth from compilers and language servers".to_owned(),
        tasks: Vec::new(),
        repositories: pin::read_list(&path.join("repositories.json"))?,
        defects: Vec::new(),
    };
    for file in files_of(path)? {
        let is_list_of_pins = file
            .file_name()
            .is_some_and(|name| name == "repositories.json");
        if !is_list_of_pins && !is_correction(&file) {
            suite.tasks.extend(load_file(&file)?.tasks);
        }
    }
    Ok(suite)
}

fn is_correction(file: &Path) -> bool {
    file.file_name()
        .is_some_and(|name| name == original::CORRECTIONS)
}

fn load_file(path: &Path) -> Result<Suite> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("jsonl") => {
            let lines = read_lines(path)?;
            let has = |key: &str| {
                lines
                    .first()
                    .is_some_and(|(_, value)| value.get(key).is_some())
            };
            match () {
                () if lines.is_empty() => Err(EvalError::format(path, None, "it has no tasks")),
                () if has("issue") && has("gold") => localization::load(path, &lines),
                () if has("dataset") => original::load(path, &lines),
                () if has("repo") && has("query") => primitives::load(path, &lines),
                () => Err(EvalError::format(
                    path,
                    lines.first().map(|(line, _)| *line),
                    "a task has neither `dataset` nor `repo` and `query`, nor `issue` and `gold`: the format is not known",
                )),
            }
        }
        Some("json") => symbols::load(path),
        _ => Err(EvalError::format(
            path,
            None,
            "task files end with .jsonl or .json",
        )),
    }
}

/// Adds corrected truth to an original suite: the same tasks under another suite's name.
///
/// # Errors
/// As [`Suite::load`].
pub fn corrected(original: &Suite, corrections: &Path) -> Result<Suite> {
    original::correct(original, corrections)
}

fn refuse_twins(path: &Path, tasks: &[Task]) -> Result<()> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, task) in tasks.iter().enumerate() {
        if let Some(first) = seen.insert(&task.id, index) {
            let message = format!(
                "two tasks have the id `{}`: the {} and the {} task",
                task.id,
                ordinal(first + 1),
                ordinal(index + 1)
            );
            return Err(EvalError::format(path, None, message));
        }
    }
    Ok(())
}

fn ordinal(n: usize) -> String {
    let ending = match (n % 10, n % 100) {
        (1, rest) if rest != 11 => "st",
        (2, rest) if rest != 12 => "nd",
        (3, rest) if rest != 13 => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

/// One pin for each repository that tasks name, listed ones first; the rest are read off their keys.
fn complete(listed: Vec<Pin>, tasks: &[Task]) -> Vec<Pin> {
    let mut listed: BTreeMap<String, Pin> = listed
        .into_iter()
        .map(|pin| (pin.name.clone(), pin))
        .collect();
    let mut named: BTreeMap<&String, &str> = BTreeMap::new();
    for task in tasks {
        named.entry(&task.repo).or_insert(&task.language);
        for other in task.question.elsewhere() {
            named.entry(other).or_insert(&task.language);
        }
    }
    let pins = named.into_iter().map(|(name, language)| {
        let pin = listed.remove(name);
        pin.unwrap_or_else(|| Pin::of_key(name, "", language))
    });
    pins.collect()
}
