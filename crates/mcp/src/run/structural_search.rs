//! Structural search and recurring roles.

use whyrank_engine::api::{AstGrepRequest, AstMatch, PatternsRequest};

use super::{Answer, require, write};
use crate::answer::ToolResult;
use crate::args::{AstGrepArgs, PatternsArgs, path_globs};
use crate::present;
use crate::session::Call;

pub(crate) fn ast_grep(call: &Call<'_>, args: AstGrepArgs) -> Answer {
    require("pattern", &args.pattern)?;
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().ast_grep(&AstGrepRequest {
            repo: repo.to_owned(),
            pattern: args.pattern.clone(),
            language: args.language.clone().unwrap_or_default(),
            paths: path_globs(&args.path),
            limit: args.limit.unwrap_or(0),
            as_of: args.as_of.clone(),
        })?;
        let results = response.matches.iter().map(place).collect();
        Ok(write(&args.common, results, &response, |style| {
            present::ast_grep(&args.pattern, &response, style)
        }))
    })
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

pub(crate) fn patterns(call: &Call<'_>, args: PatternsArgs) -> Answer {
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().patterns(&PatternsRequest {
            repo: repo.to_owned(),
            pattern: args.pattern.clone().unwrap_or_default(),
            paths: path_globs(&args.path),
            as_of: args.as_of.clone(),
        })?;
        let findings = response.findings.iter();
        let results = findings.map(|finding| ToolResult::named(&finding.symbol));
        let asked = args.pattern.as_deref().unwrap_or_default();
        Ok(write(&args.common, results.collect(), &response, |style| {
            present::patterns(asked, &response, style)
        }))
    })
}
