//! The arguments, and the help that teaches them.

mod repo;
pub(crate) use repo::{RepoArg, WhereArgs};

mod agents;
mod bench;
mod doctor;
mod export;
mod graph;
mod hook;
mod lsp;
mod memo;
mod precise;
mod reports;
mod rg;
mod scope;
mod tools;

use std::path::PathBuf;
use std::sync::LazyLock;
use whyrank_engine::api::QueryId;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use agents::{
    AgentsAddArgs, AgentsArgs, AgentsCommand, AgentsListArgs, AgentsLogArgs, AgentsPluginArgs,
    AgentsTargetArgs,
};
pub(crate) use bench::{BenchAction, BenchArgs, BenchCommon, BenchOwnArgs, BenchRunArgs, EvalArgs};
pub(crate) use doctor::DoctorArgs;
pub(crate) use export::{ExportArgs, TableArg};
pub(crate) use graph::{FormatArg, GraphArgs};
pub(crate) use hook::HookArgs;
pub(crate) use lsp::LspArgs;
pub(crate) use memo::{
    AddArgs, AnchorArgs, AsOfArgs, EditArgs, ListArgs, MemoAction, MemoCommandArgs, MomentArgs,
    RecallArgs as MemoRecallArgs, ShowArgs, SupersedeArgs,
};
pub(crate) use precise::PreciseArgs;
pub(crate) use reports::{ReportsAction, ReportsArgs};
pub(crate) use rg::RgArgs;
pub(crate) use scope::{ScopeArg, WorkspaceAction, WorkspaceArgs};
pub(crate) use tools::ToolCommand;

const OVERVIEW: &str = "\
Start here:
  whyrank index                            index the repository you are in
  whyrank search \"where are retries done\"  ask it
  whyrank explain --last                   see why each hit ranks where it does
  whyrank agents add --all                 set up the coding agents on this machine

Exit codes:
  0 done   1 nothing found   2 wrong usage   3 no usable index   4 index is stale
  5 model missing or damaged   6 failed otherwise   130 interrupted

Data is stored in the platform's data folder, or below WHYRANK_HOME if it is set.
WHYRANK_LOG=debug shows what happens.";

/// With what a report of a fault has to say; packaging sets the commit.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{}\ncommit: {}\nprofile: {}\nsystem: {} {}",
        env!("CARGO_PKG_VERSION"),
        option_env!("WHYRANK_COMMIT").unwrap_or("unknown (built from a checkout)"),
        if cfg!(debug_assertions) {
            "debug"
        } else {
            "release"
        },
        std::env::consts::OS,
        std::env::consts::ARCH,
    )
});

/// Searches code in local repositories, and shows why each result ranks where it does.
#[derive(Debug, Parser)]
#[command(name = "whyrank", version, long_version = &**LONG_VERSION, after_help = OVERVIEW, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

