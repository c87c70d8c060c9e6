//! What the caller hands in: files with their facts, manifests, and the id of a definition.

use serde::{Deserialize, Serialize};
use whyrank_syntax::{FileFacts, Symbol};

/// Gives what a file says; [`FileFacts`] gives itself.
pub trait Facts: Sync {
    /// What the file says, kept from now on.
    fn kept(&self) -> &FileFacts;

    /// What it defines, kept from now on: who asks about a definition needs nothing else of its file.
    fn symbols(&self) -> &[Symbol] {
        &self.kept().symbols
    }

    /// Hands over what the file says, for a moment.
    fn with_facts(&self, read: &mut dyn FnMut(&FileFacts)) {
        read(self.kept());
    }
}

impl Facts for FileFacts {
    fn kept(&self) -> &FileFacts {
        self
    }
}

/// A file of a view.
#[derive(Clone, Copy)]
pub struct FileInput<'a> {
    /// Path from the repository root, parts joined by `/`.
    pub path: &'a str,
    /// Language id as `whyrank-syntax` names it: `typescript`, `python`.
    pub language: &'a str,
    /// What the file says.
    pub facts: &'a dyn Facts,
}

impl<'a> FileInput<'a> {
    /// Returns what the file says.
    pub fn facts(&self) -> &'a FileFacts {
        self.facts.kept()
    }

    /// Returns what it defines.
    pub fn symbols(&self) -> &'a [Symbol] {
        self.facts.symbols()
    }

    /// The same for a moment: a pass over all files leaves nothing in memory.
    pub(crate) fn with_facts<T>(&self, read: impl FnOnce(&FileFacts) -> T) -> T {
        let (mut read, mut found) = (Some(read), None);
        self.facts.with_facts(&mut |facts| {
            if let Some(read) = read.take() {
                found = Some(read(facts));
            }
        });
        found.expect("facts are handed over once")
    }
}

impl std::fmt::Debug for FileInput<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileInput")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// The files of a view while they are open.
pub struct OpenFiles<'a> {
    /// By path.
    pub files: &'a [FileInput<'a>],
    /// Says that as much is in memory as may be: the rest is better read after the files were closed.
    pub is_full: &'a dyn Fn() -> bool,
}

/// Opens the files of a view, always the same ones. What they say leaves memory when they are closed.
pub trait FileSource {
    /// Opens them for a visit.
    fn open(&self, visit: &mut dyn FnMut(&OpenFiles<'_>));
}

/// Files that are in memory as a whole.
impl FileSource for Vec<FileInput<'_>> {
    fn open(&self, visit: &mut dyn FnMut(&OpenFiles<'_>)) {
        visit(&OpenFiles {
            files: self,
            is_full: &|| false,
        });
    }
}

/// A file that names module roots: package.json, go.mod, tsconfig.json, Cargo.toml, composer.json.
#[derive(Clone, Copy, Debug)]
pub struct ManifestInput<'a> {
    /// Path from the repository root.
    pub path: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// A definition: index of the file in the view, index of the symbol in its facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SymbolId {
    /// Index of the file in the view.
    pub file: u32,
    /// Index of the symbol in the file's facts.
    pub symbol: u32,
}
