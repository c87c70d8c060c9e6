//! Git trees, working trees, ignore rules and watching: what the text is and which commit it belongs to.

mod types;

pub use types::{BlobId, CommitId, Head, Listing, SkipReason, SkippedFile, SourceFile};
