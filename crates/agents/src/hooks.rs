//! Hooks: after an edit, the agent runs `whyrank hook after-edit`.

use serde_json::{Value, json};

use crate::clients::Hooks;
use crate::server::Server;

/// The end of each command of ours.
const COMMAND: [&str; 2] = ["hook", "after-edit"];
/// Seconds after which a client ends it; it ends itself before.
const TIMEOUT_S: u32 = 5;

/// The group of hooks that a client runs after an edit.
pub(crate) fn after_edit(hooks: &Hooks, server: &Server) -> Value {
    let hook = Server {
        args: COMMAND.map(str::to_owned).to_vec(),
        ..server.clone()
    };
    json!({
        "matcher": hooks.matcher,
        "hooks": [{"type": "command", "command": hook.line(), "timeout": TIMEOUT_S}],
    })
}

/// Says whether a group holds commands of ours alone, of whatever version. One to which somebody else added
/// is theirs.
pub(crate) fn is_ours(group: &Value) -> bool {
    let commands = group.get("hooks").and_then(Value::as_array);
    let is_command = |hook: &Value| {
        let command = hook.get("command").and_then(Value::as_str);
        let program = command.and_then(|line| line.strip_suffix(&COMMAND.join(" ")));
        program.is_some_and(|program| program.contains("whyrank"))
    };
    commands.is_some_and(|hooks| !hooks.is_empty() && hooks.iter().all(is_command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_of_somebody_else_is_theirs() {
        let group = |commands: &[&str]| {
            let hooks = commands.iter().map(|line| json!({"command": line}));
            json!({"hooks": hooks.collect::<Vec<_>>()})
        };
        let ours = "/opt/whyrank/whyrank hook after-edit";
        assert!(is_ours(&group(&[ours])));
        for theirs in [&["prettier --write"] as &[&str], &[ours, "prettier"], &[]] {
            assert!(!is_ours(&group(theirs)), "{theirs:?}");
        }
        assert!(!is_ours(&json!("whyrank hook after-edit")));
    }
}
