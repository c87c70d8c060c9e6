//! What cannot be right, and how it is shown.

use serde::Serialize;

use crate::out;

/// Violations shown of each check; the rest is counted.
const MAX_SHOWN: usize = 20;

/// Something that cannot be right.
#[derive(Debug, Serialize)]
pub(crate) struct Violation {
    /// The check that it breaks.
    pub(crate) check: &'static str,
    /// Path and line, or path alone.
    pub(crate) place: String,
    pub(crate) what: String,
}

/// Prints violations by check, in the order of the checks.
pub(crate) fn print(violations: &[Violation], checks: &[&str]) -> anyhow::Result<()> {
    for check in checks {
        let mut broken = violations.iter().filter(|it| it.check == *check);
        for violation in broken.by_ref().take(MAX_SHOWN) {
            out::line(&format!(
                "  {check}: {} {}",
                violation.place, violation.what
            ))?;
        }
        match broken.count() {
            0 => {}
            n => out::line(&format!("  {check}: and {n} more"))?,
        }
    }
    Ok(())
}
