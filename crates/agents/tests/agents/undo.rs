//! Steps taken back, one by one and all at once.

use crate::support::{machine, read};
use whyrank_agents::{Os, Scope};

#[test]
fn steps_are_taken_back_one_by_one() {
    let machine = machine(Os::Linux);
    let path = machine.write(".cursor/mcp.json", "{ }\n");
    machine.add("cursor");
    let first = read(&path);
    let mut request = machine.request("cursor");
    request
        .server
        .args
        .extend(["--profile".to_owned(), "full".to_owned()]);
    machine.apply(&request);
    assert_ne!(read(&path), first);
    machine.undo("cursor");
    assert_eq!(read(&path), first);
    machine.undo("cursor");
    assert_eq!(read(&path), "{ }\n");
    let error = machine
        .setup
        .undo("cursor", Scope::User, None)
        .expect_err("no more");
    assert_eq!(error.code(), "not-found");
}

#[test]
fn remove_takes_back_all_steps() {
    let machine = machine(Os::Linux);
    let path = machine.write(".cursor/mcp.json", "{ }\n");
    machine.add("cursor");
    let mut request = machine.request("cursor");
    request.server.command = "/elsewhere/whyrank".to_owned();
    machine.apply(&request);
    machine
        .setup
        .remove("cursor", Scope::User, None)
        .expect("removed");
    assert_eq!(read(&path), "{ }\n");
}

#[test]
fn remove_takes_out_an_entry_that_was_made_by_hand() {
    let machine = machine(Os::Linux);
    let text = "{\n  \"mcpServers\": {\n    \"whyrank\": {\"command\": \"w\"}, // mine\n    \"b\": {}\n  }\n}\n";
    let path = machine.write(".cursor/mcp.json", text);
    let removed = machine
        .setup
        .remove("cursor", Scope::User, None)
        .expect("removed");
    assert_eq!(removed.files.len(), 1);
    assert!(!read(&path).contains("\"whyrank\"") && read(&path).contains("\"b\": {}"));
    let again = machine
        .setup
        .remove("cursor", Scope::User, None)
        .expect("nothing to do");
    assert!(again.files.is_empty() && again.notes[0].contains("no entry of ours"));
}

#[test]
fn the_same_twice_changes_nothing() {
    let machine = machine(Os::Linux);
    machine.add("codex");
    let request = machine.request("codex");
    let plan = machine.setup.plan(&request).expect("a plan");
    assert_eq!(plan.changes[0].diff, "");
    let applied = machine
        .setup
        .apply(&request, &[], 2)
        .expect("nothing to do");
    assert!(applied.files.is_empty());
    machine.undo("codex");
    assert!(!machine.home(".codex").exists());
}

#[test]
fn a_file_that_two_clients_share_keeps_the_entry_until_the_last_lets_go() {
    let machine = machine(Os::Linux);
    // Gemini's file, shared by a link.
    let path = machine.write(".gemini/settings.json", "{}\n");
    std::fs::create_dir_all(machine.home(".qwen")).expect("a folder");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&path, machine.home(".qwen/settings.json")).expect("a link");
    machine.add("gemini-cli");
    let mut request = machine.request("qwen-code");
    request.server.args.push("--profile=full".to_owned());
    machine.apply(&request);
    let kept = machine
        .setup
        .remove("gemini-cli", Scope::User, None)
        .expect("kept");
    assert!(
        kept.notes[0].contains("qwen-code uses it too"),
        "{:?}",
        kept.notes
    );
    assert!(read(&path).contains("whyrank"));
    machine
        .setup
        .remove("qwen-code", Scope::User, None)
        .expect("removed");
    assert!(!read(&path).contains("whyrank"), "{}", read(&path));
}
