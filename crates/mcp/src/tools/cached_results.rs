//! The tools over earlier answers.

use regex::{Regex, RegexBuilder};
use serde_json::json;

use super::prelude::*;

const DEFAULT_RESULTS: u32 = 20;
const MAX_CONTEXT: u32 = 20;
/// Lines that a peek shows of the beginning and of the end.
const PEEK_LINES: usize = 8;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct HeadResultsArgs {
    handle: String,
    offset: Option<u32>,
    /// Default 20
    limit: Option<u32>,
    max_tokens: Option<u32>,
}

impl Tool for HeadResultsArgs {
    const ABOUT: About = About {
        name: "head_results",
        family: Family::Result,
        profile: Profile::Standard,
        title: "Page results",
        description: "Page through the places of a truncated answer, by the handle after \
            \"rest\". Not a search; for its text: ctx_slice.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let kept = call.kept(&self.handle)?;
        let (offset, limit) = (
            self.offset.unwrap_or(0),
            self.limit.unwrap_or(DEFAULT_RESULTS),
        );
        let page = kept
            .results
            .iter()
            .skip(offset as usize)
            .take(limit as usize);
        let page: Vec<ToolResult> = page.cloned().collect();
        let structured =
            json!({"handle": kept.handle, "results": page, "total": kept.results.len()});
        Ok(write(
            &Common::of(self.max_tokens, None),
            page.clone(),
            &structured,
            |style| {
                present::results(
                    &page,
                    (offset as usize, kept.results.len()),
                    &kept.handle,
                    style,
                )
            },
        ))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct GrepResultsArgs {
    handle: String,
    /// Regex over path, kind, name
    pattern: String,
    max_tokens: Option<u32>,
}

impl Tool for GrepResultsArgs {
    const ABOUT: About = About {
        name: "grep_results",
        family: Family::Result,
        profile: Profile::Full,
        title: "Filter results",
        description: "Filter the places of an earlier answer. Not a search of files; for its text: ctx_grep.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let kept = call.kept(&self.handle)?;
        let pattern = regex(&self.pattern)?;
        let fits = |result: &&ToolResult| {
            let name = result.symbol.as_deref().unwrap_or_default();
            let kind = result.kind.as_deref().unwrap_or_default();
            pattern.is_match(&format!(
                "{}:{} {kind} {name}",
                result.path, result.start_line
            ))
        };
        let found: Vec<ToolResult> = kept.results.iter().filter(fits).cloned().collect();
        let structured =
            json!({"handle": kept.handle, "results": found, "total": kept.results.len()});
        Ok(write(
            &Common::of(self.max_tokens, None),
            found.clone(),
            &structured,
            |style| present::results(&found, (0, found.len()), &kept.handle, style),
        ))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct CtxPeekArgs {
    handle: String,
    max_tokens: Option<u32>,
}

impl Tool for CtxPeekArgs {
    const ABOUT: About = About {
        name: "ctx_peek",
        family: Family::Result,
        profile: Profile::Full,
        title: "Peek at an answer",
        description: "See head and tail of a truncated answer. Not a file reader.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let kept = call.kept(&self.handle)?;
        let n_lines = kept.text.lines().count();
        let shown: Vec<(usize, &str)> = (1..)
            .zip(kept.text.lines())
            .filter(|(line, _)| *line <= PEEK_LINES || *line + PEEK_LINES > n_lines)
            .collect();
        let structured = json!({"handle": kept.handle, "call": kept.call, "lines": n_lines});
        Ok(write(
            &Common::of(self.max_tokens, None),
            Vec::new(),
            &structured,
            |style| present::kept_lines(&kept.call, &shown, n_lines, style),
        ))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct CtxSliceArgs {
    handle: String,
    /// First line
    from: u32,
    /// Last line
    to: u32,
    max_tokens: Option<u32>,
}

impl Tool for CtxSliceArgs {
    const ABOUT: About = About {
        name: "ctx_slice",
        family: Family::Result,
        profile: Profile::Full,
        title: "Lines of an answer",
        description: "Read lines of a truncated answer. Not a file reader.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let kept = call.kept(&self.handle)?;
        let n_lines = kept.text.lines().count();
        if self.from == 0 || self.from > self.to || self.from as usize > n_lines {
            return Err(ToolError::new(
                "bad-argument",
                format!("no lines {} to {}", self.from, self.to),
                format!("{} has lines 1 to {n_lines}", kept.handle),
            ));
        }
        let lines = (1..).zip(kept.text.lines());
        let wanted = self.from as usize..=self.to as usize;
        let shown: Vec<(usize, &str)> = lines.filter(|(line, _)| wanted.contains(line)).collect();
        let structured = json!({"handle": kept.handle, "lines": shown});
        Ok(write(
            &Common::of(self.max_tokens, None),
            Vec::new(),
            &structured,
            |style| present::kept_lines("", &shown, n_lines, style),
        ))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct CtxGrepArgs {
    handle: String,
    /// Regex
    pattern: String,
    /// Lines around
    context: Option<u32>,
    max_tokens: Option<u32>,
}

impl Tool for CtxGrepArgs {
    const ABOUT: About = About {
        name: "ctx_grep",
        family: Family::Result,
        profile: Profile::Full,
        title: "Search an answer",
        description: "Find lines in a truncated answer. Not a search of files.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let kept = call.kept(&self.handle)?;
        let pattern = regex(&self.pattern)?;
        let around = self.context.unwrap_or(0).min(MAX_CONTEXT) as usize;
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
        Ok(write(
            &Common::of(self.max_tokens, None),
            Vec::new(),
            &structured,
            |style| {
                if shown.is_empty() {
                    format!("no line of {n_lines} matches")
                } else {
                    present::kept_lines("", &shown, n_lines, style)
                }
            },
        ))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct CtxStatsArgs {
    handle: Option<String>,
}

impl Tool for CtxStatsArgs {
    const ABOUT: About = About {
        name: "ctx_stats",
        family: Family::Result,
        profile: Profile::Full,
        title: "Kept answers",
        description: "List kept answers with sizes. Not for the index: status.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let kept = match &self.handle {
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
