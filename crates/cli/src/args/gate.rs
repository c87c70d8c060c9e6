//! Arguments of `whyrank bench gate`.

use std::path::PathBuf;

use clap::Args;

use super::BenchCommon;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank bench gate --suite tasks.jsonl --repos checkouts
  whyrank bench gate --suite tasks.jsonl --metric 'span mrr@10' --apply
  whyrank bench gate --revert

Each search task is asked with late interaction always and never. A logistic model says from what the
gate looks at whether the stage improves the answer; each repository is judged by a model fitted to
the others. It is applied only if it beats the rules outside noise.")]
pub(crate) struct BenchGateArgs {
    /// Task file or folder with search tasks (repeatable)
    #[arg(long, value_name = "SUITE")]
    pub(crate) suite: Vec<String>,
    /// What a gain is measured in: ndcg@10, mrr@10, span mrr@10, span recall@10 [default: the headline
    /// of each kind of task]
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Option<String>,
    /// Write the coefficients here, as part of a settings file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Put the gate into the settings, if it beats the rules on repositories that were held out
    #[arg(long)]
    pub(crate) apply: bool,
    /// Take a learned gate out of the settings, and nothing else
    #[arg(long, conflicts_with_all = ["suite", "apply", "out", "metric"])]
    pub(crate) revert: bool,
    #[command(flatten)]
    pub(crate) common: BenchCommon,
}
