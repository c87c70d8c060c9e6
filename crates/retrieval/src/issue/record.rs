//! What of an issue was asked how, for the trace.

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
    /// Its name, as in traces and terms.
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

/// A part, what it weighs and what it brought.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct IssuePart {
    /// What it is.
    pub kind: PartKind,
    /// Its text, or what was read off it; cut at 300 characters.
    pub text: String,
    /// Words, names or places that it asks with.
    pub n_asked: u32,
    /// Coefficients of its terms, of a file and of a definition, in first places.
    pub weight: f64,
    /// Files that it speaks for.
    pub n_files: u32,
    /// What it adds to the first hit's score.
    pub brought: f64,
}

/// How an issue was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct IssueRecord {
    /// Its parts; those that it lacks are left out.
    pub parts: Vec<IssuePart>,
    /// Lines that say nothing: a template's, lists of versions.
    pub n_dropped_lines: u32,
    /// Bytes in the middle that were not read.
    pub n_unread_bytes: u32,
}
