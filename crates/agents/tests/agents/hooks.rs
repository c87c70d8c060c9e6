//! Hooks: written where asked for, beside those of others, and taken back byte for byte.

use crate::support::{machine, read};
use whyrank_agents::{Os, Scope};

const SETTINGS: &str = ".claude/settings.json";
/// Settings as somebody wrote them: comments of theirs, an order of theirs, hooks of theirs.
const THEIRS: &str = "{\n  \"model\": \"x\",\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\"matcher\": \"Write\", \
     \"hooks\": [{\"type\": \"command\", \"command\": \"prettier\"}]}\n    ],\n    \"Stop\": []\n  }\n}\n";
const COMMAND: &str = "/opt/whyrank/whyrank hook after-edit";

#[test]
fn none_is_written_unasked() {
    let machine = machine(Os::Linux);
    machine.add("claude-code");
    assert!(!machine.home(SETTINGS).exists());
}

#[test]
fn a_hook_is_shown_written_and_undone_byte_for_byte() {
    let machine = machine(Os::Linux);
    let path = machine.write(SETTINGS, THEIRS);
    let mut request = machine.request("claude-code");
    request.hooks = true;
    let plan = machine.setup.plan(&request).expect("a plan");
    let change = plan.changes.iter().find(|change| change.about == "hooks");
    let diff = &change.expect("planned").diff;
    let is_new = |line: &str| line.starts_with('+') && line.contains(COMMAND);
    assert!(diff.lines().any(is_new), "{diff}");
    assert!(
        !diff
            .lines()
            .skip(2)
            .any(|line| line.starts_with('-') && line.contains("model")),
        "{diff}"
    );
    assert_eq!(read(&path), THEIRS);
    machine.apply(&request);
    let with = read(&path);
    assert!(
        with.contains(COMMAND) && with.contains("prettier"),
        "{with}"
    );
    machine.apply(&request);
    assert_eq!(read(&path), with, "the same twice changes nothing");
    machine.undo("claude-code");
    assert_eq!(read(&path), THEIRS);
}

#[test]
fn hooks_and_permissions_share_a_file() {
    let machine = machine(Os::Linux);
    let path = machine.home(SETTINGS);
    let mut request = machine.request("claude-code");
    (request.hooks, request.allowed) = (true, vec!["search".to_owned()]);
    machine.apply(&request);
    let with = read(&path);
    assert!(
        with.contains(COMMAND) && with.contains("mcp__whyrank__search"),
        "{with}"
    );
    machine.undo("claude-code");
    assert!(!path.exists() && !machine.home(".claude").exists());
}

#[test]
fn what_others_wrote_since_stays_when_ours_goes() {
    let machine = machine(Os::Linux);
    let path = machine.write(SETTINGS, THEIRS);
    let mut request = machine.request("claude-code");
    request.hooks = true;
    machine.apply(&request);
    let changed = read(&path).replace("\"model\": \"x\"", "\"model\": \"y\"");
    machine.write(SETTINGS, &changed);
    (machine.setup)
        .remove("claude-code", Scope::User, None)
        .expect("removed");
    let left = read(&path);
    assert!(
        !left.contains("whyrank") && left.contains("\"y\"") && left.contains("prettier"),
        "{left}"
    );
}

#[test]
fn another_program_replaces_the_hook() {
    let machine = machine(Os::Linux);
    let mut request = machine.request("claude-code");
    request.hooks = true;
    machine.apply(&request);
    request.server.command = "/elsewhere/whyrank".to_owned();
    machine.apply(&request);
    let with = read(&machine.home(SETTINGS));
    assert!(
        with.contains("/elsewhere/whyrank hook after-edit") && !with.contains(COMMAND),
        "{with}"
    );
}

#[test]
fn a_project_has_them_in_its_own_file_and_others_have_none() {
    let machine = machine(Os::Linux);
    let project = machine.home("app");
    std::fs::create_dir_all(&project).expect("a folder");
    let mut request = machine.request("claude-code");
    (request.scope, request.hooks) = (Scope::Project, true);
    request.project = Some(project.to_string_lossy().into_owned());
    machine.apply(&request);
    assert!(read(&project.join(SETTINGS)).contains(COMMAND));
    assert!(!machine.home(SETTINGS).exists());
    let mut request = machine.request("cursor");
    request.hooks = true;
    let plan = machine.setup.plan(&request).expect("a plan");
    assert_eq!(plan.changes.len(), 1);
    assert!(
        plan.notes
            .iter()
            .any(|note| note.contains("no hooks that Whyrank writes")),
        "{:?}",
        plan.notes
    );
}
