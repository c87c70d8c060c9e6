//! `workspace/symbol`: definitions as the search ranks them.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::places::{Places, kind_of};
use crate::roots::ServedRepo;
use lsp_types::{
    OneOf, WorkspaceLocation, WorkspaceSymbol, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};
use whyrank_engine::api::{Hit, SearchRequest};

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
    let mut found = Vec::new();
    let mut failures = Vec::new();
    for repo in &repos {
        match of_repo(ask, repo, &params.query) {
            Ok(symbols) => found.extend(symbols),
            Err(failure) => failures.push(failure),
        }
    }
    match failures.into_iter().next() {
        // Of several repositories those that are ready answer.
        Some(failure) if found.is_empty() => Err(failure),
        _ => {
            found.sort_by(|one, other| other.0.total_cmp(&one.0));
            let symbols = found.into_iter().map(|(_, symbol)| symbol).collect();
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
    let mut places = Places::new(ask, repo);
    let mut found = Vec::new();
    for hit in answer.hits {
        if let Some(symbol) = symbol(ask, repo, &mut places, &hit)? {
            found.push((hit.score, symbol));
        }
    }
    Ok(found)
}

/// A hit that is a definition; prose and code outside of any are none.
fn symbol(
    ask: &Ask<'_>,
    repo: &ServedRepo,
    places: &mut Places<'_>,
    hit: &Hit,
) -> Result<Option<WorkspaceSymbol>, Failure> {
    let Some(qualified) = hit.symbol.as_ref().filter(|_| hit.kind != "section") else {
        return Ok(None);
    };
    let file = places.file(&hit.path)?;
    let known = file.outline.symbols.iter().map(|symbol| &symbol.line);
    let mut same = known.filter(|line| line.qualified == *qualified);
    let line = same.find(|line| (hit.start_line..=hit.end_line).contains(&line.name_line));
    let location = match line {
        Some(line) => OneOf::Left(file.location(file.name_range(line))),
        None => OneOf::Right(WorkspaceLocation {
            uri: ask.uri(repo, &hit.path)?,
        }),
    };
    Ok(Some(WorkspaceSymbol {
        name: line.map_or_else(|| qualified.clone(), |line| line.name.clone()),
        kind: kind_of(&hit.kind),
        tags: None,
        container_name: Some(container(qualified, &hit.path)),
        location,
        data: None,
    }))
}

/// What a definition is in, and its file.
fn container(qualified: &str, path: &str) -> String {
    format!("{qualified} · {path}")
}
