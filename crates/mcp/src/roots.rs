//! The folders that a client has open, as it names them (`file:` addresses), and the repositories that
//! they stand for where the session's own folder is in none.

use parking_lot::{Mutex, MutexGuard};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{CallToolRequestParams, ClientConfig};
use rmcp::service::Peer;
use serde_json::Value;
use tokio::sync::MutexGuard as AsyncGuard;
use whyrank_engine::Engine;

/// What a client gets to say which folders it has open, and how often it may leave that unsaid.
const PATIENCE: Duration = Duration::from_secs(3);
const MOST_UNANSWERED: u8 = 3;
/// Roots beyond these stand for nothing: each is indexed and followed.
const MAX_STAND_INS: usize = 16;

/// Returns the folder that a `file:` address names on this machine.
pub(crate) fn folder_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = if cfg!(windows) {
        path.strip_prefix('/').unwrap_or(path)
    } else {
        path
    };
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            byte => byte,
        });
    }
    let path = PathBuf::from(String::from_utf8(bytes).ok()?);
    path.is_absolute().then_some(path)
}

/// Names that a call gives of its repositories.
pub(crate) fn named_repos(request: &CallToolRequestParams) -> Vec<String> {
    let named = request.arguments.as_ref().and_then(|args| args.get("repo"));
    match named {
        Some(Value::Array(items)) => {
            let items = items.iter().filter_map(Value::as_str);
            items.map(str::to_owned).collect()
        }
        Some(Value::String(text)) => {
            let parts = text.split(',').map(str::trim);
            parts.chain([text.as_str()]).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

/// The question which folders the client has open, asked once at a time.
#[derive(Default)]
pub(crate) struct RootsQuestion(tokio::sync::Mutex<Asked>);

/// How far the question has come.
#[derive(Default)]
pub(crate) struct Asked {
    is_settled: bool,
    n_unanswered: u8,
}

impl RootsQuestion {
    /// Waits until nobody asks.
    pub(crate) async fn turn(&self) -> AsyncGuard<'_, Asked> {
        self.0.lock().await
    }
}

impl Asked {
    /// Whether asking again would tell no more, short of a change that the client announces.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Asks the client; `None` from one that does not say.
    #[expect(deprecated, reason = "clients of today say so what they have open")]
    pub(crate) async fn ask(&mut self, client: &Peer<RoleServer>) -> Option<Vec<PathBuf>> {
        if !has_roots(client) {
            self.is_settled = true;
            return None;
        }
        let listed = tokio::time::timeout(PATIENCE, client.list_roots()).await;
        self.n_unanswered = self.n_unanswered.saturating_add(u8::from(listed.is_err()));
        self.is_settled = listed.is_ok() || self.n_unanswered >= MOST_UNANSWERED;
        let listed = listed.ok()?.ok()?;
        let folders = listed.roots.iter().filter_map(|root| folder_of(&root.uri));
        Some(folders.collect())
    }
}

/// Says whether a client can tell which folders it has open.
pub(crate) fn has_roots(client: &Peer<RoleServer>) -> bool {
    let has_roots = |info: &ClientConfig| info.capabilities.roots.is_some();
    client.peer_info().as_deref().is_some_and(has_roots)
}

/// The repositories of calls that name none: the one around the session's folder, or those of the
/// client's roots.
#[derive(Default)]
pub(crate) struct UnnamedRepo {
    /// A path, a name or an id; empty for none.
    folder: String,
    /// The person's home folder: it is never registered unasked, nor is the folder around it.
    home: Option<PathBuf>,
    /// Roots of working trees.
    stand_ins: Mutex<Vec<String>>,
}

impl UnnamedRepo {
    pub(crate) fn new(folder: String) -> Self {
        Self {
            folder,
            ..Self::default()
        }
    }

    #[must_use]
    pub(crate) fn away_from(self, home: Option<&Path>) -> Self {
        let home = home.and_then(|home| home.canonicalize().ok());
        Self { home, ..self }
    }

    /// The same for a client of whose roots nothing is known.
    pub(crate) fn of_another_client(&self) -> Self {
        Self {
            folder: self.folder.clone(),
            home: self.home.clone(),
            stand_ins: Mutex::default(),
        }
    }

    /// Says whether a path without links lies in the session's folder; not in one that holds all of a person's.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        let Ok(folder) = Path::new(&self.folder).canonicalize() else {
            return false;
        };
        let home = self.home.as_ref();
        let is_all =
            folder.parent().is_none() || home.is_some_and(|home| home.starts_with(&folder));
        path.starts_with(&folder) && (!is_all || path == folder)
    }

    /// The session's folder, whatever stands for it.
    pub(crate) fn folder(&self) -> &str {
        &self.folder
    }

    /// Selects the one repository that is meant, the first of several.
    pub(crate) fn selector(&self) -> String {
        let first = self.stand_ins().first().cloned();
        first.unwrap_or_else(|| self.folder.clone())
    }

    /// Selects those that are meant, where they are more than one.
    pub(crate) fn several(&self) -> Option<Vec<String>> {
        let stand_ins = self.stand_ins();
        (stand_ins.len() > 1).then(|| stand_ins.clone())
    }

    /// Whether the folder is there and is no repository that may be served, so that roots are needed.
    pub(crate) fn needs_roots(&self, engine: &Engine) -> bool {
        let folder = Path::new(&self.folder);
        let is_there = !self.folder.is_empty() && folder.exists();
        is_there && self.served_root(engine, folder).is_none()
    }

    /// Lets the repositories around folders stand for the session's, in place of earlier ones.
    pub(crate) fn stand_in(&self, engine: &Engine, folders: &[PathBuf]) -> Vec<String> {
        let mut roots = Vec::new();
        for folder in folders.iter().take(MAX_STAND_INS) {
            let root = self.served_root(engine, folder);
            let root = root.and_then(|root| root.to_str().map(str::to_owned));
            roots.extend(root.filter(|root| !roots.contains(root)));
        }
        self.stand_ins().clone_from(&roots);
        roots
    }

    /// Whether a path lies in no repository but one that holds the home folder, which nobody registered.
    pub(crate) fn is_home(&self, engine: &Engine, path: &Path) -> bool {
        let Some(home) = &self.home else { return false };
        let root = engine.root_around(path);
        root.is_some_and(|root| home.starts_with(&root) && !is_registered(engine, &root))
    }

    fn served_root(&self, engine: &Engine, folder: &Path) -> Option<PathBuf> {
        let root = engine.root_around(folder)?;
        (!self.is_home(engine, &root)).then_some(root)
    }

    fn stand_ins(&self) -> MutexGuard<'_, Vec<String>> {
        self.stand_ins.lock()
    }
}

fn is_registered(engine: &Engine, root: &Path) -> bool {
    let known = root.to_str().map(|root| engine.known_repo(root));
    matches!(known, Some(Ok(Some(_))))
}
