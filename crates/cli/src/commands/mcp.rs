//! `whyrank mcp`.

use std::time::Duration;

use whyrank_mcp::{Profile, Readiness, Server, Session, ToolError, serve_stdio};

use crate::args::McpArgs;
use crate::workspace;

/// A call waits this long for a first index: the answer still comes within the first second.
const PATIENCE_MS: u32 = 700;

pub(crate) fn run(args: &McpArgs) -> anyhow::Result<()> {
    let repo = workspace::selector(args.repo.repo.as_deref()).to_owned();
    let server = Server::new(profile(&args.profile), move || {
        let engine = workspace::open()?;
        let readiness = Readiness::Background {
            patience_ms: PATIENCE_MS,
        };
        Ok(Session::new(engine, repo.clone(), readiness))
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let served = runtime.block_on(serve_stdio(server));
    // A call that the client no longer waits for must not keep the process.
    runtime.shutdown_timeout(Duration::from_millis(100));
    served.map_err(|error| ToolError::new("protocol", error, "see WHYRANK_LOG=debug").into())
}

fn profile(name: &str) -> Profile {
    match name {
        "core" => Profile::Core,
        "full" => Profile::Full,
        _ => Profile::Standard,
    }
}
