//! What an edit keeps, and what a plan shows.

use crate::support::{machine, read};
use proptest::prelude::*;
use whyrank_agents::{Os, PlacementState, Scope, ServerProfile};

#[test]
fn a_plan_writes_nothing_and_shows_every_line_without_secrets() {
    let machine = machine(Os::Linux);
    let text = "{\n  \"mcpServers\": {\n    \"other\": {\n      \"API_KEY\": \"abcdefgh\"\n    }\n  }\n}\n";
    let path = machine.write(".cursor/mcp.json", text);
    let plan = machine
        .setup
        .plan(&machine.request("cursor"))
        .expect("a plan");
    assert_eq!(read(&path), text);
    let diff = &plan.changes[0].diff;
    assert!(diff.contains("+    \"whyrank\": {"), "{diff}");
    assert!(
        diff.contains("\"API_KEY\": \"•••\"") && !diff.contains("abcdefgh"),
        "{diff}"
    );
    assert!(
        plan.notes[0].contains("No hooks and no permissions"),
        "{:?}",
        plan.notes
    );
    assert!(!machine.folder.path().join("store").exists());
}

#[test]
fn marks_and_line_ends_stay() {
    let machine = machine(Os::Windows);
    let text =
        "\u{feff}{\r\n  \"mcpServers\": {\r\n    \"a\": {\"command\": \"b\"}\r\n  }\r\n}\r\n";
    let path = machine.write(".cursor/mcp.json", text);
    machine.add("cursor");
    let with = read(&path);
    assert!(with.starts_with('\u{feff}'));
    assert_eq!(
        with.matches('\n').count(),
        with.matches("\r\n").count(),
        "{with:?}"
    );
    assert!(with.contains(r"C:\\Users\\me"), "{with}");
    machine.undo("cursor");
    assert_eq!(read(&path), text);
}

#[test]
fn a_link_is_followed_and_stays_a_link() {
    let machine = machine(Os::Linux);
    let target = machine.write("dotfiles/cursor.json", "{}\n");
    std::fs::create_dir_all(machine.home(".cursor")).expect("a folder");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&target, machine.home(".cursor/mcp.json")).expect("a link");
    let plan = machine
        .setup
        .plan(&machine.request("cursor"))
        .expect("a plan");
    assert!(
        plan.changes[0]
            .links_to
            .as_deref()
            .is_some_and(|path| path.ends_with("dotfiles/cursor.json"))
    );
    machine.add("cursor");
    let link = std::fs::symlink_metadata(machine.home(".cursor/mcp.json")).expect("there");
    assert!(link.is_symlink());
    assert!(read(&target).contains("whyrank"));
}

