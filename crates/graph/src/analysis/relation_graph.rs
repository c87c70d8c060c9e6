//! Definitions and files as one graph, for walks from some definitions to what belongs to them.
//!
//! Definitions of a file are not tied to each other pair by pair: the file is a hub between them. Every
//! edge can be walked backwards at half its weight, so that callers are reached as well as callees.

pub(super) use super::relation::AGAINST;

pub use super::relation::Relation;

use std::sync::Arc;

use crate::{
    analysis::ties::Ties,
    imports::import_graph::ImportGraph,
    input::files::{FileInput, SymbolId},
    pagerank::{
        numbers::{Numbers, Sections},
        personalized_pagerank::{PushLimits, PushOutcome, PushScratch},
        weighted_graph::{DAMPING, WeightedGraph, scaled_to_max},
    },
    references::{overlay::UsesOverlay, reference_index::ReferenceIndex},
    resolution::symbol_table::SymbolTable,
};

/// Sections of a file of relations; further ones are the caller's.
pub const RELATION_SECTIONS: usize = 5;
const FIRST_DEFINITIONS: usize = 4;

/// A node, told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationNode {
    /// A definition.
    Definition(SymbolId),
    /// A file of the view.
    File(u32),
}

/// A step of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RelationStep {
    /// Where it leads.
    pub node: RelationNode,
    /// By what.
    pub relation: Relation,
    /// Whether it goes against the relation: from callee to caller.
    pub is_backwards: bool,
}

/// The definitions and files of a view with how they belong together; rows sum to 1.
#[derive(Clone, Debug, Default)]
pub struct RelationGraph {
    graph: WeightedGraph,
    /// Strongest relation of each edge, [`AGAINST`] set where it is walked backwards.
    kinds: Numbers<u8>,
    /// First definition of each file; the files follow the last definition.
    offsets: Vec<u32>,
    /// Where it is read from, if it is not in memory.
    file: Option<Arc<dyn Sections>>,
    /// Where what it was made from is now, if it is of an earlier state.
    later: Option<Arc<UsesOverlay>>,
}

impl PartialEq for RelationGraph {
    fn eq(&self, other: &Self) -> bool {
        (&self.graph, &self.kinds, &self.offsets) == (&other.graph, &other.kinds, &other.offsets)
    }
}

