//! Query: what a text asks for, read off it before anything is searched.
//!
//! Knows no ranking: shape, words, names, the parts of an issue, and which chunks the filters let
//! through.

mod change;
mod completion;
mod filters;
mod intent;
mod issue;
mod parsed;
mod shape;
mod words;

pub(crate) use completion::complete_last_word;
pub use filters::{Filters, PathFilter};
pub use issue::PartKind;
pub(crate) use issue::{Frame, Issue};
pub use parsed::ParsedQuery;
pub use shape::QueryShape;
pub(crate) use words::is_stopword;