impl Cli {
    /// Reads the arguments of this process. Those of `rg` are ripgrep's: they are taken as they are.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let mut args = std::env::args_os().skip(1);
        if args.next().is_none_or(|command| command != "rg") {
            return Self::try_parse();
        }
        let args = args.collect();
        Ok(Self {
            command: Command::Rg(RgArgs { args }),
            json: false,
        })
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Index a repository, or bring its index up to date
    Index(IndexArgs),
    /// Search a repository
    Search(SearchArgs),
    /// Search text as ripgrep does, with its flags
    Rg(RgArgs),
    /// Show how a search ranked its results
    Explain(ExplainArgs),
    #[command(flatten)]
    Table(ToolCommand),
    /// Show what lies around a symbol or a file: list, picture, Graphviz or JSON
    Graph(GraphArgs),
    /// Record, recall and edit memos pinned to commits
    Memo(MemoCommandArgs),
    /// Show a repository's index: coverage, freshness, files left out
    Status(WhereArgs),
    /// List, add or remove repositories
    Repos(ReposArgs),
    /// Name repositories that are asked together
    Workspace(WorkspaceArgs),
    /// List, fetch or check embedding models
    Models(ModelsArgs),
    /// Set up coding agents, and show what they asked
    Agents(AgentsArgs),
    /// Serve coding agents over MCP on standard input and output, or over HTTP
    Mcp(McpArgs),
    /// Serve an editor over the Language Server Protocol on standard input and output
    Lsp(LspArgs),
    /// Answer a hook of a coding agent on standard input
    Hook(HookArgs),
    /// Call a tool of the MCP server and print what an agent would get
    Tool(ToolArgs),
    /// Measure retrieval: run tasks, compare runs, write reports
    Bench(BenchArgs),
    /// Measure symbol search with tasks in CKB's format
    Eval(EvalArgs),
    /// Resolve names precisely with compilers' SCIP indexers
    Precise(PreciseArgs),
    /// Say which coverage reports, profiles, traces and SCIP indexes answers read
    Reports(ReportsArgs),
    /// Print a table of the index, memory, searches or runs for other programs
    Export(ExportArgs),
    /// Check the installation and the index
    Doctor(DoctorArgs),
    /// Print a shell's completions
    Completions(CompletionsArgs),
    /// Write manual pages into a folder
    #[command(hide = true)]
    Man(ManArgs),
    /// Index a folder, search it once and explain the answer
    Demo(DemoArgs),
}

impl Command {
    /// Whether it runs a server.
    pub(crate) fn serves(&self) -> bool {
        matches!(self, Self::Mcp(_) | Self::Lsp(_))
    }
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank index                  the repository you are in
  whyrank index ~/src/express    another one
  whyrank index --no-vectors     static vectors alone, none of a model: a few seconds
  whyrank index --rebuild        from scratch, while the old index keeps answering
  whyrank index --watch          and update on saves and checkouts
  whyrank index --scip out.scip  with a compiler's index

Ctrl-C stops it cleanly: the last index keeps answering, and the next run continues from there.")]
pub(crate) struct IndexArgs {
    /// A folder in the repository
    #[arg(default_value = ".", value_name = "PATH")]
    pub(crate) path: PathBuf,
    /// Build from scratch instead of updating
    #[arg(long)]
    pub(crate) rebuild: bool,
    /// Skip the vectors of a model; static ones are made with the text
    #[arg(long)]
    pub(crate) no_vectors: bool,
    /// Fail after ten seconds if another process is indexing, instead of waiting for it
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Keep running and update on saves and checkouts
    #[arg(long)]
    pub(crate) watch: bool,
    /// Index a commit too, so that answers as of it have vectors
    #[arg(long, value_name = "REV", conflicts_with = "watch")]
    pub(crate) as_of: Option<String>,
    /// Use this SCIP index from now on; `none` for none
    #[arg(long, value_name = "FILE")]
    pub(crate) scip: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank search \"how are retries done\"
  whyrank search Router.use --path src --no-tests
  whyrank search \"cannot open file\" --lang rust --limit 3
  whyrank search parse --as-of v1.2.0
  whyrank search --exact 'retry(' --path src         every line that holds it, not ranked
  whyrank search --regex 'fn \\w+_route\\('
  whyrank search \"where are retries done\" --rerank   a language model reorders the best hits
  whyrank search parse --tune=-vector,graph=2        without vectors, the graph twice
  whyrank search --file issue.md                     which code an issue is about
  gh issue view 42 --json title,body -q '.title + \"\\n\\n\" + .body' | whyrank search -
  whyrank search parse --json | jq -r '.hits[].path'

In a terminal, a repository of up to 1,000 files without an index is indexed first, and a stale index
is updated. Otherwise a repository without an index answers by text alone, with exit code 3, and a
stale one with a note.")]
pub(crate) struct SearchArgs {
    /// A question, an identifier, a path, an error message or an issue; - reads standard input
    #[arg(required_unless_present = "file")]
    pub(crate) query: Option<String>,
    /// Search for the text of a file, such as an issue; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "query")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) scope: ScopeArg,
    /// Every line that holds the text, not ranked
    #[arg(long, conflicts_with_all = ["regex", "rerank", "file"])]
    pub(crate) exact: bool,
    /// Every line that matches the regular expression, not ranked
    #[arg(long, conflicts_with_all = ["rerank", "file"])]
    pub(crate) regex: bool,
    /// With --exact and --regex: case counts, also without a capital letter in the pattern
    #[arg(long)]
    pub(crate) match_case: bool,
    /// Maximum number of hits, or of lines [default: 10 hits, 1000 lines]
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) limit: Option<u32>,
    /// Only these paths: a folder or a glob; a leading ! excludes (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) path: Vec<String>,
    /// Only these languages (repeatable)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) lang: Vec<String>,
    /// Only these kinds: function, class, doc, … (repeatable)
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) kind: Vec<String>,
    /// Exclude tests
    #[arg(long)]
    pub(crate) no_tests: bool,
    /// The last word may be the beginning of one, unless it is a word itself
    #[arg(long, conflicts_with_all = ["exact", "regex"])]
    pub(crate) prefix: bool,
    /// Search a commit instead of the working tree
    #[arg(long, value_name = "COMMIT")]
    pub(crate) as_of: Option<String>,
    /// The file that is open: what it imports and what imports it comes a little earlier
    #[arg(long, value_name = "FILE")]
    pub(crate) current_file: Option<String>,
    /// For this search: -vector, graph=2, -evidence, gate=always (docs/settings.md; repeatable)
    #[arg(
        long,
        value_name = "WORD",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub(crate) tune: Vec<String>,
    /// Wait for the reranker [default: the one in the settings]
    #[arg(
        long,
        value_name = "WHO",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "set"
    )]
    pub(crate) rerank: Option<Reranker>,
}

