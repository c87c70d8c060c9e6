//! The commands that are rows of the tool table: their arguments, types and choices are those of the
//! tool's schema; [`commands`] has what people type or read otherwise than agents.

mod commands;

use clap::error::ErrorKind;
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand, ValueHint,
    value_parser,
};
use serde_json::{Map, Value};
use whyrank_mcp::{ToolRow, find_tool};

use super::ScopeArg;
use commands::{COMMANDS, ToolSpec, adjusted};

/// Arguments of every tool, which people have in another way unless a command says so.
const COMMON: [&str; 3] = ["repo", "max_tokens", "format"];
/// The first of these is given by its place where a tool requires nothing.
const BY_PLACE: [&str; 3] = ["ref", "pattern", "path"];

/// A command that is a row of the table, with the arguments for its tool.
#[derive(Debug)]
pub(crate) struct ToolCommand {
    pub(crate) tool: &'static str,
    /// The lists of its answer, as JSON pointers.
    pub(crate) lists: &'static [&'static str],
    /// The repositories that are named.
    pub(crate) selectors: Vec<String>,
    pub(crate) arguments: Map<String, Value>,
}

impl Subcommand for ToolCommand {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(COMMANDS.iter().map(ToolSpec::command))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        ToolSpec::of(name).is_some()
    }
}

