//! Coverage reports, profiles and traces read and laid over the files of a view.
//!
//! Nothing is taken from what measured another text: a file that has changed since, or one whose lines
//! end before those that were measured.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::files::{ExecutionFile, mtime_ns};
use super::read::ExecutionRead;
use super::summary::ReportSummary;
use crate::code::graph_facts::GraphFacts;
use crate::views::LiveView;
use whyrank_external::Budget;
use whyrank_external::coverage::{FileCoverage, Problem, Report, read};
use whyrank_external::runs::{self, Run, Scope, Unit};
use whyrank_external::{PathMatch, PathMatcher};
use whyrank_graph::{ExecutionCoverage, FileInput};
use whyrank_index::ViewKey;
use whyrank_source::{BlobId, Repository};
use whyrank_system::regular;

/// Bytes read of a file, and of all.
const MAX_BYTES: u64 = 128 << 20;
const MAX_ALL_BYTES: u64 = 512 << 20;

/// A view to lay what ran over.
pub(super) struct Overlay<'v> {
    root: &'v Path,
    view: &'v LiveView,
    inputs: Vec<FileInput<'v>>,
    places: PathMatcher<'v>,
}

/// A path of a report and the last line that it lists there.
struct Measured {
    path: String,
    last_line: u32,
}

/// The paths of a report, and the folders that they may stand in.
struct MeasuredPaths<'m> {
    measured: &'m [Measured],
    roots: &'m [String],
    /// When they were measured, in nanoseconds since 1970.
    written_ns: i64,
}

/// The parts of a reading that a file adds to.
struct ReadParts<'r> {
    summary: &'r mut ReportSummary,
    runtime: &'r mut ExecutionCoverage,
}

impl<'v> Overlay<'v> {
    pub(super) fn new(root: &'v Path, view: &'v LiveView, facts: &'v GraphFacts) -> Self {
        let paths = view.files.iter().map(|file| file.path.as_str());
        Self {
            root,
            view,
            inputs: facts.inputs(view),
            places: PathMatcher::new(paths),
        }
    }

    /// Reads files, and takes in what they say of the view. Compressed ones count as they are when they are
    /// not; where nobody waits any more the rest is not read.
    pub(super) fn all(&self, found: &[ExecutionFile], budget: &mut Budget<'_>) -> ExecutionRead {
        let mut all = ExecutionRead::default();
        for group in found.chunk_by(|a, b| a.of == b.of) {
            let mut summary = ReportSummary::of(self.shown(&group[0].of));
            for file in group {
                summary.is_brought |= file.is_brought;
                let n_bytes = budget.n_bytes() + file.size_bytes.min(MAX_BYTES);
                if n_bytes > MAX_ALL_BYTES {
                    summary.note("not read: more than is read of all".to_owned());
                } else if !budget.is_cancelled() {
                    self.one(file, &mut summary, &mut all.runtime, budget);
                }
            }
            all.reports.extend(summary.report());
        }
        all
    }

    fn one(
        &self,
        file: &ExecutionFile,
        summary: &mut ReportSummary,
        runtime: &mut ExecutionCoverage,
        budget: &mut Budget<'_>,
    ) {
        let (bytes, is_whole) = match regular::read_start(&file.path, MAX_BYTES) {
            Ok(read) => read,
            Err(error) => {
                summary.note(format!("cannot be read: {error}"));
                return;
            }
        };
        match runs::recognise(&bytes) {
            Some(format) => {
                let run = runs::read(format, &bytes, budget);
                summary.begin(format.name(), format.unit(), runtime);
                let into = ReadParts { summary, runtime };
                self.run(file, &run, into, budget);
            }
            // Something else that only looks like one by its name.
            None if file.is_sought => return,
            None => match read(&bytes, budget) {
                Ok(report) => {
                    summary.begin(report.format.name(), Unit::Calls, runtime);
                    let into = ReadParts { summary, runtime };
                    self.coverage(file, &report, into, budget);
                }
                Err(unreadable) => summary.note(format!("not read: {unreadable}")),
            },
        }
        if !is_whole {
            summary.note(format!("only the first {} MB are read", MAX_BYTES >> 20));
        }
    }

