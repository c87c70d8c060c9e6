//! Repositories: register, describe, look into, forget.

use crate::Engine;
use crate::api::{
    JobStage, JobState, LanguageShare, ManifestPart, RepoHealth, RepoId, RepoName, RepoState,
    RepoSummary, ScanReport, SkipCount, SkippedEntry,
};
use crate::error::{EngineError, Result};
use crate::paths::folder_name;
use crate::registry::Registered;
use crate::views::LiveView;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::Ordering;
use whyrank_index::{Manifest, WriteMode};
use whyrank_retrieval::Coverage;
use whyrank_source::{Head, Repository, SkipReason, SkippedFile};
use whyrank_syntax::Language;

impl From<Registered> for RepoName {
    fn from(repo: Registered) -> Self {
        Self {
            id: repo.id,
            name: repo.name,
        }
    }
}

impl Engine {
    /// Lists registered repositories, by name. Their files are not looked at: `Ready` says that HEAD
    /// did not move.
    ///
    /// # Errors
    /// `registry-damaged`, `io`.
    pub fn repos(&self) -> Result<Vec<RepoSummary>> {
        let repos = self.state.registry.all()?;
        Ok(repos.iter().map(|repo| self.summary(repo)).collect())
    }

    /// Registers the working tree that `path` lies in (no indexing yet); known ones are returned as they are.
    ///
    /// # Errors
    /// `not-a-repository`, `bare-repository`, `path-missing`, `io`.
    pub fn add_repo(&self, path: &Path) -> Result<RepoSummary> {
        let repo = self.state.registry.add(path)?;
        Ok(self.summary(&repo))
    }

    /// Forgets a repository, and deletes its index when asked to and no other working tree uses it.
    ///
    /// # Errors
    /// `unknown-repository`, `busy` while it is being indexed.
    pub fn remove_repo(&self, repo: &RepoId, delete_index: bool) -> Result<()> {
        if self.state.jobs.running(repo).is_some() {
            return Err(EngineError::new(
                "busy",
                "the repository is being indexed",
                "cancel the job first",
            ));
        }
        self.set_watching(repo, false)?;
        let removed = self.state.registry.remove(repo)?;
        let store_key = removed.store_key();
        let is_shared = self
            .state
            .registry
            .all()?
            .iter()
            .any(|other| other.store_key() == store_key);
        self.state.live.forget(&store_key);
        let store = self.state.store(&removed);
        if is_shared && store.exists() {
            // The other working trees keep the store; only this one's view goes.
            let mut writer = store.writer(WriteMode::Update)?;
            writer.delete_view(&removed.view_key())?;
            writer.finish()?;
        }
        crate::code::precise::delete(&self.state.paths.data_dir, &removed.id)?;
        if delete_index && !is_shared && store.folder().exists() {
            store.delete()?;
        }
        Ok(())
    }

    /// Finds a repository by id, name or path (a path that is not registered yet is registered).
    ///
    /// # Errors
    /// `unknown-repository`, `ambiguous-repository`, and those of [`Engine::add_repo`].
    pub fn find_repo(&self, selector: &str) -> Result<RepoSummary> {
        Ok(self.summary(&self.find_registered(selector)?))
    }

    /// Returns id and name of a repository, without a look at its state; selectors as in
    /// [`Engine::find_repo`].
    ///
    /// # Errors
    /// As [`Engine::find_repo`].
    pub fn name_repo(&self, selector: &str) -> Result<RepoName> {
        Ok(self.find_registered(selector)?.into())
    }

    /// Returns id and name of a repository that is registered, by id or name or a path in it; `None` where none
    /// is. Nothing is registered.
    ///
    /// # Errors
    /// `ambiguous-repository`, `registry-damaged`, `io`.
    pub fn known_repo(&self, selector: &str) -> Result<Option<RepoName>> {
        let repos = self.state.registry.all()?;
        let named = |repo: &&Registered| repo.id == selector || repo.name == selector;
        if repos.iter().any(|repo| named(&repo)) && !Path::new(selector).is_absolute() {
            return self.name_of(&repos, selector).map(Some);
        }
        let Ok(found) = Repository::discover(Path::new(selector)) else {
            return Ok(None);
        };
        let known = repos.into_iter().find(|repo| repo.root == found.root());
        Ok(known.map(RepoName::from))
    }

    fn name_of(&self, repos: &[Registered], selector: &str) -> Result<RepoName> {
        let repo = match repos.iter().find(|repo| repo.id == selector) {
            Some(repo) => repo.clone(),
            None => self.named(repos, selector)?,
        };
        Ok(repo.into())
    }

