//! The uses of a view, and who depends on a symbol.

use crate::Engine;
use crate::api::{
    Compiled, CoverageReport, ImpactHit, ImpactRequest, ImpactResponse, RefHit, Relation, RepoId,
    SymbolLine,
};
use crate::code::execution::ExecutionRead;
use crate::code::precise::overlay::ScipRead;
use crate::code::symbols::{GraphFacts, MAX_NEAR, need, ref_hits, targets};
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use whyrank_graph::{
    FileInput, Implementations, NeighbourCache, Reach, ReferenceHit, ReferenceIndex,
    ReferenceQuery, SymbolId, SymbolRanks, SymbolTable, impact, symbol_rank,
};
use whyrank_index::{LEAST_OVERLAID, NoGraph};

const DEFAULT_DEPTH: u32 = 3;
/// Deeper than any chain that tells a reader something.
const MAX_DEPTH: u32 = 64;
/// Definitions up to which all uses are worked out in memory for a question, where no graph is kept: about 2 kB
/// each.
const MOST_IN_MEMORY: u64 = 400_000;
/// How long a question waits for the graph of a large view that is about to follow an edit, and how often it
/// looks.
const GRAPH_PATIENCE: Duration = Duration::from_secs(5);
const GRAPH_POLL: Duration = Duration::from_millis(20);
/// Places named of a name that nothing settles; `refs` lists them all.
const MAX_UNSETTLED: usize = 20;

/// What is worked out once for a view.
pub(crate) struct KnownUses {
    pub(crate) table: Arc<SymbolTable>,
    uses: ReferenceIndex,
    pub(crate) ranks: SymbolRanks,
    pub(crate) links: NeighbourCache,
    implementations: OnceLock<Implementations>,
}

impl KnownUses {
    fn met_damage(&self) -> bool {
        let implementations = self.implementations.get();
        self.uses.met_damage() || implementations.is_some_and(Implementations::met_damage)
    }
}

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
        check_size(self.files.iter().map(|file| file.n_symbols)).is_ok()
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
    pub(crate) fn open_graph(&self, repo: &RepoId, as_of: Option<&str>) -> Result<GraphSession> {
        let (view, has_uses) = self.view_with_uses(repo, as_of)?;
        let facts = view.graph_facts(!has_uses)?;
        let scip = self.scip_of(repo, &view)?;
        Ok(GraphSession {
            view,
            facts,
            scip,
            runs: None,
        })
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
            let counts = || view.files.iter().map(|file| file.n_symbols);
            let is_large = counts().map(u64::from).sum::<u64>() >= LEAST_OVERLAID;
            let state = view.reader.graph_state(view.snapshot())?;
            let comes = state == Some(NoGraph::Outdated) && self.state.jobs.running(repo).is_some();
            // One that is there by now is read in the next turn.
            let is_to_wait = is_large && (comes || state.is_none());
            if !is_to_wait || Instant::now() >= last {
                check_size(counts())?;
                return Ok((view, false));
            }
            std::thread::sleep(GRAPH_POLL);
        }
    }

    /// For questions about calls: what profiles and traces saw is taken in.
    pub(crate) fn open_graph_with_runs(
        &self,
        repo: &RepoId,
        as_of: Option<&str>,
    ) -> Result<GraphSession> {
        let session = self.open_graph(repo, as_of)?;
        let runs = self.runs_of(repo, &session.view, &session.facts)?;
        Ok(GraphSession { runs, ..session })
    }

    /// Finds the definitions that use a symbol, directly and through others.
    ///
    /// # Errors
    /// As [`Engine::refs`].
    pub fn impact(&self, request: &ImpactRequest) -> Result<ImpactResponse> {
        need(&request.symbol, "symbol")?;
        let session = self.open_graph_with_runs(&request.repo, request.as_of.as_deref())?;
        let depth = match request.depth {
            0 => DEFAULT_DEPTH,
            depth => depth.min(MAX_DEPTH),
        };
        let mut response = session.with(|known, uses| {
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
            outside.retain(|hit| hit.enclosing.is_none());
            let mut outside = ref_hits(view, outside)?;
            outside.sort_by_key(|hit| hit.test);
            let (unsettled, n_unsettled) = unsettled(view, open)?;
            Ok(ImpactResponse {
                definitions: view.lines(&targets),
                callers,
                outside,
                unsettled,
                n_unsettled,
                depth,
                by_name: None,
                compiled: session.compiled(&targets),
                runs: session.run_reports(),
                near: view.lines(&near),
            })
        })?;
        let is_used = !(response.callers.is_empty() && response.outside.is_empty());
        if !is_used && !response.definitions.is_empty() {
            let as_of = request.as_of.as_deref();
            response.by_name = self.by_name(&request.repo, as_of, request.into())?;
        }
        Ok(response)
    }
}

/// The first places of a name that nothing settles, production code first, and how many there are.
fn unsettled(view: &LiveView, mut open: Vec<ReferenceHit>) -> Result<(Vec<RefHit>, u32)> {
    let n_open = open.len() as u32;
    open.sort_by_key(|hit| view.is_test_code(hit.file, hit.enclosing) || view.is_doc(hit.file));
    open.truncate(MAX_UNSETTLED);
    Ok((ref_hits(view, open)?, n_open))
}

/// Refuses to work out in memory what the uses of very many definitions mean: indexing does it in little.
fn check_size(n_symbols: impl Iterator<Item = u32>) -> Result<()> {
    let n_symbols: u64 = n_symbols.map(u64::from).sum();
    if n_symbols <= MOST_IN_MEMORY {
        return Ok(());
    }
    Err(EngineError::new(
        "graph-missing",
        format!("the symbol graph of these {n_symbols} definitions is not built yet"),
        "`whyrank index` builds it, `whyrank status` says how far it is; until then `search` and `lookup` answer",
    ))
}

/// What an answer is that would rest on a damaged part of the symbol graph.
fn graph_damaged() -> EngineError {
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

#[cfg(test)]
mod tests {
    use super::{MOST_IN_MEMORY, check_size};

    #[test]
    fn uses_of_very_many_definitions_are_not_worked_out_for_a_question() {
        let most = MOST_IN_MEMORY as u32;
        assert!(check_size([most].into_iter()).is_ok());
        let refused = check_size([most, 1].into_iter()).expect_err("one too many");
        assert_eq!(refused.code, "graph-missing");
    }
}
