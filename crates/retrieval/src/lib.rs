//! Channels, fusion, evidence, trace.
//!
//! The path of a query, in module order, is called on one page: [`pipeline`](search).

mod blend;
mod channels;
mod error;
mod evidence;
mod file_name;
mod filters;
mod fuse;
mod kind;
mod pipeline;
mod present;
mod query;
mod roles;
mod search_index;
mod settings;
mod symbol_graph;
mod trace;
mod within_file;

pub use channels::RankedChunk;
pub use error::{Result, RetrievalError};
pub use filters::{Filters, PathFilter};
pub use fuse::{Fused, WeightedList, fuse};
pub use kind::{kind_name, reference_name};
pub use pipeline::{
    CANDIDATES_BUDGET, RankedHit, SearchContext, SearchOutcome, SearchQuery, search,
};
pub use query::ParsedQuery;
pub use roles::FileRole;
pub use search_index::{SearchIndex, SymbolRef};
pub use settings::{ChannelWeights, Stage, Tuning};
pub use symbol_graph::SymbolGraph;
pub use trace::{
    Channel, ChannelRank, ChannelRun, ChannelWeight, Coverage, Evidence, QueryShape, StageTiming,
    Trace, TraceRow,
};
