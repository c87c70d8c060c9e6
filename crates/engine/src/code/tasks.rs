//! Broad questions: hits with what surrounds them in the graph.

use crate::Engine;
use crate::api::{
    Hit, InvestigateRequest, InvestigateResponse, InvestigatedHit, NeighbourPlace, SearchFilters,
    SearchRequest,
};
use crate::code::structure::StructureSession;
use crate::error::Result;
use std::collections::{BTreeMap, HashMap, HashSet};
use whyrank_graph::{SettledUse, SymbolId};
use whyrank_retrieval::reference_name;

const DEFAULT_HITS: u32 = 15;
const MAX_HITS: u32 = 50;
const N_NEIGHBOURS: usize = 3;
/// Definitions between hits that are named.
const N_BETWEEN: usize = 6;
/// Hits that depend on a definition before it is between them.
const MIN_BETWEEN: usize = 2;

impl Engine {
    /// Asks all channels with their neighbours in the graph: for broad questions.
    ///
    /// # Errors
    /// As [`Engine::search`].
    pub fn investigate(&self, request: &InvestigateRequest) -> Result<InvestigateResponse> {
        let limit = match request.limit {
            0 => DEFAULT_HITS,
            limit => limit.min(MAX_HITS),
        };
        let found = self.search(&SearchRequest {
            repo: request.repo.clone(),
            query: request.query.clone(),
            limit,
            filters: SearchFilters::below(&request.paths),
            as_of: request.as_of.clone(),
            ..SearchRequest::default()
        })?;
        let alone = |hit: Hit| InvestigatedHit {
            hit,
            used_by: Vec::new(),
            uses: Vec::new(),
        };
        let mut response = InvestigateResponse {
            query_id: found.query_id,
            hits: found.hits.into_iter().map(alone).collect(),
            between: Vec::new(),
            n_candidates: found.n_candidates,
            notes: found.notes,
        };
        if request.alone {
            return Ok(response);
        }
        let session = self.open_graph(&request.repo, request.as_of.as_deref())?;
        session.with_structure(|structure| {
            let around = Neighbours::new(structure);
            let ids: Vec<Option<SymbolId>> = response
                .hits
                .iter()
                .map(|one| definition(structure, &one.hit))
                .collect();
            for (one, id) in response.hits.iter_mut().zip(&ids) {
                let Some(id) = id else {
                    continue;
                };
                one.used_by = around.used_by(*id, N_NEIGHBOURS).0;
                one.uses = around.uses(*id, N_NEIGHBOURS);
            }
            response.between = around.between(&ids.into_iter().flatten().collect::<Vec<_>>());
            Ok(())
        })?;
        Ok(response)
    }
}

/// The definition that a hit is; of a piece with several small ones, the most important.
pub(crate) fn definition(structure: &StructureSession<'_, '_>, hit: &Hit) -> Option<SymbolId> {
    let view = structure.view;
    let file = view.file(&hit.path)?;
    let mut inside: Vec<SymbolId> = structure
        .notable(file)
        .filter(|id| {
            let symbol = view.symbol(*id);
            match &hit.symbol {
                Some(name) => {
                    symbol.qualified == *name
                        && symbol.span.start_line <= hit.end_line
                        && hit.start_line <= symbol.span.end_line
                }
                None => {
                    hit.start_line <= symbol.span.start_line && symbol.span.end_line <= hit.end_line
                }
            }
        })
        .collect();
    structure.sort_by_rank(&mut inside);
    inside.first().copied()
}

/// Who uses what, from either end.
pub(crate) struct Neighbours<'n, 's, 'u> {
    structure: &'n StructureSession<'s, 'u>,
    /// Uses by the definition that uses.
    by_user: HashMap<SymbolId, Vec<usize>>,
}

impl<'n, 's, 'u> Neighbours<'n, 's, 'u> {
    pub(crate) fn new(structure: &'n StructureSession<'s, 'u>) -> Self {
        let mut by_user: HashMap<SymbolId, Vec<usize>> = HashMap::new();
        for (at, link) in structure.links.all().iter().enumerate() {
            if let Some(from) = link
                .from
                .filter(|from| link.confidence.is_certain() && *from != link.to)
            {
                by_user.entry(from).or_default().push(at);
            }
        }
        Self { structure, by_user }
    }

    fn is_code(&self, id: SymbolId) -> bool {
        !self.structure.view.is_test(id.file)
    }

    /// The most important users of a definition, and how many there are.
    pub(crate) fn used_by(&self, id: SymbolId, most: usize) -> (Vec<NeighbourPlace>, usize) {
        let links = self.structure.links.to(id).iter();
        let links = links.filter(|link| link.confidence.is_certain());
        let users = links.filter_map(|link| Some((link.from?, link)));
        self.important(users.filter(|(from, _)| self.is_code(*from)), most)
    }

    pub(crate) fn uses(&self, id: SymbolId, most: usize) -> Vec<NeighbourPlace> {
        self.important(self.used(id), most).0
    }

    fn used(&self, id: SymbolId) -> impl Iterator<Item = (SymbolId, &SettledUse)> {
        let links = self.structure.links.all();
        let places = self.by_user.get(&id).into_iter().flatten();
        places.map(move |at| (links[*at].to, &links[*at]))
    }

    fn important<'l>(
        &self,
        found: impl Iterator<Item = (SymbolId, &'l SettledUse)>,
        most: usize,
    ) -> (Vec<NeighbourPlace>, usize) {
        let mut first: BTreeMap<SymbolId, &SettledUse> = BTreeMap::new();
        for (id, link) in found {
            first.entry(id).or_insert(link);
        }
        let mut ids: Vec<SymbolId> = first.keys().copied().collect();
        self.structure.sort_by_rank(&mut ids);
        let shown = ids.iter().take(most).map(|id| self.place(*id, first[id]));
        (shown.collect(), ids.len())
    }

    fn place(&self, id: SymbolId, link: &SettledUse) -> NeighbourPlace {
        NeighbourPlace {
            symbol: self.structure.view.symbol_line(id),
            kind: reference_name(link.kind).to_owned(),
            path: self.structure.view.path(link.file).to_owned(),
            line: link.line,
        }
    }

    /// What several hits depend on or are used by, and is no hit itself.
    fn between(&self, hits: &[SymbolId]) -> Vec<NeighbourPlace> {
        let known: HashSet<SymbolId> = hits.iter().copied().collect();
        let mut ties: BTreeMap<SymbolId, (HashSet<SymbolId>, &SettledUse)> = BTreeMap::new();
        for hit in &known {
            let users = self.structure.links.to(*hit).iter();
            let users = users.filter(|link| link.confidence.is_certain());
            let users = users.filter_map(|link| Some((link.from?, link)));
            for (other, link) in users.chain(self.used(*hit)) {
                if !known.contains(&other) && self.is_code(other) {
                    ties.entry(other)
                        .or_insert_with(|| (HashSet::new(), link))
                        .0
                        .insert(*hit);
                }
            }
        }
        ties.retain(|_, (hits, _)| hits.len() >= MIN_BETWEEN);
        let mut ids: Vec<SymbolId> = ties.keys().copied().collect();
        self.structure.sort_by_rank(&mut ids);
        ids.sort_by_key(|id| std::cmp::Reverse(ties[id].0.len()));
        let shown = ids.iter().take(N_BETWEEN);
        shown.map(|id| self.place(*id, ties[id].1)).collect()
    }
}
