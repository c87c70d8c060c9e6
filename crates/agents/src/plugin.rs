//! A plugin of Claude Code in a folder that is a marketplace: server, language server, skill, sub-agent and
//! hook, made from the same sources as what is written into an agent's own files.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::clients::client;
use crate::error::AgentsError;
use crate::files::{self, Audience};
use crate::hooks;
use crate::server::{NAME, Server};
use crate::skill;
use crate::written::text_of;

/// The client whose plugin it is.
const CLIENT: &str = "claude-code";
/// The file by which a folder is known as ours.
const MARKETPLACE: &str = ".claude-plugin/marketplace.json";
const OWNER: &str = "Whyrank";
const SOURCE: &str = "./plugins/whyrank";
const DESCRIPTION: &str = "Finds code by question, name or structure, says who uses a definition and what a change \
    can break, and keeps what was decided.";
const EXPLORER: &str = include_str!("plugin/explorer.md");
/// Endings of files, and the languages as the Language Server Protocol names them.
const LANGUAGES: [(&str, &str); 27] = [
    (".c", "c"),
    (".cc", "cpp"),
    (".cpp", "cpp"),
    (".cs", "csharp"),
    (".dart", "dart"),
    (".ex", "elixir"),
    (".exs", "elixir"),
    (".go", "go"),
    (".h", "c"),
    (".hpp", "cpp"),
    (".java", "java"),
    (".js", "javascript"),
    (".jsx", "javascriptreact"),
    (".kt", "kotlin"),
    (".lua", "lua"),
    (".mjs", "javascript"),
    (".php", "php"),
    (".py", "python"),
    (".rb", "ruby"),
    (".rs", "rust"),
    (".scala", "scala"),
    (".sh", "shellscript"),
    (".svelte", "svelte"),
    (".swift", "swift"),
    (".ts", "typescript"),
    (".tsx", "typescriptreact"),
    (".vue", "vue"),
];

/// Writes the plugin into a folder that is new, empty, or holds an earlier one; returns the files that
/// changed.
///
/// # Errors
///
/// `NotOurs` for a folder or a file of somebody else; `LeadsOut` for links that lead elsewhere; `Read`,
/// `Write`. Everything is looked at before anything is written.
pub fn write_plugin(
    folder: &Path,
    server: &Server,
    version: &str,
) -> Result<Vec<PathBuf>, AgentsError> {
    let is_ours = is_ours(folder)?;
    let mut changes = Vec::new();
    for (path, text) in plugin_files(server, version)? {
        let path = folder.join(path);
        if folder.exists() {
            files::check_inside(&path, folder)?;
        }
        let before = files::read(&path)?;
        if before.is_some() && !is_ours {
            return Err(AgentsError::NotOurs { path });
        }
        if before.as_deref() != Some(text.as_bytes()) {
            changes.push((path, text, files::hash(before.as_deref())));
        }
    }
    // The sign by which the folder is known comes first: what is cut short can be made again.
    let mut written = Vec::new();
    for (path, text, before) in changes {
        files::replace(&path, text.as_bytes(), &before, Audience::Project)?;
        written.push(path);
    }
    Ok(written)
}

/// Says whether a folder holds a plugin of ours; one that is empty or not there holds none, and may.
fn is_ours(folder: &Path) -> Result<bool, AgentsError> {
    let mark = text_of(&folder.join(MARKETPLACE))?;
    let mark: Option<Value> = mark.and_then(|text| serde_json::from_str(&text).ok());
    // No field of our own: the client's checks would name it.
    let is_ours = mark.is_some_and(|mark| {
        let plugin = &mark["plugins"][0];
        mark["owner"]["name"] == OWNER && plugin["name"] == NAME && plugin["source"] == SOURCE
    });
    let is_empty = || match std::fs::read_dir(folder) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(AgentsError::read(folder, error)),
    };
    if is_ours || is_empty()? {
        return Ok(is_ours);
    }
    Err(AgentsError::NotOurs {
        path: folder.to_owned(),
    })
}

/// All files with their text, the mark first.
fn plugin_files(
    server: &Server,
    version: &str,
) -> Result<Vec<(&'static str, String)>, AgentsError> {
    let hooks = client(CLIENT)?.hooks.as_ref();
    let groups: Vec<Value> = hooks
        .map(|hooks| hooks::after_edit(hooks, server))
        .into_iter()
        .collect();
    let env: serde_json::Map<String, Value> = server
        .env
        .iter()
        .map(|(name, value)| (name.clone(), Value::from(value.clone())))
        .collect();
    let languages: serde_json::Map<String, Value> = LANGUAGES
        .iter()
        .map(|(ending, language)| ((*ending).to_owned(), Value::from(*language)))
        .collect();
    let files = [
        (
            MARKETPLACE,
            json!({
                "name": NAME,
                "owner": {"name": OWNER},
                "metadata": {
                    "description": DESCRIPTION,
                    "version": version,
                },
                "plugins": [{
                    "name": NAME,
                    "source": SOURCE,
                    "description": DESCRIPTION,
                    "version": version,
                }],
            }),
        ),
        (
            "plugins/whyrank/.claude-plugin/plugin.json",
            json!({
                "name": NAME,
                "version": version,
                "description": DESCRIPTION,
                "author": {"name": OWNER},
            }),
        ),
        (
            "plugins/whyrank/.mcp.json",
            json!({"mcpServers": {NAME: {
                "type": "stdio", "command": server.command, "args": server.args, "env": env,
            }}}),
        ),
        (
            "plugins/whyrank/.lsp.json",
            json!({NAME: {
                "command": server.command,
                "args": ["lsp"],
                "env": env,
                "extensionToLanguage": languages,
            }}),
        ),
        (
            "plugins/whyrank/hooks/hooks.json",
            json!({"description": "Says what an edit broke.", "hooks": {"PostToolUse": groups}}),
        ),
    ];
    let json = files.map(|(path, value)| (path, format!("{value:#}\n")));
    let pages = [
        ("plugins/whyrank/skills/whyrank/SKILL.md", skill::PAGE),
        ("plugins/whyrank/agents/whyrank-explorer.md", EXPLORER),
    ];
    let pages = pages.map(|(path, text)| (path, text.to_owned()));
    Ok(json.into_iter().chain(pages).collect())
}
