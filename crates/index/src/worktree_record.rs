//! What listings of a working tree found out, and whether a view still shows what lies there.
//!
//! Paths, sizes and times decide what has to be read; contents decide what differs. The record is kept
//! by who asks again and again: each look reads only what may have changed since the one before.

use crate::catalog::{ViewFileRow, ViewKey, ViewRow};
use crate::error::{IndexError, Result};
use crate::view::View;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;
use whyrank_source::{
    BlobId, FileStat, Head, KnownFile, KnownFiles, Listing, Repository, SkipReason, SourceError,
    SourceFile,
};

/// A file that changed so shortly before it was listed may have been written again within the same
/// tick of the file system's clock (two seconds on FAT).
const TICK_NS: i64 = 2_000_000_000;

/// Files by path, as they were last listed.
#[derive(Debug, Default)]
pub struct WorktreeRecord {
    files: HashMap<String, RecordedFile>,
    /// By which rules they were judged.
    judged_by: String,
    /// What changed after this has to be read again.
    settled_before_ns: i64,
    /// Files that the listing at work has to read.
    unread: RefCell<HashMap<String, FileStat>>,
}

#[derive(Debug)]
struct RecordedFile {
    size_bytes: u64,
    mtime_ns: i64,
    known: KnownFile,
}

impl RecordedFile {
    fn new(size_bytes: u64, mtime_ns: i64, blob: BlobId) -> Self {
        Self {
            size_bytes,
            mtime_ns,
            known: KnownFile::Indexed(blob),
        }
    }
}

/// In what a working tree differs from its view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorktreeDifference {
    /// Files that are new, gone or of another content, sorted.
    pub files: Vec<String>,
    /// HEAD names another commit or branch.
    pub head_moved: bool,
}

impl WorktreeDifference {
    /// Says whether there is none.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && !self.head_moved
    }
}

impl WorktreeRecord {
    /// Takes over what the listing behind a view found out.
    pub fn of_view(view: &View) -> Self {
        let files = view.files.iter();
        let recorded = files.map(|file| {
            let known = RecordedFile::new(file.size_bytes, file.mtime_ns, file.blob);
            (file.path.clone(), known)
        });
        Self::of(recorded.collect(), view.updated_at, &view.fingerprint)
    }

    pub(crate) fn of_rows(rows: &[ViewFileRow], view: &ViewRow) -> Self {
        let recorded = rows.iter().map(|row| {
            let file = RecordedFile::new(row.size_bytes, row.mtime_ns, row.blob);
            (row.path.clone(), file)
        });
        Self::of(recorded.collect(), view.updated_at, &view.fingerprint)
    }

    /// `fingerprint` is the view's: it begins with the rules that its files were judged by.
    fn of(files: HashMap<String, RecordedFile>, seen_at_s: i64, fingerprint: &str) -> Self {
        Self {
            files,
            judged_by: fingerprint.split(' ').next().unwrap_or_default().to_owned(),
            settled_before_ns: settled_before(seen_at_s.saturating_mul(1_000_000_000)),
            unread: RefCell::default(),
        }
    }

