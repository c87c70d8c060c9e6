//! What is asked, and what an answer may lean on and take.

use crate::filters::Filters;
use crate::gate::GateSettings;
use crate::past::PastChanges;
use crate::refine::TokenIndex;
use crate::search_index::SearchIndex;
use crate::settings::{ChannelWeights, Stage, Tuning};
use crate::symbol_graph::SymbolGraph;
use crate::terms::Channel;
use crate::trace::Coverage;
use std::time::Duration;
use whyrank_index::Reader;
use whyrank_inference::{BiEncoder, CrossEncoder, SparseEncoder};

/// What all channels together are to take, for the trace: nothing is cut there.
pub const CANDIDATES_BUDGET: Duration = Duration::from_millis(120);

/// What late interaction is to take, for the trace.
pub const REFINE_BUDGET: Duration = Duration::from_millis(180);

/// What the cross-encoder is to take, for the trace.
pub const CROSS_BUDGET: Duration = Duration::from_millis(150);

/// Nothing more is begun so long after a search began.
///
/// Stages are bounded in work (postings, edges, candidates), so that the same index gives the same
/// answer however busy the machine is. This is for what no such bound foresees.
pub const LAST_RESORT: Duration = Duration::from_secs(4);

/// What a search runs on.
pub struct SearchContext<'a> {
    /// The store.
    pub reader: &'a Reader,
    /// The view and what is derived from it.
    pub index: &'a SearchIndex,
    /// What the commits before the view's changed; `None` where nobody asks or knows.
    pub past: Option<&'a PastChanges>,
    /// The symbol graph of the view, or why there is none.
    pub graph: std::result::Result<&'a SymbolGraph, String>,
    /// The encoder, or why there is none.
    pub encoder: std::result::Result<&'a dyn BiEncoder, String>,
    /// Token vectors for late interaction, or why there are none.
    pub tokens: std::result::Result<&'a dyn TokenIndex, String>,
    /// The sparse encoder, or why it cannot be used; `None` where none is chosen.
    pub sparse: Option<std::result::Result<&'a dyn SparseEncoder, String>>,
    /// The cross-encoder, or why it cannot be used; `None` where there are no weights.
    pub cross: Option<std::result::Result<&'a dyn CrossEncoder, String>>,
    /// What late interaction took lately, milliseconds.
    pub expected_refine_ms: Option<f64>,
    /// Coverage, for the trace.
    pub coverage: Coverage,
    /// The repository's id, for the trace.
    pub repo: String,
}

/// What is searched for and how.
#[derive(Clone, Debug)]
pub struct SearchQuery {
    /// Id of the answer to be.
    pub query_id: String,
    /// The query as given.
    pub text: String,
    /// Hits at most.
    pub limit: usize,
    /// One hit a file.
    pub distinct_files: bool,
    /// Filters.
    pub filters: Filters,
    /// Channel weights.
    pub weights: ChannelWeights,
    /// The constant of reciprocal rank fusion.
    pub rrf_k: f64,
    /// Coefficients of evidence.
    pub tuning: Tuning,
    /// When late interaction runs.
    pub gate: GateSettings,
    /// Stages that are switched off.
    pub off: Vec<Stage>,
}

impl SearchQuery {
    /// Whether the symbol graph can change the answer.
    pub fn needs_graph(&self) -> bool {
        self.weights.get(Channel::Graph) > 0.0 || self.tuning.graph_blend > 0.0
    }

    pub(crate) fn has(&self, stage: Stage) -> bool {
        !self.off.contains(&stage)
    }

    pub(crate) fn wants_distinct_files(&self) -> bool {
        self.distinct_files && self.has(Stage::DistinctFiles)
    }
}
