//! What was written where, and what was there before: the memory behind undo.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::api::Scope;
use crate::error::AgentsError;
use crate::files::{self, Audience};

/// Steps kept; older ones that were undone go first.
const MOST_ROWS: usize = 500;

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JournalRow {
    /// The same for all files of one step.
    pub(crate) step: u64,
    /// Seconds since the epoch.
    pub(crate) at: u64,
    pub(crate) client: String,
    pub(crate) scope: Scope,
    pub(crate) project: Option<String>,
    /// `server`, `permissions`, `hooks`, `skill`, `instructions`.
    pub(crate) about: String,
    /// The file itself, links followed.
    pub(crate) path: PathBuf,
    pub(crate) before: String,
    pub(crate) after: String,
    /// Where the bytes before lie; none where there was no file.
    pub(crate) backup: Option<PathBuf>,
    /// Folders that were made for it, outermost first.
    pub(crate) made: Vec<PathBuf>,
    /// Items that were added to a list of permissions.
    #[serde(default)]
    pub(crate) items: Vec<String>,
    pub(crate) undone: bool,
}

#[derive(Default, Serialize, Deserialize)]
struct JournalRows {
    rows: Vec<JournalRow>,
}

/// The journal and the backups, in one folder.
pub(crate) struct Journal {
    folder: PathBuf,
}

impl Journal {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.join("journal.json")
    }

    pub(crate) fn rows(&self) -> Result<Vec<JournalRow>, AgentsError> {
        let path = self.file();
        let Some(bytes) = files::read(&path)? else {
            return Ok(Vec::new());
        };
        let rows: JournalRows =
            serde_json::from_slice(&bytes).map_err(|error| AgentsError::Journal {
                path,
                reason: error.to_string(),
            })?;
        Ok(rows.rows)
    }

    /// Changes the rows while no other process does.
    pub(crate) fn change<T>(
        &self,
        change: impl FnOnce(&mut Vec<JournalRow>) -> Result<T, AgentsError>,
    ) -> Result<T, AgentsError> {
        let failed = |error| AgentsError::write(&self.folder, error);
        fs::create_dir_all(&self.folder).map_err(failed)?;
        let lock = File::create(self.folder.join("lock")).map_err(failed)?;
        lock.lock().map_err(failed)?;
        let mut rows = self.rows()?;
        let outcome = change(&mut rows);
        // What was written before something failed is in the rows, and has to stay known.
        self.write(&mut rows)?;
        outcome
    }

    fn write(&self, rows: &mut Vec<JournalRow>) -> Result<(), AgentsError> {
        while rows.len() > MOST_ROWS {
            let oldest = rows.iter().position(|row| row.undone).unwrap_or(0);
            let row = rows.remove(oldest);
            if let Some(backup) = &row.backup {
                let _ = fs::remove_file(backup);
            }
        }
        let path = self.file();
        let before = files::hash(files::read(&path)?.as_deref());
        let text =
            serde_json::to_vec_pretty(&JournalRows { rows: rows.clone() }).unwrap_or_default();
        files::replace(&path, &text, &before, Audience::User).map(drop)
    }

    /// Keeps bytes: `backups/<client>/<seconds>-<hash>`.
    pub(crate) fn back_up(
        &self,
        client: &str,
        at: u64,
        bytes: &[u8],
    ) -> Result<PathBuf, AgentsError> {
        let name = format!("{at}-{}", &files::hash(Some(bytes))[..8]);
        let path = self.folder.join("backups").join(client).join(name);
        if !path.exists() {
            files::replace(&path, bytes, "", Audience::User)?;
        }
        Ok(path)
    }

    /// The newest step of a client in a scope that was not taken back.
    pub(crate) fn last_step(
        rows: &[JournalRow],
        client: &str,
        scope: Scope,
        project: Option<&str>,
    ) -> Option<u64> {
        let of_target = |row: &&JournalRow| {
            !row.undone
                && row.client == client
                && row.scope == scope
                && (scope == Scope::User || row.project.as_deref() == project)
        };
        rows.iter().filter(of_target).map(|row| row.step).max()
    }
}

/// Removes folders that were made and are empty again, innermost first.
pub(crate) fn remove_folders(made: &[PathBuf]) {
    for folder in made.iter().rev() {
        if fs::remove_dir(Path::new(folder)).is_err() {
            break;
        }
    }
}
