#![doc = include_str!("../README.md")]

mod codec;
mod error;
mod exact;
mod kernels;
mod matrix;
mod query;
mod search;
mod segment;
mod shard;

pub use codec::{Bits, Codec, Encoded, Training};
pub use error::{Error, Result};
pub use exact::{best_tokens, max_sim};
pub use matrix::{Document, TokenMatrix};
pub use query::Query;
pub use search::{Alignment, Hit, Products, Rescored, TokenMatch, WideOptions, WideResult};
pub use shard::{Shard, ShardOptions, ShardStats, Stale};

/// The widest vector that a codec takes.
pub const MAX_DIM: usize = 1024;

/// Counts up when files of older versions can no longer be read; they are refused as damaged.
pub const FORMAT_VERSION: u32 = 4;

/// The longest query. Longer ones are the caller's to cut: what a query says after this many tokens,
/// no encoder has seen.
pub const MAX_QUERY_TOKENS: usize = 1024;
