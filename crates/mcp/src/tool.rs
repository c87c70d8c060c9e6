//! What a row of the table is, and by which names it is known.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answer::{ToolAnswer, ToolError};
use crate::schema::schema_of;
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

pub(crate) type Answer = Result<ToolAnswer, ToolError>;

/// What is said of a tool; see [`ToolRow`].
pub(crate) struct About {
    pub(crate) name: &'static str,
    pub(crate) family: Family,
    pub(crate) profile: Profile,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
}

/// The arguments of a tool: their schema is what agents see.
pub(crate) trait Tool: DeserializeOwned + JsonSchema {
    const ABOUT: About;
    const EFFECT: Effect = Effect::Reads;

    /// Asks the engine, and writes its answer as text and places.
    fn run(self, call: &Call<'_>) -> Answer;
}

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
    pub(crate) run: fn(&Call<'_>, Value) -> Answer,
}

impl ToolRow {
    /// The row of a tool.
    pub(crate) const fn of<T: Tool>() -> Self {
        let about = T::ABOUT;
        Self {
            name: about.name,
            family: about.family,
            profile: about.profile,
            title: about.title,
            description: about.description,
            effect: T::EFFECT,
            schema: schema_of::<T>,
            run: run::<T>,
        }
    }

    /// Its input schema.
    pub fn schema(&self) -> Map<String, Value> {
        (self.schema)()
    }
}

fn run<T: Tool>(call: &Call<'_>, args: Value) -> Answer {
    let tool: T = serde_json::from_value(args).map_err(|error| {
        ToolError::new("bad-argument", error.to_string(), "see the tool's schema")
    })?;
    tool.run(call)
}
