//! Where programs are looked for: absolute folders of `PATH`, never a checkout.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders that programs are looked for in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchPath {
    folders: Vec<PathBuf>,
    /// What is never looked into, nor led into by a link.
    forbidden: Option<PathBuf>,
}

impl SearchPath {
    /// Returns the absolute folders of this process's `PATH` outside a folder.
    pub fn outside(forbidden: Option<&Path>) -> Self {
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        Self::of(std::env::split_paths(&inherited).collect(), forbidden)
    }

    /// Returns the absolute folders of this process's `PATH` outside the checkout that it was
    /// started in.
    pub fn outside_of_here() -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        Self::outside(checkout_of(&here).as_deref())
    }

    /// Returns those of the folders that are absolute and lie outside a folder.
    pub fn of(folders: Vec<PathBuf>, forbidden: Option<&Path>) -> Self {
        let mut path = Self {
            folders,
            forbidden: forbidden.map(real),
        };
        let folders = std::mem::take(&mut path.folders);
        let allowed = folders.into_iter().filter(|folder| path.allows(folder));
        path.folders = allowed.collect();
        path
    }

    /// Returns the program of that name that is found first.
    pub fn find(&self, name: &str) -> Option<PathBuf> {
        let ends: &[&str] = if cfg!(windows) {
            &[".exe", ".cmd"]
        } else {
            &[""]
        };
        let files = self.folders.iter().flat_map(|folder| {
            let named = move |end| folder.join(format!("{name}{end}"));
            ends.iter().map(named)
        });
        let is_name = !name.is_empty() && !name.contains(['/', '\\']);
        let mut fitting = files.filter(|file| is_name && self.has(file));
        fitting.next()
    }

    /// Says whether a file is a program that may be started.
    pub fn has(&self, file: &Path) -> bool {
        is_program(file) && self.allows(file)
    }

    fn allows(&self, path: &Path) -> bool {
        let is_inside = |forbidden: &PathBuf| real(path).starts_with(forbidden);
        path.is_absolute() && !self.forbidden.as_ref().is_some_and(is_inside)
    }

    pub(super) fn joined(&self) -> OsString {
        std::env::join_paths(&self.folders).unwrap_or_default()
    }
}

/// Returns the checkout that a folder lies in: the nearest one above with a `.git`.
pub fn checkout_of(folder: &Path) -> Option<PathBuf> {
    let mut above = folder.ancestors();
    let root = above.find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok());
    root.map(Path::to_owned)
}

fn real(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}
