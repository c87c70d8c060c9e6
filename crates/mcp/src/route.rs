//! Which tool answers a question: rules over its words, first one that fits.
//!
//! The rules name what they saw, so that an agent learns which tool to call itself next time.

mod rules;
mod subjects;

use std::fmt;

use serde_json::{Map, Value};

use crate::answer::ToolError;
use crate::schema::argument_names;
use crate::session::Tools;
use subjects::{Subjects, bare, subjects};

/// A tool with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Route {
    pub(crate) tool: &'static str,
    pub(crate) args: Map<String, Value>,
    query: String,
    subjects: Subjects,
}

impl fmt::Display for Route {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args = self
            .args
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let args: Vec<String> = args.collect();
        write!(formatter, "{}({})", self.tool, args.join(", "))
    }
}

impl Route {
    /// The same question for a tool that the caller chose.
    pub(crate) fn forced(self, mode: &str, tools: &dyn Tools) -> Result<Self, ToolError> {
        let tool = tools.find(mode).filter(|(name, _)| *name != "ask");
        let (name, _) = tool.ok_or_else(|| {
            ToolError::new(
                "bad-argument",
                format!("no tool named `{mode}`"),
                "leave mode out, or name a tool: search, lookup, refs, deps, overview",
            )
        })?;
        Ok(to(name, &self.query, self.subjects, tools))
    }
}

/// The tool for a question; `is_place` says whether a word is a file or folder of the repository.
pub(crate) fn route(question: &str, is_place: &dyn Fn(&str) -> bool, tools: &dyn Tools) -> Route {
    let subjects = subjects(question, is_place);
    let text = format!(" {} ", question.to_lowercase());
    let tool = rules::tool_for(&text, &subjects);
    to(tool, question, subjects, tools)
}

/// The tool's arguments by their names in its schema: what the question names, the rest of it as text.
fn to(tool: &'static str, question: &str, subjects: Subjects, tools: &dyn Tools) -> Route {
    let question = question.trim().to_owned();
    let text = format!(" {} ", question.to_lowercase());
    let schema = tools.find(tool).map(|(_, schema)| schema);
    let schema = schema.unwrap_or_default();
    let first = |list: &[String]| list.first().cloned();
    let (name, path) = (first(&subjects.names), first(&subjects.paths));
    let any = name.clone().or(path.clone()).unwrap_or(question.clone());
    let needs_path = is_required(&schema, "path");
    let symbol = is_required(&schema, "symbol").then(|| any.clone()).or(name);
    let (from, to) = ends(&question, &subjects.names);
    let own = str::to_owned;
    let value = |argument: &str| match (tool, argument) {
        ("refs", "kinds") => rules::kind_of_use(&text).map(own),
        ("audit", "kinds") => rules::kind_of_finding(&text).map(own),
        ("deps", "direction") => rules::direction(&text).map(own),
        ("call_path", "from") => from.map(own).or(Some(any.clone())),
        ("call_path", "to") => to.map(own).or(Some(question.clone())),
        (_, "symbol") => symbol.clone(),
        (_, "path") if needs_path => path.clone().or(Some(any.clone())),
        (_, "path") => path.clone().filter(|path| Some(path) != symbol.as_ref()),
        (_, "ref") => subjects.since.clone(),
        (_, "query" | "task" | "claim") | ("ast_grep", "pattern") => Some(question.clone()),
        _ => None,
    };
    let args = argument_names(&schema).into_iter();
    let args = args.filter_map(|name| Some((name.to_owned(), Value::from(value(name)?))));
    Route {
        tool,
        args: args.collect(),
        query: question,
        subjects,
    }
}

fn is_required(schema: &Map<String, Value>, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.is_some_and(|required| required.iter().any(|one| one == name))
}

