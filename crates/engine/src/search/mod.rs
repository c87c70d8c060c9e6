//! Search: from a request to hits with snippets, and a trace that is kept.

mod blame;
mod compare;
mod fuzzy;
mod gate;
mod grep;
mod line_matcher;
mod narrowed;
pub(crate) mod past;
mod preview;
pub(crate) mod rerank;
mod revisions;
mod suggest;
pub(crate) mod telemetry;
pub(crate) mod traces;
mod unindexed_grep;

use crate::Engine;
use crate::api::{
    Facet, Hit, ReasonCount, SearchFilters, SearchRequest, SearchResponse, SnippetLine,
};
use crate::clock::now_s;
use crate::error::{EngineError, Result};
use crate::evidence::evidence_id;
use crate::registry::Registered;
use crate::settings::channel_weights;
use crate::views::{LiveView, MAX_LINE_CHARS, Texts, cut};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use narrowed::in_own_words;
use whyrank_inference::{BiEncoder, CrossEncoder, SparseEncoder};
use whyrank_retrieval::{
    Coverage, Filters, IndexTokens, ParsedQuery, QueryShape, RankedHit, SearchContext,
    SearchOutcome, SearchQuery, StageTiming, TokenIndex, Trace, Tuning, chunk_kind_name,
};
use whyrank_syntax::Span;
use whyrank_system::mapped;

/// Memos may speak of the files of so many hits.
const N_NEAR_MEMOS: usize = 5;
/// Lines of a snippet.
const SNIPPET_LINES: usize = 3;