    fn coverage(
        &self,
        file: &ExecutionFile,
        report: &Report,
        into: ReadParts<'_>,
        budget: &mut Budget<'_>,
    ) {
        let ReadParts { summary, runtime } = into;
        let measured: Vec<Measured> = report.files.iter().map(measured).collect();
        let written_ns = match report.written_s {
            // A stamp in seconds means any moment of its second.
            Some(stamp) => stamp.saturating_add(1).saturating_mul(1_000_000_000),
            None => file.mtime_ns,
        };
        let paths = MeasuredPaths {
            measured: &measured,
            roots: &report.roots,
            written_ns,
        };
        let files = self.files(file, &paths, summary, budget);
        for (coverage, file) in report.files.iter().zip(files) {
            if let Some(file) = file {
                runtime.file(&self.inputs, file, coverage, budget);
            }
        }
        note_problems(&report.problems, report.n_more_problems, summary);
    }

    fn run(&self, file: &ExecutionFile, run: &Run, into: ReadParts<'_>, budget: &mut Budget<'_>) {
        let ReadParts { summary, runtime } = into;
        let mut last_lines: BTreeMap<&str, u32> = BTreeMap::new();
        let of_files = run
            .functions
            .iter()
            .filter(|one| one.scope != Scope::Outside);
        for function in of_files.filter(|one| !one.path.is_empty()) {
            let last = last_lines.entry(&function.path).or_default();
            *last = (*last).max(function.line);
        }
        let root = self.root.to_string_lossy();
        let plain = |path: &str| path.strip_prefix("file://").unwrap_or(path).to_owned();
        let is_below = |path: &str| {
            let below = path.strip_prefix(root.as_ref());
            below.is_some_and(|rest| rest.starts_with('/'))
        };
        // A run of this checkout names its files in full: what lies elsewhere is none of them.
        let is_of_checkout = last_lines.keys().any(|path| is_below(&plain(path)));
        let is_foreign = |path: &str| {
            let path = plain(path);
            is_of_others(&path)
                || is_of_system(&path)
                || (is_of_checkout && Path::new(&path).is_absolute() && !is_below(&path))
        };
        last_lines.retain(|path, _| !is_foreign(path));
        let measured: Vec<Measured> = last_lines
            .iter()
            .map(|(path, last_line)| Measured {
                path: (*path).to_owned(),
                last_line: *last_line,
            })
            .collect();
        let paths = MeasuredPaths {
            measured: &measured,
            roots: &[],
            written_ns: file.mtime_ns,
        };
        let files = self.files(file, &paths, summary, budget);
        let paths = measured.iter().map(|one| one.path.as_str());
        let by_path: BTreeMap<&str, Option<u32>> = paths.zip(files).collect();
        let file_of = |path: &str| by_path.get(path).copied().flatten();
        let n_here = runtime.run(&self.inputs, run, &file_of, budget);
        if n_here == 0 && !run.functions.is_empty() && summary.stale.is_empty() {
            let n = run.functions.len();
            summary.note(format!("none of its {n} functions lies in the index"));
        }
        note_problems(&run.problems, run.n_more_problems, summary);
    }

    /// The file of the view that each path means, where it still has the text that was measured.
    fn files(
        &self,
        file: &ExecutionFile,
        paths: &MeasuredPaths<'_>,
        summary: &mut ReportSummary,
        budget: &mut Budget<'_>,
    ) -> Vec<Option<u32>> {
        let measured = paths.measured;
        let mut files = self.matches(file, paths, summary, budget);
        let changed = self.changed_since(paths.written_ns, &files);
        for (file, measured) in files.iter_mut().zip(measured) {
            let Some(at) = *file else {
                continue;
            };
            // Some tools count an empty last line.
            let end = self.view.files[at as usize].n_lines + 1;
            if changed.contains(&at) || measured.last_line > end {
                let path = self.inputs[at as usize].path;
                summary.stale.insert(path.to_owned());
                *file = None;
            } else {
                summary.taken.insert(at);
            }
        }
        files
    }

