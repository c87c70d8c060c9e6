//! `whyrank agents`: set coding agents up, verify, undo, and see what they asked.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;
use whyrank_agents::{
    AgentsError, Applied, ClientStatus, Connection, Placement, PlacementState, Plan, Request,
    Scope, Server, ServerProfile, Setup, Tick, TickState, VerifyRequest,
};
use whyrank_engine::EnginePaths;
use whyrank_mcp::{ToolError, reading_tools};
use whyrank_system::visible;

use crate::args::{
    AgentsAddArgs, AgentsArgs, AgentsCommand, AgentsListArgs, AgentsPluginArgs, AgentsTargetArgs,
};
use crate::confirm::agreed;
use crate::exit::{Exit, FAILED, NOTHING_FOUND};
use crate::out::{self, Paint};
use crate::workspace;

pub(crate) fn run(args: &AgentsArgs, json: bool) -> anyhow::Result<()> {
    match &args.command {
        AgentsCommand::List(args) => list(args, json),
        AgentsCommand::Plan(args) => plan(args, json),
        AgentsCommand::Add(args) => add(args, json),
        AgentsCommand::Verify(args) => verify(args, json),
        AgentsCommand::Undo(args) => take_back(args, json, Setup::undo),
        AgentsCommand::Remove(args) => take_back(args, json, Setup::remove),
        AgentsCommand::Plugin(args) => plugin(args, json),
        AgentsCommand::Log(args) => super::agents_log::run(args, json),
    }
}

/// The machine that the environment describes, with our journal beside the indexes.
pub(crate) fn setup() -> anyhow::Result<Setup> {
    let folder = EnginePaths::from_env()?.data_dir.join("agents");
    let places = whyrank_agents::Places::from_env().ok_or_else(|| {
        ToolError::new(
            "no-home",
            "the home directory is unknown",
            "set HOME to a folder",
        )
    })?;
    Ok(Setup::new(places, folder))
}

/// What agents are told to start: this very program.
pub(crate) fn server(setup: &Setup, profile: &str) -> anyhow::Result<Server> {
    let running = std::env::current_exe()?;
    let profile = ServerProfile::named(profile).unwrap_or_default();
    Server::beside(&running, profile, setup.places()).map_err(failure)
}

pub(crate) fn connections() -> anyhow::Result<Vec<Connection>> {
    let heard = workspace::open()?.heard_clients()?;
    let heard = heard.into_iter().map(|client| Connection {
        name: client.name,
        version: client.version,
        at: client.at,
    });
    Ok(heard.collect())
}

pub(crate) fn failure(error: AgentsError) -> anyhow::Error {
    let (message, hint) = error.parts();
    ToolError::new(error.code(), message, hint).into()
}

fn list(args: &AgentsListArgs, json: bool) -> anyhow::Result<()> {
    let setup = setup()?;
    let projects = folders(&args.project)?;
    let connections = connections()?;
    let server = server(&setup, "standard")?;
    let mut list = setup
        .list(&server, &projects, &connections)
        .map_err(failure)?;
    let is_set = |status: &ClientStatus| {
        let mut placements = status.placements.iter();
        placements.any(|placement| placement.state != PlacementState::NotSet)
    };
    let n_all = list.len();
    list.retain(|status| args.all || status.detected || is_set(status));
    if json {
        return out::json(&json!({"agents": list}));
    }
    for status in &list {
        print(status)?;
    }
    if list.is_empty() {
        out::line("No coding agent was found on this machine.")?;
    }
    if list.len() < n_all {
        out::note(&format!(
            "{} more can be set up: whyrank agents list --all",
            n_all - list.len()
        ));
    }
    Ok(())
}

fn print(status: &ClientStatus) -> anyhow::Result<()> {
    let found = if status.detected { "" } else { " (not found)" };
    let heard = match &status.connected {
        Some(heard) => format!(", {} {} has connected", heard.name, heard.version),
        None => String::new(),
    };
    out::line(&format!(
        "{} {}{found}{heard}",
        out::paint(&format!("{:<15}", status.id), Paint::Bold),
        status.name
    ))?;
    for placement in &status.placements {
        out::line(&format!("  {} {}", state(placement), placement.path))?;
    }
    Ok(())
}

