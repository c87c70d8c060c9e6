//! Issue: the first stage for bug reports. Each part asks on its own ([`lexical`], [`names`]), and
//! files are ranked before the definitions in them ([`rank`]).
//!
//! Reads no text: the parts come from the query.

mod evidence;
mod lexical;
mod names;
mod past_changes;
mod rank;
mod record;

pub use past_changes::PastChanges;
pub(crate) use rank::{Ranked, rank};
pub use record::{IssuePart, IssueRecord};
