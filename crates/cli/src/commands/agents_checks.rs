//! What `doctor` checks for agents: the program that they start, their entries and the servers behind
//! them, the token of the HTTP server, the log of calls.

use std::path::Path;
use std::time::Duration;

use whyrank_agents::{
    ClientStatus, Placement, PlacementState, Server, Setup, TickState, Verification, VerifyRequest,
    clients,
};
use whyrank_engine::EnginePaths;
use whyrank_engine::api::{CallsRequest, CheckState, DoctorCheck};

use whyrank_system::program::{Program, SearchPath};
use whyrank_system::visible;

use super::agents::{connections, failure, server, setup};
use crate::workspace;

/// Longer than any version takes to tell its number.
const VERSION_PATIENCE: Duration = Duration::from_secs(10);

/// Fewer folders than a large repository has cannot be followed.
#[cfg(target_os = "linux")]
const FEW_WATCHES: u64 = 65_536;

/// All of them, in the order in which a person repairs them.
pub(crate) fn checks() -> Vec<DoctorCheck> {
    let mut checks = vec![program()];
    checks.extend(
        agents()
            .unwrap_or_else(|error| vec![line("agents", CheckState::Fail, error.to_string(), "")]),
    );
    checks.extend(token());
    checks.push(log());
    checks.extend(watches());
    checks
}

/// Whether a shell finds this very version.
fn program() -> DoctorCheck {
    let ours = std::env::current_exe().and_then(|path| path.canonicalize());
    let Ok(ours) = ours else {
        return line(
            "program",
            CheckState::Warn,
            "its own path is unknown".to_owned(),
            "",
        );
    };
    let shown = ours.display();
    let path = SearchPath::outside_of_here();
    let other = path
        .find("whyrank")
        .and_then(|found| found.canonicalize().ok());
    let other = other.filter(|found| *found != ours);
    let Some(other) = other else {
        return line("program", CheckState::Ok, shown.to_string(), "");
    };
    let folder = other.parent().unwrap_or(Path::new("/"));
    let asked = Program::new(&other, folder).args(["--version"]);
    let said = asked.output(&path, VERSION_PATIENCE);
    let said = said.unwrap_or_else(|error| error.to_string());
    let said = visible::line(&said);
    let version = env!("CARGO_PKG_VERSION");
    if said.ends_with(version) {
        line("program", CheckState::Ok, shown.to_string(), "")
    } else {
        line(
            "program",
            CheckState::Warn,
            format!(
                "the PATH has {} ({said}), this is {version} in {shown}",
                other.display()
            ),
            "remove the older one, or put this one\u{2019}s folder first in the PATH",
        )
    }
}

/// Each agent that is set up: its file, the server that it starts, whether it has connected.
fn agents() -> anyhow::Result<Vec<DoctorCheck>> {
    let setup = setup()?;
    let server = server(&setup, "standard")?;
    let connections = connections()?;
    let list = setup.list(&server, &[], &connections).map_err(failure)?;
    let mut checks = Vec::new();
    for status in &list {
        for place in &status.placements {
            checks.extend(placed(&setup, &server, status, place, &connections));
        }
    }
    if checks.is_empty() {
        let n_found = list.iter().filter(|status| status.detected).count();
        let message = format!(
            "{n_found} of {} known agents found, none set up",
            clients().len()
        );
        checks.push(line(
            "agents",
            CheckState::Warn,
            message,
            "whyrank agents add --all",
        ));
    }
    Ok(checks)
}

fn placed(
    setup: &Setup,
    ours: &Server,
    status: &ClientStatus,
    place: &Placement,
    connections: &[whyrank_agents::Connection],
) -> Option<DoctorCheck> {
    let file = Path::new(&place.path).file_name().unwrap_or_default();
    let message = format!("{} ({})", place.note, file.to_string_lossy());
    match place.state {
        PlacementState::NotSet => None,
        PlacementState::Broken if !status.detected => None,
        PlacementState::Broken => {
            let fix = format!("fix {}", place.path);
            Some(line(&status.name, CheckState::Warn, message, &fix))
        }
        PlacementState::Outdated => {
            let fix = format!("whyrank agents add {}", status.id);
            Some(line(&status.name, CheckState::Warn, message, &fix))
        }
        PlacementState::Set => {
            let request = VerifyRequest {
                client: &status.id,
                scope: place.scope,
                project: place.project.as_deref(),
                connections,
                ours,
                agreed: &[],
            };
            let verified = setup.verify(&request).ok()?;
            let ours = verified.into_iter().find(|one| one.path == place.path)?;
            Some(ticked(&status.name, &message, &ours))
        }
    }
}

/// The first tick that failed, or how far it came.
fn ticked(name: &str, message: &str, verified: &Verification) -> DoctorCheck {
    let mut ticks = verified.ticks.iter();
    if let Some(tick) = ticks.clone().find(|tick| tick.state == TickState::Failed) {
        return line(
            name,
            CheckState::Fail,
            format!("{message}: {}", tick.message),
            &tick.fix,
        );
    }
    match ticks.find(|tick| tick.state == TickState::Waiting) {
        Some(tick) => line(
            name,
            CheckState::Ok,
            format!("{message}, {}", tick.message),
            "",
        ),
        None => line(name, CheckState::Ok, format!("{message}, connected"), ""),
    }
}

/// The token of the HTTP server is for the user alone.
fn token() -> Option<DoctorCheck> {
    let path = EnginePaths::from_env().ok()?.state_dir.join("http-token");
    let rights = std::fs::metadata(&path).ok()?;
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::mode(&rights) & 0o077 != 0 {
        let message = format!("{} can be read by others", path.display());
        let fix = format!(
            "chmod 600 {}, then make a new token in the window",
            path.display()
        );
        return Some(line("http token", CheckState::Warn, message, &fix));
    }
    let _ = rights;
    Some(line(
        "http token",
        CheckState::Ok,
        path.display().to_string(),
        "",
    ))
}

fn log() -> DoctorCheck {
    let read = workspace::open().and_then(|engine| engine.calls(&CallsRequest::default()));
    match read {
        Ok(log) if log.is_on => {
            let message = format!("{} calls of {} clients", log.total.calls, log.clients.len());
            line("log of calls", CheckState::Ok, message, "")
        }
        Ok(_) => line(
            "log of calls",
            CheckState::Ok,
            "off: `whyrank agents log --on`".to_owned(),
            "",
        ),
        Err(error) => line("log of calls", CheckState::Fail, error.to_string(), ""),
    }
}

/// Saves are followed folder by folder, as many as the system allows.
#[cfg(target_os = "linux")]
fn watches() -> Option<DoctorCheck> {
    let most = std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?;
    let most: u64 = most.trim().parse().ok()?;
    let message = format!("the system can watch {most} folders at most");
    Some(if most < FEW_WATCHES {
        line(
            "saves",
            CheckState::Warn,
            format!("{message}: saves in large repositories may be missed"),
            "sudo sysctl fs.inotify.max_user_watches=524288",
        )
    } else {
        line("saves", CheckState::Ok, message, "")
    })
}

#[cfg(not(target_os = "linux"))]
fn watches() -> Option<DoctorCheck> {
    None
}

fn line(name: &str, state: CheckState, message: String, fix: &str) -> DoctorCheck {
    DoctorCheck {
        name: name.to_owned(),
        state,
        message,
        fix: fix.to_owned(),
    }
}
