//! Three ticks: the file holds our entry, what it starts lists tools, the client has been heard.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::api::{Connection, Tick, TickState};
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
    connection: Option<Connection>,
) -> Vec<Tick> {
    let (file, server) = file_tick(client, path);
    let started = match &server {
        Some(server) => server_tick(server, working_directory),
        None => tick("server", TickState::Skipped, "nothing to start", ""),
    };
    let heard = match connection {
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
            "mend the file",
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
    let mut child = Command::new(&server.command)
        .args(&server.args)
        .envs(server.env.iter().cloned())
        .current_dir(working_directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("{} does not start: {error}", server.command))?;
    let outcome = converse(&mut child);
    // A server ends at the end of its input; one that does not is ended.
    drop(child.stdin.take());
    if outcome.is_err() {
        let _ = child.kill();
    }
    end(&mut child);
    outcome
}

fn end(child: &mut Child) {
    let deadline = Instant::now() + Duration::from_secs(2);
    while Instant::now() < deadline {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn converse(child: &mut Child) -> Result<usize, String> {
    let output = child.stdout.take().ok_or("the server has no output")?;
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
    ask(child, &lines, 1, "initialize", &hello)?;
    say(
        child,
        &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    )?;
    let listed = ask(child, &lines, 2, "tools/list", &json!({}))?;
    let tools = listed["tools"].as_array().map_or(0, Vec::len);
    if tools == 0 {
        return Err("the server lists no tools".to_owned());
    }
    ask(
        child,
        &lines,
        3,
        "tools/call",
        &json!({"name": "status", "arguments": {}}),
    )?;
    Ok(tools)
}

fn ask(
    child: &mut Child,
    lines: &Receiver<String>,
    id: u64,
    method: &str,
    params: &Value,
) -> Result<Value, String> {
    say(
        child,
        &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}),
    )?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let line = lines
            .recv_timeout(left)
            .map_err(|_| format!("no answer to {method} within {} s", PATIENCE.as_secs()))?;
        let message: Value = serde_json::from_str(&line)
            .map_err(|_| format!("the server wrote something that is no protocol: {line}"))?;
        if message["id"] != json!(id) {
            continue;
        }
        if let Some(error) = message.get("error") {
            return Err(format!("{method} failed: {}", error["message"]));
        }
        return Ok(message["result"].clone());
    }
}

fn say(child: &mut Child, message: &Value) -> Result<(), String> {
    let gone = |_| "the server ended at once".to_owned();
    let input = child.stdin.as_mut().ok_or("the server has no input")?;
    writeln!(input, "{message}").map_err(gone)?;
    input.flush().map_err(gone)
}
