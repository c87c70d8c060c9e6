//! A machine in a folder.

use std::fs;
use std::path::{Path, PathBuf};

use whyrank_agents::{Os, Places, Request, Scope, Server, Setup};

/// A home directory, a program, and somewhere for the journal.
pub(crate) struct Machine {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) setup: Setup,
    pub(crate) server: Server,
}

pub(crate) fn machine(os: Os) -> Machine {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("home");
    fs::create_dir_all(&home).expect("a home");
    let places = Places {
        os,
        home,
        env: [].into(),
        apps: folder.path().join("apps"),
    };
    let command = match os {
        Os::Windows => r"C:\Users\me\AppData\Local\Programs\Whyrank\whyrank.exe".to_owned(),
        _ => "/opt/whyrank/whyrank".to_owned(),
    };
    let server = Server {
        command,
        args: vec!["mcp".to_owned()],
        env: Vec::new(),
    };
    let setup = Setup::new(places, folder.path().join("store"));
    Machine {
        folder,
        setup,
        server,
    }
}

impl Machine {
    pub(crate) fn home(&self, path: &str) -> PathBuf {
        self.folder.path().join("home").join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.home(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(&path, text).expect("a file");
        path
    }

    pub(crate) fn request(&self, client: &str) -> Request {
        Request {
            client: client.to_owned(),
            scope: Scope::User,
            project: None,
            server: self.server.clone(),
            instructions: false,
            skill: false,
            hooks: false,
            allowed: Vec::new(),
        }
    }

    /// Sets a client up for the user.
    pub(crate) fn add(&self, client: &str) {
        let request = self.request(client);
        self.apply(&request);
    }

    /// Plans, and applies what the plan showed.
    pub(crate) fn apply(&self, request: &Request) {
        let plan = self.setup.plan(request).expect("a plan");
        let seen: Vec<String> = plan
            .changes
            .into_iter()
            .map(|change| change.before)
            .collect();
        self.setup.apply(request, &seen, 1_000).expect("written");
    }

    pub(crate) fn undo(&self, client: &str) {
        self.setup.undo(client, Scope::User, None).expect("undone");
    }
}

pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
