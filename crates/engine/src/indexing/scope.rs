//! Which repositories are meant: by name, by `all`, by a workspace; and the workspaces.

use crate::Engine;
use crate::api::{MissingRepo, RepoId, RepoName, RepoScope, ScopeChoice, Workspace, WorkspaceRepo};
use crate::error::{EngineError, Result};
use crate::names::told_apart;
use crate::registry::Registered;
use crate::workspaces::{ALL, ByName, check_name};

impl Engine {
    /// Returns the repositories that selectors mean: ids, names, paths, `all` and workspaces. What is
    /// named and not there is told, as long as something is.
    ///
    /// A working tree of a repository that another already represents is left out: they share most of
    /// their files. The main one stands, else the first by name.
    ///
    /// # Errors
    /// The first selector's, where none means anything; `registry-damaged`, `io`.
    pub fn scope(&self, selectors: &[String]) -> Result<RepoScope> {
        let (mut ids, mut missing, mut first_error) = (Vec::new(), Vec::new(), None);
        let known = self.known()?;
        for selector in selectors {
            match self.selected(&known, selector) {
                Ok((found, lost)) => {
                    ids.extend(found);
                    missing.extend(lost);
                }
                Err(error) if error.code == "unknown-repository" || selectors.len() == 1 => {
                    missing.push(MissingRepo {
                        name: selector.clone(),
                        why: "no repository or workspace of that name".to_owned(),
                    });
                    first_error.get_or_insert(error);
                }
                Err(error) => {
                    missing.push(MissingRepo {
                        name: selector.clone(),
                        why: error.message.clone(),
                    });
                    first_error.get_or_insert(error);
                }
            }
        }
        if ids.is_empty() {
            return Err(first_error.unwrap_or_else(nothing_registered));
        }
        let named = self.named_repos(&ids)?;
        let (named, gone): (Vec<_>, Vec<_>) =
            named.into_iter().partition(|(_, repo)| repo.root.exists());
        missing.extend(gone.into_iter().map(|(name, _)| MissingRepo {
            name,
            why: "its folder is gone".to_owned(),
        }));
        let (repos, twins) = one_a_store(named);
        missing.extend(twins);
        Ok(RepoScope { repos, missing })
    }

    /// Returns the workspaces, and then all repositories, that can be asked as one: two or more of
    /// each have an index.
    ///
    /// # Errors
    /// `registry-damaged`, `io`.
    pub fn scope_choices(&self, asking: &RepoId) -> Result<Vec<ScopeChoice>> {
        let known = self.known()?;
        if known.named.is_empty() {
            return Ok(Vec::new());
        }
        let default = self.default_workspace(asking)?;
        let names = known.workspaces.keys().cloned().chain([ALL.to_owned()]);
        let mut choices = Vec::new();
        for name in names {
            // A workspace of which nothing is left is no choice.
            let Ok(mut scope) = self.scope(std::slice::from_ref(&name)) else {
                continue;
            };
            let mut indexed = self.are_indexed(&scope.ids())?.into_iter();
            scope.repos.retain(|_| indexed.next() == Some(true));
            if scope.repos.len() > 1 {
                choices.push(ScopeChoice {
                    is_default: default.as_ref() == Some(&name),
                    id: RepoId::joined(&scope.ids()),
                    repos: scope.repos,
                    name,
                });
            }
        }
        Ok(choices)
    }

    /// Says of each repository whether it has an index, or one in the making.
    ///
    /// # Errors
    /// `registry-damaged`, `io`.
    pub fn are_indexed(&self, repos: &[RepoId]) -> Result<Vec<bool>> {
        let is_indexed = |(_, repo): &(String, Registered)| {
            self.state.store(repo).exists() || self.state.jobs.running(&repo.id).is_some()
        };
        let named = self.named_repos(repos)?;
        let indexed = named.iter().filter(|repo| is_indexed(repo));
        let indexed: Vec<&RepoId> = indexed.map(|(_, repo)| &repo.id).collect();
        Ok(repos.iter().map(|id| indexed.contains(&id)).collect())
    }

    /// Says whether a selector means more than one repository may: `all`, or a workspace that bears no
    /// repository's name.
    ///
    /// # Errors
    /// `registry-damaged`, `io`.
    pub fn is_several(&self, selector: &str) -> Result<bool> {
        Ok(self.known()?.is_several(selector))
    }

    /// Returns those of some selectors that name nothing registered: paths, and names of nothing.
    ///
    /// # Errors
    /// `registry-damaged`, `io`.
    pub fn unknown_selectors(&self, selectors: &[String]) -> Result<Vec<String>> {
        let known = self.known()?;
        let is_unknown = |one: &&String| !known.is_several(one) && known.by_name(one).is_none();
        Ok(selectors.iter().filter(is_unknown).cloned().collect())
    }

    fn known(&self) -> Result<RegisteredNames> {
        Ok(RegisteredNames {
            named: told_apart(self.state.registry.all()?),
            workspaces: self.state.workspaces.all()?,
        })
    }

    /// The ids that a selector means, and what of a workspace is gone.
    fn selected(
        &self,
        known: &RegisteredNames,
        selector: &str,
    ) -> Result<(Vec<RepoId>, Vec<MissingRepo>)> {
        if !known.is_several(selector) {
            let id = match known.by_name(selector) {
                Some(repo) => repo.id.clone(),
                None if self.is_open(selector) => selector.into(),
                None => self.name_repo(selector)?.id,
            };
            return Ok((vec![id], Vec::new()));
        }
        let registered = || known.named.iter().map(|(_, repo)| repo.id.clone());
        let Some(ids) = known.workspaces.get(selector) else {
            return Ok((registered().collect(), Vec::new()));
        };
        let (found, lost): (Vec<RepoId>, Vec<RepoId>) = ids
            .iter()
            .cloned()
            .partition(|id| registered().any(|known| known == *id));
        let lost = lost.into_iter().map(|id| MissingRepo {
            name: id.to_string(),
            why: format!("of workspace {selector}, no longer registered"),
        });
        Ok((found, lost.collect()))
    }

