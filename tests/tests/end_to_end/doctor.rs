//! `whyrank doctor` names each common fault, with what repairs it.

use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use whyrank_tests::{Home, TestRepo};

fn checks(home: &Home, repo: Option<&str>) -> Vec<Value> {
    let mut args = vec!["doctor", "--json"];
    args.extend(repo.map(|repo| ["--repo", repo]).into_iter().flatten());
    let Value::Array(checks) = home.run(&args).json() else {
        panic!("checks are a list")
    };
    checks
}

/// State, message and fix of a check, in one text.
fn check(checks: &[Value], name: &str) -> String {
    let found = checks.iter().find(|check| check["name"] == name);
    let check = found.unwrap_or_else(|| panic!("no check of {name} in {checks:?}"));
    ["state", "message", "fix"]
        .map(|key| check[key].as_str().unwrap_or_default().to_owned())
        .join("|")
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    fs::write(path, text).expect("written");
}

#[test]
fn a_new_installation_is_told_what_to_do_first() {
    let home = Home::new();
    let checks = checks(&home, None);
    assert!(check(&checks, "data folder").starts_with("ok|"));
    assert!(check(&checks, "settings").starts_with("ok|defaults"));
    let model = check(&checks, "model");
    assert!(
        model.starts_with("ok|") && model.contains("whyrank models pull"),
        "{model}"
    );
    let config = home.path().join("config/config.toml");
    write(&config, "off = [\"static-vectors\"]\n");
    let model = check(&self::checks(&home, None), "model");
    assert!(model.starts_with("warn|"), "{model}");
    assert!(check(&checks, "agents").contains("none set up|whyrank agents add --all"));
    assert!(check(&checks, "log of calls").starts_with("ok|0 calls"));
    assert!(check(&checks, "program").starts_with("ok|"));
}

#[test]
fn faults_of_an_index_are_named() {
    let home = Home::new();
    let repo = TestRepo::shop();
    let before = checks(&home, Some(repo.arg()));
    assert!(check(&before, "index").starts_with("warn|"));
    assert!(check(&before, "index").contains("|whyrank index /"));
    let outside = checks(&home, Some("/no/such/place"));
    assert!(check(&outside, "repository").starts_with("fail|"));
    home.run(&["index", repo.arg(), "--no-vectors"]).succeeds();
    assert!(check(&checks(&home, Some(repo.arg())), "index").starts_with("ok|"));
    fs::remove_dir_all(home.live_generation()).expect("the index is deleted");
    let after = check(&checks(&home, Some(repo.arg())), "index");
    assert!(
        !after.starts_with("ok|") && after.contains("|whyrank index"),
        "{after}"
    );
}

#[test]
fn faults_of_an_agents_file_and_of_its_server_are_named() {
    let home = Home::new();
    let config = home.path().join(".cursor/mcp.json");
    let with =
        |command: &str| json!({"mcpServers": {"whyrank": {"command": command, "args": ["mcp"]}}});
    fs::create_dir_all(home.path().join(".cursor")).expect("made");
    home.run(&["agents", "add", "cursor", "--yes"]).succeeds();
    let set = check(&checks(&home, None), "Cursor");
    assert!(
        set.starts_with("ok|") && set.contains("waiting for the first connection"),
        "{set}"
    );
    write(&config, "{ broken\n");
    let broken = check(&checks(&home, None), "Cursor");
    assert!(
        broken.starts_with("warn|") && broken.contains("fix "),
        "{broken}"
    );
    write(&config, &with("/no/such/whyrank").to_string());
    let gone = check(&checks(&home, None), "Cursor");
    assert!(
        !gone.starts_with("ok|") && gone.contains("whyrank agents add cursor"),
        "{gone}"
    );
    let entry = json!({"mcpServers": {"whyrank": {
        "command": whyrank_tests::program("whyrank"), "args": ["mcp"], "disabled": true,
        "env": {"WHYRANK_HOME": home.path()}}}});
    write(&config, &entry.to_string());
    let off = check(&checks(&home, None), "Cursor");
    assert!(off.contains("switched off"), "{off}");
}

#[test]
fn a_token_for_everybody_a_log_that_is_off_and_a_file_in_the_way_are_named() {
    let home = Home::new();
    let token = home.path().join("state/http-token");
    write(&token, "0123456789abcdef0123456789abcdef");
    fs::set_permissions(&token, fs::Permissions::from_mode(0o644)).expect("set");
    home.run(&["agents", "log", "--off"]).succeeds();
    let found = checks(&home, None);
    assert!(check(&found, "http token").contains("can be read by others|chmod 600"));
    assert!(check(&found, "log of calls").contains("off"));
    let blocked = Home::new();
    write(&blocked.path().join("data"), "a file, no folder");
    let said = blocked.run(&["doctor"]);
    assert_ne!(said.code, Some(0));
    assert!(format!("{said:?}").contains("data"), "{said:?}");
}
