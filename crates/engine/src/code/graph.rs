//! The uses of a view, and who depends on a symbol.

use crate::Engine;
use crate::api::{
    Compiled, CoverageReport, ImpactHit, ImpactRequest, ImpactResponse, JobStage, RefHit, Relation,
    RepoId, SymbolLine,
};
use crate::choices::need;
use crate::code::by_name_only::PendingGraph;
use crate::code::execution::ExecutionRead;
use crate::code::graph_facts::GraphFacts;
use crate::code::known_uses::KnownUses;
use crate::code::mentions::{KnownLines, Line};
use crate::code::narrowing::MAX_NEAR;
use crate::code::precise::ScipRead;
use crate::code::selection::targets;
use crate::code::use_hits::ref_hits;
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use whyrank_graph::{
    FileInput, NeighbourCache, Reach, ReferenceHit, ReferenceIndex, ReferenceQuery, SymbolId,
    SymbolTable, impact, symbol_rank,
};
use whyrank_index::NoGraph;

const DEFAULT_DEPTH: u32 = 3;
/// Deeper than any chain that tells a reader something.
const MAX_DEPTH: u32 = 64;
/// Definitions up to which all uses are worked out in memory for a question, where no graph is kept: about 2 kB
/// each.
const MOST_IN_MEMORY: u64 = 400_000;
/// Definitions up to which that takes no longer than a moment. Of more, questions about uses are answered by
/// name until the graph is made.
const MOST_AT_ONCE: u64 = 20_000;
/// How long a question waits for the graph of a large view that is about to follow an edit, and how often it
/// looks.
const GRAPH_PATIENCE: Duration = Duration::from_secs(5);
const GRAPH_POLL: Duration = Duration::from_millis(20);
/// Places named of a name that nothing settles; `refs` lists them all.
const MAX_UNSETTLED: usize = 20;