impl RelationGraph {
    /// Ties the definitions of a view together. `file_share` scales the edges into each file, 0 to 1:
    /// a file of share 0 is not entered. O(edges log degree); goes over the uses twice, so that edges take
    /// no more memory than the graph.
    pub fn new(
        files: &[FileInput<'_>],
        imports: &ImportGraph,
        table: &SymbolTable,
        uses: &ReferenceIndex,
        file_share: &[f32],
    ) -> Self {
        let (offsets, [rows, targets], weights, kinds) =
            Ties::new(files, imports, table, uses, file_share).rows();
        Self {
            graph: WeightedGraph::from_rows(rows, targets, weights).normalised(),
            kinds: Numbers::Owned(kinds),
            offsets,
            file: None,
            later: None,
        }
    }

    /// What a file of it holds: rows, targets, weights, relations, first definitions.
    pub fn sections(&self) -> [&[u8]; RELATION_SECTIONS] {
        let [rows, targets, weights] = self.graph.sections();
        let first = bytemuck::cast_slice(&self.offsets);
        [rows, targets, weights, self.kinds.all(), first]
    }

    /// The graph in a file, which is read where a walk goes; `None` where it is not that of files with so
    /// many definitions each, or cannot be read. O(files).
    pub fn mapped(file: Arc<dyn Sections>, n_symbols: impl Iterator<Item = usize>) -> Option<Self> {
        let mut starts = vec![0u32];
        for n in n_symbols {
            starts.push(starts.last().copied().unwrap_or(0) + n as u32);
        }
        let offsets: Numbers<u32> = Numbers::Mapped(Arc::clone(&file), FIRST_DEFINITIONS);
        if offsets.all() != starts {
            return None;
        }
        let graph = WeightedGraph::mapped(&file, [0, 1, 2]);
        let kinds = Numbers::Mapped(Arc::clone(&file), 3);
        let n_nodes = starts[starts.len() - 1] as usize + starts.len() - 1;
        let fits = graph.fits(n_nodes) && kinds.len() == graph.n_edges();
        fits.then_some(Self {
            graph,
            kinds,
            offsets: starts,
            file: Some(file),
            later: None,
        })
    }

    /// The graph in a file that is of the state before some edits: walks go as they went then, between the
    /// definitions that are still there. `None` where the two do not belong together.
    pub fn overlaid(file: Arc<dyn Sections>, overlay: Arc<UsesOverlay>) -> Option<Self> {
        let offsets: Numbers<u32> = Numbers::Mapped(Arc::clone(&file), FIRST_DEFINITIONS);
        let offsets = offsets.all().to_vec();
        let n_before = offsets.len().checked_sub(1)?;
        let is_it = offsets.is_sorted() && overlay.renumbering.n_before() == n_before;
        let n_symbols = offsets.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
        let graph = is_it.then(|| Self::mapped(file, n_symbols))??;
        Some(Self {
            later: Some(overlay),
            ..graph
        })
    }

    /// Says whether a part of it could not be read: what walks came to since must not be used.
    pub fn met_damage(&self) -> bool {
        self.file.as_ref().is_some_and(|file| file.met_damage())
    }

    /// Returns the number of nodes: definitions and files.
    pub fn n_nodes(&self) -> usize {
        self.graph.n_nodes()
    }

    /// Returns the number of edges, both directions counted.
    pub fn n_edges(&self) -> usize {
        self.graph.n_edges()
    }

    /// Returns the node of a definition or a file; `None` for one that is not in the view.
    pub fn index(&self, node: RelationNode) -> Option<u32> {
        let bounds = |file: u32| {
            let start = *self.offsets.get(file as usize)?;
            Some((start, *self.offsets.get(file as usize + 1)?))
        };
        match self.before(node)? {
            RelationNode::Definition(id) => {
                let (start, end) = bounds(id.file)?;
                Some(start + id.symbol).filter(|node| *node < end)
            }
            RelationNode::File(file) => bounds(file).map(|_| self.n_symbols() + file),
        }
    }

    /// Returns what a node is; `None` for what is gone from a later view.
    pub fn node(&self, index: u32) -> Option<RelationNode> {
        let n_symbols = self.n_symbols();
        let node = if index >= n_symbols {
            RelationNode::File(index - n_symbols)
        } else {
            let file = self.offsets.partition_point(|start| *start <= index) as u32 - 1;
            RelationNode::Definition(SymbolId {
                file,
                symbol: index - self.offsets[file as usize],
            })
        };
        let Some(overlay) = &self.later else {
            return Some(node);
        };
        Some(match node {
            RelationNode::Definition(id) => RelationNode::Definition(overlay.renumbering.now(id)?),
            RelationNode::File(file) => RelationNode::File(overlay.renumbering.file_now(file)?),
        })
    }

    /// What a node was called when the graph was made.
    fn before(&self, node: RelationNode) -> Option<RelationNode> {
        let Some(overlay) = &self.later else {
            return Some(node);
        };
        Some(match node {
            RelationNode::Definition(id) => {
                RelationNode::Definition(overlay.renumbering.before(id)?)
            }
            RelationNode::File(file) => RelationNode::File(overlay.renumbering.file_before(file)?),
        })
    }

    /// Returns how central each node is, the largest 1.
    pub fn page_rank(&self) -> Vec<f32> {
        scaled_to_max(self.graph.page_rank(DAMPING, None))
    }

    /// Returns what lies near the seeds: [`WeightedGraph::push`].
    pub fn near(
        &self,
        seeds: &[(u32, f32)],
        limits: PushLimits,
        scratch: &mut PushScratch,
    ) -> PushOutcome {
        self.graph.push(seeds, limits, scratch)
    }

    /// Returns what ties a node to its neighbour; `None` when nothing does, or it is gone.
    pub fn step(&self, from: u32, to: u32) -> Option<RelationStep> {
        let mut targets = self.graph.edges(from).map(|(target, _)| target);
        let at = self.graph.row(from).start + targets.position(|target| target == to)?;
        let kind = self.kinds.at(at)?;
        Some(RelationStep {
            node: self.node(to)?,
            relation: *Relation::ALL.get(usize::from(kind & !AGAINST))?,
            is_backwards: kind & AGAINST != 0,
        })
    }

    fn n_symbols(&self) -> u32 {
        self.offsets.last().copied().unwrap_or(0)
    }
}
