//! The tools about what uses what.

use serde::Deserializer;
use serde::de::Error as _;
use serde_json::Value;
use whyrank_engine::api::{
    ByName, CallPathRequest, DeadCodeRequest, DepEdge, DepsDirection, DepsRequest, ImpactRequest,
    RefHit, RefsRequest, SymbolPlace,
};

use super::prelude::*;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct RefsArgs {
    /// Name, bare or qualified
    symbol: String,
    /// File of the definition meant
    path: Option<String>,
    /// Its line
    line: Option<u32>,
    #[serde(default)]
    #[schemars(schema_with = "choices::use_kinds")]
    kinds: Many,
    /// Also comments, strings, docs, unsettled names
    mentions: Option<bool>,
    /// List uses in tests and docs too
    tests: Option<bool>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for RefsArgs {
    const ABOUT: About = About {
        name: "refs",
        family: Family::Impact,
        profile: Profile::Core,
        title: "Find uses",
        description: "List every use of a symbol before changing it: path: lines, production \
            code first; with kinds=[implements], who implements, extends or overrides it. Pass path \
            and line when names collide. Not for words in text: search.",
    };
    const SEVERAL: Several = Several::Linked;

    fn run(self, call: &Call<'_>) -> Answer {
        require("symbol", &self.symbol)?;
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().refs(&RefsRequest {
                repo: repo.to_owned(),
                symbol: self.symbol.clone(),
                path: self.path.clone(),
                line: self.line,
                kinds: self.kinds.0.clone(),
                mentions: self.mentions.unwrap_or_default(),
                as_of: self.as_of.clone(),
            })?;
            if response.definitions.is_empty() && response.references.is_empty() {
                return Err(not_found(&self.symbol, &response.near, "refs"));
            }
            let uses = response.references.iter().chain(by_name(&response.by_name));
            let heirs = response.heirs.iter().map(ToolResult::from);
            let results = uses.map(ToolResult::from).chain(heirs).collect();
            let list_tests = self.tests.unwrap_or_default();
            Ok(write(&self.common, results, &response, |style| {
                present::refs(&self.symbol, &response, list_tests, style)
            }))
        })
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct DepsArgs {
    /// File in the repository
    path: String,
    #[serde(default)]
    #[schemars(schema_with = "choices::deps_direction")]
    direction: Option<DepsDirection>,
    /// Steps; default 1
    depth: Option<u32>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for DepsArgs {
    const ABOUT: About = About {
        name: "deps",
        family: Family::Impact,
        profile: Profile::Core,
        title: "Imports and importers",
        description: "See what a file imports and which files import it, resolved to paths. Not \
            for uses of one symbol: refs.",
    };
    const SEVERAL: Several = Several::Linked;

    fn run(self, call: &Call<'_>) -> Answer {
        require("path", &self.path)?;
        let direction = self.direction.unwrap_or_default();
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().deps(&DepsRequest {
                repo: repo.to_owned(),
                path: self.path.clone(),
                direction,
                depth: self.depth.unwrap_or_default(),
                as_of: self.as_of.clone(),
            })?;
            let mut results = Vec::new();
            if direction != DepsDirection::Importers {
                results.extend(dep_results(&response.imports, |edge| {
                    ToolResult::file(&edge.path)
                }));
            }
            if direction != DepsDirection::Imports {
                results.extend(dep_results(&response.importers, |edge| ToolResult {
                    start_line: edge.line,
                    end_line: edge.line,
                    ..ToolResult::file(&edge.path)
                }));
            }
            let further = response
                .further_imports
                .iter()
                .chain(&response.further_importers);
            results.extend(further.map(|step| ToolResult::file(&step.path)));
            Ok(write(&self.common, results, &response, |style| {
                present::deps(&response, direction, style)
            }))
        })
    }
}

/// Each file of the repository once; modules outside have no place in it.
fn dep_results(edges: &[DepEdge], place: impl Fn(&DepEdge) -> ToolResult) -> Vec<ToolResult> {
    let mut results: Vec<ToolResult> = Vec::new();
    for edge in edges.iter().filter(|edge| !edge.external) {
        if results.iter().all(|result| result.path != edge.path) {
            results.push(place(edge));
        }
    }
    results
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ImpactArgs {
    /// Name, bare or qualified
    symbol: String,
    /// File of the definition meant
    path: Option<String>,
    /// Its line
    line: Option<u32>,
    /// Steps, default 3
    depth: Option<u32>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for ImpactArgs {
    const ABOUT: About = About {
        name: "impact",
        family: Family::Impact,
        profile: Profile::Standard,
        title: "Find callers",
        description: "See what a change of a symbol can break: the definitions that call or use it, \
            directly and through others, by distance; tests apart. Not for each line of use: refs.",
    };
    const SEVERAL: Several = Several::Linked;

    fn run(self, call: &Call<'_>) -> Answer {
        require("symbol", &self.symbol)?;
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().impact(&ImpactRequest {
                repo: repo.to_owned(),
                symbol: self.symbol.clone(),
                path: self.path.clone(),
                line: self.line,
                depth: self.depth.unwrap_or(0),
                as_of: self.as_of.clone(),
            })?;
            if response.definitions.is_empty() {
                return Err(not_found(&self.symbol, &response.near, "impact"));
            }
            let outside = response.outside.iter().chain(by_name(&response.by_name));
            let callers = response.callers.iter().map(ToolResult::from);
            let results = callers.chain(outside.map(ToolResult::from)).collect();
            Ok(write(&self.common, results, &response, |style| {
                present::impact(&self.symbol, &response, style)
            }))
        })
    }
}

