//! The tools about repositories and their indexes.

use std::time::{Duration, Instant};

use serde_json::json;
use whyrank_engine::api::{IndexOptions, JobProgress, JobState};

use super::{Answer, write};
use crate::args::{Common, IndexAction, IndexArgs, ListReposArgs, StatusArgs};
use crate::present;
use crate::session::{Call, failure};

/// How often a waiting `index` looks at its job.
const POLL: Duration = Duration::from_millis(100);

pub(crate) fn status(call: &Call<'_>, args: StatusArgs) -> Answer {
    let repo = call.session.repo(args.common.repo.as_deref())?;
    call.freshen(&repo.id)?;
    let health = call.engine().health(&repo.id)?;
    let models = call.engine().models()?;
    let jobs = call.engine().jobs();
    let stats = call.engine().stage_stats()?;
    let structured = json!({"health": health, "models": models, "jobs": jobs, "stages": stats});
    Ok(write(&args.common, Vec::new(), &structured, |style| {
        present::status(&health, &models, &jobs, &stats, style)
    }))
}

pub(crate) fn list_repos(call: &Call<'_>, args: ListReposArgs) -> Answer {
    let repos = call.engine().repos()?;
    let common = Common {
        repo: None,
        max_tokens: args.max_tokens,
        format: args.format,
    };
    let structured = json!({"repos": repos});
    Ok(write(&common, Vec::new(), &structured, |style| {
        present::list_repos(&repos, style)
    }))
}

pub(crate) fn index(call: &Call<'_>, args: IndexArgs) -> Answer {
    const WAIT_S: u32 = 30;
    const MOST_WAIT_S: u32 = 600;
    let selector = args.common.repo.as_deref();
    let engine = call.engine();
    let action = args.action.unwrap_or_default();
    if action == IndexAction::Cancel {
        let repo = call.session.repo(selector)?;
        return cancel_index(call, &args.common, &repo.id);
    }
    let repo = call.session.repo(selector)?;
    let was_running = running_job(call, &repo.id).is_some();
    let options = IndexOptions {
        rebuild: action == IndexAction::Rebuild,
        ..IndexOptions::default()
    };
    let job = engine.start_index(&repo.id, options)?;
    let wait = Duration::from_secs(args.wait_s.unwrap_or(WAIT_S).min(MOST_WAIT_S).into());
    let progress = follow(call, &job, wait);
    if (call.cancelled)() && !was_running {
        engine.cancel_job(&job)?;
    }
    match progress {
        Some(progress) if progress.state == JobState::Failed => Err(failure(&progress)),
        progress => {
            let summary = engine.repo(&repo.id)?;
            let text = progress
                .as_ref()
                .map(present::index_progress)
                .unwrap_or_default();
            let structured = json!({"repo": summary, "job": progress});
            Ok(write(&args.common, Vec::new(), &structured, |style| {
                let repos = present::list_repos(std::slice::from_ref(&summary), style);
                format!("{text}\n{repos}").trim_start().to_owned()
            }))
        }
    }
}

fn cancel_index(call: &Call<'_>, common: &Common, repo: &str) -> Answer {
    let job = running_job(call, repo);
    if let Some(job) = &job {
        call.engine().cancel_job(&job.job_id)?;
    }
    let text = match job {
        Some(_) => "indexing cancelled; the last index still serves",
        None => "nothing to cancel: no job is running",
    };
    Ok(write(common, Vec::new(), &json!({"job": job}), |_| {
        text.to_owned()
    }))
}

fn running_job(call: &Call<'_>, repo: &str) -> Option<JobProgress> {
    let is_running = |job: &JobProgress| matches!(job.state, JobState::Running | JobState::Paused);
    call.engine()
        .jobs()
        .into_iter()
        .find(|job| job.repo == repo && is_running(job))
}

/// Reports a job until it ends, time is up or the caller has gone; answers where it was last seen.
fn follow(call: &Call<'_>, job: &str, wait: Duration) -> Option<JobProgress> {
    let deadline = Instant::now() + wait;
    loop {
        let progress = call
            .engine()
            .jobs()
            .into_iter()
            .find(|progress| progress.job_id == job)?;
        (call.progress)(&progress);
        let running = progress.state == JobState::Running;
        if !running || Instant::now() >= deadline || (call.cancelled)() {
            return Some(progress);
        }
        std::thread::sleep(POLL);
    }
}
