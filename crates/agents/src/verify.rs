//! Three ticks: the file holds our entry, what it starts lists tools, the client has been heard.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use whyrank_system::program::{Program, Running, SearchPath, Streams, checkout_of};

use crate::api::{Connection, Tick, TickState, VerifyRequest};
use crate::clients::Client;
use crate::entry::started_by;
use crate::server::Server;
use crate::written::{slot, text_of};

/// A server that has not answered by then never will.
const PATIENCE: Duration = Duration::from_secs(20);
/// The name that a test of ours says hello with; it is no client.
const TESTER: &str = "whyrank-verify";

pub(crate) fn ticks(
    client: &Client,
    path: &Path,
    working_directory: &Path,
    request: &VerifyRequest<'_>,
) -> Vec<Tick> {
    let (file, server) = file_tick(client, path);
    let started = match &server {
        None => tick("server", TickState::Skipped, "nothing to start", ""),
        Some(server) if may_start(server, request) => server_tick(server, working_directory),
        Some(server) => {
            let message = format!("not started, for it is not this program: {}", server.line());
            let fix = format!("`whyrank agents verify {}` asks in a terminal", client.id);
            tick("server", TickState::Skipped, &message, &fix)
        }
    };
    let heard = match newest(client, request.connections) {
        Some(Connection { name, version, .. }) => {
            let message = format!("{name} {version} has connected");
            tick("client", TickState::Ok, message.trim(), "")
        }
        None => {
            let message = format!("waiting for the first connection of {}", client.name);
            tick("client", TickState::Waiting, &message, &client.restart)
        }
    };
    vec![file, started, heard]
}

/// What a file starts that is not this program and was not agreed to, as it would be typed.
pub(crate) fn other_program(
    client: &Client,
    path: &Path,
    request: &VerifyRequest<'_>,
) -> Option<String> {
    let server = file_tick(client, path).1?;
    (!may_start(&server, request)).then(|| server.line())
}

/// A file, above all one that came with a checkout, may name any program: what is started unasked is
/// this one, as a server, in the environment that it gives its entries.
fn may_start(server: &Server, request: &VerifyRequest<'_>) -> bool {
    server.is_like(request.ours) || request.agreed.contains(&server.line())
}

pub(crate) fn newest(client: &Client, connections: &[Connection]) -> Option<Connection> {
    let ours = connections
        .iter()
        .filter(|connection| client.says_hello_as(&connection.name));
    ours.max_by(|a, b| a.at.total_cmp(&b.at)).cloned()
}

fn tick(step: &str, state: TickState, message: &str, fix: &str) -> Tick {
    Tick {
        step: step.to_owned(),
        state,
        message: message.to_owned(),
        fix: fix.to_owned(),
    }
}

fn file_tick(client: &Client, path: &Path) -> (Tick, Option<Server>) {
    let failed = |message: &str, fix: &str| (tick("file", TickState::Failed, message, fix), None);
    let shown = path.display();
    let add = format!("run `whyrank agents add {}`", client.id);
    let text = match text_of(path) {
        Ok(Some(text)) => text,
        Ok(None) => return failed(&format!("{shown} is not there"), &add),
        Err(error) => return failed(&error.parts().0, &error.parts().1),
    };
    match slot(client, &text).read(&text) {
        Err(broken) => failed(
            &format!("{shown}:{}: {}", broken.line, broken.reason),
            "fix the file",
        ),
        Ok(None) => failed(&format!("{shown} has no entry of ours"), &add),
        Ok(Some(entry)) if is_off(&entry) => failed(
            "the entry is switched off",
            "switch whyrank on in the client",
        ),
        Ok(Some(entry)) => match started_by(client, &entry) {
            None => failed("the entry starts no program", &add),
            Some(server) => {
                let message = format!("{shown} holds the entry");
                (tick("file", TickState::Ok, &message, ""), Some(server))
            }
        },
    }
}

fn is_off(entry: &Value) -> bool {
    entry.get("disabled") == Some(&Value::Bool(true))
        || entry.get("enabled") == Some(&Value::Bool(false))
}

fn server_tick(server: &Server, working_directory: &Path) -> Tick {
    let started = Instant::now();
    match list_tools(server, working_directory) {
        Ok(n_tools) => {
            let ms = started.elapsed().as_millis();
            let message = format!("the server started and listed {n_tools} tools in {ms} ms");
            tick("server", TickState::Ok, &message, "")
        }
        Err(reason) => tick(
            "server",
            TickState::Failed,
            &reason,
            "run `whyrank doctor`, or set the client up again",
        ),
    }
}

/// Starts exactly what the entry says, says hello, lists tools and asks for the status.
fn list_tools(server: &Server, working_directory: &Path) -> Result<usize, String> {
    let failed = |error| format!("{} does not start: {error}", server.command);
    let path = SearchPath::outside(checkout_of(working_directory).as_deref());
    let is_name = Path::new(&server.command).components().count() == 1;
    let found = is_name.then(|| path.find(&server.command)).flatten();
    let program = found.unwrap_or_else(|| server.command.clone().into());
    let mut program = Program::new(program, working_directory).args(&server.args);
    for (name, value) in &server.env {
        program = program.env(name, value);
    }
    let mut running = program.start(&path, Streams::piped()).map_err(failed)?;
    let mut input = running.stdin().ok_or("the server has no input")?;
    let output = running.stdout().ok_or("the server has no output")?;
    let outcome = converse(&mut input, output);
    // A server ends at the end of its input; one that does not is ended.
    drop(input);
    if outcome.is_ok() {
        wait(&mut running);
    }
    outcome
}

fn wait(running: &mut Running) {
    let deadline = Instant::now() + Duration::from_secs(2);
    while Instant::now() < deadline && matches!(running.try_wait(), Ok(None)) {
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn converse(input: &mut ChildStdin, output: ChildStdout) -> Result<usize, String> {
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": TESTER, "version": env!("CARGO_PKG_VERSION")},
    });
    ask(input, &lines, 1, "initialize", &hello)?;
    say(
        input,
        &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    )?;
    let listed = ask(input, &lines, 2, "tools/list", &json!({}))?;
    let tools = listed["tools"].as_array().map_or(0, Vec::len);
    if tools == 0 {
        return Err("the server lists no tools".to_owned());
    }
    ask(
        input,
        &lines,
        3,
        "tools/call",
        &json!({"name": "status", "arguments": {}}),
    )?;
    Ok(tools)
}

fn ask(
    input: &mut ChildStdin,
    lines: &Receiver<String>,
    id: u64,
    method: &str,
    params: &Value,
) -> Result<Value, String> {
    say(
        input,
        &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}),
    )?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let line = lines
            .recv_timeout(left)
            .map_err(|_| format!("no answer to {method} within {} s", PATIENCE.as_secs()))?;
        let message: Value = serde_json::from_str(&line)
            .map_err(|_| format!("the server wrote something that is not MCP: {line}"))?;
        if message["id"] != json!(id) {
            continue;
        }
        if let Some(error) = message.get("error") {
            return Err(format!("{method} failed: {}", error["message"]));
        }
        return Ok(message["result"].clone());
    }
}

fn say(input: &mut ChildStdin, message: &Value) -> Result<(), String> {
    let gone = |_| "the server ended at once".to_owned();
    writeln!(input, "{message}").map_err(gone)?;
    input.flush().map_err(gone)
}
