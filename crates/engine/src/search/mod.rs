//! Search: from a request to hits with snippets, and a trace that is kept.

mod blame;
mod compare;
mod examples;
mod fuzzy;
mod gate;
mod grep;
mod hits;
mod line_matcher;
mod narrowed;
mod open_file;
pub(crate) mod past;
mod pooled;
mod preview;
mod query_prefix;
pub(crate) mod rerank;
mod revisions;
mod rg_index;
mod suggest;
pub(crate) mod telemetry;
pub(crate) mod traces;
mod tune;
mod unindexed_grep;

pub use rg_index::RgIndex;

use crate::Engine;
use crate::api::{RepoId, SearchFilters, SearchRequest, SearchResponse};
use crate::clock::now_s;
use crate::code::graph_damaged;
use crate::error::{EngineError, Result};
use crate::settings::channel_weights;
use crate::views::LivePool;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Instant;

use narrowed::in_own_words;
use query_prefix::without_prefix;
use whyrank_inference::{BiEncoder, CrossEncoder};
use whyrank_retrieval::{
    Coverage, Filters, SearchContext, SearchQuery, StageTiming, TokenIndex, Trace, Tuning,
};
use whyrank_system::{heap, mapped};

/// Memos about the files of this many hits are shown.
const N_NEAR_MEMOS: usize = 5;

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

    /// The answer with the memos about it; keeps what it rests on and what it took.
    pub(crate) fn finish(
        &self,
        request: &SearchRequest,
        mut response: SearchResponse,
        mut trace: Trace,
        started: Instant,
    ) -> SearchResponse {
        let remembering = Instant::now();
        let asking = self.asking_name(request);
        let best = response.hits.iter().take(N_NEAR_MEMOS);
        // Memos are those of the repository that asks: paths of others are none of its own.
        let best = best.filter(|hit| hit.repo.is_none() || hit.repo == asking);
        let paths: Vec<String> = best.map(|hit| hit.path.clone()).collect();
        let as_of = request.as_of.as_deref();
        let beside = self.memos_beside(&request.repo, &request.query, as_of, &paths);
        trace.timings.push(StageTiming {
            n_in: Some(beside.n_read),
            n_out: Some(beside.memos.len() as u32),
            ..StageTiming::since("memory", remembering)
        });
        trace.as_of.clone_from(&request.as_of);
        response.memos = beside.memos;
        response.memory_gap = beside.gap;
        self.state.traces.keep(&mut trace, now_s());
        response.elapsed_ms = started.elapsed().as_secs_f64() * 1e3;
        response
    }

    /// Opens what a search of a repository reads and loads the models that it asks, so that the first
    /// answer takes no longer than the next.
    ///
    /// # Errors
    /// `unknown-repository`, `index-missing` and those of opening the view.
    pub fn prepare_search(&self, repo: &RepoId) -> Result<()> {
        let view = self.view_of(repo, None)?;
        let coverage = self.state.coverage(&view, 0);
        // Why a model cannot be loaded is told by the search that would have asked it.
        if coverage.vector > 0.0 {
            drop(self.state.encoder());
        }
        if coverage.tokens > 0.0 {
            drop(self.state.tokens(&view));
        }
        // Opening takes more than what is open.
        heap::give_back();
        Ok(())
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
    ) -> Result<(SearchResponse, Trace, Arc<LivePool>)> {
        let started = Instant::now();
        refuse_empty(&request.query)?;
        let (pool, missing) = self.open_pool(request)?;
        let request = &SearchRequest {
            repos: Vec::new(),
            filters: in_own_words(&pool.index.view, &request.filters)?,
            ..request.clone()
        };
        let coverage = self.pooled_coverage(&pool);
        let (open_file, unknown_file) = match open_file::open_file(request, &pool) {
            Ok(open_file) => (open_file, None),
            Err(why) => (None, Some(why)),
        };
        let encoder = self.encoder_for(&coverage);
        let mut query = self.search_query(request, &pool, &coverage)?;
        if let Ok(encoder) = &encoder {
            query.text = without_prefix(&query.text, &encoder.spec().query_prefix).to_owned();
        }
        query.limit = query.limit.max(n_at_least);
        let cross = self.state.cross();
        let static_encoder = self.state.static_encoder();
        let tokens = self.pooled_tokens(&pool);
        let context = SearchContext {
            past: self.past_of(&request.query, &pool),
            stores: pool.stores(),
            index: &pool.index,
            graph: if query.needs_graph() {
                pool.symbol_graphs()
            } else {
                Err("not asked for".to_owned())
            },
            encoder: match &encoder {
                Ok(encoder) => Ok(encoder.as_ref() as &dyn BiEncoder),
                Err(reason) => Err(reason.clone()),
            },
            static_encoder: static_encoder.as_deref().map_err(Clone::clone),
            tokens: match &tokens {
                Ok(tokens) => Ok(tokens as &dyn TokenIndex),
                Err(reason) => Err(reason.clone()),
            },
            cross: cross.as_ref().map(|model| match model {
                Ok(model) => Ok(model.as_ref() as &dyn CrossEncoder),
                Err(reason) => Err(reason.clone()),
            }),
            expected_refine_ms: self.state.refine_took.expected_ms(),
            coverage: coverage.clone(),
            imported: self.imported_by(&request.repo, &pool),
            open_file,
            repo: request.repo.to_string(),
        };
        let opened = StageTiming::since("open", started);
        let n_missed = mapped::n_missed();
        let outcome = whyrank_retrieval::search(&context, &query);
        drop(context);
        drop(tokens);
        if mapped::n_missed() != n_missed {
            return Err(self.cut_short(&pool));
        }
        if pool.met_damage() {
            return Err(graph_damaged());
        }
        let outcome = outcome?;
        let presenting = Instant::now();
        let mut trace = outcome.trace.clone();
        self.state.refine_took.learn(&trace);
        let mut response = hits::respond(&pool, outcome, coverage, started)?;
        response.missing = missing;
        response.unknown_current_file = unknown_file;
        if request.repo.several().is_some() {
            hits::lay_below_names(&mut response.hits);
        }
        trace.timings.insert(0, opened);
        let presented = StageTiming::since("snippets", presenting);
        trace.timings.push(presented);
        Ok((response, trace, pool))
    }

    /// The encoder, where there are vectors to compare with: else its weights would lie in memory for
    /// nothing.
    fn encoder_for(&self, coverage: &Coverage) -> std::result::Result<Arc<dyn BiEncoder>, String> {
        if coverage.vector > 0.0 {
            return self.state.encoder();
        }
        let why = coverage.vector_note.clone();
        Err(why.unwrap_or_else(|| "no chunk has a vector yet".to_owned()))
    }

    /// Bytes of the index were gone while it was read: no answer, and a look at what is left.
    fn cut_short(&self, pool: &LivePool) -> EngineError {
        let error = EngineError::new(
            "index-damaged",
            "a file of the index was cut short while it was read",
            "ask again; if it stays so, run `whyrank index` to repair it",
        );
        for part in &pool.parts {
            drop(self.state.repair(&part.repo, &error));
        }
        error
    }

    fn search_query(
        &self,
        request: &SearchRequest,
        pool: &LivePool,
        coverage: &Coverage,
    ) -> Result<SearchQuery> {
        let settings = tune::tuned(&self.state.settings(), &request.tune)?;
        let weights = request.weights.as_ref().unwrap_or(&settings.weights);
        Ok(SearchQuery {
            query_id: query_id(
                request,
                pool,
                &format!(
                    "{weights:?} {} {} {} {:?} {:?} {} {} {} {:?} {:?} {:?}",
                    pool.symbol_graphs().is_ok(),
                    settings.rrf_k,
                    settings.model,
                    settings.token_model,
                    self.state.cross_name(),
                    coverage.vector,
                    coverage.tokens,
                    coverage.static_vectors,
                    settings.evidence,
                    settings.off,
                    settings.gate
                ),
            ),
            text: request.query.clone(),
            limit: request.n_hits(),
            distinct_files: request.distinct_files,
            prefix: request.prefix,
            filters: filters(&request.filters),
            weights: channel_weights(weights),
            rrf_k: settings.rrf_k,
            // Settings are checked when they are set.
            tuning: Tuning::changed(&settings.evidence).unwrap_or_default(),
            gate: settings.gate,
            off: settings.off.clone(),
        })
    }
}

fn refuse_empty(query: &str) -> Result<()> {
    if query.trim().is_empty() {
        return Err(EngineError::bad_argument(
            "the query is empty",
            "say what to look for",
        ));
    }
    Ok(())
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
fn query_id(request: &SearchRequest, pool: &LivePool, setup: &str) -> String {
    let json = serde_json::to_string(request).expect("plain data serialises");
    let mut state = format!("{json} {setup}");
    for part in &pool.parts {
        let (reader, loaded) = (&part.view.reader, part.view.snapshot());
        state += &format!(
            " {} {} {:?} {}",
            reader.manifest().hash(),
            reader.generation(),
            loaded.key,
            loaded.version,
        );
    }
    format!("q{}", &hex::encode(Sha256::digest(state))[..8])
}