#[cfg(unix)]
#[test]
fn the_mode_stays() {
    use std::os::unix::fs::PermissionsExt;
    let machine = machine(Os::Linux);
    let path = machine.write(".cursor/mcp.json", "{}\n");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("a mode");
    machine.add("cursor");
    let mode = std::fs::metadata(&path)
        .expect("there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn another_profile_replaces_the_entry_and_keeps_what_others_added_to_it() {
    let machine = machine(Os::Linux);
    let path = machine.write(
        ".kiro/settings/mcp.json",
        "{\n  \"mcpServers\": {\n    \"whyrank\": {\n      \"command\": \"/old/whyrank\",\n      \"autoApprove\": [\"search\"]\n    }\n  }\n}\n",
    );
    let list = machine
        .setup
        .list(&machine.server, &[], &[])
        .expect("a list");
    let kiro = list
        .iter()
        .find(|status| status.id == "kiro")
        .expect("listed");
    assert_eq!(kiro.placements[0].state, PlacementState::Outdated);
    assert_eq!(
        kiro.placements[0].note,
        "starts /old/whyrank, which is gone"
    );

    let mut request = machine.request("kiro");
    request
        .server
        .args
        .extend(["--profile".to_owned(), "core".to_owned()]);
    machine.apply(&request);
    let with = read(&path);
    assert!(with.contains("\"autoApprove\": [\"search\"]"), "{with}");
    assert!(!with.contains("/old/"), "{with}");
    let list = machine
        .setup
        .list(&machine.server, &[], &[])
        .expect("a list");
    let kiro = list
        .iter()
        .find(|status| status.id == "kiro")
        .expect("listed");
    assert_eq!(kiro.placements[0].profile, Some(ServerProfile::Core));
}

#[test]
fn permissions_and_instructions_only_where_asked_for() {
    let machine = machine(Os::Linux);
    let project = machine.home("project");
    std::fs::create_dir_all(&project).expect("a folder");
    std::fs::write(project.join("CLAUDE.md"), "# Ours\n").expect("a file");
    let settings = machine.write(
        ".claude/settings.json",
        "{\n  \"permissions\": {\n    \"allow\": [\"Bash(ls)\"]\n  }\n}\n",
    );
    let before = read(&settings);
    let mut request = machine.request("claude-code");
    request.project = Some(project.to_string_lossy().into_owned());
    request.instructions = true;
    request.allowed = vec!["search".to_owned(), "lookup".to_owned()];
    machine.apply(&request);
    insta::assert_snapshot!("allowed", read(&settings));
    insta::assert_snapshot!("agents_md", read(&project.join("AGENTS.md")));
    insta::assert_snapshot!("claude_md", read(&project.join("CLAUDE.md")));

    machine
        .setup
        .undo("claude-code", Scope::User, None)
        .expect("undone");
    assert_eq!(read(&settings), before);
    assert!(!project.join("AGENTS.md").exists());
    assert_eq!(read(&project.join("CLAUDE.md")), "# Ours\n");
}

#[test]
fn several_projects_each_have_a_file_of_their_own() {
    let machine = machine(Os::Linux);
    let projects: Vec<String> = ["one", "two"]
        .iter()
        .map(|name| machine.home(name).to_string_lossy().into_owned())
        .collect();
    for project in &projects {
        let mut request = machine.request("vscode");
        request.scope = Scope::Project;
        request.project = Some(project.clone());
        machine.apply(&request);
    }
    let list = machine
        .setup
        .list(&machine.server, &projects, &[])
        .expect("a list");
    let vscode = list
        .iter()
        .find(|status| status.id == "vscode")
        .expect("listed");
    let states: Vec<_> = vscode
        .placements
        .iter()
        .map(|place| (place.scope, place.state))
        .collect();
    let expected = [
        (Scope::User, PlacementState::NotSet),
        (Scope::Project, PlacementState::Set),
        (Scope::Project, PlacementState::Set),
    ];
    assert_eq!(states, expected);
    machine
        .setup
        .undo("vscode", Scope::Project, Some(&projects[0]))
        .expect("undone");
    assert!(
        !machine.home("one").exists(),
        "folders that were made are removed"
    );
    assert!(machine.home("two/.vscode/mcp.json").exists());
}

#[test]
fn an_old_place_is_kept_in_step_where_it_exists() {
    let machine = machine(Os::Linux);
    let old = machine.write(".gemini/antigravity/mcp_config.json", "");
    machine.add("antigravity");
    assert!(read(&old).contains("whyrank"));
    assert!(read(&machine.home(".gemini/config/mcp_config.json")).contains("whyrank"));
    machine.undo("antigravity");
    assert_eq!(read(&old), "");
    assert!(!machine.home(".gemini/config").exists());
}

#[test]
fn servers_lie_where_the_files_version_has_them() {
    let machine = machine(Os::Linux);
    let newer = "{\n  // mine\n  \"mcp\": {\n    \"servers\": {\n      \"other\": { \"type\": \"local\", \"command\": [\"o\"] },\n    },\n  },\n}\n";
    let path = machine.write(".config/opencode/opencode.jsonc", newer);
    machine.add("opencode");
    insta::assert_snapshot!("nested", read(&path));
    let list = machine
        .setup
        .list(&machine.server, &[], &[])
        .expect("a list");
    let opencode = list
        .iter()
        .find(|status| status.id == "opencode")
        .expect("listed");
    assert_eq!(opencode.placements[0].state, PlacementState::Set);
    machine.undo("opencode");
    assert_eq!(read(&path), newer);

    // A server that is called so is none.
    let older = "{ \"mcp\": { \"servers\": { \"type\": \"local\", \"command\": [\"s\"] } } }\n";
    let path = machine.write(".config/opencode/opencode.jsonc", older);
    machine.add("opencode");
    assert!(read(&path).contains("\"enabled\": true"), "{}", read(&path));
}

/// JSON with odd but legal spacing, comments and commas.
fn jsonc() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        Just("1".to_owned()),
        Just("\"a // b\"".to_owned()),
        Just("[1, 2, ]".to_owned()),
        Just("{ \"x\": {} }".to_owned()),
        Just("null".to_owned()),
    ];
    let field = ("[a-z]{1,4}", value, 0usize..4);
    let gap = prop_oneof![
        Just("\n  "),
        Just(" "),
        Just("\n\t"),
        Just(" // c\n"),
        Just("/* c */")
    ];
    (
        proptest::collection::vec((field, gap), 0..6),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(fields, servers, trailing)| {
            let mut parts: Vec<String> = fields
                .iter()
                .enumerate()
                .map(|(at, ((name, value, pad), gap))| {
                    format!("{gap}\"{name}{at}\"{}: {value}", " ".repeat(*pad))
                })
                .collect();
            if servers {
                parts.insert(
                    parts.len() / 2,
                    "\n\"mcpServers\": {\"other\" : {}}".to_owned(),
                );
            }
            let comma = if trailing && !parts.is_empty() {
                ","
            } else {
                ""
            };
            format!("{{{}{comma}\n}}", parts.join(","))
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_the_file_looks_like_it_comes_back(text in jsonc()) {
        let machine = machine(Os::Linux);
        let path = machine.write(".cursor/mcp.json", &text);
        machine.add("cursor");
        let with = read(&path);
        prop_assert!(with.contains("whyrank"));
        machine.undo("cursor");
        prop_assert_eq!(read(&path), text);
    }
}

/// A link that came with a checkout would choose what is written on this machine.
#[cfg(unix)]
#[test]
fn a_project_is_not_left_through_its_links() {
    let machine = machine(Os::Linux);
    let elsewhere = machine.write(".bashrc", "# mine\n");
    let project = machine.home("checkout");
    std::fs::create_dir_all(project.join("inner")).expect("folders");
    let mut request = machine.request("claude-code");
    request.scope = Scope::Project;
    request.project = project.to_str().map(str::to_owned);
    request.instructions = true;
    let link = |to: &std::path::Path, from: &str| {
        drop(std::fs::remove_file(project.join(from)));
        std::os::unix::fs::symlink(to, project.join(from)).expect("a link");
    };
    for target in [
        elsewhere.as_path(),
        "../.bashrc".as_ref(),
        "inner/../../new".as_ref(),
    ] {
        link(target, "CLAUDE.md");
        let error = machine.setup.plan(&request).expect_err("it leads out");
        assert_eq!(error.code(), "config-leads-out", "{target:?}");
    }
    link("AGENTS.md".as_ref(), "CLAUDE.md");
    machine.apply(&request);
    assert!(read(&project.join("AGENTS.md")).contains("whyrank"));
    assert_eq!(read(&elsewhere), "# mine\n");
}

/// The same for what is taken back: links may have come since.
#[cfg(unix)]
#[test]
fn nothing_is_taken_out_of_files_outside_a_project() {
    let machine = machine(Os::Linux);
    let project = machine.home("checkout");
    std::fs::create_dir_all(&project).expect("a folder");
    let mut request = machine.request("claude-code");
    request.scope = Scope::Project;
    request.project = project.to_str().map(str::to_owned);
    machine.apply(&request);
    let outside = machine.home("mine.json");
    std::fs::rename(project.join(".mcp.json"), &outside).expect("moved");
    std::os::unix::fs::symlink(&outside, project.join(".mcp.json")).expect("a link");
    let before = read(&outside);
    let project = request.project.as_deref();
    for taken in [
        machine.setup.undo("claude-code", Scope::Project, project),
        machine.setup.remove("claude-code", Scope::Project, project),
    ] {
        assert_eq!(taken.expect_err("it leads out").code(), "config-leads-out");
        assert_eq!(read(&outside), before);
    }
}

/// A pipe would be waited for, a device read without end.
#[test]
fn what_is_no_regular_file_is_no_configuration() {
    let machine = machine(Os::Linux);
    let path = machine.write(".cursor/mcp.json", "");
    std::fs::remove_file(&path).expect("gone");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo runs").success());
    let planned = machine.setup.plan(&machine.request("cursor"));
    assert_eq!(planned.expect_err("refused").code(), "io");
}
