//! Channels, fusion, evidence, trace.

mod trace;

pub use trace::{
    Channel, ChannelRank, ChannelRun, ChannelWeight, Coverage, Evidence, QueryShape, StageTiming,
    Trace, TraceRow,
};
