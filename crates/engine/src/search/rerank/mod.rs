//! Rerank: the third stage. A language model behind an endpoint puts the best hits in order. It takes seconds, so no search waits for it unless it is asked to.
//!
//! Whatever goes wrong, the answer is the fused one, and says why. Nothing leaves the machine unless
//! an endpoint is set up; then the query and snippets of the best hits are sent to it.

mod failure;

mod address;
mod http;
mod settings;

use settings::names_local_model;
pub(crate) use settings::{RerankFile, check};

use crate::Engine;
use crate::api::{
    AnswerConfidence, EngineEvent, Hit, QueryId, RerankMode, RerankNote, RerankProgress,
    RerankRecord, RerankSettings, RerankTest, SearchRequest, SearchResponse, StageTiming, Trace,
};
use crate::error::{EngineError, Result};
use crate::views::{LivePool, Texts};
use parking_lot::{Mutex, MutexGuard};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use whyrank_retrieval::{Candidate, Ranker, RerankLimits, RerankRequest, Reranked, apply_order};

/// Orders that are kept, so that the same question is not put to a model again.
const MAX_KEPT: usize = 64;
/// More of a hit than this is never read.
const MAX_TEXT_BYTES: usize = 16 << 10;

/// What is loaded, what runs and what came of it.
#[derive(Default)]
pub(crate) struct Rerankers {
    /// Flags of rerankings at work, by the answer's id.
    running: Mutex<HashMap<QueryId, Arc<AtomicBool>>>,
    /// Whole orders by answer and set-up, newest last.
    kept: Mutex<VecDeque<(String, Reranked)>>,
}

impl Rerankers {
    fn running(&self) -> MutexGuard<'_, HashMap<QueryId, Arc<AtomicBool>>> {
        self.running.lock()
    }

    fn kept(&self, key: &str) -> Option<Reranked> {
        let kept = self.kept.lock();
        let found = kept.iter().find(|(known, _)| known == key);
        found.map(|(_, reranked)| reranked.clone())
    }

    fn keep(&self, key: String, reranked: &Reranked) {
        let mut kept = self.kept.lock();
        kept.push_back((key, reranked.clone()));
        if kept.len() > MAX_KEPT {
            kept.pop_front();
        }
    }
}

impl Engine {
    /// Searches and waits for the reranker, at most as long as the settings allow; `mode` takes the
    /// place of the settings'. Meanwhile [`Engine::cancel_rerank`] stops it and subscribers hear how
    /// far it is. A reranker that fails leaves the fused order and says why in `rerank`.
    ///
    /// # Errors
    /// Those of [`Engine::search`]; `bad-argument` when no reranker is set up.
    pub fn search_reranked(
        &self,
        request: &SearchRequest,
        mode: Option<RerankMode>,
    ) -> Result<SearchResponse> {
        let mut settings = self.state.settings().rerank;
        settings.mode = mode.unwrap_or(settings.mode);
        let limit = Duration::from_secs(settings.time_limit_s.into());
        self.reranked_within(request, &settings, limit)
    }

    /// Searches as [`Engine::search`] does, for agents: waits for the reranker only where the settings
    /// say so.
    ///
    /// # Errors
    /// Those of [`Engine::search`].
    pub fn search_for_agent(&self, request: &SearchRequest) -> Result<SearchResponse> {
        let settings = super::tune::tuned(&self.state.settings(), &request.tune)?.rerank;
        if settings.mode == RerankMode::Off || settings.agents_wait_s == 0 {
            return self.search(request);
        }
        let limit = Duration::from_secs(settings.agents_wait_s.into());
        let mut response = self.reranked_within(request, &settings, limit)?;
        if let Some(note) = &response.rerank {
            let said = format!("reranker: {}", note.sentence);
            response.notes.push(said);
        }
        Ok(response)
    }

