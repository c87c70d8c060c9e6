//! The agents screen's side of the shell: who is set up, the HTTP server, what was asked.
//!
//! Each method is a few lines over `whyrank-agents`, the engine and the MCP server.

use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use whyrank_agents::{
    AgentsError, Applied, ClientStatus, Connection, Places, Plan, Request, Scope, Server,
    ServerProfile, Setup, Verification, VerifyRequest,
};
use whyrank_engine::api::EngineErrorDto;
use whyrank_engine::{Engine, EnginePaths};
use whyrank_mcp::{
    HttpServer, Profile, Readiness, Session, ToolError, http_token, profile_cost, reading_tools,
    rotate_http_token,
};

/// A call waits this long for a first index.
const PATIENCE_MS: u32 = 700;

type Answer<T> = Result<T, EngineErrorDto>;

/// What a profile offers, and what its list costs an agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub(crate) struct ProfileCost {
    profile: ServerProfile,
    tools: u32,
    /// Tokens of names, descriptions and schemas, estimated.
    tokens: u32,
}

/// All that the screen shows of set-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub(crate) struct AgentsOverview {
    clients: Vec<ClientStatus>,
    profiles: Vec<ProfileCost>,
    /// The program that agents start.
    command: String,
}

/// What the screen asks to be set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub(crate) struct SetupRequest {
    client: String,
    scope: Scope,
    project: Option<String>,
    profile: ServerProfile,
    instructions: bool,
    #[serde(default)]
    skill: bool,
    allow_reading: bool,
}

/// The HTTP server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub(crate) struct HttpState {
    running: bool,
    /// Where it listens; empty when it does not.
    url: String,
    /// Where the token lies.
    token_file: String,
}

/// The handle that commands share.
#[derive(Clone)]
pub(crate) struct Agents {
    engine: Engine,
    setup: Option<Arc<Setup>>,
    token_file: PathBuf,
    http: Arc<Mutex<Option<HttpServer>>>,
}

impl Agents {
    pub(crate) fn new(engine: Engine, paths: &EnginePaths) -> Self {
        let folder = paths.data_dir.join("agents");
        let setup = Places::from_env().map(|places| Arc::new(Setup::new(places, folder)));
        Self {
            engine,
            setup,
            token_file: paths.state_dir.join("http-token"),
            http: Arc::default(),
        }
    }

    pub(crate) fn overview(&self, projects: &[String]) -> Answer<AgentsOverview> {
        for project in projects {
            self.registered(Some(project))?;
        }
        let server = self.server(ServerProfile::Standard)?;
        let clients = self
            .setup()?
            .list(&server, projects, &self.connections()?)
            .map_err(failure)?;
        let profiles = [
            (ServerProfile::Core, Profile::Core),
            (ServerProfile::Standard, Profile::Standard),
            (ServerProfile::Full, Profile::Full),
        ];
        let profiles = profiles.map(|(profile, tools)| {
            let (tools, tokens) = profile_cost(tools);
            ProfileCost {
                profile,
                tools,
                tokens,
            }
        });
        Ok(AgentsOverview {
            clients,
            profiles: profiles.into(),
            command: server.command,
        })
    }

    pub(crate) fn plan(&self, request: &SetupRequest) -> Answer<Plan> {
        let request = self.request(request)?;
        self.setup()?.plan(&request).map_err(failure)
    }

