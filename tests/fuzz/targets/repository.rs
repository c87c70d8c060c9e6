//! What a working tree says about itself: ignore files, and files that may hold secrets.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use whyrank_source::{FileFilter, Repository, classify, shown};

/// A folder that goes with the run.
pub(super) struct Folder(tempfile::TempDir);

impl Folder {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// One with a git repository of a few files.
    pub(super) fn with_repository() -> Self {
        let folder = Self::new();
        for path in ["src/a.js", "src/b/c.js", "d e/f.js", "g.md"] {
            let text = "// A file.\nexport function one(two) { return three(two); }\n";
            folder.write(path, text.as_bytes());
        }
        for args in [
            &["init", "--quiet"][..],
            &["add", "."],
            &[
                "-c",
                "user.name=n",
                "-c",
                "user.email=e",
                "commit",
                "-qm",
                "one",
            ],
        ] {
            let mut git = Command::new("git");
            let done = git.args(args).current_dir(folder.path()).status();
            assert!(done.expect("git runs").success(), "{args:?}");
        }
        folder
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().expect("it lies in a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }
}

/// What is shown of a file, under names that are judged by different rules, has as many bytes as its
/// text, so that lines and places stay; it is shown as it is when it is asked for again, and listed.
pub(super) fn secrets(bytes: &[u8]) {
    for path in [
        "config.yml",
        "src/main.py",
        "notes.md",
        "app.sql",
        "users.csv",
    ] {
        let text = shown(path, bytes, &FileFilter::default());
        if let (Ok(text), Ok(whole)) = (text, whyrank_source::decode(bytes)) {
            assert_eq!(text.len(), whole.len(), "{path}");
            assert_eq!(text.lines().count(), whole.lines().count(), "{path}");
            let again = shown(path, text.as_bytes(), &FileFilter::default());
            assert_eq!(again.as_deref(), Ok(&*text), "{path}");
            assert_eq!(
                classify(path, bytes, &FileFilter::default()),
                None,
                "{path}"
            );
        }
    }
}

/// The bytes are the ignore files of the root and of a folder.
pub(super) fn ignore(bytes: &[u8]) {
    static TREE: LazyLock<Folder> = LazyLock::new(Folder::with_repository);
    let (root, below) = bytes.split_at(bytes.len() / 2);
    for name in [".gitignore", ".ignore", ".whyrankignore"] {
        TREE.write(name, root);
        TREE.write(&format!("src/{name}"), below);
    }
    TREE.write(".git/info/exclude", below);
    let repository = Repository::discover(TREE.path()).expect("a repository");
    let listed =
        repository.list_worktree(
            &repository.filter(),
            &(),
            &mut |_| ControlFlow::Continue(()),
        );
    assert!(listed.is_ok(), "a listing that fails for its rules");
}
