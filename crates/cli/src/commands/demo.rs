//! `whyrank demo`: index, one search, its explanation, for a machine without a display.
//!
//! Text and static vectors are searched first, so that an answer is there within seconds. Where a model
//! is installed its vectors are made then, and the same is shown with them; else it is offered.

use serde_json::json;
use whyrank_engine::Engine;
use whyrank_engine::api::{
    IndexOptions, OverviewRequest, RepoId, SearchRequest, SearchResponse, Trace,
};

use crate::args::DemoArgs;
use crate::commands::{explain, index, search};
use crate::exit::{self, Exit, NOTHING_FOUND};
use crate::interrupt::Interrupt;
use crate::out::{self, Paint, paint};
use crate::workspace;

/// Hits of the demonstration.
const LIMIT: u32 = 3;

pub(crate) fn run(args: &DemoArgs, json: bool) -> anyhow::Result<()> {
    let interrupt = Interrupt::listen();
    let engine = workspace::open()?;
    let repo = engine.add_repo(&args.path)?;
    out::note(&format!("indexing {}", repo.root));
    workspace::index(&engine, &repo.id, lanes(true), &interrupt)?;
    let query = match &args.query {
        Some(query) => query.clone(),
        None => central_name(&engine, &repo.id)?,
    };
    let first = Demonstration::of(&engine, &repo.id, query.clone())?;
    if !json {
        first.print()?;
    }
    let has_vectors = !args.no_vectors && add_vectors(&engine, &repo.id, &interrupt)?;
    let last = if has_vectors {
        Demonstration::of(&engine, &repo.id, query)?
    } else {
        first
    };
    if json {
        return out::json(&json!({"search": last.response, "trace": last.trace}));
    }
    if has_vectors {
        out::line(&paint(
            "\nThe same with the model's vectors:\n",
            Paint::Bold,
        ))?;
        last.print()?;
    }
    if last.response.hits.is_empty() {
        return Err(Exit(NOTHING_FOUND).into());
    }
    Ok(())
}

fn lanes(skip_vectors: bool) -> IndexOptions {
    IndexOptions {
        rebuild: false,
        skip_vectors,
        impatient: true,
        as_of: None,
    }
}

/// Makes the vectors of a model that is installed, until they are all there or Ctrl-C, which loses none
/// of them. Returns whether another answer is worth showing.
fn add_vectors(engine: &Engine, repo: &RepoId, interrupt: &Interrupt) -> anyhow::Result<bool> {
    if let Some(offer) = index::offer(engine, &engine.repo(repo)?)? {
        out::note(&offer);
        return Ok(false);
    }
    out::note("making vectors, central files first; Ctrl-C stops it, and what is there stays");
    match workspace::index(engine, repo, lanes(false), interrupt) {
        Ok(_) => {}
        Err(error) if exit::as_tool_error(&error).code == "cancelled" => {
            let reached = engine.repo(repo)?.coverage.vector * 100.0;
            out::note(&format!(
                "stopped at {reached:.0}% of the vectors; `whyrank index` goes on from there"
            ));
        }
        Err(error) => return Err(error),
    }
    let coverage = engine.repo(repo)?.coverage;
    if let (true, Some(note)) = (coverage.vector == 0.0, coverage.vector_note) {
        out::note(&format!("no vectors: {note}"));
    }
    Ok(coverage.vector > 0.0)
}

/// A search and how it ranked its hits.
struct Demonstration {
    query: String,
    response: SearchResponse,
    trace: Trace,
}

impl Demonstration {
    fn of(engine: &Engine, repo: &RepoId, query: String) -> anyhow::Result<Self> {
        let response = engine.search(&SearchRequest {
            repo: repo.clone(),
            query: query.clone(),
            limit: LIMIT,
            distinct_files: true,
            ..SearchRequest::default()
        })?;
        let trace = engine.explain(&response.query_id)?;
        Ok(Self {
            query,
            response,
            trace,
        })
    }

    fn print(&self) -> anyhow::Result<()> {
        let command = format!("$ whyrank search \"{}\" --limit {LIMIT}", self.query);
        out::line(&paint(&command, Paint::Bold))?;
        search::print(&self.response)?;
        if self.response.hits.is_empty() {
            return Ok(());
        }
        out::line("")?;
        out::line(&paint("$ whyrank explain --last --hit 1", Paint::Bold))?;
        explain::print(&self.trace, Some(1))
    }
}

/// The first definition of the file that most of the code depends on.
fn central_name(engine: &Engine, repo: &RepoId) -> anyhow::Result<String> {
    let map = engine.overview(&OverviewRequest {
        repo: repo.to_owned(),
        ..OverviewRequest::default()
    })?;
    let files = map.modules.iter().flat_map(|module| &module.files);
    let mut files: Vec<_> = files.filter(|file| !file.symbols.is_empty()).collect();
    files.sort_by(|a, b| b.rank.total_cmp(&a.rank));
    let symbol = files.first().and_then(|file| {
        file.symbols
            .iter()
            .find(|symbol| symbol.exported)
            .or(file.symbols.first())
    });
    Ok(symbol.map_or("main".to_owned(), |symbol| symbol.name.clone()))
}
