//! From what someone wants to say to the facts that say it.
//!
//! INVARIANT: a version closes exactly the versions that its writer had before them (its parents).
//! So writers who have seen each other never leave two versions that hold at one commit, and those
//! who have not are found by that very sign.

use crate::fact::{
    Anchor, Author, Change, Closing, CommitFact, Fact, Field, Kind, Mark, Point, Purge, Reason,
    Version, digest,
};
use crate::ledger::Ledger;
use crate::snapshot::{MemoStatus, Snapshot};
use crate::{MemoryError, Result};

/// Bytes of a memo's text.
const MAX_CONTENT_BYTES: usize = 64 * 1024;
const MAX_TAGS: usize = 32;
const MAX_TAG_CHARS: usize = 64;
const MAX_ANCHORS: usize = 64;

/// A new memo.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The text, Markdown.
    pub content: String,
    /// What it is about.
    pub kind: Kind,
    /// Tags.
    pub tags: Vec<String>,
    /// The code it is about.
    pub anchors: Vec<Anchor>,
    /// 0 to 1.
    pub confidence: f64,
}

impl Draft {
    /// Makes a draft of a text alone: context, sure, without tags or anchors.
    pub fn new(content: &str) -> Self {
        Self {
            content: content.to_owned(),
            kind: Kind::Context,
            tags: Vec::new(),
            anchors: Vec::new(),
            confidence: 1.0,
        }
    }
}

/// What is to be another; `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "as in `Draft`")]
pub struct Edit {
    pub content: Option<String>,
    pub kind: Option<Kind>,
    pub tags: Option<Vec<String>>,
    pub anchors: Option<Vec<Anchor>>,
    pub confidence: Option<f64>,
    pub change: Change,
    /// It has held since the first of its parents began, whose text was wrong all along.
    pub since_start: bool,
}

/// Who writes, when, and as of which commit.
pub struct FactWriter<'a> {
    /// What is known.
    pub ledger: &'a Ledger,
    /// The moment to record.
    pub recorded_at: i64,
    /// What the clock says, where that is another moment.
    pub clock: Option<i64>,
    /// The point in valid time from which on it holds.
    pub at: Point,
    /// What to remember of its commit.
    pub commit: Option<CommitFact>,
    /// Who writes.
    pub author: Author,
}

impl<'a> FactWriter<'a> {
    /// Writes without a commit: what it writes holds from `recorded_at` on, in milliseconds since the
    /// epoch.
    pub fn by_time(ledger: &'a Ledger, recorded_at: i64, author: Author) -> Self {
        Self {
            ledger,
            recorded_at,
            clock: None,
            at: Point {
                sha: None,
                at: recorded_at,
            },
            commit: None,
            author,
        }
    }

    /// Makes a new memo; its version is the first of the facts that is one.
    ///
    /// # Errors
    ///
    /// `Empty`, `TooLarge`, `BadField`, `AnchorOutside`.
    pub fn add(&self, draft: Draft) -> Result<Vec<Fact>> {
        let seed = format!(
            "{}\0{}\0{}\0{:?}",
            draft.content, self.recorded_at, self.author.name, self.at
        );
        let mut memo = format!("m{}", &digest(&seed)[..10]);
        while self.ledger.memo(&memo).is_some() {
            memo = format!("m{}", &digest(&memo)[..10]);
        }
        let version = Version {
            id: String::new(),
            memo,
            parents: Vec::new(),
            change: Change::Add,
            content: draft.content,
            kind: draft.kind,
            tags: draft.tags,
            anchors: draft.anchors,
            confidence: draft.confidence,
            valid_from: self.at.clone(),
            recorded_at: self.recorded_at,
            clock: self.clock,
            author: self.author.clone(),
        };
        let mut facts = self.remembered();
        facts.push(Fact::Version(checked(version)?).sealed());
        Ok(facts)
    }

