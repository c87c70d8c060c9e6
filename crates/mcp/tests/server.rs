//! The list of tools as agents get it: over the protocol, and what it costs them.

use rmcp::model::{CallToolRequestParams, Tool};
use rmcp::service::RunningService;
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use whyrank_mcp::{Profile, Server, ToolError, serve_lines, tools_of};

/// A server whose engine cannot be opened: listing must not need it.
fn without_engine(profile: Profile) -> Server {
    Server::new(profile, || {
        Err(ToolError::new(
            "broken",
            "the engine is not there",
            "fix it",
        ))
    })
}

async fn client(profile: Profile) -> RunningService<RoleClient, ()> {
    let (server_end, client_end) = tokio::io::duplex(64 * 1024);
    let server = without_engine(profile);
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
    let profiles = [
        ("core", core, 1_200),
        ("standard", standard, 2_600),
        ("full", all, 6_000),
    ];
    for (profile, tools, most) in profiles {
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
    assert_eq!(text, "the engine is not there\nfix it");
}

/// A row of the table in docs/tools.md.
fn documented(tool: &Tool, row: &whyrank_mcp::ToolRow) -> String {
    let required = tool
        .input_schema
        .get("required")
        .cloned()
        .unwrap_or_default();
    let required: Vec<&str> = required
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(serde_json::Value::as_str)
        .collect();
    let properties = tool
        .input_schema
        .get("properties")
        .and_then(|all| all.as_object());
    // What every tool takes is said once above the table.
    let own = properties
        .into_iter()
        .flat_map(|all| all.keys())
        .filter(|name| !["repo", "max_tokens", "format", "as_of"].contains(&name.as_str()));
    let own: Vec<String> = own
        .map(|name| {
            if required.contains(&name.as_str()) {
                format!("**{name}**")
            } else {
                name.clone()
            }
        })
        .collect();
    format!(
        "| `{}` | {} | {} | {} | {} |\n",
        row.name,
        row.description.replace('|', "\\|"),
        own.join(", "),
        row.profile.name(),
        cost(tool)
    )
}

/// `WHYRANK_UPDATE_DOCS=1` rewrites the page.
#[tokio::test]
async fn the_page_about_tools_is_current() {
    let listed = client(Profile::Full).await.list_all_tools().await.unwrap();
    let mut page = String::from(
        "# Tools\n\nWhat `whyrank mcp` offers to agents, written by a test from the table of tools \
         (`crates/mcp/src/table.rs`). Parameters that a call needs are bold; besides those named, tools \
         take `repo` (path or name; where several are taken: a list, `all` or a [workspace](workspaces.md)), `max_tokens` (2,000 unless told), `format` (concise, detailed, json) \
         and, where it makes sense, `as_of` (a commit). Tokens are what name, description and schema \
         cost an agent (o200k).\n\n| profile | tools | tokens |\n|---|---|---|\n",
    );
    for profile in [Profile::Core, Profile::Standard, Profile::Full] {
        let tools = client(profile).await.list_all_tools().await.unwrap();
        let total: usize = tools.iter().map(cost).sum();
        page.push_str(&format!(
            "| {} | {} | {total} |\n",
            profile.name(),
            tools.len()
        ));
    }
    page.push_str(
        "\n| tool | when | parameters | from profile | tokens |\n|---|---|---|---|---|\n",
    );
    for tool in &listed {
        let row = whyrank_mcp::find_tool(&tool.name).expect("listed from the table");
        page.push_str(&documented(tool, row));
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tools.md");
    if std::env::var_os("WHYRANK_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).expect("docs can be written");
    }
    let current = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        current == page,
        "docs/tools.md is stale; run with WHYRANK_UPDATE_DOCS=1 to rewrite it"
    );
}

#[tokio::test]
async fn what_the_window_says_of_a_profile_is_about_right() {
    for profile in [Profile::Core, Profile::Standard, Profile::Full] {
        let tools = client(profile).await.list_all_tools().await.unwrap();
        let exact: usize = tools.iter().map(cost).sum();
        let (n_tools, about) = whyrank_mcp::profile_cost(profile);
        assert_eq!(n_tools as usize, tools.len());
        let error = (f64::from(about) - exact as f64).abs() / exact as f64;
        assert!(error < 0.12, "{profile:?}: {about} for {exact}");
    }
}

#[tokio::test]
async fn prompts_and_templates_are_listed_without_an_engine() {
    let client = client(Profile::Core).await;
    let prompts = client.list_all_prompts().await.unwrap();
    let names: Vec<&str> = prompts.iter().map(|prompt| prompt.name.as_str()).collect();
    assert_eq!(
        names,
        ["onboard", "review-changes", "investigate", "assess-impact"]
    );
    let templates = client.list_all_resource_templates().await.unwrap();
    assert_eq!(templates.len(), 2);
    assert!(client.list_all_resources().await.unwrap().is_empty());
}

/// The answers to lines after the handshake, up to that to a last ping.
async fn answers(lines: &[&[u8]]) -> Vec<Value> {
    let hello = br#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
    let ready = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    // Without a line end: the last line is a message all the same.
    let bye = br#"{"jsonrpc":"2.0","id":"bye","method":"ping"}"#;
    let all = [&[hello.as_slice(), ready], lines, &[bye]].concat();
    let input = std::io::Cursor::new(all.join(&b'\n'));
    let (server_end, mut client_end) = tokio::io::duplex(1 << 20);
    serve_lines(without_engine(Profile::Core), input, server_end)
        .await
        .expect("the server ends in order");
    let mut output = String::new();
    client_end
        .read_to_string(&mut output)
        .await
        .expect("lines of text");
    let answers = output
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    answers.collect()
}

/// Id, then the code of the error.
async fn refused(line: &[u8]) -> Vec<(Value, Value)> {
    let errors = answers(&[line]).await;
    let errors = errors.iter().filter(|answer| answer["error"].is_object());
    errors
        .map(|answer| {
            assert!(answer.get("id").is_some(), "{answer}");
            (answer["id"].clone(), answer["error"]["code"].clone())
        })
        .collect()
}

#[tokio::test]
async fn a_message_that_cannot_be_read_is_answered_with_its_id() {
    let half = br#"{"jsonrpc":"2.0","id":16,"method":"tools/call","params":{"name":"lookup","arguments":{"symbol":"\ud800"}}}"#;
    let bytes =
        b"{\"jsonrpc\":\"2.0\",\"id\":15,\"method\":\"ping\",\"params\":{\"a\":\"\xff\xfe\"}}";
    let cases: [(&[u8], Value, i32); 15] = [
        (half, json!(16), -32700),
        (bytes, json!(15), -32700),
        (b"{bad json", Value::Null, -32700),
        (b"[1]", Value::Null, -32600),
        (br#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[1,2]}"#, json!(7), -32602),
        (br#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, json!(1.5), -32600),
        (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Value::Null, -32600),
        (br#"{"jsonrpc":"1.0","id":8,"method":"ping"}"#, json!(8), -32600),
        (br#"{"jsonrpc":"2.0","id":9}"#, json!(9), -32600),
        (br#"{"jsonrpc":"2.0","id":10,"method":"tools/call"}"#, json!(10), -32602),
        (br#"{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"lookup","arguments":[1]}}"#, json!(11), -32602),
        (br#"{"jsonrpc":"2.0","id":12,"method":"completion/complete","params":{}}"#, json!(12), -32602),
        (br#"{"jsonrpc":"2.0","id":13,"method":"initialize","params":{}}"#, json!(13), -32602),
        (br#"{"jsonrpc":"2.0","id":17,"method":"none/such"}"#, json!(17), -32601),
        (b"{\"jsonrpc\":\"2.0\",\"id\":18,", Value::Null, -32700),
    ];
    for (line, id, code) in cases {
        let shown = String::from_utf8_lossy(line);
        assert_eq!(refused(line).await, [(id, json!(code))], "{shown}");
    }
}

#[tokio::test]
async fn only_requests_are_answered_and_the_server_goes_on() {
    let lines: [&[u8]; 5] = [
        b"",
        br#"{"jsonrpc":"2.0","method":"notifications/none","params":[1]}"#,
        br#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"\ud800"}}"#,
        br#"{"jsonrpc":"2.0","id":3,"result":"\ud800"}"#,
        b"\xEF\xBB\xBF{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"ping\"}\r",
    ];
    let answers = answers(&lines).await;
    let mut ids: Vec<String> = answers
        .iter()
        .map(|answer| answer["id"].to_string())
        .collect();
    ids.sort();
    assert_eq!(ids, ["\"bye\"", "\"hello\"", "4"]);
}

#[tokio::test]
async fn a_message_beyond_the_limit_is_refused_and_passed_over() {
    let long = vec![b'x'; 17 << 20];
    assert_eq!(refused(&long).await, [(Value::Null, json!(-32600))]);
}
