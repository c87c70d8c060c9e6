//! Where a task's repository comes from.

use super::read::read;
use crate::error::{EvalError, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A registry or a git address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A package of the npm registry.
    Npm(String),
    /// A source distribution on PyPI.
    Pypi(String),
    /// A crate.
    Crate(String),
    /// A Debian package.
    Deb(String),
    /// A Debian source package.
    DebSrc(String),
    /// A git address.
    Git(String),
    /// Only what the user points at.
    Folder(String),
}

/// A range of lines to blank before a run, so that a task's text is not in the code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blank {
    /// File.
    pub file: String,
    /// First line.
    pub start: u32,
    /// Last line, inclusive.
    pub end: u32,
}

/// A repository at a pinned version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// Key in the tasks.
    pub name: String,
    /// Where it comes from.
    pub source: Source,
    /// Registry version, tag or commit; empty where it is not pinned.
    #[serde(default)]
    pub version: String,
    /// SHA-256 of the archive, where there is one.
    #[serde(default)]
    pub sha256: Option<String>,
    /// Name of the archive, where the package has several.
    #[serde(default)]
    pub archive: Option<String>,
    /// Folder inside the archive that is the repository; `None` to find it.
    #[serde(default)]
    pub root: Option<String>,
    /// Only these files and folders below the root; empty for all.
    #[serde(default)]
    pub only: Vec<String>,
    /// Language.
    #[serde(default)]
    pub language: String,
    /// Licence.
    #[serde(default)]
    pub licence: String,
    /// Lines to blank.
    #[serde(default)]
    pub blank: Vec<Blank>,
}

impl Pin {
    /// Returns a pin read off a key such as `npm:express`.
    pub fn of_key(key: &str, version: &str, language: &str) -> Self {
        let source = match key.split_once(':') {
            Some(("npm", name)) => Source::Npm(name.to_owned()),
            Some(("pypi", name)) => Source::Pypi(name.to_owned()),
            Some(("crate" | "crates", name)) => Source::Crate(name.to_owned()),
            Some(("deb", name)) => Source::Deb(name.to_owned()),
            Some(("deb-src", name)) => Source::DebSrc(name.to_owned()),
            _ => Source::Folder(key.to_owned()),
        };
        Self {
            name: key.to_owned(),
            source,
            version: version.to_owned(),
            sha256: None,
            archive: None,
            root: None,
            only: Vec::new(),
            language: language.to_owned(),
            licence: String::new(),
            blank: Vec::new(),
        }
    }

    /// Returns a folder name for it: the key with `:` and `/` replaced.
    pub fn folder_name(&self) -> String {
        self.name.replace([':', '/', '\\'], "_")
    }
}

/// Reads `repositories.json`; nothing where there is none.
pub(super) fn read_list(path: &Path) -> Result<Vec<Pin>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    serde_json::from_str(&read(path)?)
        .map_err(|error| EvalError::format(path, Some(error.line()), error))
}
