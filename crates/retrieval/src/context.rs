//! What a search is given, and what every stage of it works with.

use crate::channels::Bm25;
use crate::coverage::Coverage;
use crate::gate::GateSettings;
use crate::issue::PastChanges;
use crate::query::{Filters, ParsedQuery, QueryShape};
use crate::refine::{LazyTokens, TokenIndex};
use crate::search_index::{SearchIndex, SymbolGraph};
use crate::settings::{ChannelWeights, Stage, Tuning};
use crate::terms::Channel;
use roaring::RoaringBitmap;
use std::collections::HashMap;
use std::time::Duration;
use std::time::Instant;
use whyrank_index::{Pool, PoolOffset};
use whyrank_inference::{BiEncoder, CrossEncoder, StaticEncoder};

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

/// The file that is open where a question is asked, and those next to it by imports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenFile {
    /// Its path.
    pub path: String,
    /// Files that it imports, sorted.
    pub imports: Vec<u32>,
    /// Files that import it, sorted.
    pub importers: Vec<u32>,
}

/// What a search runs on.
pub struct SearchContext<'a> {
    /// The stores: one, or those of a pool, in its order.
    pub stores: Pool<'a>,
    /// The view and what is derived from it.
    pub index: &'a SearchIndex,
    /// What the commits before the view's changed, for each repository; `None` where nobody asks or
    /// knows.
    pub past: Vec<Option<&'a PastChanges>>,
    /// The symbol graph of each repository, `None` where one has none yet; or why there is none at all.
    pub graph: std::result::Result<Vec<Option<&'a SymbolGraph>>, String>,
    /// The encoder, or why there is none.
    pub encoder: std::result::Result<&'a dyn BiEncoder, String>,
    /// The static table, or why it is not asked.
    pub static_encoder: std::result::Result<&'a StaticEncoder, String>,
    /// Token vectors for late interaction, or why there are none.
    pub tokens: std::result::Result<&'a dyn TokenIndex, String>,
    /// The cross-encoder, or why it cannot be used; `None` where there are no weights.
    pub cross: Option<std::result::Result<&'a dyn CrossEncoder, String>>,
    /// What late interaction took lately, milliseconds.
    pub expected_refine_ms: Option<f64>,
    /// Coverage, for the trace.
    pub coverage: Coverage,
    /// Repositories of a pool that the asking one imports, by name, each with the asking one's name.
    pub imported: HashMap<String, String>,
    /// The files next to the one that is open, if one is.
    pub open_file: Option<OpenFile>,
    /// The repository's id, for the trace; that of the asking one where several are asked.
    pub repo: String,
}

impl SearchContext<'_> {
    /// The place of each repository that is asked in the pool of all.
    pub(crate) fn offsets(&self) -> impl Iterator<Item = PoolOffset> + '_ {
        let parts = self.index.parts().iter().map(|part| part.offset);
        let single = self.index.parts().is_empty().then(PoolOffset::default);
        single.into_iter().chain(parts)
    }
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
    /// The last word may be the beginning of one: somebody types.
    pub prefix: bool,
}

impl SearchQuery {
    /// Says whether the symbol graph can change the answer.
    pub fn needs_graph(&self) -> bool {
        self.weights.get(Channel::Graph) > 0.0
    }

    pub(crate) fn has(&self, stage: Stage) -> bool {
        !self.off.contains(&stage)
    }

    pub(crate) fn wants_distinct_files(&self) -> bool {
        self.distinct_files && self.has(Stage::DistinctFiles)
    }
}

/// One search: its stores and models, its request, and the query as it was understood.
#[derive(Clone, Copy)]
pub(crate) struct QueryContext<'a, 't> {
    /// Stores, view and models.
    pub(crate) search: &'a SearchContext<'a>,
    pub(crate) request: &'a SearchQuery,
    pub(crate) query: &'a ParsedQuery,
    /// Coefficients of evidence: those of the request, or none where that stage is switched off.
    /// Later stages read those of the request.
    pub(crate) evidence_tuning: &'a Tuning,
    /// Chunks that the filters let through.
    pub(crate) allowed: &'a RoaringBitmap,
    pub(crate) tokens: &'a LazyTokens<'t>,
    pub(crate) bm25: &'a Bm25<'a>,
    /// The query by the static table, or why there is none.
    pub(crate) static_query: &'a std::result::Result<Vec<f32>, String>,
    /// When the last channel may begin, and late interaction ends: the last resort.
    pub(crate) deadline: Instant,
}

impl<'a> QueryContext<'a, '_> {
    pub(crate) fn index(&self) -> &'a SearchIndex {
        self.search.index
    }

    /// What a first place brings at weight 1: terms are multiples of it.
    pub(crate) fn unit(&self) -> f64 {
        1.0 / (self.request.rrf_k + 1.0)
    }

    /// Whether the query describes one place, for evidence and what follows it.
    pub(crate) fn is_description(&self) -> bool {
        let n_words = self.evidence_tuning.description_words;
        self.query.is_description(n_words)
    }

    /// Whether the query asks which files a topic lies in, rather than for one place or change.
    pub(crate) fn is_topic(&self) -> bool {
        let n_words = self.evidence_tuning.description_words;
        self.query.shape == QueryShape::NaturalLanguage && !self.query.is_worded_as_comment(n_words)
    }

    /// Returns what a coefficient is multiplied by, `factor` where one place is described, and that
    /// in words.
    pub(crate) fn described(&self, factor: f64) -> (f64, String) {
        times(self.is_description(), factor, "in a description")
    }

    /// Returns the same where the query is worded as the comment of one place.
    pub(crate) fn as_comment(&self, factor: f64) -> (f64, String) {
        let n_words = self.evidence_tuning.description_words;
        let is_comment = self.query.is_worded_as_comment(n_words);
        times(is_comment, factor, "for the words of a comment")
    }

    /// Returns the same where the query is an identifier.
    pub(crate) fn named(&self, factor: f64) -> (f64, String) {
        let is_identifier = self.query.shape == QueryShape::Identifier;
        times(is_identifier, factor, "for an identifier")
    }
}

fn times(holds: bool, factor: f64, where_it_holds: &str) -> (f64, String) {
    if holds && factor != 1.0 {
        (factor, format!(", times {factor} {where_it_holds}"))
    } else {
        (1.0, String::new())
    }
}