/// Start and end of a way: by `from` and `to` before them, else in order.
fn ends<'n>(question: &str, names: &'n [String]) -> (Option<&'n str>, Option<&'n str>) {
    let after = |cue: &str| {
        let mut words = question
            .split_whitespace()
            .skip_while(|word| !word.eq_ignore_ascii_case(cue));
        let next = words.nth(1)?;
        names
            .iter()
            .find(|name| bare(next) == name.as_str())
            .map(String::as_str)
    };
    let (first, second) = (names.first(), names.get(1));
    match (after("from"), after("to")) {
        (Some(from), Some(to)) if from != to => (Some(from), Some(to)),
        // "how do I get to b from a": the other one is the end.
        (Some(from), None) if first.is_some_and(|first| first != from) => {
            (Some(from), first.map(String::as_str))
        }
        _ => (first.map(String::as_str), second.map(String::as_str)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::AllTools;

    fn ask(question: &str) -> Route {
        let is_place = |word: &str| matches!(word, "caddyconfig" | "parser");
        route(question, &is_place, &AllTools)
    }

    fn check(question: &str, expected: &str) {
        assert_eq!(ask(question).to_string(), expected, "{question}");
    }

    #[test]
    fn questions_find_their_tool() {
        check("Where is `Router` defined?", "lookup(symbol=\"Router\")");
        check("who calls parseQuery()", "refs(symbol=\"parseQuery\")");
        check("where is Router.use called?", "refs(symbol=\"Router.use\")");
        check(
            "who implements `Selector`?",
            "refs(kinds=\"implements\", symbol=\"Selector\")",
        );
        for question in [
            "who implements Spider?",
            "which classes extend Spider",
            "which classes inherit from Spider",
            "implementations of Spider",
        ] {
            check(question, "refs(kinds=\"implements\", symbol=\"Spider\")");
        }
        check(
            "what should I implement next",
            "search(query=\"what should I implement next\")",
        );
        check(
            "what are the subclasses of BaseHandler",
            "refs(kinds=\"implements\", symbol=\"BaseHandler\")",
        );
        check(
            "what overrides Router.use",
            "refs(kinds=\"implements\", symbol=\"Router.use\")",
        );
        check(
            "What breaks if I change read_file?",
            "impact(symbol=\"read_file\")",
        );
        check(
            "what does src/app.ts import",
            "deps(direction=\"imports\", path=\"src/app.ts\")",
        );
        check(
            "who imports lib/router.js?",
            "deps(direction=\"importers\", path=\"lib/router.js\")",
        );
        check(
            "is there a path from `main` to `write_all`",
            "call_path(from=\"main\", to=\"write_all\")",
        );
        check("is `old_way` unused?", "dead_code(symbol=\"old_way\")");
        check(
            "which tests cover src/cart.py",
            "test_map(path=\"src/cart.py\")",
        );
        check("are there circular imports", "audit(kinds=\"cycle\")");
        check("what changed, and is it risky?", "review_diff()");
        check(
            "give me an overview of crates/engine",
            "overview(path=\"crates/engine\")",
        );
        check("parseQuery", "lookup(symbol=\"parseQuery\")");
        check(
            "how does the retry logic work?",
            "investigate(query=\"how does the retry logic work?\")",
        );
        check("retry with backoff", "search(query=\"retry with backoff\")");
    }

    #[test]
    fn what_a_question_says_becomes_an_argument() {
        check("what changed since HEAD~3", "review_diff(ref=\"HEAD~3\")");
        check(
            "review my changes in caddyconfig against main",
            "review_diff(path=\"caddyconfig\", ref=\"main\")",
        );
        check(
            "what changed in the last 3 commits?",
            "review_diff(ref=\"HEAD~3\")",
        );
        check(
            "is there dead code in caddyconfig",
            "dead_code(path=\"caddyconfig\")",
        );
        check(
            "which tests cover parseQuery",
            "test_map(symbol=\"parseQuery\")",
        );
        check(
            "which tests cover reactive?",
            "test_map(symbol=\"reactive\")",
        );
        check(
            "which tests cover what changed since v1.2",
            "test_map(ref=\"v1.2\")",
        );
        check(
            "who calls load in the parser?",
            "refs(path=\"parser\", symbol=\"load\")",
        );
        check(
            "where is `count` assigned",
            "refs(kinds=\"write\", symbol=\"count\")",
        );
        check(
            "how do errors reach `report` from `main`",
            "call_path(from=\"main\", to=\"report\")",
        );
        check(
            "retries in caddyconfig",
            "search(path=\"caddyconfig\", query=\"retries in caddyconfig\")",
        );
        check("retries in general", "search(query=\"retries in general\")");
    }

    #[test]
    fn a_caller_may_choose() {
        let route = ask("who calls `f`").forced("search", &AllTools).unwrap();
        assert_eq!(route.to_string(), "search(query=\"who calls `f`\")");
        let error = ask("x").forced("ask", &AllTools).unwrap_err();
        assert_eq!(error.code, "bad-argument");
    }
}
