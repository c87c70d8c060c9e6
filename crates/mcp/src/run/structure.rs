//! The tools about the shape of a code base.

use whyrank_engine::api::{
    AuditRequest, ClustersRequest, ConceptsRequest, ExportRequest, OverviewRequest, TestMapRequest,
};

use super::{Answer, not_found, require, write};
use crate::answer::ToolResult;
use crate::args::{AuditArgs, ClustersArgs, ConceptsArgs, ExportArgs, OverviewArgs, TestMapArgs};
use crate::present;
use crate::session::Call;

/// Fewer tokens than a definition of an export ever takes.
const LEAST_LINE_TOKENS: u32 = 5;

pub(crate) fn overview(call: &Call<'_>, args: OverviewArgs) -> Answer {
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let map = call.engine().overview(&OverviewRequest {
            repo: repo.to_owned(),
            path: args.path.clone().unwrap_or_default(),
            depth: args.depth.unwrap_or_default(),
            as_of: args.as_of.clone(),
        })?;
        let files = map.modules.iter().flat_map(|module| &module.files);
        let results = files.map(|file| ToolResult {
            score: Some(file.rank),
            ..ToolResult::file(&file.path)
        });
        Ok(write(&args.common, results.collect(), &map, |style| {
            present::overview(&map, style)
        }))
    })
}

pub(crate) fn audit(call: &Call<'_>, args: AuditArgs) -> Answer {
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().audit(&AuditRequest {
            repo: repo.to_owned(),
            path: args.path.clone().unwrap_or_default(),
            kinds: args.kinds.clone(),
            as_of: args.as_of.clone(),
        })?;
        let results = response.findings.iter().map(|finding| {
            let place = finding.places.first();
            let (path, line) = place.map_or((&finding.path, 1), |place| (&place.path, place.line));
            ToolResult {
                start_line: line,
                end_line: line,
                kind: Some(finding.kind.clone()),
                ..ToolResult::file(path)
            }
        });
        Ok(write(&args.common, results.collect(), &response, |style| {
            present::audit(&response, style)
        }))
    })
}

pub(crate) fn clusters(call: &Call<'_>, args: ClustersArgs) -> Answer {
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().clusters(&ClustersRequest {
            repo: repo.to_owned(),
            min_size: args.min_size.unwrap_or_default(),
            as_of: args.as_of.clone(),
        })?;
        let key = response.clusters.iter().flat_map(|cluster| &cluster.key);
        let results = key.map(ToolResult::named).collect();
        Ok(write(&args.common, results, &response, |style| {
            present::clusters(&response, style)
        }))
    })
}

pub(crate) fn concepts(call: &Call<'_>, args: ConceptsArgs) -> Answer {
    require("query", &args.query)?;
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().concepts(&ConceptsRequest {
            repo: repo.to_owned(),
            query: args.query.clone(),
            limit: args.limit.unwrap_or_default(),
            as_of: args.as_of.clone(),
        })?;
        let found = response.concepts.iter().filter(|_| response.n_found > 0);
        let definitions = found.flat_map(|concept| &concept.definitions);
        let results = definitions.map(ToolResult::named).collect();
        Ok(write(&args.common, results, &response, |style| {
            present::concepts(&args.query, &response, style)
        }))
    })
}

pub(crate) fn export_context(call: &Call<'_>, args: ExportArgs) -> Answer {
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().export_context(&ExportRequest {
            repo: repo.to_owned(),
            path: args.path.clone().unwrap_or_default(),
            limit: args.common.budget() / LEAST_LINE_TOKENS,
            as_of: args.as_of.clone(),
        })?;
        let definitions = response.definitions.iter();
        let results = definitions
            .map(|one| ToolResult::named(&one.symbol))
            .collect();
        Ok(write(&args.common, results, &response, |style| {
            present::export_context(&response, style)
        }))
    })
}

pub(crate) fn test_map(call: &Call<'_>, args: TestMapArgs) -> Answer {
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().test_map(&TestMapRequest {
            repo: repo.to_owned(),
            reference: args.reference.clone(),
            path: args.path.clone(),
            symbol: args
                .symbol
                .clone()
                .filter(|symbol| !symbol.trim().is_empty()),
            depth: args.depth.unwrap_or_default(),
            as_of: args.as_of.clone(),
        })?;
        if let (Some(symbol), true) = (&args.symbol, response.symbols.is_empty()) {
            return Err(not_found(symbol, &response.near, "test_map"));
        }
        let results = response.symbols.iter().map(|one| ToolResult {
            score: Some(one.risk),
            ..ToolResult::named(&one.symbol)
        });
        Ok(write(&args.common, results.collect(), &response, |style| {
            present::test_map(&response, style)
        }))
    })
}