/// Places that only their name makes uses.
fn by_name(found: &Option<ByName>) -> impl Iterator<Item = &RefHit> {
    found.iter().flat_map(|found| &found.uses)
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct CallPathArgs {
    /// Name; path:name where several share it
    from: String,
    to: String,
    from_path: Option<String>,
    from_line: Option<u32>,
    to_path: Option<String>,
    to_line: Option<u32>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for CallPathArgs {
    const ABOUT: About = About {
        name: "call_path",
        family: Family::Impact,
        profile: Profile::Full,
        title: "Find a call path",
        description: "Learn how one symbol reaches another: the shortest chains of calls and uses \
            between them, with lines; else of imports. Not for all callers: impact.",
    };
    const SEVERAL: Several = Several::Linked;

    fn run(self, call: &Call<'_>) -> Answer {
        require("from", &self.from)?;
        require("to", &self.to)?;
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().call_path(&CallPathRequest {
                repo: repo.to_owned(),
                from: self.from.clone(),
                from_path: self.from_path.clone(),
                from_line: self.from_line,
                to: self.to.clone(),
                to_path: self.to_path.clone(),
                to_line: self.to_line,
                as_of: self.as_of.clone(),
            })?;
            for (name, found) in [(&self.from, &response.from), (&self.to, &response.to)] {
                if found.is_empty() {
                    return Err(not_found(name, &response.near, "lookup"));
                }
            }
            let steps = response.paths.iter().flatten();
            let results = steps.map(|step| ToolResult::named(&step.symbol)).collect();
            Ok(write(&self.common, results, &response, |style| {
                present::call_path(&self.from, &self.to, &response, style)
            }))
        })
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct DeadCodeArgs {
    symbol: Option<String>,
    /// Its file, or folder
    path: Option<String>,
    /// Its line
    line: Option<u32>,
    /// Many: name or path:name
    #[serde(default, deserialize_with = "symbols")]
    #[schemars(with = "Option<Vec<String>>")]
    symbols: Vec<SymbolPlace>,
    #[serde(default)]
    #[schemars(schema_with = "choices::dead_kinds")]
    kinds: Many,
    /// Also test helpers
    tests: Option<bool>,
    /// Coverage file; none
    #[serde(default)]
    coverage: Many,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl DeadCodeArgs {
    /// The symbols asked about.
    fn places(&self) -> Vec<SymbolPlace> {
        let single = self.symbol.iter().map(|symbol| SymbolPlace {
            symbol: symbol.clone(),
            path: self.path.clone(),
            line: self.line,
        });
        single.chain(self.symbols.iter().cloned()).collect()
    }
}

impl Tool for DeadCodeArgs {
    const ABOUT: About = About {
        name: "dead_code",
        family: Family::Impact,
        profile: Profile::Full,
        title: "Find dead code",
        description: "Find what can be deleted: dead, test-only, maybe dynamic, exported and \
            unused; or ask about symbols. Not for uses: refs.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let symbols = self.places();
        let asked: Vec<String> = symbols.iter().map(|place| place.symbol.clone()).collect();
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().dead_code(&DeadCodeRequest {
                repo: repo.to_owned(),
                symbols: symbols.clone(),
                path: self.path.clone().unwrap_or_default(),
                tests: self.tests.unwrap_or_default(),
                kinds: self.kinds.0.clone(),
                coverage: self.coverage.0.clone(),
                as_of: self.as_of.clone(),
            })?;
            if let (Some(unknown), []) = (response.unknown.first(), response.findings.as_slice()) {
                return Err(not_found(unknown, &response.near, "dead_code"));
            }
            let dead = response.findings.iter().filter(|finding| finding.dead);
            let results = dead
                .map(|finding| ToolResult::named(&finding.symbol))
                .collect();
            Ok(write(&self.common, results, &response, |style| {
                present::dead_code(&asked, &response, style)
            }))
        })
    }
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
                D::Error::custom(format!("`symbols` has {shown}, which is not a name"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_imported_twice_is_one_result() {
        let edge = |path: &str, line, external| DepEdge {
            path: path.to_owned(),
            module: path.to_owned(),
            line,
            external,
        };
        let edges = [
            edge("a.js", 1, false),
            edge("a.js", 9, false),
            edge("http", 2, true),
        ];
        let results = dep_results(&edges, |edge| ToolResult::file(&edge.path));
        assert_eq!(results, [ToolResult::file("a.js")]);
    }
}
