//! Who wrote a line: each line of a text goes back along history to the commit that brought it.
//!
//! A walk of our own, newest commit first: unlike libgit2's it ends when it is told to, and says so.

use crate::repository::{commit_id, sha1_bytes};
use crate::{
    BlobId, CommitId, FileFilter, LineChange, Repository, SourceError, changed_lines, shown,
};
use git2::{Commit, DiffFindOptions, DiffOptions, Oid};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::rc::Rc;

/// Contents that are kept while the walk goes on; neighbours share most of them.
const MAX_CONTENTS: usize = 64;

/// Lines that came together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlamedLines {
    /// First line, from 1.
    pub start: u32,
    /// How many.
    pub n_lines: u32,
    /// The commit that brought them; `None` where no commit has them yet.
    pub commit: Option<CommitId>,
}

/// The lines of a text with the commits that brought them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blame {
    /// By position.
    pub lines: Vec<BlamedLines>,
    /// Lines whose commit was not reached in time: first line and count.
    pub unreached: Vec<(u32, u32)>,
}

/// Lines that are sought in a commit: where they stand in the text, and where in the commit's file.
#[derive(Clone, Copy)]
struct Sought {
    text_start: u32,
    start: u32,
    n_lines: u32,
}

impl Repository {
    /// Takes each line of a text that is a file's as it is [shown], as of a commit or later, to the commit
    /// that brought it.
    /// Follows merges and renames; stops when `is_late` says so.
    ///
    /// # Errors
    ///
    /// `ReadCommit`.
    pub fn blame(
        &self,
        commit: CommitId,
        path: &str,
        text: &[u8],
        is_late: &dyn Fn() -> bool,
    ) -> Result<Blame, SourceError> {
        // It reads git's settings, so before the repository is taken.
        let filter = self.filter();
        let git = self.git();
        let mut walk = BlameWalk {
            git: &git,
            filter,
            path,
            pending: BTreeMap::new(),
            contents: HashMap::new(),
            blame: Blame::default(),
        };
        let walked = walk.run(&commit, path, text, is_late);
        walked.map_err(|source| SourceError::ReadCommit { commit, source })?;
        walk.blame.lines.sort_by_key(|lines| lines.start);
        walk.blame.unreached.sort_unstable();
        Ok(walk.blame)
    }
}

/// By time, then id: of equals, any order will do as long as it is always the same.
type LineOrigin = (i64, Oid, String);

struct BlameWalk<'g> {
    git: &'g git2::Repository,
    filter: FileFilter,
    /// The path by which every version is judged: a rename changes no line.
    path: &'g str,
    pending: BTreeMap<LineOrigin, Vec<Sought>>,
    contents: HashMap<Oid, Rc<Vec<u8>>>,
    blame: Blame,
}

impl BlameWalk<'_> {
    fn run(
        &mut self,
        commit: &CommitId,
        path: &str,
        text: &[u8],
        is_late: &dyn Fn() -> bool,
    ) -> Result<(), git2::Error> {
        let n_lines = n_lines(text);
        let all = Sought {
            text_start: 1,
            start: 1,
            n_lines,
        };
        let newest = self.git.find_commit(Oid::from_bytes(&commit.0)?)?;
        match blob_at(&newest, path)? {
            Some(blob) => {
                let changes = changed_lines(&self.content(blob)?, text);
                let (kept, new) = part(&[all], &changes);
                self.blamed(&new, None);
                self.put(&newest, path, kept);
            }
            None => self.blamed(&[all], None),
        }
        while let Some(((_, oid, path), sought)) = self.pending.pop_last() {
            if is_late() {
                self.pending.insert((0, oid, path), sought);
                break;
            }
            self.step(oid, &path, sought)?;
        }
        let left = std::mem::take(&mut self.pending).into_values().flatten();
        self.blame.unreached = left.map(|one| (one.text_start, one.n_lines)).collect();
        Ok(())
    }

    /// Hands lines on to the parents that have them; the rest are the commit's own.
    fn step(&mut self, oid: Oid, path: &str, mut sought: Vec<Sought>) -> Result<(), git2::Error> {
        let commit = self.git.find_commit(oid)?;
        let Some(blob) = blob_at(&commit, path)? else {
            self.blamed(&sought, Some(oid));
            return Ok(());
        };
        let mut parents = Vec::new();
        for parent in commit.parents() {
            match blob_at(&parent, path)? {
                Some(same) if same == blob => {
                    self.put(&parent, path, sought);
                    return Ok(());
                }
                Some(other) => parents.push((parent, path.to_owned(), other)),
                None => {
                    if let Some((old, other)) = renamed(self.git, &parent, &commit, path)? {
                        parents.push((parent, old, other));
                    }
                }
            }
        }
        for (parent, path, other) in parents {
            if sought.is_empty() {
                break;
            }
            let changes = changed_lines(&self.content(other)?, &self.content(blob)?);
            let (kept, own) = part(&sought, &changes);
            self.put(&parent, &path, kept);
            sought = own;
        }
        self.blamed(&sought, Some(oid));
        Ok(())
    }

    fn put(&mut self, commit: &Commit<'_>, path: &str, sought: Vec<Sought>) {
        if !sought.is_empty() {
            let place = (commit.time().seconds(), commit.id(), path.to_owned());
            self.pending.entry(place).or_default().extend(sought);
        }
    }

    fn blamed(&mut self, sought: &[Sought], commit: Option<Oid>) {
        let lines = sought.iter().map(|one| BlamedLines {
            start: one.text_start,
            n_lines: one.n_lines,
            commit: commit.map(commit_id),
        });
        self.blame.lines.extend(lines);
    }

    /// A version as it would be shown; as it is where it would not.
    fn content(&mut self, blob: Oid) -> Result<Rc<Vec<u8>>, git2::Error> {
        if let Some(known) = self.contents.get(&blob) {
            return Ok(Rc::clone(known));
        }
        if self.contents.len() >= MAX_CONTENTS {
            self.contents.clear();
        }
        let found = self.git.find_blob(blob)?;
        let content = match shown(self.path, found.content(), &self.filter) {
            Ok(text) => text.into_owned().into_bytes(),
            Err(_) => found.content().to_vec(),
        };
        let content = Rc::new(content);
        self.contents.insert(blob, Rc::clone(&content));
        Ok(content)
    }
}