    /// Makes another version of a memo, in place of `parents`.
    ///
    /// # Errors
    ///
    /// As [`FactWriter::add`], and `UnknownMemo` without parents.
    pub fn edit(&self, memo: &str, parents: &[u32], edit: Edit) -> Result<Vec<Fact>> {
        let known = parents.iter().filter_map(|idx| self.ledger.version(*idx));
        let known: Vec<&Version> = known.filter(|version| version.memo == memo).collect();
        let Some(last) = known.last() else {
            return Err(MemoryError::UnknownMemo {
                id: memo.to_owned(),
            });
        };
        let first = known.iter().min_by_key(|version| version.valid_from.at);
        let valid_from = match first.filter(|_| edit.since_start) {
            Some(first) => first.valid_from.clone(),
            None => self.at.clone(),
        };
        let version = Version {
            id: String::new(),
            memo: memo.to_owned(),
            parents: known.iter().map(|version| version.id.clone()).collect(),
            change: edit.change,
            content: edit.content.unwrap_or_else(|| last.content.clone()),
            kind: edit.kind.unwrap_or(last.kind),
            tags: edit.tags.unwrap_or_else(|| last.tags.clone()),
            anchors: edit.anchors.unwrap_or_else(|| last.anchors.clone()),
            confidence: edit.confidence.unwrap_or(last.confidence),
            valid_from,
            recorded_at: self.recorded_at,
            clock: self.clock,
            author: self.author.clone(),
        };
        let version = Fact::Version(checked(version)?).sealed();
        let id = version.id();
        let mut facts = self.remembered();
        facts.push(version);
        for parent in known {
            let until = if edit.since_start {
                parent.valid_from.clone()
            } else {
                self.at.clone()
            };
            facts.push(self.closing(parent, until, Reason::Edit, Some(&id)));
        }
        Ok(facts)
    }

    /// Ends versions, because another memo's version takes their place or because they no longer hold.
    pub fn end(&self, versions: &[u32], superseded_by: Option<&str>) -> Vec<Fact> {
        let reason = match superseded_by {
            Some(_) => Reason::Supersede,
            None => Reason::Forget,
        };
        let known = versions.iter().filter_map(|idx| self.ledger.version(*idx));
        let closings =
            known.map(|version| self.closing(version, self.at.clone(), reason, superseded_by));
        let mut facts = self.remembered();
        facts.extend(closings);
        facts
    }

    /// Says something of a memo that depends on no commit.
    pub fn mark(&self, memo: &str, says: Field) -> Fact {
        let mark = Mark {
            id: String::new(),
            memo: memo.to_owned(),
            says,
            recorded_at: self.recorded_at,
            author: self.author.clone(),
        };
        Fact::Mark(mark).sealed()
    }

    /// Deletes a memo for good, with all its versions.
    pub fn purge(&self, memo: &str) -> Fact {
        let n_versions = self
            .ledger
            .memo(memo)
            .map_or(0, |facts| facts.versions.len());
        let purge = Purge {
            id: String::new(),
            memo: memo.to_owned(),
            n_versions: n_versions as u32,
            recorded_at: self.recorded_at,
            author: self.author.clone(),
        };
        Fact::Purge(purge).sealed()
    }

    fn closing(
        &self,
        version: &Version,
        valid_until: Point,
        reason: Reason,
        by: Option<&str>,
    ) -> Fact {
        let closing = Closing {
            id: String::new(),
            version: version.id.clone(),
            memo: version.memo.clone(),
            valid_until,
            recorded_at: self.recorded_at,
            reason,
            superseded_by: by.map(str::to_owned),
            author: self.author.clone(),
        };
        Fact::Closing(closing).sealed()
    }

    fn remembered(&self) -> Vec<Fact> {
        let new = self
            .commit
            .iter()
            .filter(|commit| self.ledger.commit(&commit.sha).is_none());
        new.cloned().map(Fact::Commit).collect()
    }
}

