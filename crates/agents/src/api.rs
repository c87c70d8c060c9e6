//! What callers exchange with this crate: plain data, the same for window and command line.

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::server::{Server, ServerProfile};

/// Whose agents an entry is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The user's, in every folder: nothing is committed and nobody has to approve it.
    #[default]
    User,
    /// One project's: a file in it, for everybody who works on it.
    Project,
}

impl Scope {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
        }
    }
}

/// What to set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Request {
    /// Id of the client.
    pub client: String,
    /// Scope.
    pub scope: Scope,
    /// Folder of the project, for its scope and for the block of instructions.
    pub project: Option<String>,
    /// What the client starts.
    pub server: Server,
    /// Also put the block of instructions into the project's AGENTS.md.
    #[serde(default)]
    pub instructions: bool,
    /// Also write the skill, where the client reads skills.
    #[serde(default)]
    pub skill: bool,
    /// Also write the hook that tells the agent what its edit broke, where the client has such hooks.
    #[serde(default)]
    pub hooks: bool,
    /// Tools that the client may call without asking; empty for none.
    #[serde(default)]
    pub allowed: Vec<String>,
}

/// One file of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct FileChange {
    /// What it is about: `server`, `permissions`, `hooks`, `skill`, `instructions`.
    pub about: String,
    /// The file.
    pub path: String,
    /// Where it leads, where that is another file.
    pub links_to: Option<String>,
    /// Whether it is there.
    pub exists: bool,
    /// Hash of what it holds now; empty for nothing.
    pub before: String,
    /// Unified diff, secrets hidden; empty when nothing changes.
    pub diff: String,
}

/// What would be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Plan {
    /// Id of the client.
    pub client: String,
    /// Its name.
    pub name: String,
    /// Every file; those that stay as they are have an empty diff.
    pub changes: Vec<FileChange>,
    /// What to know before saying yes.
    pub notes: Vec<String>,
    /// The entry, to paste.
    pub snippet: String,
    /// The client's own command for it, where it has one.
    pub cli: Option<String>,
    /// An address that installs it, where the client has one.
    pub link: Option<String>,
    /// What to do afterwards.
    pub restart: String,
}

/// What was written or taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Applied {
    /// Id of the client.
    pub client: String,
    /// Its name.
    pub name: String,
    /// Files that changed.
    pub files: Vec<String>,
    /// How, and what stays; in words.
    pub notes: Vec<String>,
    /// What to do now.
    pub restart: String,
}

/// What a client's file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum PlacementState {
    /// Without our entry.
    NotSet,
    /// With it, and it starts the program that is here.
    Set,
    /// With one that starts something else.
    Outdated,
    /// It does not parse.
    Broken,
}

/// A file of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Placement {
    /// Scope.
    pub scope: Scope,
    /// Folder of the project.
    pub project: Option<String>,
    /// The file.
    pub path: String,
    /// State.
    pub state: PlacementState,
    /// State in words.
    pub note: String,
    /// Profile that the entry asks for.
    pub profile: Option<ServerProfile>,
    /// Whether the last step can be taken back.
    pub can_undo: bool,
}

/// A client that said hello to a server of ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Connection {
    /// The name it gave.
    pub name: String,
    /// The version it gave.
    pub version: String,
    /// When it was last heard, in seconds since the epoch.
    pub at: f64,
}

/// A client and how it is set up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct ClientStatus {
    /// Id.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// 1 or 2.
    pub tier: u8,
    /// Whether it was found on this machine.
    pub detected: bool,
    /// By what.
    pub evidence: Vec<String>,
    /// Its files: the user's, then one for each project asked about.
    pub placements: Vec<Placement>,
    /// Whether it has a file for projects.
    pub has_project_scope: bool,
    /// Its last connection.
    pub connected: Option<Connection>,
    /// What to do so that it sees a new entry.
    pub restart: String,
    /// Where its configuration is documented.
    pub source: String,
    /// When that was last looked at.
    pub verified: String,
}

/// What to verify, and what may be started for it.
#[derive(Clone, Copy, Debug)]
pub struct VerifyRequest<'a> {
    /// Id of the client.
    pub client: &'a str,
    /// Scope.
    pub scope: Scope,
    /// Folder of the project, for its scope.
    pub project: Option<&'a str>,
    /// The clients heard of so far.
    pub connections: &'a [Connection],
    /// What an entry of ours starts: this program.
    pub ours: &'a Server,
    /// Other programs that the person was shown and agreed to, as [`Setup::other_programs`] has them.
    ///
    /// [`Setup::other_programs`]: crate::Setup::other_programs
    pub agreed: &'a [String],
}

/// How a step of verification went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum TickState {
    /// Done.
    Ok,
    /// Failed.
    Failed,
    /// Not yet, and it is not up to us.
    Waiting,
    /// Not tried, because an earlier step failed.
    Skipped,
}

/// A step of verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Tick {
    /// `file`, `server`, `client`.
    pub step: String,
    /// State.
    pub state: TickState,
    /// What was found.
    pub message: String,
    /// What to do, where there is something.
    pub fix: String,
}

/// The three ticks of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Verification {
    /// Id of the client.
    pub client: String,
    /// Its name.
    pub name: String,
    /// The file looked at.
    pub path: String,
    /// File, server, client.
    pub ticks: Vec<Tick>,
}
