//! Repositories: what is registered, how they are, what was left out.

use super::{CheckState, Coverage, FoundReports, RepoId, VectorKind};
use serde::{Deserialize, Serialize};
use specta::Type;

/// What a repository's index is up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum RepoState {
    /// Known, but never indexed.
    NotIndexed,
    /// A job is running.
    Indexing,
    /// A job is paused.
    Paused,
    /// Searchable and up to date when last looked at.
    Ready,
    /// Searchable and up to date, but it holds no file, or less than half of what git tracks.
    Partial,
    /// Searchable, but the working tree or HEAD has moved on.
    Stale,
    /// The last job failed; the last good index, if any, still serves.
    Failed,
    /// The folder is gone.
    Missing,
}

/// A language's share of a repository.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct LanguageShare {
    /// Language name: `rust`, `typescript`.
    pub language: String,
    /// Files.
    pub files: u32,
    /// Lines.
    pub lines: u32,
}

/// A git repository on this machine that is not registered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct FoundRepository {
    /// Folder name.
    pub name: String,
    /// Absolute path of the working tree.
    pub root: String,
    /// When git last wrote there, Unix seconds; 0 where that is not known.
    pub used_at_s: f64,
}

/// What a registered repository is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RepoName {
    /// Stable id.
    pub id: RepoId,
    /// Folder name.
    pub name: String,
}

/// A registered repository (one working tree).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RepoSummary {
    /// Stable id, 12 hex digits.
    pub id: RepoId,
    /// Folder name.
    pub name: String,
    /// Absolute path of the working tree.
    pub root: String,
    /// Branch, if on one.
    pub branch: Option<String>,
    /// Commit HEAD points at, short.
    pub head: Option<String>,
    /// State.
    pub state: RepoState,
    /// State in words, with the next step where there is one.
    pub state_note: String,
    /// Commits of HEAD that are not indexed; 0 where none is, or where that is not known.
    #[serde(default)]
    pub commits_behind: u32,
    /// The index was damaged and set aside.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_set_aside: bool,
    /// Files in the view.
    pub files: u32,
    /// Chunks in the view.
    pub chunks: u32,
    /// Definitions in the view.
    pub symbols: u32,
    /// Languages, largest first.
    pub languages: Vec<LanguageShare>,
    /// Size of the index on disk in bytes (shared by all worktrees of the repository).
    pub index_bytes: f64,
    /// Seconds since the epoch of the last completed lane 1; `None` if never.
    pub indexed_at: Option<f64>,
    /// Whether the window follows saves and checkouts: unless somebody switched that off.
    pub watching: bool,
    /// Why files are looked at by time although they are to be followed; empty where they are followed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub watch_note: String,
    /// Coverage per lane.
    pub coverage: Coverage,
    /// About how many seconds the vectors take that chunks lack, by the speed of the default model; `None`
    /// where none lacks or another model is chosen.
    #[serde(default)]
    pub vectors_left_s: Option<f64>,
    /// Of the symbol graph: `ready`, `building …`, or why it is made in memory when asked for.
    pub graph: String,
    /// Files left out, counted by reason.
    pub skipped_by_reason: Vec<SkipCount>,
}

/// A reason and how often it occurred.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ReasonCount {
    /// The reason in words: `too large (over 1 MB)`.
    pub reason: String,
    /// Files.
    pub count: u32,
}

/// Files left out for one reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SkipCount {
    /// The reason in words: `too large (over 1 MB)`.
    pub reason: String,
    /// Files.
    pub count: u32,
    /// They look as if they held secrets.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_secret: bool,
}

/// A file that was left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SkippedEntry {
    /// Path in the repository.
    pub path: String,
    /// The reason in words.
    pub reason: String,
}

/// A repository's index in detail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RepoHealth {
    /// The summary.
    pub summary: RepoSummary,
    /// Compatibility hash, short.
    pub compatibility: String,
    /// The parts under the hash: name and value.
    pub manifest: Vec<ManifestPart>,
    /// Where the index lies.
    pub index_path: String,
    /// Files left out.
    pub skipped: Vec<SkippedEntry>,
    /// Files in which something could not be parsed: path and first error.
    pub parse_errors: Vec<SkippedEntry>,
    /// Views that share the store, in words.
    pub views: Vec<String>,
    /// What vectors take on disk, by kind; those that the settings ask for and that are there.
    pub vectors: Vec<VectorRoom>,
    /// What is wrong, if anything; empty when healthy.
    pub problems: Vec<String>,
    /// The SCIP index that answers take in.
    pub scip: Option<ScipImport>,
    /// Coverage reports, profiles, traces and SCIP indexes beside it, used or not.
    pub reports: FoundReports,
}

/// What one kind of vectors takes on disk, in the store that a repository's working trees share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct VectorRoom {
    /// Which.
    pub kind: VectorKind,
    /// Bytes of all their files.
    pub bytes: f64,
    /// Chunks that have them.
    pub chunks: u32,
    /// Bytes for each of those chunks.
    pub bytes_per_chunk: f64,
}

/// A SCIP index laid over a repository's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ScipImport {
    /// Its path, from the repository's root where it lies below.
    pub path: String,
    /// Who wrote it: `scip-typescript 0.4.0`.
    pub tool: String,
    /// Seconds since it was written.
    pub age_s: u32,
    /// Documents in it.
    pub n_documents: u32,
    /// Files that it fits: their uses are precise.
    pub n_files: u32,
    /// Files of the repository that define something.
    pub n_code_files: u32,
    /// Uses that it leads to definitions of the repository.
    pub n_uses: u32,
    /// What is missing and why: files changed since, documents of other files, damage.
    pub notes: Vec<String>,
    /// Those of the paths that git tracks: what they say is the repository's word, not a compiler's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub brought: Vec<String>,
}

/// A part of the compatibility hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ManifestPart {
    /// Name: `schema`, `chunker`, `tokenizer`, `model`.
    pub name: String,
    /// Value.
    pub value: String,
}

/// What indexing a folder would take in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ScanReport {
    /// Root of the working tree that the path lies in.
    pub root: String,
    /// Files to index.
    pub files: u32,
    /// Their size in bytes.
    pub bytes: f64,
    /// Languages, largest first.
    pub languages: Vec<LanguageShare>,
    /// Files left out, by reason.
    pub skipped_by_reason: Vec<SkipCount>,
}

/// A check of `doctor`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DoctorCheck {
    /// What was checked.
    pub name: String,
    /// `ok`, `warn`, `fail`.
    pub state: CheckState,
    /// What was found.
    pub message: String,
    /// Command or action that repairs it; empty when ok.
    pub fix: String,
}
