//! `whyrank mcp`.

use std::path::PathBuf;
use std::time::Duration;

use whyrank_engine::{EnginePaths, home_dir};
use whyrank_mcp::{
    HttpLimits, HttpServer, Profile, Readiness, Server, Session, ToolError, http_token, serve_stdio,
};

use crate::args::McpArgs;
use crate::interrupt::Interrupt;
use crate::{out, workspace};

/// A call waits this long for the first index of a few files: the answer still comes within the
/// first second.
const PATIENCE_MS: u32 = 700;
/// How often the HTTP server looks for Ctrl-C.
const POLL: Duration = Duration::from_millis(100);

pub(crate) fn run(args: &McpArgs) -> anyhow::Result<()> {
    let repo = workspace::selector(args.repo.repo.as_deref()).to_owned();
    let profile = Profile::named(&args.profile).unwrap_or_default();
    let server = Server::new(profile, move || {
        let engine = workspace::open()?;
        engine.encode_memos_in_background();
        let readiness = Readiness::Background {
            patience_ms: PATIENCE_MS,
        };
        let session = Session::new(engine, repo.clone(), readiness).for_agents();
        Ok(session.away_from(home_dir().as_deref()))
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let served = if args.http {
        runtime.block_on(serve_http(server, args))
    } else {
        runtime.block_on(async {
            let served = serve_stdio(server).await;
            served.map_err(|error| ToolError::new("protocol", error, "see WHYRANK_LOG=debug"))
        })
    };
    // A call that the client no longer waits for must not keep the process.
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(served?)
}

async fn serve_http(server: Server, args: &McpArgs) -> Result<(), ToolError> {
    let path = token_file()?;
    let token = http_token(&path)?;
    let interrupt = Interrupt::listen();
    let limits = HttpLimits {
        with_metrics: args.metrics,
        ..HttpLimits::default()
    };
    let server = HttpServer::start_within(server, args.port, token, limits).await?;
    out::note(&format!(
        "serving {} (also /mcp/core, /mcp/full) to this machine only\n\
         header: Authorization: Bearer TOKEN, with the token in {}\n\
         Ctrl-C ends it",
        server.url(),
        path.display()
    ));
    while !interrupt.is_heard() {
        tokio::time::sleep(POLL).await;
    }
    server.stop().await;
    Ok(())
}

fn token_file() -> Result<PathBuf, ToolError> {
    Ok(EnginePaths::from_env()?.state_dir.join("http-token"))
}
