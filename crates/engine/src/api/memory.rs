//! Memos: what is written, what is asked, what comes back.

use super::{
    AnchorState, MemoChange, MemoConflictKind, MemoEnd, MemoEndingAct, MemoId, MemoKind, MemoState,
    MemoTier, MissingRepo, RecallChannel, RepoId, RepoName,
};
use serde::{Deserialize, Serialize};
use specta::Type;

/// Who writes a memo.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct MemoAuthor {
    /// The person's name, or the client's; empty for the name that git knows.
    pub name: String,
    /// An agent's client, not a person.
    pub is_client: bool,
    /// The client's call.
    pub call: Option<String>,
}

/// The moment of which memory is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct MemoMoment {
    /// Commit; `None` for HEAD.
    pub as_of: Option<String>,
    /// What was recorded later does not count: `2026-05-01`, `2026-05-01T12:00:00Z`, `2h`, `3d`, or
    /// milliseconds since the epoch; `None` for now.
    pub known_at: Option<String>,
}

/// What a memo is to be anchored to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(untagged)]
pub enum AnchorTarget {
    /// As people and agents write it: `path`, `path:12`, `path:12-30`, `path#symbol` or a symbol.
    Text(String),
    /// As it is chosen from what there is.
    Place(AnchorPlace),
}

impl From<String> for AnchorTarget {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// A file, lines of it, or a definition in it: by its parts, which no name can be mistaken for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct AnchorPlace {
    /// Path in the repository.
    pub path: String,
    /// Qualified name of the definition.
    pub symbol: Option<String>,
    /// First line; of several definitions of the name, the one that has this line is meant. 0 for the
    /// whole file.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

/// A new memo, or another version of one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct RememberRequest {
    /// The repository's id, or the path of a folder outside git.
    pub repo: RepoId,
    /// The text, Markdown.
    pub content: String,
    /// `decision`, `preference`, `pattern`, `context`, `todo`, `procedure`, `correction`; empty for
    /// `context`.
    pub kind: String,
    /// Tags.
    pub tags: Vec<String>,
    /// What it is about.
    pub anchors: Vec<AnchorTarget>,
    /// 0 to 1; `None` for 1.
    pub confidence: Option<f64>,
    /// `core`, `normal`, `archive`; empty for `normal`.
    pub tier: String,
    /// The memo that it takes the place of.
    pub supersedes: Option<MemoId>,
    /// The commit from which on it holds; `None` for HEAD.
    pub at: Option<String>,
    /// Who writes.
    pub author: MemoAuthor,
}

/// Another version of a memo; `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct MemoEditRequest {
    /// The repository's id, or the path of a folder outside git.
    pub repo: RepoId,
    /// The memo, by the beginning of its id.
    pub memo: MemoId,
    /// The versions that the writer has before them; empty for those that hold now.
    pub base: Vec<String>,
    /// The text.
    pub content: Option<String>,
    /// The kind.
    pub kind: Option<String>,
    /// The tags.
    pub tags: Option<Vec<String>>,
    /// The anchors.
    pub anchors: Option<Vec<AnchorTarget>>,
    /// The confidence.
    pub confidence: Option<f64>,
    /// The version whose text, kind, tags and anchors it takes again.
    pub revert_to: Option<String>,
    /// What it said was wrong from the start: the new text holds from the same commit.
    pub since_start: bool,
    /// The commit from which on it holds; `None` for HEAD.
    pub at: Option<String>,
    /// Who writes.
    pub author: MemoAuthor,
}

/// An act on one memo.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct MemoActRequest {
    /// The repository's id, or the path of a folder outside git.
    pub repo: RepoId,
    /// The memo, by the beginning of its id.
    pub memo: MemoId,
    /// The commit at which it is done; `None` for HEAD.
    pub at: Option<String>,
    /// Who does it.
    pub author: MemoAuthor,
}

