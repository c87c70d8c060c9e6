//! The `whyrank` command line: indexing, searching, explaining, and the MCP server.
//!
//! Standard output carries results, standard error everything else.

mod args;
mod commands;
mod confirm;
mod exit;
mod interrupt;
mod out;
mod progress;
mod unindexed;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match args::Cli::read() {
        Ok(cli) => cli,
        Err(error) => return exit::usage(&error),
    };
    start_log(cli.command.serves());
    let json = cli.json;
    match commands::run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit::failed(&error, json),
    }
}

/// The log goes to standard error: warnings of the server, and whatever `WHYRANK_LOG` asks for.
fn start_log(serves: bool) {
    let asked = std::env::var("WHYRANK_LOG").ok();
    let Some(directives) = asked.or_else(|| serves.then(|| "warn".to_owned())) else {
        return;
    };
    let filter = tracing_subscriber::EnvFilter::builder().parse_lossy(directives);
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
}
