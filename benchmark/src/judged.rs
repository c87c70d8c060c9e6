//! The suite of the person's own judgements: what was asked, which places were right and which wrong.

use crate::api::SuiteChoice;
use crate::choose::choice_of;
use crate::error::{BenchError, Result};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use whyrank_engine::Engine;
use whyrank_engine::api::{HitVerdict, JudgedHit, JudgedPlace, RepoId, RepoSummary};
use whyrank_eval::suites::{Pin, Source, Suite};
use whyrank_eval::{Category, Defect, Expected, Place, Question, Task};

/// The name of the suite.
pub(crate) const SUITE: &str = "judged";

const DEFECT: &str = "judged hits: what was never shown to you is neither right nor wrong, so a better answer than those judged counts as none";
const TOP_K: u32 = 10;

/// A query as it was asked.
type Asked<'a> = (&'a RepoId, &'a str, Option<&'a str>);

/// All that was judged of registered repositories; `None` where nothing was.
pub(crate) fn suite(engine: &Engine) -> Result<Option<Suite>> {
    let judged = engine.judged_hits()?;
    if judged.is_empty() {
        return Ok(None);
    }
    let mut by_query: BTreeMap<Asked<'_>, Vec<&JudgedHit>> = BTreeMap::new();
    for hit in judged.iter().rev() {
        let asked = (&hit.repo, hit.query.as_str(), hit.as_of.as_deref());
        by_query.entry(asked).or_default().push(hit);
    }
    by_query.retain(|_, hits| hits.iter().any(|hit| hit.verdict == HitVerdict::Right));
    let repos = engine.repos()?;
    let of_task = |repo: &&RepoSummary| by_query.keys().any(|(id, ..)| *id == &repo.id);
    let asked: Vec<&RepoSummary> = repos.iter().filter(of_task).collect();
    let tasks = by_query.iter().filter_map(|(query, hits)| {
        let repo = asked.iter().find(|repo| &repo.id == query.0)?;
        Some(task(engine, &key(repo, &asked), query, hits))
    });
    Ok(Some(Suite {
        name: SUITE.to_owned(),
        description: "Your queries, with hits that you called right or wrong".to_owned(),
        tasks: tasks.collect(),
        repositories: asked.iter().map(|repo| pin(repo, &asked)).collect(),
        defects: vec![Defect {
            suite: SUITE.to_owned(),
            task: None,
            text: DEFECT.to_owned(),
        }],
    }))
}

/// The suite as one to choose. Where nothing is right it says so: there is nothing to find.
pub(crate) fn choice(folder: &Path, suite: &Suite) -> SuiteChoice {
    let error = suite.tasks.is_empty().then(|| nothing_right().to_string());
    SuiteChoice {
        error,
        ..choice_of(SUITE, folder, suite)
    }
}

/// Says what to do for a first task.
pub(crate) fn nothing_right() -> BenchError {
    BenchError::request(
        "no hit was judged right yet",
        "open why a hit ranks where it does in the window, and press Right",
    )
}

/// Names are those of folders, and two may have one.
fn key(repo: &RepoSummary, all: &[&RepoSummary]) -> String {
    let is_alone = all.iter().filter(|other| other.name == repo.name).count() == 1;
    if is_alone {
        repo.name.clone()
    } else {
        format!("{} {}", repo.name, repo.id)
    }
}

fn pin(repo: &RepoSummary, all: &[&RepoSummary]) -> Pin {
    Pin {
        source: Source::Folder(repo.root.clone()),
        ..Pin::of_key(
            &key(repo, all),
            repo.head.as_deref().unwrap_or_default(),
            "",
        )
    }
}

fn task(engine: &Engine, repo: &str, asked: &Asked<'_>, hits: &[&JudgedHit]) -> Task {
    let (_, query, as_of) = asked;
    let places = |verdict: HitVerdict| -> Vec<Place> {
        let said = hits.iter().filter(|hit| hit.verdict == verdict);
        said.map(|hit| place_of(engine, hit)).collect()
    };
    let (relevant, refused) = (places(HitVerdict::Right), places(HitVerdict::Wrong));
    Task {
        id: id(asked),
        repo: repo.to_owned(),
        language: String::new(),
        category: Category::Search,
        stratum: String::new(),
        question: Question::Text {
            text: (*query).to_owned(),
            scope: None,
            kinds: Vec::new(),
            top_k: TOP_K,
            as_of: as_of.map(str::to_owned),
        },
        expected: Expected::Ranked {
            relevant,
            by_suffix: false,
            needs_overlap: false,
            refused: Some(refused),
        },
    }
}

/// Of what is asked alone: a task is compared with itself, whatever was judged since.
fn id((repo, query, as_of): &Asked<'_>) -> String {
    let text = format!("{repo}\n{query}\n{}", as_of.unwrap_or_default());
    format!("judged-{}", &hex::encode(Sha256::digest(text))[..8])
}

/// The place as it is today: lines move under a definition that was judged.
fn place_of(engine: &Engine, hit: &JudgedHit) -> Place {
    let JudgedPlace { path, symbol, .. } = &hit.place;
    let judged = Place {
        line: hit.place.start_line,
        end_line: hit.place.end_line,
        symbol: symbol.clone(),
        ..Place::file(path)
    };
    let Some(symbol) = symbol.as_ref().filter(|_| hit.as_of.is_none()) else {
        return judged;
    };
    // Where the index cannot tell, lines are those that were judged.
    let Ok(Some(outline)) = engine.file_outline(&hit.repo, path) else {
        return judged;
    };
    let mut defined = outline.symbols.iter().map(|symbol| &symbol.line);
    // A definition with another name or file by now leaves its file, which still counts.
    let lines = defined.find(|line| &line.qualified == symbol);
    let (line, end_line) = lines.map_or((0, 0), |line| (line.start_line, line.end_line));
    Place {
        line,
        end_line,
        ..judged
    }
}

#[cfg(test)]
mod tests;
