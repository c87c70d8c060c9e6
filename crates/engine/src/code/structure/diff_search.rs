//! Search in what changed: the whole pipeline, narrowed to what the diff touches. Where the index does not
//! know the change as it is, the words of the changed places order them.

use super::changes::Changes;
use super::numbering::Numbering;
use super::word_rank::{Spans, by_words, touched, touching};
use crate::Engine;
use crate::api::{
    DiffSearchRequest, DiffSearchResponse, Hit, QueryId, SearchFilters, SearchRequest,
};
use crate::code::graph::GraphSession;
use crate::error::Result;
use std::collections::{BTreeMap, HashSet};
use whyrank_graph::SymbolId;

const DEFAULT_LIMIT: u32 = 10;
/// Hits looked at; what lies outside of the diff is dropped from them.
const POOL: u32 = 500;
impl Engine {
    /// Finds hits that a diff touches, and on request those in definitions that use what changed.
    ///
    /// # Errors
    /// As [`Engine::search`] and [`Engine::test_map`].
    pub fn diff_search(&self, request: &DiffSearchRequest) -> Result<DiffSearchResponse> {
        let repo = self.state.registry.get(&request.repo)?;
        let changes = Changes::of(&repo, &request.reference)?;
        let (session, mut without) = self.graph_beside(&request.repo, None)?;
        let spans = touched(&changes);
        let mut response = DiffSearchResponse {
            base: changes.base.clone(),
            notes: changes.notes.clone(),
            without: String::new(),
            query_id: QueryId::default(),
            hits: Vec::new(),
            n_found: 0,
            n_files: spans.len() as u32,
        };
        if spans.is_empty() {
            return Ok(response);
        }
        let numbers = session.as_ref().map(|session| {
            let known = session.facts.inputs(&session.view);
            Numbering::new(&session.view, &changes, known)
        });
        match (&session, &numbers) {
            (Some(session), Some(numbers)) if is_indexed(&changes, numbers) => {
                let spans = if request.include_callers {
                    with_callers(session, &changes, numbers, spans)?
                } else {
                    spans
                };
                self.add_hits(request, &spans, &mut response)?;
            }
            _ => {
                if without.is_empty() {
                    "the index has other contents than the change".clone_into(&mut without);
                }
                response.without = format!("{without}: ordered by words alone, without users");
                response.hits = by_words(&request.query, &changes, &spans);
            }
        }
        response.n_found = response.hits.len() as u32;
        let limit = match request.limit {
            0 => DEFAULT_LIMIT,
            limit => limit,
        };
        response.hits.truncate(limit as usize);
        for (rank, hit) in (1..).zip(&mut response.hits) {
            hit.rank = rank;
        }
        Ok(response)
    }

    fn add_hits(
        &self,
        request: &DiffSearchRequest,
        spans: &BTreeMap<String, Spans>,
        response: &mut DiffSearchResponse,
    ) -> Result<()> {
        let found = self.search(&SearchRequest {
            repos: Vec::new(),
            repo: request.repo.clone(),
            query: request.query.clone(),
            limit: POOL,
            filters: SearchFilters {
                paths: spans.keys().map(|path| literal(path)).collect(),
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
            let is_changed = touching((hit.start_line, hit.end_line), spans.get(&hit.path)?)?;
            if !is_changed {
                hit.badges.push("caller".to_owned());
            }
            Some(hit)
        });
        response.hits = touched.collect::<Vec<Hit>>();
        response.query_id = found.query_id;
        Ok(())
    }
}

/// Whether the index shows all that changed as it is.
fn is_indexed(changes: &Changes, numbers: &Numbering<'_>) -> bool {
    changes.is_worktree && numbers.behind().is_empty()
}

/// Adds the definitions that use what changed.
fn with_callers(
    session: &GraphSession,
    changes: &Changes,
    numbers: &Numbering<'_>,
    mut spans: BTreeMap<String, Spans>,
) -> Result<BTreeMap<String, Spans>> {
    let files = changes.files.iter().enumerate();
    let changed = files.flat_map(|(place, file)| {
        let definitions = file.definitions().into_iter();
        definitions.filter_map(move |symbol| numbers.of_graph(numbers.id(place, symbol)?))
    });
    let changed: HashSet<SymbolId> = changed.collect();
    session.with_structure(|structure| {
        let links = changed.iter().flat_map(|id| structure.links.to(*id));
        let believed = links.filter(|link| link.confidence.is_certain());
        for from in believed.filter_map(|link| link.from) {
            let span = &structure.view.symbol(from).span;
            if !changed.contains(&from) {
                let place = (span.start_line, span.end_line, false);
                let path = structure.view.path(from.file).to_owned();
                spans.entry(path).or_default().push(place);
            }
        }
        Ok(())
    })?;
    Ok(spans)
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
