//! The tools that find code: by meaning, by name, by structure, by role.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use whyrank_engine::api::{
    AstGrepRequest, AstMatch, Hit, LookupRequest, LookupResponse, PatternsRequest, RepoId,
    RepoScope, SearchFilters, SearchRequest, UnreadFile,
};

use super::prelude::*;

/// Definitions that are kept of a name; one answer shows fewer.
const MOST_DEFINITIONS: u32 = 200;
/// Candidates of an iterative search.
const POOL: u32 = 200;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct SearchArgs {
    query: String,
    /// Globs or folders; leading ! excludes
    #[serde(default)]
    path: Many,
    #[serde(default)]
    language: Many,
    #[serde(default)]
    #[schemars(schema_with = "choices::hit_kinds")]
    kind: Many,
    no_tests: Option<bool>,
    current_file: Option<String>,
    /// Default 10
    limit: Option<u32>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for SearchArgs {
    const ABOUT: About = About {
        name: "search",
        family: Family::Search,
        profile: Profile::Core,
        title: "Search code",
        description: "Find code by meaning, name, path or error text; ask it first. \
            Returns ranked path:lines kind signature, one per file. Not for a known \
            name: lookup, refs.",
    };

    const SEVERAL: Several = Several::Pooled;

    fn run_pooled(self, call: &Call<'_>, scope: &RepoScope) -> Answer {
        require("query", &self.query)?;
        let asking = call.asking(scope);
        let request = SearchRequest {
            repos: scope.ids(),
            ..self.request(&asking)
        };
        let mut response = call.engine().search_for_agent(&request)?;
        response.missing.splice(0..0, scope.missing.iter().cloned());
        response.facets.clear();
        let results = response.hits.iter().map(hit_result).collect();
        Ok(write(&self.common, results, &response, |style| {
            present::search(&response, style)
        }))
    }

    fn run(self, call: &Call<'_>) -> Answer {
        require("query", &self.query)?;
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let mut response = call.engine().search_for_agent(&self.request(repo))?;
            if response.n_candidates == 0 {
                let globs = self.filters().paths;
                call.engine()
                    .check_paths(repo, &globs, self.as_of.as_deref())?;
            }
            // The window narrows by facets; an agent writes another query.
            response.facets.clear();
            let results = response.hits.iter().map(hit_result).collect();
            Ok(write(&self.common, results, &response, |style| {
                present::search(&response, style)
            }))
        })
    }
}

impl SearchArgs {
    fn request(&self, repo: &RepoId) -> SearchRequest {
        SearchRequest {
            repo: repo.to_owned(),
            repos: Vec::new(),
            query: self.query.clone(),
            limit: self.limit.unwrap_or(0),
            filters: self.filters(),
            as_of: self.as_of.clone(),
            weights: None,
            tune: Vec::new(),
            current_file: self.current_file.clone(),
            distinct_files: true,
            prefix: false,
        }
    }

