//! One working tree and the git repository behind it.

use crate::git_bounds::GitFolder;
use crate::git_files::refuse_special;
use crate::{BlobId, CommitId, CommitInfo, Head, SourceError, without_secrets_in};
use parking_lot::{Mutex, MutexGuard};
use std::borrow::Cow;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;
use whyrank_system::{regular, visible};

/// Larger files of a working tree are not read, whoever asks.
const MAX_READ_BYTES: u64 = 64 << 20;

/// Folders above which no repository is looked for: none.
const NO_CEILING: [&str; 0] = [];

/// A working tree and its git repository.
///
/// Threads may share it; git's own part is used by one at a time.
pub struct Repository {
    git: Mutex<git2::Repository>,
    root: PathBuf,
    common_dir: PathBuf,
    git_dir: PathBuf,
}

impl fmt::Debug for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Repository").field(&self.root).finish()
    }
}

impl Repository {
    /// Finds the repository that `path` lies in: any file or folder inside a working tree.
    ///
    /// # Errors
    ///
    /// `PathMissing`, `NotARepository`, `Bare`, `DubiousOwnership`, `SpecialFile`, `LeadsElsewhere`,
    /// `ReachesOutside`, or `OpenRepository` when git's data is broken or needs a feature that is not known.
    pub fn discover(path: &Path) -> Result<Self, SourceError> {
        let start = canonical(path)?;
        let folder = if start.is_dir() {
            &start
        } else {
            start.parent().unwrap_or(&start)
        };
        let failed = |source| open_error(folder, source);
        let git_dir = git2::Repository::discover_path(folder, NO_CEILING).map_err(failed)?;
        refuse_special(&git_dir)?;
        let git = git2::Repository::discover(folder).map_err(failed)?;
        let Some(workdir) = git.workdir() else {
            return Err(SourceError::Bare {
                path: git.path().to_path_buf(),
            });
        };
        let found = Self {
            root: canonical(workdir)?,
            common_dir: canonical(git.commondir())?,
            git_dir: canonical(git.path())?,
            git: Mutex::new(git),
        };
        if !folder.starts_with(&found.root) {
            return Err(SourceError::LeadsElsewhere {
                path: folder.to_path_buf(),
                git_dir: found.git_dir,
            });
        }
        let settings = found.git().config().map_err(failed)?;
        let bounds = GitFolder {
            root: &found.root,
            git_dir: &found.git_dir,
            common_dir: &found.common_dir,
        };
        bounds.check(&settings)?;
        Ok(found)
    }

    /// Returns the working tree's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the git directory that all working trees of the repository share.
    pub fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// Returns this working tree's own git directory.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// Says where HEAD points.
    ///
    /// # Errors
    ///
    /// `ReadHead`.
    pub fn head(&self) -> Result<Head, SourceError> {
        let git = self.git();
        read_head(&git).map_err(|source| SourceError::ReadHead {
            path: self.root.clone(),
            source,
        })
    }

    /// Finds the commit that a branch, tag, id or expression such as `HEAD~2` names.
    ///
    /// # Errors
    ///
    /// `UnknownRevision`, also for an ambiguous id and for what is no commit.
    pub fn resolve(&self, revision: &str) -> Result<CommitId, SourceError> {
        let git = self.git();
        let commit = git
            .revparse_single(revision)
            .and_then(|object| object.peel_to_commit());
        commit
            .map(|commit| commit_id(commit.id()))
            .map_err(|source| SourceError::UnknownRevision {
                revision: revision.to_owned(),
                source,
            })
    }

    /// Reads what a commit says about itself.
    ///
    /// # Errors
    ///
    /// `ReadCommit`.
    pub fn commit_info(&self, commit: CommitId) -> Result<CommitInfo, SourceError> {
        let git = self.git();
        let found = git2::Oid::from_bytes(&commit.0).and_then(|oid| git.find_commit(oid));
        let found = found.map_err(|source| SourceError::ReadCommit { commit, source })?;
        let summary = found.summary_bytes().unwrap_or_default();
        Ok(CommitInfo {
            summary: without_secrets_in(&String::from_utf8_lossy(summary)).into_owned(),
            author: String::from_utf8_lossy(found.author().name_bytes()).into_owned(),
            time_s: found.time().seconds(),
        })
    }

