//! How a repository stands: its summary, and its health in detail.

use std::path::Path;
use std::sync::atomic::Ordering;

use whyrank_index::Manifest;
use whyrank_retrieval::Coverage;
use whyrank_source::{Head, Repository, SourceError, without_secrets_in};

use super::repos::languages;
use super::run::indexing_threads;
use super::skipped::{count_reasons, skipped_entry};
use crate::Engine;
use crate::api::{
    FoundReports, JobStage, JobState, Lane, ManifestPart, RepoHealth, RepoId, RepoState,
    RepoSummary, SkippedEntry,
};
use crate::code::reports::found_reports;
use crate::error::Result;
use crate::paths::folder_name;
use crate::registry::Registered;
use crate::views::LiveView;

/// Chunks that one thread encodes with the default model: two cores make 25 (docs/settings.md).
const CHUNKS_A_SECOND: f64 = 12.5;

impl Engine {
    pub(super) fn summary(&self, repo: &Registered) -> RepoSummary {
        let mut summary = RepoSummary {
            id: repo.id.clone(),
            name: repo.name.clone(),
            root: repo.root.to_string_lossy().into_owned(),
            branch: None,
            head: None,
            state: RepoState::NotIndexed,
            state_note: "not indexed yet: run `whyrank index`".to_owned(),
            commits_behind: 0,
            is_set_aside: false,
            files: 0,
            chunks: 0,
            symbols: 0,
            languages: Vec::new(),
            index_bytes: self.state.store(repo).size_bytes() as f64,
            indexed_at: None,
            watching: repo.is_to_be_watched(),
            watch_note: watch_note(repo),
            coverage: Coverage::default(),
            vectors_left_s: None,
            graph: "none".to_owned(),
            skipped_by_reason: Vec::new(),
        };
        let repository = match Repository::discover(&repo.root) {
            Ok(repository) => repository,
            Err(error) => {
                (summary.state, summary.state_note) = (RepoState::Missing, error.to_string());
                return summary;
            }
        };
        self.describe_head(&repository, &mut summary);
        match self.state.worktree_view(repo) {
            Ok(view) => self.describe_view(&repository, &view, &mut summary),
            Err(error) if error.code == "index-missing" => {
                if let Some(detail) = self.state.store(repo).set_aside() {
                    summary.state_note = format!("the index was damaged: {detail}");
                    summary.is_set_aside = true;
                }
            }
            Err(error) => {
                (summary.state, summary.state_note) = (RepoState::Failed, error.to_string())
            }
        }
        self.describe_job(repo, &mut summary);
        summary
    }

    fn describe_head(&self, repository: &Repository, summary: &mut RepoSummary) {
        let shown = |branch: String| Some(without_secrets_in(&branch).into_owned());
        match repository.head() {
            Ok(Head::Unborn { branch }) => summary.branch = shown(branch),
            Ok(Head::Branch { branch, commit }) => {
                summary.branch = shown(branch);
                summary.head = Some(commit.to_string()[..10].to_owned());
            }
            Ok(Head::Detached { commit }) => {
                summary.head = Some(commit.to_string()[..10].to_owned())
            }
            Err(_) => {}
        }
    }

    fn describe_view(&self, repository: &Repository, view: &LiveView, summary: &mut RepoSummary) {
        let loaded = view.snapshot();
        let skipped = view.reader.skipped(&loaded.key).unwrap_or_default();
        summary.files = loaded.files.len() as u32;
        summary.chunks = loaded.visible.len() as u32;
        summary.symbols = loaded.files.iter().map(|file| file.n_symbols).sum();
        summary.languages = languages(
            loaded
                .files
                .iter()
                .map(|file| (file.language, file.n_lines)),
        );
        summary.indexed_at = Some(loaded.updated_at as f64);
        summary.coverage = self.state.coverage(view, skipped.len() as u32);
        summary.vectors_left_s = self.vectors_left_s(summary.chunks, &summary.coverage);
        summary.graph = graph_state(view);
        summary.skipped_by_reason = count_reasons(&skipped);
        let is_fresh = repository
            .fingerprint()
            .is_ok_and(|now| now == loaded.fingerprint);
        (summary.state, summary.state_note) = if loaded.files.len() < loaded.n_expected as usize {
            (
                RepoState::Stale,
                format!(
                    "{} of {} files so far: run `whyrank index` to go on",
                    loaded.files.len(),
                    loaded.n_expected
                ),
            )
        } else if is_fresh {
            let note = format!("indexed at {}", loaded.title);
            super::plausible::state(repository, loaded.files.len(), &skipped, note)
        } else {
            let indexed = loaded.commit.as_deref();
            summary.commits_behind = indexed.map_or(0, |commit| repository.commits_since(commit));
            let what = match summary.commits_behind {
                0 => "HEAD or the git index moved".to_owned(),
                1 => "one commit".to_owned(),
                n => format!("{n} commits"),
            };
            let note = format!("{what} since {}: run `whyrank index`", loaded.title);
            (RepoState::Stale, note)
        };
    }

    /// How long the default model takes for the chunks that lack a vector and are to have one.
    fn vectors_left_s(&self, n_chunks: u32, coverage: &Coverage) -> Option<f64> {
        let settings = self.state.settings();
        if settings.model != self.state.model_store().lock().default_entry().name {
            return None;
        }
        let wanted = match settings.max_vectors {
            0 => n_chunks,
            most => n_chunks.min(most),
        };
        let left = f64::from(wanted) - coverage.vector * f64::from(n_chunks);
        let a_second = CHUNKS_A_SECOND * indexing_threads(settings.index_threads) as f64;
        (left >= 1.0).then(|| (left / a_second).ceil())
    }

