//! PageRank over symbols.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use whyrank_syntax::ReferenceKind;

use crate::{
    input::files::{FileInput, SymbolId},
    pagerank::{
        numbers::{Numbers, Sections},
        weighted_graph::{DAMPING, WeightedGraph, scaled_to_max},
    },
    references::{
        find_references::NamedUse,
        reference_index::{ReferenceIndex, Target},
        reference_query::ReferenceQuery,
        update::ViewParts,
    },
};

/// The rank of every symbol of a view, the largest 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymbolRanks {
    offsets: Vec<u32>,
    ranks: Numbers<f32>,
}

impl SymbolRanks {
    /// Returns the rank of a symbol; 0 for one that is not in the view.
    pub fn get(&self, id: SymbolId) -> f32 {
        self.of_file(id.file)
            .get(id.symbol as usize)
            .copied()
            .unwrap_or(0.0)
    }

    /// Returns the ranks of a file's symbols.
    pub fn of_file(&self, file: u32) -> &[f32] {
        let file = file as usize;
        match (self.offsets.get(file), self.offsets.get(file + 1)) {
            (Some(start), Some(end)) => self.ranks.get(*start as usize..*end as usize),
            _ => &[],
        }
    }

    /// Returns what a file of them holds.
    pub fn section(&self) -> &[u8] {
        bytemuck::cast_slice(self.ranks.all())
    }

    /// Opens ranks in a section of a file; `None` where they are not those of files with so many
    /// definitions each.
    pub fn mapped(
        file: Arc<dyn Sections>,
        section: usize,
        n_symbols: impl Iterator<Item = usize>,
    ) -> Option<Self> {
        let mut offsets = vec![0u32];
        for n in n_symbols {
            offsets.push(offsets[offsets.len() - 1] + n as u32);
        }
        let ranks: Numbers<f32> = Numbers::Mapped(file, section);
        let fits = ranks.len() == offsets[offsets.len() - 1] as usize;
        fits.then_some(Self { offsets, ranks })
    }
}

/// Ranks symbols by who uses them; guesses lend nothing.
pub fn symbol_rank(uses: &ReferenceQuery<'_>) -> SymbolRanks {
    let mut ranking = Ranking::of(uses.resolver.files);
    for file in 0..uses.resolver.files.len() as u32 {
        ranking.add(uses, uses.known, file);
    }
    ranking.finish()
}

/// Returns the same, with no more of the files in memory than there is room for.
pub fn symbol_rank_of(parts: &ViewParts<'_>, known: &ReferenceIndex) -> SymbolRanks {
    let mut ranking: Option<Ranking<'_>> = None;
    let (mut next, mut n_files) = (0u32, u32::MAX);
    while next < n_files {
        parts.files.open(&mut |open| {
            n_files = open.files.len() as u32;
            let ranking = ranking.get_or_insert_with(|| Ranking::of(open.files));
            let uses = ReferenceQuery::new(open.files, parts.imports, parts.table, known);
            while next < n_files {
                ranking.add(&uses, known, next);
                next += 1;
                if (open.is_full)() {
                    break;
                }
            }
        });
    }
    ranking.map(Ranking::finish).unwrap_or_default()
}

/// Ranks in the making.
struct Ranking<'n> {
    offsets: Vec<u32>,
    named: FxHashMap<NamedUse<'n>, Option<SymbolId>>,
    edges: Vec<(u32, u32, f32)>,
}

impl<'n> Ranking<'n> {
    fn of(files: &[FileInput<'_>]) -> Self {
        Self {
            offsets: symbol_offsets(files),
            named: FxHashMap::default(),
            edges: Vec::new(),
        }
    }

    fn node(&self, id: SymbolId) -> u32 {
        self.offsets[id.file as usize] + id.symbol
    }

    fn add(&mut self, uses: &ReferenceQuery<'_>, known: &'n ReferenceIndex, file: u32) {
        for edge in known.edges_of(file) {
            let (Some(symbol), weight) = (edge.enclosing, weight(edge.kind)) else {
                continue;
            };
            let target = match edge.target {
                _ if weight <= 0.0 => None,
                Target::Definition(id) => Some(id),
                Target::Name(name) => {
                    let what = NamedUse::new(&uses.resolver, file, name, edge.bare, edge.kind);
                    let named = &mut self.named;
                    *named.entry(what).or_insert_with(|| uses.named_by(&what))
                }
            };
            let from = self.node(SymbolId { file, symbol });
            let edge = target.map(|target| (from, self.node(target), weight));
            self.edges.extend(edge);
        }
    }

    fn finish(self) -> SymbolRanks {
        let n_symbols = self.offsets.last().copied().unwrap_or(0) as usize;
        let ranks = WeightedGraph::new(n_symbols, &self.edges).page_rank(DAMPING, None);
        SymbolRanks {
            offsets: self.offsets,
            ranks: Numbers::Owned(scaled_to_max(ranks)),
        }
    }
}

/// Where each file's definitions begin among all, and their number at the end.
pub(crate) fn symbol_offsets(files: &[FileInput<'_>]) -> Vec<u32> {
    let mut offsets = vec![0u32];
    for input in files {
        let start = offsets.last().copied().unwrap_or(0);
        let n_symbols = input.with_facts(|facts| facts.symbols.len() as u32);
        offsets.push(start + n_symbols);
    }
    offsets
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
