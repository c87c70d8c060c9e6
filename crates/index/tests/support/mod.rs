//! A repository and its store, in a folder that goes when the test ends.

use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use whyrank_index::{Store, Unattended, View, ViewKey, WriteMode};
use whyrank_source::Repository;

pub struct Indexed {
    pub folder: TempDir,
}

impl Indexed {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let indexed = Self { folder };
        fs::create_dir_all(indexed.root()).unwrap();
        git2::Repository::init(indexed.root()).unwrap();
        for (path, text) in files {
            indexed.write(path, text);
        }
        indexed.update();
        indexed
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    pub fn store(&self) -> Store {
        Store::at(&self.folder.path().join("store"))
    }

    pub fn key(&self) -> ViewKey {
        ViewKey::Worktree(self.root().to_string_lossy().into_owned())
    }

    pub fn view(&self) -> View {
        self.store().reader().unwrap().view(&self.key()).unwrap()
    }

    pub fn write(&self, path: &str, text: &str) {
        fs::write(self.root().join(path), text).unwrap();
    }

    pub fn update(&self) {
        let repository = Repository::discover(&self.root()).unwrap();
        let mut writer = self.store().writer(WriteMode::Update).unwrap();
        writer
            .update_view(&repository, &self.key(), 4_000_000_000, &Unattended)
            .unwrap();
        writer.sweep().unwrap();
        writer.finish().unwrap();
    }
}
