//! The tools about repositories and their indexes.

use std::time::{Duration, Instant};

use serde_json::json;
use whyrank_engine::api::{IndexOptions, JobId, JobProgress, JobState, RepoId};

use super::prelude::*;
use crate::session::failure;

/// How often a waiting `index` looks at its job.
const POLL: Duration = Duration::from_millis(100);

#[derive(Deserialize, JsonSchema)]
pub(crate) struct StatusArgs {
    #[serde(flatten)]
    common: Common,
}

impl Tool for StatusArgs {
    const ABOUT: About = About {
        name: "status",
        family: Family::Index,
        profile: Profile::Core,
        title: "Index status",
        description: "Check the index when answers look incomplete or outdated: coverage, \
            freshness, skipped files with reasons, model. Not needed before other tools.",
    };
    const SEVERAL: Several = Several::Each;

    fn run(self, call: &Call<'_>) -> Answer {
        let repo = call.session.repo(self.common.repo.as_deref())?;
        call.freshen(&repo.id)?;
        let health = call.engine().health(&repo.id)?;
        let models = call.engine().models()?;
        let mut jobs = call.engine().jobs();
        jobs.retain(|job| job.repo == repo.id);
        let stats = call.engine().stage_stats()?;
        let structured = json!({"health": health, "models": models, "jobs": jobs, "stages": stats});
        Ok(write(&self.common, Vec::new(), &structured, |style| {
            present::status(&health, &models, &jobs, &stats, style)
        }))
    }
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ListReposArgs {
    /// Default 2000
    max_tokens: Option<u32>,
    format: Option<Format>,
}

impl Tool for ListReposArgs {
    const ABOUT: About = About {
        name: "list_repos",
        family: Family::Index,
        profile: Profile::Standard,
        title: "List repositories",
        description: "See which repositories are indexed, to pass one as repo. Not needed for \
            the working directory's own.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        let mut repos = call.engine().repos()?;
        for open in call.session.open_repos() {
            repos.push(call.engine().repo(&open)?);
        }
        let common = Common::of(self.max_tokens, self.format);
        let structured = json!({"repos": repos});
        Ok(write(&common, Vec::new(), &structured, |style| {
            present::list_repos(&repos, style)
        }))
    }
}

// What to do to the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum IndexAction {
    #[default]
    Update,
    Rebuild,
    Cancel,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct IndexArgs {
    action: Option<IndexAction>,
    /// Seconds to wait, default 30
    wait_s: Option<u32>,
    #[serde(flatten)]
    common: Common,
}

impl Tool for IndexArgs {
    const ABOUT: About = About {
        name: "index",
        family: Family::Index,
        profile: Profile::Standard,
        title: "Build the index",
        description: "Add a repository (repo = its folder), or update, rebuild or cancel its \
            index; waits and reports progress. Not needed after edits: saves are watched.",
    };
    const EFFECT: Effect = Effect::Rebuilds;

    fn run(self, call: &Call<'_>) -> Answer {
        const WAIT_S: u32 = 30;
        const MOST_WAIT_S: u32 = 600;
        // A task is followed to its end.
        const TASK_WAIT_S: u32 = 12 * 3_600;
        let selector = self.common.repo.as_deref();
        let engine = call.engine();
        let action = self.action.unwrap_or_default();
        if action == IndexAction::Cancel {
            let repo = call.session.repo(selector)?;
            return cancel_index(call, &self.common, &repo.id);
        }
        let repo = call.session.repo(selector)?;
        let was_running = running_job(call, &repo.id).is_some();
        let options = IndexOptions {
            rebuild: action == IndexAction::Rebuild,
            ..IndexOptions::default()
        };
        let job = engine.start_index(&repo.id, options)?;
        let wait_s = match self.wait_s {
            None if call.is_task => TASK_WAIT_S,
            wait_s => wait_s.unwrap_or(WAIT_S).min(MOST_WAIT_S),
        };
        let wait = Duration::from_secs(wait_s.into());
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
                Ok(write(&self.common, Vec::new(), &structured, |style| {
                    let repos = present::list_repos(std::slice::from_ref(&summary), style);
                    format!("{text}\n{repos}").trim_start().to_owned()
                }))
            }
        }
    }
}

fn cancel_index(call: &Call<'_>, common: &Common, repo: &RepoId) -> Answer {
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

fn running_job(call: &Call<'_>, repo: &RepoId) -> Option<JobProgress> {
    let is_running = |job: &JobProgress| matches!(job.state, JobState::Running | JobState::Paused);
    call.engine()
        .jobs()
        .into_iter()
        .find(|job| job.repo == *repo && is_running(job))
}

/// Reports a job until it ends, time is up or the caller has gone; answers where it was last seen.
fn follow(call: &Call<'_>, job: &JobId, wait: Duration) -> Option<JobProgress> {
    let deadline = Instant::now() + wait;
    loop {
        let progress = call
            .engine()
            .jobs()
            .into_iter()
            .find(|progress| progress.job_id == *job)?;
        (call.progress)(&progress);
        let running = progress.state == JobState::Running;
        if !running || Instant::now() >= deadline || (call.cancelled)() {
            return Some(progress);
        }
        std::thread::sleep(POLL);
    }
}
