//! The structure of a view, worked out once: who depends on whom, and what belongs together.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;
use whyrank_graph::{FileGraph, SettledUses, TermTable};

/// What is worked out once for a view.
#[derive(Default)]
pub(crate) struct KnownStructure {
    pub(super) dependencies: OnceLock<FileDependencies>,
    pub(super) clusters: OnceLock<ClusterMap>,
    pub(super) topics: OnceLock<ClusterMap>,
}

/// Who depends on whom.
pub(super) struct FileDependencies {
    pub(super) links: SettledUses,
    pub(super) files: FileGraph,
}

/// The communities of a view, of any size.
pub(super) struct ClusterMap {
    pub(super) members: Vec<Member>,
    /// The members of each community, by importance; communities by importance.
    pub(super) groups: Vec<Vec<u32>>,
    pub(super) group_of: Vec<u32>,
    pub(super) edges: BTreeMap<(u32, u32), Tie>,
    pub(super) modularity: f64,
    pub(super) terms: TermTable,
    /// How a stem is written most often.
    pub(super) written: HashMap<String, String>,
    pub(super) by_definition: bool,
}

/// A file, or a definition with what lies in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Member {
    pub(super) file: u32,
    pub(super) symbol: Option<u32>,
}

/// How a member depends on another.
#[derive(Clone, Copy, Default)]
pub(super) struct Tie {
    pub(super) weight: f32,
    pub(super) n_uses: u32,
    pub(super) line: u32,
}
