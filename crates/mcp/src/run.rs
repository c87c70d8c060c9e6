//! What each tool does: its arguments to a request, the engine's answer to text and places.

mod kept;
mod memory;
mod repos;
mod review;
mod structural_search;
mod structure;
mod tasks;

pub(crate) use kept::{ctx_grep, ctx_peek, ctx_slice, ctx_stats, grep_results, head_results};
pub(crate) use memory::{
    as_of, demote, forget, memories, pin, promote, recall, remember, unpin, wakeup,
};
pub(crate) use repos::{index, list_repos, status};
pub(crate) use review::{critique, diff_search, review_diff, verify};
pub(crate) use structural_search::{ast_grep, patterns};
pub(crate) use tasks::{ask, context, investigate, search_iterative};

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use whyrank_engine::api::{
    ByName, CallPathRequest, DeadCodeRequest, DepEdge, DepsDirection, DepsRequest, Hit,
    ImpactRequest, LookupRequest, LookupResponse, RefHit, RefsRequest, SearchRequest, SymbolLine,
};

use crate::answer::{ToolAnswer, ToolError, ToolResult};
use crate::args::MOST_MAX_TOKENS;
use crate::args::{
    CallPathArgs, Common, DeadCodeArgs, DepsArgs, ExplainArgs, Format, ImpactArgs, LookupArgs,
    RefsArgs, SearchArgs,
};
use crate::present::{self, Style};
use crate::session::Call;
use crate::tokens::estimate_tokens;

pub(crate) use structure::{audit, clusters, concepts, export_context, overview, test_map};

type Answer = Result<ToolAnswer, ToolError>;

/// Characters by which a whole answer is longer than one that was cut, its footer aside.
const CLEARLY_LONGER: usize = 40;

/// Definitions that are kept of a name; one answer shows fewer.
const MOST_DEFINITIONS: u32 = 200;

pub(crate) fn search(call: &Call<'_>, args: SearchArgs) -> Answer {
    require("query", &args.query)?;
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let mut response = call.engine().search_for_agent(&SearchRequest {
            repo: repo.to_owned(),
            query: args.query.clone(),
            limit: args.limit.unwrap_or(0),
            filters: args.filters(),
            as_of: args.as_of.clone(),
            weights: None,
            distinct_files: true,
        })?;
        if response.n_candidates == 0 {
            let globs = args.filters().paths;
            call.engine()
                .check_paths(repo, &globs, args.as_of.as_deref())?;
        }
        // The window narrows by facets; an agent writes another query.
        response.facets.clear();
        let results = response.hits.iter().map(hit_result).collect();
        Ok(write(&args.common, results, &response, |style| {
            present::search(&response, style)
        }))
    })
}

/// A hit as a place, with what `verify` checks it by.
fn hit_result(hit: &Hit) -> ToolResult {
    ToolResult {
        path: hit.path.clone(),
        start_line: hit.start_line,
        end_line: hit.end_line,
        symbol: hit.symbol.clone(),
        kind: Some(hit.kind.clone()),
        score: Some(hit.score),
        evidence: Some(hit.evidence_id.clone()),
        ..ToolResult::default()
    }
}

pub(crate) fn lookup(call: &Call<'_>, args: LookupArgs) -> Answer {
    require("symbol", &args.symbol)?;
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().lookup(&LookupRequest {
            repo: repo.to_owned(),
            symbol: args.symbol.clone(),
            kind: args.kind.clone(),
            path: args.path.clone(),
            as_of: args.as_of.clone(),
            limit: MOST_DEFINITIONS,
        })?;
        if response.definitions.is_empty() && response.n_left_out > 0 {
            return Err(left_out(&args, &response));
        }
        if response.definitions.is_empty() {
            return Err(not_found(&args.symbol, &response.near, "lookup"));
        }
        let results = response.definitions.iter().map(ToolResult::from).collect();
        Ok(write(&args.common, results, &response, |style| {
            present::lookup(&response, style)
        }))
    })
}

