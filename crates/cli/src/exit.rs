//! How a command ends: stable exit codes, and the error on standard error or as JSON.

use std::process::ExitCode;

use serde_json::json;
use whyrank_engine::EngineError;
use whyrank_mcp::ToolError;

use crate::out;

/// Nothing was found.
pub(crate) const NOTHING_FOUND: u8 = 1;
const USAGE: u8 = 2;
/// There is no index, or none that this version can read.
pub(crate) const INDEX_MISSING: u8 = 3;
/// The index is behind the working tree.
pub(crate) const STALE: u8 = 4;
/// A model is missing or damaged.
pub(crate) const MODEL_MISSING: u8 = 5;
/// Anything else.
pub(crate) const FAILED: u8 = 6;
/// Ended by Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;

/// Ends with a code when everything has been said.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("exit code {0}")]
pub(crate) struct Exit(pub(crate) u8);

/// Ends after a mistake in the arguments, or after help.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    // Help into a pipe that is closed early is no failure.
    let _ = error.print();
    if error.use_stderr() {
        ExitCode::from(USAGE)
    } else {
        ExitCode::SUCCESS
    }
}

/// Says what failed and what to do, and gives the code.
pub(crate) fn failed(error: &anyhow::Error, json: bool) -> ExitCode {
    if let Some(Exit(code)) = error.downcast_ref() {
        return ExitCode::from(*code);
    }
    if is_broken_pipe(error) {
        return ExitCode::SUCCESS;
    }
    let error = as_tool_error(error);
    let code = code_of(&error.code);
    if json {
        let written = out::json(&json!({"error": error}));
        return ExitCode::from(if written.is_ok() { code } else { FAILED });
    }
    out::note(&format!("whyrank: {}", error.message));
    if !error.hint.is_empty() {
        out::note(&format!("  {}", error.hint));
    }
    ExitCode::from(code)
}

/// Any error in the form that callers read.
pub(crate) fn as_tool_error(error: &anyhow::Error) -> ToolError {
    if let Some(error) = error.downcast_ref::<EngineError>() {
        return error.clone().into();
    }
    match error.downcast_ref::<ToolError>() {
        Some(error) => error.clone(),
        None => ToolError::new("failed", format!("{error:#}"), ""),
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// The exit code of an error code.
pub(crate) fn code_of(code: &str) -> u8 {
    match code {
        "not-found" | "unknown-query" => NOTHING_FOUND,
        "bad-argument"
        | "unknown-tool"
        | "not-a-repository"
        | "bare-repository"
        | "path-missing"
        | "unknown-repository"
        | "unknown-workspace"
        | "ambiguous-repository"
        | "unknown-revision"
        | "unknown-model" => USAGE,
        "index-missing" | "index-incompatible" | "index-damaged" | "graph-missing" => INDEX_MISSING,
        "stale" => STALE,
        "model" | "model-missing" | "model-damaged" => MODEL_MISSING,
        "cancelled" => INTERRUPTED,
        _ => FAILED,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_stable() {
        let cases = [
            ("unknown-query", 1),
            ("bad-argument", 2),
            ("not-a-repository", 2),
            ("index-missing", 3),
            ("stale", 4),
            ("model-missing", 5),
            ("disk-full", 6),
            ("cancelled", 130),
        ];
        for (code, expected) in cases {
            assert_eq!(code_of(code), expected, "{code}");
        }
    }
}