impl Engine {
    /// Searches a repository.
    ///
    /// # Errors
    /// `bad-argument` (empty query, broken glob), `unknown-repository`, `index-missing`,
    /// `index-damaged`, `index-incompatible`, `unknown-revision`.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchResponse> {
        let started = Instant::now();
        let (response, mut trace, _) = self.answer(request, 0)?;
        let mode = self.state.settings().rerank.mode;
        trace.timings.push(rerank::not_asked(mode));
        Ok(self.finish(request, response, trace, started))
    }

    /// The answer with the memos that speak of it; keeps what it rests on and what it took.
    pub(crate) fn finish(
        &self,
        request: &SearchRequest,
        mut response: SearchResponse,
        mut trace: Trace,
        started: Instant,
    ) -> SearchResponse {
        let remembering = Instant::now();
        let best = response.hits.iter().take(N_NEAR_MEMOS);
        let paths: Vec<String> = best.map(|hit| hit.path.clone()).collect();
        let as_of = request.as_of.as_deref();
        let beside = self.memos_beside(&request.repo, &request.query, as_of, &paths);
        trace.timings.push(StageTiming {
            n_in: Some(beside.n_read),
            n_out: Some(beside.memos.len() as u32),
            ..StageTiming::since("memory", remembering)
        });
        response.memos = beside.memos;
        response.memory_gap = beside.gap;
        self.state.traces.keep(&mut trace, now_s());
        response.elapsed_ms = started.elapsed().as_secs_f64() * 1e3;
        response
    }

    /// As [`Engine::search`], for a question that is a part of another: its trace is not kept.
    pub(crate) fn find(&self, request: &SearchRequest) -> Result<SearchResponse> {
        self.answer(request, 0).map(|(response, ..)| response)
    }

    /// Searches for the hits that are asked for, and at least `n_at_least`: the answer has the same id.
    pub(crate) fn answer(
        &self,
        request: &SearchRequest,
        n_at_least: usize,
    ) -> Result<(SearchResponse, Trace, Arc<LiveView>)> {
        let started = Instant::now();
        if request.query.trim().is_empty() {
            return Err(EngineError::bad_argument(
                "the query is empty",
                "say what to look for",
            ));
        }
        let repo = self.state.registry.get(&request.repo)?;
        let view = self.state.view_as_of(&repo, request.as_of.as_deref())?;
        let request = &SearchRequest {
            filters: in_own_words(&view, &request.filters)?,
            ..request.clone()
        };
        let coverage = self.state.coverage(&view, 0);
        let encoder = self.state.encoder();
        let mut query = self.search_query(request, &view, &coverage);
        query.limit = query.limit.max(n_at_least);
        let sparse = self.state.sparse();
        let cross = self.state.cross();
        let tokens = self.state.tokens(&view);
        let tokens = tokens.map(|(encoder, reader)| IndexTokens { encoder, reader });
        let is_issue = ParsedQuery::parse(&request.query).shape == QueryShape::Issue;
        let past = is_issue.then(|| self.state.past.of(&view, Path::new(&repo.root)));
        let context = SearchContext {
            past: past.flatten(),
            reader: &view.reader,
            index: &view.index,
            graph: if query.needs_graph() {
                view.symbol_graph()
            } else {
                Err("not asked for".to_owned())
            },
            encoder: match &encoder {
                Ok(encoder) => Ok(encoder.as_ref() as &dyn BiEncoder),
                Err(reason) => Err(reason.clone()),
            },
            tokens: match &tokens {
                Ok(tokens) => Ok(tokens as &dyn TokenIndex),
                Err(reason) => Err(reason.clone()),
            },
            sparse: sparse.as_ref().map(|encoder| match encoder {
                Ok(encoder) => Ok(encoder.as_ref() as &dyn SparseEncoder),
                Err(reason) => Err(reason.clone()),
            }),
            cross: cross.as_ref().map(|model| match model {
                Ok(model) => Ok(model.as_ref() as &dyn CrossEncoder),
                Err(reason) => Err(reason.clone()),
            }),
            expected_refine_ms: self.state.refine_took.expected_ms(),
            coverage: coverage.clone(),
            repo: repo.id.to_string(),
        };
        let opened = StageTiming::since("open", started);
        let n_missed = mapped::n_missed();
        let outcome = whyrank_retrieval::search(&context, &query);
        if mapped::n_missed() != n_missed {
            drop(context);
            drop(tokens);
            return Err(self.cut_short(&repo));
        }
        let outcome = outcome?;
        let presenting = Instant::now();
        let mut trace = outcome.trace.clone();
        self.state.refine_took.learn(&trace);
        let response = respond(&view, outcome, coverage, started)?;
        drop(context);
        drop(tokens);
        trace.timings.insert(0, opened);
        let presented = StageTiming::since("snippets", presenting);
        trace.timings.push(presented);
        Ok((response, trace, view))
    }

    /// Bytes of the index were gone while it was read: no answer, and a look at what is left.
    fn cut_short(&self, repo: &Registered) -> EngineError {
        let error = EngineError::new(
            "index-damaged",
            "a file of the index was cut short while it was read",
            "ask again; if it stays so, run `whyrank index` to repair it",
        );
        drop(self.state.mend(repo, &error));
        error
    }

    fn search_query(
        &self,
        request: &SearchRequest,
        view: &LiveView,
        coverage: &Coverage,
    ) -> SearchQuery {
        let settings = self.state.settings();
        let weights = request.weights.as_ref().unwrap_or(&settings.weights);
        SearchQuery {
            query_id: query_id(
                request,
                view,
                &format!(
                    "{weights:?} {} {} {} {:?} {:?} {:?} {} {} {} {:?} {:?} {:?}",
                    view.symbol_graph().is_ok(),
                    settings.rrf_k,
                    settings.model,
                    settings.token_model,
                    settings.sparse_model,
                    self.state.cross_name(),
                    coverage.vector,
                    coverage.tokens,
                    coverage.sparse,
                    settings.evidence,
                    settings.off,
                    settings.gate
                ),
            ),
            text: request.query.clone(),
            limit: request.n_hits(),
            distinct_files: request.distinct_files,
            filters: filters(&request.filters),
            weights: channel_weights(weights),
            rrf_k: settings.rrf_k,
            // Settings are checked when they are set.
            tuning: Tuning::changed(&settings.evidence).unwrap_or_default(),
            gate: settings.gate,
            off: settings.off.clone(),
        }
    }
}

