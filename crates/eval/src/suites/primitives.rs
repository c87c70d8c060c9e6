//! Primitives with checked truth, and doc comment -> function tasks: one JSON object a line.

use super::Pin;
use super::pin::Blank;
use super::read::{name_of, parse};
use super::suite::Suite;
use crate::error::{EvalError, Result};
use crate::task::{Category, Direction, Expected, Matching, Place, Question, Relation, Task};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Lines above a function that count as the function where a doc comment was asked for.
const DOC_MARGIN: u32 = 3;
const NL_TOP_K: u32 = 50;

#[derive(Deserialize)]
struct Line {
    id: String,
    repo: String,
    #[serde(default, alias = "commit")]
    version: String,
    #[serde(default, alias = "language")]
    lang: String,
    category: Category,
    query: PrimitivesQuery,
    expected: Value,
    #[serde(default)]
    optional: Vec<Place>,
    #[serde(default)]
    optional_tests: bool,
    #[serde(default)]
    optional_prefixes: Vec<String>,
    #[serde(default)]
    optional_basenames: Vec<String>,
    #[serde(default)]
    stratum: String,
    tol: Option<u32>,
    #[serde(default)]
    strip: Vec<Blank>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PrimitivesQuery {
    symbol: Option<String>,
    symbols: Vec<Place>,
    file: Option<String>,
    line: Option<u32>,
    direction: Option<Direction>,
    max_depth: Option<u32>,
    elsewhere: Vec<String>,
    relation: Relation,
    text: Option<String>,
    path: String,
}

#[derive(Deserialize)]
struct Target {
    #[serde(flatten)]
    place: Place,
    #[serde(default)]
    hunks: Vec<(u32, u32)>,
}

#[derive(Deserialize)]
struct Liveness {
    dead: bool,
}

pub(super) fn load(path: &Path, lines: &[(usize, Value)]) -> Result<Suite> {
    let mut tasks = Vec::new();
    let mut pins: BTreeMap<String, Pin> = BTreeMap::new();
    for (number, value) in lines {
        let line: Line = parse(path, *number, value)?;
        let pin = pins
            .entry(line.repo.clone())
            .or_insert_with(|| Pin::of_key(&line.repo, &line.version, &line.lang));
        pin.blank.extend(line.strip.iter().cloned());
        tasks.push(task(line).map_err(|message| EvalError::format(path, Some(*number), message))?);
    }
    Ok(Suite {
        name: name_of(path),
        description: "Primitives with truth from compilers and language servers".to_owned(),
        tasks,
        repositories: pins.into_values().collect(),
        defects: Vec::new(),
    })
}

fn task(line: Line) -> std::result::Result<Task, String> {
    Ok(Task {
        question: question(line.category, &line.query)?,
        expected: expected(&line)?,
        id: line.id,
        repo: line.repo,
        language: line.lang,
        category: line.category,
        stratum: line.stratum,
    })
}

fn question(category: Category, query: &PrimitivesQuery) -> std::result::Result<Question, String> {
    let need = |value: &Option<String>, name: &str| {
        value
            .clone()
            .ok_or(format!("{} needs query.{name}", category.name()))
    };
    Ok(match category {
        Category::P4 => Question::File {
            file: need(&query.file, "file")?,
            direction: query.direction.unwrap_or(Direction::Both),
        },
        Category::P5 => Question::Dead {
            symbol: need(&query.symbol, "symbol")?,
            file: need(&query.file, "file")?,
            line: query.line.ok_or("P5 needs query.line")?,
        },
        Category::P5S => Question::DeadAmong {
            symbols: query.symbols.clone(),
        },
        Category::Dead => Question::DeadBelow {
            path: query.path.clone(),
        },
        Category::NlDoc | Category::NlFix | Category::Search => Question::Text {
            text: need(&query.text, "text")?,
            scope: None,
            kinds: Vec::new(),
            top_k: NL_TOP_K,
            as_of: None,
        },
        _ => Question::Symbol {
            symbol: need(&query.symbol, "symbol")?,
            file: query.file.clone(),
            line: query.line,
            max_depth: query.max_depth,
            elsewhere: query.elsewhere.clone(),
            relation: query.relation,
        },
    })
}

fn expected(line: &Line) -> std::result::Result<Expected, String> {
    let read = |error: serde_json::Error| {
        format!("`expected` does not fit {}: {error}", line.category.name())
    };
    Ok(match line.category {
        Category::P5 => Expected::Dead {
            dead: Liveness::deserialize(&line.expected).map_err(read)?.dead,
        },
        Category::P4 => Expected::Files {
            files: Vec::<Place>::deserialize(&line.expected)
                .map_err(read)?
                .into_iter()
                .map(|place| place.file)
                .collect(),
            optional: line
                .optional
                .iter()
                .map(|place| place.file.clone())
                .collect(),
            optional_prefixes: line.optional_prefixes.clone(),
            optional_basenames: line.optional_basenames.clone(),
        },
        Category::NlDoc | Category::NlFix | Category::Search => Expected::Ranked {
            relevant: targets(Vec::<Target>::deserialize(&line.expected).map_err(read)?),
            by_suffix: false,
            needs_overlap: false,
            refused: None,
        },
        category => Expected::Places {
            places: Vec::<Place>::deserialize(&line.expected).map_err(read)?,
            optional: line.optional.clone(),
            tolerance: line
                .tol
                .unwrap_or(if category == Category::P2 { 2 } else { 3 }),
            within_span: matches!(category, Category::Callers | Category::Impact)
                || line.query.relation == Relation::Callers,
            optional_tests: line.optional_tests,
            matching: Matching::OneToOne,
        },
    })
}

/// A function counts from a little above its name; a change counts by its hunks.
fn targets(targets: Vec<Target>) -> Vec<Place> {
    let mut places = Vec::new();
    for Target { place, hunks } in targets {
        if hunks.is_empty() {
            let line = place.line.saturating_sub(DOC_MARGIN);
            places.push(Place { line, ..place });
            continue;
        }
        places.extend(hunks.into_iter().map(|(line, end_line)| Place {
            line,
            end_line,
            ..place.clone()
        }));
    }
    places
}
