//! Lists the files of a commit, judged by the same rules as those of a working tree.
//!
//! What is committed is listed even when `.gitignore` names it. The commit's own `.whyrankignore` files
//! apply, and so do those of the working tree: what the user hides today no view shows.

use crate::repository::{path_text, sha1_bytes};
use crate::rules::{Rules as WorktreeRules, WHYRANK_IGNORE, parse_rules};
use crate::{
    BlobId, CommitId, FileFilter, Listing, Repository, SkipReason, SkippedFile, SourceError,
    SourceFile, classify,
};
use git2::{ObjectType, Odb, Oid, Tree, TreeEntry};
use ignore::Match;
use ignore::gitignore::Gitignore;
use rayon::prelude::*;
use std::path::Path;
use whyrank_system::visible;

/// This many blobs are judged with one handle on git's objects.
const BATCH_BLOBS: usize = 512;

pub(crate) const MODE_LINK: i32 = 0o120_000;

/// The size of a content that was listed at a path before; `None` for one that was not.
pub type KnownContents<'a> = dyn Fn(&str, BlobId) -> Option<u64> + 'a;

impl Repository {
    /// Lists the files of a commit; all modification times are 0.
    ///
    /// Reads every file that its name and size do not rule out, on the current rayon pool, but for those
    /// of a path and content that `known` has the size of: by the same rules they were listed before.
    ///
    /// # Errors
    ///
    /// `ListTree` when the commit or one of its trees cannot be read. A blob that cannot be read
    /// (a partial clone has them) is skipped as unreadable.
    pub fn list_commit(
        &self,
        commit: CommitId,
        filter: &FileFilter,
        known: &KnownContents<'_>,
    ) -> Result<Listing, SourceError> {
        self.judge_commit(commit, filter, known)
            .map_err(|source| SourceError::ListTree { commit, source })
    }

    fn judge_commit(
        &self,
        commit: CommitId,
        filter: &FileFilter,
        known: &KnownContents<'_>,
    ) -> Result<Listing, git2::Error> {
        let mut listing = Listing::default();
        let mut blobs = self.collect_blobs(commit, &mut listing.skipped)?;
        blobs.retain(|(path, oid)| {
            let blob = BlobId(sha1_bytes(*oid));
            let size = known(path, blob);
            listing.files.extend(size.map(|size_bytes| SourceFile {
                path: path.clone(),
                blob,
                size_bytes,
                mtime_ns: 0,
            }));
            size.is_none()
        });
        let batches: Vec<Vec<_>> = blobs
            .par_chunks(BATCH_BLOBS)
            .map(|batch| {
                let git = git2::Repository::open(self.git_dir())?;
                let odb = git.odb()?;
                Ok(batch
                    .iter()
                    .map(|(path, oid)| judge(&odb, path, *oid, filter))
                    .collect())
            })
            .collect::<Result<_, git2::Error>>()?;
        for judged in batches.into_iter().flatten() {
            match judged {
                Ok(file) => listing.files.push(file),
                Err(skipped) => listing.skipped.push(skipped),
            }
        }
        listing.sort();
        Ok(listing)
    }

    pub(crate) fn collect_blobs(
        &self,
        commit: CommitId,
        skipped: &mut Vec<SkippedFile>,
    ) -> Result<Vec<(String, Oid)>, git2::Error> {
        let worktree = WorktreeRules::of(self);
        let git = self.git();
        let tree = git.find_commit(Oid::from_bytes(&commit.0)?)?.tree()?;
        let mut collector = Collector {
            git: &git,
            worktree: &worktree,
            blobs: Vec::new(),
            skipped,
        };
        collector.enter(&tree, "", None)?;
        Ok(collector.blobs)
    }
}

/// The rules of one folder's ignore file and those above it.
struct Rules<'a> {
    own: Gitignore,
    above: Option<&'a Self>,
}

