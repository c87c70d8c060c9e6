//! The three ticks, with servers of a few lines.

use std::os::unix::fs::PermissionsExt;

use crate::support::{Machine, machine};
use whyrank_agents::{Connection, Os, Scope, Server, Tick, TickState, VerifyRequest};

/// Sets Cursor up with a server that is this shell script.
fn with_server(script: &str) -> Machine {
    let mut machine = machine(Os::Linux);
    let path = machine.write("bin/server", &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    machine.server.command = path.to_string_lossy().into_owned();
    machine.add("cursor");
    machine
}

fn ticks(machine: &Machine, connections: &[Connection]) -> Vec<Tick> {
    let request = VerifyRequest {
        connections,
        ..user(&machine.server)
    };
    let mut verified = machine.setup.verify(&request).expect("verified");
    verified.remove(0).ticks
}

fn user(ours: &Server) -> VerifyRequest<'_> {
    VerifyRequest {
        client: "cursor",
        scope: Scope::User,
        project: None,
        connections: &[],
        ours,
        agreed: &[],
    }
}

const GOOD: &str = r#"
read line; echo '{"jsonrpc":"2.0","id":1,"result":{}}'
read line; read line; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{},{}]}}'
read line; echo '{"jsonrpc":"2.0","id":3,"result":{"content":[]}}'"#;

#[test]
fn a_server_that_answers_and_a_client_that_was_heard() {
    let machine = with_server(GOOD);
    let heard = Connection {
        name: "cursor-vscode".to_owned(),
        version: "1.2".to_owned(),
        at: 5.0,
    };
    let ticks = ticks(&machine, &[heard]);
    assert!(
        ticks.iter().all(|tick| tick.state == TickState::Ok),
        "{ticks:?}"
    );
    assert!(
        ticks[1].message.contains("listed 2 tools"),
        "{}",
        ticks[1].message
    );
    assert_eq!(ticks[2].message, "cursor-vscode 1.2 has connected");
}

#[test]
fn a_client_that_was_not_heard_yet_is_waited_for() {
    let ticks = ticks(&with_server(GOOD), &[]);
    assert_eq!(ticks[2].state, TickState::Waiting);
    assert!(!ticks[2].fix.is_empty());
}

#[test]
fn faults_of_a_server_are_named() {
    let cases = [
        ("exit 3", "ended at once|no answer to initialize"),
        ("echo hello; sleep 1", "not MCP: hello"),
        (
            r#"read l; echo '{"id":1,"error":{"message":"no"}}'"#,
            "initialize failed: \"no\"",
        ),
    ];
    for (script, expected) in cases {
        let ticks = ticks(&with_server(script), &[]);
        assert_eq!(ticks[1].state, TickState::Failed, "{script}");
        let fits = expected
            .split('|')
            .any(|part| ticks[1].message.contains(part));
        assert!(fits, "{script}: {}", ticks[1].message);
    }
}

#[test]
fn without_an_entry_nothing_is_started() {
    let machine = machine(Os::Linux);
    let ticks = ticks(&machine, &[]);
    assert_eq!(ticks[0].state, TickState::Failed);
    assert!(
        ticks[0].fix.contains("agents add cursor"),
        "{}",
        ticks[0].fix
    );
    assert_eq!(ticks[1].state, TickState::Skipped);
}

#[test]
fn a_program_that_is_gone_is_named() {
    let machine = with_server(GOOD);
    std::fs::remove_file(machine.home("bin/server")).expect("removed");
    let ticks = ticks(&machine, &[]);
    assert!(
        ticks[1].message.contains("does not start"),
        "{}",
        ticks[1].message
    );
}

/// What a checkout's file names, and what it may name besides the program.
#[test]
fn another_program_is_started_on_consent_alone() {
    let machine = machine(Os::Linux);
    let mark = machine.home("ran");
    let ours = machine.server.command.clone();
    let script = format!("touch {}", mark.display());
    let entries = [
        format!(r#"{{"command": "/bin/sh", "args": ["-c", "{script}"]}}"#),
        format!(r#"{{"command": "{ours}", "args": ["precise", "--yes"]}}"#),
        format!(r#"{{"command": "{ours}", "args": ["mcp"], "env": {{"WHYRANK_HOME": "x"}}}}"#),
    ];
    let project = machine.home("checkout");
    let project = project.to_str().expect("text");
    for entry in entries {
        let text = format!(r#"{{"mcpServers": {{"whyrank": {entry}}}}}"#);
        machine.write("checkout/.mcp.json", &text);
        let mut request = VerifyRequest {
            client: "claude-code",
            scope: Scope::Project,
            project: Some(project),
            ..user(&machine.server)
        };
        let ticks = machine.setup.verify(&request).expect("verified").remove(0);
        let server = &ticks.ticks[1];
        assert_eq!(server.state, TickState::Skipped, "{entry}");
        assert!(server.message.contains("not started"), "{server:?}");
        assert!(!mark.exists());
        let others = machine.setup.other_programs(&request).expect("others");
        assert_eq!(others.len(), 1, "{entry}");
        request.agreed = &others;
        machine.setup.verify(&request).expect("verified");
        assert_eq!(mark.exists(), entry.contains("/bin/sh"), "{entry}");
        drop(std::fs::remove_file(&mark));
    }
}