    /// Reads a file of the working tree; `path` is relative to the root, `/` between parts.
    ///
    /// # Errors
    ///
    /// `PathOutside` for a path that leaves the root or enters `.git`, `PathLinked` where a part
    /// is a symbolic link, `PathMissing`, and `ReadFile` for anything but a readable file.
    pub fn read_worktree(&self, path: &str) -> Result<Vec<u8>, SourceError> {
        let full = self.checked_path(path)?;
        regular::read(&full, MAX_READ_BYTES).map_err(|source| read_error(&full, source))
    }

    /// A path below the root, no part of which is a link.
    pub(crate) fn checked_path(&self, path: &str) -> Result<PathBuf, SourceError> {
        let mut full = self.root.clone();
        let mut is_inside = false;
        for part in Path::new(path).components() {
            full.push(inner_part(part).ok_or_else(|| outside(path))?);
            let found = fs::symlink_metadata(&full).map_err(|source| read_error(&full, source))?;
            if found.is_symlink() {
                return Err(SourceError::PathLinked {
                    path: path.to_owned(),
                });
            }
            is_inside = true;
        }
        is_inside.then_some(full).ok_or_else(|| outside(path))
    }

    /// Reads a content by its id.
    ///
    /// # Errors
    ///
    /// `ReadBlob`, also when git has no such blob: the content of a changed file is on disk only.
    pub fn read_blob(&self, blob: BlobId) -> Result<Vec<u8>, SourceError> {
        let git = self.git();
        let found = git2::Oid::from_bytes(&blob.0).and_then(|oid| git.find_blob(oid));
        let found = found.map_err(|source| SourceError::ReadBlob { blob, source })?;
        Ok(found.content().to_vec())
    }

    /// Reads a content of at most this many bytes; `None` for a larger one, which is not loaded.
    ///
    /// # Errors
    ///
    /// As [`Repository::read_blob`].
    pub fn read_blob_within(
        &self,
        blob: BlobId,
        most_bytes: u64,
    ) -> Result<Option<Vec<u8>>, SourceError> {
        let size = {
            let git = self.git();
            let odb = git.odb();
            let header = odb.and_then(|odb| odb.read_header(git2::Oid::from_bytes(&blob.0)?));
            header
                .map_err(|source| SourceError::ReadBlob { blob, source })?
                .0
        };
        if size as u64 > most_bytes {
            return Ok(None);
        }
        self.read_blob(blob).map(Some)
    }

    /// Reads a blob by the first digits of its id; `None` where none or several begin so.
    pub fn blob_by_prefix(&self, digits: &str) -> Option<Vec<u8>> {
        let git = self.git();
        let object = git
            .find_object_by_prefix(digits, Some(git2::ObjectType::Blob))
            .ok()?;
        Some(object.as_blob()?.content().to_vec())
    }

    /// Lists the roots of all working trees that exist, this one included, sorted.
    ///
    /// # Errors
    ///
    /// `ListWorktrees`.
    pub fn worktrees(&self) -> Result<Vec<PathBuf>, SourceError> {
        let mut roots = self
            .worktree_roots()
            .map_err(|source| SourceError::ListWorktrees {
                path: self.common_dir.clone(),
                source,
            })?;
        roots.push(self.root.clone());
        roots.sort();
        roots.dedup();
        Ok(roots)
    }

    fn worktree_roots(&self) -> Result<Vec<PathBuf>, git2::Error> {
        let main = git2::Repository::open(&self.common_dir)?;
        let mut roots: Vec<PathBuf> = main
            .workdir()
            .and_then(|path| path.canonicalize().ok())
            .into_iter()
            .collect();
        for name in main.worktrees()?.iter().flatten().flatten() {
            // One that was deleted without `git worktree prune` is still listed.
            let path = main
                .find_worktree(name)
                .map(|worktree| worktree.path().to_path_buf());
            roots.extend(path.ok().and_then(|path| path.canonicalize().ok()));
        }
        Ok(roots)
    }

    /// Sums up HEAD and the git index in a short string that differs when either has changed.
    ///
    /// Cheap enough to ask for before every query. Edits of files are not in it.
    ///
    /// # Errors
    ///
    /// `ReadHead`.
    pub fn fingerprint(&self) -> Result<String, SourceError> {
        let head = match self.head()? {
            Head::Unborn { branch } => format!("unborn {branch}"),
            Head::Branch { branch, commit } => format!("{commit} {branch}"),
            Head::Detached { commit } => format!("{commit} detached"),
        };
        let index = fs::metadata(self.git_dir.join("index"));
        let index = index.map_or((0, 0), |metadata| (mtime_ns(&metadata), metadata.len()));
        let rules = self.judged_by();
        Ok(format!("{rules} {head} {} {}", index.0, index.1))
    }