    /// The files of the view that a report covers.
    fn matches(
        &self,
        file: &ExecutionFile,
        paths: &MeasuredPaths<'_>,
        summary: &mut ReportSummary,
        budget: &mut Budget<'_>,
    ) -> Vec<Option<u32>> {
        let MeasuredPaths {
            measured, roots, ..
        } = paths;
        let folder = self.shown(file.path.parent().unwrap_or(&file.path));
        let root = self.root.to_string_lossy();
        let mut ask = |paths: Vec<String>| {
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            self.places.all(&paths, &root, &folder, budget)
        };
        let mut below = |above: &str| {
            let path = |one: &Measured| {
                if above.is_empty() {
                    one.path.clone()
                } else {
                    format!("{above}/{}", one.path)
                }
            };
            ask(measured.iter().map(path).collect())
        };
        let roots = roots.iter().map(String::as_str);
        let tries: Vec<Vec<PathMatch>> = roots.chain([""]).map(&mut below).collect();
        let file = |meant: &PathMatch| match meant {
            PathMatch::File(file) => Some(*file),
            _ => None,
        };
        let mut matches = Vec::new();
        for (at, one) in measured.iter().enumerate() {
            let mut meant = tries.iter().map(|meant| &meant[at]);
            let found = meant.clone().find_map(file);
            if found.is_some() {
            } else if meant.any(|meant| matches!(meant, PathMatch::Ambiguous(_))) {
                summary.unclear.insert(one.path.clone());
            } else if !is_of_others(&one.path) {
                summary.strange.insert(one.path.clone());
            }
            matches.push(found);
        }
        matches
    }

    /// The files whose content is not the one that a report written then can have measured.
    ///
    /// A working tree's file that was written later may still hold what was committed before.
    fn changed_since(&self, written_ns: i64, matches: &[Option<u32>]) -> BTreeSet<u32> {
        let view = self.view.snapshot();
        let is_tree = matches!(view.key, ViewKey::Worktree(_));
        let mut suspects: Vec<u32> = matches.iter().copied().flatten().collect();
        suspects.sort_unstable();
        suspects.dedup();
        suspects.retain(|file| {
            let path = self.root.join(&view.files[*file as usize].path);
            !is_tree
                || path
                    .metadata()
                    .is_ok_and(|meta| mtime_ns(&meta) > written_ns)
        });
        let paths: Vec<&str> = suspects
            .iter()
            .map(|file| self.inputs[*file as usize].path)
            .collect();
        let then: Vec<Option<BlobId>> = Repository::discover(self.root)
            .and_then(|git| git.blobs_at(written_ns / 1_000_000_000, &paths))
            .unwrap_or_else(|_| vec![None; paths.len()]);
        let pairs = suspects.into_iter().zip(then);
        let changed = pairs.filter(|(file, then)| Some(view.files[*file as usize].blob) != *then);
        changed.map(|(file, _)| file).collect()
    }

    /// A path from the root where it lies below.
    fn shown(&self, path: &Path) -> String {
        let path = path.strip_prefix(self.root).unwrap_or(path);
        path.to_string_lossy().replace('\\', "/")
    }
}

fn measured(file: &FileCoverage) -> Measured {
    let lines = file.lines.iter().map(|line| line.last);
    let functions = file.functions.iter().map(|at| at.line);
    Measured {
        path: file.path.clone(),
        last_line: lines.chain(functions).max().unwrap_or(0),
    }
}

fn note_problems(problems: &[Problem], n_more: u32, summary: &mut ReportSummary) {
    for problem in problems {
        summary.note(problem.to_string());
    }
    if n_more > 0 {
        summary.note(format!("{n_more} more problems"));
    }
}

/// Code of a language itself, and what is no file at all.
fn is_of_system(path: &str) -> bool {
    let starts = [
        "<",
        "node:",
        "internal/",
        "/rustc/",
        "/usr/lib",
        "/usr/local/go/",
    ];
    let within = ["/lib/python", "/src/runtime/", "/toolchains/"];
    starts.iter().any(|start| path.starts_with(start))
        || within.iter().any(|part| path.contains(part))
}

/// Files of packages from outside are measured, too; nobody expects them here.
fn is_of_others(path: &str) -> bool {
    [
        "/node_modules/",
        "/site-packages/",
        "/dist-packages/",
        "/.cargo/",
    ]
    .iter()
    .any(|part| path.contains(part))
}
