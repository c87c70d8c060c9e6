//! Results on standard output, everything else on standard error, and how the program ends.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;
use serde_json::json;
use whyrank_benchmark::BenchError;
use whyrank_benchmark::eval::{RunState, Summary, report};
use whyrank_engine::EngineError;
use whyrank_engine::api::EngineErrorDto;
use whyrank_mcp::ToolError;
use whyrank_system::visible;

const USAGE: u8 = 2;
const FAILED: u8 = 6;
/// Ended by Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;

/// Writes a line to standard output.
pub(crate) fn line(text: &str) -> anyhow::Result<()> {
    Ok(writeln!(
        std::io::stdout().lock(),
        "{}",
        visible::text(text)
    )?)
}

/// Writes JSON to standard output.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    line(&serde_json::to_string(value)?)
}

/// Says something on standard error. Whether anyone hears it does not matter.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", visible::text(text));
}

/// Says what came out of a run, and where its report lies.
pub(crate) fn summary(path: &Path, summary: &Summary, json: bool) -> anyhow::Result<ExitCode> {
    if json {
        self::json(summary)?;
    } else {
        line(&report::overview(summary))?;
        line(&format!("\n{}", path.join("report.html").display()))?;
    }
    if summary.run.state == RunState::Cancelled {
        note("cancelled: the answers so far are in the report, marked as partial");
        return Ok(ExitCode::from(INTERRUPTED));
    }
    Ok(ExitCode::SUCCESS)
}

/// Says what failed and what to do, and gives the code.
pub(crate) fn failed(error: anyhow::Error, json: bool) -> ExitCode {
    let error = as_tool_error(error);
    let code = match &*error.code {
        "bad-argument" => USAGE,
        "cancelled" => INTERRUPTED,
        _ => FAILED,
    };
    if json {
        let written = self::json(&json!({"error": error}));
        return ExitCode::from(if written.is_ok() { code } else { FAILED });
    }
    note(&format!("whyrank-lab: {error}"));
    ExitCode::from(code)
}

fn as_tool_error(error: anyhow::Error) -> ToolError {
    let error = match error.downcast::<BenchError>() {
        Ok(error) => return EngineErrorDto::from(error).into(),
        Err(error) => error,
    };
    match error.downcast::<EngineError>() {
        Ok(error) => error.into(),
        Err(error) => error
            .downcast()
            .unwrap_or_else(|error| ToolError::new("failed", format!("{error:#}"), "")),
    }
}