/// What is done to a memo without another version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case", tag = "mark", content = "value")]
pub enum MemoMark {
    /// Says how near at hand it is kept.
    Tier(MemoTier),
    /// Shows it first, or no longer.
    Pinned(bool),
    /// Says that it does not contradict another memo.
    Agrees(MemoId),
}

/// Asks memory a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct RecallRequest {
    /// The repository's id, or the path of a folder outside git.
    pub repo: RepoId,
    /// The question; empty for the memos that matter most.
    pub query: String,
    /// Only these kinds.
    pub kinds: Vec<String>,
    /// Only memos with all of these tags.
    pub tags: Vec<String>,
    /// Files near which it is asked.
    pub near: Vec<String>,
    /// Also `superseded`, `archived`; they are marked. `drifted` changes nothing: those always come.
    pub include: Vec<String>,
    /// Memos at most; 0 for 8.
    pub limit: u32,
    /// The moment.
    pub moment: MemoMoment,
}

/// Asks for memos by their state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct MemoListRequest {
    /// The repository's id, or the path of a folder outside git.
    pub repo: RepoId,
    /// `valid`, `superseded`, `forgotten`, `elsewhere` (ahead, or on another branch), `unplaced`,
    /// `drifted`, `pinned`, `orphaned`, `all`; empty for `valid`.
    pub state: String,
    /// Only these kinds.
    pub kinds: Vec<String>,
    /// Only memos with all of these tags.
    pub tags: Vec<String>,
    /// Only memos with this text.
    pub text: String,
    /// Compare anchors with the code.
    pub with_drift: bool,
    /// Memos at most; 0 for all.
    pub limit: u32,
    /// This many of those that are found are passed over, so that every one can be reached page by page.
    pub offset: u32,
    /// The moment.
    pub moment: MemoMoment,
}

/// Where a memory lies, and others that may be a repository's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct MemoHome {
    /// The file that is used.
    pub file: String,
    /// Where that was recorded, when it is not the place's own.
    pub used_from: Option<String>,
    /// Memories of other places that name commits of this repository.
    pub found: Vec<MemoElsewhere>,
}

/// A memory that was recorded at another place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct MemoElsewhere {
    /// Where; empty where nobody knows.
    pub path: String,
    /// The name of its file.
    pub name: String,
    /// Memos that it has.
    pub n_memos: u32,
    /// Commits that it names, at most 64, the latest ones.
    pub n_commits: u32,
    /// How many of those are in this repository.
    pub n_here: u32,
    /// The repository at that place is still there, with its commits.
    pub is_there: bool,
}

/// A place that a memo is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct MemoAnchor {
    /// Path in the repository.
    pub path: String,
    /// Qualified name of the definition.
    pub symbol: Option<String>,
    /// First line when it was anchored; 0 for a whole file or folder.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// What became of it. A plain text in the window: its generator knows no word that is empty.
    #[specta(type = String)]
    pub state: AnchorState,
    /// Where it is now: `path:first-last`; empty where it is gone or was not compared.
    pub now: String,
    /// By what it was found: `place`, `content`, `symbol`, `similarity`, `file`.
    pub by: String,
    /// From what it was to what it is.
    pub diff: String,
}