fn state(placement: &Placement) -> String {
    let profile = placement.profile.map(ServerProfile::name);
    let text = match (placement.state, profile) {
        (PlacementState::Set, Some(profile)) => format!("{} ({profile})", placement.note),
        _ => placement.note.clone(),
    };
    let paint = match placement.state {
        PlacementState::Set => Paint::Green,
        PlacementState::NotSet => Paint::Dim,
        PlacementState::Outdated => Paint::Yellow,
        PlacementState::Broken => Paint::Red,
    };
    out::paint(&format!("{text:<22}"), paint)
}

/// The agents, each in each folder that is meant.
fn targets(
    setup: &Setup,
    args: &AgentsTargetArgs,
) -> anyhow::Result<Vec<(String, Scope, Option<String>)>> {
    let scope = match args.scope.as_str() {
        "project" => Scope::Project,
        _ => Scope::User,
    };
    let mut projects: Vec<Option<String>> = folders(&args.project)?.into_iter().map(Some).collect();
    if projects.is_empty() {
        let here = folders(&[PathBuf::from(".")])?;
        projects.push((scope == Scope::Project).then(|| here[0].clone()));
    }
    let ids: Vec<String> = if args.all {
        found(setup, scope)?
    } else {
        args.agents.clone()
    };
    let pairs = ids.iter().flat_map(|id| {
        let projects = projects.iter();
        projects.map(move |project| (id.clone(), scope, project.clone()))
    });
    Ok(pairs.collect())
}

/// Agents on this machine that have a file for a scope.
fn found(setup: &Setup, scope: Scope) -> anyhow::Result<Vec<String>> {
    let nothing = Server::new("", ServerProfile::Standard, setup.places());
    let list = setup.list(&nothing, &[], &[]).map_err(failure)?;
    let found = list
        .into_iter()
        .filter(|status| status.detected && (scope == Scope::User || status.has_project_scope));
    let ids: Vec<String> = found.map(|status| status.id).collect();
    if ids.is_empty() {
        Err(ToolError::new(
            "not-found",
            "no coding agent was found on this machine",
            "name one: whyrank agents list --all",
        )
        .into())
    } else {
        Ok(ids)
    }
}

fn folders(paths: &[PathBuf]) -> anyhow::Result<Vec<String>> {
    let absolute = paths.iter().map(|path| {
        let folder = std::fs::canonicalize(path)
            .ok()
            .filter(|path| path.is_dir());
        let folder = folder.ok_or_else(|| {
            let message = format!("{} is not a folder", path.display());
            ToolError::new("path-missing", message, "name a folder with --project")
        })?;
        Ok(folder.to_string_lossy().into_owned())
    });
    absolute.collect()
}

fn requests(setup: &Setup, args: &AgentsAddArgs) -> anyhow::Result<Vec<Request>> {
    let server = server(setup, &args.profile)?;
    let profile = whyrank_mcp::Profile::named(&args.profile).unwrap_or_default();
    let allowed: Vec<String> = if args.allow_reading {
        reading_tools(profile).map(str::to_owned).collect()
    } else {
        Vec::new()
    };
    let here = folders(&[PathBuf::from(".")])?;
    let requests = targets(setup, &args.target)?.into_iter();
    let requests = requests.map(|(client, scope, project)| Request {
        client,
        scope,
        project: project.or_else(|| args.instructions.then(|| here[0].clone())),
        server: server.clone(),
        instructions: args.instructions,
        skill: args.skill,
        hooks: args.hooks,
        allowed: allowed.clone(),
    });
    Ok(requests.collect())
}