    /// Lists the workspaces by name.
    ///
    /// # Errors
    /// `registry-damaged`, `io`.
    pub fn workspaces(&self) -> Result<Vec<Workspace>> {
        let named = told_apart(self.state.registry.all()?);
        let repo_of = |id: RepoId| {
            let known = named.iter().find(|(_, repo)| repo.id == id);
            WorkspaceRepo {
                name: known.map_or_else(|| id.to_string(), |(name, _)| name.clone()),
                root: known.map_or_else(String::new, |(_, repo)| repo.root.display().to_string()),
                id,
            }
        };
        let all = self.state.workspaces.all()?.into_iter();
        let all = all.map(|(name, ids)| {
            let mut repos: Vec<WorkspaceRepo> = ids.into_iter().map(repo_of).collect();
            repos.sort_by(|a, b| a.name.cmp(&b.name));
            Workspace { name, repos }
        });
        Ok(all.collect())
    }

    /// Sets a workspace to the repositories that selectors mean, in place of one of that name.
    ///
    /// # Errors
    /// `bad-argument` for a name that a repository has or that is none; those of finding the
    /// repositories: all of them have to be there.
    pub fn set_workspace(&self, name: &str, selectors: &[String]) -> Result<Workspace> {
        check_name(name)?;
        let mut ids = Vec::new();
        for selector in selectors {
            ids.extend(self.selected(&self.known()?, selector)?.0);
        }
        if self.known()?.is_repository(name) {
            return Err(EngineError::bad_argument(
                format!("`{name}` is a repository"),
                "choose another name for the workspace",
            ));
        }
        if ids.is_empty() {
            return Err(EngineError::bad_argument(
                "a workspace needs a repository",
                "name one or more, by name or path",
            ));
        }
        self.state.workspaces.set(name, ids)?;
        let mut all = self.workspaces()?;
        all.retain(|workspace| workspace.name == name);
        all.pop().ok_or_else(|| unknown_workspace(name))
    }

    /// Returns the workspace that questions from within a repository are asked of when they name none.
    ///
    /// # Errors
    /// `registry-damaged`, `io`.
    pub fn default_workspace(&self, repo: &RepoId) -> Result<Option<String>> {
        self.state.workspaces.default_of(repo)
    }

    /// Sets that workspace; `None` for the repository alone.
    ///
    /// # Errors
    /// `unknown-workspace`, `registry-damaged`, `io`.
    pub fn set_default_workspace(&self, repo: &RepoId, name: Option<&str>) -> Result<()> {
        if let Some(name) = name
            && !self.state.workspaces.all()?.contains_key(name)
        {
            return Err(unknown_workspace(name));
        }
        self.state.workspaces.set_default(repo, name)
    }

    /// Removes a workspace; its repositories stay.
    ///
    /// # Errors
    /// `unknown-workspace`, `registry-damaged`, `io`.
    pub fn remove_workspace(&self, name: &str) -> Result<()> {
        if self.state.workspaces.remove(name)? {
            Ok(())
        } else {
            Err(unknown_workspace(name))
        }
    }
}

/// What is registered and saved.
struct RegisteredNames {
    named: Vec<(String, Registered)>,
    workspaces: ByName,
}

impl RegisteredNames {
    fn is_repository(&self, name: &str) -> bool {
        let mut repos = self.named.iter();
        repos.any(|(_, repo)| repo.id == name || repo.name == name)
    }

    fn is_several(&self, selector: &str) -> bool {
        let is_saved = selector == ALL || self.workspaces.contains_key(selector);
        is_saved && !self.is_repository(selector)
    }

    /// The repository of an id, or of a name that tells it apart.
    fn by_name(&self, selector: &str) -> Option<&Registered> {
        let is_meant =
            |(name, repo): &&(String, Registered)| name == selector || repo.id == selector;
        self.named.iter().find(is_meant).map(|(_, repo)| repo)
    }
}

fn unknown_workspace(name: &str) -> EngineError {
    let message = format!("no workspace `{name}`");
    EngineError::new("unknown-workspace", message, "see `whyrank workspace list`")
}

fn nothing_registered() -> EngineError {
    EngineError::new(
        "unknown-repository",
        "no repository is registered",
        "register one: `whyrank repos add PATH`",
    )
}

/// Keeps one working tree of each store: the main one, else the first by name.
fn one_a_store(named: Vec<(String, Registered)>) -> (Vec<RepoName>, Vec<MissingRepo>) {
    let is_main = |repo: &Registered| repo.common_dir.parent() == Some(repo.root.as_path());
    let stands_for = |repo: &Registered| {
        let mut trees = named
            .iter()
            .filter(|(_, other)| other.store_key() == repo.store_key());
        let first = trees.clone().next();
        trees.find(|(_, other)| is_main(other)).or(first)
    };
    let (mut repos, mut twins) = (Vec::new(), Vec::new());
    for (name, repo) in &named {
        match stands_for(repo) {
            Some((other, standing)) if standing.id != repo.id => twins.push(MissingRepo {
                name: name.clone(),
                why: format!("a working tree of {other}, which is asked"),
            }),
            _ => repos.push(RepoName {
                id: repo.id.clone(),
                name: name.clone(),
            }),
        }
    }
    (repos, twins)
}
