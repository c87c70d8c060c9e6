//! Indexing as a task that a client watches, leaves or cancels.

use rmcp::ServiceExt;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, ClientCapabilities, ClientConfig,
    CreateTaskResult, GetTaskParams, Implementation, TaskPayload,
};
use rmcp::service::RunningService;
use serde_json::json;
use whyrank_mcp::{Profile, Readiness, Server, Session};

use crate::support::Shop;

type Client = RunningService<rmcp::RoleClient, ClientConfig>;

/// A client of a server over the shop; it knows tasks or not.
async fn client(shop: &Shop, capabilities: ClientCapabilities) -> Client {
    let (engine, root) = (shop.engine.clone(), shop.folder.path().join("repo"));
    let server = Server::new(Profile::Full, move || {
        let root = root.to_string_lossy().into_owned();
        Ok(Session::new(engine.clone(), root, Readiness::Prepared))
    });
    let (server_end, client_end) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move {
        let running = server.serve(server_end).await.expect("the handshake");
        running.waiting().await.expect("the server ends in order");
    });
    let info = ClientConfig::new(capabilities, Implementation::new("test", "1"));
    info.serve(client_end).await.expect("the server answers")
}

fn rebuild() -> CallToolRequestParams {
    let args = json!({"action": "rebuild"});
    CallToolRequestParams::new("index").with_arguments(args.as_object().expect("an object").clone())
}

async fn start(client: &Client) -> CreateTaskResult {
    match client.call_tool_once(rebuild()).await.expect("an answer") {
        CallToolResponse::Task(task) => task,
        other => panic!("no task: {other:?}"),
    }
}

/// How a task ended.
async fn end_of(client: &Client, task: &CreateTaskResult) -> TaskPayload {
    loop {
        let params = GetTaskParams::new(task.task.task_id.clone());
        let seen = client.peer().get_task(params).await.expect("the task").task;
        if seen.status().is_terminal() {
            return seen.payload;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_is_a_task_for_a_client_that_knows_tasks() {
    let shop = Shop::new();
    let knows = ClientCapabilities::builder().enable_tasks().build();
    let client = client(&shop, knows).await;
    let task = start(&client).await;
    // Other calls are answered meanwhile, and at once.
    let search = CallToolRequestParams::new("list_repos");
    let other = client.call_tool_once(search).await.unwrap();
    assert!(matches!(other, CallToolResponse::Complete(_)), "{other:?}");
    let TaskPayload::Completed { result } = end_of(&client, &task).await else {
        panic!("it did not complete");
    };
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("repo"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_ends_when_it_is_cancelled() {
    let shop = Shop::new();
    let knows = ClientCapabilities::builder().enable_tasks().build();
    let client = client(&shop, knows).await;
    let task = start(&client).await;
    let params = CancelTaskParams::new(task.task.task_id.clone());
    client.peer().cancel_task(params).await.unwrap();
    let end = end_of(&client, &task).await;
    assert!(
        matches!(end, TaskPayload::Cancelled | TaskPayload::Completed { .. }),
        "{end:?}"
    );
    let unknown = client.peer().get_task(GetTaskParams::new("none")).await;
    assert!(unknown.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_knows_no_tasks_waits_for_its_index() {
    let shop = Shop::new();
    let client = client(&shop, ClientCapabilities::default()).await;
    let answer = client.call_tool_once(rebuild()).await.expect("an answer");
    assert!(
        matches!(answer, CallToolResponse::Complete(_)),
        "{answer:?}"
    );
}
