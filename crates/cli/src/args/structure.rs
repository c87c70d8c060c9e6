//! The arguments of the commands about the shape of a code base.

use clap::Args;

use super::RepoArg;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank overview
  whyrank overview src --depth 3")]
pub(crate) struct OverviewArgs {
    /// A folder of the repository
    pub(crate) path: Option<String>,
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// Depth of the folders shown
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: u32,
    /// In a commit instead of the working tree
    #[arg(long, value_name = "COMMIT")]
    pub(crate) as_of: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank audit
  whyrank audit src --kinds cycle,layering
  whyrank audit --json | jq -r '.findings[] | [.kind, .severity, .path, .reason] | @tsv'

Outliers are judged by the repository itself: the median, and fences around it.")]
pub(crate) struct AuditArgs {
    /// A folder or a file of the repository
    pub(crate) path: Option<String>,
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// Only these: cycle, layering, god-file, hub, orphan
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) kinds: Vec<String>,
    /// In a commit instead of the working tree
    #[arg(long, value_name = "COMMIT")]
    pub(crate) as_of: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank clusters
  whyrank clusters --min-size 10 --json | jq -r '.clusters[] | .label | join(\" \")'

Members are files, or definitions in a code base of few files.")]
pub(crate) struct ClustersArgs {
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// Minimum number of members of a cluster
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) min_size: u32,
    /// In a commit instead of the working tree
    #[arg(long, value_name = "COMMIT")]
    pub(crate) as_of: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank concepts \"request routing\"
  whyrank concepts cache -n 2")]
pub(crate) struct ConceptsArgs {
    /// A few words
    pub(crate) query: String,
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// Maximum number of topics
    #[arg(long, short = 'n', default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,
    /// In a commit instead of the working tree
    #[arg(long, value_name = "COMMIT")]
    pub(crate) as_of: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank export-context > context.md
  whyrank export-context src/router --budget 2000")]
pub(crate) struct ExportContextArgs {
    /// A folder or a file of the repository
    pub(crate) path: Option<String>,
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// Token budget, 80 to 20000
    #[arg(long, default_value_t = 8000, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(80..=20_000))]
    pub(crate) budget: u32,
    /// In a commit instead of the working tree
    #[arg(long, value_name = "COMMIT")]
    pub(crate) as_of: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank test-map                     what changed since the last commit
  whyrank test-map main                what changed since this branch left main
  whyrank test-map --path src/router   everything there
  whyrank test-map --symbol Router.use tests of one definition
  whyrank test-map main --json | jq -r '.symbols[] | select(.tests == []) | .symbol.qualified'")]
pub(crate) struct TestMapArgs {
    /// A branch, tag or commit [default: HEAD, or none with --path]
    #[arg(value_name = "REF")]
    pub(crate) reference: Option<String>,
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// A folder or a file of the repository
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
    /// Only this definition
    #[arg(long, value_name = "NAME", conflicts_with = "reference")]
    pub(crate) symbol: Option<String>,
    /// Maximum number of steps from a test
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: u32,
    /// In a commit instead of the working tree
    #[arg(long, value_name = "COMMIT")]
    pub(crate) as_of: Option<String>,
}
