//! What the crate's documentation claims, compared with exact MaxSim.
#![expect(clippy::unwrap_used, reason = "tests")]

mod codec;
mod damage;
mod limits;
mod shard;
mod support;
mod wide;
