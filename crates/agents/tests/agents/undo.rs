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

#[test]
fn a_skill_goes_with_the_last_client_that_reads_it() {
    let machine = machine(Os::Linux);
    let page = machine.home(".agents/skills/whyrank/SKILL.md");
    for client in ["zed", "cline"] {
        let mut request = machine.request(client);
        request.skill = true;
        machine.apply(&request);
    }
    assert!(read(&page).starts_with("---\nname: whyrank\n"));
    let undone = (machine.setup)
        .undo("zed", Scope::User, None)
        .expect("undone");
    assert!(
        undone
            .notes
            .iter()
            .any(|note| note.ends_with("stays: cline uses it too"))
    );
    assert!(page.is_file());
    machine.undo("cline");
    assert!(!machine.home(".agents").exists());
}

#[test]
fn a_set_up_that_failed_keeps_no_skill_for_itself() {
    let machine = machine(Os::Linux);
    let mut request = machine.request("zed");
    request.skill = true;
    machine.apply(&request);
    let mut request = machine.request("cline");
    request.skill = true;
    let plan = machine.setup.plan(&request).expect("a plan");
    let path = std::path::Path::new(&plan.changes[0].path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    // A folder stands where the file is to be.
    std::fs::create_dir_all(path).expect("a folder");
    let seen: Vec<String> = plan
        .changes
        .into_iter()
        .map(|change| change.before)
        .collect();
    machine
        .setup
        .apply(&request, &seen, 1_000)
        .expect_err("it cannot be written");
    machine.undo("zed");
    assert!(!machine.home(".agents").exists());
}

#[test]
fn a_skill_that_was_changed_stays_and_anothers_is_not_touched() {
    let machine = machine(Os::Linux);
    let mut request = machine.request("claude-code");
    request.skill = true;
    machine.apply(&request);
    let page = machine.home(".claude/skills/whyrank/SKILL.md");
    let changed = read(&page) + "\nAsk about tests first.\n";
    std::fs::write(&page, &changed).expect("a file");
    let undone = (machine.setup)
        .undo("claude-code", Scope::User, None)
        .expect("undone");
    assert!(
        undone
            .notes
            .iter()
            .any(|note| note.contains("was changed since; it stays"))
    );
    assert_eq!(read(&page), changed);

    let theirs = machine.write(
        ".cursor/skills/whyrank/SKILL.md",
        "---\nname: whyrank\n---\nOurs.\n",
    );
    let mut request = machine.request("cursor");
    request.skill = true;
    let error = machine.setup.plan(&request).expect_err("it is somebody's");
    assert!(error.to_string().contains("somebody else wrote"), "{error}");
    assert!(read(&theirs).ends_with("Ours.\n"));
}

#[test]
fn each_client_that_reads_skills_finds_the_page_in_a_project_too() {
    let machine = machine(Os::Linux);
    for client in whyrank_agents::clients() {
        let project = machine.home(&format!("project-{}", client.id));
        std::fs::create_dir_all(&project).expect("a folder");
        let mut request = machine.request(&client.id);
        (request.skill, request.scope) = (true, Scope::Project);
        request.project = Some(project.to_string_lossy().into_owned());
        // Some have no file in a project.
        let Ok(plan) = machine.setup.plan(&request) else {
            continue;
        };
        let skill = plan.changes.iter().find(|change| change.about == "skill");
        let is_told = plan
            .notes
            .iter()
            .any(|note| note.contains("reads no skills"));
        assert!(skill.is_some() != is_told, "{}: {plan:?}", client.id);
        assert!(skill.is_none_or(|change| change.path.ends_with("/skills/whyrank/SKILL.md")));
    }
}
