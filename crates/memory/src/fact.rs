//! The facts that are kept. None is ever changed: what ends, moves or corrects another is a fact too.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What a memo is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum Kind {
    Decision,
    Preference,
    Pattern,
    #[default]
    Context,
    Todo,
    Procedure,
    Correction,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Decision,
        Self::Preference,
        Self::Pattern,
        Self::Context,
        Self::Todo,
        Self::Procedure,
        Self::Correction,
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Preference => "preference",
            Self::Pattern => "pattern",
            Self::Context => "context",
            Self::Todo => "todo",
            Self::Procedure => "procedure",
            Self::Correction => "correction",
        }
    }

    /// Returns the kind of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The tiers in which memos are kept, the nearest first.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// Told at the beginning of every session.
    Core,
    /// Found when asked for.
    #[default]
    Normal,
    /// Found only when nothing else is.
    Archive,
}

impl Tier {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Normal => "normal",
            Self::Archive => "archive",
        }
    }

    /// Returns the tier of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Core, Self::Normal, Self::Archive]
            .into_iter()
            .find(|tier| tier.name() == name)
    }
}

/// Who writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuthorKind {
    /// A person.
    #[default]
    Person,
    /// An agent, through its client.
    Client,
}

/// Who wrote a fact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Author {
    /// Person or client.
    pub kind: AuthorKind,
    /// The person's name, or the client's.
    pub name: String,
    /// The client's call, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

/// A place in valid time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// The commit, 40 hex digits; `None` outside git and before the first commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha: Option<String>,
    /// The moment, in milliseconds since the epoch; decides where there is no commit.
    pub at: i64,
}

/// The code that a memo is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Anchor {
    /// Path relative to the repository root, `/` between parts.
    pub path: String,
    /// Qualified name of the definition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// First line when it was anchored, from 1; 0 for the whole file.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// SHA-256 of the lines (line ends and trailing blanks do not count), 16 hex digits; empty for
    /// a whole file.
    pub hash: String,
    /// The lines themselves, so that a diff needs no commit; cut at [`crate::MAX_ANCHOR_BYTES`].
    pub text: String,
}

/// How a version came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// The memo's first.
    #[default]
    Add,
    /// The text or its fields are another from here on.
    Edit,
    /// An earlier version's text again.
    Revert,
    /// The anchors follow the code.
    Anchor,
    /// Versions that contradicted each other become one.
    Resolve,
}

impl Change {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Edit => "edit",
            Self::Revert => "revert",
            Self::Anchor => "anchor",
            Self::Resolve => "resolve",
        }
    }
}

/// What a memo says from a point in valid time on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Version {
    /// `v` and 12 hex digits of a hash over the rest.
    #[serde(default)]
    pub id: String,
    /// The memo: `m` and 10 hex digits.
    pub memo: String,
    /// The versions that its writer had before them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parents: Vec<String>,
    /// How it came about.
    pub change: Change,
    /// The text, Markdown.
    pub content: String,
    /// What it is about.
    pub kind: Kind,
    /// Tags, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The code it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub anchors: Vec<Anchor>,
    /// 0 to 1.
    pub confidence: f64,
    /// First commit at which it holds.
    pub valid_from: Point,
    /// When it was recorded: milliseconds since the epoch, later than every earlier fact.
    pub recorded_at: i64,
    /// What the clock said then, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<i64>,
    /// Who wrote it.
    pub author: Author,
}

/// Why a version ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A version of the same memo follows.
    Edit,
    /// Another memo takes its place.
    Supersede,
    /// It no longer holds.
    Forget,
}

/// The end of a version in valid time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closing {
    /// `c` and 12 hex digits.
    #[serde(default)]
    pub id: String,
    /// The version that ends.
    pub version: String,
    /// Its memo.
    pub memo: String,
    /// First commit at which it holds no more.
    pub valid_until: Point,
    /// When this was recorded: from then on the version is known to end.
    pub recorded_at: i64,
    /// Why.
    pub reason: Reason,
    /// The version that follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<String>,
    /// Who closed it.
    pub author: Author,
}

