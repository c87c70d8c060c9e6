//! Commands that are a row of the tool table: the same text, without its token budget.

use serde_json::{Map, Value};
use whyrank_mcp::{Call, Readiness, Session, ToolError, call_tool, find_tool};

use crate::args::ToolCommand;
use crate::commands::tool::is_from_files;
use crate::exit::{Exit, NOTHING_FOUND, STALE};
use crate::workspace::{Readable, RepoSelection};
use crate::{out, unindexed, workspace};

/// People scroll; the cap of the tools is the only limit.
pub(super) const MAX_TOKENS: u32 = 20_000;
/// Arguments that say what is looked for.
const ASKED: [&str; 3] = ["symbol", "query", "from"];

/// Runs the tool; nothing is found when the answer's lists are empty.
pub(crate) fn run(command: ToolCommand, json: bool) -> anyhow::Result<()> {
    let ToolCommand {
        tool,
        lists,
        selectors,
        mut arguments,
    } = command;
    let takes_several = find_tool(tool).is_some_and(whyrank_mcp::ToolRow::takes_several);
    let session = match workspace::scope(selectors, takes_several)? {
        RepoSelection::One(repo) => match readable(repo.as_deref(), tool, &arguments)? {
            Readable::Indexed(session, _) => *session,
            Readable::Unindexed(engine, summary) if is_from_files(tool, &arguments) => {
                Session::new(engine, summary.id, Readiness::OnDemand)
            }
            Readable::Unindexed(engine, summary) => {
                return unindexed::answer(&engine, &summary, asked_in(&arguments), json);
            }
        },
        RepoSelection::Several(selectors) => {
            arguments.insert("repo".to_owned(), selectors.into());
            Session::new(workspace::open()?, ".", Readiness::OnDemand)
        }
    };
    let budget = arguments.entry("max_tokens");
    budget.or_insert_with(|| MAX_TOKENS.into());
    let call = Call::plain(&session);
    let answer = call_tool(tool, &call, arguments).map_err(|error| {
        // What is not found may be in the files that the index does not show yet.
        let is_stale = error.code == "not-found" && call.is_behind();
        let code = if is_stale {
            "stale".to_owned()
        } else {
            error.code
        };
        ToolError { code, ..error }
    })?;
    if json {
        out::json(&answer.structured)?
    } else {
        out::line(&answer.text)?
    }
    if is_empty(&answer.structured, lists) {
        let code = if call.is_behind() {
            STALE
        } else {
            NOTHING_FOUND
        };
        Err(Exit(code).into())
    } else {
        Ok(())
    }
}

/// The repository; what git and the files answer makes no index.
fn readable(
    repo: Option<&str>,
    tool: &str,
    arguments: &Map<String, Value>,
) -> anyhow::Result<Readable> {
    if is_from_files(tool, arguments) {
        workspace::readable_as_it_is(repo)
    } else {
        workspace::readable(repo)
    }
}

/// The words that a question is about, where the files may be read for them.
fn asked_in(arguments: &Map<String, Value>) -> Option<&str> {
    let is_of_commit = arguments.contains_key("as_of");
    let mut asked = ASKED.iter().filter_map(|name| arguments.get(*name));
    asked.find_map(Value::as_str).filter(|_| !is_of_commit)
}

/// Whether the answer has one of the lists, and nothing in any.
fn is_empty(answer: &Value, lists: &[&str]) -> bool {
    let found = lists.iter().filter_map(|list| answer.pointer(list));
    let mut found = found.filter_map(Value::as_array).peekable();
    found.peek().is_some() && found.all(Vec::is_empty)
}

#[cfg(test)]
mod tests {
    use super::is_empty;
    use serde_json::{Value, json};

    #[test]
    fn nothing_is_found_where_all_lists_are_empty() {
        let lists = ["/references", "/heirs", "/by_name/uses"];
        let check = |answer: Value, expected: bool| {
            assert_eq!(is_empty(&answer, &lists), expected, "{answer}");
        };
        check(
            json!({"references": [], "heirs": [], "by_name": null}),
            true,
        );
        check(json!({"references": [], "heirs": [1]}), false);
        check(json!({"references": [], "by_name": {"uses": [1]}}), false);
        check(json!({"repositories": []}), false);
    }
}
