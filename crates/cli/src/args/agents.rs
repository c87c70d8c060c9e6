//! The arguments of `whyrank agents`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank agents list                        what is on this machine, and its state
  whyrank agents plan cursor                 what would be written: every file, as a diff
  whyrank agents add cursor claude-code      show it, then write it
  whyrank agents add --all --yes             every agent that was found
  whyrank agents add vscode --scope project --project ~/src/app
  whyrank agents verify cursor               file, server, client: three ticks
  whyrank agents undo cursor                 restore the file byte for byte
  whyrank agents remove --all                before an uninstall
  whyrank agents plugin ~/whyrank-plugin     all of it as a plugin of Claude Code
  whyrank agents log                         what agents asked, and what it cost
  whyrank agents log --export calls.jsonl    everything, one call per line
  whyrank agents log --off                   stop logging calls

Files keep their comments and formatting. A file that does not parse is left alone. Hooks are
written only with --hooks, and permissions only with --allow-reading.")]
pub(crate) struct AgentsArgs {
    #[command(subcommand)]
    pub(crate) command: AgentsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentsCommand {
    /// List agents, found ones first, with their files and states
    List(AgentsListArgs),
    /// Show what adding would write, and what to paste instead
    Plan(AgentsAddArgs),
    /// Set agents up
    Add(AgentsAddArgs),
    /// Check in three steps: the file, the server that it starts, the client
    Verify(AgentsTargetArgs),
    /// Undo the last change
    Undo(AgentsTargetArgs),
    /// Remove every Whyrank entry, whoever wrote it
    Remove(AgentsTargetArgs),
    /// Write a plugin of Claude Code into a folder: server, language server, skill, sub-agent and hook
    Plugin(AgentsPluginArgs),
    /// Show what agents asked
    Log(AgentsLogArgs),
}

#[derive(Debug, Args)]
pub(crate) struct AgentsPluginArgs {
    /// A folder that is new, empty, or holds an earlier plugin
    pub(crate) folder: PathBuf,
    /// Start `whyrank` from the path instead of this very program, for a folder that is shared
    #[arg(long)]
    pub(crate) portable: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AgentsListArgs {
    /// Include agents that were not found
    #[arg(long)]
    pub(crate) all: bool,
    /// Include the files in this project folder (repeatable)
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct AgentsTargetArgs {
    /// Ids, as `whyrank agents list --all` shows them
    #[arg(value_name = "AGENT", required_unless_present = "all")]
    pub(crate) agents: Vec<String>,
    /// Every agent that was found
    #[arg(long, conflicts_with = "agents")]
    pub(crate) all: bool,
    /// user: for you, in every folder; project: a file in the project, for everybody
    #[arg(long, default_value = "user", value_parser = ["user", "project"])]
    pub(crate) scope: String,
    /// Folder of the project (repeatable) [default with --scope project: the one you are in]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct AgentsAddArgs {
    #[command(flatten)]
    pub(crate) target: AgentsTargetArgs,
    /// Which tools to offer: core (6), standard or full
    #[arg(long, default_value = "standard", value_parser = ["core", "standard", "full"])]
    pub(crate) profile: String,
    /// Also add a few lines to the project's AGENTS.md, between markers
    #[arg(long)]
    pub(crate) instructions: bool,
    /// Also write the skill: a page that tells the agent when to ask what, if it reads skills
    #[arg(long)]
    pub(crate) skill: bool,
    /// Also write a hook: after each edit the agent is told what the edit broke, if it broke something
    #[arg(long)]
    pub(crate) hooks: bool,
    /// Allow read-only tools without asking, if the agent has such a list
    #[arg(long)]
    pub(crate) allow_reading: bool,
    /// Write without asking
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AgentsLogArgs {
    /// Show one call with the answer that the agent saw
    pub(crate) id: Option<u32>,
    /// Only clients whose name contains this
    #[arg(long, default_value = "", value_name = "NAME")]
    pub(crate) client: String,
    /// Only this tool
    #[arg(long, default_value = "", value_name = "NAME")]
    pub(crate) tool: String,
    /// Maximum number of calls
    #[arg(long, short = 'n', default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,
    /// Only this session, as --sessions names them
    #[arg(long, default_value = "", value_name = "SESSION")]
    pub(crate) session: String,
    /// Show totals per session instead of calls
    #[arg(long)]
    pub(crate) sessions: bool,
    /// Write every call with its answer to a file, one line of JSON each (- for standard output)
    #[arg(long, value_name = "FILE", group = "act")]
    pub(crate) export: Option<PathBuf>,
    /// Stop logging calls, in every server; logged calls stay
    #[arg(long, group = "act")]
    pub(crate) off: bool,
    /// Log calls again
    #[arg(long, group = "act")]
    pub(crate) on: bool,
    /// Delete the log, and which agents have connected
    #[arg(long, group = "act")]
    pub(crate) clear: bool,
    /// Clear without asking
    #[arg(long, short, requires = "clear")]
    pub(crate) yes: bool,
}