impl LiveView {
    /// `inputs` must have references and imports, unless [`LiveView::has_uses`].
    fn known_uses(&self, inputs: &[FileInput<'_>]) -> &KnownUses {
        self.uses.get_or_init(|| {
            let table = self.table(inputs);
            self.kept_uses(&table).unwrap_or_else(|| {
                let imports = &self.graph.imports;
                let uses = ReferenceIndex::new(inputs, imports, &table);
                KnownUses {
                    ranks: symbol_rank(&ReferenceQuery::new(inputs, imports, &table, &uses)),
                    uses,
                    table,
                    links: NeighbourCache::default(),
                    implementations: OnceLock::new(),
                }
            })
        })
    }

    /// The graph that indexing kept with the view, if it can be used.
    fn kept_uses(&self, table: &Arc<SymbolTable>) -> Option<KnownUses> {
        if self.pool.is_some() {
            return None;
        }
        let kept = match self.reader.graph(self.snapshot()) {
            Ok(Ok(kept)) => kept,
            Ok(Err(reason)) => {
                tracing::debug!(%reason, "symbol graph made in memory");
                return None;
            }
            Err(error) => {
                tracing::warn!(%error, "the kept symbol graph cannot be read");
                return None;
            }
        };
        Some(KnownUses {
            table: Arc::clone(table),
            uses: kept.uses,
            ranks: kept.ranks,
            links: NeighbourCache::default(),
            implementations: self
                .kept_implementations()
                .map_or_else(OnceLock::new, OnceLock::from),
        })
    }

    /// Says whether all uses are known, from the kept graph or from an earlier question. Definitions
    /// are all that [`Uses`] needs of the facts then.
    pub(crate) fn has_uses(&self) -> Result<bool> {
        if self.uses.get().is_some() {
            return Ok(true);
        }
        let facts = self.graph_facts(false)?;
        let table = self.table(&facts.inputs(self));
        Ok(match self.kept_uses(&table) {
            Some(kept) => {
                self.uses.get_or_init(|| kept);
                true
            }
            None => false,
        })
    }

    /// Says whether uses are worked out for a question where no graph is kept.
    pub(crate) fn is_worked_out_in_memory(&self) -> bool {
        self.n_symbols() <= MOST_IN_MEMORY
    }

    fn n_symbols(&self) -> u64 {
        let files = self.files.iter();
        files.map(|file| u64::from(file.n_symbols)).sum()
    }

    pub(crate) fn lines(&self, ids: &[SymbolId]) -> Vec<SymbolLine> {
        ids.iter().map(|id| self.symbol_line(*id)).collect()
    }
}

/// A view with its graph, for the length of a question.
pub(crate) struct GraphSession {
    pub(crate) view: Arc<LiveView>,
    pub(crate) facts: Arc<GraphFacts>,
    scip: Option<Arc<ScipRead>>,
    /// What runs of the program saw, for questions that ask for it.
    runs: Option<Arc<ExecutionRead>>,
}

/// The graph of a view, or why there is none yet.
pub(crate) enum OpenGraph {
    Made(GraphSession),
    Pending(PendingGraph),
}

impl GraphSession {
    pub(crate) fn with<T>(
        &self,
        answer: impl FnOnce(&KnownUses, &ReferenceQuery<'_>) -> Result<T>,
    ) -> Result<T> {
        let inputs = self.facts.inputs(&self.view);
        let known = self.view.known_uses(&inputs);
        let imports = &self.view.graph.imports;
        let precise = self.scip.as_ref().map(|scip| &scip.precise);
        let uses = ReferenceQuery::new(&inputs, imports, &known.table, &known.uses);
        let observed = self.runs.as_ref().map(|runs| &runs.runtime.calls);
        let uses = uses.with_precise(precise).with_observed(observed);
        // What a compiler's index states may change while the view stays.
        let uses = match precise {
            Some(_) => uses,
            None => uses.keeping(&known.implementations),
        };
        let answer = answer(known, &uses);
        self.view.let_go_of_facts();
        if known.met_damage() {
            // Who asks next gets a view that does without, until it is made again.
            self.view.reader.note_damage();
            return Err(graph_damaged());
        }
        answer
    }
}

impl GraphSession {
    /// The same with the uses that are kept, none where there are none: for what one file says itself.
    pub(super) fn with_kept<T>(
        &self,
        answer: impl FnOnce(&ReferenceQuery<'_>) -> Result<T>,
    ) -> Result<T> {
        if self.view.has_uses()? {
            return self.with(|_, uses| answer(uses));
        }
        let inputs = self.facts.inputs(&self.view);
        let table = self.view.table(&inputs);
        let none = ReferenceIndex::default();
        let precise = self.scip.as_ref().map(|scip| &scip.precise);
        let uses = ReferenceQuery::new(&inputs, &self.view.graph.imports, &table, &none);
        let answer = answer(&uses.with_precise(precise));
        self.view.let_go_of_facts();
        answer
    }

    /// That a run saw one definition call another, in words; empty where none did.
    pub(crate) fn ran(
        &self,
        uses: &ReferenceQuery<'_>,
        caller: SymbolId,
        callee: SymbolId,
    ) -> String {
        let call = uses.observed(caller, callee);
        let runs = self.runs.as_ref().zip(call);
        runs.map_or_else(String::new, |(runs, call)| runs.runtime.call_words(&call))
    }

    /// The profiles and traces that were taken in.
    pub(crate) fn run_reports(&self) -> Vec<CoverageReport> {
        let runs = self.runs.as_ref();
        runs.map_or_else(Vec::new, |runs| runs.reports.clone())
    }

    /// Those of the reports that the repository itself brought.
    pub(crate) fn brought(&self) -> Vec<String> {
        let scip = self.scip.iter();
        let scip = scip.filter(|scip| scip.precise.fits().iter().any(|fit| fit.fits));
        let mut brought: Vec<String> = scip.flat_map(|scip| scip.import.brought.clone()).collect();
        brought.extend(brought_of(&self.run_reports()));
        brought
    }

    /// For which part of the first target's language a compiler's index speaks.
    pub(crate) fn compiled(&self, targets: &[SymbolId]) -> Option<Compiled> {
        let scip = self.scip.as_ref()?;
        let files = &self.view.files;
        let language = files[targets.first()?.file as usize].language;
        let is_alike = |file: &u32| files[*file as usize].language == language;
        let fits = scip.precise.fits().iter().filter(|fit| fit.fits);
        let spoken_for: HashSet<u32> = fits.map(|fit| fit.file).filter(is_alike).collect();
        let n_of_language = (0..files.len() as u32).filter(is_alike).count() as u32;
        (!spoken_for.is_empty()).then_some(Compiled {
            n_files: spoken_for.len() as u32,
            n_of_language,
        })
    }
}

/// Those that the repository itself brought.
pub(crate) fn brought_of(reports: &[CoverageReport]) -> impl Iterator<Item = String> {
    let brought = reports.iter().filter(|report| report.is_brought);
    brought.map(|report| report.path.clone())
}

impl Engine {
    pub(crate) fn open_graph_with_facts(
        &self,
        repo: &RepoId,
        as_of: Option<&str>,
    ) -> Result<GraphSession> {
        let view = self.view_of(repo, as_of)?;
        let facts = view.graph_facts(true)?;
        let scip = self.scip_of(repo, &view)?;
        Ok(GraphSession {
            view,
            facts,
            scip,
            runs: None,
        })
    }