fn filters(filters: &SearchFilters) -> Filters {
    Filters {
        paths: filters.paths.clone(),
        languages: filters.languages.clone(),
        kinds: filters.kinds.clone(),
        no_tests: filters.no_tests,
    }
}

/// The same question on the same index has the same id, so that an answer is the same to the byte.
fn query_id(request: &SearchRequest, view: &LiveView, setup: &str) -> String {
    let loaded = view.snapshot();
    let json = serde_json::to_string(request).expect("plain data serialises");
    let state = format!(
        "{json} {setup} {} {} {:?} {}",
        view.reader.manifest().hash(),
        view.reader.generation(),
        loaded.key,
        loaded.version,
    );
    format!("q{}", &hex::encode(Sha256::digest(state))[..8])
}

fn respond(
    view: &LiveView,
    outcome: SearchOutcome,
    coverage: Coverage,
    started: Instant,
) -> Result<SearchResponse> {
    let mut texts = Texts::new(view);
    let hits = outcome
        .hits
        .iter()
        .enumerate()
        .map(|(idx, hit)| hit_of(view, &outcome.query, hit, idx as u32 + 1, &mut texts))
        .collect::<Result<Vec<Hit>>>()?;
    let mut notes = outcome.trace.notes.clone();
    if coverage.lexical < 1.0 {
        notes.push(format!(
            "{:.0} % of the files are indexed so far",
            coverage.lexical * 100.0
        ));
    }
    if coverage.vector > 0.0 && coverage.vector < 1.0 {
        notes.push(format!(
            "{:.0} % of the chunks have a vector so far",
            coverage.vector * 100.0
        ));
    }
    Ok(SearchResponse {
        query_id: outcome.trace.query_id.as_str().into(),
        facets: facets(view, &outcome),
        hits,
        n_candidates: outcome.n_candidates as u32,
        elapsed_ms: started.elapsed().as_secs_f64() * 1e3,
        notes,
        poor_fit: outcome.trace.fit.and_then(|fit| fit.poor),
        coverage,
        memory_gap: None,
        memos: Vec::new(),
        rerank: None,
    })
}

fn hit_of(
    view: &LiveView,
    query: &ParsedQuery,
    hit: &RankedHit,
    rank: u32,
    texts: &mut Texts<'_>,
) -> Result<Hit> {
    let (file, chunk, symbol) = view.chunk(hit.place);
    let text = texts.get(hit.place.file)?;
    let found = |span: &Span| {
        let bytes = span.start_byte as usize..span.end_byte as usize;
        text.get(bytes).unwrap_or_default()
    };
    let whole = view.index.definition(hit.place);
    let whole = whole.map(|id| &view.index.symbol(id).span);
    let lines = whole.unwrap_or(&chunk.span);
    // A part that is nothing but the comment before a definition shows the definition.
    let shown = if lines.start_line > chunk.span.end_line {
        lines
    } else {
        &chunk.span
    };
    let body = found(shown);
    let signature = match symbol {
        Some(symbol) => symbol.signature.clone(),
        None => cut(
            body.lines()
                .map(str::trim)
                .find(|line| !line.is_empty())
                .unwrap_or_default(),
            120,
        )
        .to_owned(),
    };
    let kind = chunk_kind_name(chunk.kind, symbol);
    Ok(Hit {
        rank,
        path: file.path.clone(),
        start_line: lines.start_line,
        end_line: lines.end_line,
        symbol: symbol.map(|symbol| symbol.qualified.clone()),
        kind: kind.to_owned(),
        signature,
        language: file.language.name().to_owned(),
        score: hit.score,
        channels: hit.channels.clone(),
        snippet: snippet(
            body,
            shown.start_line,
            chunk.focus_line.max(shown.start_line),
            query,
        ),
        badges: view.index.roles[hit.place.file as usize]
            .badge()
            .into_iter()
            .map(str::to_owned)
            .collect(),
        more_in_file: hit.more_in_file,
        evidence_id: evidence_id(view, hit.place.file, lines.start_line, lines.end_line),
    })
}

