//! The list of tools as agents get it: over the protocol, and what it costs them.

use rmcp::model::{CallToolRequestParams, Tool};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt};
use serde_json::json;
use whyrank_mcp::{Profile, Server, ToolError, tools_of};

/// A client of a server whose engine cannot be opened: listing must not need it.
async fn client(profile: Profile) -> RunningService<RoleClient, ()> {
    let (server_end, client_end) = tokio::io::duplex(64 * 1024);
    let server = Server::new(profile, || {
        Err(ToolError::new(
            "broken",
            "the engine is not there",
            "mend it",
        ))
    });
    tokio::spawn(async move {
        let running = server
            .serve(server_end)
            .await
            .expect("the handshake succeeds");
        running.waiting().await.expect("the server ends in order");
    });
    ().serve(client_end).await.expect("the server answers")
}

fn tokens(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton()
        .encode_ordinary(text)
        .len()
}

/// What a client puts before its model: name, description, input schema.
fn cost(tool: &Tool) -> usize {
    let shown = json!({
        "name": tool.name,
        "description": tool.description,
        "inputSchema": &*tool.input_schema,
    });
    tokens(&shown.to_string())
}

#[tokio::test]
async fn tools_are_listed_in_the_tables_order() {
    let listed = client(Profile::Full).await.list_all_tools().await.unwrap();
    let expected: Vec<&str> = tools_of(Profile::Full).map(|row| row.name).collect();
    let names: Vec<&str> = listed.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, expected);
    let text = serde_json::to_string_pretty(&listed).unwrap();
    insta::assert_snapshot!("tools_list", text);
}

#[tokio::test]
async fn the_list_keeps_to_its_token_budget() {
    let core = client(Profile::Core).await.list_all_tools().await.unwrap();
    let all = client(Profile::Full).await.list_all_tools().await.unwrap();
    for tool in &all {
        assert!(cost(tool) <= 260, "{} costs {}", tool.name, cost(tool));
    }
    let standard = client(Profile::Standard)
        .await
        .list_all_tools()
        .await
        .unwrap();
    for (profile, tools, most) in [("core", core, 1_200), ("standard", standard, 2_600)] {
        let costs: Vec<(String, usize)> = tools
            .iter()
            .map(|tool| (tool.name.to_string(), cost(tool)))
            .collect();
        let total: usize = costs.iter().map(|(_, cost)| cost).sum();
        assert!(total <= most, "{profile} costs {total}: {costs:?}");
    }
}

#[tokio::test]
async fn the_server_introduces_itself_briefly() {
    let client = client(Profile::Standard).await;
    let peer = client.peer_info().unwrap();
    assert_eq!(peer.server_info.as_ref().unwrap().name, "whyrank");
    let instructions = peer.instructions.as_deref().unwrap();
    assert!(tokens(instructions) <= 120, "{}", tokens(instructions));
}

#[tokio::test]
async fn a_failure_is_a_tool_error_that_says_what_to_do() {
    let client = client(Profile::Standard).await;
    let result = client
        .call_tool(CallToolRequestParams::new("search"))
        .await
        .unwrap();
    assert_eq!(result.is_error, Some(true));
    let text = &result.content[0].as_text().unwrap().text;
    assert_eq!(text, "the engine is not there\nmend it");
}
