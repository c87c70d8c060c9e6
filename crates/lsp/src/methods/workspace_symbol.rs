//! `workspace/symbol`: definitions as the search ranks them.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::places::{Places, is_same, kind_of};
use crate::roots::ServedRepo;
use crate::shown::ShownFile;
use lsp_types::{Location, OneOf, WorkspaceSymbol, WorkspaceSymbolParams, WorkspaceSymbolResponse};
use whyrank_engine::api::{Hit, LookupRequest, SearchRequest, SymbolLine};

/// Hits asked for; editors filter them once more.
const MAX_HITS: u32 = 100;

pub(crate) fn answer(
    ask: &Ask<'_>,
    params: WorkspaceSymbolParams,
) -> Result<Option<WorkspaceSymbolResponse>, Failure> {
    if params.query.trim().is_empty() {
        return Ok(None);
    }
    let repos = ask.shared.roots.served();
    let mut ranked = Vec::new();
    let mut failures = Vec::new();
    for repo in &repos {
        match of_repo(ask, repo, &params.query) {
            Ok(symbols) => ranked.extend(symbols),
            Err(failure) => failures.push(failure),
        }
    }
    match failures.into_iter().next() {
        // Of several repositories those that are ready answer.
        Some(failure) if ranked.is_empty() => Err(failure),
        _ => {
            ranked.sort_by(|first, second| second.0.total_cmp(&first.0));
            let symbols = ranked.into_iter().map(|(_, symbol)| symbol).collect();
            Ok(Some(WorkspaceSymbolResponse::Nested(symbols)))
        }
    }
}

fn of_repo(
    ask: &Ask<'_>,
    repo: &ServedRepo,
    query: &str,
) -> Result<Vec<(f64, WorkspaceSymbol)>, Failure> {
    ask.ready(repo)?;
    let answer = ask.engine().search(&SearchRequest {
        repo: repo.id.clone(),
        query: query.to_owned(),
        limit: MAX_HITS,
        prefix: true,
        ..SearchRequest::default()
    })?;
    let places = Places::new(ask, repo);
    let mut collected = Found::default();
    for hit in answer.hits.iter().filter(|hit| hit.kind != "section") {
        for symbol in meant(&*places.file(&hit.path)?, hit, query) {
            collected.add(&places, (hit.score, symbol))?;
        }
    }
    // What bears the very name, where the search shows another place of its file.
    let by_name = ask.engine().lookup(&LookupRequest {
        repo: repo.id.clone(),
        symbol: query.to_owned(),
        ..LookupRequest::default()
    })?;
    for symbol in by_name.definitions {
        collected.add(&places, (0.0, symbol))?;
    }
    Ok(collected.symbols)
}

/// The definition that a hit is, then those of its part of the file that hold the query in their names: the
/// whole of a small file is one hit.
fn meant(file: &ShownFile, hit: &Hit, query: &str) -> Vec<SymbolLine> {
    let query = query.to_lowercase();
    let lines = hit.start_line..=hit.end_line;
    let own = |line: &SymbolLine| hit.symbol.as_ref() == Some(&line.qualified);
    let definitions = file.outline.symbols.iter().map(|symbol| &symbol.line);
    let here = definitions.filter(|line| lines.contains(&line.name_line));
    let mut meant: Vec<SymbolLine> = here
        .filter(|line| own(line) || line.name.to_lowercase().contains(&query))
        .cloned()
        .collect();
    meant.sort_by_key(|line| !own(line));
    meant
}

/// Definitions of an answer, each once.
#[derive(Default)]
struct Found {
    lines: Vec<SymbolLine>,
    symbols: Vec<(f64, WorkspaceSymbol)>,
}

impl Found {
    fn add(
        &mut self,
        places: &Places<'_>,
        (score, line): (f64, SymbolLine),
    ) -> Result<(), Failure> {
        if self.lines.iter().any(|listed| is_same(listed, &line)) {
            return Ok(());
        }
        let placed = places.symbol(&line)?;
        let symbol = WorkspaceSymbol {
            name: line.name.clone(),
            kind: kind_of(&line.kind),
            tags: None,
            container_name: Some(container(&line.qualified, &line.path)),
            location: OneOf::Left(Location::new(placed.uri, placed.name)),
            data: None,
        };
        self.symbols.push((score, symbol));
        self.lines.push(line);
        Ok(())
    }
}

/// The surroundings of a definition, and its file.
fn container(qualified: &str, path: &str) -> String {
    format!("{qualified} · {path}")
}