/// A memo, as it stands at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Memo {
    /// Its id.
    pub id: MemoId,
    /// Its repository, where several were asked; `None` for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<RepoName>,
    /// The version shown.
    pub version: String,
    /// Whether it holds.
    pub state: MemoState,
    /// The text.
    pub content: String,
    /// The kind.
    pub kind: MemoKind,
    /// Tags.
    pub tags: Vec<String>,
    /// What it is about.
    pub anchors: Vec<MemoAnchor>,
    /// 0 to 1.
    pub confidence: f64,
    /// How near at hand it is kept.
    pub tier: MemoTier,
    /// Shown first.
    pub pinned: bool,
    /// First commit at which this version holds.
    pub valid_from_sha: Option<String>,
    /// The same as a moment, in milliseconds since the epoch.
    pub valid_from_at: f64,
    /// First commit at which it holds no more.
    pub valid_until_sha: Option<String>,
    /// The same as a moment.
    pub valid_until_at: Option<f64>,
    /// When this version was recorded, in milliseconds since the epoch.
    pub recorded_at: f64,
    /// When its end was recorded.
    pub invalidated_at: Option<f64>,
    /// The memo that took its place.
    pub superseded_by: Option<MemoId>,
    /// Who wrote this version.
    pub author: MemoAuthor,
    /// Its commit is gone; the nearest ancestor that is left counts as it.
    pub orphaned: bool,
    /// What a reader should know: `orphaned: …`, `reverted by …`, `contested by …`, `drifted`.
    pub notes: Vec<String>,
    /// Versions of it that hold as well.
    pub contested: Vec<String>,
    /// An anchor changed or is gone.
    pub drifted: bool,
    /// How many versions there are.
    pub n_versions: u32,
}

/// A part of a memo's score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RecallTerm {
    /// Evidence for it.
    pub channel: RecallChannel,
    /// Rank in its list, from 1; 0 where there is none.
    pub rank: u32,
    /// What it adds.
    pub contribution: f64,
    /// Why.
    pub reason: String,
}

/// A memo that a question found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct RecalledMemo {
    /// The memo.
    pub memo: Memo,
    /// Sum of the terms.
    pub score: f64,
    /// Its parts.
    pub terms: Vec<RecallTerm>,
}

/// Memory's answer to a question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct RecallResponse {
    /// Memos by rank.
    pub memos: Vec<RecalledMemo>,
    /// How many were found.
    pub n_found: u32,
    /// Drifted memos among them; they are marked.
    pub n_drifted: u32,
    /// The moment, in words; empty for here and now.
    pub moment: String,
    /// What a reader should know.
    pub notes: Vec<String>,
    /// Repositories that were to be asked with the others and could not be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingRepo>,
    /// Wall time in milliseconds.
    pub elapsed_ms: f64,
}

/// Memos by their state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct MemoListResponse {
    /// Pinned ones first, then newest first.
    pub memos: Vec<Memo>,
    /// How many were found, whether or not the limit let them in.
    pub n_found: u32,
    /// How many memos there are in all.
    pub n_total: u32,
    /// How many conflicts hold at the moment: ask for them.
    pub n_conflicts: u32,
    /// The moment, in words; empty for here and now.
    pub moment: String,
    /// The commit asked of, 40 digits.
    pub commit: Option<String>,
    /// What a reader should know: damage, a read-only disk.
    pub notes: Vec<String>,
    /// Repositories that were to be asked with the others and could not be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingRepo>,
}

/// What a write has done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct MemoDone {
    /// The memo as it stands now.
    pub memo: Memo,
    /// Memos that may say the opposite, and versions that contradict this one.
    pub conflicts: Vec<MemoConflict>,
    /// What a writer should know.
    pub notes: Vec<String>,
}

/// Memos that cannot all be right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct MemoConflict {
    /// Between versions of one memo, or two memos that may contradict each other.
    pub kind: MemoConflictKind,
    /// Why.
    pub reason: String,
    /// The versions; of writers, the one that answers comes last.
    pub memos: Vec<Memo>,
}

/// A version's end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct MemoClosing {
    /// First commit at which it holds no more.
    pub valid_until_sha: Option<String>,
    /// The same as a moment.
    pub valid_until_at: f64,
    /// When this was recorded.
    pub recorded_at: f64,
    /// Why it ends.
    pub reason: MemoEnd,
    /// The memo that took its place.
    pub superseded_by: Option<MemoId>,
    /// By whom.
    pub author: MemoAuthor,
}

/// A version in a memo's history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct MemoVersion {
    /// The version as a memo.
    pub memo: Memo,
    /// How it came about.
    pub change: MemoChange,
    /// The versions that its writer had before them.
    pub parents: Vec<String>,
    /// Its ends, on each line of commits.
    pub closings: Vec<MemoClosing>,
    /// From the text of its parent to its own, as hunks.
    pub diff: String,
}

