//! The table of tools: one row, one tool. Everything that lists or calls tools reads it.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answer::{ToolAnswer, ToolError};
use crate::args::{
    AstGrepArgs, AuditArgs, CallPathArgs, ClustersArgs, ConceptsArgs, DeadCodeArgs, DepsArgs,
    ExplainArgs, ExportArgs, ImpactArgs, IndexArgs, ListReposArgs, LookupArgs, OverviewArgs,
    PatternsArgs, RefsArgs, SearchArgs, StatusArgs, TestMapArgs,
};
use crate::run;
use crate::schema::{argument_names, schema_of};
use crate::session::Call;

/// What a tool is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum Family {
    Search,
    Impact,
    Review,
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
}

type Run = fn(&Call<'_>, Value) -> Result<ToolAnswer, ToolError>;

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
    schema: fn() -> Map<String, Value>,
    run: Run,
}

impl ToolRow {
    /// Its input schema.
    pub fn schema(&self) -> Map<String, Value> {
        (self.schema)()
    }
}

/// The tools, in the order in which they are listed.
pub static TOOLS: &[ToolRow] = &[
    ToolRow {
        name: "search",
        family: Family::Search,
        profile: Profile::Core,
        title: "Search code",
        description: "Find code by meaning, name, path or error text: the first call for any \
            question about this repository. Returns ranked path:lines kind signature, one hit a \
            file. Not for a symbol whose exact name you know: lookup, refs.",
        effect: Effect::Reads,
        schema: schema_of::<SearchArgs>,
        run: |call, args| typed(call, args, run::search),
    },
    ToolRow {
        name: "lookup",
        family: Family::Search,
        profile: Profile::Core,
        title: "Look up a definition",
        description: "Find where a symbol is defined, by bare or qualified name. Returns \
            path:lines kind signature, or near names. Not for who uses it: refs.",
        effect: Effect::Reads,
        schema: schema_of::<LookupArgs>,
        run: |call, args| typed(call, args, run::lookup),
    },
    ToolRow {
        name: "refs",
        family: Family::Impact,
        profile: Profile::Core,
        title: "Find uses",
        description: "List every use of a symbol before changing it: path: lines, production \
            code first. Pass path and line when names collide. Not for words in text: search.",
        effect: Effect::Reads,
        schema: schema_of::<RefsArgs>,
        run: |call, args| typed(call, args, run::refs),
    },
    ToolRow {
        name: "deps",
        family: Family::Impact,
        profile: Profile::Core,
        title: "Imports and importers",
        description: "See what a file imports and which files import it, resolved to paths. Not \
            for uses of one symbol: refs.",
        effect: Effect::Reads,
        schema: schema_of::<DepsArgs>,
        run: |call, args| typed(call, args, run::deps),
    },
    ToolRow {
        name: "overview",
        family: Family::Search,
        profile: Profile::Core,
        title: "Map of the code base",
        description: "Get to know an unfamiliar repository or folder: folders by importance, \
            their main files and definitions. Not for a specific question: search.",
        effect: Effect::Reads,
        schema: schema_of::<OverviewArgs>,
        run: |call, args| typed(call, args, run::overview),
    },
    ToolRow {
        name: "status",
        family: Family::Index,
        profile: Profile::Core,
        title: "Index status",
        description: "Check the index when answers look incomplete or old: coverage, freshness, \
            files left out with reasons, model. Not needed before other tools.",
        effect: Effect::Reads,
        schema: schema_of::<StatusArgs>,
        run: |call, args| typed(call, args, run::status),
    },
    ToolRow {
        name: "impact",
        family: Family::Impact,
        profile: Profile::Standard,
        title: "Find callers",
        description: "See what a change of a symbol can break: the definitions that call or use it, \
            directly and through others, by distance; tests apart. Not for each line of use: refs.",
        effect: Effect::Reads,
        schema: schema_of::<ImpactArgs>,
        run: |call, args| typed(call, args, run::impact),
    },
    ToolRow {
        name: "call_path",
        family: Family::Impact,
        profile: Profile::Standard,
        title: "Find a call path",
        description: "Learn how one symbol reaches another: the shortest chains of calls and uses \
            between them, with lines; else of imports. Not for all callers: impact.",
        effect: Effect::Reads,
        schema: schema_of::<CallPathArgs>,
        run: |call, args| typed(call, args, run::call_path),
    },
    ToolRow {
        name: "dead_code",
        family: Family::Impact,
        profile: Profile::Standard,
        title: "Find dead code",
        description: "Find what can be deleted: definitions that are dead, test-only, maybe \
            dynamic, or exported and unused; or ask about symbols. Not for uses: refs.",
        effect: Effect::Reads,
        schema: schema_of::<DeadCodeArgs>,
        run: |call, args| typed(call, args, run::dead_code),
    },
    ToolRow {
        name: "audit",
        family: Family::Impact,
        profile: Profile::Standard,
        title: "Audit the structure",
        description: "Find what sticks out in the structure: import cycles, edges against the layers, god files, \
            hubs, orphans, each with numbers and lines, by the repository's own measure. Not for unused \
            definitions: dead_code.",
        effect: Effect::Reads,
        schema: schema_of::<AuditArgs>,
        run: |call, args| typed(call, args, run::audit),
    },
    ToolRow {
        name: "test_map",
        family: Family::Review,
        profile: Profile::Standard,
        title: "Map tests to code",
        description: "See which tests reach what you changed (ref) or what lies below a path, directly or through \
            others, and what none reaches, riskiest first. Not for running tests.",
        effect: Effect::Reads,
        schema: schema_of::<TestMapArgs>,
        run: |call, args| typed(call, args, run::test_map),
    },
    ToolRow {
        name: "ast_grep",
        family: Family::Search,
        profile: Profile::Standard,
        title: "Search by structure",
        description: "Find code of a shape, as $X.unwrap() or def $F($$$): $$$: calls, definitions, \
            idioms, with what is between. Not for words or meaning: search; not for one symbol: refs.",
        effect: Effect::Reads,
        schema: schema_of::<AstGrepArgs>,
        run: |call, args| typed(call, args, run::ast_grep),
    },
    ToolRow {
        name: "patterns",
        family: Family::Search,
        profile: Profile::Full,
        title: "Find roles and idioms",
        description: "Learn how a code base is put together: which definitions are factories, \
            middleware, observers, strategies, error types, and the lines that show it. Not for \
            code of a given shape: ast_grep.",
        effect: Effect::Reads,
        schema: schema_of::<PatternsArgs>,
        run: |call, args| typed(call, args, run::patterns),
    },
    ToolRow {
        name: "index",
        family: Family::Index,
        profile: Profile::Standard,
        title: "Build the index",
        description: "Add a repository (repo = its folder), or update, rebuild or cancel its \
            index; waits and reports progress. Not needed after edits: saves are followed.",
        effect: Effect::Rebuilds,
        schema: schema_of::<IndexArgs>,
        run: |call, args| typed(call, args, run::index),
    },
    ToolRow {
        name: "explain",
        family: Family::Explain,
        profile: Profile::Standard,
        title: "Explain a ranking",
        description: "Learn why a search ranked hits as it did: ranks per channel, the terms \
            that sum to each score, weights, timings. Not for what the code does.",
        effect: Effect::Reads,
        schema: schema_of::<ExplainArgs>,
        run: |call, args| typed(call, args, run::explain),
    },
    ToolRow {
        name: "list_repos",
        family: Family::Index,
        profile: Profile::Standard,
        title: "List repositories",
        description: "See which repositories are indexed, to pass one as repo. Not needed for \
            the working directory's own.",
        effect: Effect::Reads,
        schema: schema_of::<ListReposArgs>,
        run: |call, args| typed(call, args, run::list_repos),
    },
    ToolRow {
        name: "clusters",
        family: Family::Search,
        profile: Profile::Full,
        title: "Find clusters",
        description: "See what belongs together by imports and uses: communities with labels, cohesion, and the \
            bridges between them. Not for the folder tree: overview.",
        effect: Effect::Reads,
        schema: schema_of::<ClustersArgs>,
        run: |call, args| typed(call, args, run::clusters),
    },
    ToolRow {
        name: "concepts",
        family: Family::Search,
        profile: Profile::Full,
        title: "Find topics",
        description: "Find the topics of the code base that a few words are about, each with its key definitions \
            and files. Not for one place in the code: search.",
        effect: Effect::Reads,
        schema: schema_of::<ConceptsArgs>,
        run: |call, args| typed(call, args, run::concepts),
    },
    ToolRow {
        name: "export_context",
        family: Family::Explain,
        profile: Profile::Full,
        title: "Export for a model",
        description: "Pack a repository or folder into a token budget: module table, bridges, then signatures by \
            importance with callers [c=n] and stars. Not for one question: search.",
        effect: Effect::Reads,
        schema: schema_of::<ExportArgs>,
        run: |call, args| typed(call, args, run::export_context),
    },
];

