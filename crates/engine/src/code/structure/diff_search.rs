//! Search in what changed since a revision: the whole pipeline, narrowed to what the diff touches.

use super::changes::{Changes, changes};
use super::tested::changed_definitions;
use crate::Engine;
use crate::api::{
    DiffSearchRequest, DiffSearchResponse, Hit, QueryId, SearchFilters, SearchRequest,
};
use crate::code::graph::GraphSession;
use crate::error::Result;
use std::collections::{BTreeMap, HashSet};

const DEFAULT_LIMIT: u32 = 10;
/// Hits looked at; what lies outside of the diff is dropped from them.
const POOL: u32 = 500;
/// Lines around a change that belong to it.
const MARGIN: u32 = 2;

/// Spans of a file, and whether they changed themselves.
type Spans = Vec<(u32, u32, bool)>;

impl Engine {
    /// Finds hits that a diff touches, and on request those in definitions that use what changed.
    ///
    /// # Errors
    /// As [`Engine::search`] and [`Engine::test_map`].
    pub fn diff_search(&self, request: &DiffSearchRequest) -> Result<DiffSearchResponse> {
        let repo = self.state.registry.get(&request.repo)?;
        let session = self.open_graph_with_facts(&request.repo, None)?;
        let revision = match request.reference.as_str() {
            "" => "HEAD",
            revision => revision,
        };
        let changes = changes(&session, &repo, revision, None)?;
        let spans = touched(&session, &changes, request.include_callers)?;
        let n_files = spans.len() as u32;
        let view = &session.view;
        let paths: Vec<String> = spans
            .keys()
            .map(|file| literal(&view.files[*file as usize].path))
            .collect();
        if paths.is_empty() {
            return Ok(DiffSearchResponse {
                base: changes.base,
                query_id: QueryId::default(),
                hits: Vec::new(),
                n_found: 0,
                n_files,
            });
        }
        let found = self.search(&SearchRequest {
            repos: Vec::new(),
            repo: request.repo.clone(),
            query: request.query.clone(),
            limit: POOL,
            filters: SearchFilters {
                paths,
                ..SearchFilters::default()
            },
            as_of: None,
            weights: None,
            tune: Vec::new(),
            current_file: None,
            distinct_files: false,
            prefix: false,
        })?;
        let touched = found.hits.into_iter().filter_map(|mut hit| {
            let file = view.file(&hit.path)?;
            let is_changed = touching(&hit, spans.get(&file)?)?;
            if !is_changed {
                hit.badges.push("caller".to_owned());
            }
            Some(hit)
        });
        let mut hits: Vec<Hit> = touched.collect();
        let n_found = hits.len() as u32;
        let limit = match request.limit {
            0 => DEFAULT_LIMIT,
            limit => limit,
        };
        hits.truncate(limit as usize);
        for (rank, hit) in (1..).zip(&mut hits) {
            hit.rank = rank;
        }
        Ok(DiffSearchResponse {
            base: changes.base,
            query_id: found.query_id,
            hits,
            n_found,
            n_files,
        })
    }
}

/// What a diff touches, by file: changed lines, and on request the definitions that use what changed.
fn touched(
    session: &GraphSession,
    changes: &Changes,
    with_callers: bool,
) -> Result<BTreeMap<u32, Spans>> {
    let mut spans: BTreeMap<u32, Spans> = BTreeMap::new();
    for (file, lines) in &changes.lines {
        let around = lines.iter().map(|change| {
            let last = change.start + change.n_lines.saturating_sub(1);
            (change.start.saturating_sub(MARGIN), last + MARGIN, true)
        });
        spans.entry(*file).or_default().extend(around);
    }
    if !with_callers {
        return Ok(spans);
    }
    session.with_structure(|structure| {
        let targets = changed_definitions(structure, changes, &|_| true);
        let changed: HashSet<_> = targets.iter().copied().collect();
        let links = targets.iter().flat_map(|id| structure.links.to(*id));
        let believed = links.filter(|link| link.confidence.is_certain());
        for from in believed.filter_map(|link| link.from) {
            let span = &structure.view.symbol(from).span;
            if !changed.contains(&from) {
                let place = (span.start_line, span.end_line, false);
                spans.entry(from.file).or_default().push(place);
            }
        }
        Ok(())
    })?;
    Ok(spans)
}

/// Whether a hit lies on what changed (true), on a user of it (false), or on neither.
fn touching(hit: &Hit, spans: &Spans) -> Option<bool> {
    let overlaps = |span: &&(u32, u32, bool)| span.0 <= hit.end_line && hit.start_line <= span.1;
    let touched: Vec<bool> = spans.iter().filter(overlaps).map(|span| span.2).collect();
    if touched.is_empty() {
        None
    } else {
        Some(touched.contains(&true))
    }
}

/// A glob that means one path.
fn literal(path: &str) -> String {
    let mut glob = String::with_capacity(path.len());
    for character in path.chars() {
        match character {
            '*' | '?' | '[' | ']' | '{' | '}' | '\\' => {
                glob.push('[');
                glob.push(character);
                glob.push(']');
            }
            '!' if glob.is_empty() => glob.push_str("[!]"),
            _ => glob.push(character),
        }
    }
    glob
}
