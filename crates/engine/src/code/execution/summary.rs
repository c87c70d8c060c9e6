//! What is to be said of a coverage report, a profile or a trace, or of a folder of them.

use std::collections::BTreeSet;

use crate::api::CoverageReport;
use whyrank_external::runs::Unit;
use whyrank_graph::ExecutionCoverage;

/// Paths named in a note.
const MAX_NAMED: usize = 5;

/// What was found out of it.
#[derive(Default)]
pub(super) struct ReportSummary {
    path: String,
    format: String,
    pub(super) is_brought: bool,
    pub(super) taken: BTreeSet<u32>,
    pub(super) stale: BTreeSet<String>,
    pub(super) unclear: BTreeSet<String>,
    pub(super) strange: BTreeSet<String>,
    notes: BTreeSet<String>,
}

impl ReportSummary {
    /// The first file of a group says what its counts count.
    pub(super) fn begin(&mut self, format: &str, unit: Unit, runtime: &mut ExecutionCoverage) {
        if self.format.is_empty() {
            format.clone_into(&mut self.format);
            runtime.report(&self.path, unit);
        }
    }

    pub(super) fn of(path: String) -> Self {
        Self {
            path,
            ..Self::default()
        }
    }

    pub(super) fn note(&mut self, note: String) {
        self.notes.insert(note);
    }

    /// `None` where nothing was found that anybody asked for.
    pub(super) fn report(self) -> Option<CoverageReport> {
        if self.format.is_empty() && self.notes.is_empty() {
            return None;
        }
        let lists = [
            (
                &self.stale,
                "file",
                "changed since it was written, left out",
            ),
            (&self.unclear, "path", "could mean several files"),
            (&self.strange, "path", "not in the index"),
        ];
        let listed = lists.iter().filter(|(paths, ..)| !paths.is_empty());
        let listed = listed.map(|(paths, noun, what)| {
            let shown: Vec<&str> = paths.iter().take(MAX_NAMED).map(String::as_str).collect();
            let more = if paths.len() > MAX_NAMED { ", …" } else { "" };
            let plural = if paths.len() == 1 { "" } else { "s" };
            let n = paths.len();
            format!("{n} {noun}{plural} {what}: {}{more}", shown.join(", "))
        });
        Some(CoverageReport {
            n_files: self.taken.len() as u32,
            notes: listed.chain(self.notes.iter().cloned()).collect(),
            path: self.path,
            format: self.format,
            is_brought: self.is_brought,
        })
    }
}
