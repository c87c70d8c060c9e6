//! PageRank over symbols.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use whyrank_syntax::ReferenceKind;

use crate::{
    input::files::SymbolId,
    pagerank::weighted_graph::{DAMPING, WeightedGraph, scaled_to_max},
    references::{
        find_references::NamedUse, reference_index::Target, reference_query::ReferenceQuery,
    },
};

/// The rank of every symbol of a view, the largest 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SymbolRanks {
    offsets: Vec<u32>,
    ranks: Vec<f32>,
}

impl SymbolRanks {
    /// The rank of a symbol; 0 for one that is not in the view.
    pub fn get(&self, id: SymbolId) -> f32 {
        self.of_file(id.file)
            .get(id.symbol as usize)
            .copied()
            .unwrap_or(0.0)
    }

    /// The ranks of a file's symbols.
    pub fn of_file(&self, file: u32) -> &[f32] {
        let file = file as usize;
        match (self.offsets.get(file), self.offsets.get(file + 1)) {
            (Some(start), Some(end)) => &self.ranks[*start as usize..*end as usize],
            _ => &[],
        }
    }
}

/// Ranks symbols by who uses them; guesses lend nothing.
pub fn symbol_rank(uses: &ReferenceQuery<'_>) -> SymbolRanks {
    let files = uses.resolver.files;
    let mut offsets = vec![0u32];
    for input in files {
        let start = offsets.last().copied().unwrap_or(0);
        offsets.push(start + input.facts.symbols.len() as u32);
    }
    let node = |id: SymbolId| offsets[id.file as usize] + id.symbol;
    let mut named: FxHashMap<NamedUse<'_>, Option<SymbolId>> = FxHashMap::default();
    let mut edges: Vec<(u32, u32, f32)> = Vec::new();
    for file in 0..files.len() as u32 {
        for edge in uses.edges_of(file) {
            let (Some(symbol), weight) = (edge.enclosing, weight(edge.kind)) else {
                continue;
            };
            let target = match edge.target {
                _ if weight <= 0.0 => None,
                Target::Definition(id) => Some(id),
                Target::Name(name) => {
                    let what = NamedUse::new(&uses.resolver, file, (name, edge.bare, edge.kind));
                    *named.entry(what).or_insert_with(|| uses.named_by(&what))
                }
            };
            let from = node(SymbolId { file, symbol });
            edges.extend(target.map(|target| (from, node(target), weight)));
        }
    }
    let n_symbols = offsets.last().copied().unwrap_or(0) as usize;
    let ranks = WeightedGraph::new(n_symbols, &edges).page_rank(DAMPING, None);
    SymbolRanks {
        offsets,
        ranks: scaled_to_max(ranks),
    }
}

fn weight(kind: ReferenceKind) -> f32 {
    match kind {
        ReferenceKind::Call | ReferenceKind::Decorator => 1.0,
        ReferenceKind::Read | ReferenceKind::Write => 0.8,
        ReferenceKind::Inherit => 0.7,
        ReferenceKind::Type => 0.6,
        ReferenceKind::Import | ReferenceKind::ReExport | ReferenceKind::Mention => 0.0,
    }
}
