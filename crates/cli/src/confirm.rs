//! Asking before something is done.

use std::io::Write as _;

use whyrank_mcp::ToolError;

use crate::out;

/// Asks the person; a script has to say --yes.
pub(crate) fn agreed(question: &str, instead: &str) -> anyhow::Result<bool> {
    if !out::is_interactive() {
        return Err(ToolError::new(
            "bad-argument",
            "cannot ask for confirmation here",
            format!("add --yes to skip the question; {instead}"),
        )
        .into());
    }
    let mut prompt = std::io::stderr().lock();
    write!(prompt, "  {question} [y/N] ")?;
    prompt.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
