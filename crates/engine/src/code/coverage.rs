//! Coverage files beside a repository: found, read, laid over the files of a view.

use crate::Engine;
use crate::api::{CoverageReport, DeadCodeRequest};
use crate::code::symbols::GraphFacts;
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::UNIX_EPOCH;
use whyrank_external::coverage::{FileCoverage, Report, read};
use whyrank_external::{PathMatch, PathMatcher};
use whyrank_graph::{ExecutionCoverage, FileInput};
use whyrank_index::{View, ViewKey};
use whyrank_source::{BlobId, Repository};
use whyrank_system::regular;

/// Where test runners leave coverage, from the root of a package.
const USUAL: [&str; 8] = [
    "coverage/lcov.info",
    "lcov.info",
    "coverage.lcov",
    "coverage.xml",
    "coverage/cobertura-coverage.xml",
    "cover.out",
    "coverage.out",
    "coverage/coverage.out",
];
/// A folder with one of these may be a package with coverage of its own.
const PACKAGES: [&str; 5] = [
    "package.json",
    "pyproject.toml",
    "go.mod",
    "Cargo.toml",
    "composer.json",
];
const MAX_PACKAGES: usize = 200;
/// Files taken from a folder of coverage.
const MAX_FILES: usize = 500;
/// Bytes read of a file, and of all.
const MAX_BYTES: u64 = 128 << 20;
const MAX_ALL_BYTES: u64 = 512 << 20;
/// Paths named in a note.
const MAX_NAMED: usize = 5;

/// Coverage laid over a view.
pub(crate) struct CoverageRead {
    pub(crate) runtime: ExecutionCoverage,
    pub(crate) reports: Vec<CoverageReport>,
}

/// A coverage file as it lies on disk.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CoverageFile {
    /// What was asked for: the file, or the folder that holds it.
    of: PathBuf,
    path: PathBuf,
    size_bytes: u64,
    mtime_ns: i64,
}

/// What was read last, and from what.
pub(crate) type CoverageCache = Mutex<Option<(Vec<CoverageFile>, Arc<CoverageRead>)>>;

impl Engine {
    /// The coverage that a question takes in; `None` where there is none.
    pub(crate) fn coverage_of(
        &self,
        view: &LiveView,
        facts: &GraphFacts,
        request: &DeadCodeRequest,
    ) -> Result<Option<Arc<CoverageRead>>> {
        let root = self.state.registry.get(&request.repo)?.root;
        let found = match request.coverage.as_slice() {
            [] => usual(&root, view.snapshot()),
            [none] if none == "none" => Vec::new(),
            named => named_files(&root, named)?,
        };
        if found.is_empty() {
            return Ok(None);
        }
        let kept = &view.coverage;
        let mut cache = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, read)) = cache.as_ref().filter(|(of, _)| *of == found) {
            return Ok(Some(Arc::clone(read)));
        }
        let read = Arc::new(Overlay::new(&root, view, facts).all(&found));
        *cache = Some((found, Arc::clone(&read)));
        Ok(Some(read))
    }
}

/// What lies in the usual places of the repository and its packages. Links are not followed.
fn usual(root: &Path, view: &View) -> Vec<CoverageFile> {
    let mut packages = BTreeSet::from([""]);
    for file in &view.files {
        let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
        if PACKAGES.contains(&name) && packages.len() < MAX_PACKAGES {
            packages.insert(folder);
        }
    }
    let places = packages
        .iter()
        .flat_map(|folder| USUAL.iter().map(move |place| root.join(folder).join(place)));
    let mut found: Vec<CoverageFile> = places
        .filter(|path| path.symlink_metadata().is_ok_and(|meta| !meta.is_symlink()))
        .flat_map(|path| files_at(&path))
        .collect();
    found.sort();
    found.dedup();
    found
}

fn named_files(root: &Path, named: &[String]) -> Result<Vec<CoverageFile>> {
    let mut found = Vec::new();
    for name in named {
        let files = files_at(&root.join(name));
        if files.is_empty() {
            return Err(EngineError::bad_argument(
                format!("no coverage file at `{name}`"),
                "give a file from the repository's root, or a folder that holds lcov, Cobertura or \
                 Go profiles; leave it out for the usual places, or give `none`",
            ));
        }
        found.extend(files);
    }
    Ok(found)
}

/// A file, or what a folder of coverage holds.
fn files_at(path: &Path) -> Vec<CoverageFile> {
    let Ok(meta) = path.metadata() else {
        return Vec::new();
    };
    if !meta.is_dir() {
        return found(path, path.to_path_buf()).into_iter().collect();
    }
    let is_report = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("info" | "xml" | "out" | "lcov"))
    };
    let entries = path.read_dir().into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(is_report)
        .collect();
    files.sort();
    files.truncate(MAX_FILES);
    let files = files.into_iter();
    files.filter_map(|file| found(path, file)).collect()
}

fn found(of: &Path, path: PathBuf) -> Option<CoverageFile> {
    let meta = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    Some(CoverageFile {
        of: of.to_path_buf(),
        mtime_ns: mtime_ns(&meta),
        size_bytes: meta.len(),
        path,
    })
}

fn mtime_ns(meta: &std::fs::Metadata) -> i64 {
    let since = meta.modified().ok();
    let since = since.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_nanos() as i64)
}

/// A view to lay coverage over.
struct Overlay<'v> {
    root: &'v Path,
    view: &'v LiveView,
    inputs: Vec<FileInput<'v>>,
    places: PathMatcher<'v>,
}

/// A measured file of the view.
struct Match<'r> {
    file: u32,
    coverage: &'r FileCoverage,
}

