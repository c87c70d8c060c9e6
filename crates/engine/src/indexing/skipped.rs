//! Files that are left out, and why, in words.

use std::collections::BTreeMap;

use whyrank_source::{SkipReason, SkippedFile, without_secrets_in};

use crate::api::{SkipCount, SkippedEntry};

/// Describes one file, with sizes and messages.
pub(super) fn skipped_entry(skipped: &SkippedFile) -> SkippedEntry {
    SkippedEntry {
        path: without_secrets_in(&skipped.path).into_owned(),
        reason: reason_of(skipped, true),
    }
}

/// Counts files by reason, most first.
pub(super) fn count_reasons(skipped: &[SkippedFile]) -> Vec<SkipCount> {
    let mut counts: BTreeMap<(String, bool), u32> = BTreeMap::new();
    for file in skipped {
        let is_secret = file.reason == SkipReason::Secret;
        *counts
            .entry((reason_of(file, false), is_secret))
            .or_default() += 1;
    }
    let mut counts: Vec<SkipCount> = counts
        .into_iter()
        .map(|((reason, is_secret), count)| SkipCount {
            reason,
            count,
            is_secret,
        })
        .collect();
    counts.sort_by(|a, b| b.count.cmp(&a.count).then(a.reason.cmp(&b.reason)));
    counts
}

/// Why a file is left out; what is read as something else is named as that.
fn reason_of(skipped: &SkippedFile, with_detail: bool) -> String {
    match skipped.path.as_str() {
        crate::code::precise::USUAL => {
            "SCIP index: `whyrank reports` says whether it is used".to_owned()
        }
        _ => reason_in_words(&skipped.reason, with_detail),
    }
}

fn reason_in_words(reason: &SkipReason, with_detail: bool) -> String {
    let plain = match reason {
        SkipReason::Binary => "binary",
        SkipReason::TooLarge { .. } => "too large",
        SkipReason::Secret => "may hold secrets",
        SkipReason::Encoding => "unknown text encoding",
        SkipReason::Unreadable { .. } => "cannot be read",
        SkipReason::Symlink => "symbolic link",
        SkipReason::Submodule => "submodule",
        SkipReason::NestedRepository => "nested repository",
        SkipReason::Minified => "minified or machine-made",
        SkipReason::Name => "file name that is not text",
    };
    match reason {
        SkipReason::TooLarge {
            size_bytes,
            limit_bytes,
        } if with_detail => {
            format!(
                "{plain}: {} kB, the limit is {} kB",
                size_bytes / 1024,
                limit_bytes / 1024
            )
        }
        SkipReason::Unreadable { message } if with_detail => format!("{plain}: {message}"),
        _ => plain.to_owned(),
    }
}
