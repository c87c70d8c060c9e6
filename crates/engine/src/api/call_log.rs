//! The log of what agents asked.

use super::{QueryId, ReasonCount, RepoId};
use serde::{Deserialize, Serialize};
use specta::Type;

/// A client that says hello to a server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct ClientHello {
    /// Name as it gives it.
    pub name: String,
    /// Version as it gives it.
    pub version: String,
    /// `stdio` or `http`.
    pub transport: String,
}

/// A call as a server hands it over; secrets are hidden already.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CallRecord {
    /// Who asked.
    pub client: ClientHello,
    /// Id of the server's run: the calls of one are a session.
    pub session: String,
    /// The tool.
    pub tool: String,
    /// Its arguments as JSON.
    pub args: String,
    /// The one repository that was asked; `None` where none or several were.
    pub repo: Option<RepoId>,
    /// Milliseconds.
    pub ms: f64,
    /// Tokens of the answer.
    pub tokens: u32,
    /// Places in the answer.
    pub hits: u32,
    /// Id of the trace, where there is one.
    pub query_id: Option<QueryId>,
    /// Code of the error, where there is one.
    pub error: Option<String>,
    /// The answer as the agent saw it.
    pub text: String,
}

/// Asks for calls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(default)]
pub struct CallsRequest {
    /// Only of clients whose name contains this.
    pub client: String,
    /// Only of this tool.
    pub tool: String,
    /// Only of this session.
    pub session: String,
    /// Only older than this id; 0 for the newest.
    pub before: u32,
    /// Calls at most; 0 for 100.
    pub limit: u32,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct CallLine {
    /// Rising with time.
    pub id: u32,
    /// Milliseconds since the epoch.
    pub at_ms: f64,
    /// Client.
    pub client: String,
    /// Its version.
    pub client_version: String,
    /// `stdio` or `http`.
    pub transport: String,
    /// Session.
    pub session: String,
    /// Tool.
    pub tool: String,
    /// Arguments as JSON, secrets hidden.
    pub args: String,
    /// The one repository that was asked; `None` where none or several were, and in calls that older
    /// versions kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<RepoId>,
    /// Milliseconds.
    pub ms: f64,
    /// Tokens of the answer.
    pub tokens: u32,
    /// Places in the answer.
    pub hits: u32,
    /// Id of the trace, where there is one.
    pub query_id: Option<QueryId>,
    /// Code of the error, where there is one.
    pub error: Option<String>,
}

/// A call with its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct CallDetail {
    /// The call.
    pub line: CallLine,
    /// The answer as the agent saw it; empty where it is no longer kept.
    pub text: String,
}

/// A session of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct CallSessionName {
    /// The client's name.
    pub client: String,
    /// The session's id.
    pub id: String,
}

/// Sums over calls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct CallTotals {
    /// Of what, for people: a client, a client and its session; empty for all.
    pub name: String,
    /// The session, where they are one's.
    pub session: Option<CallSessionName>,
    /// Calls.
    pub calls: u32,
    /// Calls that failed.
    pub failed: u32,
    /// Tokens of their answers.
    pub tokens: f64,
    /// Median of milliseconds.
    pub p50_ms: f64,
    /// 95th percentile.
    pub p95_ms: f64,
    /// When the last was, in milliseconds since the epoch.
    pub last_ms: f64,
}

/// The newest calls, and sums over all that are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct CallLog {
    /// Whether calls are kept.
    pub is_on: bool,
    /// Newest first.
    pub calls: Vec<CallLine>,
    /// Of all that are kept and fit the request.
    pub total: CallTotals,
    /// Of the last 24 hours.
    pub day: CallTotals,
    /// By client, the one that was heard last first.
    pub clients: Vec<CallTotals>,
    /// By session, newest first; twenty at most. The name is the client's, then the session's.
    pub sessions: Vec<CallTotals>,
}

/// A place that an answer showed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
pub struct ShownPlace {
    /// Path in the repository.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
}

/// A call of a session with the places that its answer showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct SessionCall {
    /// The call.
    pub line: CallLine,
    /// Places in the answer, in its order; `None` where the answer is no longer kept.
    pub shown: Option<Vec<ShownPlace>>,
}

/// A session of an agent: one run of a server, call by call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct CallSession {
    /// Oldest first; the newest 500.
    pub calls: Vec<SessionCall>,
    /// Of all its calls that are kept.
    pub total: CallTotals,
    /// Milliseconds that the agent waited for answers.
    pub waited_ms: f64,
    /// Files that answers showed, those of most calls first, with how many showed each.
    pub files: Vec<ReasonCount>,
}

/// A client that has been heard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct HeardClient {
    /// Name as it gives it.
    pub name: String,
    /// Version of the last time.
    pub version: String,
    /// `stdio` or `http`.
    pub transport: String,
    /// Seconds since the epoch.
    pub at: f64,
}
