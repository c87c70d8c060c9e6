//! The arguments of each tool. Doc comments are what agents read: keep them to a few words.

mod choices;
mod kept;
mod memory;
mod review;
mod structural_search;
mod structure;
mod tasks;

pub(crate) use kept::{
    CtxGrepArgs, CtxPeekArgs, CtxSliceArgs, CtxStatsArgs, GrepResultsArgs, HeadResultsArgs,
};
pub(crate) use memory::{AsOfArgs, MemoArgs, MemoriesArgs, RecallArgs, RememberArgs, WakeupArgs};
pub(crate) use review::{CritiqueArgs, DiffSearchArgs, ReviewDiffArgs, VerifyArgs};
pub(crate) use structural_search::{AstGrepArgs, PatternsArgs};
pub(crate) use tasks::{AskArgs, ContextArgs, InvestigateArgs, SearchIterativeArgs};

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use whyrank_engine::api::{DepsDirection, SearchFilters, SymbolPlace};

pub(crate) use structure::{AuditArgs, ClustersArgs, ConceptsArgs, ExportArgs, TestMapArgs};

/// How an answer is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(extend("description" = null))]
#[expect(
    missing_docs,
    reason = "the names are the meaning, and texts would go into every schema"
)]
pub enum Format {
    #[default]
    Concise,
    Detailed,
    Json,
}

/// Tokens of an answer when the caller does not say.
pub(crate) const DEFAULT_MAX_TOKENS: u32 = 2_000;
/// Room for one hit and the footer.
pub(crate) const LEAST_MAX_TOKENS: u32 = 80;
/// Below what clients cut at (25,000).
pub(crate) const MOST_MAX_TOKENS: u32 = 20_000;

// What every tool takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct Common {
    /// Path or name
    pub(crate) repo: Option<String>,
    /// Default 2000
    pub(crate) max_tokens: Option<u32>,
    pub(crate) format: Option<Format>,
}