    /// For questions that need no more of the facts than definitions.
    ///
    /// # Errors
    /// `graph-missing` for a view whose uses are too many to be worked out for a question.
    pub(crate) fn open_graph(&self, repo: &RepoId, as_of: Option<&str>) -> Result<GraphSession> {
        match self.graph_or_note(repo, as_of)? {
            OpenGraph::Made(session) => Ok(session),
            OpenGraph::Pending(pending) if pending.view.is_worked_out_in_memory() => {
                self.session_of(repo, pending.view, false)
            }
            OpenGraph::Pending(pending) => Err(pending.error()),
        }
    }

    /// The same for questions that can be answered by name where the graph is not made yet.
    pub(crate) fn graph_or_note(&self, repo: &RepoId, as_of: Option<&str>) -> Result<OpenGraph> {
        let (view, has_uses) = self.view_with_uses(repo, as_of)?;
        let n_symbols = view.n_symbols();
        // The graph of a commit, or of several repositories, is made by nobody else.
        let is_made_by_a_job = as_of.is_none() && view.pool.is_none();
        let is_pending = !has_uses
            && (n_symbols > MOST_IN_MEMORY || (is_made_by_a_job && n_symbols > MOST_AT_ONCE));
        if is_pending {
            let note = self.graph_note(repo);
            return Ok(OpenGraph::Pending(PendingGraph { view, note }));
        }
        Ok(OpenGraph::Made(self.session_of(repo, view, has_uses)?))
    }

    fn session_of(
        &self,
        repo: &RepoId,
        view: Arc<LiveView>,
        has_uses: bool,
    ) -> Result<GraphSession> {
        let facts = view.graph_facts(!has_uses)?;
        let scip = self.scip_of(repo, &view)?;
        Ok(GraphSession {
            view,
            facts,
            scip,
            runs: None,
        })
    }

    /// Says that the symbol graph is not made yet, and how far it is.
    pub(super) fn graph_note(&self, repo: &RepoId) -> String {
        let job = self.state.jobs.running(repo).map(|job| job.progress_now());
        match job {
            Some(job) if job.stage == JobStage::SymbolGraph && job.total > 0 => format!(
                "the symbol graph is being made ({} of {} files)",
                job.done, job.total
            ),
            Some(_) => "the symbol graph is made after the texts, which are being read".to_owned(),
            None => "the symbol graph is not made yet: `whyrank index` makes it".to_owned(),
        }
    }

    /// A view, and whether all its uses are known. Of a large view the graph is waited for that a job is about
    /// to bring up to date: after an edit it comes a second or two after the texts.
    fn view_with_uses(&self, repo: &RepoId, as_of: Option<&str>) -> Result<(Arc<LiveView>, bool)> {
        let last = Instant::now() + GRAPH_PATIENCE;
        loop {
            let view = self.view_of(repo, as_of)?;
            if view.has_uses()? {
                return Ok((view, true));
            }
            let is_large = view.n_symbols() > MOST_AT_ONCE;
            let state = view.reader.graph_state(view.snapshot())?;
            let comes = state == Some(NoGraph::Outdated) && self.state.jobs.running(repo).is_some();
            // One that is there by now is read in the next turn.
            let is_to_wait = is_large && (comes || state.is_none());
            if !is_to_wait || Instant::now() >= last {
                return Ok((view, false));
            }
            std::thread::sleep(GRAPH_POLL);
        }
    }

    /// Adds what profiles and traces saw of calls.
    fn with_runs(&self, repo: &RepoId, session: GraphSession) -> Result<GraphSession> {
        let runs = self.runs_of(repo, &session.view, &session.facts)?;
        Ok(GraphSession { runs, ..session })
    }

    /// For questions about calls: what profiles and traces saw is taken in.
    pub(crate) fn open_graph_with_runs(
        &self,
        repo: &RepoId,
        as_of: Option<&str>,
    ) -> Result<GraphSession> {
        let session = self.open_graph(repo, as_of)?;
        self.with_runs(repo, session)
    }