    /// `seen` are the hashes that the plan showed; without any, what is there now is taken as seen.
    pub(crate) fn apply(&self, request: &SetupRequest, seen: &[String]) -> Answer<Applied> {
        let request = self.request(request)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |since| since.as_secs());
        self.setup()?.apply(&request, seen, now).map_err(failure)
    }

    pub(crate) fn undo(
        &self,
        client: &str,
        scope: Scope,
        project: Option<&str>,
    ) -> Answer<Applied> {
        self.registered(project)?;
        self.setup()?.undo(client, scope, project).map_err(failure)
    }

    pub(crate) fn verify(
        &self,
        client: &str,
        scope: Scope,
        project: Option<&str>,
    ) -> Answer<Vec<Verification>> {
        self.registered(project)?;
        let connections = self.connections()?;
        let (setup, ours) = (self.setup()?, self.server(ServerProfile::Standard)?);
        let verified = setup.verify(&VerifyRequest {
            client,
            scope,
            project,
            connections: &connections,
            ours: &ours,
            agreed: &[],
        });
        verified.map_err(failure)
    }

    pub(crate) fn http_state(&self) -> HttpState {
        let running = self.http();
        HttpState {
            running: running.is_some(),
            url: running.as_ref().map(HttpServer::url).unwrap_or_default(),
            token_file: self.token_file.to_string_lossy().into_owned(),
        }
    }

    pub(crate) fn start_http(&self, port: Option<u16>) -> Answer<HttpState> {
        let mut running = self.http();
        if running.is_none() {
            let token = http_token(&self.token_file).map_err(said)?;
            let engine = self.engine.clone();
            let server = whyrank_mcp::Server::new(Profile::Standard, move || {
                let readiness = Readiness::Background {
                    patience_ms: PATIENCE_MS,
                };
                // There is no working directory here; a call names its repository.
                Ok(Session::new(engine.clone(), "", readiness).for_agents())
            });
            let started = HttpServer::start(server, port, token);
            *running = Some(tauri::async_runtime::block_on(started).map_err(said)?);
        }
        drop(running);
        Ok(self.http_state())
    }

    pub(crate) fn stop_http(&self) -> HttpState {
        let running = self.http().take();
        if let Some(running) = running {
            tauri::async_runtime::block_on(running.stop());
        }
        self.http_state()
    }

    pub(crate) fn token(&self, rotate: bool) -> Answer<String> {
        if rotate {
            rotate_http_token(&self.token_file).map_err(said)
        } else {
            http_token(&self.token_file).map_err(said)
        }
    }

    fn request(&self, asked: &SetupRequest) -> Answer<Request> {
        self.registered(asked.project.as_deref())?;
        let profile = Profile::named(asked.profile.name()).unwrap_or_default();
        let allowed = if asked.allow_reading {
            reading_tools(profile).map(str::to_owned).collect()
        } else {
            Vec::new()
        };
        Ok(Request {
            client: asked.client.clone(),
            scope: asked.scope,
            project: asked.project.clone(),
            server: self.server(asked.profile)?,
            instructions: asked.instructions,
            skill: asked.skill,
            hooks: false,
            allowed,
        })
    }

    /// A project's files are read and written where the person registered the repository.
    fn registered(&self, project: Option<&str>) -> Answer<()> {
        let repos = self.engine.repos()?;
        if project.is_none_or(|root| repos.iter().any(|repo| repo.root == root)) {
            Ok(())
        } else {
            Err(EngineErrorDto {
                code: "not-agreed".to_owned(),
                message: format!("{} is not a repository here", project.unwrap_or_default()),
                hint: "add it under Repositories".to_owned(),
            })
        }
    }

    fn server(&self, profile: ServerProfile) -> Answer<Server> {
        let running = std::env::current_exe().unwrap_or_default();
        Server::beside(&running, profile, self.setup()?.places()).map_err(failure)
    }

    fn connections(&self) -> Answer<Vec<Connection>> {
        let heard = self.engine.heard_clients()?.into_iter();
        let heard = heard.map(|client| Connection {
            name: client.name,
            version: client.version,
            at: client.at,
        });
        Ok(heard.collect())
    }

    fn setup(&self) -> Answer<&Setup> {
        self.setup.as_deref().ok_or_else(|| EngineErrorDto {
            code: "no-home".to_owned(),
            message: "no home directory is known".to_owned(),
            hint: "set HOME to a folder and start Whyrank again".to_owned(),
        })
    }

    fn http(&self) -> MutexGuard<'_, Option<HttpServer>> {
        self.http.lock()
    }
}

fn failure(error: AgentsError) -> EngineErrorDto {
    let (message, hint) = error.parts();
    EngineErrorDto {
        code: error.code().to_owned(),
        message,
        hint,
    }
}

fn said(error: ToolError) -> EngineErrorDto {
    EngineErrorDto {
        code: error.code,
        message: error.message,
        hint: error.hint,
    }
}
