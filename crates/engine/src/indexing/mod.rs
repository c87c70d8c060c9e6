//! Repositories, and the jobs that index them.

mod by_use;
mod discover;
pub(crate) mod freshness;
mod in_vain;
pub(crate) mod jobs;
pub(crate) mod looks;
mod opened;
pub(crate) mod plausible;
pub(crate) mod repos;
pub(crate) mod run;
mod scope;
mod skipped;
mod summary;
mod vector_turns;
pub(crate) mod watching;
pub(crate) mod writer_turns;

pub use opened::OpenRepo;
