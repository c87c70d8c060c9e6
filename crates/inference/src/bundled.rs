//! Small trained parts of models that are in this program: heads and adapters.

use crate::error::InferenceError;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::path::Path;

/// By name; see `models/token-head` and `models/adapter` for how they were made.
const BUNDLED: &[(&str, &[u8])] = &[
    (
        "minilm-l6.safetensors",
        include_bytes!("../../../models/token-head/minilm-l6.safetensors"),
    ),
    (
        "minilm-l6-code.safetensors",
        include_bytes!("../../../models/adapter/minilm-l6-code.safetensors"),
    ),
];

/// The table of static embeddings; see `models/static` for how it was made.
pub(crate) const STATIC_TABLE: &[u8] =
    include_bytes!("../../../models/static/whyrank-static.safetensors");

/// Cross-encoders, by the model that they change; see `models/cross-encoder` for why there is none.
const CROSS_ENCODERS: &[(&str, &[u8])] = &[];

/// The weights of the cross-encoder over a model, if this program has them.
pub(crate) fn cross_encoder_of(model: &str) -> Option<&'static [u8]> {
    let found = CROSS_ENCODERS.iter().find(|(of, _)| *of == model);
    found.map(|(_, bytes)| *bytes)
}

/// A part's content: this program's, or that of the file at `path`.
///
/// # Errors
///
/// `File` when there is none; `WrongFile` when it is not the pinned one.
pub(crate) fn read_part(
    name: &str,
    sha256: &str,
    path: &Path,
) -> Result<Cow<'static, [u8]>, InferenceError> {
    let bytes: Cow<'static, [u8]> = match BUNDLED.iter().find(|(own, _)| *own == name) {
        Some((_, bytes)) => Cow::Borrowed(bytes),
        None => Cow::Owned(std::fs::read(path).map_err(InferenceError::file("read", path))?),
    };
    if hex::encode(Sha256::digest(&bytes)) != sha256 {
        return Err(InferenceError::WrongFile {
            path: path.into(),
            problem: "its sha256 is not the pinned one".to_owned(),
        });
    }
    Ok(bytes)
}
