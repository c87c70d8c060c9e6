//! The original primitives benchmark (Sverklo's): its task lines as its generators print them, and a
//! corrected truth beside it.

use super::read::{name_of, parse, read_lines};
use super::suite::{Defect, Suite};
use super::{Pin, Source};
use crate::error::{EvalError, Result};
use crate::task::{Category, Direction, Expected, Matching, Place, Question, Relation, Task};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Name of the file with corrected truth.
pub(super) const CORRECTIONS: &str = "original-corrected.jsonl";

#[derive(Deserialize)]
struct Line {
    id: String,
    category: Category,
    dataset: String,
    #[serde(default)]
    query: String,
    expected: Truth,
}

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Truth {
    Locations {
        locations: Vec<Place>,
    },
    Deps {
        imports: Vec<String>,
        importers: Vec<String>,
    },
    Names {
        names: Vec<String>,
    },
}

#[derive(Deserialize)]
struct Correction {
    id: String,
    expected: Truth,
    changed: Option<String>,
    /// Other definitions of the name that are as right.
    #[serde(default)]
    alternatives: Vec<Place>,
}

pub(super) fn load(path: &Path, lines: &[(usize, Value)]) -> Result<Suite> {
    let mut tasks = Vec::new();
    let mut pins = BTreeMap::new();
    for (number, value) in lines {
        let line: Line = parse(path, *number, value)?;
        pins.insert(line.dataset.clone(), pin(&line.dataset));
        tasks.push(task(line).map_err(|message| EvalError::format(path, Some(*number), message))?);
    }
    let name = name_of(path).replace("primitives_", "original ");
    Ok(Suite {
        description: "The original primitives with their own truth, which is a word search"
            .to_owned(),
        defects: defects(&name, &tasks),
        name,
        tasks,
        repositories: pins.into_values().collect(),
    })
}

/// Pins of the original's datasets.
fn pin(dataset: &str) -> Pin {
    let (url, version, language) = match dataset {
        "express" => (
            "https://github.com/expressjs/express.git",
            "4.21.1",
            "javascript",
        ),
        "requests" => ("https://github.com/psf/requests.git", "v2.32.3", "python"),
        "flask" => ("https://github.com/pallets/flask.git", "3.0.3", "python"),
        "lodash" => (
            "https://github.com/lodash/lodash.git",
            "4.17.21",
            "javascript",
        ),
        "fastapi" => (
            "https://github.com/tiangolo/fastapi.git",
            "0.115.0",
            "python",
        ),
        "sverklo" => ("https://github.com/sverklo/sverklo.git", "", "typescript"),
        _ => return Pin::of_key(dataset, "", ""),
    };
    Pin {
        source: Source::Git(url.to_owned()),
        ..Pin::of_key(dataset, version, language)
    }
}

fn task(line: Line) -> std::result::Result<Task, String> {
    let question = match line.category {
        Category::P1 | Category::P2 => Question::Symbol {
            symbol: line.query,
            file: None,
            line: None,
            max_depth: None,
            elsewhere: Vec::new(),
            relation: Relation::default(),
        },
        Category::P4 => Question::File {
            file: line.query,
            direction: Direction::Both,
        },
        Category::P5 => Question::DeadNames,
        other => return Err(format!("the original has no {}", other.name())),
    };
    Ok(Task {
        language: pin(&line.dataset).language,
        expected: expected(line.category, line.expected)?,
        id: line.id,
        repo: line.dataset,
        category: line.category,
        stratum: String::new(),
        question,
    })
}

fn expected(category: Category, truth: Truth) -> std::result::Result<Expected, String> {
    Ok(match (category, truth) {
        (Category::P1, Truth::Locations { locations }) => {
            places(locations, 3, Matching::LenientAny)
        }
        (Category::P2, Truth::Locations { locations }) => places(locations, 2, Matching::Lenient),
        (Category::P4, Truth::Deps { imports, importers }) => Expected::Deps { imports, importers },
        (Category::P5, Truth::Names { names }) => Expected::Names { names },
        _ => return Err(format!("`expected` does not fit {}", category.name())),
    })
}

fn places(places: Vec<Place>, tolerance: u32, matching: Matching) -> Expected {
    Expected::Places {
        places,
        optional: Vec::new(),
        tolerance,
        within_span: false,
        optional_tests: false,
        matching,
    }
}

/// What is wrong with the truth and can be told from the task file alone.
fn defects(suite: &str, tasks: &[Task]) -> Vec<Defect> {
    let defect = |task: Option<&Task>, text: &str| Defect {
        suite: suite.to_owned(),
        task: task.map(|task| task.id.clone()),
        text: text.to_owned(),
    };
    let mut defects = vec![defect(
        None,
        "truth of P2 is a word search: comments, docstrings and strings count as references",
    )];
    for task in tasks {
        match (&task.expected, task.category) {
            (Expected::Places { places, .. }, Category::P1) if places.is_empty() => {
                defects.push(defect(
                    Some(task),
                    "no answer is right: the expected set is empty",
                ));
            }
            (Expected::Names { names }, _) if names.is_empty() => {
                defects.push(defect(
                    Some(task),
                    "an empty answer scores 1: the expected set is empty",
                ));
            }
            _ => {}
        }
    }
    defects
}

/// The tasks of `original` that the corrections name, with the corrected truth.
pub(super) fn correct(original: &Suite, corrections: &Path) -> Result<Suite> {
    let name = format!("{}, corrected", original.name);
    let mut truths = BTreeMap::new();
    for (number, value) in read_lines(corrections)? {
        let correction: Correction = parse(corrections, number, &value)?;
        truths.insert(correction.id.clone(), (number, correction));
    }
    let mut suite = Suite {
        description: "The original primitives with truth from compilers and language servers"
            .to_owned(),
        tasks: Vec::new(),
        defects: Vec::new(),
        repositories: original.repositories.clone(),
        name,
    };
    for task in &original.tasks {
        let Some((number, correction)) = truths.remove(&task.id) else {
            continue;
        };
        let truth = match correction.expected {
            Truth::Locations { mut locations } => {
                locations.extend(correction.alternatives);
                Truth::Locations { locations }
            }
            other => other,
        };
        let expected = expected(task.category, truth)
            .map_err(|message| EvalError::format(corrections, Some(number), message))?;
        if let Some(text) = correction.changed {
            // The defect is the original's, so it stands under the original's name.
            suite.defects.push(Defect {
                suite: original.name.clone(),
                task: Some(task.id.clone()),
                text,
            });
        }
        suite.tasks.push(Task {
            expected,
            ..task.clone()
        });
    }
    Ok(suite)
}
