//! Configuration files of coding agents: a client's file of any content gets the entry and loses it again.

use super::repository::Folder;
use super::{Seed, choice, choosing};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use whyrank_agents::{Os, Places, Request, Scope, Server, ServerProfile, Setup, clients};

/// JSON, TOML and YAML go with clients of all formats.
pub(super) fn seeds(files: Vec<Seed>) -> Vec<Vec<u8>> {
    choosing(files, |_| (0..clients().len()).collect())
}

/// What was written can be taken back to the byte.
pub(super) fn run(bytes: &[u8]) {
    let (at, bytes) = choice(bytes, clients().len());
    let home = Folder::new();
    let places = Places {
        os: Os::Linux,
        home: home.path().to_owned(),
        env: BTreeMap::new(),
        apps: home.path().join("apps"),
    };
    let server = Server::new("/usr/bin/whyrank", ServerProfile::Standard, &places);
    let request = Request {
        client: clients()[at].id.clone(),
        scope: Scope::User,
        project: None,
        server,
        instructions: false,
        skill: true,
        allowed: Vec::new(),
    };
    let setup = Setup::new(places, home.path().join("journal"));
    let Ok(plan) = setup.plan(&request) else {
        return;
    };
    let Some(path) = plan
        .changes
        .first()
        .map(|change| PathBuf::from(&change.path))
    else {
        return;
    };
    fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a folder");
    fs::write(&path, bytes).expect("the client's file");
    let Ok(plan) = setup.plan(&request) else {
        return;
    };
    let seen: Vec<String> = plan
        .changes
        .iter()
        .map(|change| change.before.clone())
        .collect();
    if setup.apply(&request, &seen, 1).is_err() {
        return;
    }
    if plan.changes.iter().all(|change| change.diff.is_empty()) {
        return;
    }
    let again = setup
        .plan(&request)
        .expect("a file that was written is read");
    for change in &again.changes {
        assert!(
            change.diff.is_empty(),
            "a second plan changes: {}",
            change.diff
        );
    }
    setup
        .undo(&request.client, Scope::User, None)
        .expect("what was written is taken back");
    assert_eq!(
        fs::read(&path).expect("the file is there"),
        bytes,
        "not as it was"
    );
}
