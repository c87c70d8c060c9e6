//! Tasks made from a repository itself: uses of its symbols, and past fixes. Needs no network.
//!
//! The truth is rough and says so: a line counts as a use when it holds the whole word, lies in the
//! file of the definition or in one that imports it, and is no comment. A fix's truth is the source
//! files that its commit changed, asked about at the parent commit.

use crate::api::RunRequest;
use crate::error::{BenchError, Result};
use regex::Regex;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use whyrank_engine::Engine;
use whyrank_engine::api::{
    DepsDirection, DepsRequest, LookupRequest, OverviewRequest, RepoSummary,
};
use whyrank_eval::suites::{Pin, Suite};
use whyrank_eval::{Category, Defect, Expected, Matching, Place, Question, Random, Relation, Task};

/// Tasks of each kind when the request sets no limit.
const DEFAULT_TASKS: usize = 40;
/// Commits that are looked at.
const MAX_COMMITS: &str = "3000";
/// A fix that touches more files is no fix of one thing.
const MAX_FILES: usize = 6;
const USES: std::ops::RangeInclusive<usize> = 2..=40;
const TOP_K: u32 = 10;
const MIN_NAME: usize = 4;

/// The suites of a repository; those without a task are left out.
pub(crate) fn suites(
    engine: &Engine,
    repo: &RepoSummary,
    pin: &Pin,
    request: &RunRequest,
) -> Result<Vec<Suite>> {
    let most = if request.limit == 0 {
        DEFAULT_TASKS
    } else {
        request.limit as usize
    };
    let mut random = Random(u64::from(request.seed));
    let suite = |what: &str, description: &str, defect: &str, tasks: Vec<Task>| {
        let name = format!("{}: {what}", repo.name);
        Suite {
            defects: vec![Defect {
                suite: name.clone(),
                task: None,
                text: defect.to_owned(),
            }],
            description: description.to_owned(),
            repositories: vec![pin.clone()],
            tasks,
            name,
        }
    };
    let uses = uses(engine, repo, most, &mut random)?;
    let fixes = fixes(repo, most, &mut random)?;
    let suites = vec![
        suite(
            "uses",
            "Uses of its symbols, by whole words in files that import them",
            "truth is words in importing files: a shadowed name counts, a use through an unresolved import does not",
            uses,
        ),
        suite(
            "fixes",
            "Past fixes: from the commit's subject to the files that it changed, at the parent commit",
            "truth is what one commit changed; other files may answer as well. Baselines search the working tree as it is now",
            fixes,
        ),
    ];
    let suites: Vec<Suite> = suites
        .into_iter()
        .filter(|suite| !suite.tasks.is_empty())
        .collect();
    if suites.is_empty() {
        Err(BenchError::request(
            format!("no task can be made from {}", repo.name),
            "index it first; it needs symbols that other files import, or commits that describe fixes",
        ))
    } else {
        Ok(suites)
    }
}

fn uses(
    engine: &Engine,
    repo: &RepoSummary,
    most: usize,
    random: &mut Random,
) -> Result<Vec<Task>> {
    let map = engine.overview(&OverviewRequest {
        repo: repo.id.clone(),
        depth: 4,
        ..OverviewRequest::default()
    })?;
    let mut symbols: Vec<_> = map
        .modules
        .iter()
        .flat_map(|module| &module.files)
        .flat_map(|file| &file.symbols)
        .collect();
    random.shuffle(&mut symbols);
    let mut tasks = Vec::new();
    let mut seen = BTreeSet::new();
    for symbol in symbols {
        if tasks.len() >= most {
            break;
        }
        if symbol.name.len() < MIN_NAME || !symbol.exported || !seen.insert(&symbol.name) {
            continue;
        }
        let lookup = LookupRequest {
            repo: repo.id.clone(),
            symbol: symbol.name.clone(),
            ..LookupRequest::default()
        };
        // Only names that mean one thing: words cannot tell several apart.
        if engine.lookup(&lookup)?.definitions.len() != 1 {
            continue;
        }
        let deps = DepsRequest {
            repo: repo.id.clone(),
            path: symbol.path.clone(),
            direction: DepsDirection::Importers,
            depth: 0,
            as_of: None,
        };
        let importers: BTreeSet<String> = engine
            .deps(&deps)?
            .importers
            .into_iter()
            .map(|edge| edge.path)
            .collect();
        let (places, optional) = words(
            repo,
            &symbol.name,
            &symbol.path,
            symbol.name_line,
            &importers,
        );
        if USES.contains(&places.len()) {
            tasks.push(use_task(repo, tasks.len(), &symbol.name, places, optional));
        }
    }
    Ok(tasks)
}

fn use_task(
    repo: &RepoSummary,
    index: usize,
    symbol: &str,
    places: Vec<Place>,
    optional: Vec<Place>,
) -> Task {
    Task {
        id: format!("uses-{:03}", index + 1),
        repo: repo.name.clone(),
        language: String::new(),
        category: Category::P2,
        stratum: String::new(),
        question: Question::Symbol {
            symbol: symbol.to_owned(),
            file: None,
            line: None,
            max_depth: None,
            elsewhere: Vec::new(),
            relation: Relation::default(),
        },
        expected: Expected::Places {
            places,
            optional,
            tolerance: 2,
            within_span: false,
            optional_tests: false,
            matching: Matching::OneToOne,
        },
    }
}

