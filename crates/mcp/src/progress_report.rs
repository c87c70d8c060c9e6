//! Progress of an index run, sent to the client that asked for it.

use parking_lot::Mutex;

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext};
use tokio::runtime::Handle;
use whyrank_engine::api::{JobProgress, JobStage, JobState, Lane};

/// Sends progress to whoever asked for it, rising from 0 to 100 over all stages.
pub(crate) struct ProgressReport {
    target: Option<(Peer<RoleServer>, ProgressToken)>,
    runtime: Handle,
    last: Mutex<f64>,
}

impl ProgressReport {
    pub(crate) fn new(context: &RequestContext<RoleServer>) -> Self {
        let token = context.meta.get_progress_token();
        Self {
            target: token.map(|token| (context.peer.clone(), token)),
            runtime: Handle::current(),
            last: Mutex::new(-1.0),
        }
    }

    pub(crate) fn send(&self, job: &JobProgress) {
        let Some((peer, token)) = &self.target else {
            return;
        };
        let progress = overall_percent(job);
        {
            let mut last = self.last.lock();
            if progress <= *last {
                return;
            }
            *last = progress;
        }
        let message = crate::present::index_progress(job);
        let note = ProgressNotificationParam::new(token.clone(), progress)
            .with_total(100.0)
            .with_message(message);
        if let Err(error) = self.runtime.block_on(peer.notify_progress(note)) {
            tracing::debug!(%error, "progress not sent");
        }
    }
}

/// Half of the way is lane 1, half vectors; a stage's share is what it takes on a usual repository.
fn overall_percent(job: &JobProgress) -> f64 {
    let (from, to) = match job.stage {
        JobStage::Waiting if job.lane == Lane::Vector => (50.0, 100.0),
        JobStage::Waiting | JobStage::Scan => (0.0, 5.0),
        JobStage::Parse => (5.0, 45.0),
        JobStage::Graph => (45.0, 50.0),
        JobStage::SymbolGraph | JobStage::Vectors | JobStage::TokenVectors => (50.0, 100.0),
    };
    match job.total {
        _ if job.state == JobState::Done => 100.0,
        0 => from,
        total => from + (to - from) * f64::from(job.done.min(total)) / f64::from(total),
    }
}
