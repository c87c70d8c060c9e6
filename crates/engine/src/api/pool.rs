//! Several repositories in one question: which they are, and those that cannot answer.

use super::{RepoId, RepoName};
use serde::{Deserialize, Serialize};
use specta::Type;

/// The repositories that a question is asked of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepoScope {
    /// Each once, in the order of their names. Names are told apart: of two `api` each is
    /// `api@parent-folder`.
    pub repos: Vec<RepoName>,
    /// Those that were named and cannot be asked.
    pub missing: Vec<MissingRepo>,
}

impl RepoScope {
    /// Returns the ids, in order.
    pub fn ids(&self) -> Vec<RepoId> {
        self.repos.iter().map(|repo| repo.id.clone()).collect()
    }

    /// Returns the id that joins them.
    pub fn joined(&self) -> RepoId {
        RepoId::joined(&self.ids())
    }
}

/// Several repositories that can be asked as one: a workspace, or all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ScopeChoice {
    /// The workspace's name, or `all`.
    pub name: String,
    /// Joins the ids of its repositories: graph, files and exact search take it as that of one.
    pub id: RepoId,
    /// Its repositories that have an index, by name.
    pub repos: Vec<RepoName>,
    /// The asking repository is asked as part of it unless another choice is made.
    pub is_default: bool,
}

/// A repository that is not part of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct MissingRepo {
    /// Its name, or what was given for one.
    pub name: String,
    /// Why, in words.
    pub why: String,
}

/// A name for repositories that are asked together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Workspace {
    /// Its name.
    pub name: String,
    /// Its repositories, by name.
    pub repos: Vec<WorkspaceRepo>,
}

/// A repository of a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct WorkspaceRepo {
    /// Its id.
    pub id: RepoId,
    /// Its name; the id where it is no longer registered.
    pub name: String,
    /// The folder of its working tree; empty where it is no longer registered.
    pub root: String,
}

/// Repositories of which one imports another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ProposedWorkspace {
    /// The repositories, by name.
    pub repos: Vec<WorkspaceRepo>,
    /// What ties them together.
    pub imports: Vec<RepoImport>,
}

/// What one repository imports of another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RepoImport {
    /// Who imports.
    pub importer: String,
    /// What is imported.
    pub provider: String,
    /// By which names.
    pub modules: Vec<String>,
    /// Files that have the most common of these imports.
    pub n_files: u32,
}