impl Common {
    /// The budget asked for, within 80 and 20,000.
    pub(crate) fn budget(&self) -> u32 {
        let asked = self.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS);
        asked.clamp(LEAST_MAX_TOKENS, MOST_MAX_TOKENS)
    }

    /// The format asked for.
    pub(crate) fn format(&self) -> Format {
        self.format.unwrap_or_default()
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct SearchArgs {
    /// Question, identifier, path or error message
    pub(crate) query: String,
    /// Globs or folders; leading ! excludes
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) path: Vec<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) language: Vec<String>,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(schema_with = "choices::hit_kinds")]
    pub(crate) kind: Vec<String>,
    pub(crate) no_tests: Option<bool>,
    /// Default 10
    pub(crate) limit: Option<u32>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct LookupArgs {
    /// Name, bare or qualified (Router.use)
    pub(crate) symbol: String,
    #[serde(default)]
    #[schemars(schema_with = "choices::symbol_kind")]
    pub(crate) kind: Option<String>,
    /// File, folder or glob
    pub(crate) path: Option<String>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct RefsArgs {
    /// Name, bare or qualified
    pub(crate) symbol: String,
    /// File of the definition meant
    pub(crate) path: Option<String>,
    /// Its line
    pub(crate) line: Option<u32>,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(schema_with = "choices::use_kinds")]
    pub(crate) kinds: Vec<String>,
    /// Also comments, strings, docs, unsettled names
    pub(crate) mentions: Option<bool>,
    /// List uses in tests and docs too
    pub(crate) tests: Option<bool>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ImpactArgs {
    /// Name, bare or qualified
    pub(crate) symbol: String,
    /// File of the definition meant
    pub(crate) path: Option<String>,
    /// Its line
    pub(crate) line: Option<u32>,
    /// Steps, default 3
    pub(crate) depth: Option<u32>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct CallPathArgs {
    /// Name; path:name where several share it
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) from_path: Option<String>,
    pub(crate) from_line: Option<u32>,
    pub(crate) to_path: Option<String>,
    pub(crate) to_line: Option<u32>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct DeadCodeArgs {
    pub(crate) symbol: Option<String>,
    /// Its file, or folder
    pub(crate) path: Option<String>,
    /// Its line
    pub(crate) line: Option<u32>,
    /// Many: name or path:name
    #[serde(default, deserialize_with = "symbols")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) symbols: Vec<SymbolPlace>,
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(schema_with = "choices::dead_kinds")]
    pub(crate) kinds: Vec<String>,
    /// Also test helpers
    pub(crate) tests: Option<bool>,
    /// Coverage file; none
    #[serde(default, deserialize_with = "one_or_many")]
    #[schemars(with = "Option<Vec<String>>")]
    pub(crate) coverage: Vec<String>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

impl DeadCodeArgs {
    /// The symbols asked about.
    pub(crate) fn places(&self) -> Vec<SymbolPlace> {
        let single = self.symbol.iter().map(|symbol| SymbolPlace {
            symbol: symbol.clone(),
            path: self.path.clone(),
            line: self.line,
        });
        single.chain(self.symbols.iter().cloned()).collect()
    }
}

// Which way to follow imports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Direction {
    #[default]
    Both,
    Imports,
    Importers,
}

impl From<Direction> for DepsDirection {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Both => Self::Both,
            Direction::Imports => Self::Imports,
            Direction::Importers => Self::Importers,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct DepsArgs {
    /// File in the repository
    pub(crate) path: String,
    pub(crate) direction: Option<Direction>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct OverviewArgs {
    /// Folder; default: all
    pub(crate) path: Option<String>,
    /// Folders deep, default 2
    pub(crate) depth: Option<u32>,
    /// Commit
    pub(crate) as_of: Option<String>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct StatusArgs {
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ListReposArgs {
    /// Default 2000
    pub(crate) max_tokens: Option<u32>,
    pub(crate) format: Option<Format>,
}

// What to do to the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum IndexAction {
    #[default]
    Update,
    Rebuild,
    Cancel,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct IndexArgs {
    pub(crate) action: Option<IndexAction>,
    /// Seconds to wait, default 30
    pub(crate) wait_s: Option<u32>,
    #[serde(flatten)]
    pub(crate) common: Common,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct ExplainArgs {
    /// From the footer of a detailed answer; default: the last search
    #[serde(default = "last")]
    pub(crate) query_id: String,
    /// Rank of the hit; default: the first three
    pub(crate) hit: Option<u32>,
    /// Rank to compare hit with, in words
    pub(crate) against: Option<u32>,
    /// Default 2000
    pub(crate) max_tokens: Option<u32>,
    pub(crate) format: Option<Format>,
}

fn last() -> String {
    "last".to_owned()
}

/// A list, also when it comes as one string or as strings with commas: models write both.
fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMany {
        One(String),
        Many(Vec<String>),
    }
    let given = match Option::<OneOrMany>::deserialize(deserializer)? {
        None => Vec::new(),
        Some(OneOrMany::One(one)) => vec![one],
        Some(OneOrMany::Many(many)) => many,
    };
    // A comma inside braces belongs to a glob.
    let split = given.iter().flat_map(|text| {
        if text.contains('{') {
            vec![text.as_str()]
        } else {
            text.split(',').collect()
        }
    });
    Ok(split
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect())
}

/// Symbols, each a name or an object with one; a list of names may come as one text.
fn symbols<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<SymbolPlace>, D::Error> {
    let given = match Option::<Value>::deserialize(deserializer)? {
        None => Vec::new(),
        Some(Value::Array(many)) => many,
        Some(one) => vec![one],
    };
    let mut symbols = Vec::new();
    for one in given {
        match one {
            Value::String(names) => symbols.extend(split_names(&names).map(|symbol| SymbolPlace {
                symbol: symbol.to_owned(),
                ..SymbolPlace::default()
            })),
            one => symbols.push(symbol(&one).ok_or_else(|| {
                let shown: String = one.to_string().chars().take(60).collect();
                D::Error::custom(format!("`symbols` has {shown}, which is no name"))
            })?),
        }
    }
    Ok(symbols)
}

/// Commas within brackets belong to a name: `Map<K, V>`.
fn split_names(names: &str) -> impl Iterator<Item = &str> {
    let one = names.contains(['<', '(', '[']);
    let parts = names.split(move |char| !one && char == ',');
    parts.map(str::trim).filter(|name| !name.is_empty())
}

fn symbol(given: &Value) -> Option<SymbolPlace> {
    let text = |names: &[&str]| -> Option<String> {
        let found = names.iter().find_map(|name| given.get(name)?.as_str());
        found.map(str::to_owned)
    };
    let line = given.get("line").and_then(Value::as_u64);
    Some(SymbolPlace {
        symbol: text(&["symbol", "name"])?,
        path: text(&["path", "file"]),
        line: line.and_then(|line| u32::try_from(line).ok()),
    })
}

/// Globs for the paths that a person or an agent names: a folder means everything below it.
pub fn path_globs(paths: &[String]) -> Vec<String> {
    paths.iter().flat_map(|path| path_glob(path)).collect()
}

fn path_glob(path: &str) -> Vec<String> {
    let (bang, path) = match path.strip_prefix('!') {
        Some(rest) => ("!", rest),
        None => ("", path),
    };
    let path = path.trim_start_matches("./").trim_start_matches('/');
    if path.contains(['*', '?', '[', '{']) {
        return vec![format!("{bang}{path}")];
    }
    let folder = path.trim_end_matches('/');
    if folder.is_empty() {
        Vec::new()
    } else {
        vec![format!("{bang}{folder}"), format!("{bang}{folder}/**")]
    }
}

impl SearchArgs {
    /// The filters as the engine takes them.
    pub(crate) fn filters(&self) -> SearchFilters {
        SearchFilters {
            paths: path_globs(&self.path),
            languages: self.language.clone(),
            kinds: self.kind.clone(),
            no_tests: self.no_tests.unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_may_come_as_a_string() {
        for value in [json!("a, b"), json!(["a", "b"]), json!(["a,b"])] {
            let args: SearchArgs =
                serde_json::from_value(json!({"query": "q", "language": value})).unwrap();
            assert_eq!(args.language, ["a", "b"]);
        }
    }

    #[test]
    fn a_comma_in_braces_is_part_of_the_glob() {
        let args: SearchArgs =
            serde_json::from_value(json!({"query": "q", "path": "src/{a,b}/**"})).unwrap();
        assert_eq!(args.filters().paths, ["src/{a,b}/**"]);
    }

    #[test]
    fn null_is_as_good_as_leaving_out() {
        let args: RefsArgs = serde_json::from_value(
            json!({"symbol": "f", "kinds": null, "path": null, "max_tokens": null}),
        )
        .unwrap();
        assert!(args.kinds.is_empty() && args.common.max_tokens.is_none());
    }

    #[test]
    fn budgets_stay_within_bounds() {
        let budget = |max_tokens| {
            Common {
                max_tokens,
                ..Common::default()
            }
            .budget()
        };
        assert_eq!(budget(None), 2_000);
        assert_eq!(budget(Some(0)), 80);
        assert_eq!(budget(Some(1_000_000)), 20_000);
    }

    #[test]
    fn a_folder_means_everything_below() {
        let globs = |path: &str| path_globs(&[path.to_owned()]);
        assert_eq!(globs("src/"), ["src", "src/**"]);
        assert_eq!(globs("!./src"), ["!src", "!src/**"]);
        assert_eq!(globs("src/*.rs"), ["src/*.rs"]);
        assert!(globs("/").is_empty());
    }
}