    /// Finds the definitions that use a symbol, directly and through others.
    ///
    /// # Errors
    /// As [`Engine::refs`].
    pub fn impact(&self, request: &ImpactRequest) -> Result<ImpactResponse> {
        need(&request.symbol, "symbol")?;
        let session = match self.graph_or_note(&request.repo, request.as_of.as_deref())? {
            OpenGraph::Made(session) => self.with_runs(&request.repo, session)?,
            OpenGraph::Pending(pending) => return pending.impact(request),
        };
        let depth = match request.depth {
            0 => DEFAULT_DEPTH,
            depth => depth.min(MAX_DEPTH),
        };
        let (mut response, known_lines) = session.with(|known, uses| {
            let (view, table) = (&session.view, &known.table);
            let targets = targets(view, table, request.into())?;
            let near = if targets.is_empty() {
                table.near(&request.symbol, MAX_NEAR)
            } else {
                Vec::new()
            };
            let callers = impact(uses, &targets, depth, &known.ranks);
            let mut callers: Vec<ImpactHit> = callers
                .into_iter()
                .map(|caller| ImpactHit {
                    caller: view.symbol_line(caller.symbol),
                    depth: caller.depth,
                    confidence: caller.confidence.into(),
                    relation: relation(caller.reach),
                    uses: view.symbol(caller.uses).qualified.clone(),
                    line: match caller.line {
                        0 => view.symbol(caller.symbol).name_line,
                        line => line,
                    },
                    ran: session.ran(uses, caller.symbol, caller.uses),
                    rank: f64::from(known.ranks.get(caller.symbol)),
                    test: view.is_test_code(caller.symbol.file, Some(caller.symbol)),
                })
                .collect();
            callers.sort_by_key(|hit| hit.test);
            let (mut outside, open) = uses.settled_and_open(&targets);
            let lines = KnownLines {
                listed: lines_of(view, &outside),
                open: lines_of(view, &open),
            };
            outside.retain(|hit| hit.enclosing.is_none());
            let mut outside = ref_hits(view, outside)?;
            outside.sort_by_key(|hit| hit.test);
            let (unsettled, n_unsettled) = unsettled(view, open)?;
            let response = ImpactResponse {
                definitions: view.lines(&targets),
                callers,
                outside,
                unsettled,
                n_unsettled,
                depth,
                compiled: session.compiled(&targets),
                runs: session.run_reports(),
                brought: session.brought(),
                near: view.lines(&near),
                ..ImpactResponse::default()
            };
            Ok((response, lines))
        })?;
        let as_of = request.as_of.as_deref();
        let is_used = !(response.callers.is_empty() && response.outside.is_empty());
        if response.definitions.is_empty() {
            return Ok(response);
        }
        if is_used {
            let open = self.open_lines(&request.repo, as_of, request.into(), known_lines)?;
            response.are_places_unread = open.is_none();
            if let Some(open) = open {
                response.n_unsettled = open.len() as u32;
                let is_open = |hit: &RefHit| open.contains(&(hit.path.clone(), hit.line));
                response.unsettled.retain(is_open);
            }
        } else {
            response.by_name = self.by_name(&request.repo, as_of, request.into())?;
        }
        Ok(response)
    }
}

fn lines_of(view: &LiveView, hits: &[ReferenceHit]) -> HashSet<Line> {
    let line = |hit: &ReferenceHit| (view.files[hit.file as usize].path.clone(), hit.line);
    hits.iter().map(line).collect()
}

/// The first places of a name that nothing settles, production code first, and how many there are.
fn unsettled(view: &LiveView, mut open: Vec<ReferenceHit>) -> Result<(Vec<RefHit>, u32)> {
    let n_open = open.len() as u32;
    open.sort_by_key(|hit| view.is_test_code(hit.file, hit.enclosing) || view.is_doc(hit.file));
    open.truncate(MAX_UNSETTLED);
    Ok((ref_hits(view, open)?, n_open))
}

/// What an answer is that would rest on a damaged part of the symbol graph.
pub(crate) fn graph_damaged() -> EngineError {
    EngineError::new(
        "index-damaged",
        "a part of the symbol graph is damaged",
        "ask again; `whyrank index` makes it again",
    )
}

fn relation(reach: Reach) -> Relation {
    match reach {
        Reach::Uses => Relation::Uses,
        Reach::StandsIn(descent) => descent.into(),
        Reach::Through => Relation::Through,
    }
}
