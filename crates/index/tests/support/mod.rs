//! A repository and its store, in a folder that goes when the test ends.

use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use whyrank_index::{Store, Unattended, View, ViewKey, WriteMode};
use whyrank_inference::StaticEncoder;
use whyrank_source::Repository;

pub(crate) struct Indexed {
    pub(crate) folder: TempDir,
}

impl Indexed {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
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

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    pub(crate) fn store(&self) -> Store {
        Store::at(&self.folder.path().join("store"))
    }

    pub(crate) fn key(&self) -> ViewKey {
        ViewKey::Worktree(self.root().to_string_lossy().into_owned())
    }

    pub(crate) fn view(&self) -> View {
        self.store().reader().unwrap().view(&self.key()).unwrap()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn update(&self) {
        let repository = Repository::discover(&self.root()).unwrap();
        let writer = self.store().writer(WriteMode::Update).unwrap();
        let mut writer = writer.with_static(StaticEncoder::builtin().ok());
        writer
            .update_view(&repository, &self.key(), 4_000_000_000, &Unattended)
            .unwrap();
        writer.sweep().unwrap();
        writer.finish().unwrap();
    }
}
