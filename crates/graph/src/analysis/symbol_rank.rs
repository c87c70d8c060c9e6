//! PageRank over symbols.

use rustc_hash::FxHashMap;
use std::sync::Arc;
use whyrank_syntax::ReferenceKind;

use crate::{
    input::files::SymbolId,
    pagerank::{
        numbers::{Numbers, Sections},
        weighted_graph::{DAMPING, GraphRows, scaled_to_max},
    },
    references::{
        find_references::NamedUse, overlay::UsesOverlay, reference_index::ReferenceIndex,
        reference_query::ReferenceQuery, stored_uses::first_symbols, uses::Target,
        view_parts::ViewParts,
    },
    resolution::{name_table::NameTable, symbol_table::SymbolTable},
};

/// The rank of every symbol of a view, the largest 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymbolRanks {
    offsets: Vec<u32>,
    ranks: Numbers<f32>,
    /// Where the ranks are those of an earlier state.
    later: Option<LaterView>,
}

/// A view a few edits after its ranks.
#[derive(Clone, Debug, PartialEq)]
struct LaterView {
    overlay: Arc<UsesOverlay>,
    /// Of files whose definitions have other indices.
    changed: FxHashMap<u32, Vec<f32>>,
}

impl SymbolRanks {
    /// Returns the rank of a symbol; 0 for one that is not in the view.
    pub fn get(&self, id: SymbolId) -> f32 {
        self.of_file(id.file)
            .get(id.symbol as usize)
            .copied()
            .unwrap_or(0.0)
    }

    /// Returns the ranks of a file's symbols; none of a file that is newer than the ranks.
    pub fn of_file(&self, file: u32) -> &[f32] {
        let Some(later) = &self.later else {
            return self.as_made(file);
        };
        match later.changed.get(&file) {
            Some(ranks) => ranks,
            None => {
                let before = later.overlay.renumbering.file_before(file);
                before.map_or(&[], |before| self.as_made(before))
            }
        }
    }

    /// By the index that the file had when the ranks were made.
    fn as_made(&self, file: u32) -> &[f32] {
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
        fits.then_some(Self {
            offsets,
            ranks,
            later: None,
        })
    }

    /// Opens the ranks of an earlier state in a file that holds its uses too: definitions keep theirs, new
    /// ones have 0. `None` where the two do not belong together.
    pub fn overlaid(
        file: Arc<dyn Sections>,
        section: usize,
        overlay: Arc<UsesOverlay>,
    ) -> Option<Self> {
        let offsets = first_symbols(&file);
        let n_symbols = offsets.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
        let mut ranks = Self::mapped(file, section, n_symbols)?;
        let changed = overlay.renumbering.changed().map(|(file, symbols)| {
            let before = overlay.renumbering.file_before(file);
            let old = before.map_or(&[][..], |before| ranks.as_made(before));
            let rank = |before: &Option<u32>| {
                let rank = before.and_then(|before| old.get(before as usize));
                rank.copied().unwrap_or(0.0)
            };
            (file, symbols.iter().map(rank).collect())
        });
        let changed = changed.collect();
        ranks.later = Some(LaterView { overlay, changed });
        Some(ranks)
    }
}

/// Ranks symbols by who uses them; guesses lend nothing.
pub fn symbol_rank(uses: &ReferenceQuery<'_>) -> SymbolRanks {
    let mut ranking = Ranking::of(uses.resolver.table);
    for file in 0..uses.resolver.files.len() as u32 {
        ranking.add(uses, file);
    }
    ranking.finish()
}

/// Returns the same, with no more of the files in memory than there is room for.
pub fn symbol_rank_of(parts: &ViewParts<'_>, known: &ReferenceIndex) -> SymbolRanks {
    let mut ranking = Ranking::of(parts.table);
    parts.each_file(known, &mut |uses, file| ranking.add(uses, file));
    ranking.finish()
}

/// Ranks in the making.
struct Ranking {
    offsets: Vec<u32>,
    names: NameTable,
    named: FxHashMap<(u32, NamedUse<'static>), Option<SymbolId>>,
    graph: GraphRows,
}

impl Ranking {
    fn of(table: &SymbolTable) -> Self {
        let offsets = symbol_offsets(table);
        let n_symbols = offsets.last().copied().unwrap_or(0) as usize;
        Self {
            offsets,
            names: NameTable::default(),
            named: FxHashMap::default(),
            graph: GraphRows::new(n_symbols),
        }
    }

    fn node(&self, id: SymbolId) -> u32 {
        self.offsets[id.file as usize] + id.symbol
    }

    /// Adds the next file: all that its definitions use is in it.
    fn add(&mut self, uses: &ReferenceQuery<'_>, file: u32) {
        let known = uses.known.glance(file);
        let mut edges = Vec::new();
        for edge in known.edges(file) {
            let (Some(symbol), weight) = (edge.enclosing, weight(edge.kind)) else {
                continue;
            };
            let target = match edge.target {
                _ if weight <= 0.0 => None,
                Target::Definition(id) => Some(id),
                Target::Name(name) => {
                    let what = NamedUse::new(&uses.resolver, file, name, edge.bare, edge.kind);
                    let key = (self.names.add(name), what.of_any_name());
                    let named = &mut self.named;
                    *named.entry(key).or_insert_with(|| uses.named_by(&what))
                }
            };
            let from = self.node(SymbolId { file, symbol });
            let edge = target.map(|target| (from, self.node(target), weight));
            edges.extend(edge);
        }
        self.graph.add(edges);
    }

    fn finish(self) -> SymbolRanks {
        let ranks = self.graph.finish().page_rank(DAMPING, None);
        SymbolRanks {
            offsets: self.offsets,
            ranks: Numbers::Owned(scaled_to_max(ranks)),
            later: None,
        }
    }
}

/// Where each file's definitions begin among all, and their number at the end.
pub(crate) fn symbol_offsets(table: &SymbolTable) -> Vec<u32> {
    let mut offsets = vec![0u32];
    for n_symbols in table.n_symbols() {
        offsets.push(offsets[offsets.len() - 1] + n_symbols);
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
