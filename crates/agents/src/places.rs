//! The machine as a value: operating system, home directory, environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// An operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum Os {
    Linux,
    Macos,
    Windows,
}

/// Where things lie on a machine; the only way by which this crate learns of one.
#[derive(Clone, Debug)]
pub struct Places {
    /// Operating system.
    pub os: Os,
    /// Home directory.
    pub home: PathBuf,
    /// Environment.
    pub env: BTreeMap<String, String>,
    /// Folder of installed programs with a window.
    pub apps: PathBuf,
}

impl Places {
    /// Describes this machine; none where no home directory is known.
    pub fn from_env() -> Option<Self> {
        let env: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let home = ["HOME", "USERPROFILE"].iter().find_map(|name| {
            env.get(*name)
                .filter(|value| Path::new(value).is_absolute())
        })?;
        let (os, apps) = match std::env::consts::OS {
            "macos" => (Os::Macos, "/Applications"),
            "windows" => (Os::Windows, "C:/Program Files"),
            _ => (Os::Linux, "/opt"),
        };
        Some(Self {
            os,
            home: PathBuf::from(home),
            apps: PathBuf::from(apps),
            env,
        })
    }

    /// Returns a variable that is set to something.
    pub fn variable(&self, name: &str) -> Option<&str> {
        let value = self.env.get(name).map(String::as_str);
        value.filter(|value| !value.is_empty())
    }

    /// The path that a template of `clients.toml` means.
    pub(crate) fn expand(&self, template: &str) -> PathBuf {
        PathBuf::from(self.filled(template))
    }

    fn filled(&self, template: &str) -> String {
        let Some(start) = template.find('{') else {
            return template.to_owned();
        };
        let inside = &template[start + 1..];
        let Some(end) = closing_brace(inside) else {
            return template.to_owned();
        };
        let (name, rest) = (&inside[..end], &inside[end + 1..]);
        let value = self.named(name);
        format!("{}{value}{}", &template[..start], self.filled(rest))
    }

    fn named(&self, name: &str) -> String {
        if let Some((variable, fallback)) = name.split_once(':') {
            let set = self.variable(variable).map(str::to_owned);
            return set.unwrap_or_else(|| self.filled(fallback));
        }
        let path = match name {
            "config" => self.folder("XDG_CONFIG_HOME", ".config"),
            "support" => self.home.join("Library/Application Support"),
            "appdata" => self.folder("APPDATA", "AppData/Roaming"),
            "localappdata" => self.folder("LOCALAPPDATA", "AppData/Local"),
            "apps" => self.apps.clone(),
            "vscode" => self.vscode("Code"),
            "insiders" => self.vscode("Code - Insiders"),
            _ => self.home.clone(),
        };
        path.to_string_lossy().into_owned()
    }

    /// The User folder of an edition.
    fn vscode(&self, edition: &str) -> PathBuf {
        let base = match self.os {
            Os::Linux => "config",
            Os::Macos => "support",
            Os::Windows => "appdata",
        };
        Path::new(&self.named(base)).join(edition).join("User")
    }

    fn folder(&self, variable: &str, fallback: &str) -> PathBuf {
        let set = self.variable(variable).map(PathBuf::from);
        set.unwrap_or_else(|| self.home.join(fallback))
    }

    /// Where a program lies, going by the search path.
    pub(crate) fn program(&self, name: &str) -> Option<PathBuf> {
        let separator = if self.os == Os::Windows { ';' } else { ':' };
        let endings: &[&str] = match self.os {
            Os::Windows => &[".exe", ".cmd"],
            _ => &[""],
        };
        let folders = self.variable("PATH").unwrap_or_default().split(separator);
        let mut candidates = folders
            .filter(|folder| !folder.is_empty())
            .flat_map(|folder| {
                let files = endings.iter().map(move |ending| format!("{name}{ending}"));
                files.map(move |file| Path::new(folder).join(file))
            });
        candidates.find(|path| path.is_file())
    }
}

/// Where the brace that is open at the beginning closes.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(at),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}
