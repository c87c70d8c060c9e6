//! Which files are the repository's: one set of rules for listing, watcher, commits and single reads.
//!
//! What git tracks is in, whatever `.gitignore` and `.ignore` say; `.whyrankignore` is the user's own
//! word and hides it all the same, in every view. Untracked files go by `.ignore`, `.gitignore`,
//! `.git/info/exclude` and git's excludes file, in this order of precedence; nothing above the root
//! counts. An ignore file that is no regular file, or larger than [`MAX_RULES_BYTES`], has no rules.

use crate::Repository;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use parking_lot::Mutex;
use sha1::{Digest, Sha1};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whyrank_system::regular;

/// The name of our own ignore files.
pub(crate) const WHYRANK_IGNORE: &str = ".whyrankignore";
/// Ignore files of more bytes are not read; the largest collections of templates have a fifth of it.
const MAX_RULES_BYTES: u64 = 1 << 20;

/// What the rules make of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleVerdict {
    /// It is the repository's.
    In,
    /// Git would not track it by itself, and does not.
    Ignored,
    /// The user hides it.
    Hidden,
}

/// The rules of one working tree, as of when they were made. Folders are read as they are asked for.
pub(crate) struct Rules {
    root: PathBuf,
    tracked: HashSet<String>,
    /// Every folder that something tracked lies in.
    tracked_folders: HashSet<String>,
    /// `.git/info/exclude`, then git's excludes file.
    excludes: Vec<Gitignore>,
    folders: Mutex<HashMap<String, Arc<Folder>>>,
}

/// The rules of one folder, and those above it.
struct Folder {
    whyrank: Option<Gitignore>,
    ignore: Option<Gitignore>,
    git: Option<Gitignore>,
    above: Option<Arc<Self>>,
    /// There is a `.whyrankignore` in it or above.
    has_own_word: bool,
    verdict: RuleVerdict,
}

impl Folder {
    /// The nearest rule of a kind for a path.
    fn matched(
        &self,
        kind: fn(&Self) -> Option<&Gitignore>,
        path: &Path,
        is_dir: bool,
    ) -> Option<bool> {
        let own = kind(self).map_or(Match::None, |rules| rules.matched(path, is_dir));
        ignores(&own).or_else(|| self.above.as_ref()?.matched(kind, path, is_dir))
    }
}

fn ignores<T>(found: &Match<T>) -> Option<bool> {
    match found {
        Match::Ignore(_) => Some(true),
        Match::Whitelist(_) => Some(false),
        Match::None => None,
    }
}

impl Rules {
    pub(crate) fn of(repository: &Repository) -> Self {
        let root = repository.root().to_path_buf();
        let tracked: HashSet<String> = repository.indexed_paths().into_iter().collect();
        let mut tracked_folders = HashSet::new();
        for path in &tracked {
            let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
            for folder in folders.rev() {
                if !tracked_folders.insert(folder.to_owned()) {
                    break;
                }
            }
        }
        Self {
            excludes: excludes(repository, &root),
            root,
            tracked,
            tracked_folders,
            folders: Mutex::default(),
        }
    }

    /// The working tree's root.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Judges a path relative to the root; what lies above it is judged first.
    pub(crate) fn verdict(&self, path: &str, is_dir: bool) -> RuleVerdict {
        let above = self.folder(path.rsplit_once('/').map_or("", |(folder, _)| folder));
        self.judge(&above, path, is_dir)
    }

    /// Whether the user hides a path.
    pub(crate) fn hides(&self, path: &str, is_dir: bool) -> bool {
        self.verdict(path, is_dir) == RuleVerdict::Hidden
    }

    /// Whether a walk goes into a folder or takes a file.
    pub(crate) fn lets_in(&self, path: &str, is_dir: bool) -> bool {
        let holds_tracked = || is_dir && self.tracked_folders.contains(path);
        match self.verdict(path, is_dir) {
            RuleVerdict::In => true,
            RuleVerdict::Ignored => holds_tracked(),
            RuleVerdict::Hidden => false,
        }
    }

    /// Whether git has an entry for just this path: of a folder, a submodule.
    pub(crate) fn tracks_as_file(&self, path: &str) -> bool {
        self.tracked.contains(path)
    }

    /// Whether as many folders hold tracked files as in other rules, and the same.
    pub(crate) fn has_folders_of(&self, other: &Self) -> bool {
        self.tracked_folders == other.tracked_folders
    }

