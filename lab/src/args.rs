//! The arguments.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, value_parser};
use whyrank_benchmark::api::RunRequest;

/// Measures and fits Whyrank: for its makers, and no part of a release.
#[derive(Debug, Parser)]
#[command(name = "whyrank-lab", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Switch off one channel or stage at a time
    Ablate(AblateArgs),
    /// Move each weight by 0.2, down and up, and show what that changes
    Sensitivity(SensitivityArgs),
    /// Fit channel weights, cross-validated over repositories
    Fit(FitArgs),
    /// Measure the cost of memory, with generated memos over a generated history
    Memory(MemoryArgs),
    /// Measure what an index costs as repositories grow, on generated trees
    Scale(ScaleArgs),
    /// Check what needs no truth over repositories: contradictions, places without a ruling, lost imports
    Corpus(CorpusArgs),
    /// Rewrite code so that its meaning stays, and show where the answers do not stay
    Rewrites(RewritesArgs),
    /// Serve MCP over HTTP with what the official conformance suite asks a server for
    Conformance(ConformanceArgs),
}

/// What all kinds of runs have in common.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Task file or folder (repeatable)
    #[arg(long, value_name = "SUITE")]
    suite: Vec<String>,
    /// Kinds of tasks: P1, P2, NLDOC, search, … [default: all]
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    category: Vec<String>,
    /// Languages [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    lang: Vec<String>,
    /// Number of tasks for each suite and kind, sampled by the seed [default: all]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    limit: u32,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// Title of the run
    #[arg(long, default_value = "", hide_default_value = true)]
    title: String,
    /// Skip the vectors of a model; static ones are made with the text
    #[arg(long)]
    no_vectors: bool,
    /// Folder with local checkouts, one folder each; SUITE=FOLDER for one suite (repeatable)
    #[arg(long, value_name = "FOLDER")]
    repos: Vec<String>,
}

impl RunArgs {
    pub(crate) fn request(&self) -> RunRequest {
        RunRequest {
            title: self.title.clone(),
            suites: self.suite.clone(),
            categories: self.category.clone(),
            languages: self.lang.clone(),
            limit: self.limit,
            seed: self.seed,
            folders: self.repos.clone(),
            no_vectors: self.no_vectors,
            ..RunRequest::default()
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct AblateArgs {
    /// Only this row of the grid, such as "without vector"; A to E for a two-stage configuration
    /// (repeatable)
    #[arg(long, value_name = "ROW")]
    pub(crate) row: Vec<String>,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SensitivityArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FitArgs {
    /// Write the preset here instead of printing it
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Save the weights in the settings if they improve held-out repositories
    #[arg(long)]
    pub(crate) apply: bool,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank-lab memory /tmp/memory
  WHYRANK_HOME=/tmp/memory/home whyrank memo recall retry --repo /tmp/memory/repo

The folder keeps the generated repository and home, so a second run only measures.")]
pub(crate) struct MemoryArgs {
    /// The folder for repository and memory
    pub(crate) folder: PathBuf,
    /// Memos
    #[arg(long, default_value_t = 10_000)]
    pub(crate) memos: u32,
    /// Commits
    #[arg(long, default_value_t = 5_000)]
    pub(crate) commits: u32,
    /// Questions of each kind
    #[arg(long, default_value_t = 200)]
    pub(crate) looks: u32,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank-lab scale /tmp/scale
  whyrank-lab scale /tmp/scale --files 100000 --commits 1000000
  whyrank-lab scale /tmp/scale --files 400 --ceiling-mb 300   fails where a process takes more

The folder keeps trees and indexes, so a second run makes only the indexes again.")]
pub(crate) struct ScaleArgs {
    /// The folder for trees, indexes and report.html
    pub(crate) folder: PathBuf,
    /// Files of each tree
    #[arg(long, value_delimiter = ',', default_value = "1000,4000,16000", value_parser = value_parser!(u32).range(8..))]
    pub(crate) files: Vec<u32>,
    /// Commits of each tree
    #[arg(long, default_value_t = 100)]
    pub(crate) commits: u32,
    /// Another seed, another tree
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Questions of each kind
    #[arg(long, default_value_t = 100)]
    pub(crate) looks: u32,
    /// Fail where a process takes more memory than this
    #[arg(long)]
    pub(crate) ceiling_mb: Option<f64>,
    /// The whyrank that is measured [default: the one beside whyrank-lab]
    #[arg(long)]
    pub(crate) program: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ConformanceArgs {
    /// The repository that tools answer about
    #[arg(long, default_value = ".")]
    pub(crate) repo: String,
}

#[derive(Debug, Args)]
pub(crate) struct CorpusArgs {
    /// Git repositories, or folders with git repositories in them
    #[arg(required = true, value_name = "FOLDER")]
    pub(crate) folders: Vec<PathBuf>,
    /// Definitions to ask about in each, and dead ones to look up
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) symbols: u32,
    /// Files of each whose imports are looked at
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) files: u32,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u32,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank-lab rewrites --number 10000
  whyrank-lab rewrites --language go --seed 7 --keep /tmp/broken
  whyrank-lab rewrites ../repos/zap --number 500

Without folders it rewrites the packages that come with it.")]
pub(crate) struct RewritesArgs {
    /// Git repositories, or folders with git repositories in them
    #[arg(value_name = "FOLDER")]
    pub(crate) folders: Vec<PathBuf>,
    /// Rewrites in all, shared by the packages or repositories
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub(crate) number: u32,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u32,
    /// Only this language
    #[arg(long, value_name = "NAME")]
    pub(crate) language: Option<String>,
    /// Only rewrites whose name begins so
    #[arg(long, value_name = "NAME")]
    pub(crate) kind: Option<String>,
    /// Write what breaks a check into this folder, as it was and rewritten
    #[arg(long, value_name = "FOLDER")]
    pub(crate) keep: Option<PathBuf>,
    /// Let the compilers of this machine build the packages and this many of their rewrites each
    #[arg(long, value_name = "N")]
    pub(crate) compile: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_hold_together() {
        Cli::command().debug_assert();
    }
}
