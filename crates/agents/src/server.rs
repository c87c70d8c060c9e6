//! What agents are told to start.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use specta::Type;

use crate::error::AgentsError;
use crate::places::{Os, Places};
use crate::quoting::shell_word;

/// The name of our entry.
pub const NAME: &str = "whyrank";

/// A named subset of the tools.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum ServerProfile {
    Core,
    #[default]
    Standard,
    Full,
}

impl ServerProfile {
    /// Returns the name that a command line takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Standard => "standard",
            Self::Full => "full",
        }
    }

    /// Returns the profile of a name; none for any other.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Core, Self::Standard, Self::Full];
        all.into_iter().find(|profile| profile.name() == name)
    }

    /// The profile that the arguments of an entry ask for.
    pub(crate) fn of_arguments(args: &[String]) -> Self {
        let after = args.iter().skip_while(|arg| *arg != "--profile").nth(1);
        let joined = args.iter().find_map(|arg| arg.strip_prefix("--profile="));
        let name = after.map(String::as_str).or(joined);
        name.and_then(Self::named).unwrap_or_default()
    }
}

/// A command with its arguments and environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Server {
    /// Absolute path of the program: clients with a window lack the shell's search path.
    pub command: String,
    /// Arguments.
    pub args: Vec<String>,
    /// Variables to set.
    pub env: Vec<(String, String)>,
}

impl Server {
    /// Returns the server of the running program (`whyrank`, or the window beside it).
    ///
    /// `WHYRANK_HOME` goes along where it is set, so that the server finds the same index.
    ///
    /// # Errors
    ///
    /// `NoProgram` when no `whyrank` lies beside the program, nor in `~/.local/bin` for a program
    /// whose own path changes with every start.
    pub fn beside(
        running: &Path,
        profile: ServerProfile,
        places: &Places,
    ) -> Result<Self, AgentsError> {
        let command = program(running, places)?;
        Ok(Self::new(&command.to_string_lossy(), profile, places))
    }

    /// Returns the server of a known program.
    pub fn new(command: &str, profile: ServerProfile, places: &Places) -> Self {
        let mut args = vec!["mcp".to_owned()];
        if profile != ServerProfile::Standard {
            args.extend(["--profile".to_owned(), profile.name().to_owned()]);
        }
        let home = places.variable("WHYRANK_HOME");
        let env = home.map(|home| ("WHYRANK_HOME".to_owned(), home.to_owned()));
        Self {
            command: command.to_owned(),
            args,
            env: env.into_iter().collect(),
        }
    }

    /// Whether this is the same program as a server, in no environment that the other lacks. Profiles
    /// may differ.
    pub(crate) fn is_like(&self, ours: &Self) -> bool {
        let mut env = self.env.iter();
        let args: Vec<&str> = self.args.iter().map(String::as_str).collect();
        let has_plain_args = match args.as_slice() {
            ["mcp"] => true,
            ["mcp", "--profile", name] => ServerProfile::named(name).is_some(),
            ["mcp", profile] => profile
                .strip_prefix("--profile=")
                .is_some_and(|name| ServerProfile::named(name).is_some()),
            _ => false,
        };
        self.command == ours.command && has_plain_args && env.all(|field| ours.env.contains(field))
    }

    /// As it would be typed, environment first.
    pub(crate) fn line(&self) -> String {
        let env = self.env.iter();
        let env = env.map(|(name, value)| format!("{name}={}", shell_word(value)));
        let argv = self.argv();
        let argv = argv.iter().map(|word| shell_word(word));
        env.chain(argv).collect::<Vec<_>>().join(" ")
    }

    /// Program and arguments in one list.
    pub(crate) fn argv(&self) -> Vec<String> {
        let program = std::iter::once(self.command.clone());
        program.chain(self.args.iter().cloned()).collect()
    }
}

fn program(running: &Path, places: &Places) -> Result<PathBuf, AgentsError> {
    let file = match places.os {
        Os::Windows => "whyrank.exe",
        _ => "whyrank",
    };
    // An AppImage is mounted elsewhere at each start.
    let moves = places.variable("APPIMAGE").is_some();
    let beside = running.with_file_name(file);
    if !moves && beside.is_file() {
        return Ok(beside);
    }
    let installed = places.home.join(".local/bin").join(file);
    if installed.is_file() {
        Ok(installed)
    } else {
        Err(AgentsError::NoProgram {
            path: if moves { installed } else { beside },
        })
    }
}
