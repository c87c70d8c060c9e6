//! A call as it is made: its tool's row and arguments that were renamed, completed, fitted and checked, once.

use serde_json::{Map, Value};
use whyrank_engine::api::{RepoId, RepoName};

use crate::answer::ToolError;
use crate::argument_coercion::{fit, misfit};
use crate::catalogue::find_tool;
use crate::output_options::OutputOptions;
use crate::repo_selectors::named_repositories;
use crate::schema::argument_names;
use crate::session::{Call, Session};
use crate::table::TOOLS;
use crate::tool::ToolRow;

/// A tool that there is, and arguments under the names that it knows.
pub(crate) struct NamedCall {
    row: &'static ToolRow,
    schema: Map<String, Value>,
    pub(crate) args: Map<String, Value>,
}

/// A call that can run.
#[derive(Clone)]
pub(crate) struct PreparedCall {
    pub(crate) row: &'static ToolRow,
    /// Those that the tool knows, as its schema has them.
    pub(crate) args: Map<String, Value>,
    /// Names of those that it does not.
    pub(crate) ignored: Vec<String>,
    pub(crate) output: OutputOptions,
    takes_budget: bool,
    /// The repositories, where more than one is meant.
    pub(crate) selectors: Option<Vec<String>>,
}

impl NamedCall {
    /// Finds the tool.
    ///
    /// # Errors
    /// `unknown-tool`
    pub(crate) fn new(name: &str, mut args: Map<String, Value>) -> Result<Self, ToolError> {
        let row = find_tool(name).ok_or_else(|| unknown_tool(name))?;
        let schema = row.schema();
        rename_known(&schema, &mut args);
        Ok(Self { row, schema, args })
    }

    /// Says which repositories are meant and checks the arguments.
    ///
    /// # Errors
    /// `bad-argument`; those of finding repositories.
    pub(crate) fn prepared(self, call: &Call<'_>) -> Result<PreparedCall, ToolError> {
        let Self {
            row,
            schema,
            mut args,
        } = self;
        if args.get("repo").is_none_or(Value::is_null) {
            let meant = unnamed(row, call, &schema)?;
            args.extend(meant.map(|repo| ("repo".to_owned(), repo)));
        }
        let output = OutputOptions::of(&args);
        let mut ignored = split_unknown(&schema, &mut args);
        ignored.retain(|name| name != "max_tokens");
        let mut repo = args.remove("repo");
        let selectors = named_repositories(call, repo.as_ref())?;
        if selectors.is_none() {
            args.extend(repo.take().map(|repo| ("repo".to_owned(), only(repo))));
        }
        fit(&schema, &mut args);
        check_required(&schema, &args)?;
        if let Some(error) = misfit(&schema, &args) {
            return Err(error);
        }
        args.extend(repo.map(|several| ("repo".to_owned(), several)));
        Ok(PreparedCall {
            row,
            args,
            ignored,
            output,
            takes_budget: argument_names(&schema).contains(&"max_tokens"),
            selectors,
        })
    }
}

impl PreparedCall {
    /// The same of one repository.
    pub(crate) fn on(&self, repo: &RepoName) -> Self {
        let mut one = Self {
            selectors: None,
            ignored: Vec::new(),
            ..self.clone()
        };
        one.args.insert("repo".to_owned(), repo.id.as_str().into());
        one
    }

    /// The same for so many tokens.
    pub(crate) fn within(mut self, budget: u32) -> Self {
        self.output = self.output.within(budget);
        if self.takes_budget {
            self.args
                .insert("max_tokens".to_owned(), self.output.budget.into());
        }
        self
    }
}

/// The one repository that a call was asked of, once it was; `None` where none or several were.
pub(crate) fn asked_of(session: &Session, name: &str, args: &Map<String, Value>) -> Option<RepoId> {
    let NamedCall { row, schema, args } = NamedCall::new(name, args.clone()).ok()?;
    if !argument_names(&schema).contains(&"repo") {
        return None;
    }
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

/// A list of one repository is that one.
fn only(repo: Value) -> Value {
    match repo {
        Value::Array(mut items) if !items.is_empty() => items.swap_remove(0),
        repo => repo,
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
