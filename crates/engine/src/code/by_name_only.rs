//! Answers about uses while the symbol graph of a large view is not made yet: by the name alone, and saying so.
//! Nothing in them is certain, and nothing is called dead.

use crate::api::{
    DeadCodeRequest, DeadCodeResponse, DeadFinding, DeadVerdict, ImpactHit, ImpactRequest,
    ImpactResponse, Level, RefHit, RefsRequest, RefsResponse, Relation,
};
use crate::choices::need;
use crate::code::narrowing::MAX_NEAR;
use crate::code::selection::{SymbolSelector, targets};
use crate::code::undefined::{is_kind, undefined_uses};
use crate::code::use_hits::{MENTION, ref_hits, sort_hits};
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use std::collections::BTreeSet;
use std::sync::Arc;
use whyrank_graph::{Confidence, ReferenceHit, SymbolId, SymbolTable};
use whyrank_syntax::ReferenceKind;

/// A view without its symbol graph.
pub(crate) struct PendingGraph {
    pub(crate) view: Arc<LiveView>,
    /// That there is none, and how far it is.
    pub(crate) note: String,
}

impl PendingGraph {
    /// What a question ends with that only the graph answers.
    pub(crate) fn error(&self) -> EngineError {
        EngineError::new(
            "graph-missing",
            self.note.clone(),
            "`whyrank status` says how far it is; until then `search`, `lookup`, and by name `refs`, `impact` and `dead_code` answer",
        )
    }

    pub(super) fn refs(&self, request: &RefsRequest, kinds: &[&str]) -> Result<RefsResponse> {
        let (view, table) = (&self.view, self.table()?);
        let targets = targets(view, &table, request.into())?;
        let is_wanted = |kind: ReferenceKind| {
            let is_asked = request.mentions || kinds.contains(&MENTION);
            is_kind(kind, kinds) && (is_asked || kind != ReferenceKind::Mention)
        };
        let (references, near) = match targets.is_empty() {
            true => (
                undefined_uses(view, &table, &request.symbol, kinds)?,
                table.near(&request.symbol, MAX_NEAR),
            ),
            false => {
                let found = self.uses(&table, &targets, &is_wanted)?;
                let mut hits = ref_hits(view, found)?;
                sort_hits(&mut hits);
                (hits, Vec::new())
            }
        };
        Ok(RefsResponse {
            definitions: view.lines(&targets),
            references,
            near: view.lines(&near),
            by_name_only: self.note.clone(),
            ..RefsResponse::default()
        })
    }

    /// Who names it, one step away: what lies beyond would be a guess about a guess.
    pub(super) fn impact(&self, request: &ImpactRequest) -> Result<ImpactResponse> {
        let (view, table) = (&self.view, self.table()?);
        let targets = targets(view, &table, request.into())?;
        let near = match targets.is_empty() {
            true => table.near(&request.symbol, MAX_NEAR),
            false => Vec::new(),
        };
        let found = self.uses(&table, &targets, &is_use)?;
        let mut seen: BTreeSet<SymbolId> = targets.iter().copied().collect();
        let callers = found
            .iter()
            .filter_map(|hit| hit.enclosing.map(|caller| (caller, hit)));
        let mut callers: Vec<ImpactHit> = callers
            .filter(|(caller, _)| seen.insert(*caller))
            .map(|(caller, hit)| ImpactHit {
                caller: view.symbol_line(caller),
                depth: 1,
                confidence: hit.confidence.into(),
                relation: Relation::Uses,
                uses: request.symbol.clone(),
                line: hit.line,
                ran: String::new(),
                rank: 0.0,
                test: view.is_test_code(caller.file, Some(caller)),
            })
            .collect();
        callers.sort_by_key(|hit| hit.test);
        let outside = found.into_iter().filter(|hit| hit.enclosing.is_none());
        let mut outside: Vec<RefHit> = ref_hits(view, outside.collect())?;
        sort_hits(&mut outside);
        Ok(ImpactResponse {
            definitions: view.lines(&targets),
            callers,
            outside,
            depth: 1,
            near: view.lines(&near),
            by_name_only: self.note.clone(),
            ..ImpactResponse::default()
        })
    }

