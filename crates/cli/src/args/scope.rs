//! Several repositories at once, and the names that are saved for them.

use clap::{Args, Subcommand};

/// The repositories that a question is asked of.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ScopeArg {
    /// Repository: a path, name or id; repeat it for several, or `all` [default: the one you are in]
    #[arg(long, value_name = "REPO")]
    pub(crate) repo: Vec<String>,
    /// The repositories of a workspace (see whyrank workspace)
    #[arg(long, value_name = "NAME")]
    pub(crate) workspace: Option<String>,
}

impl ScopeArg {
    /// Returns what was named, in order.
    pub(crate) fn selectors(&self) -> Vec<String> {
        self.repo.iter().chain(&self.workspace).cloned().collect()
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank workspace set shop ~/src/api ~/src/web   a name for two repositories
  whyrank search \"retry on timeout\" --workspace shop
  whyrank workspace default shop                   asked from here, where nothing else is named
  whyrank workspace list
  whyrank workspace remove shop                    the repositories stay

A workspace is also what the argument `repo` of a tool takes.")]
pub(crate) struct WorkspaceArgs {
    #[command(subcommand)]
    pub(crate) action: Option<WorkspaceAction>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceAction {
    /// List workspaces with their repositories
    List,
    /// Save repositories under a name, in place of what it was
    Set {
        /// The workspace's name
        name: String,
        /// Repositories: paths, names or ids
        #[arg(required = true)]
        repos: Vec<String>,
    },
    /// Ask a workspace whenever a question from within a repository names none
    Default {
        /// The workspace's name
        #[arg(required_unless_present = "none")]
        name: Option<String>,
        /// The repository: a path, name or id [default: the one you are in]
        #[arg(long, value_name = "REPO")]
        repo: Option<String>,
        /// Ask the repository alone again
        #[arg(long, conflicts_with = "name")]
        none: bool,
    },
    /// Show which registered repositories import each other
    Propose,
    /// Forget a workspace; its repositories stay
    Remove {
        /// The workspace's name
        name: String,
    },
}
