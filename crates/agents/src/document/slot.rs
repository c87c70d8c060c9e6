//! The place of an entry in a document, and why a document is refused.

use crate::clients::ConfigFormat;

/// Where a text breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Broken {
    /// From 1.
    pub(crate) line: usize,
    pub(crate) reason: String,
}

/// Where our entry lies in a file of a format: the keys to the servers, then its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot<'a> {
    pub(crate) format: ConfigFormat,
    pub(crate) key: &'a [String],
    pub(crate) name: &'a str,
}

/// The line of a byte, from 1.
pub(super) fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().iter().take(byte);
    before.filter(|byte| **byte == b'\n').count() + 1
}