pub(crate) fn refs(call: &Call<'_>, args: RefsArgs) -> Answer {
    require("symbol", &args.symbol)?;
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().refs(&RefsRequest {
            repo: repo.to_owned(),
            symbol: args.symbol.clone(),
            path: args.path.clone(),
            line: args.line,
            kinds: args.kinds.clone(),
            mentions: args.mentions.unwrap_or_default(),
            as_of: args.as_of.clone(),
        })?;
        if response.definitions.is_empty() && response.references.is_empty() {
            return Err(not_found(&args.symbol, &response.near, "refs"));
        }
        let uses = response.references.iter().chain(by_name(&response.by_name));
        let heirs = response.heirs.iter().map(ToolResult::from);
        let results = uses.map(ToolResult::from).chain(heirs).collect();
        let list_tests = args.tests.unwrap_or_default();
        Ok(write(&args.common, results, &response, |style| {
            present::refs(&args.symbol, &response, list_tests, style)
        }))
    })
}

pub(crate) fn deps(call: &Call<'_>, args: DepsArgs) -> Answer {
    require("path", &args.path)?;
    let direction = args.direction.unwrap_or_default().into();
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().deps(&DepsRequest {
            repo: repo.to_owned(),
            path: args.path.clone(),
            direction,
            as_of: args.as_of.clone(),
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
        Ok(write(&args.common, results, &response, |style| {
            present::deps(&response, direction, style)
        }))
    })
}

pub(crate) fn impact(call: &Call<'_>, args: ImpactArgs) -> Answer {
    require("symbol", &args.symbol)?;
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().impact(&ImpactRequest {
            repo: repo.to_owned(),
            symbol: args.symbol.clone(),
            path: args.path.clone(),
            line: args.line,
            depth: args.depth.unwrap_or(0),
            as_of: args.as_of.clone(),
        })?;
        if response.definitions.is_empty() {
            return Err(not_found(&args.symbol, &response.near, "impact"));
        }
        let outside = response.outside.iter().chain(by_name(&response.by_name));
        let callers = response.callers.iter().map(ToolResult::from);
        let results = callers.chain(outside.map(ToolResult::from)).collect();
        Ok(write(&args.common, results, &response, |style| {
            present::impact(&args.symbol, &response, style)
        }))
    })
}

pub(crate) fn call_path(call: &Call<'_>, args: CallPathArgs) -> Answer {
    require("from", &args.from)?;
    require("to", &args.to)?;
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().call_path(&CallPathRequest {
            repo: repo.to_owned(),
            from: args.from.clone(),
            from_path: args.from_path.clone(),
            from_line: args.from_line,
            to: args.to.clone(),
            to_path: args.to_path.clone(),
            to_line: args.to_line,
            as_of: args.as_of.clone(),
        })?;
        for (name, found) in [(&args.from, &response.from), (&args.to, &response.to)] {
            if found.is_empty() {
                return Err(not_found(name, &response.near, "lookup"));
            }
        }
        let steps = response.paths.iter().flatten();
        let results = steps.map(|step| ToolResult::named(&step.symbol)).collect();
        Ok(write(&args.common, results, &response, |style| {
            present::call_path(&args.from, &args.to, &response, style)
        }))
    })
}

pub(crate) fn dead_code(call: &Call<'_>, args: DeadCodeArgs) -> Answer {
    let symbols = args.places();
    let asked: Vec<String> = symbols.iter().map(|place| place.symbol.clone()).collect();
    call.when_searchable(args.common.repo.as_deref(), |repo| {
        let response = call.engine().dead_code(&DeadCodeRequest {
            repo: repo.to_owned(),
            symbols: symbols.clone(),
            path: args.path.clone().unwrap_or_default(),
            tests: args.tests.unwrap_or_default(),
            kinds: args.kinds.clone(),
            coverage: args.coverage.clone(),
            as_of: args.as_of.clone(),
        })?;
        if let (Some(unknown), []) = (response.unknown.first(), response.findings.as_slice()) {
            return Err(not_found(unknown, &response.near, "dead_code"));
        }
        let dead = response.findings.iter().filter(|finding| finding.dead);
        let results = dead
            .map(|finding| ToolResult::named(&finding.symbol))
            .collect();
        Ok(write(&args.common, results, &response, |style| {
            present::dead_code(&asked, &response, style)
        }))
    })
}

