//! The compatibility hash: everything that changes the bytes of a store.

use crate::error::{IndexError, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::cmp::Ordering;
use std::fs;
use std::path::Path;
use whyrank_system::files;

/// Layout of the catalog and of stored records.
const SCHEMA_VERSION: u32 = 3;

/// What a generation was built with. Vector stores carry their model in their own file name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Parts in order: name and value.
    pub parts: Vec<(String, String)>,
}

/// A manifest as it lies on disk; earlier versions wrote no hash.
#[derive(Serialize, Deserialize)]
struct ManifestFile {
    parts: Vec<(String, String)>,
    hash: Option<String>,
}

impl Manifest {
    /// Returns the manifest of this version.
    pub fn current() -> Self {
        let part = |name: &str, value: u32| (name.to_owned(), value.to_string());
        Self {
            parts: vec![
                part("schema", SCHEMA_VERSION),
                part("chunker", whyrank_syntax::SYNTAX_VERSION),
                part("tokenizer", crate::tokens::TOKENIZER_VERSION),
                // What is a secret by later rules goes with the generation that shows it.
                part("secrets", whyrank_source::SECRET_RULES),
            ],
        }
    }

    /// Returns the SHA-256 over the parts, as 16 hex digits.
    pub fn hash(&self) -> String {
        let mut hasher = Sha256::new();
        for (name, value) in &self.parts {
            hasher.update(format!("{name}={value}\n"));
        }
        hex::encode(&hasher.finalize()[..8])
    }

    pub(crate) fn write(&self, generation: &Path) -> Result<()> {
        let path = generation.join("manifest.json");
        let stored = ManifestFile {
            parts: self.parts.clone(),
            hash: Some(self.hash()),
        };
        let text = serde_json::to_string_pretty(&stored).expect("strings serialise");
        files::replace(&path, text.as_bytes()).map_err(|error| IndexError::io(path, error))
    }

    /// Reads a generation's manifest and refuses one that differs from this version's.
    pub(crate) fn check(generation: &Path) -> Result<Self> {
        let path = generation.join("manifest.json");
        let damaged = |detail: String| IndexError::Damaged {
            path: generation.to_owned(),
            detail,
        };
        let text =
            fs::read_to_string(&path).map_err(|error| damaged(format!("no manifest: {error}")))?;
        let found: ManifestFile =
            serde_json::from_str(&text).map_err(|error| damaged(format!("manifest: {error}")))?;
        let ManifestFile { parts, hash } = found;
        let found = Self { parts };
        if hash.is_some_and(|hash| hash != found.hash()) {
            return Err(damaged("the manifest does not fit its checksum".to_owned()));
        }
        let expected = Self::current();
        match found.difference(&expected) {
            None => Ok(found),
            Some((part, found, expected)) => Err(IndexError::Incompatible {
                path: generation.to_owned(),
                part,
                found,
                expected,
            }),
        }
    }

    /// Whether a generation was written by an earlier version than this: no part is newer, and one is
    /// older. What cannot be read is not called so.
    pub(crate) fn is_older(generation: &Path) -> bool {
        let text = fs::read_to_string(generation.join("manifest.json")).unwrap_or_default();
        let Ok(found) = serde_json::from_str::<Self>(&text) else {
            return false;
        };
        let current = Self::current();
        let of = |manifest: &Self, name: &str| {
            let part = manifest.parts.iter().find(|(part, _)| part == name);
            // A part that came later.
            part.map_or(Some(0), |(_, value)| value.parse::<u32>().ok())
        };
        let names = found.parts.iter().chain(&current.parts);
        let orders: Option<Vec<Ordering>> = names
            .map(|(name, _)| Some(of(&found, name)?.cmp(&of(&current, name)?)))
            .collect();
        orders.is_some_and(|orders| {
            !orders.contains(&Ordering::Greater) && orders.contains(&Ordering::Less)
        })
    }

    /// The first part that differs: name, value here, value there.
    fn difference(&self, other: &Self) -> Option<(String, String, String)> {
        let value = |manifest: &Self, name: &str| {
            let found = manifest.parts.iter().find(|(part, _)| part == name);
            found.map_or_else(|| "none".to_owned(), |(_, value)| value.clone())
        };
        let names = self.parts.iter().chain(&other.parts).map(|(name, _)| name);
        names
            .map(|name| (name.clone(), value(self, name), value(other, name)))
            .find(|(_, here, there)| here != there)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_older(parts: &[(&str, u32)]) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let parts = parts
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.to_string()));
        let manifest = Manifest {
            parts: parts.collect(),
        };
        manifest.write(folder.path()).unwrap();
        Manifest::is_older(folder.path())
    }

    #[test]
    fn a_part_that_came_later_makes_a_generation_older() {
        let now = Manifest::current();
        let now: Vec<(&str, u32)> = now
            .parts
            .iter()
            .map(|(name, value)| (name.as_str(), value.parse().unwrap()))
            .collect();
        let with = |value: u32| {
            let mut parts = now.clone();
            parts.last_mut().unwrap().1 = value;
            parts
        };
        assert!(is_older(&now[..now.len() - 1]));
        assert!(is_older(&with(now[now.len() - 1].1 - 1)));
        assert!(!is_older(&now));
        assert!(!is_older(&with(999)));
        assert!(!is_older(&[&now[..], &[("later", 1)]].concat()));
    }
}
