//! What a row of the table is, and by which names it is known.

use serde_json::{Map, Value};

use crate::answer::{ToolAnswer, ToolError};
use crate::session::Call;
use crate::table::{TOOLS, tools_of};

/// What a tool is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum Family {
    Search,
    Impact,
    Review,
    Result,
    Memory,
    Index,
    Explain,
}

/// Named subsets of the table, each containing the ones before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Profile {
    /// What nearly every task needs.
    Core,
    /// The default.
    #[default]
    Standard,
    /// Every tool.
    Full,
}

impl Profile {
    /// By name: `core`, `standard`, `full`; none for any other.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "core" => Some(Self::Core),
            "standard" => Some(Self::Standard),
            "full" => Some(Self::Full),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Core => "core",
            Self::Standard => "standard",
            Self::Full => "full",
        }
    }
}

/// What calling a tool changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing that a caller can see.
    Reads,
    /// Only what can be built again.
    Rebuilds,
    /// Memory: a record is added, none is changed.
    Records,
}

pub(crate) type Run = fn(&Call<'_>, Value) -> Result<ToolAnswer, ToolError>;

/// A tool.
pub struct ToolRow {
    /// Name: at most 20 characters of snake_case.
    pub name: &'static str,
    /// Family.
    pub family: Family,
    /// Smallest profile that has it.
    pub profile: Profile,
    /// Title for people.
    pub title: &'static str,
    /// For agents: first when to use it, last when not to; 60 words at most.
    pub description: &'static str,
    /// What calling it changes.
    pub effect: Effect,
    pub(crate) schema: fn() -> Map<String, Value>,
    pub(crate) run: Run,
}

impl ToolRow {
    /// Its input schema.
    pub fn schema(&self) -> Map<String, Value> {
        (self.schema)()
    }
}

/// How many tools a profile has, and about how many tokens their list costs an agent.
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

/// A tool by name. Names that other systems give the same tool are understood, and clients' prefixes.
pub fn find_tool(name: &str) -> Option<&'static ToolRow> {
    let bare = PREFIXES
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    let alias = ALIASES.iter().find(|(other, _)| *other == bare);
    let name = alias.map_or(bare, |(_, name)| name);
    TOOLS.iter().find(|row| row.name == name)
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
