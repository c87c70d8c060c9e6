//! Whether a fact can be what it says: its times, numbers and ids. What an import brings is held to all of
//! it; what lies in the file to its times alone, since everything that follows reckons with those.

pub use super::history::{LAST_MOMENT_MS, commit_moment};

use crate::drift::MAX_ANCHOR_BYTES;
use crate::fact::{CommitFact, Fact, Field, Point, Version};
use crate::history::MAX_LINEAGE;
use crate::write::checked;

/// Bytes of a name, a call, a summary.
const MAX_WORDS_BYTES: usize = 64 * 1024;

impl Fact {
    /// Says which of its times there cannot be; `None` where all can.
    pub(crate) fn impossible_time(&self) -> Option<String> {
        let at = |point: &Point| point.at;
        let (name, other) = match self {
            Self::Version(version) => ("valid from", Some(at(&version.valid_from))),
            Self::Closing(closing) => ("valid until", Some(at(&closing.valid_until))),
            Self::Commit(commit) => ("committed at", Some(commit.at)),
            Self::Mark(_) | Self::Purge(_) => ("", None),
        };
        let clock = match self {
            Self::Version(version) => version.clock,
            _ => None,
        };
        [
            ("recorded at", Some(self.recorded_at())),
            (name, other),
            ("by the clock at", clock),
        ]
        .into_iter()
        .find_map(|(name, at)| Some(format!("{name} {}", at.filter(|at| !is_moment(*at))?)))
        .map(|what| format!("{what}, a time that there is not"))
    }

    /// Says what keeps it out of an import: a time, number or id that no program wrote, or that it was
    /// recorded later than at `latest_ms`.
    pub(crate) fn out_of_range(&self, latest_ms: i64) -> Option<String> {
        self.impossible_time()
            .or_else(|| match self.recorded_at() {
                at if at < 0 => Some(format!("recorded at {at}, before there were clocks")),
                at if at > latest_ms => Some(format!("recorded at {at}, which is yet to come")),
                _ => None,
            })
            .or_else(|| self.bad_words())
            .or_else(|| self.bad_id())
    }

    fn bad_words(&self) -> Option<String> {
        let (author, summary) = match self {
            Self::Version(version) => (Some(&version.author), ""),
            Self::Closing(closing) => (Some(&closing.author), ""),
            Self::Mark(mark) => (Some(&mark.author), ""),
            Self::Purge(purge) => (Some(&purge.author), ""),
            Self::Commit(commit) => (None, commit.summary.as_str()),
        };
        let call = author.and_then(|author| author.call.as_deref());
        let name = author.map_or("", |author| author.name.as_str());
        let longest = [summary, name, call.unwrap_or_default()].map(str::len);
        let n_bytes = longest.into_iter().max().unwrap_or_default();
        (n_bytes > MAX_WORDS_BYTES).then(|| format!("a name or summary of {n_bytes} bytes"))
    }

    fn bad_id(&self) -> Option<String> {
        let memo = self.memo().filter(|memo| !is_id(memo, "m", 10));
        let memo = memo.map(|memo| bad(memo, "id of a memo"));
        memo.or_else(|| match self {
            Self::Version(version) => bad_version(version),
            Self::Closing(closing) => {
                let versions = [Some(&closing.version), closing.superseded_by.as_ref()];
                first_bad(versions.into_iter().flatten(), "v", 12)
                    .or_else(|| bad_commit(closing.valid_until.sha.as_ref()))
            }
            Self::Mark(mark) => match &mark.says {
                Field::Agrees(other) => first_bad([other], "m", 10),
                Field::Tier(_) | Field::Pinned(_) => None,
            },
            Self::Commit(commit) => bad_commit_fact(commit),
            Self::Purge(_) => None,
        })
    }
}

/// Whether there is such a moment.
pub(crate) fn is_moment(at_ms: i64) -> bool {
    (-LAST_MOMENT_MS..=LAST_MOMENT_MS).contains(&at_ms)
}

fn bad_version(version: &Version) -> Option<String> {
    if let Err(error) = checked(version.clone()) {
        return Some(error.to_string());
    }
    let longest = version.anchors.iter().map(|anchor| anchor.text.len()).max();
    if longest > Some(MAX_ANCHOR_BYTES) {
        return Some(format!("lines of more than {MAX_ANCHOR_BYTES} bytes"));
    }
    first_bad(&version.parents, "v", 12).or_else(|| bad_commit(version.valid_from.sha.as_ref()))
}

fn bad_commit_fact(commit: &CommitFact) -> Option<String> {
    if commit.lineage.len() > MAX_LINEAGE {
        return Some(format!("{} ancestors", commit.lineage.len()));
    }
    let commits = commit.lineage.iter().chain([&commit.sha]);
    first_bad(commits, "", 40).or_else(|| first_bad([&commit.twin, &commit.kin], "", 16))
}

fn bad_commit(sha: Option<&String>) -> Option<String> {
    first_bad(sha, "", 40)
}

fn first_bad<'a>(
    ids: impl IntoIterator<Item = &'a String>,
    prefix: &str,
    n_digits: usize,
) -> Option<String> {
    let bad_one = ids.into_iter().find(|id| !is_id(id, prefix, n_digits));
    bad_one.map(|id| bad(id, "id"))
}

fn bad(id: &str, what: &str) -> String {
    let start: String = id.chars().take(50).collect();
    format!("{start:?} is no {what}")
}

/// Whether an id is a prefix and so many hexadecimal digits, in lower case.
fn is_id(id: &str, prefix: &str, n_digits: usize) -> bool {
    id.strip_prefix(prefix).is_some_and(|digits| {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        digits.len() == n_digits && digits.bytes().all(is_digit)
    })
}