impl Snapshot<'_> {
    /// Returns the versions of a memo that its reader has before them: those that hold, else the
    /// newest.
    ///
    /// # Errors
    ///
    /// `UnknownMemo` for one that was recorded later.
    pub fn seen(&self, memo: &str) -> Result<Vec<u32>> {
        match self.state(memo) {
            MemoStatus::Valid(resolved) => {
                let mut seen = resolved.contested;
                seen.push(resolved.version);
                Ok(seen)
            }
            MemoStatus::NotYet => Err(MemoryError::UnknownMemo {
                id: memo.to_owned(),
            }),
            other => Ok(other.version().into_iter().collect()),
        }
    }

    /// Returns the versions of a memo that hold.
    ///
    /// # Errors
    ///
    /// `NotValid`.
    pub fn holding(&self, memo: &str) -> Result<Vec<u32>> {
        match self.state(memo) {
            MemoStatus::Valid(_) => self.seen(memo),
            other => Err(MemoryError::NotValid {
                id: memo.to_owned(),
                why: other.name().to_owned(),
            }),
        }
    }
}

/// A version as it is kept, or what is wrong with its fields.
pub(crate) fn checked(mut version: Version) -> Result<Version> {
    if version.content.trim().is_empty() {
        return Err(MemoryError::Empty);
    }
    if version.content.len() > MAX_CONTENT_BYTES {
        return Err(MemoryError::TooLarge {
            n_bytes: version.content.len(),
            limit: MAX_CONTENT_BYTES,
        });
    }
    if !(0.0..=1.0).contains(&version.confidence) {
        let what = format!(
            "the confidence {} is not between 0 and 1",
            version.confidence
        );
        return Err(bad_field(what, "give a share such as 0.8"));
    }
    version.tags = checked_tags(&version.tags)?;
    if version.anchors.len() > MAX_ANCHORS {
        let what = format!("{} anchors are too many", version.anchors.len());
        return Err(bad_field(what, "anchor the memo to a folder"));
    }
    for anchor in &mut version.anchors {
        anchor.path = check_path(&anchor.path)?;
        if anchor.start_line > anchor.end_line {
            let what = format!(
                "the anchor {}:{}-{} ends before it begins",
                anchor.path, anchor.start_line, anchor.end_line
            );
            return Err(bad_field(what, "give lines as first-last"));
        }
    }
    Ok(version)
}

fn checked_tags(tags: &[String]) -> Result<Vec<String>> {
    let mut clean: Vec<String> = tags
        .iter()
        .map(|tag| tag.trim().trim_start_matches('#').to_lowercase())
        .filter(|tag| !tag.is_empty())
        .collect();
    clean.sort();
    clean.dedup();
    if clean.len() > MAX_TAGS {
        let what = format!("{} tags are too many", clean.len());
        return Err(bad_field(what, "keep the ones that you would search by"));
    }
    let odd = |tag: &&String| tag.chars().count() > MAX_TAG_CHARS || tag.contains([',', '\n']);
    match clean.iter().find(odd) {
        Some(tag) => Err(bad_field(
            format!("the tag {tag:?} is too long or holds a comma"),
            "a tag is a word or two",
        )),
        None => Ok(clean),
    }
}

/// Returns a path inside the repository in its plain form: `/` between parts, no `.`.
///
/// # Errors
///
/// `AnchorOutside` for one that is absolute, leads up or into git's own data; `BadField` for none.
pub fn check_path(path: &str) -> Result<String> {
    let slashed = path.trim().replace('\\', "/");
    let has_drive = slashed.as_bytes().get(1) == Some(&b':');
    let parts: Vec<&str> = slashed
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    let leaves = slashed.starts_with('/')
        || has_drive
        || parts
            .iter()
            .any(|part| *part == ".." || part.eq_ignore_ascii_case(".git"));
    if leaves {
        return Err(MemoryError::AnchorOutside {
            path: path.to_owned(),
        });
    }
    if parts.is_empty() {
        Err(bad_field(
            "the anchor has no path".to_owned(),
            "give path, path:line or path:first-last",
        ))
    } else {
        Ok(parts.join("/"))
    }
}

fn bad_field(what: String, hint: &str) -> MemoryError {
    MemoryError::BadField {
        what,
        hint: hint.to_owned(),
    }
}