/// Who reranks the best hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reranker {
    /// As the settings say
    Set,
    /// The endpoint of the settings; code snippets are sent to it
    Http,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank explain --last            the newest answer
  whyrank explain --last --hit 3    why its third hit ranks there
  whyrank explain --last --hit 1 --against 4   why the first is ahead of the fourth
  whyrank explain q1a2b3c4 --json   the whole trace")]
pub(crate) struct ExplainArgs {
    /// The id that the search printed
    #[arg(required_unless_present = "last")]
    pub(crate) query_id: Option<QueryId>,
    /// The latest answer, from any process
    #[arg(long, conflicts_with = "query_id")]
    pub(crate) last: bool,
    /// Only the hit at this rank
    #[arg(long, value_name = "RANK")]
    pub(crate) hit: Option<u32>,
    /// Say why it ranks above or below the hit at this rank [default of --hit: 1]
    #[arg(long, value_name = "RANK")]
    pub(crate) against: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct ReposArgs {
    #[command(subcommand)]
    pub(crate) action: Option<ReposAction>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReposAction {
    /// List repositories and their state
    List,
    /// Register a repository without indexing it
    Add {
        /// A folder in the repository
        path: PathBuf,
    },
    /// Unregister a repository
    Remove {
        /// A path, name or id
        repo: String,
        /// Also delete its index, unless another working tree uses it
        #[arg(long)]
        delete_index: bool,
    },
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank models                 what is installed and what is in use
  whyrank models pull            fetch the model in use, from the network
  whyrank models import lateon-code-edge ~/lateon
                                 import a model from a folder
  whyrank models verify          hash its files again
  whyrank models path            print where it is")]
pub(crate) struct ModelsArgs {
    #[command(subcommand)]
    pub(crate) action: Option<ModelsAction>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// List models
    List,
    /// Fetch a model
    Pull {
        /// Name [default: the model in use]
        name: Option<String>,
    },
    /// Import a model from a folder
    ///
    /// Pinned files are checked. Hashes that this build does not know are recorded, and checked from
    /// then on.
    Import {
        /// Its name in the list
        name: String,
        /// The folder, with the files under their original names
        folder: PathBuf,
    },
    /// Hash a model's files again
    Verify {
        /// Name [default: the model in use]
        name: Option<String>,
    },
    /// Print the folder of a model
    Path {
        /// Name [default: the model in use]
        name: Option<String>,
    },
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank mcp --repo ~/src/express
  claude mcp add whyrank -- whyrank mcp
  whyrank mcp --http             on 127.0.0.1, with a token; also /mcp/core and /mcp/full

The server answers within its first second; indexing continues in the background.")]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// Which tools to offer: core (6), standard or full
    #[arg(long, default_value = "standard", value_parser = ["core", "standard", "full"])]
    pub(crate) profile: String,
    /// Serve over HTTP on this machine, with a bearer token; the address names the profile
    #[arg(long, conflicts_with = "profile")]
    pub(crate) http: bool,
    /// Port for --http [default: the first free one from 8717 on]
    #[arg(long, requires = "http", value_name = "PORT")]
    pub(crate) port: Option<u16>,
    /// With --http: /metrics tells what the last answers took, as OpenMetrics
    #[arg(long, requires = "http")]
    pub(crate) metrics: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank tool search '{\"query\": \"retries\"}' --repo ~/src/express
  whyrank tool --batch calls.jsonl > answers.jsonl

A batch has one call a line: {\"id\", \"tool\", \"args\", \"repo\"}. Repositories are indexed first, once
each, with a model's vectors only for tools that search. Every answer is one line: {\"id\", \"results\", \"text\", \"tokens\", \"ms\"}, with an error where
there is none; \"dead\" where dead_code was asked about a symbol.")]
pub(crate) struct ToolArgs {
    /// The tool
    #[arg(required_unless_present = "batch")]
    pub(crate) name: Option<String>,
    /// Its arguments as a JSON object
    #[arg(value_name = "JSON", conflicts_with = "batch")]
    pub(crate) arguments: Option<String>,
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// Read calls from a file; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "name")]
    pub(crate) batch: Option<PathBuf>,
    /// Skip the vectors of a model; static ones are made with the text
    #[arg(long)]
    pub(crate) no_vectors: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank completions bash > ~/.local/share/bash-completion/completions/whyrank
  whyrank completions fish > ~/.config/fish/completions/whyrank.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank demo ~/src/express
  whyrank demo . --query \"where are routes matched\"")]
pub(crate) struct DemoArgs {
    /// A folder in a repository
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,
    /// What to search [default: the most used name]
    #[arg(long)]
    pub(crate) query: Option<String>,
    /// Skip the vectors of a model; static ones are made with the text
    #[arg(long)]
    pub(crate) no_vectors: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_hold_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_tool_takes_its_arguments_before_or_after_flags() {
        for args in [
            ["whyrank", "tool", "search", "--repo", "r", "{}", "--json"],
            ["whyrank", "--json", "tool", "--repo", "r", "search", "{}"],
        ] {
            let cli = Cli::try_parse_from(args).unwrap();
            let Command::Tool(tool) = cli.command else {
                unreachable!()
            };
            assert!(cli.json);
            assert_eq!(tool.name.as_deref(), Some("search"));
            assert_eq!(tool.arguments.as_deref(), Some("{}"));
        }
    }

    #[test]
    fn explain_needs_an_id_or_last() {
        assert!(Cli::try_parse_from(["whyrank", "explain"]).is_err());
        assert!(Cli::try_parse_from(["whyrank", "explain", "q1", "--last"]).is_err());
        assert!(Cli::try_parse_from(["whyrank", "explain", "--last"]).is_ok());
    }

    #[test]
    fn a_batch_needs_no_tool() {
        assert!(Cli::try_parse_from(["whyrank", "tool", "--batch", "-"]).is_ok());
        assert!(Cli::try_parse_from(["whyrank", "tool"]).is_err());
    }
}
