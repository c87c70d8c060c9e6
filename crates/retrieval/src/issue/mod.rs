//! Issues: bug reports and feature requests as people file them, many lines long. They are taken apart
//! ([`parse`]), each part asks on its own ([`lexical`], [`names`]), and files are ranked before the
//! definitions in them ([`rank`]).
//!
//! What a text does not look like is never forced: a query of a line or two stays what it was.

mod evidence;
mod lexical;
mod mentions;
mod names;
mod parse;
mod rank;
mod record;
mod template;
mod traceback;

pub(crate) use parse::Issue;
pub(crate) use rank::{Ranked, rank};
pub use record::{IssuePart, IssueRecord, PartKind};