/// Places that only their name makes uses.
fn by_name(found: &Option<ByName>) -> impl Iterator<Item = &RefHit> {
    found.iter().flat_map(|found| &found.uses)
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

pub(crate) fn explain(call: &Call<'_>, args: ExplainArgs) -> Answer {
    require("query_id", &args.query_id)?;
    if let Some(other) = args.against {
        return compare(call, &args, other);
    }
    let trace = call.engine().explain(&args.query_id)?;
    if let Some(rank) = args.hit
        && trace.rows.iter().all(|row| row.rank != rank)
    {
        let message = format!("no hit {rank}: the trace has {} rows", trace.rows.len());
        return Err(ToolError::new(
            "bad-argument",
            message,
            "leave out hit for the first three",
        ));
    }
    let rows = trace
        .rows
        .iter()
        .filter(|row| args.hit.is_none_or(|rank| rank == row.rank));
    let results = rows.map(|row| ToolResult {
        path: row.path.clone(),
        start_line: row.start_line,
        end_line: row.end_line,
        symbol: row.symbol.clone(),
        score: Some(row.score),
        ..ToolResult::default()
    });
    let common = Common {
        repo: None,
        max_tokens: args.max_tokens,
        format: args.format,
    };
    Ok(write(&common, results.collect(), &trace, |style| {
        present::explain(&trace, args.hit, style)
    }))
}

/// Why one hit stands before another.
fn compare(call: &Call<'_>, args: &ExplainArgs, other: u32) -> Answer {
    let compared = call
        .engine()
        .compare_hits(&args.query_id, args.hit.unwrap_or(1), other)?;
    let common = Common {
        repo: None,
        max_tokens: args.max_tokens,
        format: args.format,
    };
    Ok(write(&common, Vec::new(), &compared, |style| {
        present::comparison(&compared, style)
    }))
}

fn write(
    common: &Common,
    results: Vec<ToolResult>,
    response: &impl Serialize,
    text: impl Fn(Style) -> String,
) -> ToolAnswer {
    let structured = serde_json::to_value(response).unwrap_or(Value::Null);
    let budget = common.budget();
    let within = |budget: u32| match common.format() {
        Format::Json => present::json(&structured, budget),
        format => text(Style {
            budget,
            detailed: format == Format::Detailed,
        }),
    };
    let text = within(budget);
    // What fills its budget was cut; the rest is kept for the tools over earlier answers.
    let may_be_cut = estimate_tokens(&text) > budget / 2;
    let full = may_be_cut.then(|| within(MOST_MAX_TOKENS));
    let full = full.filter(|full| full.len() > text.len() + CLEARLY_LONGER);
    let mut answer = ToolAnswer::new(text, results, structured);
    answer.full = full;
    answer
}

fn require(name: &str, value: &str) -> Result<(), ToolError> {
    if value.trim().is_empty() {
        Err(ToolError::new(
            "bad-argument",
            format!("{name} is empty"),
            "say what to find",
        ))
    } else {
        Ok(())
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

fn not_found(symbol: &str, near: &[SymbolLine], tool: &str) -> ToolError {
    let message = format!("no definition of `{symbol}`");
    let hint = match near.first() {
        None => format!("try search(query=\"{symbol}\")"),
        Some(first) => format!(
            "nearest: {}. Try {tool}(symbol=\"{}\") or search(query=\"{symbol}\")",
            present::near_names(near),
            first.qualified
        ),
    };
    ToolError::new("not-found", message, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_symbol_names_its_nearest() {
        let near = SymbolLine {
            path: "src/a.rs".to_owned(),
            start_line: 12,
            end_line: 20,
            name_line: 12,
            kind: "struct".to_owned(),
            name: "FooBar".to_owned(),
            qualified: "FooBar".to_owned(),
            signature: "struct FooBar".to_owned(),
            exported: true,
        };
        let error = not_found("Foo", &[near], "lookup");
        insta::assert_snapshot!(error.to_string(), @r#"
        no definition of `Foo`
        nearest: FooBar (src/a.rs:12). Try lookup(symbol="FooBar") or search(query="Foo")
        "#);
    }

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