    /// The filters as the engine takes them.
    fn filters(&self) -> SearchFilters {
        SearchFilters {
            paths: self.path.globs(),
            languages: self.language.0.clone(),
            kinds: self.kind.0.clone(),
            no_tests: self.no_tests.unwrap_or_default(),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct LookupArgs {
    /// Name, bare or qualified (Router.use)
    symbol: String,
    #[serde(default)]
    #[schemars(schema_with = "choices::symbol_kind")]
    kind: Option<String>,
    /// File, folder or glob
    path: Option<String>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for LookupArgs {
    const ABOUT: About = About {
        name: "lookup",
        family: Family::Search,
        profile: Profile::Core,
        title: "Look up a definition",
        description: "Find where a symbol is defined, by bare or qualified name. Returns \
            path:lines kind signature, or near names. Not for who uses it: refs.",
    };
    const SEVERAL: Several = Several::EachByName;

    fn run(self, call: &Call<'_>) -> Answer {
        require("symbol", &self.symbol)?;
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().lookup(&LookupRequest {
                repo: repo.to_owned(),
                symbol: self.symbol.clone(),
                kind: self.kind.clone(),
                path: self.path.clone(),
                as_of: self.as_of.clone(),
                limit: MOST_DEFINITIONS,
            })?;
            if response.definitions.is_empty() && response.n_left_out > 0 {
                return Err(left_out(&self, &response));
            }
            if response.definitions.is_empty() {
                let error = not_found(&self.symbol, &response.near, "lookup");
                return Err(with_unread(error, &response.unread));
            }
            let results = response.definitions.iter().map(ToolResult::from).collect();
            Ok(write(&self.common, results, &response, |style| {
                present::lookup(&response, style)
            }))
        })
    }
}

/// What was not read may define the name.
fn with_unread(error: ToolError, files: &[UnreadFile]) -> ToolError {
    match present::unread(files) {
        Some(unread) => {
            let message = format!("{}, but {unread}", error.message);
            ToolError::new("not-found", message, error.hint)
        }
        None => error,
    }
}

/// The name is defined, but not as that kind or not there.
fn left_out(args: &LookupArgs, response: &LookupResponse) -> ToolError {
    let kind = args.kind.as_deref().unwrap_or("definition");
    let place = args.path.as_ref().map(|path| format!(" in `{path}`"));
    let message = format!("no {kind} `{}`{}", args.symbol, place.unwrap_or_default());
    let kinds: BTreeSet<&str> = response.near.iter().map(|one| one.kind.as_str()).collect();
    let hint = format!(
        "{} elsewhere or of another kind ({}): {}",
        response.n_left_out,
        kinds.into_iter().collect::<Vec<_>>().join(", "),
        present::near_names(&response.near)
    );
    ToolError::new("not-found", message, hint)
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct AstGrepArgs {
    /// Code with $X (one node), $$$ARGS (any number); same name = same text
    pattern: String,
    /// Default: all in which it parses
    language: Option<String>,
    /// Globs or folders; leading ! excludes
    #[serde(default)]
    path: Many,
    /// Default 200
    limit: Option<u32>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for AstGrepArgs {
    const ABOUT: About = About {
        name: "ast_grep",
        family: Family::Search,
        profile: Profile::Standard,
        title: "Search by structure",
        description: "Search code by structure, such as $X.unwrap() or def $F($$$): $$$. Not for \
            words or meaning: search; not for one symbol: refs.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        require("pattern", &self.pattern)?;
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().ast_grep(&AstGrepRequest {
                repo: repo.to_owned(),
                pattern: self.pattern.clone(),
                language: self.language.clone().unwrap_or_default(),
                paths: self.path.globs(),
                limit: self.limit.unwrap_or(0),
                as_of: self.as_of.clone(),
            })?;
            let results = response.matches.iter().map(place).collect();
            Ok(write(&self.common, results, &response, |style| {
                present::ast_grep(&self.pattern, &response, style)
            }))
        })
    }
}

fn place(found: &AstMatch) -> ToolResult {
    ToolResult {
        path: found.path.clone(),
        start_line: found.start_line,
        end_line: found.end_line,
        symbol: found.enclosing.clone(),
        ..ToolResult::default()
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct PatternsArgs {
    /// builder, error-type, factory or middleware; default: which there are
    pattern: Option<String>,
    /// Globs or folders; leading ! excludes
    #[serde(default)]
    path: Many,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for PatternsArgs {
    const ABOUT: About = About {
        name: "patterns",
        family: Family::Search,
        profile: Profile::Full,
        title: "Find design patterns",
        description: "Find design patterns: which definitions are builders, error types, \
            factories or middleware, and the lines that show it. Not for structural search: \
            ast_grep.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().patterns(&PatternsRequest {
                repo: repo.to_owned(),
                pattern: self.pattern.clone().unwrap_or_default(),
                paths: self.path.globs(),
                as_of: self.as_of.clone(),
            })?;
            let findings = response.findings.iter();
            let results = findings.map(|finding| ToolResult::named(&finding.symbol));
            let asked = self.pattern.as_deref().unwrap_or_default();
            Ok(write(&self.common, results.collect(), &response, |style| {
                present::patterns(asked, &response, style)
            }))
        })
    }
}

/// Keeps a pool of candidates under a handle, and narrows it without searching again.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct SearchIterativeArgs {
    /// First call
    query: Option<String>,
    /// Later calls: narrow this pool
    handle: Option<String>,
    /// Globs or folders
    #[serde(default)]
    path: Many,
    #[serde(default)]
    #[schemars(schema_with = "choices::hit_kinds")]
    kind: Many,
    /// Shown, default 10
    limit: Option<u32>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for SearchIterativeArgs {
    const ABOUT: About = About {
        name: "search_iterative",
        family: Family::Search,
        profile: Profile::Full,
        title: "Search step by step",
        description: "Keep 200 candidates under a handle and narrow them by path or kind \
            without searching again. Not for a first look: search; for any answer: grep_results.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let limit = self.limit.unwrap_or(10).clamp(1, POOL) as usize;
        let (query, pool) = match (&self.handle, &self.query) {
            (Some(handle), _) => {
                let kept = call.kept(handle)?;
                if kept.tool != "search_iterative" {
                    return Err(ToolError::new(
                        "bad-argument",
                        format!("{handle} is an answer of {}", kept.tool),
                        "give a handle of search_iterative, or use grep_results",
                    ));
                }
                (kept.call.clone(), kept.pool.clone())
            }
            (None, Some(query)) => {
                require("query", query)?;
                let repo = call.session.repo(self.common.repo.as_deref())?;
                if !call.is_searchable(&repo.id)? {
                    return call
                        .when_searchable(self.common.repo.as_deref(), |_| Ok(nothing_yet()));
                }
                let found = call.engine().search(&SearchRequest {
                    repo: repo.id,
                    repos: Vec::new(),
                    query: query.clone(),
                    limit: POOL,
                    filters: SearchFilters::default(),
                    as_of: None,
                    weights: None,
                    tune: Vec::new(),
                    current_file: None,
                    distinct_files: false,
                    prefix: false,
                })?;
                (query.clone(), found.hits)
            }
            (None, None) => {
                return Err(ToolError::new(
                    "bad-argument",
                    "neither query nor handle is given",
                    "give query first, then handle to narrow",
                ));
            }
        };
        let n_pool = pool.len();
        let narrowed = narrow(&self, pool)?;
        let shown: Vec<&Hit> = narrowed.iter().take(limit).collect();
        let structured =
            json!({"query": query, "pool": n_pool, "fitting": narrowed.len(), "hits": shown});
        let results = narrowed.iter().map(hit_result).collect();
        let answer = write(&self.common, results, &structured, |style| {
            present::search_iterative(&narrowed, (limit, n_pool), style)
        });
        Ok(answer.with_pool(narrowed))
    }
}

fn nothing_yet() -> ToolAnswer {
    ToolAnswer::new(
        "the index is being built".to_owned(),
        Vec::new(),
        Value::Null,
    )
}

fn narrow(args: &SearchIterativeArgs, pool: Vec<Hit>) -> Result<Vec<Hit>, ToolError> {
    let globs = args.path.globs();
    let fits_path = whyrank_engine::path_filter(&globs)?;
    let one_of = |wanted: &[String], value: &str| {
        wanted.is_empty() || wanted.iter().any(|one| one.eq_ignore_ascii_case(value))
    };
    let fitting = pool
        .into_iter()
        .filter(|hit| fits_path(&hit.path) && one_of(&args.kind.0, &hit.kind));
    Ok(fitting.collect())
}
