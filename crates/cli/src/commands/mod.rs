//! One function a command.

mod agents;
mod agents_checks;
mod agents_log;
mod bench;
mod demo;
mod eval;
mod explain;
mod export;
mod graph;
mod hook;
mod index;
mod lsp;
mod mcp;
mod memo;
mod models;
mod precise;
mod reports;
mod repos;
mod rg;
mod search;
mod tool;
mod tools;
mod workspaces;

use clap::CommandFactory;

use crate::args::{Cli, Command, CompletionsArgs, ManArgs};
use crate::out;

/// Runs the command.
///
/// # Errors
///
/// What failed; `exit` turns it into a message and a code.
pub(crate) fn run(cli: Cli) -> anyhow::Result<()> {
    whyrank_engine::whole(|| run_command(cli))
}

fn run_command(cli: Cli) -> anyhow::Result<()> {
    let json = cli.json;
    match cli.command {
        Command::Index(args) => index::run(&args, json),
        Command::Search(args) => search::run(&args, json),
        Command::Rg(args) => rg::run(&args, json),
        Command::Explain(args) => explain::run(&args, json),
        Command::Table(command) => tools::run(command, json),
        Command::Graph(args) => graph::run(&args, json),
        Command::Memo(args) => memo::run(&args, json),
        Command::Status(args) => repos::status(&args, json),
        Command::Repos(args) => repos::run(&args, json),
        Command::Workspace(args) => workspaces::run(&args, json),
        Command::Models(args) => models::run(&args, json),
        Command::Agents(args) => agents::run(&args, json),
        Command::Mcp(args) => mcp::run(&args),
        Command::Lsp(args) => lsp::run(&args),
        Command::Hook(args) => hook::run(&args),
        Command::Tool(args) => tool::run(&args, json),
        Command::Bench(args) => bench::run(&args, json),
        Command::Eval(args) => eval::run(&args, json),
        Command::Precise(args) => precise::run(&args, json),
        Command::Reports(args) => reports::run(&args, json),
        Command::Export(args) => export::run(&args, json),
        Command::Doctor(args) => repos::doctor(&args, json),
        Command::Completions(args) => completions(&args),
        Command::Man(args) => man(&args),
        Command::Demo(args) => demo::run(&args, json),
    }
}

/// A page for the program, and one for each command.
fn man(args: &ManArgs) -> anyhow::Result<()> {
    std::fs::create_dir_all(&args.folder)?;
    let program = Cli::command().disable_help_subcommand(true);
    Ok(clap_mangen::generate_to(program, &args.folder)?)
}

fn completions(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "whyrank", &mut script);
    out::bytes(&script)
}
