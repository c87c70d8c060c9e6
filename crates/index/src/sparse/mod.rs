//! Lane 4: weights of terms for each chunk's text, and search by them.
//!
//! As vectors, they belong to texts: a text that has been encoded before is linked, not encoded again.
//! Texts get ids from 1 upwards. Every 4,096 of them that are complete are folded into postings, by
//! term; the texts after the last fold are compared one by one. A posting, once written, never changes,
//! until texts are pruned and the rest get new ids.
//! A file that cannot be read is rebuilt by the next job; until then the channel is left out.

mod lane;
mod prune;
mod search;
mod store;

pub(crate) use prune::prune_sparse;
pub(crate) use search::CachedSparse;
pub(crate) use store::sparse_path;
