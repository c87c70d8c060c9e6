//! `whyrank reports`: what lies beside a repository, and whether answers read it.

use std::path::PathBuf;

use crate::args::{ReportsAction, ReportsArgs};
use crate::exit::{Exit, NOTHING_FOUND};
use crate::{out, workspace};
use whyrank_mcp::present;

pub(crate) fn run(args: &ReportsArgs, json: bool) -> anyhow::Result<()> {
    let engine = workspace::open()?;
    let repo = engine.find_repo(workspace::selector(args.repo.repo.as_deref()))?;
    match &args.action {
        Some(ReportsAction::Use { paths }) => engine.use_reports(&repo.id, &absolute(paths)?)?,
        Some(ReportsAction::Forget { paths }) => {
            engine.forget_reports(&repo.id, &absolute(paths)?)?;
        }
        None => {}
    }
    let found = engine.reports(&repo.id)?;
    if json {
        return out::json(&found);
    }
    for line in present::reports(&found) {
        out::line(&line)?;
    }
    if found.reports.is_empty() {
        out::note("no coverage report, profile, trace or SCIP index in the usual places");
        return Err(Exit(NOTHING_FOUND).into());
    }
    Ok(())
}

/// Paths are meant from the folder that the command runs in; the repository's root has no links in it.
fn absolute(paths: &[PathBuf]) -> std::io::Result<Vec<PathBuf>> {
    let full = paths.iter().map(|path| {
        let path = std::path::absolute(path)?;
        let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
        let name = path.file_name();
        Ok(match (folder, name) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => path,
        })
    });
    full.collect()
}
