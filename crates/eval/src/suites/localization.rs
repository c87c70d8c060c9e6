//! Issue localization: an issue as it was filed, and what its fix changed. A JSON object a line, with
//! the commit before the fix; made after SWE-bench Lite (Jimenez et al. 2024) and the function-level
//! truth of LocAgent (Chen et al. 2025).

use super::read::parse;
use super::suite::Suite;
use super::{Pin, Source};
use crate::error::Result;
use crate::task::{Category, Expected, PatchedFile, Question, Task};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Places that a ranking is judged on.
const TOP_K: u32 = 50;

#[derive(Deserialize)]
struct Line {
    id: String,
    /// GitHub's owner and name.
    repo: String,
    commit: String,
    issue: String,
    gold: Vec<PatchedFile>,
}

pub(super) fn load(path: &Path, lines: &[(usize, Value)]) -> Result<Suite> {
    let lines: Vec<Line> = lines
        .iter()
        .map(|(number, value)| parse(path, *number, value))
        .collect::<Result<_>>()?;
    let largest = largest(&lines);
    let mut repositories: BTreeMap<String, Pin> = BTreeMap::new();
    for line in &lines {
        let pin = repositories
            .entry(line.repo.clone())
            .or_insert_with(|| pin(line));
        if pin.language.is_empty() {
            pin.language = language(line);
        }
    }
    let tasks = lines.into_iter().map(|line| task(line, largest.as_deref()));
    Ok(Suite {
        name: "localization".to_owned(),
        description: "Issues as they were filed: the files, functions and lines that their fix \
                      changed, at the commit before it"
            .to_owned(),
        tasks: tasks.collect(),
        repositories: repositories.into_values().collect(),
        defects: Vec::new(),
    })
}

/// The repository of most issues, where it alone would decide a mean.
fn largest(lines: &[Line]) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for line in lines {
        *counts.entry(&line.repo).or_default() += 1;
    }
    let (name, count) = counts.iter().max_by_key(|(_, count)| **count)?;
    (counts.len() > 1 && 2 * count > lines.len()).then(|| (*name).to_owned())
}

fn pin(line: &Line) -> Pin {
    Pin {
        source: Source::Git(format!("https://github.com/{}", line.repo)),
        ..Pin::of_key(&line.repo, "", &language(line))
    }
}

fn language(line: &Line) -> String {
    let paths = line.gold.iter().map(|file| file.path.as_str());
    let mut names = paths.filter_map(language_of);
    names.next().unwrap_or_default().to_owned()
}

/// The language that a path's ending represents, as other suites write it.
fn language_of(path: &str) -> Option<&'static str> {
    let (_, ending) = path.rsplit_once('.')?;
    Some(match ending {
        "py" => "python",
        "js" | "mjs" | "cjs" | "jsx" => "javascript",
        "ts" | "tsx" => "typescript",
        "go" => "go",
        "rs" => "rust",
        "java" => "java",
        "c" | "h" => "c",
        "cc" | "cpp" | "hpp" => "cpp",
        "rb" => "ruby",
        "php" => "php",
        "cs" => "csharp",
        "kt" => "kotlin",
        "dart" => "dart",
        _ => return None,
    })
}

fn task(line: Line, largest: Option<&str>) -> Task {
    let stratum = match largest {
        Some(name) if name == line.repo => name.to_owned(),
        Some(_) => "other repositories".to_owned(),
        None => String::new(),
    };
    Task {
        language: language(&line),
        id: line.id,
        repo: line.repo,
        category: Category::Issue,
        stratum,
        question: Question::Text {
            text: line.issue,
            scope: None,
            kinds: Vec::new(),
            top_k: TOP_K,
            as_of: Some(line.commit),
        },
        expected: Expected::Patch { files: line.gold },
    }
}
