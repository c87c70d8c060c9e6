//! The tools about changes and claims.

use serde_json::json;
use whyrank_engine::api::{
    CritiqueRequest, DiffSearchRequest, ReviewRequest, SymbolLine, VerifiedEvidence, VerifyRequest,
};

use super::{Answer, hit_result, require, write};
use crate::answer::ToolResult;
use crate::args::{CritiqueArgs, DiffSearchArgs, ReviewDiffArgs, VerifyArgs};
use crate::present;
use crate::session::Call;

pub(crate) fn review_diff(call: &Call<'_>, args: ReviewDiffArgs) -> Answer {
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().review_diff(&ReviewRequest {
            repo: repo.to_owned(),
            reference: args.reference.clone().unwrap_or_default(),
            path: args.path.clone(),
            max_files: args.max_files.unwrap_or_default(),
            as_of: None,
        })?;
        let results = response.symbols.iter().map(|one| ToolResult {
            score: Some(one.risk),
            ..ToolResult::named(&one.symbol)
        });
        Ok(write(&args.common, results.collect(), &response, |style| {
            present::review_diff(&response, style)
        }))
    })
}

pub(crate) fn diff_search(call: &Call<'_>, args: DiffSearchArgs) -> Answer {
    require("query", &args.query)?;
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().diff_search(&DiffSearchRequest {
            repo: repo.to_owned(),
            query: args.query.clone(),
            reference: args.reference.clone().unwrap_or_default(),
            include_callers: args.include_callers.unwrap_or_default(),
            limit: args.limit.unwrap_or_default(),
        })?;
        let results = response.hits.iter().map(hit_result).collect();
        Ok(write(&args.common, results, &response, |style| {
            present::diff_search(&response, style)
        }))
    })
}

pub(crate) fn verify(call: &Call<'_>, args: VerifyArgs) -> Answer {
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let verified = call.engine().verify_evidence(&VerifyRequest {
            repo: repo.to_owned(),
            evidence: args.evidence_ids.clone(),
            as_of: args.as_of.clone(),
        })?;
        let points = match args.claim.as_deref().map(str::trim) {
            None | Some("") => Vec::new(),
            Some(claim) => {
                let critique = call.engine().critique(&CritiqueRequest {
                    repo: repo.to_owned(),
                    claim: claim.to_owned(),
                    evidence: Vec::new(),
                    symbols: Vec::new(),
                    as_of: args.as_of.clone(),
                })?;
                critique.points
            }
        };
        let results = verified.evidence.iter().filter_map(place).collect();
        let structured = json!({"evidence": verified.evidence, "points": points});
        Ok(write(&args.common, results, &structured, |style| {
            present::critique(&points, &verified.evidence, style)
        }))
    })
}

pub(crate) fn critique(call: &Call<'_>, args: CritiqueArgs) -> Answer {
    require("claim", &args.claim)?;
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().critique(&CritiqueRequest {
            repo: repo.to_owned(),
            claim: args.claim.clone(),
            evidence: args.evidence_ids.clone(),
            symbols: args.symbols.clone(),
            as_of: None,
        })?;
        let places: Vec<&SymbolLine> = response
            .points
            .iter()
            .flat_map(|point| &point.places)
            .collect();
        let results = places.into_iter().map(ToolResult::named);
        let results = results.chain(response.evidence.iter().filter_map(place));
        Ok(write(&args.common, results.collect(), &response, |style| {
            present::critique(&response.points, &response.evidence, style)
        }))
    })
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