/// The tools of a profile, in the table's order.
pub fn tools_of(profile: Profile) -> impl Iterator<Item = &'static ToolRow> {
    TOOLS.iter().filter(move |row| row.profile <= profile)
}

/// The tools of a profile that change nothing, by name.
pub fn reading_tools(profile: Profile) -> impl Iterator<Item = &'static str> {
    let reading = tools_of(profile).filter(|row| row.effect == Effect::Reads);
    reading.map(|row| row.name)
}

/// A tool by name.
pub fn find_tool(name: &str) -> Option<&'static ToolRow> {
    TOOLS.iter().find(|row| row.name == name)
}

/// Calls a tool. Arguments that it does not know are left out, and the answer says so.
///
/// # Errors
///
/// `unknown-tool`, `bad-argument`, `not-found`, and the engine's errors.
pub fn call_tool(
    name: &str,
    call: &Call<'_>,
    mut args: Map<String, Value>,
) -> Result<ToolAnswer, ToolError> {
    let row = find_tool(name).ok_or_else(|| unknown_tool(name))?;
    let schema = row.schema();
    let ignored = split_unknown(&schema, &mut args);
    check_required(&schema, &args)?;
    let budget = args.get("max_tokens").and_then(Value::as_u64);
    let answer = (row.run)(call, Value::Object(args))?;
    Ok(with_note(answer, &ignored, budget))
}

