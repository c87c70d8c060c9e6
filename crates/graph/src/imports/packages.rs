//! The package of each file: what its head says, or its folder where the language or the file says none. Worked out
//! once for a file, so that asking whether two files share one costs nothing.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::resolution::dependency_tracking::text_key;

/// The packages of a view's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FilePackages {
    /// By file: index of its package, from 1; 0 for none.
    of_file: Vec<u32>,
    packages: Vec<Package>,
    #[serde(skip)]
    making: Making,
}

/// What is needed to add files; not compared.
#[derive(Clone, Debug, Default)]
struct Making {
    by_key: FxHashMap<u64, u32>,
    /// Graphs joined so far.
    n_joined: u32,
}

impl PartialEq for Making {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Making {}

/// Files that share their names without an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Package {
    /// With dots on the JVM, elsewhere a folder.
    pub(super) name: String,
    /// Tells it from all others, in every view.
    pub(super) key: u64,
    /// Another repository may add to it.
    pub(super) is_open: bool,
}

impl FilePackages {
    /// Adds the next file, in its package or in none.
    pub(super) fn add(&mut self, package: Option<Package>) {
        let at = package.map_or(0, |package| self.known(package));
        self.of_file.push(at);
    }

    /// Adds the files of another graph, of which some may have none yet. Packages of other repositories are
    /// others, but for those that a name makes one wherever it stands.
    pub(super) fn join(&mut self, other: &Self, n_files: usize) {
        let mark = match self.making.n_joined {
            0 => 0,
            n => text_key(&n.to_string()),
        };
        self.making.n_joined += 1;
        let packages = other.packages.iter().map(|package| {
            let key = match package.is_open {
                true => package.key,
                false => package.key ^ mark,
            };
            self.known(Package {
                key,
                ..package.clone()
            })
        });
        let now: Vec<u32> = packages.collect();
        let of_file = (0..n_files).map(|file| match other.of_file.get(file) {
            None | Some(0) => 0,
            Some(at) => now[*at as usize - 1],
        });
        self.of_file.extend(of_file);
    }

    fn known(&mut self, package: Package) -> u32 {
        *self.making.by_key.entry(package.key).or_insert_with(|| {
            self.packages.push(package);
            self.packages.len() as u32
        })
    }

    /// The package of a file, as a number that others of the view have only in the same one.
    pub(crate) fn of(&self, file: u32) -> Option<u32> {
        let at = self.of_file.get(file as usize).copied();
        at.filter(|at| *at > 0)
    }

    fn package(&self, file: u32) -> Option<&Package> {
        self.packages.get(self.of(file)? as usize - 1)
    }

    /// What tells a file's package from others in every view; 0 for none.
    pub(crate) fn key(&self, file: u32) -> u64 {
        self.package(file).map_or(0, |package| package.key)
    }

    /// The name of a file's package; empty for none.
    pub(crate) fn name(&self, file: u32) -> &str {
        self.package(file)
            .map_or("", |package| package.name.as_str())
    }
}
