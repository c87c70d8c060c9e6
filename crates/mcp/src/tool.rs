//! What a row of the table is, and by which names it is known.

use serde_json::{Map, Value};

use crate::answer::{ToolAnswer, ToolError};
use crate::session::Call;

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
