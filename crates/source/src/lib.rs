//! Git trees, working trees, ignore rules and watching: what the text is and which commit it belongs to.

mod types;

mod content;
mod error;
mod filter;
mod git_bounds;
mod git_files;

mod blame;
mod changes;
mod commit;
mod cookies;
mod deltas;
mod diff;
mod forge;
mod history;
mod lineage;
mod notebook;
mod repository;
mod rules;
mod tracked;
mod tree_state;
mod watch;
mod worktree;

pub use blame::{Blame, BlamedLines};
pub use changes::RecentChanges;
pub use commit::KnownContents;
pub use content::{SearchedText, classify, decode, searched_text, shown};
pub use deltas::{DeltaSide, EntryKind, FileDelta};
pub use diff::{DiffLine, Hunk, LineChange, changed_lines, hunks, unified_diff};
pub use error::SourceError;
pub use filter::{FileFilter, LONG_SOURCE_FACTOR};
pub use forge::{ForgeRepository, Remote};
pub use lineage::{CommitNode, commit_from_hex};
pub use repository::Repository;
pub use tracked::Reader;
pub use tree_state::{TreeState, Trunk};
pub use types::{
    BlobId, CommitId, CommitInfo, Head, Listing, SkipReason, SkippedFile, SourceFile, blob_id,
};
pub use watch::{WatchEvent, Watcher};
pub use whyrank_secrets::{RULES as SECRET_RULES, without_secrets_in};
pub use worktree::{FileStat, KnownFile, KnownFiles};
