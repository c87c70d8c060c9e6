//! Calling a row: arguments checked, what was cut kept, what was ignored said.

use std::borrow::Cow;

use serde_json::{Map, Value};
use whyrank_engine::api::RepoId;
use whyrank_system::visible;

use crate::answer::{ToolAnswer, ToolError};
use crate::argument_coercion::{fit, misfit};
use crate::catalogue::find_tool;
use crate::freshness::{self, FreshnessCheck};
use crate::output_options::OutputOptions;
use crate::places;
use crate::present;
use crate::result_cache::with_handle;
use crate::schema::argument_names;
use crate::session::{Call, Session, Tools};
use crate::several;
use crate::table::TOOLS;
use crate::tokens::{chars_within, estimate_tokens};
use crate::tool::{Effect, ToolRow};
use crate::unindexed_grep;

/// Calls a tool. Arguments that it does not know are left out, and the answer says so; where the index is
/// behind the files, its first line does.
///
/// # Errors
///
/// `unknown-tool`, `bad-argument`, `not-found`, and the engine's errors.
pub fn call_tool(
    name: &str,
    call: &Call<'_>,
    mut args: Map<String, Value>,
) -> Result<ToolAnswer, ToolError> {
    if let Some(row) = find_tool(name) {
        rename_known(&row.schema(), &mut args);
    }
    call.freshness.begin(&args);
    let output = OutputOptions::of(&args);
    let outcome = run_tool(name, call, args);
    let outcome = freshness::note(call, output, outcome);
    match outcome {
        Ok(answer) => Ok(within(shown(answer), output)),
        Err(error) => Err(ToolError::new(
            &error.code,
            visible::text(&error.message),
            visible::text(&error.hint),
        )),
    }
}

impl<'a> Call<'a> {
    /// Returns a call that nobody watches or cancels.
    pub fn plain(session: &'a Session) -> Self {
        Self {
            session,
            progress: &|_| {},
            cancelled: &|| false,
            is_task: false,
            caller: None,
            freshness: FreshnessCheck::default(),
            tools: &AllTools,
        }
    }
}

/// The tools of the table.
pub(crate) struct AllTools;

impl Tools for AllTools {
    fn find(&self, name: &str) -> Option<(&'static str, Map<String, Value>)> {
        find_tool(name).map(|row| (row.name, row.schema()))
    }

    fn run(
        &self,
        name: &str,
        call: &Call<'_>,
        args: Map<String, Value>,
    ) -> Result<ToolAnswer, ToolError> {
        run_tool(name, call, args)
    }
}

/// What files and memos hold may command a terminal or read otherwise than it runs: it is shown.
fn shown(answer: ToolAnswer) -> ToolAnswer {
    match visible::text(&answer.text) {
        Cow::Borrowed(_) => answer,
        Cow::Owned(text) => ToolAnswer {
            tokens: estimate_tokens(&text),
            text,
            ..answer
        },
    }
}

/// Runs a tool within a call that has begun.
fn run_tool(
    name: &str,
    call: &Call<'_>,
    mut args: Map<String, Value>,
) -> Result<ToolAnswer, ToolError> {
    let row = find_tool(name).ok_or_else(|| unknown_tool(name))?;
    let schema = row.schema();
    rename_known(&schema, &mut args);
    if args.get("repo").is_none_or(Value::is_null) {
        let meant = unnamed(row, call, &schema)?;
        args.extend(meant.map(|repo| ("repo".to_owned(), repo)));
    }
    if let Some(selectors) = several::named_repositories(call, &args)? {
        let one = |args| run_tool(name, call, args);
        let asked = args.clone();
        let output = OutputOptions::of(&args);
        fit(&schema, &mut args);
        places::check(call, &args)?;
        let answer = several::run(row, call, (args, &selectors), one)?;
        let answer = keep(call, row.name, &asked, answer, output);
        return Ok(within(answer, output));
    }
    if let Some(Value::Array(one)) = args.get("repo") {
        let one = one.first().cloned().unwrap_or(Value::Null);
        args.insert("repo".to_owned(), one);
    }
    let output = OutputOptions::of(&args);
    let mut ignored = split_unknown(&schema, &mut args);
    ignored.retain(|name| name != "max_tokens");
    fit(&schema, &mut args);
    check_required(&schema, &args)?;
    if let Some(error) = misfit(&schema, &args) {
        return Err(error);
    }
    places::check(call, &args)?;
    let asked = args.clone();
    let run = |args| whyrank_engine::whole(|| (row.run)(call, Value::Object(args)));
    let answer = match run(args) {
        // What is damaged is repaired when the index is opened again.
        Err(error) if error.code == "index-damaged" && row.effect == Effect::Reads => {
            run(asked.clone())?
        }
        outcome => outcome?,
    };
    let answer = unindexed_grep::add(call, &asked, answer);
    let answer = keep(call, row.name, &asked, answer, output);
    Ok(within(with_note(answer, &ignored, output), output))
}

