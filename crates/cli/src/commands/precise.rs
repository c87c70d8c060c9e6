//! `whyrank precise`: indexers of compilers, shown, agreed to, run.

use serde_json::json;
use whyrank_engine::Engine;
use whyrank_engine::api::{
    IndexerConsent, IndexerPlan, IndexerState, PrecisePlan, PreciseProgress, PreciseReport,
    PreciseState, RepoSummary, ScipImport,
};
use whyrank_mcp::present;

use crate::args::PreciseArgs;
use crate::exit::{Exit, FAILED, INTERRUPTED, NOTHING_FOUND};
use crate::interrupt::Interrupt;
use crate::out::{self, Paint, paint};
use crate::{confirm, workspace};

pub(crate) fn run(args: &PreciseArgs, json: bool) -> anyhow::Result<()> {
    let engine = workspace::open()?;
    let repo = engine.find_repo(workspace::selector(args.place.selector()))?;
    if args.forget {
        return forget(&engine, &repo, json);
    }
    let plan = engine.precise_plan(&repo.id)?;
    if args.list {
        return if json {
            out::json(&plan)
        } else {
            list(&plan, &args.only)
        };
    }
    let agreed = runnable(&plan, &args.only);
    if agreed.is_empty() {
        list(&plan, &args.only)?;
        return Err(Exit(NOTHING_FOUND).into());
    }
    if !args.yes {
        list(&plan, &ids(&agreed))?;
        let instead = "`whyrank precise --list` shows what would run";
        if !confirm::agreed("Run this?", instead)? {
            return Err(Exit(INTERRUPTED).into());
        }
    }
    let report = watched(&engine, &repo, &agreed)?;
    if json {
        out::json(&report)?
    } else {
        show(&report)?
    }
    exit_of(&report)
}

fn forget(engine: &Engine, repo: &RepoSummary, json: bool) -> anyhow::Result<()> {
    engine.forget_precise(&repo.id)?;
    if json {
        out::json(&json!({"forgotten": repo.id}))
    } else {
        out::line("the indexes are deleted; answers use the text alone again")
    }
}

/// Those that were named, fitting or not; else all that can run. With the commands of this plan: what
/// would run otherwise by now is refused.
fn runnable(plan: &PrecisePlan, only: &[String]) -> Vec<IndexerConsent> {
    if !only.is_empty() {
        return only.iter().map(|id| named(plan, id)).collect();
    }
    let fitting = plan.indexers.iter();
    fitting
        .filter(|one| one.state != IndexerState::Missing)
        .map(IndexerPlan::consent)
        .collect()
}

fn named(plan: &PrecisePlan, id: &str) -> IndexerConsent {
    let found = plan.indexers.iter().find(|one| one.id == id);
    found.map_or_else(
        || IndexerConsent {
            id: id.to_owned(),
            commands: Vec::new(),
        },
        IndexerPlan::consent,
    )
}

fn ids(agreed: &[IndexerConsent]) -> Vec<String> {
    agreed.iter().map(|one| one.id.clone()).collect()
}

fn list(plan: &PrecisePlan, only: &[String]) -> anyhow::Result<()> {
    if plan.indexers.is_empty() {
        return out::line("no known indexer fits this repository");
    }
    let is_meant = |one: &&IndexerPlan| only.is_empty() || only.contains(&one.id);
    plan.indexers
        .iter()
        .filter(is_meant)
        .try_for_each(indexer)?;
    match &plan.current {
        Some(current) => out::line(&taken_in(current)),
        None => Ok(()),
    }
}

fn indexer(plan: &IndexerPlan) -> anyhow::Result<()> {
    let state = match plan.state {
        IndexerState::Ready => "installed",
        IndexerState::Installable => "fetched first",
        IndexerState::Missing => "not installed",
    };
    out::line(&format!(
        "{} for {} ({} files), {state}",
        paint(&plan.id, Paint::Bold),
        plan.languages.join(", "),
        plan.n_files
    ))?;
    for command in &plan.commands {
        out::line(&format!("  in {}", command.folder))?;
        out::line(&format!("  $ {}", command.line))?;
    }
    match &plan.runs_code {
        Some(code) => {
            let warning = format!("  runs what the repository brings or names: {code}");
            out::line(&paint(&warning, Paint::Yellow))?;
        }
        None => out::line("  only reads the repository")?,
    }
    if plan.how_to_get.is_empty() {
        Ok(())
    } else {
        out::line(&format!("  to install it: {}", plan.how_to_get))
    }
}

fn watched(
    engine: &Engine,
    repo: &RepoSummary,
    agreed: &[IndexerConsent],
) -> anyhow::Result<PreciseReport> {
    let interrupt = Interrupt::listen();
    let mut last = None;
    let mut is_cancelled = false;
    let report = engine.run_indexers(&repo.id, agreed, &mut |progress| {
        tell(progress, &mut last);
        if interrupt.is_heard() && !is_cancelled {
            is_cancelled = engine.cancel_indexers(&repo.id).is_ok();
        }
    })?;
    Ok(report)
}

/// One line for each state of each indexer.
fn tell(progress: &PreciseProgress, last: &mut Option<(String, PreciseState)>) {
    let now = (progress.indexer.clone(), progress.state);
    if last.as_ref() == Some(&now) {
        return;
    }
    let id = &progress.indexer;
    match progress.state {
        PreciseState::Installing => out::note(&format!("fetching {id} (log: {})", progress.log)),
        PreciseState::Running => out::note(&format!("running {id} (log: {})", progress.log)),
        PreciseState::Done | PreciseState::Failed | PreciseState::Cancelled => {}
    }
    *last = Some(now);
}

fn show(report: &PreciseReport) -> anyhow::Result<()> {
    for one in &report.indexers {
        let seconds = one.elapsed_s;
        match &one.error {
            None => out::line(&format!("{}: done in {seconds:.1} s", one.indexer))?,
            Some(error) => out::line(&format!(
                "{}: {}\n  {}",
                one.indexer, error.message, error.hint
            ))?,
        }
    }
    match &report.current {
        Some(current) => out::line(&taken_in(current)),
        None => out::line("answers use the text alone"),
    }
}

fn taken_in(current: &ScipImport) -> String {
    present::scip_line(current)
}

fn exit_of(report: &PreciseReport) -> anyhow::Result<()> {
    let has = |state| report.indexers.iter().any(|one| one.state == state);
    match () {
        () if has(PreciseState::Cancelled) => Err(Exit(INTERRUPTED).into()),
        () if has(PreciseState::Failed) => Err(Exit(FAILED).into()),
        () => Ok(()),
    }
}