fn typed<A: DeserializeOwned>(
    call: &Call<'_>,
    args: Value,
    run: fn(&Call<'_>, A) -> Result<ToolAnswer, ToolError>,
) -> Result<ToolAnswer, ToolError> {
    let args = serde_json::from_value(args)
        .map_err(|error| ToolError::new("bad-argument", error.to_string(), "see the schema"))?;
    run(call, args)
}

fn unknown_tool(name: &str) -> ToolError {
    let names: Vec<&str> = TOOLS.iter().map(|row| row.name).collect();
    let hint = format!("the tools are {}", names.join(", "));
    ToolError::new("unknown-tool", format!("no tool named `{name}`"), hint)
}

fn split_unknown(schema: &Map<String, Value>, args: &mut Map<String, Value>) -> Vec<String> {
    let known = argument_names(schema);
    let unknown: Vec<String> = args
        .keys()
        .filter(|name| !known.contains(&name.as_str()))
        .cloned()
        .collect();
    args.retain(|name, _| known.contains(&name.as_str()));
    unknown
}

fn check_required(schema: &Map<String, Value>, args: &Map<String, Value>) -> Result<(), ToolError> {
    let required = schema.get("required").and_then(Value::as_array);
    let mut names = required.into_iter().flatten().filter_map(Value::as_str);
    let Some(missing) = names.find(|name| args.get(*name).is_none_or(Value::is_null)) else {
        return Ok(());
    };
    let hint = format!("arguments: {}", argument_names(schema).join(", "));
    Err(ToolError::new(
        "bad-argument",
        format!("`{missing}` is missing"),
        hint,
    ))
}

fn with_note(answer: ToolAnswer, ignored: &[String], budget: Option<u64>) -> ToolAnswer {
    if ignored.is_empty() {
        return answer;
    }
    let text = format!(
        "{}\n[ignored arguments: {}]",
        answer.text,
        ignored.join(", ")
    );
    let noted = ToolAnswer::new(text, answer.results.clone(), answer.structured.clone());
    match budget.is_some_and(|budget| u64::from(noted.tokens) > budget) {
        true => answer,
        false => noted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::HashSet;

    #[test]
    fn names_are_short_unique_snake_case() {
        let mut seen = HashSet::new();
        for row in TOOLS {
            assert!(row.name.len() <= 20, "{}", row.name);
            assert!(
                row.name.chars().all(|c| c.is_ascii_lowercase() || c == '_'),
                "{}",
                row.name
            );
            assert!(seen.insert(row.name), "{} twice", row.name);
        }
    }

    #[test]
    fn descriptions_say_when_and_when_not_in_sixty_words() {
        for row in TOOLS {
            let n_words = row.description.split_whitespace().count();
            assert!(n_words <= 60, "{}: {n_words} words", row.name);
            let last = row
                .description
                .trim_end_matches('.')
                .rsplit(". ")
                .next()
                .unwrap();
            assert!(last.starts_with("Not "), "{}: {last}", row.name);
        }
    }

    #[test]
    fn core_has_six_tools() {
        assert_eq!(tools_of(Profile::Core).count(), 6);
        assert_eq!(tools_of(Profile::Full).count(), TOOLS.len());
    }

    #[test]
    fn schemas_hold_nothing_that_clients_trip_over() {
        for row in TOOLS {
            let text = Value::Object(row.schema()).to_string();
            for word in [
                "$schema",
                "$ref",
                "$defs",
                "\"format\":\"",
                "null",
                "anyOf",
                "oneOf",
            ] {
                assert!(!text.contains(word), "{} has {word}: {text}", row.name);
            }
            assert_eq!(row.schema()["type"], "object", "{}", row.name);
        }
    }

    #[test]
    fn unknown_arguments_are_set_apart() {
        let row = find_tool("lookup").unwrap();
        let Value::Object(mut args) = json!({"symbol": "x", "depth": 3}) else {
            unreachable!()
        };
        assert_eq!(split_unknown(&row.schema(), &mut args), ["depth"]);
        assert_eq!(args.len(), 1);
    }

    #[test]
    fn a_missing_argument_is_named_with_all_that_there_are() {
        let schema = find_tool("deps").unwrap().schema();
        let error = check_required(&schema, &Map::new()).unwrap_err();
        assert_eq!(error.message, "`path` is missing");
        assert!(error.hint.contains("direction"), "{}", error.hint);
    }
}