/// The one repository that a call was asked of, once it was; `None` where none or several were.
pub(crate) fn asked_of(session: &Session, name: &str, args: &Map<String, Value>) -> Option<RepoId> {
    let row = find_tool(name)?;
    let schema = row.schema();
    if !argument_names(&schema).contains(&"repo") {
        return None;
    }
    let mut args = args.clone();
    rename_known(&schema, &mut args);
    match args.get("repo") {
        Some(Value::String(name)) => session.found_as(Some(name)),
        Some(Value::Array(names)) => match names.as_slice() {
            [Value::String(name)] => session.found_as(Some(name)),
            _ => None,
        },
        None | Some(Value::Null) => {
            let is_of_many = session.several_unnamed().is_some()
                || (row.takes_several() && session.default_workspace().ok()?.is_some());
            session.found_as(None).filter(|_| !is_of_many)
        }
        Some(_) => None,
    }
}

/// The repositories that a call means which names none, where it is not the session's one alone.
fn unnamed(
    row: &ToolRow,
    call: &Call<'_>,
    schema: &Map<String, Value>,
) -> Result<Option<Value>, ToolError> {
    let several = call.session.several_unnamed();
    if several.is_some() && argument_names(schema).contains(&"repo") {
        return Ok(several.map(Value::from));
    }
    if !row.takes_several() {
        return Ok(None);
    }
    Ok(call.session.default_workspace()?.map(Value::from))
}

/// Whole lines within the budget, for what was added to an answer and tools that ask for none.
fn within(answer: ToolAnswer, output: OutputOptions) -> ToolAnswer {
    if answer.tokens <= output.budget {
        return answer;
    }
    if output.is_json {
        let text = present::json(&answer.structured, output.budget);
        return ToolAnswer::new(text, answer.results, answer.structured);
    }
    let mut left = chars_within(output.budget);
    let lines = answer.text.lines().take_while(|line| {
        let cost = line.chars().count() + 1;
        let fits = cost <= left;
        left = left.saturating_sub(cost);
        fits
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    ToolAnswer {
        is_noted: answer.is_noted,
        ..ToolAnswer::new(text, answer.results, answer.structured)
    }
}

/// Keeps what the budget cut, and pools, under a handle that the answer names.
fn keep(
    call: &Call<'_>,
    tool: &str,
    args: &Map<String, Value>,
    mut answer: ToolAnswer,
    output: OutputOptions,
) -> ToolAnswer {
    let pool = std::mem::take(&mut answer.pool);
    if answer.full.is_none() && pool.is_empty() {
        return answer;
    }
    let contents = call.contents_of(&answer.results);
    let kept = call.session.kept();
    let handle = kept.keep(tool, args, &answer, (pool, contents));
    if output.is_json {
        answer
    } else {
        with_handle(answer, &handle, output.budget)
    }
}

fn unknown_tool(name: &str) -> ToolError {
    let names: Vec<&str> = TOOLS.iter().map(|row| row.name).collect();
    let hint = format!("the tools are {}", names.join(", "));
    ToolError::new("unknown-tool", format!("no tool named `{name}`"), hint)
}

/// Other systems' and models' names for arguments, and ours.
const OTHER_NAMES: [(&str, &str); 43] = [
    ("uri", "handle"),
    ("scope", "path"),
    ("file", "path"),
    ("file_path", "path"),
    ("filename", "path"),
    ("folder", "path"),
    ("directory", "path"),
    ("dir", "path"),
    ("glob", "path"),
    ("paths", "path"),
    ("token_budget", "max_tokens"),
    ("budget", "max_tokens"),
    ("type", "kind"),
    ("type", "kinds"),
    ("kind", "kinds"),
    ("kinds", "kind"),
    ("lang", "language"),
    ("languages", "language"),
    ("name", "symbol"),
    ("symbol_name", "symbol"),
    ("function", "symbol"),
    ("query", "symbol"),
    ("symbol", "query"),
    ("q", "query"),
    ("text", "query"),
    ("question", "query"),
    ("query", "task"),
    ("task", "query"),
    ("query", "claim"),
    ("query", "pattern"),
    ("code", "pattern"),
    ("top_k", "limit"),
    ("max_results", "limit"),
    ("n", "limit"),
    ("max_depth", "depth"),
    ("commit", "as_of"),
    ("revision", "ref"),
    ("since", "ref"),
    ("base", "ref"),
    ("include_tests", "tests"),
    ("repos", "repo"),
    ("repositories", "repo"),
    ("workspace", "repo"),
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

fn with_note(answer: ToolAnswer, ignored: &[String], output: OutputOptions) -> ToolAnswer {
    if ignored.is_empty() {
        return answer;
    }
    let text = if output.is_json {
        let Ok(mut object) = serde_json::from_str::<Map<String, Value>>(&answer.text) else {
            return answer;
        };
        object.insert("ignored_arguments".to_owned(), ignored.into());
        Value::Object(object).to_string()
    } else {
        format!(
            "{}\n[ignored arguments: {}]",
            answer.text,
            ignored.join(", ")
        )
    };
    if estimate_tokens(&text) > output.budget {
        answer
    } else {
        ToolAnswer {
            tokens: estimate_tokens(&text),
            text,
            ..answer
        }
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
