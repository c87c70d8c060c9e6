//! The repository that a command is about.

use clap::Args;

#[derive(Clone, Debug, Args)]
pub(crate) struct RepoArg {
    /// Repository: a path, name or id [default: the one you are in]
    #[arg(long, value_name = "REPO")]
    pub(crate) repo: Option<String>,
}

/// A repository by its place alone, or as everywhere else by `--repo`.
#[derive(Debug, Args)]
pub(crate) struct WhereArgs {
    /// A folder in the repository
    #[arg(value_name = "PATH", conflicts_with = "repo")]
    pub(super) path: Option<String>,
    #[command(flatten)]
    pub(super) repo: RepoArg,
}

impl WhereArgs {
    /// The repository that is meant; `None` for the one that the command runs in.
    pub(crate) fn selector(&self) -> Option<&str> {
        self.path.as_deref().or(self.repo.repo.as_deref())
    }
}
