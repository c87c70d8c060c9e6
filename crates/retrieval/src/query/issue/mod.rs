//! Issues: bug reports and feature requests as people file them, many lines long, taken apart.
//!
//! What a text does not look like is never forced: a query of a line or two stays what it was. What
//! the parts find is ranked elsewhere.

mod mentions;
mod parse;
mod part_kind;
mod template;
mod traceback;

pub(crate) use parse::Issue;
pub use part_kind::PartKind;
pub(crate) use traceback::Frame;
