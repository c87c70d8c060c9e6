//! Reports beside a repository: which there are, and which the person named.
//!
//! What lies in the usual places may come with the repository, and an answer rests on what it reads. So it
//! is listed, by its name and first bytes, and read by no answer before the person has named it. What git
//! tracks is named with its content: once another version of it was checked out, it has to be named again.
//! What git does not track was made here, and counts however often it is made again.

use crate::Engine;
use crate::api::{FoundReport, FoundReports, RepoId};
use crate::code::execution::{ExecutionFile, files_at, usual_reports};
use crate::code::precise::USUAL;
use crate::error::{EngineError, Result};
use crate::registry::{NamedReport, Registered};
use crate::views::LiveView;
use std::cell::OnceCell;
use std::path::{Component, Path, PathBuf};
use whyrank_external::{coverage, runs};
use whyrank_source::Repository;
use whyrank_system::regular;

/// Reports listed; each is opened for its first bytes.
const MAX_LISTED: usize = 100;
/// Bytes that tell the kind of a report.
const HEAD_BYTES: u64 = 64 << 10;

impl Engine {
    /// Lists the reports beside a repository. None is read beyond its first bytes.
    ///
    /// # Errors
    /// `unknown-repository`; those of opening the view.
    pub fn reports(&self, repo: &RepoId) -> Result<FoundReports> {
        let registered = self.state.registry.get(repo)?;
        let view = self.state.worktree_view(&registered)?;
        Ok(found_reports(&registered, &view))
    }

    /// Has answers read reports from now on, each a file or a folder of them.
    ///
    /// # Errors
    /// `unknown-repository`; `bad-argument` where there is no report.
    pub fn use_reports(&self, repo: &RepoId, paths: &[PathBuf]) -> Result<()> {
        let registered = self.state.registry.get(repo)?;
        let git = Repository::discover(&registered.root).ok();
        for path in paths {
            let path = registered.root.join(plain(path));
            let is_scip = is_scip(&path);
            let files = if is_scip {
                Vec::from_iter(path.is_file().then(|| path.clone()))
            } else {
                let files = files_at(&path).into_iter();
                files.map(|file| file.path).collect()
            };
            if files.is_empty() {
                return Err(EngineError::bad_argument(
                    format!("no report at `{}`", path.display()),
                    "give a coverage report, a profile, a trace or a SCIP index, or a folder of them; \
                     `whyrank reports` lists what there is",
                ));
            }
            let tracked = files.iter().filter_map(|file| {
                let blob = tracked_blob(git.as_ref()?, &registered.root, file)?;
                Some(blob.to_string())
            });
            let tracked: Vec<String> = tracked.collect();
            if is_scip {
                self.state.registry.set_scip(repo, Some(path.clone()))?;
            }
            self.state.registry.set_reports(repo, |named| {
                named.retain(|one| one.path != path);
                named.push(NamedReport { path, tracked });
            })?;
        }
        self.repo_changed(repo);
        Ok(())
    }

    /// Has answers read these reports no more.
    ///
    /// # Errors
    /// `unknown-repository`; `bad-argument` for one that was not named.
    pub fn forget_reports(&self, repo: &RepoId, paths: &[PathBuf]) -> Result<()> {
        let registered = self.state.registry.get(repo)?;
        for path in paths {
            let path = registered.root.join(plain(path));
            let is_scip = registered.scip.as_ref() == Some(&path);
            if !is_scip && registered.reports.iter().all(|one| one.path != path) {
                return Err(EngineError::bad_argument(
                    format!("`{}` was not named", path.display()),
                    "see `whyrank reports`",
                ));
            }
            if is_scip {
                self.state.registry.set_scip(repo, None)?;
            }
            let others = |named: &mut Vec<NamedReport>| named.retain(|one| one.path != path);
            self.state.registry.set_reports(repo, others)?;
        }
        self.repo_changed(repo);
        Ok(())
    }

    /// Says whether a path lies in a repository, links followed: an agent names no others.
    ///
    /// # Errors
    /// `unknown-repository`; `bad-argument` for one that lies elsewhere.
    pub fn check_report_inside(&self, repo: &RepoId, path: &str) -> Result<()> {
        let root = self.state.registry.get(repo)?.root;
        let full = root.join(path);
        let real = full.canonicalize().unwrap_or(full);
        let real_root = root.canonicalize().unwrap_or(root);
        let leads_up = |path: &Path| path.components().any(|part| part == Component::ParentDir);
        if real.starts_with(&real_root) && !leads_up(&real) {
            return Ok(());
        }
        Err(EngineError::bad_argument(
            format!("the report `{path}` lies outside the repository"),
            "the person may name it: `whyrank reports use PATH`",
        ))
    }
}

