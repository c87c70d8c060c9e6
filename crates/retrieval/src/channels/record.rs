//! The channels' part of a trace: what each weighed, found and took.

use crate::terms::Channel;
use serde::{Deserialize, Serialize};
use specta::Type;

/// A channel's weight for this query: prior, then changed by the query's shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ChannelWeight {
    /// The channel.
    pub channel: Channel,
    /// The weight from settings.
    pub prior: f64,
    /// The weight used.
    pub effective: f64,
    /// Why they differ; empty when they do not.
    pub reason: String,
}

/// What a channel did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ChannelRun {
    /// The channel.
    pub channel: Channel,
    /// Hits it gave to fusion.
    pub n_hits: u32,
    /// Wall time in milliseconds.
    pub elapsed_ms: f64,
    /// What of it went into encoding the query, where it did; also unset in older traces.
    pub encode_ms: Option<f64>,
    /// Why it did not run or did not finish; `None` when it ran to its end.
    pub skipped: Option<String>,
}