/// Parts lines into those that the older text has, at their places there, and those that it has not.
fn part(sought: &[Sought], changes: &[LineChange]) -> (Vec<Sought>, Vec<Sought>) {
    let (mut kept, mut own) = (Vec::new(), Vec::new());
    for lines in sought {
        let (mut at, end) = (lines.start, lines.start + lines.n_lines);
        let mut moved = 0i64;
        let piece = |from: u32, to: u32, moved: i64| Sought {
            text_start: lines.text_start + (from - lines.start),
            start: (i64::from(from) + moved).max(1) as u32,
            n_lines: to - from,
        };
        for change in changes {
            // A gap lies behind the line that it names.
            let from = change.start + u32::from(change.n_lines == 0);
            let to = from + change.n_lines;
            if from >= end {
                break;
            }
            if from > at {
                kept.push(piece(at, from, moved));
                at = from;
            }
            if to > at {
                own.push(piece(at, to.min(end), 0));
                at = to.min(end);
            }
            moved += i64::from(change.n_removed) - i64::from(change.n_lines);
        }
        if at < end {
            kept.push(piece(at, end, moved));
        }
    }
    (kept, own)
}

/// The path that a file of a commit had in its parent, with what it held, where it was renamed.
fn renamed(
    git: &git2::Repository,
    parent: &Commit<'_>,
    commit: &Commit<'_>,
    path: &str,
) -> Result<Option<(String, Oid)>, git2::Error> {
    let mut options = DiffOptions::new();
    options.skip_binary_check(true).ignore_submodules(true);
    let trees = (parent.tree()?, commit.tree()?);
    let mut diff = git.diff_tree_to_tree(Some(&trees.0), Some(&trees.1), Some(&mut options))?;
    // Only what came under this path may come from somewhere.
    let added: BTreeSet<_> = diff
        .deltas()
        .filter_map(|delta| delta.new_file().path().map(Path::to_path_buf))
        .collect();
    if !added.contains(Path::new(path)) {
        return Ok(None);
    }
    diff.find_similar(Some(DiffFindOptions::new().renames(true).rename_limit(400)))?;
    let found = diff.deltas().find(|delta| {
        delta.status() == git2::Delta::Renamed && delta.new_file().path() == Some(Path::new(path))
    });
    Ok(found.and_then(|delta| {
        let old = delta.old_file();
        Some((old.path()?.to_str()?.to_owned(), old.id()))
    }))
}

fn blob_at(commit: &Commit<'_>, path: &str) -> Result<Option<Oid>, git2::Error> {
    match commit.tree()?.get_path(Path::new(path)) {
        Ok(entry) if entry.kind() == Some(git2::ObjectType::Blob) => Ok(Some(entry.id())),
        Ok(_) => Ok(None),
        Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn n_lines(text: &[u8]) -> u32 {
    let breaks = text.iter().filter(|byte| **byte == b'\n').count() as u32;
    breaks + u32::from(text.last().is_some_and(|last| *last != b'\n'))
}

impl Repository {
    /// Says what a commit holds at a path.
    ///
    /// # Errors
    ///
    /// `ReadCommit`.
    pub fn blob_of(&self, commit: CommitId, path: &str) -> Result<Option<BlobId>, SourceError> {
        let git = self.git();
        let found = Oid::from_bytes(&commit.0).and_then(|oid| git.find_commit(oid));
        let found = found.and_then(|commit| blob_at(&commit, path));
        found
            .map(|blob| blob.map(|oid| BlobId(sha1_bytes(oid))))
            .map_err(|source| SourceError::ReadCommit { commit, source })
    }
}
