//! Indexing as the editor shows it: work that is under way.

use crate::client::Client;
use lsp_types::{
    MessageType, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};
use whyrank_engine::api::{EngineEvent, JobId, JobProgress, JobState};

/// Shorter work is not shown: each save is followed by some.
const SHOWN_AFTER: Duration = Duration::from_millis(500);

/// A job as far as the editor knows it.
struct ShownJob {
    since: Instant,
    is_shown: bool,
}

/// Tells the client of jobs until there are no more events.
pub(crate) fn follow(client: &Arc<Client>, events: Receiver<EngineEvent>) {
    let client = Arc::clone(client);
    let spawned = std::thread::Builder::new()
        .name("whyrank-progress".to_owned())
        .spawn(move || {
            let mut jobs = HashMap::new();
            for event in events {
                if let EngineEvent::Progress(progress) = event {
                    tell(&client, &mut jobs, &progress);
                }
            }
        });
    if let Err(error) = spawned {
        tracing::warn!(%error, "no thread to show progress");
    }
}

fn tell(client: &Client, jobs: &mut HashMap<JobId, ShownJob>, progress: &JobProgress) {
    let token = format!("whyrank-index-{}", progress.job_id.as_str());
    if matches!(progress.state, JobState::Running | JobState::Paused) {
        let job = jobs.entry(progress.job_id.clone()).or_insert(ShownJob {
            since: Instant::now(),
            is_shown: false,
        });
        if job.is_shown {
            client.progress(&token, WorkDoneProgress::Report(report(progress)));
        } else if job.since.elapsed() >= SHOWN_AFTER && client.begin_progress(&token) {
            job.is_shown = true;
            client.progress(&token, WorkDoneProgress::Begin(begin(progress)));
        }
        return;
    }
    let ended = jobs.remove(&progress.job_id);
    if ended.is_some_and(|job| job.is_shown) {
        let message = Some(ended_words(progress));
        let end = WorkDoneProgressEnd { message };
        client.progress(&token, WorkDoneProgress::End(end));
    }
    if let (JobState::Failed, Some(error)) = (progress.state, &progress.error) {
        let message = format!("Whyrank could not index: {}; {}", error.message, error.hint);
        client.show_once(MessageType::ERROR, message.trim_end_matches("; "));
    }
}

fn begin(progress: &JobProgress) -> WorkDoneProgressBegin {
    WorkDoneProgressBegin {
        title: "Whyrank indexes".to_owned(),
        cancellable: Some(false),
        message: Some(words(progress)),
        percentage: percentage(progress),
    }
}

fn report(progress: &JobProgress) -> WorkDoneProgressReport {
    WorkDoneProgressReport {
        cancellable: Some(false),
        message: Some(words(progress)),
        percentage: percentage(progress),
    }
}

fn percentage(progress: &JobProgress) -> Option<u32> {
    (progress.total > 0).then(|| {
        let share = u64::from(progress.done) * 100 / u64::from(progress.total);
        u32::try_from(share.min(100)).unwrap_or(100)
    })
}

/// The stage at work, and how far it is.
pub(crate) fn words(progress: &JobProgress) -> String {
    let stage = progress.stage.as_str();
    match progress.total {
        0 => stage.to_owned(),
        total => format!("{stage}: {} of {total}", progress.done),
    }
}

fn ended_words(progress: &JobProgress) -> String {
    match progress.state {
        JobState::Failed => "failed".to_owned(),
        JobState::Cancelled => "cancelled".to_owned(),
        _ => "done".to_owned(),
    }
}
