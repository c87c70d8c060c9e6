//! What the official conformance suite asks a server for: tools, prompts and resources with given
//! names, on the same stack as ours.
//!
//! What is no fixture goes to the server as it is.

mod arguments;
use arguments::{missing, read, text};

mod ask;
mod fixtures;
mod serve;
mod tasks;

use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelTaskParams, ClientResult,
    CompleteRequestParams, CompleteResult, ContentBlock, GetPromptRequestParams, GetPromptResponse,
    GetPromptResult, GetTaskParams, GetTaskResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerConfig,
    ServerNotification, ServerRequest, SubscribeRequestParams, SubscriptionFilter, Tool,
    UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext, SubscriptionSink};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};

use whyrank_mcp::Server;

pub(crate) use serve::run;

/// Between the messages of a fixture that sends several.
const PAUSE: Duration = Duration::from_millis(50);

/// Streams of one session that the suite opens at most.
const MOST_STREAMS: u64 = 64;

/// The server with the fixtures around it.
#[derive(Clone)]
struct Conformance {
    server: Server,
    sessions: Arc<LocalSessionManager>,
    shared: Arc<Shared>,
}

/// What outlives a request: HTTP makes a handler for each.
#[derive(Default)]
struct Shared {
    n_listeners: AtomicU64,
    listeners: Mutex<HashMap<u64, SubscriptionSink>>,
    states: ask::States,
}

impl Conformance {
    /// `sessions`: those of the transport.
    fn new(server: Server, sessions: Arc<LocalSessionManager>) -> Self {
        Self {
            server,
            sessions,
            shared: Arc::default(),
        }
    }

    fn listeners(&self) -> MutexGuard<'_, HashMap<u64, SubscriptionSink>> {
        // A poisoned map is still a map of listeners.
        self.shared.listeners.lock()
    }

    /// Tells everyone who listens that a list has changed; those who did not ask hear nothing.
    async fn tell(&self, tools: bool) {
        let sinks: Vec<SubscriptionSink> = self.listeners().values().cloned().collect();
        for sink in sinks {
            let told = if tools {
                sink.notify_tool_list_changed().await
            } else {
                sink.notify_prompt_list_changed().await
            };
            if let Err(error) = told {
                tracing::debug!(%error, "a listener was not told");
            }
        }
    }

    /// Closes the stream on which a call waits: its answer is heard by whoever asks for what came
    /// after the last event.
    async fn close_stream(&self, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
        let parts = context.extensions.get::<http::request::Parts>();
        let session = parts.and_then(|parts| parts.headers.get("mcp-session-id"));
        let session = session.and_then(|id| id.to_str().ok()).unwrap_or_default();
        let sessions = self.sessions.sessions.read().await;
        let stream = sessions.get(session);
        let stream = stream.ok_or_else(|| ErrorData::internal_error("no session", None))?;
        // The stream of this call is the newest of its session.
        for id in (0..MOST_STREAMS).rev() {
            if stream.close_sse_stream(id, Some(PAUSE)).await.is_ok() {
                break;
            }
        }
        drop(sessions);
        tokio::time::sleep(PAUSE).await;
        Ok(())
    }

    /// Fixtures that do something while they run.
    async fn act(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        match &*request.name {
            "test_tool_with_progress" => progress(context).await,
            "test_tool_with_logging" => {
                for text in ["started", "goes on", "ends"] {
                    log(context, text).await;
                    tokio::time::sleep(PAUSE).await;
                }
            }
            "test_logging_tool" if context.meta.log_level().is_some() => {
                log(context, "asked for").await;
            }
            fixtures::GREETING => {
                let arguments = request.arguments.as_ref();
                let name = arguments.and_then(|given| given.get("name")?.as_str());
                return Ok(text(format!("Hello, {}!", name.unwrap_or_default())));
            }
            fixtures::RECONNECTION => self.close_stream(context).await?,
            "test_trigger_tool_change" => self.tell(true).await,
            "test_trigger_prompt_change" => self.tell(false).await,
            "test_missing_capability" => {
                let declared = context.client_capabilities().unwrap_or_default();
                if declared.sampling.is_none() {
                    return Err(missing(json!({"sampling": {}})));
                }
            }
            _ => {}
        }
        Ok(text("done"))
    }
}

async fn log(context: &RequestContext<RoleServer>, text: &str) {
    let params = json!({"level": "info", "logger": "conformance", "data": text});
    let note = json!({"method": "notifications/message", "params": params});
    let Ok(note) = read::<ServerNotification>(note) else {
        return;
    };
    if let Err(error) = context.peer.send_notification(note).await {
        tracing::debug!(%error, "a log message was not sent");
    }
}

