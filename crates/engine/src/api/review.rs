//! Review of what changed: risk with reasons, and search in a diff.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{Hit, QueryId, RepoId, RiskKind, SymbolChange, SymbolLine};

/// Asks for a review of what changed since a revision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct ReviewRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Changed since this revision (since where this line of history left it), or in a range: `A..B`,
    /// `A...B`, `A^!`; empty for `HEAD`.
    pub reference: String,
    /// Only below this folder or in this file.
    pub path: Option<String>,
    /// Files at most, riskiest first; 0 for all.
    pub max_files: u32,
}

/// Why something is risky.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RiskReason {
    /// Which kind of risk.
    pub kind: RiskKind,
    /// In words.
    pub text: String,
    /// Its share of the risk.
    pub points: f64,
}

/// A definition that uses what changed, and did not change itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct UnchangedCaller {
    /// Its file.
    pub path: String,
    /// Line of the use.
    pub line: u32,
    /// Qualified name; none for code that runs when the file is loaded.
    pub name: Option<String>,
    /// In a test, example or benchmark.
    pub test: bool,
}

/// A definition that changed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ReviewedSymbol {
    /// The definition; as it was, where it was removed.
    pub symbol: SymbolLine,
    /// How it changed.
    pub change: SymbolChange,
    /// Its signature before, where that was another.
    pub was: Option<String>,
    /// The definition before, where it had another name or lay elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<SymbolLine>,
    /// Lines of it that changed.
    pub n_lines: u32,
    /// 0 to 100: the points of the reasons, at most 100.
    pub risk: f64,
    /// Largest first.
    pub reasons: Vec<RiskReason>,
    /// Users that did not change, code before tests; ten at most.
    pub callers: Vec<UnchangedCaller>,
    /// All of those in code.
    pub n_callers: u32,
    /// Tests that reach it.
    pub n_tests: u32,
}

/// A changed file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ReviewedFile {
    /// Path.
    pub path: String,
    /// Highest risk in it.
    pub risk: f64,
    /// Lines that are new or changed.
    pub n_lines: u32,
    /// Definitions that changed.
    pub n_symbols: u32,
}

/// A file that lies elsewhere now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct MovedFile {
    /// Where it was.
    pub from: String,
    /// Where it is.
    pub path: String,
    /// Lines that changed on the way; 0 for none.
    pub n_lines: u32,
}

/// Imports that led to a file and lead nowhere now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct BrokenImports {
    /// The path to which they led.
    pub path: String,
    /// Where that file is now; none where it went.
    pub now: Option<String>,
    /// 0 to 100, as of a definition.
    pub risk: f64,
    /// Files with such an import.
    pub n_importers: u32,
    /// The imports, code before tests; ten at most.
    pub importers: Vec<UnchangedCaller>,
}

/// A changed file that could not be read: a clone may lack its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct UnreadChange {
    /// Path.
    pub path: String,
    /// Why.
    pub reason: String,
}

/// A review.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ReviewResponse {
    /// The revision compared with, in words.
    pub base: String,
    /// What to know of that: a merge, history that is missing here.
    pub notes: Vec<String>,
    /// Why users, tests and near-duplicates are not told, or of which state they are; empty where they are
    /// those of the change.
    pub without: String,
    /// Definitions by risk, highest first.
    pub symbols: Vec<ReviewedSymbol>,
    /// Files with definitions, by risk.
    pub files: Vec<ReviewedFile>,
    /// Other changed files: tests, documentation, and those without a changed definition.
    pub others: Vec<String>,
    /// Imports that lead nowhere since, most importers first.
    pub broken_imports: Vec<BrokenImports>,
    /// Files that lie elsewhere now.
    pub moved_files: Vec<MovedFile>,
    /// Files that went.
    pub removed_files: Vec<String>,
    /// Files of the above whose content could not be read, on one side at least.
    pub unread: Vec<UnreadChange>,
    /// Files that `max_files` left out.
    pub n_left_out: u32,
}

/// Asks what the change of a file since the last commit breaks.
#[derive(Clone, Debug)]
pub struct BreakageRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// The file, from the root of the repository.
    pub path: String,
}

/// The certain breakages of a change.
#[derive(Clone, Debug, Default)]
pub struct Breakages {
    /// Definitions of another signature or that went, with users that did not change, and types that no
    /// longer implement something, as their reasons say.
    pub symbols: Vec<ReviewedSymbol>,
    /// Imports of a file that went.
    pub broken_imports: Vec<BrokenImports>,
}

/// Differences between a working tree and its last commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ChangeState {
    /// The branch; none where no branch is checked out.
    pub branch: Option<String>,
    /// The commit in short; none before the first one.
    pub head: Option<String>,
    /// The operation that waits for its end: `merge`, `rebase`, `cherry-pick`, `revert`, `bisect`.
    pub under_way: Option<String>,
    /// Paths with a change that the next commit takes; 500 at most, as of the others.
    pub staged: Vec<String>,
    /// Paths with a change that it does not take.
    pub unstaged: Vec<String>,
    /// Paths that git does not know.
    pub untracked: Vec<String>,
    /// Paths that both sides of a merge changed.
    pub conflicted: Vec<String>,
    /// Paths that the lists leave out.
    pub n_left_out: u32,
    /// The branch that this one left.
    pub main: Option<MainBranch>,
}

/// A branch that another one left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct MainBranch {
    /// Its name.
    pub name: String,
    /// The newest commit that both have.
    pub base: String,
    /// Commits since.
    pub n_ahead: u32,
}

/// Asks for the lines in which a file differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct FileDiffRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// As of [`ReviewRequest`].
    pub reference: String,
    /// The file; of one that went, where it was.
    pub path: String,
}

/// The lines in which a file differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FileDiff {
    /// Its path.
    pub path: String,
    /// Its path before, if another.
    pub from: Option<String>,
    /// In the order of the file.
    pub hunks: Vec<DiffHunk>,
    /// Why lines are missing; empty where none are.
    pub note: String,
}

/// Lines that differ, with three around them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct DiffHunk {
    /// First line of the old text.
    pub old_start: u32,
    /// First line of the new text.
    pub new_start: u32,
    /// In the order of a patch.
    pub lines: Vec<HunkLine>,
}

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct HunkLine {
    /// Same on both sides, new or gone.
    pub kind: LineKind,
    /// Its number in the old text.
    pub old: Option<u32>,
    /// Its number in the new text.
    pub new: Option<u32>,
    /// Without its end; secrets struck out.
    pub text: String,
}

/// The side that a line of a difference is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum LineKind {
    /// On both.
    Context,
    /// On the new one alone.
    Added,
    /// On the old one alone.
    Removed,
}

/// Searches in what changed since a revision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct DiffSearchRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// The query.
    pub query: String,
    /// Changed since this revision, or in a range; empty for `HEAD`.
    pub reference: String,
    /// Also in definitions that use what changed.
    pub include_callers: bool,
    /// Hits at most; 0 for 10.
    pub limit: u32,
}

/// Hits in a diff.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct DiffSearchResponse {
    /// The revision compared with, in words.
    pub base: String,
    /// What to know of that.
    pub notes: Vec<String>,
    /// Why hits are ordered by their words alone, or users are not told; empty where the index knows the
    /// change.
    pub without: String,
    /// For `explain`, of the search behind it; empty where there was none.
    pub query_id: QueryId,
    /// By rank; `badges` has `caller` for what did not change itself.
    pub hits: Vec<Hit>,
    /// Hits that were found in the diff.
    pub n_found: u32,
    /// Files that the diff touches.
    pub n_files: u32,
}