    pub(crate) fn git(&self) -> MutexGuard<'_, git2::Repository> {
        // Git's data is on disk: a thread that panicked while it read leaves nothing half done.
        self.git.lock()
    }
}

pub(crate) fn commit_id(oid: git2::Oid) -> CommitId {
    CommitId(sha1_bytes(oid))
}

pub(crate) fn sha1_bytes(oid: git2::Oid) -> [u8; 20] {
    let mut bytes = [0; 20];
    bytes.copy_from_slice(oid.as_bytes());
    bytes
}

/// Nanoseconds since the epoch, negative before it.
pub(crate) fn mtime_ns(metadata: &fs::Metadata) -> i64 {
    let Ok(modified) = metadata.modified() else {
        return 0;
    };
    match modified.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |nanos| -nanos),
    }
}

/// A path as git has it, where it is text that stays on its line: what breaks lines or commands a
/// terminal would forge an answer. `Err` holds a readable form.
pub(crate) fn path_text(bytes: &[u8]) -> Result<String, String> {
    let text = String::from_utf8_lossy(bytes);
    let breaks_lines = |char: char| char.is_control() || matches!(char, '\u{2028}' | '\u{2029}');
    if text.contains(breaks_lines) || matches!(text, Cow::Owned(_)) {
        Err(visible::line(&text).into_owned())
    } else {
        Ok(text.into_owned())
    }
}

/// A path below `root` with `/` between its parts; `Err` as in [`path_text`].
pub(crate) fn relative(root: &Path, path: &Path) -> Result<String, String> {
    let path = path.strip_prefix(root).unwrap_or(path);
    let slashed = |text: &str| {
        if cfg!(windows) {
            text.replace('\\', "/")
        } else {
            text.to_owned()
        }
    };
    path_text(path.as_os_str().as_encoded_bytes())
        .map(|text| slashed(&text))
        .map_err(|text| slashed(&text))
}

pub(crate) fn read_head(git: &git2::Repository) -> Result<Head, git2::Error> {
    match git.head() {
        Ok(head) => {
            let commit = commit_id(head.peel_to_commit()?.id());
            if git.head_detached()? {
                return Ok(Head::Detached { commit });
            }
            Ok(Head::Branch {
                branch: short_name(head.name_bytes()),
                commit,
            })
        }
        Err(error) if error.code() == git2::ErrorCode::UnbornBranch => {
            let head = git.find_reference("HEAD")?;
            Ok(Head::Unborn {
                branch: short_name(head.symbolic_target_bytes().unwrap_or_default()),
            })
        }
        Err(error) => Err(error),
    }
}

fn short_name(reference: &[u8]) -> String {
    let name = String::from_utf8_lossy(reference);
    name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned()
}

fn canonical(path: &Path) -> Result<PathBuf, SourceError> {
    path.canonicalize()
        .map_err(|source| read_error(path, source))
}

fn read_error(path: &Path, source: io::Error) -> SourceError {
    let path = path.to_path_buf();
    match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => SourceError::PathMissing { path },
        _ => SourceError::ReadFile { path, source },
    }
}

fn open_error(folder: &Path, source: git2::Error) -> SourceError {
    let path = folder.to_path_buf();
    match source.code() {
        git2::ErrorCode::NotFound => SourceError::NotARepository { path },
        git2::ErrorCode::Owner => {
            let root = folder.ancestors().find(|above| above.join(".git").exists());
            SourceError::DubiousOwnership {
                path: root.unwrap_or(folder).to_path_buf(),
            }
        }
        _ if is_format(&source) => SourceError::UnknownFormat { path, source },
        _ => SourceError::OpenRepository { path, source },
    }
}

/// Whether git's data is whole and its format is one that libgit2 does not read: sha256, reftable.
fn is_format(error: &git2::Error) -> bool {
    let message = error.message();
    [
        "unsupported extension",
        "unknown object format",
        "unsupported repository version",
    ]
    .iter()
    .any(|part| message.contains(part))
}

fn outside(path: &str) -> SourceError {
    SourceError::PathOutside {
        path: path.to_owned(),
    }
}

/// A part that leads further down and not into git's own data.
fn inner_part(part: Component<'_>) -> Option<&std::ffi::OsStr> {
    match part {
        Component::Normal(name) if !name.eq_ignore_ascii_case(".git") => Some(name),
        _ => None,
    }
}