    /// Stops the reranking of an answer; what is finished of it counts. Nothing happens when there is
    /// none.
    pub fn cancel_rerank(&self, query_id: &QueryId) {
        if let Some(flag) = self.state.rerankers.running().get(query_id) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    fn reranked_within(
        &self,
        request: &SearchRequest,
        settings: &RerankSettings,
        limit: Duration,
    ) -> Result<SearchResponse> {
        check(settings)?;
        if settings.mode == RerankMode::Off {
            return Err(self.no_reranker());
        }
        let started = Instant::now();
        let (mut response, mut trace, pool) = self.answer(request, settings.top_n as usize)?;
        let n = response.hits.len().min(settings.top_n as usize);
        let candidates = candidates(&pool, &response.hits[..n])?;
        let reranked = self.reranked(&trace, settings, &candidates, limit);
        let shown = request.n_hits().min(response.hits.len());
        reorder(&mut response, &mut trace, &reranked, shown);
        record(&mut trace, &reranked.record, limit);
        Ok(self.finish(request, response, trace, started))
    }

    /// The order, from a model or as it was kept of an earlier time.
    fn reranked(
        &self,
        trace: &Trace,
        settings: &RerankSettings,
        candidates: &[Candidate],
        limit: Duration,
    ) -> Reranked {
        let key = kept_key(trace, settings, candidates);
        if let Some(kept) = self.state.rerankers.kept(&key) {
            return kept;
        }
        let query_id = QueryId::from(trace.query_id.as_str());
        let flag = Arc::clone(
            self.state
                .rerankers
                .running()
                .entry(query_id.clone())
                .or_default(),
        );
        let cancelled = || flag.load(Ordering::Relaxed);
        let limits = RerankLimits {
            deadline: Instant::now() + limit,
            cancelled: &cancelled,
        };
        let reranked = match self.ranker(settings) {
            Err(error) => Reranked {
                order: (0..candidates.len()).collect(),
                record: RerankRecord::unavailable(candidates.len(), error.to_string()),
            },
            Ok(ranker) => {
                let asked = RerankRequest {
                    query: &trace.query,
                    candidates,
                    snippet_tokens: settings.snippet_tokens as usize,
                };
                let mut tell = |done: usize, total: usize| {
                    self.state.events.send(&EngineEvent::Rerank(RerankProgress {
                        query_id: query_id.clone(),
                        done: done as u32,
                        total: total as u32,
                    }));
                };
                whyrank_retrieval::rerank(&asked, ranker.as_ref(), &limits, &mut tell)
            }
        };
        self.state.rerankers.running().remove(&query_id);
        if reranked.record.cut.is_none() {
            self.state.rerankers.keep(key, &reranked);
        }
        reranked
    }

    fn ranker(&self, settings: &RerankSettings) -> Result<Box<dyn Ranker>> {
        Ok(Box::new(http::HttpRanker::new(settings)?))
    }

    fn no_reranker(&self) -> EngineError {
        if names_local_model(&self.state.paths.config_file) {
            return EngineError::bad_argument(
                "the reranker runs no model itself any more (`mode = \"local\"` in [rerank])",
                "serve the model with Ollama or llama.cpp, and set `mode = \"http\"` with its \
                 `endpoint` and `endpoint-model`: docs/rerank.md",
            );
        }
        EngineError::bad_argument(
            "no reranker is set up",
            "choose one in the settings, or set `mode` in [rerank] of the settings file",
        )
    }

    /// Says whether settings carry code to another machine, or a key to whom they name.
    #[must_use]
    pub fn sends_away(&self, settings: &RerankSettings) -> bool {
        let goes_away = |to: address::Address| !to.is_loopback || !settings.key_env.is_empty();
        settings.mode == RerankMode::Http && address::Address::parse(settings).is_ok_and(goes_away)
    }

    /// Asks a reranker to order two snippets, whether it is saved in the settings or not.
    ///
    /// # Errors
    /// What keeps it from being asked: `bad-argument` for settings, `model` for a model that cannot be
    /// loaded, `reranker` for an endpoint that does not answer.
    pub fn test_reranker(&self, settings: &RerankSettings) -> Result<RerankTest> {
        check(settings)?;
        if settings.mode == RerankMode::Off {
            return Err(EngineError::bad_argument(
                "the reranker is off",
                "choose an endpoint",
            ));
        }
        let started = Instant::now();
        let ranker = self.ranker(settings)?;
        let snippet = |head: &str, text: &str| Candidate {
            head: head.to_owned(),
            text: text.to_owned(),
        };
        let candidates = [
            snippet(
                "src/colour.rs mix",
                "fn mix(a: Rgb, b: Rgb) -> Rgb { a.lerp(b, 0.5) }",
            ),
            snippet(
                "src/retry.rs retry",
                "fn retry(times: u32) { for _ in 0..times { send(); } }",
            ),
        ];
        let asked = RerankRequest {
            query: "where are requests sent again",
            candidates: &candidates,
            snippet_tokens: settings.snippet_tokens as usize,
        };
        let limits = RerankLimits {
            deadline: Instant::now() + Duration::from_secs(settings.time_limit_s.into()),
            cancelled: &|| false,
        };
        let tested = whyrank_retrieval::rerank(&asked, ranker.as_ref(), &limits, &mut |_, _| {});
        let record = tested.record;
        let Some(window) = record.windows.first() else {
            let why = record.cut.unwrap_or_default();
            return Err(EngineError::new("reranker", why, ""));
        };
        let parsed = whyrank_retrieval::parse_answer(&window.answer, candidates.len());
        let ok = parsed.n_named == candidates.len();
        let sentence = match (ok, tested.order[0]) {
            (false, _) => "it answers, but does not name both snippets: its orders will be poor",
            (true, 1) => "it answers in the right form, with the right snippet first",
            (true, _) => "it answers in the right form, with the wrong snippet first",
        };
        Ok(RerankTest {
            backend: record.backend,
            ok,
            sentence: sentence.to_owned(),
            answer: window.answer.clone(),
            elapsed_ms: started.elapsed().as_secs_f64() * 1e3,
        })
    }

    /// Whether the reranker of the settings could be asked, without asking it: what it is, or what is
    /// wrong and the command that repairs it.
    pub(crate) fn reranker_state(&self) -> std::result::Result<String, EngineError> {
        let settings = self.state.settings().rerank;
        match settings.mode {
            RerankMode::Off if names_local_model(&self.state.paths.config_file) => {
                Err(self.no_reranker())
            }
            RerankMode::Off => Ok("off".to_owned()),
            RerankMode::Http => {
                let ranker = http::HttpRanker::new(&settings)?;
                Ok(format!(
                    "{}; snippets of hits are sent to it",
                    ranker.name()
                ))
            }
        }
    }
}

/// Answers and set-ups that have the same order. The hits are part of it: a search that ran out of time
/// has other ones under the same id.
fn kept_key(trace: &Trace, settings: &RerankSettings, candidates: &[Candidate]) -> String {
    let mut digest = Sha256::new();
    digest.update(format!("{settings:?}"));
    for candidate in candidates {
        digest.update(format!("{}\0{}\0", candidate.head, candidate.text));
    }
    format!("{} {}", trace.query_id, hex::encode(digest.finalize()))
}

/// What the model reads of each hit.
fn candidates(pool: &LivePool, hits: &[Hit]) -> Result<Vec<Candidate>> {
    let candidates = hits.iter().map(|hit| {
        let part = pool.part(hit.repo.as_deref());
        let found = part.and_then(|part| Some((&part.view, part.view.file(&hit.path)?)));
        let text = match found {
            Some((view, file)) => {
                let mut texts = Texts::new(view);
                lines(texts.get(file)?, hit.start_line, hit.end_line)
            }
            None => String::new(),
        };
        let symbol = hit.symbol.as_deref().unwrap_or_default();
        Ok(Candidate {
            head: format!("{} {symbol}", hit.path).trim_end().to_owned(),
            text,
        })
    });
    candidates.collect()
}

fn lines(text: &str, first: u32, last: u32) -> String {
    let n = (last.saturating_sub(first) + 1) as usize;
    let wanted = text.lines().skip(first.saturating_sub(1) as usize).take(n);
    let mut cut = String::new();
    for line in wanted {
        if cut.len() + line.len() > MAX_TEXT_BYTES {
            break;
        }
        cut.push_str(line);
        cut.push('\n');
    }
    cut
}

/// Puts hits and rows in the new order and cuts both to what was asked for.
fn reorder(response: &mut SearchResponse, trace: &mut Trace, reranked: &Reranked, shown: usize) {
    apply_order(&mut trace.rows, &reranked.order);
    let old = std::mem::take(&mut response.hits);
    let rest = reranked.order.len()..old.len();
    let order = reranked.order.iter().copied().chain(rest);
    let mut before = Vec::new();
    for (place, at) in order.take(shown).enumerate() {
        let mut hit = old[at].clone();
        before.push(hit.rank);
        hit.rank = place as u32 + 1;
        hit.score = trace.rows.get(place).map_or(hit.score, |row| row.score);
        response.hits.push(hit);
    }
    for row in &mut trace.rows {
        row.shown = row.rank as usize <= shown;
    }
    let record = &reranked.record;
    // Another order has another first file, and how often a model's is right was not measured.
    if record.n_moved > 0 {
        let why = "not measured with a reranker".to_owned();
        (response.confidence, trace.confidence) = (None, Some(AnswerConfidence::Withheld(why)));
    }
    response.rerank = Some(RerankNote {
        backend: record.backend.clone(),
        sentence: record.sentence(),
        complete: record.cut.is_none(),
        cancelled: record.cancelled,
        n_asked: record.n_asked,
        n_moved: record.n_moved,
        elapsed_ms: record.elapsed_ms,
        before,
    });
}

/// Puts the stage into the trace.
fn record(trace: &mut Trace, record: &RerankRecord, limit: Duration) {
    let is_idle = record.windows.is_empty();
    trace.timings.push(StageTiming {
        stage: "rerank".to_owned(),
        elapsed_ms: record.elapsed_ms,
        budget_ms: Some(limit.as_secs_f64() * 1e3),
        n_in: Some(record.n_asked),
        n_out: Some(record.n_moved),
        skipped: record.cut.clone().filter(|_| is_idle),
    });
    if record.cut.is_some() {
        trace.notes.push(format!("reranker: {}", record.sentence()));
    }
    trace.rerank = Some(record.clone());
}

/// The stage in the trace of a search that did not ask for it.
pub(crate) fn not_asked(mode: RerankMode) -> StageTiming {
    let why = match mode {
        RerankMode::Off => "switched off",
        _ => "not asked for: it runs beside the search",
    };
    StageTiming {
        stage: "rerank".to_owned(),
        elapsed_ms: 0.0,
        budget_ms: None,
        n_in: None,
        n_out: None,
        skipped: Some(why.to_owned()),
    }
}
