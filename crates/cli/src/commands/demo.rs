//! `whyrank demo`: index, one search, its explanation, for a machine without a display.

use serde_json::json;
use whyrank_engine::Engine;
use whyrank_engine::api::{IndexOptions, OverviewRequest, RepoId, SearchRequest};

use crate::args::DemoArgs;
use crate::commands::{explain, search};
use crate::exit::{Exit, NOTHING_FOUND};
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
    let options = IndexOptions {
        rebuild: false,
        skip_vectors: args.no_vectors,
        impatient: true,
        as_of: None,
    };
    workspace::index(&engine, &repo.id, options, &interrupt)?;
    let query = match &args.query {
        Some(query) => query.clone(),
        None => central_name(&engine, &repo.id)?,
    };
    let response = engine.search(&SearchRequest {
        repo: repo.id.clone(),
        query: query.clone(),
        limit: LIMIT,
        distinct_files: true,
        ..SearchRequest::default()
    })?;
    let trace = engine.explain(&response.query_id)?;
    if json {
        return out::json(&json!({"search": response, "trace": trace}));
    }
    out::line(&paint(
        &format!("$ whyrank search \"{query}\" --limit {LIMIT}"),
        Paint::Bold,
    ))?;
    search::print(&response)?;
    if response.hits.is_empty() {
        return Err(Exit(NOTHING_FOUND).into());
    }
    out::line("")?;
    out::line(&paint("$ whyrank explain --last --hit 1", Paint::Bold))?;
    explain::print(&trace, Some(1))
}

/// The first definition of the file that most of the code leans on.
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
