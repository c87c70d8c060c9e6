//! How commits descend from each other, and which of them are the same change.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::repository::{commit_id, read_head, sha1_bytes};
use crate::{CommitId, Head, Repository, SourceError, without_secrets_in};
use git2::{Commit, ErrorCode, OdbLookupFlags, Oid};
use sha1::{Digest, Sha1};
use whyrank_system::regular;

/// The ends of a shallow history take 41 bytes each.
const MAX_SHALLOW_BYTES: u64 = 64 << 20;

/// A commit as far as descent goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitNode {
    /// Its id.
    pub id: CommitId,
    /// Its parents, first one first; those that a shallow clone lacks too.
    pub parents: Vec<CommitId>,
    /// When it was committed, in seconds since the epoch.
    pub time_s: i64,
    /// The first line of its message.
    pub summary: String,
    /// A hash of author, author's time and summary: what a rebase and a cherry-pick keep. The same
    /// on every machine.
    pub twin: u64,
    /// A hash of author and author's time: what rewording keeps, too.
    pub kin: u64,
    /// The commit that its message says to have been picked.
    pub picked_from: Option<CommitId>,
    /// The commit that its message says to be undone.
    pub reverts: Option<CommitId>,
}

impl Repository {
    /// Reads some commits and all above them, each once, children mostly before parents.
    ///
    /// Goes no further at one that `is_known`. A commit that cannot be read ends its line.
    /// O(commits that are not known).
    pub fn read_commits(
        &self,
        from: &[CommitId],
        is_known: &dyn Fn(CommitId) -> bool,
    ) -> Vec<CommitNode> {
        let mut open: Vec<CommitId> = from.iter().copied().filter(|id| !is_known(*id)).collect();
        if open.is_empty() {
            return Vec::new();
        }
        let git = self.git();
        // Packs that came since are looked for once, not for each commit that is nowhere.
        let odb = git.odb().ok().filter(|odb| odb.refresh().is_ok());
        let flags = OdbLookupFlags::NO_REFRESH;
        let is_there = |oid| odb.as_ref().is_none_or(|odb| odb.exists_ext(oid, flags));
        let (mut read, mut seen) = (Vec::new(), HashSet::new());
        while let Some(id) = open.pop() {
            if !seen.insert(id) || is_known(id) {
                continue;
            }
            let commit = Oid::from_bytes(&id.0).ok().filter(|oid| is_there(*oid));
            let Some(commit) = commit.and_then(|oid| git.find_commit(oid).ok()) else {
                continue;
            };
            let node = node_of(&commit);
            open.extend(&node.parents);
            read.push(node);
        }
        read
    }

    /// Returns the newest commits along the first parents of HEAD, the newest first.
    pub fn newest_commits(&self, n_at_most: usize) -> Vec<CommitNode> {
        let head = self.head_commit().ok().flatten();
        let git = self.git();
        let find = |id: &CommitId| git.find_commit(Oid::from_bytes(&id.0).ok()?).ok();
        let mut next = head.as_ref().and_then(find);
        let mut newest = Vec::new();
        while let Some(commit) = next.filter(|_| newest.len() < n_at_most) {
            newest.push(node_of(&commit));
            next = commit.parent(0).ok();
        }
        newest
    }

    /// Returns where refs and the HEADs of all working trees point, sorted, each commit once.
    ///
    /// # Errors
    ///
    /// `ReadHead`.
    pub fn tips(&self) -> Result<Vec<CommitId>, SourceError> {
        let git = self.git();
        let mut tips = Vec::new();
        each_ref(&git, |_, reference| {
            if let Ok(commit) = reference.peel_to_commit() {
                tips.push(commit_id(commit.id()));
            }
        })
        .and_then(|()| heads(&git))
        .map(|heads| tips.extend(heads))
        .map_err(|source| self.head_error(source))?;
        tips.sort_unstable();
        tips.dedup();
        Ok(tips)
    }

    /// Sums up where all refs point, in a string that differs when one has moved. Reads no commit.
    ///
    /// # Errors
    ///
    /// `ReadHead`.
    pub fn refs_fingerprint(&self) -> Result<String, SourceError> {
        let git = self.git();
        let mut hasher = DefaultHasher::new();
        each_ref(&git, |name, reference| {
            name.hash(&mut hasher);
            reference.target().map(sha1_bytes).hash(&mut hasher);
            reference.symbolic_target_bytes().hash(&mut hasher);
        })
        .and_then(|()| heads(&git))
        .map(|heads| heads.hash(&mut hasher))
        .map_err(|source| self.head_error(source))?;
        Ok(format!("{:016x}", hasher.finish()))
    }

    /// Returns where a shallow clone's history ends, as a hash; `None` where history is whole.
    pub fn shallow_fingerprint(&self) -> Option<String> {
        if !self.git().is_shallow() {
            return None;
        }
        let ends = self.common_dir().join("shallow");
        let ends = regular::read(&ends, MAX_SHALLOW_BYTES).unwrap_or_default();
        Some(hex::encode(&Sha1::digest(ends)[..4]))
    }