async fn progress(context: &RequestContext<RoleServer>) {
    for progress in [0.0, 50.0, 100.0] {
        if let Some(token) = context.meta.get_progress_token() {
            let note = ProgressNotificationParam::new(token, progress).with_total(100.0);
            if let Err(error) = context.peer.notify_progress(note).await {
                tracing::debug!(%error, "progress was not sent");
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Sends the client a request of its own and answers with what it says: up to 2025-11-25.
async fn forward(
    context: &RequestContext<RoleServer>,
    request: Value,
) -> Result<CallToolResult, ErrorData> {
    let answered = context.peer.send_request(read::<ServerRequest>(request)?);
    Ok(match answered.await {
        Ok(ClientResult::ElicitResult(result)) => text(format!("{result:?}")),
        Ok(ClientResult::CreateMessageResult(result)) => text(format!("{result:?}")),
        Ok(other) => CallToolResult::error(vec![ContentBlock::text(format!("got {other:?}"))]),
        Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
    })
}

impl ServerHandler for Conformance {
    fn get_info(&self) -> ServerConfig {
        let mut info = self.server.get_info();
        let more = json!({
            "tools": {"listChanged": true},
            "prompts": {"listChanged": true},
            "resources": {"subscribe": true},
            "completions": {},
            "logging": {},
        });
        if let Ok(more) = serde_json::from_value(more) {
            let extensions = info.capabilities.extensions.take();
            info.capabilities = more;
            info.capabilities.extensions = extensions;
        }
        info
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        Some(requested.supported_by(&self.get_info().capabilities))
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let id = self.shared.n_listeners.fetch_add(1, Ordering::Relaxed);
        self.listeners().insert(id, context.sink().clone());
        context.cancelled().await;
        self.listeners().remove(&id);
        Ok(())
    }

    #[expect(deprecated, reason = "the suite of 2025-11-25 asks for it")]
    async fn set_level(
        &self,
        _request: rmcp::model::SetLevelRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(
        &self,
        _request: SubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        self.server.on_initialized(context).await;
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let fixtures: Vec<Tool> = read(fixtures::tools()).unwrap_or_default();
        let fixture = fixtures.into_iter().find(|tool| tool.name == name);
        fixture.or_else(|| self.server.get_tool(name))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut listed = self.server.list_tools(request, context).await?;
        listed.tools.extend(read::<Vec<Tool>>(fixtures::tools())?);
        Ok(listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(result) = fixtures::result(&request.name) {
            return Ok(read::<CallToolResult>(result)?.into());
        }
        if let Some(asked) = fixtures::client_request(&request) {
            return Ok(forward(&context, asked).await?.into());
        }
        if let Some(row) = ask::find(&request.name) {
            let turn = ask::Round::of_call(&request, &context);
            match self.shared.states.go_on(row, &turn)? {
                ask::Next::Ask(asked) => return Ok(asked.into()),
                ask::Next::Done if request.name != tasks::AFTER_ASKING => {
                    return Ok(text(row.done).into());
                }
                ask::Next::Done => {}
            }
        }
        if let Some(job) = tasks::find(&request.name) {
            return tasks::run(job, request, &context, self.server.tasks()).await;
        }
        if fixtures::acts(&request.name) {
            Ok(self.act(&request, &context).await?.into())
        } else {
            self.server.call_tool(request, context).await
        }
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut listed = self.server.list_prompts(request, context).await?;
        listed.prompts.extend(read::<Vec<_>>(fixtures::prompts())?);
        Ok(listed)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        if let Some(row) = ask::find(&request.name) {
            let turn = ask::Round::of_prompt(&request, &context);
            if let ask::Next::Ask(asked) = self.shared.states.go_on(row, &turn)? {
                return Ok(asked.into());
            }
        }
        match fixtures::prompt(&request) {
            Some(prompt) => Ok(read::<GetPromptResult>(prompt)?.into()),
            None => self.server.get_prompt(request, context).await,
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut listed = self.server.list_resources(request, context).await?;
        listed
            .resources
            .extend(read::<Vec<_>>(fixtures::resources())?);
        Ok(listed)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let listed = self.server.list_resource_templates(request, context);
        let mut listed = listed.await?;
        listed
            .resource_templates
            .extend(read::<Vec<_>>(fixtures::templates())?);
        Ok(listed)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match fixtures::resource(&request.uri) {
            Some(contents) => {
                let result = json!({"resultType": "complete", "contents": [contents]});
                Ok(read::<ReadResourceResult>(result)?.into())
            }
            None => self.server.read_resource(request, context).await,
        }
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        self.server.get_task(request, context).await
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.server.update_task(request, context).await
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.server.cancel_task(request, context).await
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        self.server.complete(request, context).await
    }
}
