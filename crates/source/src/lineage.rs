//! How commits descend from each other, and which of them are the same change.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::repository::{commit_id, read_head};
use crate::{CommitId, Head, Repository, SourceError};
use git2::{Commit, ErrorCode, Oid};
use sha1::{Digest, Sha1};

/// Diffs that are computed to tell copies of a commit from strangers that look alike.
const MAX_PATCHES: usize = 2_000;

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
    /// A hash of what it changed, where another commit has the same `twin`.
    pub patch: Option<[u8; 20]>,
    /// The commit that its message says to have been picked.
    pub picked_from: Option<CommitId>,
    /// The commit that its message says to be undone.
    pub reverts: Option<CommitId>,
}

/// All commits that refs, HEAD and some further commits lead to.
#[derive(Clone, Debug, Default)]
pub struct Lineage {
    /// Every commit once.
    pub nodes: HashMap<CommitId, CommitNode>,
    /// Where refs and HEADs of working trees point.
    pub tips: Vec<CommitId>,
    /// History ends early here.
    pub is_shallow: bool,
}

impl Repository {
    /// Brings what is known of descent up to date: reads commits that are new since `known`.
    ///
    /// Starts from all refs, the HEADs of all working trees, and `extra` commits, as far as they are
    /// there. O(new commits).
    ///
    /// # Errors
    ///
    /// `ReadHead` when the refs cannot be read. A commit that cannot be read ends its line.
    pub fn lineage(&self, known: Lineage, extra: &[CommitId]) -> Result<Lineage, SourceError> {
        let git = self.git();
        let tips = tips(&git).map_err(|source| SourceError::ReadHead {
            path: self.root().to_path_buf(),
            source,
        })?;
        let mut lineage = Lineage {
            tips,
            is_shallow: git.is_shallow(),
            ..known
        };
        let mut fresh = Vec::new();
        let mut open: Vec<CommitId> = lineage.tips.iter().chain(extra).copied().collect();
        while let Some(id) = open.pop() {
            if lineage.nodes.contains_key(&id) {
                continue;
            }
            let Ok(commit) = Oid::from_bytes(&id.0).and_then(|oid| git.find_commit(oid)) else {
                continue;
            };
            let node = node_of(&commit);
            open.extend(&node.parents);
            fresh.push(id);
            lineage.nodes.insert(id, node);
        }
        drop(git);
        self.compare_twins(&mut lineage, &fresh);
        Ok(lineage)
    }

    /// Sums up where all refs point, in a string that differs when one has moved.
    ///
    /// # Errors
    ///
    /// `ReadHead`.
    pub fn refs_fingerprint(&self) -> Result<String, SourceError> {
        let git = self.git();
        let tips = tips(&git).map_err(|source| SourceError::ReadHead {
            path: self.root().to_path_buf(),
            source,
        })?;
        let mut hasher = DefaultHasher::new();
        tips.hash(&mut hasher);
        git.is_shallow().hash(&mut hasher);
        Ok(format!("{:016x}", hasher.finish()))
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

    /// Whether a commit has a file or a folder at a path.
    pub fn exists_at(&self, commit: CommitId, path: &str) -> bool {
        let git = self.git();
        let tree = Oid::from_bytes(&commit.0)
            .and_then(|oid| git.find_commit(oid))
            .and_then(|commit| commit.tree());
        tree.is_ok_and(|tree| tree.get_path(std::path::Path::new(path)).is_ok())
    }

    /// The name that commits made here would carry; `None` where git knows none.
    pub fn user_name(&self) -> Option<String> {
        let git = self.git();
        let config = git.config().ok()?;
        config
            .get_string("user.name")
            .ok()
            .filter(|name| !name.trim().is_empty())
    }

    /// The commit that HEAD points at; `None` before the first one.
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

    /// Works out what those commits changed that look like another one.
    fn compare_twins(&self, lineage: &mut Lineage, fresh: &[CommitId]) {
        let mut by_twin: HashMap<u64, Vec<CommitId>> = HashMap::new();
        for node in lineage.nodes.values() {
            by_twin.entry(node.twin).or_default().push(node.id);
        }
        let fresh: HashSet<u64> = fresh
            .iter()
            .filter_map(|id| lineage.nodes.get(id))
            .map(|node| node.twin)
            .collect();
        let twins = fresh.iter().filter_map(|twin| by_twin.get(twin));
        let ids = twins.filter(|ids| ids.len() > 1).flatten();
        let git = self.git();
        for id in ids.take(MAX_PATCHES) {
            let Some(node) = lineage.nodes.get_mut(id) else {
                continue;
            };
            if node.patch.is_none() {
                node.patch = patch_id(&git, *id);
            }
        }
    }
}

/// Where refs and HEADs point, sorted, each once.
fn tips(git: &git2::Repository) -> Result<Vec<CommitId>, git2::Error> {
    let mut tips = Vec::new();
    match git.head() {
        Ok(head) => tips.push(commit_id(head.peel_to_commit()?.id())),
        Err(error) if error.code() == ErrorCode::UnbornBranch => {}
        Err(error) => return Err(error),
    }
    for reference in git.references()?.flatten() {
        let name = reference.name_bytes();
        // What was put aside is no history: a stash, notes, and refs of tools.
        let counts = [&b"refs/heads/"[..], b"refs/remotes/", b"refs/tags/"];
        if !counts.iter().any(|prefix| name.starts_with(prefix)) {
            continue;
        }
        if let Ok(commit) = reference.peel_to_commit() {
            tips.push(commit_id(commit.id()));
        }
    }
    for name in git.worktrees()?.iter().flatten().flatten() {
        let opened = git
            .find_worktree(name)
            .and_then(|worktree| git2::Repository::open_from_worktree(&worktree));
        if let Ok(opened) = opened
            && let Ok(Head::Detached { commit } | Head::Branch { commit, .. }) = read_head(&opened)
        {
            tips.push(commit);
        }
    }
    tips.sort_unstable();
    tips.dedup();
    Ok(tips)
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
        patch: None,
        picked_from: named_commit(message, "cherry picked from commit "),
        reverts: named_commit(message, "This reverts commit "),
        summary,
    }
}

/// The commit that a message names after some words.
fn named_commit(message: &[u8], words: &str) -> Option<CommitId> {
    let message = std::str::from_utf8(message).ok()?;
    let (_, rest) = message.split_once(words)?;
    let id: String = rest.chars().take(40).collect();
    commit_from_hex(&id)
}

/// A commit's id from its 40 hex digits.
pub fn commit_from_hex(id: &str) -> Option<CommitId> {
    let bytes = hex::decode(id).ok()?;
    Some(CommitId(bytes.try_into().ok()?))
}

fn patch_id(git: &git2::Repository, id: CommitId) -> Option<[u8; 20]> {
    let commit = git.find_commit(Oid::from_bytes(&id.0).ok()?).ok()?;
    let before = match commit.parent(0) {
        Ok(parent) => Some(parent.tree().ok()?),
        Err(_) => None,
    };
    let diff = git
        .diff_tree_to_tree(before.as_ref(), Some(&commit.tree().ok()?), None)
        .ok()?;
    diff.patchid(None).ok().map(crate::repository::sha1_bytes)
}