/// The definition's head and the lines that hold most of the query's words, in order.
fn snippet(body: &str, first_line: u32, focus_line: u32, query: &ParsedQuery) -> Vec<SnippetLine> {
    let words: HashSet<&str> = query
        .tokens
        .iter()
        .map(|(token, _)| token.as_str())
        .collect();
    let mut scored: Vec<(usize, u32, &str)> = body
        .lines()
        .zip(first_line..)
        .filter(|(text, _)| text.chars().any(char::is_alphanumeric))
        .map(|(text, line)| {
            let found: HashSet<String> = whyrank_index::tokens(text)
                .into_iter()
                .filter(|token| words.contains(token.as_str()))
                .collect();
            let head = usize::from(line == focus_line) * 100;
            (found.len() + head, line, text)
        })
        .collect();
    scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.truncate(SNIPPET_LINES);
    scored.sort_by_key(|(_, line, _)| *line);
    scored
        .into_iter()
        .map(|(_, line, text)| {
            let text = cut(text, MAX_LINE_CHARS).to_owned();
            SnippetLine {
                line,
                matches: matches_in(&text, &words),
                text,
            }
        })
        .collect()
}

/// Ranges of a line, in UTF-16 units, whose words the query holds.
fn matches_in(text: &str, words: &HashSet<&str>) -> Vec<(u32, u32)> {
    let mut matches = Vec::new();
    let mut start = None;
    let mut close = |start: &mut Option<usize>, end: usize| {
        if let Some(from) = start.take() {
            let word = &text[from..end];
            let is_match = whyrank_index::tokens(word)
                .iter()
                .any(|token| words.contains(token.as_str()));
            if is_match {
                let units = |range: &str| range.encode_utf16().count() as u32;
                matches.push((units(&text[..from]), units(&text[..end])));
            }
        }
    };
    for (at, char) in text.char_indices() {
        let is_word = char.is_alphanumeric() || char == '_';
        match (is_word, start) {
            (true, None) => start = Some(at),
            (false, Some(_)) => close(&mut start, at),
            _ => {}
        }
    }
    close(&mut start, text.len());
    matches
}

/// What the candidates can be narrowed by: language, kind, folder.
fn facets(view: &LiveView, outcome: &SearchOutcome) -> Vec<Facet> {
    let mut counts: [BTreeMap<String, u32>; 3] = Default::default();
    for row in &outcome.trace.rows {
        let Some(file) = view.file(&row.path) else {
            continue;
        };
        let folder = row.path.split_once('/').map_or("", |(folder, _)| folder);
        let language = view.files[file as usize].language.name();
        let kind = if row.symbol.is_some() {
            "definition"
        } else {
            "other"
        };
        for (slot, value) in [language, kind, folder].into_iter().enumerate() {
            *counts[slot].entry(value.to_owned()).or_default() += 1;
        }
    }
    let names = ["language", "kind", "folder"];
    names
        .into_iter()
        .zip(counts)
        .map(|(name, counts)| facet(name, counts))
        .collect()
}

fn facet(name: &str, counts: BTreeMap<String, u32>) -> Facet {
    let mut values: Vec<ReasonCount> = counts
        .into_iter()
        .map(|(reason, count)| ReasonCount { reason, count })
        .collect();
    values.sort_by(|a, b| b.count.cmp(&a.count).then(a.reason.cmp(&b.reason)));
    Facet {
        name: name.to_owned(),
        values,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_utf16_ranges_of_whole_words() {
        let words = HashSet::from(["rout"]);
        assert_eq!(matches_in("// é: add_routes(x)", &words), [(6, 16)]);
    }

    #[test]
    fn the_snippet_keeps_the_head_and_the_best_lines_in_order() {
        let query = ParsedQuery::parse("parse the header");
        let lines = snippet(
            "fn a() {\n  one\n  parse\n  parse(header)\n}\n",
            10,
            10,
            &query,
        );
        let numbers: Vec<u32> = lines.iter().map(|line| line.line).collect();
        assert_eq!(numbers, [10, 12, 13]);
    }
}
