//! What is known of each client: `clients.toml`, read once.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::error::AgentsError;
use crate::places::{Os, Places};

/// How a client writes its configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ConfigFormat {
    Json,
    Jsonc,
    Toml,
    Yaml,
}

/// Paths by operating system; `all` covers every system that is not named.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ByOs {
    all: Vec<String>,
    linux: Vec<String>,
    macos: Vec<String>,
    windows: Vec<String>,
}

impl ByOs {
    fn of(&self, os: Os) -> &[String] {
        let named = match os {
            Os::Linux => &self.linux,
            Os::Macos => &self.macos,
            Os::Windows => &self.windows,
        };
        if named.is_empty() { &self.all } else { named }
    }
}

/// A list of permissions that the client keeps apart from its servers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Allow {
    /// Template of the user's file.
    pub(crate) user: String,
    /// Path in a project.
    pub(crate) project: String,
    /// Keys that lead to the list.
    pub(crate) key: Vec<String>,
    /// An item, with `{tool}`.
    pub(crate) item: String,
}

/// A list of groups of hooks that the client runs after an edit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hooks {
    /// Template of the user's file.
    pub(crate) user: String,
    /// Path in a project.
    pub(crate) project: String,
    /// Keys that lead to the list.
    pub(crate) key: Vec<String>,
    /// The tools that edit.
    pub(crate) matcher: String,
}

/// Another place for servers in the same file, and fields of an entry that are not known there.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nested {
    /// Keys that lead to the servers.
    pub(crate) key: Vec<String>,
    /// Fields to leave out.
    pub(crate) without: Vec<String>,
}

/// The place of our skill in a folder of skills.
const SKILL: &str = "whyrank/SKILL.md";

/// Folders of skills.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Skills {
    /// Template of the user's folder.
    user: String,
    /// Path in a project.
    project: String,
}

/// A coding agent.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// Stable id: `claude-code`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// 1 for those that are tested first, 2 for the others.
    pub tier: u8,
    /// Beginnings of the name that it says hello with, lower case.
    pub hello: Vec<String>,
    /// Paths and programs (`bin:`) that show that it is installed.
    pub(crate) detect: Vec<String>,
    pub(crate) format: ConfigFormat,
    /// Keys that lead to the servers.
    pub(crate) key: Vec<String>,
    /// Fields of an entry in order; `$command`, `$args`, `$argv` and `$env` are filled in.
    pub(crate) entry: Vec<(String, toml::Value)>,
    /// The user's file: the first that exists, else the first.
    user: ByOs,
    /// Files that are written too, where they exist.
    #[serde(default)]
    also: ByOs,
    /// The same in a project; empty where the client has none.
    project: Vec<String>,
    /// Folders of its skills, if it reads any.
    pub(crate) skills: Option<Skills>,
    /// What to do so that it sees the entry.
    pub restart: String,
    /// Address that installs the entry with a click.
    pub(crate) link: Option<String>,
    /// Its own command for the same.
    pub(crate) cli: Option<String>,
    /// Its file of instructions, where that is not AGENTS.md.
    pub(crate) rules: Option<String>,
    pub(crate) allow: Option<Allow>,
    /// Its hooks, where they take what `whyrank hook` says.
    pub(crate) hooks: Option<Hooks>,
    /// Where newer versions keep servers; written there in files that have it already.
    pub(crate) nested: Option<Nested>,
    /// Field of an entry that lists tools which need no approval.
    pub(crate) allow_field: Option<String>,
    /// Where this is documented.
    pub source: String,
    /// When that was last looked at.
    pub verified: String,
}

#[derive(Deserialize)]
struct ClientTable {
    client: Vec<Client>,
}

/// Returns all clients, tier 1 first.
pub fn clients() -> &'static [Client] {
    static CLIENTS: LazyLock<Vec<Client>> = LazyLock::new(|| {
        let table: ClientTable =
            toml::from_str(include_str!("../clients.toml")).expect("a test reads the same bytes");
        table.client
    });
    &CLIENTS
}

/// A client by id.
pub(crate) fn client(id: &str) -> Result<&'static Client, AgentsError> {
    let found = clients().iter().find(|client| client.id == id);
    found.ok_or_else(|| {
        let known: Vec<&str> = clients().iter().map(|client| client.id.as_str()).collect();
        AgentsError::UnknownClient {
            id: id.to_owned(),
            known: known.join(", "),
        }
    })
}

impl Client {
    /// The user's files: the one, and those that are kept in step with it.
    pub(crate) fn user_files(&self, places: &Places) -> Vec<PathBuf> {
        let candidates = self.user.of(places.os).iter();
        let first = first_existing(candidates.map(|template| places.expand(template)));
        let also = self.also.of(places.os).iter();
        let also = also
            .map(|template| places.expand(template))
            .filter(|path| path.is_file());
        first.into_iter().chain(also).collect()
    }

    /// A project's file, where the client has one.
    pub(crate) fn project_file(&self, project: &Path) -> Option<PathBuf> {
        first_existing(self.project.iter().map(|path| project.join(path)))
    }

    /// The file of our skill: the project's, or the user's. None where the client reads no skills.
    pub(crate) fn skill_file(&self, places: &Places, project: Option<&Path>) -> Option<PathBuf> {
        let skills = self.skills.as_ref()?;
        let folder = match project {
            Some(project) => project.join(&skills.project),
            None => places.expand(&skills.user),
        };
        Some(folder.join(SKILL))
    }

    /// What shows that it is installed.
    pub(crate) fn evidence(&self, places: &Places) -> Vec<String> {
        let found = self.detect.iter().filter_map(|sign| {
            let path = match sign.strip_prefix("bin:") {
                Some(program) => places.program(program)?,
                None => places.expand(sign),
            };
            path.exists().then(|| path.to_string_lossy().into_owned())
        });
        found.collect()
    }

    /// Says whether a client that says hello with this name is this one: the one that knows most of
    /// the name, for the names of some begin with those of others.
    pub fn says_hello_as(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let most = clients().iter().map(|client| client.known_of(&name)).max();
        let known = self.known_of(&name);
        known > 0 && most == Some(known)
    }

    /// How many characters of a name, from its beginning, are this client's.
    fn known_of(&self, name: &str) -> usize {
        let starts = self
            .hello
            .iter()
            .filter(|start| name.starts_with(start.as_str()));
        starts.map(String::len).max().unwrap_or(0)
    }
}

fn first_existing(candidates: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
    let candidates: Vec<PathBuf> = candidates.collect();
    let existing = candidates.iter().find(|path| path.exists());
    existing.or(candidates.first()).cloned()
}
