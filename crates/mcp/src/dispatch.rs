//! Calling a row: arguments checked, what was cut kept, what was ignored said.

use serde_json::{Map, Value};

use crate::answer::{ToolAnswer, ToolError};
use crate::args::{DEFAULT_MAX_TOKENS, LEAST_MAX_TOKENS};
use crate::catalogue::find_tool;
use crate::fit::{fit, misfit};
use crate::freshness;
use crate::glance;
use crate::kept::with_handle;
use crate::schema::argument_names;
use crate::session::Call;
use crate::table::{SEE_SCHEMA, TOOLS};
use crate::tokens::chars_within;
use crate::tool::ToolRow;

/// Calls a tool. Arguments that it does not know are left out, and the answer says so; where the index is
/// behind the files, its first line does.
///
/// # Errors
///
/// `unknown-tool`, `bad-argument`, `not-found`, and the engine's errors.
pub fn call_tool(
    name: &str,
    call: &Call<'_>,
    args: Map<String, Value>,
) -> Result<ToolAnswer, ToolError> {
    call.freshness.begin(&args);
    let format = args
        .get("format")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let budget = args.get("max_tokens").and_then(Value::as_u64);
    let kept_budget = budget.map(|budget| u32::try_from(budget).unwrap_or(u32::MAX));
    let outcome = run_tool(name, call, args);
    let outcome = freshness::note(call, (format.as_deref(), kept_budget), outcome);
    outcome.map(|answer| match format.as_deref() {
        Some("json") => answer,
        _ => within(answer, budget),
    })
}

/// Runs a tool within a call that has begun.
pub(crate) fn run_tool(
    name: &str,
    call: &Call<'_>,
    mut args: Map<String, Value>,
) -> Result<ToolAnswer, ToolError> {
    let row = find_tool(name).ok_or_else(|| unknown_tool(name))?;
    let schema = row.schema();
    rename_known(&schema, &mut args);
    let budget = args.get("max_tokens").and_then(Value::as_u64);
    let mut ignored = split_unknown(&schema, &mut args);
    ignored.retain(|name| name != "max_tokens");
    check_required(&schema, &args)?;
    let asked = args.clone();
    let answer = match (row.run)(call, Value::Object(args)) {
        // Nothing has run yet: the arguments could not be read.
        Err(error) if error.hint == SEE_SCHEMA => again(row, call, asked.clone(), error)?,
        outcome => outcome?,
    };
    let answer = glance::add(call, &asked, answer);
    let answer = keep(call, row.name, &asked, answer);
    Ok(within(with_note(answer, &ignored, budget), budget))
}

