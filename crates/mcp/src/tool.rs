//! What a row of the table is, and by which names it is known.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use whyrank_engine::api::RepoScope;

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
    /// Returns the profile of a name: `core`, `standard`, `full`; none for any other.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "core" => Some(Self::Core),
            "standard" => Some(Self::Standard),
            "full" => Some(Self::Full),
            _ => None,
        }
    }

    /// Returns its name.
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

/// What a tool does when several repositories are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Several {
    /// It takes one.
    Refused,
    /// It is asked of each, and what they answer stands under their names.
    Each,
    /// As `Each`; a name that one of them has leaves out similar names of the others.
    EachByName,
    /// It is asked of those as one of which one imports another, and of the rest one by one.
    Linked,
    /// It is asked, as one, of those that have most to say about its question.
    Best,
    /// It ranks all as one.
    Pooled,
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
    const SEVERAL: Several = Several::Refused;

    /// Asks the engine, and writes its answer as text and places.
    fn run(self, call: &Call<'_>) -> Answer;

    /// Asks several repositories as one; only for tools that are [`Several::Pooled`].
    fn run_pooled(self, call: &Call<'_>, _scope: &RepoScope) -> Answer {
        self.run(call)
    }
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
    /// What it does when several repositories are named.
    pub(crate) several: Several,
    pub(crate) run: fn(&Call<'_>, Value) -> Answer,
    pub(crate) run_pooled: fn(&Call<'_>, Value, &RepoScope) -> Answer,
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
            several: T::SEVERAL,
            run: run::<T>,
            run_pooled: run_pooled::<T>,
        }
    }

    /// Says whether it can be asked of several repositories in one call.
    pub fn takes_several(&self) -> bool {
        self.several != Several::Refused
    }

    /// Returns its input schema.
    pub fn schema(&self) -> Map<String, Value> {
        let mut schema = (self.schema)();
        if self.several != Several::Refused
            && let Some(repo) = schema
                .get_mut("properties")
                .and_then(|all| all.get_mut("repo"))
        {
            repo["description"] = "Path or name; a,b; all".into();
        }
        schema
    }
}

fn run<T: Tool>(call: &Call<'_>, args: Value) -> Answer {
    read::<T>(args)?.run(call)
}

fn run_pooled<T: Tool>(call: &Call<'_>, args: Value, scope: &RepoScope) -> Answer {
    read::<T>(args)?.run_pooled(call, scope)
}

fn read<T: Tool>(args: Value) -> Result<T, ToolError> {
    serde_json::from_value(args)
        .map_err(|error| ToolError::new("bad-argument", error.to_string(), "see the tool's schema"))
}
