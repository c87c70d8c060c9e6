//! What can go wrong between a model's name and its vectors.

use std::borrow::Cow;
use std::path::PathBuf;

/// A failed act of this crate, with the path or name it failed on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InferenceError {
    /// `models.lock.toml` does not parse, or an entry breaks its rules.
    #[error("cannot read the model lock: {detail}")]
    ParseLock {
        /// What is wrong, with the entry.
        detail: String,
    },
    /// No entry of that name.
    #[error("unknown model {name:?}, the lock knows: {known}")]
    UnknownModel {
        /// The name that was asked for.
        name: String,
        /// The names there are, comma-separated.
        known: String,
    },
    /// The model's files are not in the store.
    #[error("model {name} is not installed, {fix}")]
    ModelAbsent {
        /// Name in the lock.
        name: String,
        /// What brings it.
        fix: String,
        /// Where its files would lie.
        dir: PathBuf,
    },
    /// Files of the model are missing, cut or changed.
    #[error("model {name} in {dir} is damaged ({problems}), {fix}")]
    ModelDamaged {
        /// Name in the lock.
        name: String,
        /// What repairs it.
        fix: String,
        /// Where its files lie.
        dir: PathBuf,
        /// Each bad file with what is wrong with it.
        problems: String,
    },
    /// A file or folder operation failed.
    #[error("cannot {act} {path}")]
    File {
        /// The verb: read, write, move.
        act: &'static str,
        /// What it was tried on.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// `config.json` does not describe a model this crate can run.
    #[error("cannot use {path}: {detail}")]
    ModelConfig {
        /// The configuration file.
        path: PathBuf,
        /// The field and what it should have been.
        detail: String,
    },
    /// The weight file cannot be opened as safetensors.
    #[error("cannot open the weights in {path}: {detail}; {}", self.hint())]
    OpenWeights {
        /// The weight file.
        path: PathBuf,
        /// The reader's reason.
        detail: String,
    },
    /// A tensor is missing, has another shape or type, or holds what is no number.
    #[error("cannot use tensor {tensor} of {path}: {detail}")]
    Tensor {
        /// The file it was looked for in.
        path: PathBuf,
        /// Its name in the file.
        tensor: String,
        /// What was found and what was wanted.
        detail: String,
    },
    /// `tokenizer.json` cannot be loaded, or refused a text.
    #[error("the tokenizer failed")]
    Tokenize {
        /// The tokenizer's reason.
        source: tokenizers::Error,
    },
    /// The caller's `cancel` said yes.
    #[error("cancelled")]
    Cancelled,
    /// This build has no downloader.
    #[error(
        "this build cannot download models, put the files of {name} into a folder and import it"
    )]
    FetchDisabled {
        /// Name in the lock.
        name: String,
    },
    /// Nobody has pinned all files of the model, so none is downloaded.
    #[error("{name} cannot be downloaded, the sha256 of {files} is not known to this build: {fix}")]
    NotPinned {
        /// Name in the lock.
        name: String,
        /// The files without a hash, comma-separated.
        files: String,
        /// What brings the model.
        fix: String,
    },
    /// The tokenizer has a token that the word table has no row for.
    #[error("the word table has no row for token {id}: tokenizer and weights are of two models")]
    UnknownToken {
        /// The token's id.
        id: u32,
    },
    /// A text has more tokens than the model has places for.
    #[error("{n_tokens} tokens are more than the {max_tokens} that the model has positions for")]
    TooLong {
        /// Tokens of the text.
        n_tokens: usize,
        /// Positions of the model.
        max_tokens: usize,
    },
    /// The model does not do what it was loaded for.
    #[error("{name} is no {wanted}")]
    WrongRole {
        /// Name in the lock.
        name: String,
        /// What was asked of it.
        wanted: &'static str,
    },
    /// Every source of the model failed.
    #[error(
        "none of {n_sources} sources of {name} answered: {failures}; {}", self.hint(),
        n_sources = failures.len(),
        failures = failures.join("; ")
    )]
    NoSourceAnswered {
        /// Name in the lock.
        name: String,
        /// Where its files are looked for.
        dir: PathBuf,
        /// One line a source: the source and why it failed.
        failures: Vec<String>,
    },
    /// An imported file is not the pinned one.
    #[error("{path} is not the pinned file: {problem}")]
    WrongFile {
        /// The offered file.
        path: PathBuf,
        /// In what it differs.
        problem: String,
    },
}

impl InferenceError {
    /// Says what to do about it; empty where the text says it already.
    pub fn hint(&self) -> Cow<'static, str> {
        match self {
            Self::OpenWeights { .. } => "the file is cut or not safetensors".into(),
            Self::NoSourceAnswered { name, dir, .. } => format!(
                "put its files into {} and run `whyrank models verify {name}`",
                dir.display()
            )
            .into(),
            _ => "".into(),
        }
    }
    pub(crate) fn file(
        act: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { act, path, source }
    }
}