fn plan(args: &AgentsAddArgs, json: bool) -> anyhow::Result<()> {
    let setup = setup()?;
    let mut plans = Vec::new();
    for request in requests(&setup, args)? {
        let plan = setup.plan(&request).map_err(failure)?;
        if !json {
            show(&plan)?;
            paste(&plan)?;
        }
        plans.push(plan);
    }
    if json {
        out::json(&json!({"plans": plans}))
    } else {
        Ok(())
    }
}

fn show(plan: &Plan) -> anyhow::Result<()> {
    out::line(&out::paint(&plan.name, Paint::Bold))?;
    for change in &plan.changes {
        let what = match (change.diff.is_empty(), change.exists) {
            (true, _) => "stays as it is",
            (false, true) => "changes",
            (false, false) => "is new",
        };
        let link = match &change.links_to {
            Some(path) => format!(" (a link to {path})"),
            None => String::new(),
        };
        out::line(&format!("  {}: {}{link} {what}", change.about, change.path))?;
        for line in change.diff.lines().skip(2) {
            let paint = match line.chars().next() {
                Some('+') => Paint::Green,
                Some('-') => Paint::Red,
                _ => Paint::Dim,
            };
            out::line(&format!("    {}", out::paint(line, paint)))?;
        }
    }
    for note in &plan.notes {
        out::line(&format!("  {note}"))?;
    }
    Ok(())
}

fn paste(plan: &Plan) -> anyhow::Result<()> {
    if let Some(command) = &plan.cli {
        out::line(&format!("  or run:  {command}"))?;
    }
    if let Some(link) = &plan.link {
        out::line(&format!("  or open: {link}"))?;
    }
    out::line("  or paste:")?;
    for line in plan.snippet.lines() {
        out::line(&format!("    {line}"))?;
    }
    Ok(())
}

fn add(args: &AgentsAddArgs, json: bool) -> anyhow::Result<()> {
    let setup = setup()?;
    let mut outcomes = Vec::new();
    let mut failed = None;
    for request in requests(&setup, args)? {
        match add_one(&setup, &request, args.yes, json) {
            Ok(applied) => outcomes.extend(applied),
            // One broken file does not keep the others from being set up.
            Err(error) if args.target.all => {
                out::note(&format!("{}: {error}", request.client));
                failed = Some(error);
            }
            Err(error) => return Err(error),
        }
    }
    if json {
        out::json(&json!({"applied": outcomes}))?;
    }
    match failed {
        Some(_) => Err(Exit(FAILED).into()),
        None => Ok(()),
    }
}

fn add_one(
    setup: &Setup,
    request: &Request,
    yes: bool,
    json: bool,
) -> anyhow::Result<Option<Applied>> {
    let plan = setup.plan(request).map_err(failure)?;
    if !json {
        show(&plan)?;
    }
    let changes = plan.changes.iter().any(|change| !change.diff.is_empty());
    if changes && !yes && !agreed("Write this?", "`whyrank agents plan` shows what")? {
        out::line("  nothing was written")?;
        return Ok(None);
    }
    let seen: Vec<String> = plan
        .changes
        .into_iter()
        .map(|change| change.before)
        .collect();
    let applied = setup.apply(request, &seen, now_s()).map_err(failure)?;
    if !json {
        said(&applied)?;
        if changes {
            out::line(&format!("  {}", applied.restart))?;
            out::line(&format!(
                "  whyrank agents verify {}; whyrank agents undo {}",
                applied.client, applied.client
            ))?;
        }
    }
    Ok(Some(applied))
}

fn said(applied: &Applied) -> anyhow::Result<()> {
    for file in &applied.files {
        out::line(&format!("  {} {file}", out::paint("✓", Paint::Green)))?;
    }
    for note in &applied.notes {
        out::line(&format!("  {note}"))?;
    }
    Ok(())
}

type TakeBack = fn(&Setup, &str, Scope, Option<&str>) -> Result<Applied, AgentsError>;