/// Lines that hold the word in the definition's file and its importers: uses, and import lines.
fn words(
    repo: &RepoSummary,
    name: &str,
    file: &str,
    line: u32,
    importers: &BTreeSet<String>,
) -> (Vec<Place>, Vec<Place>) {
    let Ok(word) = Regex::new(&format!(r"\b{}\b", regex::escape(name))) else {
        return Default::default();
    };
    let mut uses = Vec::new();
    let mut others = Vec::new();
    for path in importers.iter().map(String::as_str).chain([file]) {
        let text = std::fs::read_to_string(Path::new(&repo.root).join(path)).unwrap_or_default();
        for (index, content) in text
            .lines()
            .enumerate()
            .filter(|(_, content)| word.is_match(content))
        {
            let place = Place {
                file: path.to_owned(),
                line: index as u32 + 1,
                ..Place::default()
            };
            let is_definition = path == file && place.line == line;
            if is_definition || is_non_production(content) {
                others.push(place)
            } else {
                uses.push(place)
            }
        }
    }
    (uses, others)
}

/// Comments, imports and exports: neither asked for nor wrong.
fn is_non_production(line: &str) -> bool {
    let line = line.trim_start();
    let beginnings = [
        "//", "#", "*", "/*", "--", "\"\"\"", "import ", "from ", "use ", "pub use ", "export {",
        "export *", "mod ", "pub mod ",
    ];
    beginnings
        .iter()
        .any(|beginning| line.starts_with(beginning))
        || line.contains("require(")
}

fn fixes(repo: &RepoSummary, most: usize, random: &mut Random) -> Result<Vec<Task>> {
    let output = Command::new("git")
        .args([
            "-C",
            &repo.root,
            "log",
            "--no-merges",
            "--diff-filter=M",
            "--name-only",
            "-n",
            MAX_COMMITS,
            "--format=%x01%H%x02%P%x02%s",
        ])
        .output()
        .map_err(|error| BenchError::request(format!("cannot run git: {error}"), "install git"))?;
    let log = String::from_utf8_lossy(&output.stdout).into_owned();
    let Ok(fix) = Regex::new(r"(?i)\b(fix(e[sd])?|bug|crash|regression|wrong|broken|leak|race)\b")
    else {
        return Ok(Vec::new());
    };
    let mut tasks: Vec<Task> = log
        .split('\u{1}')
        .filter_map(|entry| fix_task(&repo.name, entry, &fix))
        .collect();
    random.shuffle(&mut tasks);
    tasks.truncate(most);
    for (index, task) in tasks.iter_mut().enumerate() {
        task.id = format!("fix-{:03}", index + 1);
    }
    Ok(tasks)
}

fn fix_task(repo: &str, entry: &str, fix: &Regex) -> Option<Task> {
    let (head, files) = entry.split_once('\n')?;
    let [_, parent, subject] = head.split('\u{2}').collect::<Vec<_>>().try_into().ok()?;
    let parent = parent.split_whitespace().next()?;
    let files: Vec<&str> = files.lines().filter(|file| !file.is_empty()).collect();
    let sources: Vec<Place> = files
        .iter()
        .filter(|file| is_source(file))
        .map(|file| Place::file(*file))
        .collect();
    let is_usable = fix.is_match(subject) && !sources.is_empty() && sources.len() <= MAX_FILES;
    is_usable.then(|| Task {
        id: String::new(),
        repo: repo.to_owned(),
        language: String::new(),
        category: Category::NlFix,
        stratum: String::new(),
        question: Question::Text {
            text: subject.to_owned(),
            scope: None,
            kinds: Vec::new(),
            top_k: TOP_K,
            as_of: Some(parent.to_owned()),
        },
        expected: Expected::Ranked {
            relevant: sources,
            by_suffix: false,
            needs_overlap: false,
        },
    })
}

/// Whether a changed file is code and no test.
fn is_source(file: &str) -> bool {
    let endings = [
        "rs", "py", "js", "mjs", "cjs", "jsx", "ts", "tsx", "vue", "go", "java", "kt", "c", "h",
        "cc", "cpp", "hpp", "rb", "php", "cs", "swift", "scala", "ex", "exs", "hs", "lua", "sh",
        "zig",
    ];
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    endings.contains(&ending) && !file.to_lowercase().contains("test") && !file.contains("spec")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fix_asks_for_its_source_files_at_the_parent() {
        let fix = Regex::new(r"(?i)\bfix\b").unwrap();
        let entry =
            "abc\u{2}def\u{2}fix rounding of tax\n\nsrc/tax.py\ntests/test_tax.py\nREADME.md\n";
        let task = fix_task("shop", entry, &fix).unwrap();
        assert_eq!(task.expected.places(), [Place::file("src/tax.py")]);
        assert!(
            matches!(task.question, Question::Text { as_of: Some(commit), .. } if commit == "def")
        );
        assert!(fix_task("shop", "abc\u{2}def\u{2}add tax\n\nsrc/tax.py\n", &fix).is_none());
    }

    #[test]
    fn imports_and_comments_are_no_uses() {
        assert!(is_non_production("  // tax(x)"));
        assert!(is_non_production("import { tax } from './tax';"));
        assert!(!is_non_production("total = tax(x)"));
    }
}
