//! Prints what the checks found.

use super::RepositoryReport;
use crate::{out, violation};

/// Prints a repository's figures and violations, in the order in which they were checked.
pub(super) fn reports(reports: &[RepositoryReport]) -> anyhow::Result<()> {
    for report in reports {
        let cost = report.cpu_ms.map_or_else(String::new, |ms| {
            format!(", {ms:.0} ms of CPU for 1,000 lines")
        });
        out::line(&format!(
            "{}: {} lines{cost}; asked about {} definitions, {} dead ones, {} imports",
            report.folder, report.n_lines, report.n_definitions, report.n_dead, report.n_imports
        ))?;
        for (language, figures) in &report.languages {
            if figures.n_half_read > 0 {
                out::line(&format!(
                    "  {language}: {} of {} files read in part",
                    figures.n_half_read, figures.n_files
                ))?;
            }
        }
        let checks = ["cost", "half-read", "import", "agreement", "ruling"];
        violation::print(&report.violations, &checks)?;
    }
    let n_violations: usize = reports.iter().map(|report| report.violations.len()).sum();
    out::line(&format!(
        "{n_violations} violations in {} repositories",
        reports.len()
    ))
}