impl Rules<'_> {
    fn ignores(&self, path: &str, is_dir: bool) -> bool {
        match self.own.matched(Path::new("/").join(path), is_dir) {
            Match::Ignore(_) => true,
            Match::Whitelist(_) => false,
            Match::None => self.above.is_some_and(|above| above.ignores(path, is_dir)),
        }
    }
}

struct Collector<'a> {
    git: &'a git2::Repository,
    worktree: &'a WorktreeRules,
    blobs: Vec<(String, Oid)>,
    skipped: &'a mut Vec<SkippedFile>,
}

impl Collector<'_> {
    fn enter(
        &mut self,
        tree: &Tree<'_>,
        folder: &str,
        above: Option<&Rules<'_>>,
    ) -> Result<(), git2::Error> {
        let own = self.rules_in(tree, folder).map(|own| Rules { own, above });
        let rules = own.as_ref().or(above);
        for entry in tree {
            self.add(&entry, folder, rules)?;
        }
        Ok(())
    }

    fn add(
        &mut self,
        entry: &TreeEntry<'_>,
        folder: &str,
        rules: Option<&Rules<'_>>,
    ) -> Result<(), git2::Error> {
        let name = String::from_utf8_lossy(entry.name_bytes());
        let path = if folder.is_empty() {
            name.to_string()
        } else {
            format!("{folder}/{name}")
        };
        let is_dir = entry.kind() == Some(ObjectType::Tree);
        if rules.is_some_and(|rules| rules.ignores(&path, is_dir))
            || self.worktree.hides(&path, is_dir)
        {
            return Ok(());
        }
        let reason = match entry.kind() {
            Some(ObjectType::Tree) => {
                return self.enter(&self.git.find_tree(entry.id())?, &path, rules);
            }
            Some(ObjectType::Commit) => SkipReason::Submodule,
            _ if entry.filemode() == MODE_LINK => SkipReason::Symlink,
            // A folder's name that is not UTF-8 shows in its files' paths.
            _ if path.contains('\u{fffd}') => SkipReason::Name,
            _ if path_text(path.as_bytes()).is_err() => SkipReason::Name,
            _ => {
                self.blobs.push((path, entry.id()));
                return Ok(());
            }
        };
        let path = visible::line(&path).into_owned();
        self.skipped.push(SkippedFile { path, reason });
        Ok(())
    }

    fn rules_in(&self, tree: &Tree<'_>, folder: &str) -> Option<Gitignore> {
        let blob = self
            .git
            .find_blob(tree.get_name(WHYRANK_IGNORE)?.id())
            .ok()?;
        parse_rules(&Path::new("/").join(folder), blob.content())
    }
}

fn judge(
    odb: &Odb<'_>,
    path: &str,
    oid: Oid,
    filter: &FileFilter,
) -> Result<SourceFile, SkippedFile> {
    let reason = match read_unless_refused(odb, path, oid, filter) {
        Ok(Ok(size_bytes)) => {
            let blob = BlobId(sha1_bytes(oid));
            return Ok(SourceFile {
                path: path.to_owned(),
                blob,
                size_bytes,
                mtime_ns: 0,
            });
        }
        Ok(Err(reason)) => reason,
        Err(error) => SkipReason::Unreadable {
            message: error.message().to_owned(),
        },
    };
    Err(SkippedFile {
        path: path.to_owned(),
        reason,
    })
}

/// The blob's size, or why it is left out.
fn read_unless_refused(
    odb: &Odb<'_>,
    path: &str,
    oid: Oid,
    filter: &FileFilter,
) -> Result<Result<u64, SkipReason>, git2::Error> {
    let (size, _) = odb.read_header(oid)?;
    if let Some(reason) = filter.refuse(path, size as u64) {
        return Ok(Err(reason));
    }
    let object = odb.read(oid)?;
    Ok(classify(path, object.data(), filter).map_or(Ok(size as u64), Err))
}