/// All that is known of one memo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct MemoHistory {
    /// As it stands at the moment.
    pub memo: Memo,
    /// Its versions, newest first.
    pub versions: Vec<MemoVersion>,
    /// Tiers and pins, newest first: what, by whom, when.
    pub marks: Vec<MemoMarkLine>,
}

/// A tier or a pin that was set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct MemoMarkLine {
    /// In words: `pinned`, `tier core`.
    pub says: String,
    /// When.
    pub recorded_at: f64,
    /// By whom.
    pub author: MemoAuthor,
}

/// A commit on the axis of valid time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct TimelineCommit {
    /// Its id.
    pub sha: String,
    /// When it was committed, in milliseconds since the epoch.
    pub at: f64,
    /// First line of its message.
    pub summary: String,
}

/// A version's validity along the commits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct TimelineBar {
    /// The memo.
    pub memo: MemoId,
    /// The version.
    pub version: String,
    /// Its text's first line.
    pub title: String,
    /// Index of the first commit at which it holds.
    pub from: u32,
    /// Index of the first commit at which it holds no more; `None` while it holds.
    pub until: Option<u32>,
    /// When it was recorded.
    pub recorded_at: f64,
    /// When its end was recorded.
    pub invalidated_at: Option<f64>,
    /// It stands there only because its own commit is gone.
    pub orphaned: bool,
}

/// Memory along both times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct MemoTimeline {
    /// Commits of the line that leads to the moment's commit, oldest first: those at which
    /// something begins or ends, and as many others as make it an axis.
    pub commits: Vec<TimelineCommit>,
    /// The place of each in that line, from 0.
    pub places: Vec<u32>,
    /// Commits of that line in all.
    pub n_commits: u32,
    /// Versions that hold somewhere on it, by memo.
    pub bars: Vec<TimelineBar>,
    /// When something was recorded, ascending.
    pub recorded: Vec<f64>,
}

/// How far the vectors of memos are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct MemoEncoding {
    /// The repository, as the caller named it.
    pub repo: RepoId,
    /// Texts that have a vector.
    pub done: u32,
    /// Texts of memos that hold now.
    pub total: u32,
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct MemoImport {
    /// Facts that were new.
    pub n_added: u32,
    /// Facts that were there already.
    pub n_known: u32,
    /// Facts of memos that were purged here: they stay out.
    pub n_purged: u32,
    /// Deletions of memos that are here: they were not carried over.
    pub n_kept: u32,
    /// Memos that were here and have another text now.
    pub n_edited: u32,
    /// Facts that end memos that are here, demote or unpin them.
    pub n_endings: u32,
    /// True where those were taken in; else they were left out.
    pub are_endings_taken: bool,
    /// The first 50 of them.
    pub endings: Vec<MemoEnding>,
    /// Conflicts that hold now.
    pub n_conflicts: u32,
}

/// The word of an import on a memo that is here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct MemoEnding {
    /// The memo.
    pub memo: MemoId,
    /// Its text here; empty for one that is not here yet.
    pub content: String,
    /// The end that it comes to.
    pub act: MemoEndingAct,
    /// The author who says so.
    pub author: MemoAuthor,
}

/// An export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct MemoExport {
    /// One fact a line, JSON.
    pub text: String,
    /// Facts in it.
    pub n_facts: u32,
    /// What could not be read, in words.
    pub damaged: Vec<String>,
}

/// What a session begins with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct WakeupResponse {
    /// The repository's name and branch.
    pub title: String,
    /// Pinned and core memos, then the newest.
    pub memos: Vec<Memo>,
    /// The newest commits: id, summary.
    pub commits: Vec<TimelineCommit>,
    /// Conflicts that hold.
    pub n_conflicts: u32,
    /// How many memos hold.
    pub n_memos: u32,
    /// What a reader should know.
    pub notes: Vec<String>,
}