/// The reports beside a working tree, used or not.
pub(crate) fn found_reports(repo: &Registered, view: &LiveView) -> FoundReports {
    let named = NamedReports::of(repo);
    let mut files = usual_reports(&repo.root, view.snapshot());
    files.extend(named.files());
    let scip = [Some(repo.root.join(USUAL)), repo.scip.clone()];
    let scip = scip.into_iter().flatten().filter(|path| path.is_file());
    let mut paths: Vec<PathBuf> = files.into_iter().map(|file| file.path).collect();
    paths.extend(scip);
    paths.sort();
    paths.dedup();
    let n_more = paths.len().saturating_sub(MAX_LISTED) as u32;
    paths.truncate(MAX_LISTED);
    let reports = paths.iter().filter_map(|path| {
        let standing = named.standing(path);
        Some(FoundReport {
            kind: kind_of(path)?,
            path: shown(&repo.root, path),
            is_used: standing == Standing::Used,
            note: match standing {
                Standing::Changed => "changed since it was named".to_owned(),
                Standing::Used | Standing::Unnamed => String::new(),
            },
        })
    });
    FoundReports {
        reports: reports.collect(),
        n_more,
    }
}

/// What a report is, by its name and first bytes; `None` for what only looks like one by its name.
fn kind_of(path: &Path) -> Option<String> {
    if is_scip(path) {
        return Some("SCIP index".to_owned());
    }
    let (head, _) = regular::read_start(path, HEAD_BYTES).ok()?;
    let run = runs::recognise(&head).map(runs::RunFormat::name);
    let kind = run.or_else(|| coverage::recognise(&head).map(coverage::CoverageFormat::name));
    kind.map(str::to_owned)
}

/// Whether a file is a profile or trace, by its first bytes.
pub(crate) fn is_run(path: &Path) -> bool {
    let head = regular::read_start(path, HEAD_BYTES);
    head.is_ok_and(|(head, _)| runs::recognise(&head).is_some())
}

fn is_scip(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "scip")
}

fn shown(root: &Path, path: &Path) -> String {
    let path = path.strip_prefix(root).unwrap_or(path);
    path.to_string_lossy().replace('\\', "/")
}

/// A path without `.`, so that one is named the same each time.
fn plain(path: &Path) -> PathBuf {
    path.components()
        .filter(|part| *part != Component::CurDir)
        .collect()
}

/// How the person stands to a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Used,
    /// Another version of it was checked out since it was named.
    Changed,
    Unnamed,
}

/// The reports that the person named.
pub(crate) struct NamedReports<'a> {
    repo: &'a Registered,
    git: OnceCell<Option<Repository>>,
}

impl<'a> NamedReports<'a> {
    pub(crate) fn of(repo: &'a Registered) -> Self {
        Self {
            repo,
            git: OnceCell::new(),
        }
    }

    /// Their files, wherever they lie; SCIP indexes are none of them.
    pub(crate) fn files(&self) -> Vec<ExecutionFile> {
        let named = self.repo.reports.iter();
        let scip = self.repo.scip.as_ref();
        let named = named.filter(|named| !is_scip(&named.path) && Some(&named.path) != scip);
        named.flat_map(|named| files_at(&named.path)).collect()
    }

    fn tracked(&self, path: &Path) -> Option<whyrank_source::BlobId> {
        let root = &self.repo.root;
        path.strip_prefix(root).ok()?;
        let git = self.git.get_or_init(|| Repository::discover(root).ok());
        tracked_blob(git.as_ref()?, root, path)
    }

    /// Says whether the repository itself brought a file.
    pub(crate) fn is_brought(&self, path: &Path) -> bool {
        self.tracked(path).is_some()
    }

    /// Those that answers read and that the repository itself brought.
    pub(crate) fn brought(&self) -> Vec<String> {
        let files = self.files().into_iter().map(|file| file.path);
        let files = files.chain(self.repo.scip.clone());
        let brought = files.filter(|path| self.is_used(path) && self.is_brought(path));
        brought.map(|path| shown(&self.repo.root, &path)).collect()
    }

    pub(crate) fn is_used(&self, path: &Path) -> bool {
        self.standing(path) == Standing::Used
    }

    pub(crate) fn standing(&self, path: &Path) -> Standing {
        let mut of_file = self.repo.reports.iter();
        let named = of_file.find(|named| {
            let inside = path.parent() == Some(named.path.as_path()) && !is_scip(path);
            inside || named.path == path
        });
        let Some(named) = named else {
            // An earlier version kept of an index that was named its path alone.
            let was_named = self.repo.scip.as_deref() == Some(path);
            return if was_named {
                Standing::Used
            } else {
                Standing::Unnamed
            };
        };
        match self.tracked(path) {
            Some(blob) if !named.tracked.contains(&blob.to_string()) => Standing::Changed,
            _ => Standing::Used,
        }
    }
}

/// The content that git has of a file below the root, whatever lies there now.
fn tracked_blob(git: &Repository, root: &Path, path: &Path) -> Option<whyrank_source::BlobId> {
    let below = path.strip_prefix(root).ok()?;
    git.tracked_blob(&below.to_string_lossy().replace('\\', "/"))
}
