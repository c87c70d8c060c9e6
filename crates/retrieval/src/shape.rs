//! What a query looks like.

use serde::{Deserialize, Serialize};
use specta::Type;

/// What a query looks like; decides how the channels are weighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum QueryShape {
    /// One identifier, possibly qualified: `Router.use`.
    Identifier,
    /// A file path or a part of one.
    Path,
    /// A message or a literal as a program prints it.
    ErrorString,
    /// Many lines, as bug reports are filed: title, prose, code, tracebacks.
    Issue,
    /// Words.
    NaturalLanguage,
}
