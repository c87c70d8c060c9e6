//! What of an issue was asked how, for the trace.

use crate::query::PartKind;
use serde::{Deserialize, Serialize};
use specta::Type;

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
