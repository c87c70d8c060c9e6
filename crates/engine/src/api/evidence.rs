//! Whether what was cited still holds.

use serde::{Deserialize, Serialize};
use specta::Type;

use super::{ClaimVerdict, EvidenceState, RepoId, SymbolLine};

/// Asks whether cited code is still there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct VerifyRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// Evidence ids of hits, or places: `path:10-20`.
    pub evidence: Vec<String>,
    /// Commit to look in; `None` for the working tree.
    pub as_of: Option<String>,
}

/// What became of a piece of evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct VerifiedEvidence {
    /// As it was given.
    pub evidence: String,
    /// What became of it.
    pub state: EvidenceState,
    /// Where it is now.
    pub path: Option<String>,
    /// First line there.
    pub start_line: u32,
    /// Last line there.
    pub end_line: u32,
    /// The definition there.
    pub symbol: Option<String>,
    /// What changed, in words; lines that went begin with `-`, new ones with `+`, six at most.
    pub note: String,
    /// An evidence id for what is there now.
    pub now: Option<String>,
}

/// What became of all of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct VerifyResponse {
    /// In the order of the question.
    pub evidence: Vec<VerifiedEvidence>,
}

/// Asks what of a claim the index bears out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct CritiqueRequest {
    /// The repository's id.
    pub repo: RepoId,
    /// The claim in words; names in backticks or shaped like code are looked up, and sentences such as
    /// "a calls b", "a is used in path", "a has no callers", "a is tested", "a is defined in path",
    /// "a imports b", "a extends b" are checked, also when they are denied.
    pub claim: String,
    /// Evidence that it cites.
    pub evidence: Vec<String>,
    /// Symbols that it is about, besides those in its text.
    pub symbols: Vec<String>,
    /// Commit to look in; `None` for the working tree.
    pub as_of: Option<String>,
}

/// Something that a claim says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct CritiquePoint {
    /// What it says: `` `Foo` exists ``, `` `a` calls `b` ``.
    pub says: String,
    /// What the index shows of it.
    pub verdict: ClaimVerdict,
    /// It says only that a name or a place is there.
    pub is_name: bool,
    /// What the index shows instead, or where.
    pub shown: String,
    /// Where that is.
    pub places: Vec<SymbolLine>,
}

/// What of a claim holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct CritiqueResponse {
    /// Contradictions first.
    pub points: Vec<CritiquePoint>,
    /// What became of the evidence cited.
    pub evidence: Vec<VerifiedEvidence>,
    /// Reports that it rests on and that git tracks: what they say is the repository's word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub brought: Vec<String>,
}
