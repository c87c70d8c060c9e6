//! What can go wrong, in words that say what to do.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Why a client could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum AgentsError {
    /// No such client.
    #[error("no client named `{id}`; {}", self.hint())]
    UnknownClient {
        /// What was asked for.
        id: String,
        /// All there are.
        known: String,
    },
    /// The client has no file for this scope.
    #[error("{client} has no configuration for a {scope}; {}", self.hint())]
    NoSuchScope {
        /// Its name.
        client: String,
        /// `user` or `project`.
        scope: &'static str,
        /// The other one.
        other: &'static str,
    },
    /// Project scope without a project.
    #[error("the project scope needs a folder; {}", self.hint())]
    NoProject,
    /// The file is broken; it is left as it is.
    #[error("{path}:{line}: {reason}; {}", self.hint())]
    Unparsable {
        /// The file.
        path: PathBuf,
        /// Where it breaks, from 1.
        line: usize,
        /// Why.
        reason: String,
        /// What to paste.
        snippet: String,
    },
    /// It cannot be read.
    #[error("cannot read {path}: {source}; {}", self.hint())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It cannot be written.
    #[error("cannot write {path}: {source}; {}", self.hint())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file of a project that leads out of it.
    #[error("{path} leads out of the project, to {target}; {}", self.hint())]
    LeadsOut {
        /// The file.
        path: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// It is marked read-only.
    #[error("{path} is read-only; {}", self.hint())]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// What to paste.
        snippet: String,
    },
    /// Another program holds it.
    #[error("{path} is locked by another program; {}", self.hint())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// No configuration is that large.
    #[error("{path} has {bytes} bytes, more than a configuration has; {}", self.hint())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// Somebody wrote it between plan and write.
    #[error("{path} changed in the meantime; {}", self.hint())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A folder or a file that Whyrank did not write.
    #[error("{path} is somebody else's; {}", self.hint())]
    NotOurs {
        /// Where.
        path: PathBuf,
    },
    /// There is nothing to take back.
    #[error("nothing to undo for {client}")]
    NothingToUndo {
        /// Its name.
        client: String,
    },
    /// The program that agents would start is not there.
    #[error("{path} is not there; {}", self.hint())]
    NoProgram {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The journal is damaged.
    #[error("the journal {path} cannot be read: {reason}; {}", self.hint())]
    Journal {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

impl AgentsError {
    /// Says what to do about it.
    pub fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::NoProject => "name one with --project",
            Self::Read { .. } => "check its permissions",
            Self::Write { .. } => "check the permissions and the free space there",
            Self::LeadsOut { .. } => "replace the link by a file, or set up the user scope",
            Self::Locked { .. } => "close that and try again",
            Self::TooLarge { .. } => "it is left as it is",
            Self::Changed { .. } => "look at the plan again",
            Self::NotOurs { .. } => "name a new or empty folder",
            Self::NoProgram { .. } => "install the `whyrank` command line beside the window",
            Self::Journal { .. } => "move it away, backups are beside it",
            Self::UnknownClient { known, .. } => return format!("known are {known}").into(),
            Self::NoSuchScope { other, .. } => return format!("use the {other} scope").into(),
            Self::Unparsable { snippet, .. } => {
                return format!("the file is left as it is. Fix it, or add by hand:\n{snippet}")
                    .into();
            }
            Self::ReadOnly { snippet, .. } => {
                return format!("make it writable, or add by hand:\n{snippet}").into();
            }
            Self::NothingToUndo { .. } => "",
        };
        hint.into()
    }
}

impl AgentsError {
    /// Returns a stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownClient { .. } | Self::NoSuchScope { .. } | Self::NoProject => {
                "bad-argument"
            }
            Self::Unparsable { .. } => "config-unparsable",
            Self::Read { .. } | Self::Write { .. } | Self::Journal { .. } => "io",
            Self::LeadsOut { .. } => "config-leads-out",
            Self::ReadOnly { .. } => "config-read-only",
            Self::Locked { .. } => "config-locked",
            Self::TooLarge { .. } => "config-too-large",
            Self::Changed { .. } => "config-changed",
            Self::NotOurs { .. } => "not-ours",
            Self::NothingToUndo { .. } => "not-found",
            Self::NoProgram { .. } => "path-missing",
        }
    }

    /// Returns what failed, and what to do.
    pub fn parts(&self) -> (String, String) {
        let (text, hint) = (self.to_string(), self.hint());
        let failed = text.strip_suffix(&*hint).unwrap_or(&text);
        (failed.trim_end_matches("; ").to_owned(), hint.into_owned())
    }

    pub(crate) fn read(path: &Path, source: std::io::Error) -> Self {
        Self::Read {
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn write(path: &Path, source: std::io::Error) -> Self {
        Self::Write {
            path: path.to_owned(),
            source,
        }
    }
}