impl FromArgMatches for ToolCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let (name, matches) = matches.subcommand().unwrap_or(("", matches));
        let (spec, row) =
            ToolSpec::of(name).ok_or_else(|| Error::new(ErrorKind::MissingSubcommand))?;
        let properties = properties(row).into_iter();
        let arguments = properties.filter_map(|(name, property)| {
            let value = given(&name, &property, matches)?;
            Some((name, value))
        });
        Ok(Self {
            tool: spec.tool,
            lists: spec.lists,
            selectors: ScopeArg::from_arg_matches(matches)?.selectors(),
            arguments: arguments.collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl ToolSpec {
    fn of(command: &str) -> Option<(&'static Self, &'static ToolRow)> {
        let tool = command.replace('-', "_");
        let spec = COMMANDS.iter().find(|spec| spec.tool == tool)?;
        Some((spec, find_tool(spec.tool)?))
    }

    /// Makes the command; its arguments follow when it is the one that runs, or whose help is read.
    fn command(&self) -> Command {
        let examples = format!("Examples:\n  {}", self.examples);
        let name = self.tool.replace('_', "-");
        let command = Command::default().name(name).about(self.about);
        command.after_help(examples).defer(|command| {
            let Some((spec, row)) = Self::of(command.get_name()) else {
                return command;
            };
            // The scope brings a description of its own.
            ScopeArg::augment_args(command)
                .about(spec.about)
                .args(args(row))
        })
    }
}

fn properties(row: &ToolRow) -> Map<String, Value> {
    match row.schema().remove("properties") {
        Some(Value::Object(properties)) => properties,
        _ => Map::new(),
    }
}

/// The arguments that have a help: what a tool requires is given by its place.
fn args(row: &ToolRow) -> Vec<Arg> {
    let (schema, properties) = (row.schema(), properties(row));
    let required = schema.get("required").and_then(Value::as_array);
    let required = required.into_iter().flatten().filter_map(Value::as_str);
    let required: Vec<&str> = required.collect();
    let first = BY_PLACE
        .into_iter()
        .find(|name| properties.contains_key(*name));
    let by_place = match (required.as_slice(), first) {
        ([], Some(first)) => vec![first],
        (required, _) => required.to_vec(),
    };
    let args = properties.iter().map(|(name, property)| {
        let arg = typed(name, property).required(required.contains(&name.as_str()));
        let arg = if by_place.contains(&name.as_str()) {
            arg
        } else {
            arg.long(name.replace('_', "-"))
        };
        adjusted(row.name, name, arg)
    });
    let mut args: Vec<Arg> = args.filter(|arg| arg.get_help().is_some()).collect();
    args.sort_by_key(|arg| {
        let name = arg.get_id().as_str();
        let place = |names: &[&str]| names.iter().position(|listed| *listed == name);
        let last = usize::MAX;
        let place_in_help = place(&["path", "line"]).unwrap_or(last);
        (
            place(&by_place).unwrap_or(last),
            name == "as_of",
            place_in_help,
        )
    });
    args
}

/// An argument with the type, choices and description of its schema.
fn typed(name: &str, property: &Value) -> Arg {
    let kind = kind(property);
    let value_name = match kind {
        "integer" => "N".to_owned(),
        _ => name.trim_end_matches('s').to_uppercase(),
    };
    let arg = Arg::new(name.to_owned()).value_name(value_name);
    let arg = match (name, kind) {
        ("format", _) | (_, "boolean") => arg.action(ArgAction::SetTrue),
        ("path" | "coverage", _) => arg.value_hint(ValueHint::AnyPath),
        _ => arg,
    };
    let arg = match kind {
        "integer" => arg.value_parser(value_parser!(u32).range(1..)),
        "array" => arg.action(ArgAction::Append),
        _ => arg,
    };
    match help(property).filter(|_| !COMMON.contains(&name)) {
        Some(help) => arg.help(help),
        None => arg,
    }
}

fn kind(property: &Value) -> &str {
    let kind = property.get("type").and_then(Value::as_str);
    kind.unwrap_or_default()
}

/// The choices, or the description with its default written as in the help of other arguments.
fn help(property: &Value) -> Option<String> {
    let of_items = property.pointer("/items/enum");
    if let Some(words) = property.get("enum").or(of_items).and_then(Value::as_array) {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        let lead = if of_items.is_some() {
            "Only these"
        } else {
            "One of"
        };
        return Some(format!("{lead}: {}", words.join(", ")));
    }
    let description = property.get("description")?.as_str()?;
    let Some(place) = description.to_lowercase().find("default") else {
        return Some(description.to_owned());
    };
    let (text, value) = description.split_at(place);
    let value = value["default".len()..].trim_start_matches([':', ' ']);
    let text = text.trim_end_matches([',', ';', ' ']);
    Some(format!("{text} [default: {value}]").trim().to_owned())
}

/// The value that was typed, as the tool takes it.
fn given(name: &str, property: &Value, matches: &ArgMatches) -> Option<Value> {
    let texts = matches.try_get_raw(name).ok()??;
    let mut texts = texts.map(|text| match std::path::absolute(text) {
        // From the shell a report's path is meant from where one is.
        Ok(full) if name == "coverage" && full.exists() => full.to_string_lossy().into_owned(),
        _ => text.to_string_lossy().into_owned(),
    });
    match (name, kind(property)) {
        ("repo", _) => None,
        ("format", _) => matches.get_flag(name).then(|| "detailed".into()),
        (_, "boolean") => matches.get_flag(name).then_some(true.into()),
        (_, "integer") => texts.next()?.parse::<u32>().ok().map(Value::from),
        (_, "array") => Some(texts.collect()),
        _ => texts.next().map(Value::from),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command as Top};
    use clap::Parser;
    use serde_json::json;

    fn arguments(line: &str) -> Value {
        let cli = Cli::parse_from(["whyrank"].into_iter().chain(line.split(' ')));
        let Top::Table(command) = cli.command else {
            unreachable!()
        };
        Value::Object(command.arguments)
    }

    #[test]
    fn a_command_gives_its_tool_what_was_typed() {
        let check = |line: &str, expected: Value| assert_eq!(arguments(line), expected, "{line}");
        check(
            "refs f --path a --line 1 --kinds call,read --mentions --as-of b",
            json!({"symbol": "f", "path": "a", "line": 1, "kinds": ["call,read"], "mentions": true, "as_of": "b"}),
        );
        check("call-path a b", json!({"from": "a", "to": "b"}));
        check(
            "ast-grep $X --lang rust --path a --path b -n 3 --bindings",
            json!({"pattern": "$X", "language": "rust", "path": ["a", "b"], "limit": 3, "format": "detailed"}),
        );
        check("export-context", json!({"max_tokens": 8000}));
        check("test-map main", json!({"ref": "main"}));
        let coverage = arguments("dead-code --coverage Cargo.toml --coverage none");
        let coverage = coverage["coverage"].as_array().unwrap();
        assert!(std::path::Path::new(coverage[0].as_str().unwrap()).is_absolute());
        assert_eq!(coverage[1], "none");
    }

    #[test]
    fn choices_and_defaults_are_those_of_the_schema() {
        let check = |property: Value, expected: &str| {
            assert_eq!(help(&property).as_deref(), Some(expected), "{property}");
        };
        check(
            json!({"description": "Steps, default 3"}),
            "Steps [default: 3]",
        );
        check(
            json!({"description": "Folder; default: all"}),
            "Folder [default: all]",
        );
        check(json!({"description": "Default 200"}), "[default: 200]");
        check(json!({"description": "A few words"}), "A few words");
        check(json!({"enum": ["a", "b"]}), "One of: a, b");
        check(json!({"items": {"enum": ["a", "b"]}}), "Only these: a, b");
    }
}