    /// A digest of what the user hides: views of commits made under other rules are rebuilt.
    pub(crate) fn hidden_digest(&self) -> String {
        let mut folders: Vec<&str> = self.tracked_folders.iter().map(String::as_str).collect();
        folders.push("");
        folders.sort_unstable();
        let mut sha = Sha1::new();
        for folder in folders {
            let path = self.root.join(folder).join(WHYRANK_IGNORE);
            if let Ok(bytes) = regular::read(&path, MAX_RULES_BYTES) {
                sha.update(format!("{folder}\0{}\0", bytes.len()));
                sha.update(bytes);
            }
        }
        hex::encode(sha.finalize())
    }

    fn judge(&self, above: &Folder, path: &str, is_dir: bool) -> RuleVerdict {
        if above.verdict == RuleVerdict::Hidden {
            return RuleVerdict::Hidden;
        }
        let is_tracked = self.tracked.contains(path);
        if is_tracked && !above.has_own_word {
            return RuleVerdict::In;
        }
        let full = self.root.join(path);
        let own_word = above.matched(|folder| folder.whyrank.as_ref(), &full, is_dir);
        if own_word == Some(true) {
            return RuleVerdict::Hidden;
        }
        if is_tracked {
            return RuleVerdict::In;
        }
        // As in git, what lies in an ignored folder cannot be taken back by a rule.
        if above.verdict == RuleVerdict::Ignored {
            return RuleVerdict::Ignored;
        }
        let is_ignored = own_word
            .or_else(|| above.matched(|folder| folder.ignore.as_ref(), &full, is_dir))
            .or_else(|| above.matched(|folder| folder.git.as_ref(), &full, is_dir))
            .or_else(|| {
                let mut found = self.excludes.iter();
                found.find_map(|rules| ignores(&rules.matched(&full, is_dir)))
            });
        match is_ignored {
            Some(true) => RuleVerdict::Ignored,
            _ => RuleVerdict::In,
        }
    }

    fn folder(&self, path: &str) -> Arc<Folder> {
        if let Some(known) = self.cache().get(path) {
            return Arc::clone(known);
        }
        let above = (!path.is_empty())
            .then(|| self.folder(path.rsplit_once('/').map_or("", |(above, _)| above)));
        let verdict = above
            .as_ref()
            .map_or(RuleVerdict::In, |above| self.judge(above, path, true));
        let full = self.root.join(path);
        let whyrank = read_rules(&full, WHYRANK_IGNORE);
        let folder = Arc::new(Folder {
            has_own_word: whyrank.is_some()
                || above.as_ref().is_some_and(|above| above.has_own_word),
            whyrank,
            ignore: read_rules(&full, ".ignore"),
            git: read_rules(&full, ".gitignore"),
            above,
            verdict,
        });
        let mut cache = self.cache();
        Arc::clone(cache.entry(path.to_owned()).or_insert(folder))
    }

    fn cache(&self) -> parking_lot::MutexGuard<'_, HashMap<String, Arc<Folder>>> {
        self.folders.lock()
    }
}

fn excludes(repository: &Repository, root: &Path) -> Vec<Gitignore> {
    let info = repository.common_dir().join("info/exclude");
    let mut all: Vec<Gitignore> = read_rules_at(root, &info).into_iter().collect();
    all.extend(match repository.excludes_file() {
        Some(path) => read_rules_at(root, &path),
        None => Some(GitignoreBuilder::new(root).build_global().0),
    });
    all
}

fn read_rules(folder: &Path, name: &str) -> Option<Gitignore> {
    read_rules_at(folder, &folder.join(name))
}

fn read_rules_at(folder: &Path, path: &Path) -> Option<Gitignore> {
    let bytes = match regular::read(path, MAX_RULES_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => {
            tracing::warn!(%error, path = %path.display(), "an ignore file is not read");
            return None;
        }
    };
    parse_rules(folder, &bytes)
}

/// Rules of one ignore file; lines that make no sense are left out.
pub(crate) fn parse_rules(folder: &Path, bytes: &[u8]) -> Option<Gitignore> {
    let text = String::from_utf8_lossy(bytes);
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.trim_start_matches('\u{feff}').lines() {
        if let Err(error) = builder.add_line(None, line) {
            tracing::warn!(%error, folder = %folder.display(), "an ignore file has a rule that makes no sense");
        }
    }
    builder.build().ok()
}
