//! The tools over earlier answers.

use regex::{Regex, RegexBuilder};
use serde_json::json;

use super::{Answer, write};
use crate::answer::{ToolError, ToolResult};
use crate::args::{
    Common, CtxGrepArgs, CtxPeekArgs, CtxSliceArgs, CtxStatsArgs, GrepResultsArgs, HeadResultsArgs,
};
use crate::present;
use crate::session::Call;

const DEFAULT_RESULTS: u32 = 20;
const MAX_CONTEXT: u32 = 20;
/// Lines that a peek shows of the beginning and of the end.
const PEEK_LINES: usize = 8;

pub(crate) fn head_results(call: &Call<'_>, args: HeadResultsArgs) -> Answer {
    let kept = call.kept(&args.handle)?;
    let (offset, limit) = (
        args.offset.unwrap_or(0),
        args.limit.unwrap_or(DEFAULT_RESULTS),
    );
    let page = kept
        .results
        .iter()
        .skip(offset as usize)
        .take(limit as usize);
    let page: Vec<ToolResult> = page.cloned().collect();
    let structured = json!({"handle": kept.handle, "results": page, "total": kept.results.len()});
    Ok(write(&args.common(), page.clone(), &structured, |style| {
        present::results(
            &page,
            (offset as usize, kept.results.len()),
            &kept.handle,
            style,
        )
    }))
}

pub(crate) fn grep_results(call: &Call<'_>, args: GrepResultsArgs) -> Answer {
    let kept = call.kept(&args.handle)?;
    let pattern = regex(&args.pattern)?;
    let fits = |result: &&ToolResult| {
        let name = result.symbol.as_deref().unwrap_or_default();
        let kind = result.kind.as_deref().unwrap_or_default();
        pattern.is_match(&format!(
            "{}:{} {kind} {name}",
            result.path, result.start_line
        ))
    };
    let found: Vec<ToolResult> = kept.results.iter().filter(fits).cloned().collect();
    let structured = json!({"handle": kept.handle, "results": found, "total": kept.results.len()});
    Ok(write(&args.common(), found.clone(), &structured, |style| {
        present::results(&found, (0, found.len()), &kept.handle, style)
    }))
}

pub(crate) fn ctx_peek(call: &Call<'_>, args: CtxPeekArgs) -> Answer {
    let kept = call.kept(&args.handle)?;
    let n_lines = kept.text.lines().count();
    let shown: Vec<(usize, &str)> = (1..)
        .zip(kept.text.lines())
        .filter(|(line, _)| *line <= PEEK_LINES || *line + PEEK_LINES > n_lines)
        .collect();
    let structured = json!({"handle": kept.handle, "call": kept.call, "lines": n_lines});
    Ok(write(&args.common(), Vec::new(), &structured, |style| {
        present::kept_lines(&kept.call, &shown, n_lines, style)
    }))
}

pub(crate) fn ctx_slice(call: &Call<'_>, args: CtxSliceArgs) -> Answer {
    let kept = call.kept(&args.handle)?;
    let n_lines = kept.text.lines().count();
    if args.from == 0 || args.from > args.to || args.from as usize > n_lines {
        return Err(ToolError::new(
            "bad-argument",
            format!("no lines {} to {}", args.from, args.to),
            format!("{} has lines 1 to {n_lines}", kept.handle),
        ));
    }
    let lines = (1..).zip(kept.text.lines());
    let wanted = args.from as usize..=args.to as usize;
    let shown: Vec<(usize, &str)> = lines.filter(|(line, _)| wanted.contains(line)).collect();
    let structured = json!({"handle": kept.handle, "lines": shown});
    Ok(write(&args.common(), Vec::new(), &structured, |style| {
        present::kept_lines("", &shown, n_lines, style)
    }))
}

pub(crate) fn ctx_grep(call: &Call<'_>, args: CtxGrepArgs) -> Answer {
    let kept = call.kept(&args.handle)?;
    let pattern = regex(&args.pattern)?;
    let around = args.context.unwrap_or(0).min(MAX_CONTEXT) as usize;
    let lines: Vec<(usize, &str)> = (1..).zip(kept.text.lines()).collect();
    let hits: Vec<usize> = lines
        .iter()
        .filter(|(_, text)| pattern.is_match(text))
        .map(|(line, _)| *line)
        .collect();
    let is_near = |line: usize| hits.iter().any(|hit| hit.abs_diff(line) <= around);
    let n_lines = lines.len();
    let shown: Vec<(usize, &str)> = lines
        .into_iter()
        .filter(|(line, _)| is_near(*line))
        .collect();
    let structured = json!({"handle": kept.handle, "lines": shown, "hits": hits});
    Ok(write(&args.common(), Vec::new(), &structured, |style| {
        if shown.is_empty() {
            format!("no line of {n_lines} matches")
        } else {
            present::kept_lines("", &shown, n_lines, style)
        }
    }))
}

pub(crate) fn ctx_stats(call: &Call<'_>, args: CtxStatsArgs) -> Answer {
    let kept = match &args.handle {
        Some(handle) => vec![call.session.kept().get(handle)?],
        None => call.session.kept().all(),
    };
    let lines: Vec<present::CachedLine> = kept
        .iter()
        .map(|kept| present::CachedLine {
            handle: kept.handle.clone(),
            call: kept.call.clone(),
            n_lines: kept.text.lines().count(),
            tokens: crate::estimate_tokens(&kept.text),
            n_results: kept.results.len(),
            age_s: kept.at.elapsed().as_secs(),
        })
        .collect();
    let structured = json!({"kept": lines});
    Ok(write(
        &Common::default(),
        Vec::new(),
        &structured,
        |style| present::kept(&lines, style),
    ))
}

/// Bounded, so that no pattern of an agent's takes the server's memory.
fn regex(pattern: &str) -> Result<Regex, ToolError> {
    let built = RegexBuilder::new(pattern)
        .case_insensitive(!pattern.chars().any(char::is_uppercase))
        .size_limit(1 << 20)
        .build();
    built.map_err(|error| {
        ToolError::new(
            "bad-argument",
            format!("`{pattern}` is not a regular expression: {error}"),
            "escape special characters with a backslash",
        )
    })
}
