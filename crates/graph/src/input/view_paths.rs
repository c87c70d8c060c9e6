//! Where the files of a view lie: by path, by folder, by name and by the end of the path.

use std::cell::OnceCell;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::{
    input::{files::FileInput, paths},
    steps,
};

/// The files of a view, found by path.
pub(crate) struct ViewPaths<'a> {
    pub(crate) files: &'a [FileInput<'a>],
    by_path: FxHashMap<&'a str, u32>,
    by_folder: FxHashMap<&'a str, Vec<u32>>,
    by_name: FxHashMap<&'a str, Vec<u32>>,
    /// By a digest of the last folder and the name: thousands of files may be called `index.ts`.
    by_tail: OnceCell<FxHashMap<u64, Vec<u32>>>,
    folders_by_name: FxHashMap<&'a str, Vec<&'a str>>,
}

impl<'a> ViewPaths<'a> {
    pub(crate) fn new(files: &'a [FileInput<'a>]) -> Self {
        let mut view_paths = Self {
            files,
            by_path: FxHashMap::default(),
            by_folder: FxHashMap::default(),
            by_name: FxHashMap::default(),
            by_tail: OnceCell::new(),
            folders_by_name: FxHashMap::default(),
        };
        for (file, input) in (0u32..).zip(files) {
            view_paths.by_path.insert(input.path, file);
            view_paths
                .by_folder
                .entry(paths::parent(input.path))
                .or_default()
                .push(file);
            view_paths
                .by_name
                .entry(paths::base_name(input.path))
                .or_default()
                .push(file);
        }
        view_paths.gather_folders();
        view_paths
    }

    fn gather_folders(&mut self) {
        let mut folders: Vec<&'a str> = Vec::new();
        for folder in self.by_folder.keys() {
            let mut folder = *folder;
            while !folder.is_empty() {
                folders.push(folder);
                folder = paths::parent(folder);
            }
        }
        folders.sort_unstable();
        folders.dedup();
        for folder in folders {
            self.folders_by_name
                .entry(paths::base_name(folder))
                .or_default()
                .push(folder);
        }
    }

    pub(crate) fn path(&self, file: u32) -> &'a str {
        self.files[file as usize].path
    }

    pub(crate) fn folder_of(&self, file: u32) -> &'a str {
        paths::parent(self.path(file))
    }

    pub(crate) fn file(&self, path: &str) -> Option<u32> {
        self.by_path.get(path).copied()
    }

    /// The files that lie directly in a folder.
    pub(crate) fn in_folder(&self, folder: &str) -> &[u32] {
        self.by_folder.get(folder).map_or(&[], Vec::as_slice)
    }

    /// The files whose path is `suffix` or ends with `/suffix`.
    pub(crate) fn ending_with(&self, suffix: &str) -> Vec<u32> {
        let named = match suffix.contains('/') {
            true => self.by_tail().get(&tail_key(suffix)),
            false => self.by_name.get(suffix),
        };
        let named = named.map_or(&[][..], Vec::as_slice);
        steps::count(named.len());
        named
            .iter()
            .copied()
            .filter(|file| has_suffix(self.path(*file), suffix))
            .collect()
    }

    fn by_tail(&self) -> &FxHashMap<u64, Vec<u32>> {
        self.by_tail.get_or_init(|| {
            let mut files: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
            for (file, input) in (0u32..).zip(self.files) {
                files.entry(tail_key(input.path)).or_default().push(file);
            }
            files
        })
    }

    /// The folders whose path is `suffix` or ends with `/suffix`.
    pub(crate) fn folders_ending_with(&self, suffix: &str) -> Vec<&'a str> {
        let named = self
            .folders_by_name
            .get(paths::base_name(suffix))
            .map_or(&[][..], Vec::as_slice);
        named
            .iter()
            .copied()
            .filter(|folder| has_suffix(folder, suffix))
            .collect()
    }

    /// Of several files the one nearest to `from`: most folders shared, then shortest, then first.
    pub(crate) fn nearest(&self, candidates: &[u32], from: u32) -> Option<u32> {
        let folder = self.folder_of(from);
        candidates
            .iter()
            .copied()
            .filter(|file| *file != from)
            .min_by_key(|file| {
                let path = self.path(*file);
                (
                    std::cmp::Reverse(shared_folders(folder, paths::parent(path))),
                    path.len(),
                    path,
                )
            })
    }

    /// The file nearest to `from` whose path ends with `suffix`.
    pub(crate) fn nearest_ending_with(&self, suffix: &str, from: u32) -> Option<u32> {
        self.nearest(&self.ending_with(suffix), from)
    }
}

/// A digest of the last folder of a path and its name.
fn tail_key(path: &str) -> u64 {
    let name = path.rfind('/');
    let folder = name.and_then(|name| path[..name].rfind('/'));
    let tail = folder.map_or(path, |folder| &path[folder + 1..]);
    let mut hasher = FxHasher::default();
    tail.hash(&mut hasher);
    hasher.finish()
}

pub(crate) fn has_suffix(path: &str, suffix: &str) -> bool {
    path.strip_suffix(suffix)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

fn shared_folders(left: &str, right: &str) -> usize {
    left.split('/')
        .zip(right.split('/'))
        .take_while(|(a, b)| a == b && !a.is_empty())
        .count()
}