impl<'v> Overlay<'v> {
    fn new(root: &'v Path, view: &'v LiveView, facts: &'v GraphFacts) -> Self {
        let paths = view.files.iter().map(|file| file.path.as_str());
        Self {
            root,
            view,
            inputs: facts.inputs(view),
            places: PathMatcher::new(paths),
        }
    }

    fn all(&self, found: &[CoverageFile]) -> CoverageRead {
        let mut all = CoverageRead {
            runtime: ExecutionCoverage::default(),
            reports: Vec::new(),
        };
        let mut n_bytes = 0;
        for group in found.chunk_by(|a, b| a.of == b.of) {
            let mut summary = ReportSummary {
                path: self.shown(&group[0].of),
                ..ReportSummary::default()
            };
            for file in group {
                n_bytes += file.size_bytes.min(MAX_BYTES);
                if n_bytes > MAX_ALL_BYTES {
                    summary.note("not read: too much coverage".to_owned())
                } else {
                    self.one(file, &mut summary, &mut all.runtime)
                }
            }
            all.reports.push(summary.report());
        }
        all
    }

    fn one(
        &self,
        file: &CoverageFile,
        summary: &mut ReportSummary,
        runtime: &mut ExecutionCoverage,
    ) {
        let (bytes, is_whole) = match regular::read_start(&file.path, MAX_BYTES) {
            Ok(read) => read,
            Err(error) => {
                summary.note(format!("cannot be read: {error}"));
                return;
            }
        };
        if !is_whole {
            summary.note(format!("only the first {} MB are read", MAX_BYTES >> 20));
        }
        let report = match read(&bytes) {
            Ok(report) => report,
            Err(unreadable) => {
                summary.note(format!("not read: {unreadable}"));
                return;
            }
        };
        if summary.format.is_empty() {
            summary.format = report.format.name().to_owned();
            runtime.report(&summary.path);
        }
        let matches = self.matches(file, &report, summary);
        let written_ns = match report.written_s {
            // A stamp in seconds means any moment of its second.
            Some(stamp) => stamp.saturating_add(1).saturating_mul(1_000_000_000),
            None => file.mtime_ns,
        };
        let changed = self.changed_since(written_ns, &matches);
        for found in &matches {
            if changed.contains(&found.file) || self.is_beyond(found) {
                let path = self.inputs[found.file as usize].path;
                summary.stale.insert(path.to_owned());
            } else {
                summary.taken.insert(found.file);
                runtime.file(&self.inputs, found.file, found.coverage);
            }
        }
        for problem in &report.problems {
            summary.note(problem.to_string());
        }
        if report.n_more_problems > 0 {
            summary.note(format!("{} more problems", report.n_more_problems));
        }
    }

    /// The files of the view that a report speaks of.
    fn matches<'r>(
        &self,
        file: &CoverageFile,
        report: &'r Report,
        summary: &mut ReportSummary,
    ) -> Vec<Match<'r>> {
        let folder = self.shown(file.path.parent().unwrap_or(&file.path));
        let root = self.root.to_string_lossy();
        let ask = |paths: Vec<String>| {
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            self.places.all(&paths, &root, &folder)
        };
        let below = |above: &str| {
            let path = |file: &FileCoverage| {
                if above.is_empty() {
                    file.path.clone()
                } else {
                    format!("{above}/{}", file.path)
                }
            };
            ask(report.files.iter().map(path).collect())
        };
        let roots = report.roots.iter().map(String::as_str);
        let tries: Vec<Vec<PathMatch>> = roots.chain([""]).map(below).collect();
        let mut matches = Vec::new();
        for (at, coverage) in report.files.iter().enumerate() {
            let mut meant = tries.iter().map(|meant| &meant[at]);
            let file = |meant: &PathMatch| match meant {
                PathMatch::File(file) => Some(*file),
                _ => None,
            };
            if let Some(file) = meant.clone().find_map(file) {
                matches.push(Match { file, coverage });
            } else if meant.any(|meant| matches!(meant, PathMatch::Ambiguous(_))) {
                summary.unclear.insert(coverage.path.clone());
            } else if !is_of_others(&coverage.path) {
                summary.strange.insert(coverage.path.clone());
            }
        }
        matches
    }

    /// Whether a report speaks of lines that its file does not have: another text was measured.
    fn is_beyond(&self, found: &Match<'_>) -> bool {
        // Some tools count an empty last line.
        let end = self.view.files[found.file as usize].n_lines + 1;
        let coverage = found.coverage;
        coverage.lines.iter().any(|line| line.last > end)
            || coverage.functions.iter().any(|at| at.line > end)
    }

    /// The files whose content is not the one that a report written then can have measured.
    ///
    /// A working tree's file that was written later may still hold what was committed before.
    fn changed_since(&self, written_ns: i64, matches: &[Match<'_>]) -> BTreeSet<u32> {
        let view = self.view.snapshot();
        let is_tree = matches!(view.key, ViewKey::Worktree(_));
        let mut suspects: Vec<u32> = matches.iter().map(|found| found.file).collect();
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

/// What is to be said of a coverage file, or of a folder of them.
#[derive(Default)]
struct ReportSummary {
    path: String,
    format: String,
    taken: BTreeSet<u32>,
    stale: BTreeSet<String>,
    unclear: BTreeSet<String>,
    strange: BTreeSet<String>,
    notes: BTreeSet<String>,
}

impl ReportSummary {
    fn note(&mut self, note: String) {
        self.notes.insert(note);
    }

    fn report(self) -> CoverageReport {
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
        CoverageReport {
            n_files: self.taken.len() as u32,
            notes: listed.chain(self.notes.iter().cloned()).collect(),
            path: self.path,
            format: self.format,
        }
    }
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
