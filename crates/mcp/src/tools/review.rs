//! The tools about changes and claims.

use whyrank_engine::api::{
    CritiqueRequest, CritiqueResponse, DiffSearchRequest, RepoId, ReviewRequest, SymbolLine,
    VerifiedEvidence, VerifyRequest,
};

use super::prelude::*;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ReviewDiffArgs {
    /// Revision or A..B; default HEAD
    #[serde(rename = "ref")]
    reference: Option<String>,
    /// Folder or file
    path: Option<String>,
    max_files: Option<u32>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for ReviewDiffArgs {
    const ABOUT: About = About {
        name: "review_diff",
        family: Family::Review,
        profile: Profile::Standard,
        title: "Review a diff",
        description: "Before a commit or for a branch: what changed by risk, with signature breaks, \
            users that did not change, missing tests and near-duplicates. Not for style.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        call.with_files(self.common.repo.as_deref(), |repo| {
            let response = call.engine().review_diff(&ReviewRequest {
                repo: repo.to_owned(),
                reference: self.reference.clone().unwrap_or_default(),
                path: self.path.clone(),
                max_files: self.max_files.unwrap_or_default(),
            })?;
            let results = response.symbols.iter().map(|one| ToolResult {
                score: Some(one.risk),
                ..ToolResult::named(&one.symbol)
            });
            let broken = response
                .broken_imports
                .iter()
                .flat_map(|one| &one.importers);
            let importers = broken.map(|importer| ToolResult {
                start_line: importer.line,
                end_line: importer.line,
                ..ToolResult::file(&importer.path)
            });
            let moved = response.moved_files.iter();
            let moved = moved.map(|one| ToolResult::file(&one.path));
            let results = results.chain(importers).chain(moved).collect();
            Ok(write(&self.common, results, &response, |style| {
                present::review_diff(&response, style)
            }))
        })
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct DiffSearchArgs {
    query: String,
    /// Revision or A..B; default HEAD
    #[serde(rename = "ref")]
    reference: Option<String>,
    /// Also users of what changed
    include_callers: Option<bool>,
    /// Default 10
    limit: Option<u32>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for DiffSearchArgs {
    const ABOUT: About = About {
        name: "diff_search",
        family: Family::Review,
        profile: Profile::Full,
        title: "Search a diff",
        description: "Search only in what changed since a revision. Not for risk: review_diff.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        require("query", &self.query)?;
        call.with_files(self.common.repo.as_deref(), |repo| {
            let response = call.engine().diff_search(&DiffSearchRequest {
                repo: repo.to_owned(),
                query: self.query.clone(),
                reference: self.reference.clone().unwrap_or_default(),
                include_callers: self.include_callers.unwrap_or_default(),
                limit: self.limit.unwrap_or_default(),
            })?;
            let results = response.hits.iter().map(hit_result).collect();
            Ok(write(&self.common, results, &response, |style| {
                present::diff_search(&response, style)
            }))
        })
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct VerifyArgs {
    /// From format=detailed, or path:10-20
    #[serde(default)]
    evidence_ids: Many,
    /// What they shall show
    claim: Option<String>,
    /// Commit
    as_of: Option<String>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for VerifyArgs {
    const ABOUT: About = About {
        name: "verify",
        family: Family::Review,
        profile: Profile::Full,
        title: "Verify evidence",
        description: "Check whether cited code is unchanged, moved, modified or deleted. Not for \
            statements: critique.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let repo = self.common.repo.as_deref();
        match self.claim.as_deref().map(str::trim) {
            None | Some("") => call.with_files(repo, |repo| self.answer(call, repo, None)),
            // Claims are about uses, which the index alone tells.
            Some(claim) => call.when_searchable(repo, |repo| self.answer(call, repo, Some(claim))),
        }
    }
}

impl VerifyArgs {
    fn answer(&self, call: &Call<'_>, repo: &RepoId, claim: Option<&str>) -> Answer {
        let verified = call.engine().verify_evidence(&VerifyRequest {
            repo: repo.to_owned(),
            evidence: self.evidence_ids.0.clone(),
            as_of: self.as_of.clone(),
        })?;
        let critique = claim.map(|claim| {
            call.engine().critique(&CritiqueRequest {
                repo: repo.to_owned(),
                claim: claim.to_owned(),
                evidence: Vec::new(),
                symbols: Vec::new(),
                as_of: self.as_of.clone(),
            })
        });
        let response = CritiqueResponse {
            evidence: verified.evidence,
            ..critique.transpose()?.unwrap_or_default()
        };
        let results = response.evidence.iter().filter_map(place).collect();
        Ok(write(&self.common, results, &response, |style| {
            present::critique(&response, style)
        }))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct CritiqueArgs {
    /// Names in backticks
    claim: String,
    #[serde(default)]
    evidence_ids: Many,
    #[serde(default)]
    symbols: Many,
    #[serde(flatten)]
    common: Common,
}

impl Tool for CritiqueArgs {
    const ABOUT: About = About {
        name: "critique",
        family: Family::Review,
        profile: Profile::Full,
        title: "Check a claim",
        description: "Check a claim before you state it: whether its symbols and paths exist, and who \
            calls, imports, extends or tests what. Not for opinions.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        require("claim", &self.claim)?;
        call.when_searchable(self.common.repo.as_deref(), |repo| {
            let response = call.engine().critique(&CritiqueRequest {
                repo: repo.to_owned(),
                claim: self.claim.clone(),
                evidence: self.evidence_ids.0.clone(),
                symbols: self.symbols.0.clone(),
                as_of: None,
            })?;
            let places: Vec<&SymbolLine> = response
                .points
                .iter()
                .flat_map(|point| &point.places)
                .collect();
            let results = places.into_iter().map(ToolResult::named);
            let results = results.chain(response.evidence.iter().filter_map(place));
            Ok(write(&self.common, results.collect(), &response, |style| {
                present::critique(&response, style)
            }))
        })
    }
}

fn place(evidence: &VerifiedEvidence) -> Option<ToolResult> {
    Some(ToolResult {
        start_line: evidence.start_line,
        end_line: evidence.end_line,
        symbol: evidence.symbol.clone(),
        kind: Some(evidence.state.to_string()),
        ..ToolResult::file(evidence.path.as_ref()?)
    })
}
