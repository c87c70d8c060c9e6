//! The plugin in a folder: whole, made again, and nothing of somebody else's written over.

use std::path::Path;

use crate::support::{machine, read};
use serde_json::Value;
use whyrank_agents::{Os, write_plugin};

fn parsed(path: &Path) -> Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_part_is_there_and_starts_the_program() {
    let machine = machine(Os::Linux);
    let folder = machine.home("plugin");
    let written = write_plugin(&folder, &machine.server, "1.2.3").expect("written");
    assert_eq!(written.len(), 7);
    let market = parsed(&folder.join(".claude-plugin/marketplace.json"));
    let source = market["plugins"][0]["source"].as_str().expect("a path");
    let plugin = folder.join(source.trim_start_matches("./"));
    assert_eq!(
        parsed(&plugin.join(".claude-plugin/plugin.json"))["version"],
        "1.2.3"
    );
    let server = &parsed(&plugin.join(".mcp.json"))["mcpServers"]["whyrank"];
    assert_eq!(server["command"], "/opt/whyrank/whyrank");
    assert_eq!(server["args"][0], "mcp");
    let lsp = &parsed(&plugin.join(".lsp.json"))["whyrank"];
    assert_eq!(lsp["extensionToLanguage"][".rs"], "rust");
    let hook = &parsed(&plugin.join("hooks/hooks.json"))["hooks"]["PostToolUse"][0];
    assert_eq!(hook["matcher"], "Edit|Write|MultiEdit");
    assert_eq!(
        hook["hooks"][0]["command"],
        "/opt/whyrank/whyrank hook after-edit"
    );
    let skill = read(&plugin.join("skills/whyrank/SKILL.md"));
    assert!(skill.starts_with("---\nname: whyrank\n"));
    let agent = read(&plugin.join("agents/whyrank-explorer.md"));
    assert!(agent.starts_with("---\nname: whyrank-explorer\n"));
}

#[test]
fn a_plugin_is_made_again_over_an_earlier_one() {
    let machine = machine(Os::Linux);
    let folder = machine.home("plugin");
    write_plugin(&folder, &machine.server, "1.2.3").expect("written");
    let again = write_plugin(&folder, &machine.server, "1.2.3").expect("the same");
    assert!(again.is_empty(), "{again:?}");
    let newer = write_plugin(&folder, &machine.server, "1.2.4").expect("newer");
    assert_eq!(newer.len(), 2, "{newer:?}");
}

#[test]
fn a_folder_of_somebody_else_stays_as_it_is() {
    let machine = machine(Os::Linux);
    let theirs = machine.write(
        "plugin/.claude-plugin/marketplace.json",
        "{\"name\": \"whyrank\"}\n",
    );
    let error = write_plugin(&machine.home("plugin"), &machine.server, "1").expect_err("refused");
    assert_eq!(error.code(), "not-ours");
    assert_eq!(read(&theirs), "{\"name\": \"whyrank\"}\n");
    assert!(!machine.home("plugin/plugins").exists());
    let file = machine.write("file", "mine\n");
    assert!(write_plugin(&file, &machine.server, "1").is_err());
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_is_refused() {
    let machine = machine(Os::Linux);
    let folder = machine.home("plugin");
    write_plugin(&folder, &machine.server, "1").expect("written");
    std::fs::remove_dir_all(folder.join("plugins")).expect("removed");
    std::fs::create_dir_all(machine.home("elsewhere")).expect("a folder");
    std::os::unix::fs::symlink(machine.home("elsewhere"), folder.join("plugins")).expect("a link");
    let error = write_plugin(&folder, &machine.server, "1").expect_err("refused");
    assert_eq!(error.code(), "config-leads-out");
}