    /// Returns a hash of what a commit changed against its first parent, whatever the lines'
    /// numbers; `None` where it cannot be read. The cost of its diff.
    pub fn patch_id(&self, commit: CommitId) -> Option<[u8; 20]> {
        let git = self.git();
        let commit = git.find_commit(Oid::from_bytes(&commit.0).ok()?).ok()?;
        let before = match commit.parent(0) {
            Ok(parent) => Some(parent.tree().ok()?),
            Err(_) => None,
        };
        let diff = git
            .diff_tree_to_tree(before.as_ref(), Some(&commit.tree().ok()?), None)
            .ok()?;
        diff.patchid(None).ok().map(sha1_bytes)
    }

    /// Reads a file of a commit; `None` where the commit has none at that path.
    ///
    /// # Errors
    ///
    /// `ReadCommit`.
    pub fn read_at(&self, commit: CommitId, path: &str) -> Result<Option<Vec<u8>>, SourceError> {
        let git = self.git();
        let tree = Oid::from_bytes(&commit.0)
            .and_then(|oid| git.find_commit(oid))
            .and_then(|commit| commit.tree())
            .map_err(|source| SourceError::ReadCommit { commit, source })?;
        let Ok(entry) = tree.get_path(std::path::Path::new(path)) else {
            return Ok(None);
        };
        Ok(git
            .find_blob(entry.id())
            .ok()
            .map(|blob| blob.content().to_vec()))
    }

    /// Says whether a commit has a file or a folder at a path.
    pub fn exists_at(&self, commit: CommitId, path: &str) -> bool {
        let git = self.git();
        let tree = Oid::from_bytes(&commit.0)
            .and_then(|oid| git.find_commit(oid))
            .and_then(|commit| commit.tree());
        tree.is_ok_and(|tree| tree.get_path(std::path::Path::new(path)).is_ok())
    }

    /// Returns the name that commits made here would carry; `None` where git knows none.
    pub fn user_name(&self) -> Option<String> {
        let git = self.git();
        let config = git.config().ok()?;
        config
            .get_string("user.name")
            .ok()
            .filter(|name| !name.trim().is_empty())
    }

    /// Returns the commit that HEAD points at; `None` before the first one.
    ///
    /// # Errors
    ///
    /// `ReadHead`.
    pub fn head_commit(&self) -> Result<Option<CommitId>, SourceError> {
        Ok(match self.head()? {
            Head::Unborn { .. } => None,
            Head::Branch { commit, .. } | Head::Detached { commit } => Some(commit),
        })
    }

    fn head_error(&self, source: git2::Error) -> SourceError {
        SourceError::ReadHead {
            path: self.root().to_path_buf(),
            source,
        }
    }
}

/// Branches and tags. What was put aside is no history: a stash, notes, and refs of tools.
fn each_ref(
    git: &git2::Repository,
    mut act: impl FnMut(&[u8], &git2::Reference<'_>),
) -> Result<(), git2::Error> {
    for reference in git.references()?.flatten() {
        let name = reference.name_bytes();
        let counts = [&b"refs/heads/"[..], b"refs/remotes/", b"refs/tags/"];
        if counts.iter().any(|prefix| name.starts_with(prefix)) {
            act(name, &reference);
        }
    }
    Ok(())
}

/// The HEADs of all working trees.
fn heads(git: &git2::Repository) -> Result<Vec<CommitId>, git2::Error> {
    let mut heads = Vec::new();
    match git.head() {
        Ok(head) => heads.push(commit_id(head.peel_to_commit()?.id())),
        Err(error) if error.code() == ErrorCode::UnbornBranch => {}
        Err(error) => return Err(error),
    }
    for name in git.worktrees()?.iter().flatten().flatten() {
        let opened = git
            .find_worktree(name)
            .and_then(|worktree| git2::Repository::open_from_worktree(&worktree));
        if let Ok(opened) = opened
            && let Ok(Head::Detached { commit } | Head::Branch { commit, .. }) = read_head(&opened)
        {
            heads.push(commit);
        }
    }
    Ok(heads)
}

fn node_of(commit: &Commit<'_>) -> CommitNode {
    let author = commit.author();
    let summary = String::from_utf8_lossy(commit.summary_bytes().unwrap_or_default()).into_owned();
    let message = commit.message_bytes();
    let hash = |summary: &str| {
        let mut hasher = Sha1::new();
        hasher.update(author.name_bytes());
        hasher.update([0]);
        hasher.update(author.email_bytes());
        hasher.update(author.when().seconds().to_le_bytes());
        hasher.update(summary);
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&hasher.finalize()[..8]);
        u64::from_le_bytes(bytes)
    };
    CommitNode {
        id: commit_id(commit.id()),
        parents: commit.parent_ids().map(commit_id).collect(),
        time_s: commit.time().seconds(),
        twin: hash(&summary),
        kin: hash(""),
        picked_from: named_commit(message, "cherry picked from commit "),
        reverts: named_commit(message, "This reverts commit "),
        summary: without_secrets_in(&summary).into_owned(),
    }
}

/// The commit that a message names after some words.
fn named_commit(message: &[u8], words: &str) -> Option<CommitId> {
    let message = std::str::from_utf8(message).ok()?;
    let (_, rest) = message.split_once(words)?;
    let id: String = rest.chars().take(40).collect();
    commit_from_hex(&id)
}

/// Returns a commit's id from its 40 hex digits.
pub fn commit_from_hex(id: &str) -> Option<CommitId> {
    let bytes = hex::decode(id).ok()?;
    Some(CommitId(bytes.try_into().ok()?))
}
