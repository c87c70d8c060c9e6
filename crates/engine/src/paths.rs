//! Where the engine keeps things.

use crate::error::{EngineError, Result};
use std::env;
use std::path::{Path, PathBuf};

/// Most bytes of a settings file: far more than all settings with a comment each.
pub(crate) const MAX_FILE_BYTES: u64 = 1 << 20;
/// The largest list of repositories or workspaces that is read: some 100,000 of them.
pub(crate) const MAX_LIST_BYTES: u64 = 64 << 20;

/// Where the engine keeps things.
#[derive(Clone, Debug)]
pub struct EnginePaths {
    /// Indexes, models, registered repositories.
    pub data_dir: PathBuf,
    /// The settings file.
    pub config_file: PathBuf,
    /// Traces and logs.
    pub state_dir: PathBuf,
    /// Models; several data folders may share one.
    pub models_dir: PathBuf,
}

impl EnginePaths {
    /// Returns the platform's folders, or all below `WHYRANK_HOME` where it is set.
    ///
    /// # Errors
    /// `no-home` when neither `WHYRANK_HOME` nor a home directory is known; `relative-home` where it is not
    /// the whole path of a folder.
    pub fn from_env() -> Result<Self> {
        if let Some(home) = variable("WHYRANK_HOME") {
            return Ok(Self::below(whole("WHYRANK_HOME", &home)?));
        }
        let home = said_home().ok_or_else(EngineError::no_home)?;
        Ok(Self::of_platform(whole("HOME", &home)?))
    }

    /// Puts everything below one folder.
    pub fn below(home: &Path) -> Self {
        Self {
            data_dir: home.join("data"),
            config_file: home.join("config").join("config.toml"),
            state_dir: home.join("state"),
            models_dir: home.join("data").join("models"),
        }
    }

    #[cfg(target_os = "macos")]
    fn of_platform(home: &Path) -> Self {
        let support = home.join("Library/Application Support/whyrank");
        Self {
            config_file: support.join("config.toml"),
            state_dir: home.join("Library/Logs/whyrank"),
            models_dir: support.join("models"),
            data_dir: support,
        }
    }

    #[cfg(windows)]
    fn of_platform(home: &Path) -> Self {
        let base = |name: &str, fallback: &str| {
            variable(name)
                .filter(|path| path.is_absolute())
                .unwrap_or_else(|| home.join(fallback))
        };
        let local = base("LOCALAPPDATA", "AppData/Local");
        let roaming = base("APPDATA", "AppData/Roaming");
        Self {
            models_dir: local.join("whyrank").join("data").join("models"),
            data_dir: local.join("whyrank").join("data"),
            config_file: roaming.join("whyrank").join("config.toml"),
            state_dir: local.join("whyrank").join("state"),
        }
    }

    #[cfg(not(any(target_os = "macos", windows)))]
    fn of_platform(home: &Path) -> Self {
        let base = |name: &str, fallback: &str| {
            variable(name)
                .filter(|path| path.is_absolute())
                .unwrap_or_else(|| home.join(fallback))
        };
        let data_dir = base("XDG_DATA_HOME", ".local/share").join("whyrank");
        Self {
            models_dir: data_dir.join("models"),
            data_dir,
            config_file: base("XDG_CONFIG_HOME", ".config")
                .join("whyrank")
                .join("config.toml"),
            state_dir: base("XDG_STATE_HOME", ".local/state").join("whyrank"),
        }
    }

    pub(crate) fn stores_dir(&self) -> PathBuf {
        self.data_dir.join("stores")
    }
}

/// The person's home folder, wherever Whyrank keeps its own things.
pub fn home_dir() -> Option<PathBuf> {
    said_home().filter(|home| home.is_absolute())
}

fn said_home() -> Option<PathBuf> {
    variable("HOME").or_else(|| variable("USERPROFILE"))
}

/// A relative home would be another one in each folder, and lie in a repository.
fn whole<'a>(name: &str, home: &'a Path) -> Result<&'a Path> {
    if home.is_absolute() {
        return Ok(home);
    }
    Err(EngineError::new(
        "relative-home",
        format!("{name} is `{}`, which is no absolute path", home.display()),
        "set it to the whole path of a folder",
    ))
}

fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// A folder's last part, for messages.
pub(crate) fn folder_name(path: &Path) -> String {
    path.file_name().map_or_else(
        || path.to_string_lossy().into_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}