    /// Compares a view with its working tree as it is now. `now_ns`: nanoseconds since the epoch.
    ///
    /// Reads what may have changed since the last look, on the current rayon pool. `goes_on` is asked
    /// every few dozen files.
    ///
    /// # Errors
    ///
    /// [`IndexError::Cancelled`] once `goes_on` is false; what listing the tree gives.
    pub fn compare(
        &mut self,
        repository: &Repository,
        view: &View,
        now_ns: i64,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<WorktreeDifference> {
        let (title, commit) = describe_view(repository, &view.key)?;
        let filter = repository.filter();
        self.judge_by(repository.judged_by());
        let mut on_file = |_| {
            if goes_on() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let listing = repository.list_worktree(&filter, &*self, &mut on_file);
        let unread = self.unread.take();
        let listing = listing.map_err(|error| match error {
            SourceError::Cancelled => IndexError::Cancelled,
            error => error.into(),
        })?;
        self.learn(&listing, unread);
        self.forget_gone(&listing);
        self.settled_before_ns = settled_before(now_ns);
        Ok(WorktreeDifference {
            files: differing(&listing.files, view),
            head_moved: view.title != title || view.commit != commit,
        })
    }

    /// Forgets what was judged by other rules.
    pub(crate) fn judge_by(&mut self, rules: String) {
        if self.judged_by != rules {
            self.files.clear();
            self.judged_by = rules;
        }
    }

    /// Says whether a file has another size or time than when it was last listed, or is gone.
    pub fn is_written(&self, root: &Path, path: &str) -> bool {
        let Some(file) = self.files.get(path) else {
            return false;
        };
        match FileStat::read(&root.join(path)) {
            Some(stat) => (stat.size_bytes, stat.mtime_ns) != (file.size_bytes, file.mtime_ns),
            None => true,
        }
    }

    /// What went is not written when an answer that says so names it.
    fn forget_gone(&mut self, listing: &Listing) {
        let listed = listing.files.iter().map(|file| file.path.as_str());
        let skipped = listing.skipped.iter().map(|file| file.path.as_str());
        let known: HashSet<&str> = listed.chain(skipped).collect();
        self.files.retain(|path, _| known.contains(path.as_str()));
    }

    /// What was last found of a file; `None` where nothing lay.
    pub fn known(&self, path: &str) -> Option<KnownFile> {
        self.files.get(path).map(|file| file.known.clone())
    }

    fn learn(&mut self, listing: &Listing, unread: HashMap<String, FileStat>) {
        for (path, stat) in unread {
            let known = found(listing, &path);
            let Some(known) = known else {
                self.files.remove(&path);
                continue;
            };
            let file = RecordedFile {
                size_bytes: stat.size_bytes,
                mtime_ns: stat.mtime_ns,
                known,
            };
            self.files.insert(path, file);
        }
    }
}

impl KnownFiles for WorktreeRecord {
    fn blob(&self, path: &str, stat: FileStat) -> Option<KnownFile> {
        let known = self.files.get(path).filter(|file| {
            file.size_bytes == stat.size_bytes
                && file.mtime_ns == stat.mtime_ns
                && stat.changed_ns < self.settled_before_ns
        });
        if known.is_none() {
            self.unread.borrow_mut().insert(path.to_owned(), stat);
        }
        known.map(|file| file.known.clone())
    }
}

pub(crate) fn settled_before(seen_at_ns: i64) -> i64 {
    seen_at_ns.saturating_sub(TICK_NS)
}

/// What a listing found of a file; what could not be read may be readable the next time.
fn found(listing: &Listing, path: &str) -> Option<KnownFile> {
    let files = &listing.files;
    if let Ok(at) = files.binary_search_by(|file| file.path.as_str().cmp(path)) {
        return Some(KnownFile::Indexed(files[at].blob));
    }
    let skipped = &listing.skipped;
    let at = skipped.binary_search_by(|file| file.path.as_str().cmp(path));
    let reason = &skipped[at.ok()?].reason;
    let is_of_content = !matches!(reason, SkipReason::Unreadable { .. });
    is_of_content.then(|| KnownFile::Skipped(reason.clone()))
}

/// Paths that only one side has, or that have another content, sorted. Both sides are sorted by path.
fn differing(files: &[SourceFile], view: &View) -> Vec<String> {
    let mut paths = Vec::new();
    let (mut now, mut then) = (files.iter().peekable(), view.files.iter().peekable());
    loop {
        let order = match (now.peek(), then.peek()) {
            (None, None) => return paths,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(now), Some(then)) => now.path.cmp(&then.path),
        };
        let new = now.next_if(|_| order.is_le());
        let old = then.next_if(|_| order.is_ge());
        let is_same = matches!((new, old), (Some(new), Some(old)) if new.blob == old.blob);
        let path = new.map(|file| &file.path).or(old.map(|file| &file.path));
        paths.extend(path.filter(|_| !is_same).cloned());
    }
}

/// A view's title and the commit it stands on.
pub(crate) fn describe_view(
    repository: &Repository,
    key: &ViewKey,
) -> Result<(String, Option<String>)> {
    if let ViewKey::Commit(id) = key {
        return Ok((
            format!("commit {}", &id[..id.len().min(10)]),
            Some(id.clone()),
        ));
    }
    Ok(match repository.head()? {
        Head::Unborn { branch } => (format!("{branch} (no commit yet)"), None),
        Head::Branch { branch, commit } => {
            let id = commit.to_string();
            (format!("{branch} @ {}", &id[..10]), Some(id))
        }
        Head::Detached { commit } => {
            let id = commit.to_string();
            (format!("detached @ {}", &id[..10]), Some(id))
        }
    })
}
