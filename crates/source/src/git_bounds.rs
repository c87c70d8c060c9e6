//! Bounds of a working tree's git folder: its own data, and nothing of another repository's.
//!
//! Whoever hands over a folder wrote its `.git`, and libgit2 goes wherever that leads: `gitdir:`,
//! `commondir`, `core.worktree`, links, alternates. Another repository's files and history would be
//! served under this folder's name.

use crate::SourceError;
use std::fs;
use std::path::{Path, PathBuf};
use whyrank_system::regular;

/// A file of git's that holds one path, or a few, has no more.
const MAX_BYTES: u64 = 64 << 10;
/// Object folders that name others in turn; libgit2 follows fewer.
const MAX_ALTERNATES: usize = 64;
/// Entries of a git folder that libgit2 opens by their name, itself or what lies in them.
const OPENED: [&str; 12] = [
    "HEAD",
    "commondir",
    "config",
    "config.worktree",
    "gitdir",
    "index",
    "info",
    "logs",
    "objects",
    "packed-refs",
    "refs",
    "shallow",
];
/// Folders below it in which every entry counts.
const LISTED: [&str; 5] = ["info", "objects", "objects/info", "objects/pack", "refs"];

/// A working tree and where its git data lies, all without links.
pub(crate) struct GitFolder<'a> {
    pub(crate) root: &'a Path,
    pub(crate) git_dir: &'a Path,
    pub(crate) common_dir: &'a Path,
}

impl GitFolder<'_> {
    /// Refuses a folder whose git data leads out of it, unless the person's own settings of git name it
    /// as safe.
    ///
    /// # Errors
    ///
    /// `LeadsElsewhere`, `ReachesOutside`.
    pub(crate) fn check(&self, settings: &git2::Config) -> Result<(), SourceError> {
        let checked = if self.is_own(settings) {
            self.check_links().and_then(|()| self.check_alternates())
        } else {
            Err(SourceError::LeadsElsewhere {
                path: self.root.to_owned(),
                git_dir: self.git_dir.to_owned(),
            })
        };
        checked.or_else(|error| match git2::Config::open_default() {
            Ok(of_person) if names_as_safe(&of_person, self.root) => Ok(()),
            _ => Err(error),
        })
    }

    /// Says whether the root's `.git` is git's folder, or leads to one that is this working tree's: it lies in
    /// it, or names it as those of worktrees and submodules do.
    fn is_own(&self, settings: &git2::Config) -> bool {
        let link = self.root.join(".git");
        if fs::symlink_metadata(&link).is_ok_and(|meta| meta.is_dir()) {
            return self.git_dir == link && self.common_dir == self.git_dir;
        }
        // Else a setting made this the working tree.
        if !self.is_led_to_by(&link) {
            return false;
        }
        if self.common_dir != self.git_dir {
            return self.git_dir.starts_with(self.common_dir.join("worktrees"))
                && self.is_named_by_worktree();
        }
        let named = settings.get_path("core.worktree");
        self.git_dir.starts_with(self.root)
            || named.is_ok_and(|folder| self.is_root(&self.git_dir.join(folder)))
    }

    fn is_led_to_by(&self, link: &Path) -> bool {
        let text = text(link);
        let named = text.strip_prefix("gitdir:").map(str::trim);
        let target = named.map_or(link.to_owned(), |named| self.root.join(named));
        target.canonicalize().is_ok_and(|dir| dir == self.git_dir)
    }

    fn is_named_by_worktree(&self) -> bool {
        let file = self.git_dir.join("gitdir");
        let is_file = fs::symlink_metadata(&file).is_ok_and(|meta| meta.is_file());
        let link = self.git_dir.join(text(&file).trim_end());
        is_file && link.parent().is_some_and(|folder| self.is_root(folder))
    }

    fn is_root(&self, folder: &Path) -> bool {
        folder
            .canonicalize()
            .is_ok_and(|folder| folder == self.root)
    }

    fn check_links(&self) -> Result<(), SourceError> {
        for dir in [self.git_dir, self.common_dir] {
            let opened = OPENED.iter().map(|name| dir.join(name));
            let opened = opened.filter(|path| path.is_symlink());
            let listed = LISTED.iter().flat_map(|name| links_in(&dir.join(name)));
            for path in opened.chain(listed) {
                self.inner(&path, &path)?;
            }
        }
        Ok(())
    }

    fn check_alternates(&self) -> Result<(), SourceError> {
        let mut folders = vec![self.common_dir.join("objects")];
        for at in 0..MAX_ALTERNATES {
            let Some(folder) = folders.get(at).cloned() else {
                break;
            };
            let file = folder.join("info/alternates");
            for line in text(&file).lines().map(str::trim_end) {
                if line.is_empty() || line.starts_with('#') {
                    continue;
                }
                // libgit2 takes other relative paths from wherever this process stands.
                let target = if line.starts_with('.') {
                    folder.join(line)
                } else {
                    PathBuf::from(line)
                };
                folders.extend(self.inner(&file, &target)?);
            }
        }
        Ok(())
    }

    /// The place that a path leads to, where that is part of this repository; `None` where nothing is there.
    fn inner(&self, through: &Path, target: &Path) -> Result<Option<PathBuf>, SourceError> {
        let Ok(real) = target.canonicalize() else {
            return Ok(None);
        };
        let own = [self.root, self.git_dir, self.common_dir];
        if own.iter().any(|own| real.starts_with(own)) {
            return Ok(Some(real));
        }
        Err(SourceError::ReachesOutside {
            root: self.root.to_owned(),
            through: through.to_owned(),
            target: real,
        })
    }
}

/// Says whether git's settings of the person name a folder as safe: this one, and not any.
fn names_as_safe(settings: &git2::Config, root: &Path) -> bool {
    let mut is_named = false;
    if let Ok(entries) = settings.multivar("safe.directory", None) {
        let looked = entries.for_each(|entry| {
            is_named |= entry.value().is_ok_and(|value| Path::new(value) == root);
        });
        is_named &= looked.is_ok();
    }
    is_named
}

fn links_in(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let links = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()));
    links.map(|entry| entry.path())
}

fn text(path: &Path) -> String {
    let bytes = regular::read(path, MAX_BYTES).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_safe_by_its_name_and_not_by_a_star() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("config");
        fs::write(&file, "[safe]\n\tdirectory = *\n\tdirectory = /code/shop\n").expect("written");
        let settings = git2::Config::open(&file).expect("settings");
        assert!(names_as_safe(&settings, Path::new("/code/shop")));
        assert!(!names_as_safe(&settings, Path::new("/code/other")));
    }
}