    /// How often the symbols are named; no list, since of all definitions some are named by nobody and used
    /// all the same.
    pub(super) fn dead_code(&self, request: &DeadCodeRequest) -> Result<DeadCodeResponse> {
        let (view, table) = (&self.view, self.table()?);
        let mut response = DeadCodeResponse {
            by_name_only: self.note.clone(),
            ..DeadCodeResponse::default()
        };
        for place in &request.symbols {
            need(&place.symbol, "symbol")?;
            let targets = self.targets(&table, place.into(), request.symbols.len() > 1)?;
            let Some(first) = targets.first() else {
                if response.unknown.is_empty() {
                    response.near = view.lines(&table.near(&place.symbol, MAX_NEAR));
                }
                response.unknown.push(place.symbol.clone());
                continue;
            };
            let n_named = self.uses(&table, &targets, &is_use)?.len();
            let (verdict, reason) = match n_named {
                0 => (
                    DeadVerdict::PossiblyDynamic,
                    "no use names it; whether it is dead is told once the symbol graph is made"
                        .to_owned(),
                ),
                n => (
                    DeadVerdict::Used,
                    format!("maybe used: named at {n} places"),
                ),
            };
            response.findings.push(DeadFinding {
                symbol: view.symbol_line(*first),
                verdict,
                reason,
                confidence: Level::Low,
                dead: false,
            });
        }
        response.n_checked = response.findings.len() as u32;
        if let ([_], [_]) = (request.symbols.as_slice(), response.findings.as_slice()) {
            response.dead = Some(false);
        }
        Ok(response)
    }

    fn table(&self) -> Result<Arc<SymbolTable>> {
        let facts = self.view.graph_facts(false)?;
        Ok(self.view.table(&facts.inputs(&self.view)))
    }

    /// One of many that is not where it was said to be leaves the others their answers.
    fn targets(
        &self,
        table: &SymbolTable,
        selector: SymbolSelector<'_>,
        is_one_of_many: bool,
    ) -> Result<Vec<SymbolId>> {
        match targets(&self.view, table, selector) {
            Err(error) if error.code == "not-found" && is_one_of_many => Ok(Vec::new()),
            found => found,
        }
    }

    /// Places that name the targets, but for those that are a part of one.
    fn uses(
        &self,
        table: &SymbolTable,
        targets: &[SymbolId],
        is_wanted: &dyn Fn(ReferenceKind) -> bool,
    ) -> Result<Vec<ReferenceHit>> {
        let view = &self.view;
        let names: BTreeSet<&str> = targets
            .iter()
            .map(|id| view.symbol(*id).name.as_str())
            .collect();
        let mut found: Vec<ReferenceHit> = Vec::new();
        for name in names {
            let bear_it = table.definitions(name);
            let confidence = match bear_it.iter().all(|id| targets.contains(id)) {
                true => Confidence::NameOnly,
                false => Confidence::Ambiguous,
            };
            found.extend(view.uses_named(name, confidence, is_wanted)?);
        }
        found.retain(|hit| !is_own(view, targets, hit));
        Ok(found)
    }
}

/// Whether a use does more than to pass the name on.
fn is_use(kind: ReferenceKind) -> bool {
    !matches!(
        kind,
        ReferenceKind::Import | ReferenceKind::ReExport | ReferenceKind::Mention
    )
}

/// Whether a use stands on a target's own line.
fn is_own(view: &LiveView, targets: &[SymbolId], hit: &ReferenceHit) -> bool {
    let mut here = targets.iter().filter(|id| id.file == hit.file);
    here.any(|id| view.symbol(*id).name_line == hit.line)
}
