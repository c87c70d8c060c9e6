//! Repositories: register, find, scan, forget.

use super::skipped::count_reasons;
use crate::Engine;
use crate::api::{LanguageShare, RepoId, RepoName, RepoSummary, ScanReport};
use crate::error::{EngineError, Result};
use crate::registry::{Registered, unknown};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use whyrank_index::WriteMode;
use whyrank_source::Repository;
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
        let (engine, id) = (self.clone(), repo.id.clone());
        // It walks the whole tree. Without a thread files are looked at before each answer.
        drop(std::thread::Builder::new().spawn(move || engine.follow_registered(&id)));
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

    /// Returns the root of the working tree around a folder, registered or not; `None` where there is none.
    pub fn root_around(&self, folder: &Path) -> Option<PathBuf> {
        let repository = Repository::discover(folder).ok()?;
        Some(repository.root().to_owned())
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
            [] => Err(unknown(selector)),
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
