//! Answers from the files themselves, for a repository without an index: one that is large is not indexed before
//! the first answer, and in a script none is.

use serde_json::json;
use whyrank_engine::Engine;
use whyrank_engine::api::RepoSummary;
use whyrank_mcp::{ToolError, present};

use crate::exit::{Exit, INDEX_MISSING};
use crate::out;

/// Files that git tracks up to which a first index is waited for in a terminal: it takes a few seconds.
const FEW_FILES: u32 = 1_000;
/// What is read within is the answer.
const BUDGET_MS: u32 = 1_500;
const MAX_LINES: usize = 20;
/// Tokens of a page that leaves nothing out.
const PAGE: u32 = 20_000;

/// Whether a repository is indexed before its first answer.
pub(crate) fn is_indexed_first(engine: &Engine, summary: &RepoSummary) -> anyhow::Result<bool> {
    Ok(out::is_interactive() && engine.n_tracked_files(&summary.id)? <= FEW_FILES)
}

/// Prints lines that hold what is asked for, by text alone, and how to have an index.
///
/// # Errors
///
/// Always: the exit code says that there is no index.
pub(crate) fn answer(
    engine: &Engine,
    summary: &RepoSummary,
    asked: Option<&str>,
    json: bool,
) -> anyhow::Result<()> {
    let error = missing(summary);
    let Some(asked) = asked.filter(|asked| !asked.trim().is_empty()) else {
        return Err(error.into());
    };
    let found = engine.unindexed_grep(&summary.id, asked, MAX_LINES, BUDGET_MS)?;
    if json {
        out::json(&json!({"error": error, "unindexed": found}))?;
    } else if found.lines.is_empty() {
        return Err(error.into());
    } else {
        let said = format!(
            "{}: by text alone until `whyrank index {}` has been run",
            error.message, summary.root
        );
        out::line(&present::unindexed_grep(&said, &found, PAGE))?;
    }
    Err(Exit(INDEX_MISSING).into())
}

/// What a question that needs an index ends with.
pub(crate) fn missing(summary: &RepoSummary) -> ToolError {
    let message = if summary.is_set_aside {
        format!("{}: {}", summary.root, summary.state_note)
    } else {
        format!("{} is not indexed", summary.root)
    };
    ToolError::new(
        "index-missing",
        message,
        format!("run `whyrank index {}`", summary.root),
    )
}