/// What a mark says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "field", content = "value", rename_all = "kebab-case")]
pub enum Field {
    /// How near at hand the memo is kept.
    Tier(Tier),
    /// Shown first.
    Pinned(bool),
    /// Does not contradict this other memo.
    Agrees(String),
}

/// A property of a memo that depends on no commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// `k` and 12 hex digits.
    #[serde(default)]
    pub id: String,
    /// The memo.
    pub memo: String,
    /// What it says.
    #[serde(flatten)]
    pub says: Field,
    /// When it was recorded.
    pub recorded_at: i64,
    /// Who set it.
    pub author: Author,
}

/// What is remembered of a commit, for the day on which git has it no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommitFact {
    /// Its id, 40 hex digits.
    pub sha: String,
    /// Hash of author, author's time and summary, 16 hex digits.
    pub twin: String,
    /// Hash of author and author's time.
    pub kin: String,
    /// When it was committed, in milliseconds since the epoch.
    pub at: i64,
    /// First line of its message.
    pub summary: String,
    /// Ancestors along first parents, nearest first, ever further apart.
    pub lineage: Vec<String>,
    /// When it was recorded.
    pub recorded_at: i64,
}

/// A memo was deleted for good. What it said is gone; that it was there is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purge {
    /// `p` and 12 hex digits.
    #[serde(default)]
    pub id: String,
    /// The memo.
    pub memo: String,
    /// Versions that it had.
    pub n_versions: u32,
    /// When.
    pub recorded_at: i64,
    /// By whom.
    pub author: Author,
}

/// One line of memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum Fact {
    Version(Version),
    Closing(Closing),
    Mark(Mark),
    Commit(CommitFact),
    Purge(Purge),
}

impl Fact {
    /// Returns its id: the same fact has the same one in every store.
    pub fn id(&self) -> String {
        match self {
            Self::Version(version) => version.id.clone(),
            Self::Closing(closing) => closing.id.clone(),
            Self::Mark(mark) => mark.id.clone(),
            Self::Commit(commit) => format!("g{}", commit.sha),
            Self::Purge(purge) => purge.id.clone(),
        }
    }

    /// Returns the memo that it belongs to.
    pub fn memo(&self) -> Option<&str> {
        match self {
            Self::Version(version) => Some(&version.memo),
            Self::Closing(closing) => Some(&closing.memo),
            Self::Mark(mark) => Some(&mark.memo),
            Self::Purge(purge) => Some(&purge.memo),
            Self::Commit(_) => None,
        }
    }

    /// Returns when it was recorded.
    pub fn recorded_at(&self) -> i64 {
        match self {
            Self::Version(version) => version.recorded_at,
            Self::Closing(closing) => closing.recorded_at,
            Self::Mark(mark) => mark.recorded_at,
            Self::Commit(commit) => commit.recorded_at,
            Self::Purge(purge) => purge.recorded_at,
        }
    }

    /// Returns its type's name.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Version(_) => "version",
            Self::Closing(_) => "closing",
            Self::Mark(_) => "mark",
            Self::Commit(_) => "commit",
            Self::Purge(_) => "purge",
        }
    }

    /// Gives it the id that follows from what it says.
    #[must_use]
    pub fn sealed(mut self) -> Self {
        let id = match &mut self {
            Self::Version(version) => &mut version.id,
            Self::Closing(closing) => &mut closing.id,
            Self::Mark(mark) => &mut mark.id,
            Self::Purge(purge) => &mut purge.id,
            Self::Commit(_) => return self,
        };
        id.clear();
        let sum = digest(&self.json());
        let (prefix, slot) = match &mut self {
            Self::Version(version) => ('v', &mut version.id),
            Self::Closing(closing) => ('c', &mut closing.id),
            Self::Mark(mark) => ('k', &mut mark.id),
            Self::Purge(purge) => ('p', &mut purge.id),
            Self::Commit(_) => return self,
        };
        *slot = format!("{prefix}{}", &sum[..12]);
        self
    }

    /// Says whether its id follows from what it says.
    pub fn is_sound(&self) -> bool {
        self.clone().sealed().id() == self.id()
    }

    /// Returns its line in an export.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// SHA-256 in hex digits.
pub(crate) fn digest(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}
