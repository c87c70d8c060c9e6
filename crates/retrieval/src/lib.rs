//! Channels, fusion, evidence, trace.
//!
//! The path of a query, in module order, is called on one page: [`pipeline`](search).

mod error;
mod trace;
mod settings;
mod query;
mod roles;
mod filters;
mod search_index;
mod channels;
mod fuse;
mod evidence;
mod present;
mod pipeline;
mod kind;

pub use error::{Result, RetrievalError};
pub use filters::Filters;
pub use kind::{kind_name, reference_name};
pub use pipeline::{
    CANDIDATES_BUDGET, RankedHit, SearchContext, SearchOutcome, SearchQuery, search,
};
pub use query::ParsedQuery;
pub use roles::FileRole;
pub use search_index::{SearchIndex, SymbolRef};
pub use settings::{ChannelWeights, Tuning};
pub use trace::{
    Channel, ChannelRank, ChannelRun, ChannelWeight, Coverage, Evidence, QueryShape, StageTiming,
    Trace, TraceRow,
};
