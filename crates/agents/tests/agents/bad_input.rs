//! Files that must not be written, and requests that make no sense: an error, and everything as it was.

use crate::support::{machine, read};
use whyrank_agents::{AgentsError, Os, Scope};

/// What is in the file, who reads it, and the line at which it breaks.
#[test]
fn a_file_that_does_not_parse_is_refused_with_its_line_and_what_to_paste() {
    let cases = [
        (
            ".cursor/mcp.json",
            "cursor",
            "{\n  \"a\": 1\n  \"b\": 2\n}\n",
            2,
        ),
        (".cursor/mcp.json", "cursor", "{\"mcpServers\": [1]}", 1),
        (".cursor/mcp.json", "cursor", "[1, 2]", 1),
        (
            ".cursor/mcp.json",
            "cursor",
            "{\n\n\"mcpServers\": {\"whyrank\": 3}}",
            3,
        ),
        (".codex/config.toml", "codex", "a = 1\nb = \n", 2),
        (".codex/config.toml", "codex", "mcp_servers = 3\n", 1),
        (".config/goose/config.yaml", "goose", "a: 1\n b: [\n", 2),
        (".config/goose/config.yaml", "goose", "a: 1\n\0\n", 1),
        (
            ".config/goose/config.yaml",
            "goose",
            "a: 1\nextensions: {x: {y: 1}}\n",
            2,
        ),
    ];
    for (file, client, text, expected) in cases {
        let machine = machine(Os::Linux);
        let path = machine.write(file, text);
        let error = machine
            .setup
            .plan(&machine.request(client))
            .expect_err(text);
        let AgentsError::Unparsable { line, snippet, .. } = &error else {
            panic!("{text}: {error}");
        };
        assert_eq!(*line, expected, "{text}: {error}");
        assert!(snippet.contains("whyrank"), "{snippet}");
        assert_eq!(error.code(), "config-unparsable");
        assert_eq!(read(&path), text);
    }
}

#[test]
fn a_file_that_is_not_text_is_refused() {
    let machine = machine(Os::Linux);
    let path = machine.write(".cursor/mcp.json", "");
    std::fs::write(&path, b"{\n\"a\": \"\xff\"}").expect("a file");
    let error = machine
        .setup
        .plan(&machine.request("cursor"))
        .expect_err("no text");
    assert!(
        error
            .to_string()
            .contains("mcp.json:2: the file is not UTF-8"),
        "{error}"
    );
}

#[test]
fn a_read_only_file_is_left_alone() {
    let machine = machine(Os::Linux);
    let path = machine.write(".cursor/mcp.json", "{}");
    let mut mode = std::fs::metadata(&path).expect("there").permissions();
    mode.set_readonly(true);
    std::fs::set_permissions(&path, mode).expect("a mode");
    let error = machine
        .setup
        .plan(&machine.request("cursor"))
        .expect_err("read-only");
    assert_eq!(error.code(), "config-read-only");
    assert!(error.to_string().contains("\"whyrank\""), "{error}");
}

#[test]
fn a_locked_file_is_left_alone() {
    let machine = machine(Os::Linux);
    let path = machine.write(".cursor/mcp.json", "{}");
    let held = std::fs::OpenOptions::new()
        .write(true)
        .open(&path)
        .expect("open");
    held.lock().expect("locked");
    let error = machine
        .setup
        .plan(&machine.request("cursor"))
        .expect_err("locked");
    assert_eq!(error.code(), "config-locked");
    drop(held);
    machine.add("cursor");
}

#[test]
fn a_huge_file_is_left_alone() {
    let machine = machine(Os::Linux);
    let path = machine.write(".cursor/mcp.json", "");
    let file = std::fs::File::create(&path).expect("a file");
    file.set_len(17 * 1024 * 1024).expect("a length");
    let error = machine
        .setup
        .plan(&machine.request("cursor"))
        .expect_err("huge");
    assert_eq!(error.code(), "config-too-large");
}

#[test]
fn what_changed_since_the_plan_is_not_written() {
    let machine = machine(Os::Linux);
    let request = machine.request("cursor");
    let path = machine.write(".cursor/mcp.json", "{}\n");
    let plan = machine.setup.plan(&request).expect("a plan");
    std::fs::write(&path, "{\"new\": 1}\n").expect("a file");
    let seen = [plan.changes[0].before.clone()];
    let error = machine
        .setup
        .apply(&request, &seen, 1)
        .expect_err("changed");
    assert_eq!(error.code(), "config-changed");
    assert_eq!(read(&path), "{\"new\": 1}\n");
}

#[test]
fn a_step_that_fails_half_way_is_taken_back() {
    let machine = machine(Os::Linux);
    let project = machine.home("project");
    std::fs::create_dir_all(&project).expect("a folder");
    // Reading finds nothing there, and writing fails: the folder of the file is a file.
    machine.write(".gemini/antigravity/mcp_config.json", "{}\n");
    machine.write(".gemini/config", "not a folder");
    let request = machine.request("antigravity");
    let error = machine
        .setup
        .apply(&request, &[], 1)
        .expect_err("no folder");
    assert!(matches!(error.code(), "io"), "{error}");
    assert_eq!(
        read(&machine.home(".gemini/antigravity/mcp_config.json")),
        "{}\n"
    );
    let error = machine
        .setup
        .undo("antigravity", Scope::User, None)
        .expect_err("nothing");
    assert_eq!(error.code(), "not-found");
}

#[test]
fn requests_that_make_no_sense_say_what_would() {
    let machine = machine(Os::Linux);
    let error = machine
        .setup
        .plan(&machine.request("clippy"))
        .expect_err("unknown");
    assert!(
        error.to_string().contains("known are claude-code, codex"),
        "{error}"
    );
    let mut request = machine.request("windsurf");
    request.scope = Scope::Project;
    let error = machine.setup.plan(&request).expect_err("no project");
    assert!(error.to_string().contains("--project"), "{error}");
    request.project = Some("/p".to_owned());
    let error = machine.setup.plan(&request).expect_err("no file");
    assert!(error.to_string().contains("use the user scope"), "{error}");
}

#[test]
fn a_broken_journal_is_named_and_nothing_is_written() {
    let machine = machine(Os::Linux);
    let journal = machine.folder.path().join("store/journal.json");
    std::fs::create_dir_all(journal.parent().expect("a folder")).expect("folders");
    std::fs::write(&journal, "{").expect("a file");
    let error = machine
        .setup
        .apply(&machine.request("cursor"), &[], 1)
        .expect_err("broken");
    assert!(error.to_string().contains("journal.json"), "{error}");
    assert!(!machine.home(".cursor").exists());
    assert_eq!(read(&journal), "{");
}
