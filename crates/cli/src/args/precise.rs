//! The arguments of `whyrank precise`.

use clap::Args;

use super::repo::WhereArgs;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank precise                        show what would run, then ask
  whyrank precise --list                 only show it
  whyrank precise --only scip-python     one indexer
  whyrank precise --yes                  in a script: run all that are installed or can be fetched
  whyrank precise --forget               delete the indexes, use text alone again

Indexers may run code of the repository, such as build scripts: the list says which. What they write
is kept in Whyrank's own folder. Files edited since then fall back to the text alone.
Ctrl-C stops a run; answers stay as they were.")]
pub(crate) struct PreciseArgs {
    #[command(flatten)]
    pub(crate) place: WhereArgs,
    /// Show which indexers fit and what they would run, without running them
    #[arg(long, conflicts_with_all = ["yes", "forget"])]
    pub(crate) list: bool,
    /// Run without asking
    #[arg(long, short, conflicts_with = "forget")]
    pub(crate) yes: bool,
    /// Only this indexer (repeatable)
    #[arg(long, value_name = "INDEXER", conflicts_with = "forget")]
    pub(crate) only: Vec<String>,
    /// Delete the indexes that were made
    #[arg(long)]
    pub(crate) forget: bool,
}
