//! The tools about the shape of a code base.

use whyrank_engine::api::{
    AuditRequest, ClustersRequest, ConceptsRequest, ExportRequest, OverviewRequest, RepoId,
    TestMapRequest,
};

use super::prelude::*;

/// Fewer tokens than a definition of an export ever takes.
const LEAST_LINE_TOKENS: u32 = 5;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct OverviewArgs {
    /// Folder; default: all
    path: Option<String>,
    /// Folders deep, default 2
    depth: Option<u32>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for OverviewArgs {
    const ABOUT: About = About {
        name: "overview",
        family: Family::Search,
        profile: Profile::Core,
        title: "Map of the code base",
        description: "Get to know an unfamiliar repository or folder: folders by importance, with \
            their main files and definitions. Not for a specific question: search.",
    };
    const SEVERAL: Several = Several::Each;

    fn run(self, call: &Call<'_>) -> Answer {
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let map = call.engine().overview(&OverviewRequest {
                repo: repo.to_owned(),
                path: self.path.clone().unwrap_or_default(),
                depth: self.depth.unwrap_or_default(),
                as_of: self.as_of.clone(),
            })?;
            let files = map.modules.iter().flat_map(|module| &module.files);
            let results = files.map(|file| ToolResult {
                score: Some(file.rank),
                ..ToolResult::file(&file.path)
            });
            Ok(write(&self.common, results.collect(), &map, |style| {
                present::overview(&map, style)
            }))
        })
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct AuditArgs {
    /// Folder or file; default: all
    path: Option<String>,
    #[serde(default)]
    #[schemars(schema_with = "choices::audit_kinds")]
    kinds: Many,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for AuditArgs {
    const ABOUT: About = About {
        name: "audit",
        family: Family::Impact,
        profile: Profile::Full,
        title: "Audit the structure",
        description: "Find structural outliers: import cycles, edges against the layers, god \
            files, hubs, orphans, with numbers and lines, judged by the repository itself. Not \
            for unused definitions: dead_code.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().audit(&AuditRequest {
                repo: repo.to_owned(),
                path: self.path.clone().unwrap_or_default(),
                kinds: self.kinds.0.clone(),
                as_of: self.as_of.clone(),
            })?;
            let results = response.findings.iter().map(|finding| {
                let place = finding.places.first();
                let (path, line) =
                    place.map_or((&finding.path, 1), |place| (&place.path, place.line));
                ToolResult {
                    start_line: line,
                    end_line: line,
                    kind: Some(finding.kind.to_string()),
                    ..ToolResult::file(path)
                }
            });
            Ok(write(&self.common, results.collect(), &response, |style| {
                present::audit(&response, style)
            }))
        })
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ClustersArgs {
    /// Members at least, default 3
    min_size: Option<u32>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for ClustersArgs {
    const ABOUT: About = About {
        name: "clusters",
        family: Family::Search,
        profile: Profile::Full,
        title: "Find clusters",
        description: "See what belongs together by imports and uses: communities with labels, cohesion, and the \
            bridges between them. Not for the folder tree: overview.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().clusters(&ClustersRequest {
                repo: repo.to_owned(),
                min_size: self.min_size.unwrap_or_default(),
                as_of: self.as_of.clone(),
            })?;
            let key = response.clusters.iter().flat_map(|cluster| &cluster.key);
            let results = key.map(ToolResult::named).collect();
            Ok(write(&self.common, results, &response, |style| {
                present::clusters(&response, style)
            }))
        })
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ConceptsArgs {
    /// A few words
    query: String,
    /// Topics, default 5
    limit: Option<u32>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for ConceptsArgs {
    const ABOUT: About = About {
        name: "concepts",
        family: Family::Search,
        profile: Profile::Full,
        title: "Find topics",
        description: "Find the topics that match a few words, each with its key definitions and \
            files. Not for one place in the code: search.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        require("query", &self.query)?;
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().concepts(&ConceptsRequest {
                repo: repo.to_owned(),
                query: self.query.clone(),
                limit: self.limit.unwrap_or_default(),
                as_of: self.as_of.clone(),
            })?;
            let found = response.concepts.iter().filter(|_| response.n_found > 0);
            let definitions = found.flat_map(|concept| &concept.definitions);
            let results = definitions.map(ToolResult::named).collect();
            Ok(write(&self.common, results, &response, |style| {
                present::concepts(&self.query, &response, style)
            }))
        })
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ExportArgs {
    /// Folder or file; default: all
    path: Option<String>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for ExportArgs {
    const ABOUT: About = About {
        name: "export_context",
        family: Family::Explain,
        profile: Profile::Full,
        title: "Export for a model",
        description: "Pack a repository or folder into a token budget: module table, bridges, then signatures by \
            importance with callers [c=n] and stars. Not for one question: search.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().export_context(&ExportRequest {
                repo: repo.to_owned(),
                path: self.path.clone().unwrap_or_default(),
                limit: self.common.budget() / LEAST_LINE_TOKENS,
                as_of: self.as_of.clone(),
            })?;
            let definitions = response.definitions.iter();
            let results = definitions
                .map(|one| ToolResult::named(&one.symbol))
                .collect();
            Ok(write(&self.common, results, &response, |style| {
                present::export_context(&response, style)
            }))
        })
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct TestMapArgs {
    /// Changed since: revision or A..B; default HEAD
    #[serde(rename = "ref")]
    reference: Option<String>,
    /// Only this definition
    symbol: Option<String>,
    /// Folder or file; without ref: all in it
    path: Option<String>,
    /// Steps from a test, default 4
    depth: Option<u32>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for TestMapArgs {
    const ABOUT: About = About {
        name: "test_map",
        family: Family::Review,
        profile: Profile::Standard,
        title: "Map tests to code",
        description: "See which tests reach your changes (ref), a path or a symbol, directly or \
            through others, and what no test reaches, riskiest first. Not for running tests.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let repo = self.common.repo.clone();
        // What lies below a path and what a symbol means only the index tells.
        let is_of_index =
            self.symbol.is_some() || (self.path.is_some() && self.reference.is_none());
        if is_of_index {
            call.when_searchable(repo.as_deref(), |repo| self.answer(call, repo))
        } else {
            call.with_files(repo.as_deref(), |repo| self.answer(call, repo))
        }
    }
}

impl TestMapArgs {
    fn answer(&self, call: &Call<'_>, repo: &RepoId) -> Answer {
        let symbol = self.symbol.as_deref();
        let response = call.engine().test_map(&TestMapRequest {
            repo: repo.to_owned(),
            reference: self.reference.clone(),
            path: self.path.clone(),
            symbol: symbol
                .filter(|symbol| !symbol.trim().is_empty())
                .map(str::to_owned),
            depth: self.depth.unwrap_or_default(),
            as_of: self.as_of.clone(),
        })?;
        if let (Some(symbol), true) = (symbol, response.symbols.is_empty()) {
            return Err(not_found(symbol, &response.near, "test_map"));
        }
        let known = response.symbols.iter().map(|one| ToolResult {
            score: Some(one.risk),
            ..ToolResult::named(&one.symbol)
        });
        let results = known.chain(response.unknown.iter().map(ToolResult::named));
        Ok(write(&self.common, results.collect(), &response, |style| {
            present::test_map(&response, style)
        }))
    }
}
