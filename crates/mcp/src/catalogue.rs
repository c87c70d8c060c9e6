//! The table as it is looked up: a tool by the names that it goes by, and what a profile costs.

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::Value;

use crate::table::{TOOLS, tools_of};
use crate::tool::{Effect, Profile, ToolRow};

/// Returns how many tools a profile has, and about how many tokens their list costs an agent.
pub fn profile_cost(profile: Profile) -> (u32, u32) {
    let costs = tools_of(profile).map(|row| {
        let schema = Value::Object(row.schema()).to_string();
        // Keys and punctuation of JSON come to more characters a token than code does.
        let n_chars = row.name.len() + row.description.len() + schema.len() + LIST_CHARS;
        (n_chars as f64 / LIST_CHARS_A_TOKEN) as u32
    });
    let costs: Vec<u32> = costs.collect();
    (costs.len() as u32, costs.iter().sum())
}

/// Returns a tool by name. Names that other systems give the same tool are understood, and clients'
/// prefixes.
pub fn find_tool(name: &str) -> Option<&'static ToolRow> {
    let bare = PREFIXES
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    let alias = ALIASES.iter().find(|(other, _)| *other == bare);
    let name = alias.map_or(bare, |(_, name)| name);
    TOOLS.iter().find(|row| row.name == name)
}

/// A tool as clients see it in the list.
pub(crate) fn listed(row: &'static ToolRow) -> Tool {
    let annotations = match row.effect {
        Effect::Reads => ToolAnnotations::new().read_only(true).open_world(false),
        Effect::Rebuilds => ToolAnnotations::new()
            .destructive(false)
            .idempotent(true)
            .open_world(false),
        Effect::Records => ToolAnnotations::new()
            .destructive(false)
            .idempotent(false)
            .open_world(false),
    };
    Tool::new(row.name, row.description, row.schema())
        .with_title(row.title)
        .with_annotations(annotations)
}

/// What clients and other systems put before a tool's name.
const PREFIXES: [&str; 4] = ["mcp__whyrank__", "mcp_whyrank_", "sverklo_", "whyrank_"];

/// Names that other systems give the same tool.
const ALIASES: [(&str, &str); 12] = [
    ("search_code", "search"),
    ("index_codebase", "index"),
    ("get_indexing_status", "status"),
    ("find_references", "refs"),
    ("references", "refs"),
    ("dependencies", "deps"),
    ("definition", "lookup"),
    ("find_definition", "lookup"),
    ("codebase_overview", "overview"),
    ("index_status", "status"),
    ("get_context", "context"),
    ("astgrep", "ast_grep"),
];

/// What a row costs besides its texts, in characters, and characters a token.
const LIST_CHARS: usize = 45;
const LIST_CHARS_A_TOKEN: f64 = 4.2;
