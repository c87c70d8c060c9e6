//! A notification of the desktop when long work ends and the window is not in front, where the person
//! wants that. A desktop that shows none changes nothing else.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tauri::{AppHandle, Manager};
use tauri_plugin_notification::NotificationExt;
use whyrank_engine::api::{EngineEvent, JobId, JobProgress, JobState, RepoId};
use whyrank_system::visible;

/// Shorter work ends before anybody has gone elsewhere.
const LONG: Duration = Duration::from_secs(20);

/// Jobs at work, since when, and whether their end is to be told.
#[derive(Default)]
pub(crate) struct Notifications {
    is_on: AtomicBool,
    since: Mutex<HashMap<JobId, Instant>>,
}

impl Notifications {
    /// Tells the end of long work from now on, or no longer.
    pub(crate) fn set(&self, is_on: bool) {
        self.is_on.store(is_on, Ordering::Relaxed);
    }

    /// Follows the jobs of the engine.
    pub(crate) fn hear(&self, app: &AppHandle, event: &EngineEvent) {
        let EngineEvent::Progress(job) = event else {
            return;
        };
        let is_long = self.ended_after(job).is_some_and(|took| took >= LONG);
        let is_wanted = is_long && self.is_on.load(Ordering::Relaxed) && !is_in_front(app);
        let text = is_wanted.then(|| outcome(&name_of(app, &job.repo), job));
        if let Some(text) = text.flatten() {
            notify(app, &text);
        }
    }

    /// How long a job took that ended; nothing while it goes on.
    fn ended_after(&self, job: &JobProgress) -> Option<Duration> {
        let mut since = self.since.lock();
        if matches!(job.state, JobState::Running | JobState::Paused) {
            since.entry(job.job_id.clone()).or_insert_with(Instant::now);
            return None;
        }
        since.remove(&job.job_id).map(|since| since.elapsed())
    }
}

fn notify(app: &AppHandle, text: &str) {
    let shown = app
        .notification()
        .builder()
        .title("Whyrank")
        .body(visible::line(text))
        .show();
    if let Err(error) = shown {
        tracing::debug!("the desktop shows no notification: {error}");
    }
}

fn is_in_front(app: &AppHandle) -> bool {
    let window = app.get_webview_window("main");
    window.is_some_and(|window| window.is_focused().unwrap_or_default())
}

fn name_of(app: &AppHandle, repo: &RepoId) -> String {
    let repos = crate::engine(app).repos().unwrap_or_default();
    let known = repos.into_iter().find(|one| one.id == *repo);
    known.map_or_else(|| "A repository".to_owned(), |one| one.name)
}

/// How work ended, in words; nothing where the person ended it.
fn outcome(name: &str, job: &JobProgress) -> Option<String> {
    match job.state {
        JobState::Done => Some(format!("{name} is indexed")),
        JobState::Failed => {
            let why = job.error.as_ref().map(|error| error.message.as_str());
            let why = why.unwrap_or("the reason is not known");
            Some(format!("{name} could not be indexed: {why}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_engine::api::{JobStage, Lane};

    #[test]
    fn an_end_is_told_once_and_not_where_the_person_made_it() {
        let job = |state| JobProgress {
            job_id: "j".into(),
            repo: "r".into(),
            lane: Lane::Vector,
            stage: JobStage::Vectors,
            done: 3,
            total: 3,
            rate: 1.0,
            eta_s: None,
            current: None,
            state,
            error: None,
        };
        let told = |state| outcome("shop", &job(state));
        assert_eq!(told(JobState::Done).as_deref(), Some("shop is indexed"));
        assert!(told(JobState::Failed).is_some_and(|text| text.contains("could not be indexed")));
        assert_eq!(told(JobState::Cancelled), None);
        let heard = Notifications::default();
        assert_eq!(heard.ended_after(&job(JobState::Running)), None);
        assert!(heard.ended_after(&job(JobState::Done)).is_some());
        assert_eq!(heard.ended_after(&job(JobState::Done)), None);
    }
}
