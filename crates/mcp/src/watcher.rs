//! Who watches a call and may end it: the client that waits for its answer, or one that has it as a
//! task and asks now and then.

use rmcp::RoleServer;
use rmcp::service::RequestContext;
use rmcp::task_manager::TaskContext;
use tokio_util::sync::CancellationToken;
use whyrank_engine::api::JobProgress;

use crate::present;
use crate::progress_report::ProgressReport;

/// The one who watches a call.
pub(crate) enum Watcher {
    /// A client that waits.
    Request {
        report: ProgressReport,
        cancelled: CancellationToken,
    },
    /// A client that comes back.
    Task(TaskContext),
}

impl Watcher {
    /// The client of a request.
    pub(crate) fn of(context: &RequestContext<RoleServer>) -> Self {
        Self::Request {
            report: ProgressReport::new(context),
            cancelled: context.ct.clone(),
        }
    }

    /// Tells it how far a job is.
    pub(crate) fn send(&self, job: &JobProgress) {
        match self {
            Self::Request { report, .. } => report.send(job),
            Self::Task(task) => task.set_status_message(present::index_progress(job)),
        }
    }

    /// Whether it has ended the call.
    pub(crate) fn has_left(&self) -> bool {
        match self {
            Self::Request { cancelled, .. } => cancelled.is_cancelled(),
            Self::Task(task) => task.is_cancel_requested(),
        }
    }

    /// Whether it does not wait for the answer.
    pub(crate) fn is_task(&self) -> bool {
        matches!(self, Self::Task(_))
    }
}
