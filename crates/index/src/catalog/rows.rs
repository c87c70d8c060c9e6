//! What the catalog takes and gives: contents, views and their files.

use crate::names::Outline;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use whyrank_source::{BlobId, SkippedFile};
use whyrank_syntax::{Import, Local, Reference};

/// What a view is of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ViewKey {
    /// A working tree, by the path of its root.
    Worktree(String),
    /// A commit, by its full id.
    Commit(String),
}

impl ViewKey {
    /// A name for what is kept of a topic of this view, for files.
    pub fn topic(&self, what: &str) -> String {
        let digest = Sha256::digest(format!("{self:?}"));
        format!("{what}-{}", &hex::encode(digest)[..16])
    }

    pub(super) fn columns(&self) -> (&'static str, &str) {
        match self {
            Self::Worktree(root) => ("worktree", root),
            Self::Commit(id) => ("commit", id),
        }
    }
}

/// References and imports of a content: what the graph needs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Links {
    /// Uses of names.
    pub references: Vec<Reference>,
    /// Import statements.
    pub imports: Vec<Import>,
    /// Local names that say what they hold.
    pub locals: Vec<Local>,
}

/// A content about to be written.
pub(crate) struct NewContent<'a> {
    pub(crate) blob: BlobId,
    pub(crate) language: &'a str,
    pub(crate) text: &'a str,
    pub(crate) outline: &'a Outline,
    pub(crate) links: &'a Links,
    pub(crate) error: Option<&'a str>,
}

/// A file of a view, as it was listed.
#[derive(Debug)]
pub(crate) struct ListedFile {
    pub(crate) path: String,
    pub(crate) content_id: i64,
    pub(crate) blob: BlobId,
    pub(crate) size_bytes: u64,
    pub(crate) mtime_ns: i64,
}

/// A content's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ContentRow {
    pub(crate) content_id: i64,
    pub(crate) first_chunk: u32,
}

/// A view's row.
#[derive(Clone, Debug)]
pub(crate) struct ViewRow {
    pub(crate) view_id: i64,
    pub(crate) title: String,
    pub(crate) commit: Option<String>,
    pub(crate) fingerprint: String,
    pub(crate) version: u64,
    pub(crate) updated_at: i64,
    /// Files that the view has when it is whole; more than it has while it is being built.
    pub(crate) n_expected: u32,
}

/// A file of a view with its content's figures.
#[derive(Clone, Debug)]
pub(crate) struct ViewFileRow {
    pub(crate) path: String,
    pub(crate) content_id: i64,
    pub(crate) language: String,
    pub(crate) first_chunk: u32,
    pub(crate) n_chunks: u32,
    pub(crate) n_symbols: u32,
    pub(crate) n_lines: u32,
    pub(crate) size_bytes: u64,
    pub(crate) mtime_ns: i64,
    pub(crate) blob: BlobId,
    pub(crate) error: Option<String>,
}

/// A file of a view about to be written.
pub(crate) struct NewViewFile<'a> {
    pub(crate) path: &'a str,
    pub(crate) content_id: i64,
    pub(crate) size_bytes: u64,
    pub(crate) mtime_ns: i64,
}

/// Everything about a view that publishing replaces.
pub(crate) struct NewView<'a> {
    pub(crate) key: &'a ViewKey,
    pub(crate) title: &'a str,
    pub(crate) commit: Option<&'a str>,
    pub(crate) fingerprint: &'a str,
    pub(crate) updated_at: i64,
    pub(crate) n_expected: u32,
    pub(crate) files: &'a [NewViewFile<'a>],
    pub(crate) skipped: &'a [SkippedFile],
    pub(crate) graph: NewGraph<'a>,
}

/// What crosses files in a new state of a view.
#[derive(Clone, Copy)]
pub(crate) enum NewGraph<'a> {
    /// Nothing is known yet: the view is being built.
    None,
    /// It is this.
    Made(&'a [u8]),
    /// It is as it was.
    Kept,
}
