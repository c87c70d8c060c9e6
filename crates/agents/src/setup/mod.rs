//! The one engine over all clients: list, plan, apply, undo, remove, verify.

mod apply;
mod plan;
mod undo;

use std::path::{Path, PathBuf};

use crate::api::{
    ClientStatus, Connection, Placement, PlacementState, Scope, Verification, VerifyRequest,
};
use crate::clients::{Client, client, clients};
use crate::document::Broken;
use crate::entry::{Entry, started_by};
use crate::error::AgentsError;
use crate::journal::{Journal, JournalRow};
use crate::places::Places;
use crate::server::{Server, ServerProfile};
use crate::verify;
use crate::written::{slot, text_of};

/// Sets up clients on a machine; journal and backups lie in a folder of ours.
pub struct Setup {
    places: Places,
    journal: Journal,
}

/// The records of earlier steps and of the clients that were heard of.
#[derive(Clone, Copy)]
struct Records<'r> {
    connections: &'r [Connection],
    rows: &'r [JournalRow],
}

impl Setup {
    /// Sets up `places`; `folder` is where the journal and the backups are kept.
    pub fn new(places: Places, folder: PathBuf) -> Self {
        Self {
            places,
            journal: Journal::new(folder),
        }
    }

    /// Returns the machine that is set up.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Returns all clients: those found on the machine first, each with its files.
    ///
    /// `server` is what an entry should start; `connections` are the clients heard of so far.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read. A client's broken file is a state, not an error.
    pub fn list(
        &self,
        server: &Server,
        projects: &[String],
        connections: &[Connection],
    ) -> Result<Vec<ClientStatus>, AgentsError> {
        let rows = self.journal.rows()?;
        let records = Records {
            connections,
            rows: &rows,
        };
        let mut list: Vec<ClientStatus> = clients()
            .iter()
            .map(|client| self.status(client, server, projects, records))
            .collect();
        list.sort_by_key(|status| !status.detected);
        Ok(list)
    }

    fn status(
        &self,
        client: &Client,
        server: &Server,
        projects: &[String],
        records: Records<'_>,
    ) -> ClientStatus {
        let evidence = client.evidence(&self.places);
        let mut targets: Vec<(Scope, Option<&String>, PathBuf)> = client
            .user_files(&self.places)
            .into_iter()
            .map(|path| (Scope::User, None, path))
            .collect();
        targets.extend(projects.iter().filter_map(|project| {
            let path = client.project_file(Path::new(project))?;
            Some((Scope::Project, Some(project), path))
        }));
        let placements = targets.into_iter().map(|(scope, project, path)| {
            let step =
                Journal::last_step(records.rows, &client.id, scope, project.map(String::as_str));
            let mut placement = placement(client, server, &path);
            placement.scope = scope;
            placement.project = project.cloned();
            placement.can_undo = step.is_some();
            placement
        });
        ClientStatus {
            id: client.id.clone(),
            name: client.name.clone(),
            tier: client.tier,
            detected: !evidence.is_empty(),
            placements: placements.collect(),
            has_project_scope: client.project_file(Path::new("")).is_some(),
            connected: verify::newest(client, records.connections),
            restart: client.restart.clone(),
            source: client.source.clone(),
            verified: client.verified.clone(),
            evidence,
        }
    }

    /// Returns three ticks for each file of a client that should hold our entry: the file, the
    /// server that it starts, the client that has been heard. What is not this program and was not
    /// agreed to is not started.
    ///
    /// # Errors
    ///
    /// `UnknownClient`, `NoSuchScope`, `NoProject`.
    pub fn verify(&self, request: &VerifyRequest<'_>) -> Result<Vec<Verification>, AgentsError> {
        let client = client(request.client)?;
        let files = self.files(client, request.scope, request.project)?;
        let working_directory = self.working_directory(request);
        let verified = files.iter().map(|path| Verification {
            client: client.id.clone(),
            name: client.name.clone(),
            path: path.to_string_lossy().into_owned(),
            ticks: verify::ticks(client, path, working_directory, request),
        });
        Ok(verified.collect())
    }

    /// Programs that [`Setup::verify`] would have to start and does not, for they are not this one and
    /// nobody agreed to them: each as it would be typed.
    ///
    /// # Errors
    ///
    /// As `verify`.
    pub fn other_programs(&self, request: &VerifyRequest<'_>) -> Result<Vec<String>, AgentsError> {
        let client = client(request.client)?;
        let files = self.files(client, request.scope, request.project)?;
        let others = files
            .iter()
            .filter_map(|path| verify::other_program(client, path, request));
        Ok(others.collect())
    }

    fn working_directory<'a>(&'a self, request: &'a VerifyRequest<'_>) -> &'a Path {
        request
            .project
            .map_or(self.places.home.as_path(), Path::new)
    }

    /// The files of a scope that hold servers.
    fn files(
        &self,
        client: &Client,
        scope: Scope,
        project: Option<&str>,
    ) -> Result<Vec<PathBuf>, AgentsError> {
        let no_file = || AgentsError::NoSuchScope {
            client: client.name.clone(),
            scope: scope.name(),
            other: match scope {
                Scope::User => "project",
                Scope::Project => "user",
            },
        };
        match scope {
            Scope::User => {
                let files = client.user_files(&self.places);
                if files.is_empty() {
                    Err(no_file())
                } else {
                    Ok(files)
                }
            }
            Scope::Project => {
                let project = Path::new(project.ok_or(AgentsError::NoProject)?);
                let file = client.project_file(project).ok_or_else(no_file)?;
                Ok(vec![file])
            }
        }
    }
}

/// A text with an entry put where its servers lie.
pub(crate) fn put(client: &Client, text: &str, entry: &Entry) -> Result<String, Broken> {
    let slot = slot(client, text);
    match &client.nested {
        Some(nested) if slot.key == nested.key => slot.put(text, &entry.without(&nested.without)),
        _ => slot.put(text, entry),
    }
}

fn placement(client: &Client, server: &Server, path: &Path) -> Placement {
    let (state, note, profile) = state(client, server, path);
    Placement {
        scope: Scope::User,
        project: None,
        path: path.to_string_lossy().into_owned(),
        state,
        note,
        profile,
        can_undo: false,
    }
}

fn state(
    client: &Client,
    server: &Server,
    path: &Path,
) -> (PlacementState, String, Option<ServerProfile>) {
    let broken = |note: String| (PlacementState::Broken, note, None);
    let text = match text_of(path) {
        Ok(text) => text.unwrap_or_default(),
        Err(error) => return broken(error.parts().0),
    };
    let entry = match slot(client, &text).read(&text) {
        Ok(Some(entry)) => entry,
        Ok(None) => return (PlacementState::NotSet, "not set up".to_owned(), None),
        Err(place) => return broken(format!("line {}: {}", place.line, place.reason)),
    };
    let Some(held) = started_by(client, &entry) else {
        let note = "its entry starts no program".to_owned();
        return (PlacementState::Outdated, note, None);
    };
    let profile = Some(ServerProfile::of_arguments(&held.args));
    if held.command != server.command {
        let gone = if Path::new(&held.command).is_file() {
            ""
        } else {
            ", which is gone"
        };
        let note = format!("starts {}{gone}", held.command);
        return (PlacementState::Outdated, note, profile);
    }
    let lacks = server.env.iter().find(|field| !held.env.contains(field));
    if let Some((name, _)) = lacks {
        let note = format!("starts without this {name}");
        return (PlacementState::Outdated, note, profile);
    }
    (PlacementState::Set, "set up".to_owned(), profile)
}
