//! Fixtures that run as tasks, on the server's own keeper of tasks.

pub(super) use super::ask::AFTER_ASKING;

use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CreateTaskResult,
    InputRequest,
};
use rmcp::service::RequestContext;
use rmcp::task_manager::{TaskContext, TaskExit, TaskManager, TaskOptions};
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

use super::arguments::{missing, read, text};
use super::ask;

/// After it a job is over that only has to take a while.
const WHILE: Duration = Duration::from_secs(1);

/// A tool that may be a task.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Job {
    /// Waits for as many seconds as it is told.
    Waits,
    /// Ends with an error of the tool.
    Fails,
    /// Ends with an error of the protocol.
    Breaks,
    /// Asks the client under one key.
    AsksOnce,
    /// Asks the client under two keys at once.
    AsksTwice,
    /// Says the name that was given before it began.
    SaysName,
}

const JOBS: [(&str, Job); 6] = [
    ("slow_compute", Job::Waits),
    ("failing_job", Job::Fails),
    ("protocol_error_job", Job::Breaks),
    ("confirm_delete", Job::AsksOnce),
    ("multi_input", Job::AsksTwice),
    (AFTER_ASKING, Job::SaysName),
];

/// Names of the tools that may be tasks.
pub(super) fn tools() -> impl Iterator<Item = &'static str> {
    JOBS.into_iter().map(|(name, _)| name)
}

/// The job behind a tool.
pub(super) fn find(name: &str) -> Option<Job> {
    let found = JOBS.into_iter().find(|(known, _)| *known == name);
    found.map(|(_, job)| job)
}

/// Runs a job as a task, or at once for a client that has no tasks; what needs one is refused there.
pub(super) async fn run(
    job: Job,
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    tasks: &TaskManager,
) -> Result<CallToolResponse, ErrorData> {
    let has_tasks = context
        .client_capabilities()
        .is_some_and(|client| client.supports_tasks());
    if has_tasks {
        let task = tasks.spawn(TaskOptions::new(), move |task| {
            Box::pin(async move { job.work(&request, &task).await })
        });
        return Ok(CreateTaskResult::new(task).into());
    }
    if job != Job::Waits {
        return Err(missing(
            json!({"extensions": {"io.modelcontextprotocol/tasks": {}}}),
        ));
    }
    tokio::time::sleep(seconds(&request)).await;
    Ok(text("computed").into())
}

impl Job {
    async fn work(
        self,
        request: &CallToolRequestParams,
        task: &TaskContext,
    ) -> Result<CallToolResult, TaskExit> {
        match self {
            Self::Waits => {
                tokio::select! {
                    () = tokio::time::sleep(seconds(request)) => Ok(text("computed")),
                    () = task.cancelled() => Err(TaskExit::Cancelled),
                }
            }
            Self::Fails => {
                tokio::time::sleep(WHILE).await;
                Ok(CallToolResult::error(vec![ContentBlock::text(
                    "it always fails",
                )]))
            }
            Self::Breaks => {
                tokio::time::sleep(WHILE).await;
                Err(ErrorData::internal_error("it always breaks", None).into())
            }
            Self::AsksOnce => {
                let answer = task.request_input("confirm", form()?).await?;
                Ok(text(answer.to_string()))
            }
            Self::AsksTwice => {
                let first = task.request_input("first", form()?);
                let second = task.request_input("second", form()?);
                let (first, second) = tokio::try_join!(first, second)?;
                Ok(text(format!("{first} {second}")))
            }
            Self::SaysName => Ok(text(given_name(request))),
        }
    }
}

fn seconds(request: &CallToolRequestParams) -> Duration {
    let arguments = request.arguments.as_ref();
    let seconds = arguments.and_then(|arguments| arguments.get("seconds"));
    Duration::from_secs(seconds.and_then(Value::as_u64).unwrap_or_default())
}

/// The name that a client gave when it was asked.
fn given_name(request: &CallToolRequestParams) -> String {
    let responses = request.input_responses.as_ref();
    let named = responses.and_then(|responses| responses.get(ask::USER_NAME));
    let name = named.and_then(|named| named.pointer("/content/name"));
    let name = name.and_then(Value::as_str).unwrap_or_default();
    format!("Hello, {name}!")
}

fn form() -> Result<InputRequest, ErrorData> {
    read(ask::form("ok"))
}
