//! Bi-temporal memos pinned to commits.
//!
//! A memo is a few words about a code base and two times: *valid time*, counted in commits, and
//! *recorded time*. What is kept are facts that never change (`fact`, `store`); what holds as of a
//! commit and as known at a moment is worked out from them (`history`, `snapshot`). Writing makes new
//! facts (`write`). Nothing here reads clock, environment or network: times are arguments.

mod error;
mod fact;

mod range;

mod ledger;
mod retire;
mod retired_facts;
mod store;

mod peek_header;

mod commit_store;
mod history;
mod snapshot;

mod write;

mod conflicts;
mod drift;
mod endings;
mod exchange;
mod recall;
mod words;

pub use conflicts::{Conflict, ConflictKind, Opposites};
pub use drift::{AnchorState, CodeAt, Drift, MAX_ANCHOR_BYTES, anchor_text, check_anchor};
pub use endings::{Ending, EndingAct, Endings};
pub use error::{MemoryError, Result};
pub use exchange::Imported;
pub use fact::{
    Anchor, Author, AuthorKind, Change, Closing, CommitFact, Fact, Field, Kind, Mark, Point, Purge,
    Reason, Tier, Version,
};
pub use history::{Ancestors, History, HistoryWork, Placement};
pub use ledger::{Ledger, MemoFacts};
pub use peek_header::{MemoryHeader, peek_header};
pub use range::{LAST_MOMENT_MS, commit_moment};
pub use recall::{Query, RecallChannel, RecallPart, Recalled, Term, Weights, recall};
pub use retired_facts::ImpossibleFact;
pub use snapshot::{AsOf, CommitHistory, MemoStatus, ResolvedVersion, Snapshot, Validity};
pub use store::Memory;
pub use words::{Tokenize, WordIndex};
pub use write::{Draft, Edit, FactWriter, check_path};
