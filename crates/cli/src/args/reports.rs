//! The arguments of `whyrank reports`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::repo::RepoArg;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank reports                            what lies beside the repository, used or not
  whyrank reports use coverage/lcov.info     have answers read this from now on
  whyrank reports use profiles               all of a folder, and what will be written there
  whyrank reports forget coverage/lcov.info

Coverage reports, profiles, traces and SCIP indexes change what `dead-code`, `impact`, `call-path` and
`refs` say. What lies in the usual places may have come with the repository, so none is read before you
name it. One that git tracks has to be named again once another version of it was checked out.")]
pub(crate) struct ReportsArgs {
    #[command(subcommand)]
    pub(crate) action: Option<ReportsAction>,
    #[command(flatten)]
    pub(crate) repo: RepoArg,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReportsAction {
    /// Have answers read reports from now on
    Use {
        /// A report, or a folder of them
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
    /// Have answers read reports no more
    Forget {
        /// A report or folder that was named
        #[arg(required = true)]
        paths: Vec<PathBuf>,
    },
}
