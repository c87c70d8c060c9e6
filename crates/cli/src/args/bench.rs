//! The arguments of measuring.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::repo::RepoArg;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank bench run                                   the tasks that come with Whyrank
  whyrank bench run --suite tasks/primitives.jsonl --repos ~/checkouts
  whyrank bench run --subject whyrank --subject mcp:rival.toml
  whyrank bench own --repo ~/src/express              tasks from a repository of yours
  whyrank bench compare 20261121-101500 latest
  whyrank bench report latest --format html > report.html

Repositories are fetched with your own npm, pip, cargo, apt-get or git, at the version that the tasks
pin. Ctrl-C stops a run; its answers so far are kept and marked as partial.")]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    pub(crate) action: BenchAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchAction {
    /// Run every task on every subject
    Run(BenchRunArgs),
    /// Make tasks from a repository and run them, with a random control
    Own(BenchOwnArgs),
    /// Measure the cost of indexing, in CPU seconds
    Index {
        /// Folders of repositories [default: those of the suites]
        path: Vec<PathBuf>,
        /// Task file or folder whose repositories are indexed (repeatable)
        #[arg(long, value_name = "SUITE")]
        suite: Vec<String>,
        /// Folder with local checkouts (repeatable)
        #[arg(long, value_name = "FOLDER")]
        repos: Vec<String>,
    },
    /// List runs
    List,
    /// List suites, or describe a task file
    Suites {
        /// A file or folder of tasks
        path: Option<PathBuf>,
    },
    /// Show two runs side by side
    Compare {
        /// The base run: an id or a prefix of one, latest, or a folder
        base: String,
        /// The run to compare with it
        other: String,
    },
    /// Print a run's report
    Report {
        /// An id or a prefix of one, latest, or a folder
        #[arg(default_value = "latest")]
        run: String,
        /// Output format
        #[arg(long, default_value = "md", value_parser = ["md", "html", "json", "csv"])]
        format: String,
    },
    /// Delete a run
    Delete {
        /// An id or a prefix of one
        run: String,
    },
    /// What the makers alone measure is in whyrank-lab
    #[command(hide = true, aliases = ["fit", "memory", "scale", "sensitivity"])]
    Ablate {
        #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
        ignored: Vec<String>,
    },
}

/// What all kinds of runs have in common.
#[derive(Debug, Args)]
pub(crate) struct BenchCommon {
    /// Kinds of tasks: P1, P2, NLDOC, search, … [default: all]
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) category: Vec<String>,
    /// Languages [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) lang: Vec<String>,
    /// Number of tasks for each suite and kind, sampled by the seed; of `own`, in all [default: all; own: 50]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) limit: u32,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u32,
    /// Title of the run
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) title: String,
    /// Skip the vectors of a model; static ones are made with the text
    #[arg(long)]
    pub(crate) no_vectors: bool,
    /// Folder with local checkouts, one folder each; SUITE=FOLDER for one suite (repeatable)
    #[arg(long, value_name = "FOLDER")]
    pub(crate) repos: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct BenchRunArgs {
    /// Task file or folder, `own` for those that come with Whyrank, or `judged` for the hits that you judged
    /// in the window (repeatable)
    #[arg(long, value_name = "SUITE")]
    pub(crate) suite: Vec<String>,
    /// Who answers: whyrank, whyrank-mentions, whyrank-pooled, naive-grep, smart-grep,
    /// smart-grep-fair, bm25, random, command:NAME=PROGRAM, mcp:FILE (repeatable) [default: whyrank and all baselines]
    #[arg(long, value_name = "SUBJECT")]
    pub(crate) subject: Vec<String>,
    #[command(flatten)]
    pub(crate) common: BenchCommon,
}

#[derive(Debug, Args)]
pub(crate) struct BenchOwnArgs {
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// Who answers (repeatable) [default: whyrank, smart-grep-fair, bm25, random]
    #[arg(long, value_name = "SUBJECT")]
    pub(crate) subject: Vec<String>,
    #[command(flatten)]
    pub(crate) common: BenchCommon,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank eval --verbose                    the built-in tasks, on Whyrank, Scrapy or Caddy
  whyrank eval --fixtures tasks.json --format json

A task is {id, type: needle|ranking|expansion, query, expectedSymbols, scope, kinds, topK}.")]
pub(crate) struct EvalArgs {
    /// Tasks: a JSON list
    #[arg(long, value_name = "FILE")]
    pub(crate) fixtures: Option<PathBuf>,
    /// Output format
    #[arg(long, default_value = "text", value_parser = ["text", "json", "md", "html"])]
    pub(crate) format: String,
    /// A line for each task: what it found and how long that took
    #[arg(long, short)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// Skip the vectors of a model; static ones are made with the text
    #[arg(long)]
    pub(crate) no_vectors: bool,
}
