//! Coverage reports: which lines and functions of which files ran, and how often.
//!
//! The format is recognised by content. What cannot be read is a [`Problem`] and never keeps the
//! rest from being read. Nothing is expanded: no XML entities, no line ranges.

mod report;
pub use report::{
    At, CoverageFormat, FileCoverage, FunctionHits, LineHits, MAX_PROBLEMS, MAX_RECORDS, Problem,
    Report, Unreadable,
};

mod cobertura;
mod collector;
mod go_profile;
mod lcov;

use crate::Budget;
use collector::Collector;

/// Recognises a report by its first bytes; `None` for anything else. O(1).
pub fn recognise(bytes: &[u8]) -> Option<CoverageFormat> {
    let bytes = &bytes[..bytes.len().min(HEAD_BYTES)];
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_xml = bytes.trim_ascii_start().starts_with(b"<");
    match () {
        () if is_xml => {
            let has_root = bytes.windows(9).any(|part| part == b"<coverage");
            has_root.then_some(CoverageFormat::Cobertura)
        }
        () if lcov::is_lcov(bytes) => Some(CoverageFormat::Lcov),
        () if go_profile::is_profile(bytes) => Some(CoverageFormat::GoProfile),
        () => None,
    }
}

/// Bytes looked at to recognise a format.
const HEAD_BYTES: usize = 8 << 10;

/// Reads a coverage report. O(bytes), and within the budget; memory is bounded by [`MAX_RECORDS`].
///
/// # Errors
/// [`Unreadable`] when no format fits; a damaged report is a [`Report`] with problems.
pub fn read(bytes: &[u8], budget: &mut Budget<'_>) -> Result<Report, Unreadable> {
    budget.allow(bytes.len() as u64);
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut found = Collector::new(budget);
    match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
        None => return Err(Unreadable::Empty),
        Some(b'<') => cobertura::read(bytes, &mut found)?,
        Some(b'{' | b'[') => return Err(Unreadable::Json),
        _ if lcov::is_lcov(bytes) => lcov::read(bytes, &mut found),
        _ if go_profile::is_profile(bytes) => go_profile::read(bytes, &mut found),
        _ => return Err(Unreadable::Unknown),
    }
    found.report().ok_or(Unreadable::Unknown)
}
