//! `whyrank-lab conformance`: the server with the fixtures, over HTTP.

use std::process::ExitCode;

use whyrank_engine::{Engine, EnginePaths};
use whyrank_mcp::{HttpLimits, HttpServer, Profile, Readiness, Server, Session, http_token};

use super::Conformance;
use crate::args::ConformanceArgs;
use crate::out;

/// Serves until Ctrl-C.
pub(crate) fn run(args: &ConformanceArgs) -> anyhow::Result<ExitCode> {
    let repo = args.repo.clone();
    let server = Server::new(Profile::Standard, move || {
        let readiness = Readiness::Background { patience_ms: 700 };
        let engine = Engine::open(EnginePaths::from_env()?)?;
        Ok(Session::new(engine, repo.clone(), readiness).for_agents())
    });
    let token = http_token(&EnginePaths::from_env()?.state_dir.join("http-token"))?;
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let limits = HttpLimits::default();
        let serving =
            HttpServer::start_wrapped(server, None, token, limits, Conformance::new).await?;
        out::note(&format!("serving {}", serving.url()));
        tokio::signal::ctrl_c().await?;
        serving.stop().await;
        Ok(ExitCode::SUCCESS)
    })
}