    fn describe_job(&self, repo: &Registered, summary: &mut RepoSummary) {
        let newest = self.jobs().into_iter().find(|job| job.repo == repo.id);
        let Some(job) = newest else { return };
        match job.state {
            JobState::Running => {
                if job.stage == JobStage::SymbolGraph {
                    summary.graph = format!("building, {} of {} files", job.done, job.total);
                }
                let of = if job.total > 0 {
                    format!("{} of {}", job.done, job.total)
                } else {
                    job.done.to_string()
                };
                let note = match (job.stage, job.lane) {
                    (JobStage::Waiting, Lane::Lexical) => {
                        "another process brings it up to date".to_owned()
                    }
                    (JobStage::Waiting, Lane::Vector) => {
                        format!("vectors waiting for another repository's: {of}")
                    }
                    (stage, _) => format!("{stage}: {of}"),
                };
                (summary.state, summary.state_note) = (RepoState::Indexing, note);
            }
            JobState::Paused => {
                (summary.state, summary.state_note) =
                    (RepoState::Paused, format!("paused in {}", job.stage))
            }
            JobState::Failed => {
                let error = job.error.map_or_else(String::new, |error| {
                    format!("{}; {}", error.message, error.hint)
                });
                (summary.state, summary.state_note) = (RepoState::Failed, error);
            }
            JobState::Done | JobState::Cancelled => {}
        }
    }

    /// Returns manifest, skipped files, problems.
    ///
    /// # Errors
    /// `unknown-repository`; a damaged or missing index is a problem in the answer, not an error.
    pub fn health(&self, repo: &RepoId) -> Result<RepoHealth> {
        let registered = self.state.registry.get(repo)?;
        let store = self.state.store(&registered);
        let manifest = Manifest::current();
        let mut health = RepoHealth {
            summary: self.checked_summary(&registered),
            compatibility: manifest.hash(),
            manifest: manifest_parts(
                &manifest,
                self.state
                    .encoder()
                    .map_or_else(|reason| reason, |encoder| encoder.spec().name.clone()),
            ),
            index_path: store.folder().to_string_lossy().into_owned(),
            skipped: Vec::new(),
            parse_errors: Vec::new(),
            views: Vec::new(),
            vectors: Vec::new(),
            problems: Vec::new(),
            scip: None,
            reports: FoundReports::default(),
        };
        match self.state.worktree_view(&registered) {
            Ok(view) => {
                let skipped = view.reader.skipped(&view.key)?;
                health.skipped = skipped.iter().map(skipped_entry).collect();
                health.parse_errors = parse_errors(&view);
                health.vectors = self.state.vector_rooms(&view);
                health.reports = found_reports(&registered, &view);
                health.scip = self.scip_import(&registered, &view)?;
                health.views = view
                    .reader
                    .views()?
                    .into_iter()
                    .map(|(key, title)| view_line(&key, &title))
                    .collect();
            }
            Err(error) if error.code == "index-missing" => {}
            Err(error) => health.problems.push(error.to_string()),
        }
        Ok(health)
    }
}

/// Where the system lets no more folders be watched, changes are looked for by time.
fn watch_note(repo: &Registered) -> String {
    if !repo.is_past_limit || !repo.is_to_be_watched() {
        return String::new();
    }
    let path = repo.root.clone();
    let hint = SourceError::WatchLimit { path }.hint().into_owned();
    format!(
        "the system watches no more folders: files are looked at every so often and before each \
         answer; {hint}"
    )
}

fn manifest_parts(manifest: &Manifest, model: String) -> Vec<ManifestPart> {
    let part = |(name, value): &(String, String)| ManifestPart {
        name: name.clone(),
        value: value.clone(),
    };
    let mut parts: Vec<ManifestPart> = manifest.parts.iter().map(part).collect();
    parts.push(ManifestPart {
        name: "model".to_owned(),
        value: model,
    });
    parts
}

fn view_line(key: &whyrank_index::ViewKey, title: &str) -> String {
    match key {
        whyrank_index::ViewKey::Worktree(root) => {
            format!("working tree {} ({title})", folder_name(Path::new(root)))
        }
        whyrank_index::ViewKey::Commit(_) => title.to_owned(),
    }
}

fn parse_errors(view: &LiveView) -> Vec<SkippedEntry> {
    let files = view.files.iter();
    files
        .filter_map(|file| {
            Some(SkippedEntry {
                path: file.path.clone(),
                reason: file.error.clone()?,
            })
        })
        .collect()
}

fn graph_state(view: &LiveView) -> String {
    if view.has_cached_graph.load(Ordering::Relaxed) {
        return "ready".to_owned();
    }
    match view.reader.graph_state(view.snapshot()) {
        // A run that ended early may have kept the uses, and not yet what search walks.
        Ok(None) => match view.symbol_graph() {
            Ok(_) => {
                view.has_cached_graph.store(true, Ordering::Relaxed);
                "ready".to_owned()
            }
            Err(reason) => reason,
        },
        Ok(Some(reason)) if view.is_worked_out_in_memory() => {
            format!("{reason}: made when asked for, kept by `whyrank index`")
        }
        Ok(Some(reason)) => format!("{reason}: made by `whyrank index`"),
        Err(error) => error.to_string(),
    }
}