    fn find_registered(&self, selector: &str) -> Result<Registered> {
        let repos = self.state.registry.all()?;
        if let Some(repo) = repos.iter().find(|repo| repo.id == selector) {
            return Ok(repo.clone());
        }
        if Path::new(selector).exists() {
            return self.state.registry.add(Path::new(selector));
        }
        self.named(&repos, selector)
    }

    fn named(&self, repos: &[Registered], selector: &str) -> Result<Registered> {
        let named: Vec<&Registered> = repos.iter().filter(|repo| repo.name == selector).collect();
        match named.as_slice() {
            [one] => Ok((*one).clone()),
            [] => self.state.registry.get(selector),
            several => {
                let roots: Vec<String> = several
                    .iter()
                    .map(|repo| repo.root.display().to_string())
                    .collect();
                Err(EngineError::new(
                    "ambiguous-repository",
                    format!("`{selector}` names {} repositories", several.len()),
                    format!("give the path of one: {}", roots.join(", ")),
                ))
            }
        }
    }

    /// Returns one repository's summary; its files are compared with the index.
    ///
    /// # Errors
    /// `unknown-repository`.
    pub fn repo(&self, repo: &RepoId) -> Result<RepoSummary> {
        Ok(self.checked_summary(&self.state.registry.get(repo)?))
    }

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
            watching: self.is_watching(&repo.id),
            coverage: Coverage::default(),
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
        match repository.head() {
            Ok(Head::Unborn { branch }) => summary.branch = Some(branch),
            Ok(Head::Branch { branch, commit }) => {
                summary.branch = Some(branch);
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
                let note = if job.stage == JobStage::Waiting {
                    "another process brings it up to date".to_owned()
                } else {
                    format!("{}: {of}", job.stage)
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
        };
        match self.state.worktree_view(&registered) {
            Ok(view) => {
                let skipped = view.reader.skipped(&view.key)?;
                health.skipped = skipped.iter().map(skipped_entry).collect();
                health.parse_errors = parse_errors(&view);
                health.vectors = self.state.vector_rooms(&view);
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

    /// Tells what indexing would take in; writes nothing.
    ///
    /// # Errors
    /// Those of [`Engine::add_repo`].
    pub fn scan(&self, path: &Path) -> Result<ScanReport> {
        let repository = Repository::discover(path)?;
        let listing = repository.list_worktree(&repository.filter(), &(), &mut |_| {
            std::ops::ControlFlow::Continue(())
        })?;
        let files = listing.files.iter().map(|file| {
            let language = whyrank_syntax::detect(&file.path, b"").unwrap_or_else(plain_text);
            // Lines are not counted before the files are read; 35 bytes are a usual line.
            (language, (file.size_bytes / 35) as u32)
        });
        Ok(ScanReport {
            root: repository.root().to_string_lossy().into_owned(),
            files: listing.files.len() as u32,
            bytes: listing
                .files
                .iter()
                .map(|file| file.size_bytes as f64)
                .sum(),
            languages: languages(files),
            skipped_by_reason: count_reasons(&listing.skipped),
        })
    }
}

fn plain_text() -> Language {
    Language::from_name("text").expect("text is built in")
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

/// Languages by lines, most first.
pub(crate) fn languages(files: impl Iterator<Item = (Language, u32)>) -> Vec<LanguageShare> {
    let mut shares: BTreeMap<&'static str, (u32, u32)> = BTreeMap::new();
    for (language, n_lines) in files {
        let share = shares.entry(language.name()).or_default();
        share.0 += 1;
        share.1 += n_lines;
    }
    let mut shares: Vec<LanguageShare> = shares
        .into_iter()
        .map(|(language, (files, lines))| LanguageShare {
            language: language.to_owned(),
            files,
            lines,
        })
        .collect();
    shares.sort_by(|a, b| b.lines.cmp(&a.lines).then(a.language.cmp(&b.language)));
    shares
}

fn skipped_entry(skipped: &SkippedFile) -> SkippedEntry {
    SkippedEntry {
        path: skipped.path.clone(),
        reason: reason_of(skipped, true),
    }
}

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
        crate::code::precise::overlay::USUAL => "SCIP index, used for precise edges".to_owned(),
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

fn graph_state(view: &LiveView) -> String {
    if view.has_kept_graph.load(Ordering::Relaxed) {
        return "ready".to_owned();
    }
    match view.reader.graph_state(view.snapshot()) {
        Ok(None) => {
            view.has_kept_graph.store(true, Ordering::Relaxed);
            "ready".to_owned()
        }
        Ok(Some(reason)) => format!("{reason}: made when asked for, kept by `whyrank index`"),
        Err(error) => error.to_string(),
    }
}
