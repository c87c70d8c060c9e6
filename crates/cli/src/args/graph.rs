//! `whyrank graph`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use whyrank_engine::api::{GraphDirection, GraphEdgeKind, GraphFormat};

use super::repo::RepoArg;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank graph Router.use                           who uses it and what it uses
  whyrank graph Router --direction impact --radius 3   what may break when it changes
  whyrank graph src/app.py                           a file among files
  whyrank graph main --to Router.handle              the shortest paths between two
  whyrank graph Router --kinds call,inherit,co-change
  whyrank graph Router --format svg --output router.svg
  whyrank graph Router --format dot | dot -Tpdf > router.pdf

A ring around a node is its risk: how central it is, what depends on it, and whether tests reach it.")]
pub(crate) struct GraphArgs {
    /// A name, bare or qualified, or the path of a file
    #[arg(value_name = "SYMBOL")]
    pub(crate) focus: String,
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// File of the definition, if several share the name
    #[arg(long, value_name = "FILE")]
    pub(crate) path: Option<String>,
    /// Line of the definition
    #[arg(long, value_name = "N", requires = "path")]
    pub(crate) line: Option<u32>,
    /// Show the shortest paths to this symbol or file instead
    #[arg(long, value_name = "OTHER")]
    pub(crate) to: Option<String>,
    /// Steps from the symbol, 1 to 3
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=3))]
    pub(crate) radius: u32,
    /// Direction of the edges to follow
    #[arg(long, value_enum, default_value = "both")]
    pub(crate) direction: DirectionArg,
    /// Only these edges [default: all but co-change]
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    pub(crate) kinds: Vec<EdgeArg>,
    /// Nodes shown individually, at most 500; the rest is grouped in clusters
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=500))]
    pub(crate) max_nodes: u32,
    /// Open a cluster, by the id that --json shows (repeatable)
    #[arg(long, value_name = "ID")]
    pub(crate) expand: Vec<String>,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: FormatArg,
    /// Write to a file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// In a commit instead of the working tree
    #[arg(long, value_name = "COMMIT")]
    pub(crate) as_of: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum DirectionArg {
    Both,
    Callers,
    Callees,
    Impact,
}

impl From<DirectionArg> for GraphDirection {
    fn from(direction: DirectionArg) -> Self {
        match direction {
            DirectionArg::Both => Self::Both,
            DirectionArg::Callers => Self::Callers,
            DirectionArg::Callees => Self::Callees,
            DirectionArg::Impact => Self::Impact,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum EdgeArg {
    Call,
    Import,
    Inherit,
    Type,
    Reference,
    Test,
    CoChange,
}

impl From<EdgeArg> for GraphEdgeKind {
    fn from(kind: EdgeArg) -> Self {
        match kind {
            EdgeArg::Call => Self::Call,
            EdgeArg::Import => Self::Import,
            EdgeArg::Inherit => Self::Inherit,
            EdgeArg::Type => Self::Type,
            EdgeArg::Reference => Self::Reference,
            EdgeArg::Test => Self::Test,
            EdgeArg::CoChange => Self::CoChange,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    Text,
    Json,
    Dot,
    Svg,
}

impl FormatArg {
    /// The engine's format; none for text, which is the command's own.
    pub(crate) fn exported(self) -> Option<GraphFormat> {
        match self {
            Self::Text => None,
            Self::Json => Some(GraphFormat::Json),
            Self::Dot => Some(GraphFormat::Dot),
            Self::Svg => Some(GraphFormat::Svg),
        }
    }
}
