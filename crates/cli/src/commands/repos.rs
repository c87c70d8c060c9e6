//! `whyrank repos`, `whyrank status` and `whyrank doctor`.

use serde_json::json;
use whyrank_engine::Engine;
use whyrank_engine::api::{CheckState, RepoState};
use whyrank_mcp::present::{self, Style};

use crate::args::{DoctorArgs, ReposAction, ReposArgs, WhereArgs};
use crate::exit::{Exit, FAILED, INDEX_MISSING, STALE};
use crate::out::{self, Paint, paint};
use crate::workspace;

const STYLE: Style = Style {
    budget: 20_000,
    detailed: true,
};

pub(crate) fn run(args: &ReposArgs, json: bool) -> anyhow::Result<()> {
    let engine = workspace::open()?;
    match args.action.as_ref().unwrap_or(&ReposAction::List) {
        ReposAction::List => list(&engine, json),
        ReposAction::Add { path } => {
            let summary = engine.add_repo(path)?;
            if json {
                out::json(&summary)
            } else {
                out::line(&format!(
                    "{} {}: {}",
                    summary.id, summary.root, summary.state_note
                ))
            }
        }
        ReposAction::Remove { repo, delete_index } => {
            let summary = engine.find_repo(repo)?;
            engine.remove_repo(&summary.id, *delete_index)?;
            if json {
                out::json(&json!({"removed": summary.id, "root": summary.root}))
            } else {
                out::line(&format!("{} is forgotten", summary.root))
            }
        }
    }
}

fn list(engine: &Engine, json: bool) -> anyhow::Result<()> {
    let repos = engine.repos()?;
    if json {
        return out::json(&repos);
    }
    if repos.is_empty() {
        out::note("no repositories; `whyrank index PATH` adds one");
    }
    for repo in &repos {
        let files = format!("{} files", repo.files);
        out::line(&format!(
            "{} {} {files}, {}",
            repo.id,
            paint(&repo.root, Paint::Bold),
            repo.state_note
        ))?;
    }
    Ok(())
}

/// Prints the state of an index; the exit code tells a missing or stale one.
pub(crate) fn status(args: &WhereArgs, json: bool) -> anyhow::Result<()> {
    let engine = workspace::open()?;
    let repo = engine.find_repo(workspace::selector(args.selector()))?;
    let health = engine.health(&repo.id)?;
    let models = engine.models()?;
    let jobs = engine.jobs();
    let stats = engine.stage_stats()?;
    if json {
        out::json(&json!({"health": health, "models": models, "jobs": jobs, "stages": stats}))?
    } else {
        out::line(&present::status(&health, &models, &jobs, &stats, STYLE))?
    }
    match health.summary.state {
        RepoState::NotIndexed | RepoState::Missing => Err(Exit(INDEX_MISSING).into()),
        RepoState::Failed if health.summary.files == 0 => Err(Exit(INDEX_MISSING).into()),
        RepoState::Stale => Err(Exit(STALE).into()),
        _ => Ok(()),
    }
}

/// Prints checks and how to fix what they found; fails when one of them does.
pub(crate) fn doctor(args: &DoctorArgs, json: bool) -> anyhow::Result<()> {
    let engine = workspace::open()?;
    // The repository that the command stands in, where it stands in one that is known.
    let here = engine.find_repo(".").ok().map(|summary| summary.id);
    let repo = args.place.selector().or(here.as_deref());
    if let Some(repo) = repo.filter(|_| args.repair) {
        for line in engine.repair_memory(&engine.find_repo(repo)?.id)? {
            out::note(&format!("set aside: {line}"));
        }
    }
    let mut checks = engine.doctor(repo, args.deep);
    checks.extend(super::agents_checks::checks());
    if json {
        out::json(&checks)?;
    } else {
        for check in &checks {
            let colour = match check.state {
                CheckState::Ok => Paint::Green,
                CheckState::Warn => Paint::Yellow,
                CheckState::Fail => Paint::Red,
            };
            let state = paint(&format!("{:4}", check.state), colour);
            out::line(&format!("{state} {}: {}", check.name, check.message))?;
            if !check.fix.is_empty() {
                out::line(&format!("     {}", check.fix))?;
            }
        }
    }
    if checks.iter().any(|check| check.state == CheckState::Fail) {
        Err(Exit(FAILED).into())
    } else {
        Ok(())
    }
}
