//! What the caller hands in: files with their facts, manifests, and the id of a definition.

use serde::{Deserialize, Serialize};
use whyrank_syntax::FileFacts;

/// A file of a view.
#[derive(Clone, Copy, Debug)]
pub struct FileInput<'a> {
    /// Path from the repository root, parts joined by `/`.
    pub path: &'a str,
    /// Language id as `whyrank-syntax` names it: `typescript`, `python`.
    pub language: &'a str,
    /// What the file says.
    pub facts: &'a FileFacts,
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