fn take_back(args: &AgentsTargetArgs, json: bool, act: TakeBack) -> anyhow::Result<()> {
    let setup = setup()?;
    let mut outcomes = Vec::new();
    for (client, scope, project) in targets(&setup, args)? {
        match act(&setup, &client, scope, project.as_deref()) {
            Ok(applied) => {
                if !json && (!args.all || !applied.files.is_empty()) {
                    out::line(&out::paint(&applied.name, Paint::Bold))?;
                    said(&applied)?;
                }
                outcomes.push(applied);
            }
            Err(AgentsError::NothingToUndo { .. }) if args.all => {}
            Err(error) => return Err(failure(error)),
        }
    }
    if json {
        out::json(&json!({"applied": outcomes}))?;
    }
    Ok(())
}

fn verify(args: &AgentsTargetArgs, json: bool) -> anyhow::Result<()> {
    let setup = setup()?;
    let connections = connections()?;
    let mut verified = Vec::new();
    let ours = server(&setup, "standard")?;
    for (client, scope, project) in targets(&setup, args)? {
        let mut request = VerifyRequest {
            client: &client,
            scope,
            project: project.as_deref(),
            connections: &connections,
            ours: &ours,
            agreed: &[],
        };
        let agreed = if json {
            Vec::new()
        } else {
            agreed_programs(&setup, &request)?
        };
        request.agreed = &agreed;
        verified.extend(setup.verify(&request).map_err(failure)?);
    }
    if json {
        out::json(&json!({"verified": verified}))?;
    } else {
        for one in &verified {
            out::line(&out::paint(&one.name, Paint::Bold))?;
            for tick in &one.ticks {
                print_tick(tick)?;
            }
        }
    }
    let mut ticks = verified.iter().flat_map(|one| &one.ticks);
    if ticks.any(|tick| tick.state == TickState::Failed) {
        Err(Exit(NOTHING_FOUND).into())
    } else {
        Ok(())
    }
}

/// Other programs than this one that a person was shown and agreed to start.
fn agreed_programs(setup: &Setup, request: &VerifyRequest<'_>) -> anyhow::Result<Vec<String>> {
    let mut agreed_to = Vec::new();
    if !out::is_interactive() {
        return Ok(agreed_to);
    }
    for line in setup.other_programs(request).map_err(failure)? {
        out::line(&format!("  {} names another program:", request.client))?;
        out::line(&format!("  $ {}", visible::line(&line)))?;
        if agreed("Start it?", "")? {
            agreed_to.push(line);
        }
    }
    Ok(agreed_to)
}

fn print_tick(tick: &Tick) -> anyhow::Result<()> {
    let (mark, paint) = match tick.state {
        TickState::Ok => ("✓", Paint::Green),
        TickState::Failed => ("✗", Paint::Red),
        TickState::Waiting => ("…", Paint::Yellow),
        TickState::Skipped => ("-", Paint::Dim),
    };
    out::line(&format!("  {} {}", out::paint(mark, paint), tick.message))?;
    if tick.fix.is_empty() {
        Ok(())
    } else {
        out::line(&format!("    {}", tick.fix))
    }
}

fn now_s() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

fn plugin(args: &AgentsPluginArgs, json: bool) -> anyhow::Result<()> {
    let setup = setup()?;
    let mut server = server(&setup, "standard")?;
    if args.portable {
        server.command = "whyrank".to_owned();
        // A folder of this machine's indexes is nobody else's.
        server.env.clear();
    }
    let version = env!("CARGO_PKG_VERSION");
    let folder = std::path::absolute(&args.folder)?;
    let written = whyrank_agents::write_plugin(&folder, &server, version).map_err(failure)?;
    if json {
        return out::json(&json!({"folder": folder, "written": written}));
    }
    for file in &written {
        let mark = out::paint("✓", Paint::Green);
        out::line(&format!("  {mark} {}", file.display()))?;
    }
    if written.is_empty() {
        out::line("It was written like this already; nothing changed.")?;
    }
    out::line("In Claude Code:")?;
    let folder = folder.display();
    out::line(&format!("  /plugin marketplace add {folder}"))?;
    out::line("  /plugin install whyrank@whyrank")
}