/// Whole lines within the budget, for tools that do not ask for one.
fn within(answer: ToolAnswer, budget: Option<u64>) -> ToolAnswer {
    let budget = budget.map(|budget| u32::try_from(budget).unwrap_or(u32::MAX));
    let Some(budget) = budget.map(|budget| budget.max(LEAST_MAX_TOKENS)) else {
        return answer;
    };
    if answer.tokens <= budget {
        return answer;
    }
    let mut room = chars_within(budget);
    let lines = answer.text.lines().take_while(|line| {
        let cost = line.chars().count() + 1;
        let fits = cost <= room;
        room = room.saturating_sub(cost);
        fits
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    ToolAnswer::new(text, answer.results, answer.structured)
}

/// Calls once more with the arguments as they may be meant; `error` is of those as they were.
fn again(
    row: &ToolRow,
    call: &Call<'_>,
    mut args: Map<String, Value>,
    error: ToolError,
) -> Result<ToolAnswer, ToolError> {
    let schema = row.schema();
    fit(&schema, &mut args);
    match misfit(&schema, &args) {
        Some(named) => Err(named),
        None => {
            (row.run)(call, Value::Object(args)).map_err(|again| match again.hint == SEE_SCHEMA {
                true => error,
                false => again,
            })
        }
    }
}

/// Keeps what the budget cut, and pools, under a handle that the answer names.
fn keep(
    call: &Call<'_>,
    tool: &str,
    args: &Map<String, Value>,
    mut answer: ToolAnswer,
) -> ToolAnswer {
    let pool = std::mem::take(&mut answer.pool);
    if answer.full.is_none() && pool.is_empty() {
        return answer;
    }
    let handle = call.session.kept().keep(tool, args, &answer, pool);
    if args.get("format").is_some_and(|format| format == "json") {
        return answer;
    }
    let budget = args.get("max_tokens").and_then(Value::as_u64);
    let budget = budget.and_then(|budget| u32::try_from(budget).ok());
    let budget = budget.unwrap_or(DEFAULT_MAX_TOKENS);
    with_handle(answer, &handle, budget)
}

fn unknown_tool(name: &str) -> ToolError {
    let names: Vec<&str> = TOOLS.iter().map(|row| row.name).collect();
    let hint = format!("the tools are {}", names.join(", "));
    ToolError::new("unknown-tool", format!("no tool named `{name}`"), hint)
}

/// Other systems' and models' names for arguments, and ours.
const OTHER_NAMES: [(&str, &str); 10] = [
    ("uri", "handle"),
    ("scope", "path"),
    ("file", "path"),
    ("file_path", "path"),
    ("token_budget", "max_tokens"),
    ("type", "kind"),
    ("lang", "language"),
    ("name", "symbol"),
    ("symbol_name", "symbol"),
    ("question", "query"),
];

/// Gives arguments that the tool does not know the name under which it does.
fn rename_known(schema: &Map<String, Value>, args: &mut Map<String, Value>) {
    let known = argument_names(schema);
    for (other, ours) in OTHER_NAMES {
        let means_ours = !known.contains(&other) && known.contains(&ours);
        if means_ours
            && !args.contains_key(ours)
            && let Some(value) = args.remove(other)
        {
            args.insert(ours.to_owned(), value);
        }
    }
}

fn split_unknown(schema: &Map<String, Value>, args: &mut Map<String, Value>) -> Vec<String> {
    let known = argument_names(schema);
    let unknown: Vec<String> = args
        .keys()
        .filter(|name| !known.contains(&name.as_str()))
        .cloned()
        .collect();
    args.retain(|name, _| known.contains(&name.as_str()));
    unknown
}

fn check_required(schema: &Map<String, Value>, args: &Map<String, Value>) -> Result<(), ToolError> {
    let required = schema.get("required").and_then(Value::as_array);
    let mut names = required.into_iter().flatten().filter_map(Value::as_str);
    let Some(missing) = names.find(|name| args.get(*name).is_none_or(Value::is_null)) else {
        return Ok(());
    };
    let hint = format!("arguments: {}", argument_names(schema).join(", "));
    Err(ToolError::new(
        "bad-argument",
        format!("`{missing}` is missing"),
        hint,
    ))
}

fn with_note(answer: ToolAnswer, ignored: &[String], budget: Option<u64>) -> ToolAnswer {
    if ignored.is_empty() {
        return answer;
    }
    let text = format!(
        "{}\n[ignored arguments: {}]",
        answer.text,
        ignored.join(", ")
    );
    let noted = ToolAnswer::new(text, answer.results.clone(), answer.structured.clone());
    match budget.is_some_and(|budget| u64::from(noted.tokens) > budget) {
        true => answer,
        false => noted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unknown_arguments_are_set_apart() {
        let row = find_tool("lookup").unwrap();
        let Value::Object(mut args) = json!({"symbol": "x", "depth": 3}) else {
            unreachable!()
        };
        assert_eq!(split_unknown(&row.schema(), &mut args), ["depth"]);
        assert_eq!(args.len(), 1);
    }

    #[test]
    fn other_names_of_arguments_are_understood() {
        let schema = find_tool("search").unwrap().schema();
        let Value::Object(mut args) = json!({"question": "x", "scope": "src", "path": "lib"})
        else {
            unreachable!()
        };
        rename_known(&schema, &mut args);
        assert_eq!(
            Value::Object(args),
            json!({"query": "x", "scope": "src", "path": "lib"})
        );
    }

    #[test]
    fn a_missing_argument_is_named_with_all_that_there_are() {
        let schema = find_tool("deps").unwrap().schema();
        let error = check_required(&schema, &Map::new()).unwrap_err();
        assert_eq!(error.message, "`path` is missing");
        assert!(error.hint.contains("direction"), "{}", error.hint);
    }
}
