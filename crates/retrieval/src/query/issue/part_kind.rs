//! The parts that an issue is taken into.

use serde::{Deserialize, Serialize};
use specta::Type;

/// A part of an issue that asks on its own.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Type,
)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// The first line.
    Title,
    /// The reporter's words.
    Prose,
    /// The reporter's code.
    Code,
    /// What a program printed.
    Output,
    /// Messages of errors.
    Message,
    /// Frames of tracebacks that lie in the repository.
    Frame,
    /// Names that definitions bear.
    Name,
    /// Paths and links to files.
    Path,
    /// Modules and packages.
    Module,
    /// Words of past commits that went with a file.
    History,
}

impl PartKind {
    /// Returns its name, as in traces and terms.
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Prose => "prose",
            Self::Code => "code",
            Self::Output => "output",
            Self::Message => "message",
            Self::Frame => "frame",
            Self::Name => "name",
            Self::Path => "path",
            Self::Module => "module",
            Self::History => "history",
        }
    }
}
