//! Which tool answers a question: rules over its words, first one that fits.
//!
//! The rules name what they saw, so that an agent learns which tool to call itself next time.

use std::fmt;

use serde_json::{Map, Value};

use crate::answer::ToolError;
use crate::tool::find_tool;

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
    pub(crate) fn forced(self, mode: &str) -> Result<Self, ToolError> {
        let row = find_tool(mode).filter(|row| row.name != "ask");
        let row = row.ok_or_else(|| {
            ToolError::new(
                "bad-argument",
                format!("no tool named `{mode}`"),
                "leave mode out, or name a tool: search, lookup, refs, deps, overview",
            )
        })?;
        Ok(to(row.name, &self.query, self.subjects))
    }
}

/// What a question is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Subjects {
    /// Names of definitions, in order.
    names: Vec<String>,
    /// Files and folders, in order.
    paths: Vec<String>,
}

/// The tool for a question.
pub(crate) fn route(question: &str) -> Route {
    let subjects = subjects(question);
    let text = format!(" {} ", question.to_lowercase());
    let tool = tool_for(&text, &subjects);
    to(tool, question, subjects)
}

fn tool_for(text: &str, subjects: &Subjects) -> &'static str {
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    let (named, several) = (!subjects.names.is_empty(), subjects.names.len() > 1);
    let has_path = !subjects.paths.is_empty();
    if several
        && has(&[
            "path from",
            "way from",
            " reach",
            "get from",
            "lead to",
            "leads to",
            "end up in",
            "call path",
        ])
    {
        return "call_path";
    }
    if has(&[
        "which test",
        "what test",
        "tests for",
        "tests cover",
        "test cover",
        "untested",
        "is tested",
    ]) {
        return "test_map";
    }
    if has(&[
        "dead code",
        "unused",
        "never called",
        "never used",
        "can i delete",
        "safe to delete",
        "can be deleted",
    ]) {
        return "dead_code";
    }
    if has_path && has(&["import", "depend", "require"]) {
        return "deps";
    }
    if named
        && has(&[
            "break",
            "affected",
            "affect",
            "impact",
            "blast",
            "depends on",
            "depend on",
            "safe to change",
            "safe to rename",
            "if i change",
            "if i rename",
        ])
    {
        return "impact";
    }
    if named
        && has(&[
            "who call",
            "who use",
            "what calls",
            "what uses",
            "usage",
            "uses of",
            "references to",
            "references of",
            "called from",
            "callers of",
            "where is",
            "where are",
        ])
        && has(&["call", "use", "usage", "reference", "invoke"])
    {
        return "refs";
    }
    if named
        && has(&[
            "defined",
            "definition",
            "declared",
            "implemented",
            "signature",
            "where is ",
            "what is ",
            "find function",
            "find class",
            "find the function",
            "find the class",
        ])
    {
        return "lookup";
    }
    if has(&[
        "circular",
        "cycle",
        "god file",
        "god class",
        "layering",
        "orphan",
        "code smell",
        "sticks out",
    ]) {
        return "audit";
    }
    if has(&[
        "what changed",
        "what did i change",
        "review my",
        "review the diff",
        "review the change",
        "risky",
        "before i commit",
        "before a commit",
    ]) {
        return "review_diff";
    }
    if find_tool("recall").is_some()
        && has(&[
            "why did we",
            "did we decide",
            "decision",
            "we agreed",
            "convention",
            "remember",
        ])
    {
        return "recall";
    }
    if has(&[
        "overview",
        "architecture",
        "organized",
        "organised",
        "structured",
        "structure of",
        "laid out",
        "main modules",
        "main components",
        "entry point",
        "what does this repo",
        "what does this project",
    ]) {
        return "overview";
    }
    if subjects.names.len() == 1 && text.split_whitespace().count() == 1 {
        return "lookup";
    }
    if has(&[
        "how does",
        "how do ",
        "how is",
        "how are",
        "walk me",
        "explain",
        "flow of",
        "what happens",
    ]) {
        return "investigate";
    }
    "search"
}

fn to(tool: &'static str, question: &str, subjects: Subjects) -> Route {
    let mut args = Map::new();
    let mut set = |name: &str, value: Option<&String>| {
        if let Some(value) = value {
            args.insert(name.to_owned(), Value::from(value.clone()));
        }
    };
    let question = question.trim().to_owned();
    let name = subjects
        .names
        .first()
        .or(subjects.paths.first())
        .unwrap_or(&question);
    match tool {
        "lookup" | "refs" | "impact" => {
            set("symbol", Some(name));
            set(
                "path",
                subjects
                    .paths
                    .first()
                    .filter(|path| *path != name && tool != "lookup"),
            );
        }
        "dead_code" => {
            set("symbol", subjects.names.first());
            set("path", subjects.paths.first());
        }
        "call_path" => {
            set("from", Some(name));
            set("to", subjects.names.get(1).or(Some(&question)));
        }
        "deps" => set("path", subjects.paths.first().or(Some(name))),
        "overview" | "audit" | "test_map" | "review_diff" => {
            set("path", subjects.paths.first());
        }
        "context" => set("task", Some(&question)),
        "status" | "list_repos" | "index" | "clusters" | "patterns" | "export_context" => {}
        "critique" => set("claim", Some(&question)),
        _ => set("query", Some(&question)),
    }
    Route {
        tool,
        args,
        query: question,
        subjects,
    }
}

/// Words in backticks, and words shaped like code or paths.
fn subjects(question: &str) -> Subjects {
    let mut found = Subjects::default();
    for raw in question.split_whitespace() {
        let word = raw
            .trim_matches(|c: char| "()[]\"'`,;:!?".contains(c))
            .trim_end_matches('.');
        let word = word.trim_end_matches("()");
        let is_quoted = raw.contains('`');
        if word.is_empty() {
            continue;
        }
        if is_path(word) {
            found.paths.push(word.to_owned());
        } else if is_quoted || is_identifier(word) || raw.contains("()") {
            found.names.push(word.to_owned());
        }
    }
    found
}

fn is_path(word: &str) -> bool {
    let stem_and_ending = word.rsplit_once('.');
    let ends_as_file = stem_and_ending
        .is_some_and(|(stem, ending)| !stem.is_empty() && FILE_ENDINGS.contains(&ending));
    ends_as_file || (word.contains('/') && !word.starts_with("http") && word.len() > 2)
}

const FILE_ENDINGS: [&str; 34] = [
    "rs", "py", "js", "jsx", "ts", "tsx", "mjs", "cjs", "go", "java", "kt", "c", "h", "cc", "cpp",
    "hpp", "cs", "rb", "php", "swift", "scala", "lua", "sh", "vue", "svelte", "ex", "exs", "hs",
    "zig", "md", "json", "toml", "yaml", "yml",
];

/// `camelCase`, `PascalCase`, `snake_case`, `a.b`, `A::b`.
fn is_identifier(word: &str) -> bool {
    let is_name = word
        .chars()
        .all(|c| c.is_alphanumeric() || "_.:#$".contains(c));
    let has_letter = word.chars().any(char::is_alphabetic);
    let inner_upper =
        word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let joined = word.contains('_') || word.contains("::") || word.trim_matches('.').contains('.');
    is_name && has_letter && (inner_upper || joined) && !matches!(word, "e.g" | "i.e")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, expected: &str) {
        assert_eq!(route(question).to_string(), expected, "{question}");
    }

    #[test]
    fn questions_find_their_tool() {
        check("Where is `Router` defined?", "lookup(symbol=\"Router\")");
        check("who calls parseQuery()", "refs(symbol=\"parseQuery\")");
        check("where is Router.use called?", "refs(symbol=\"Router.use\")");
        check(
            "What breaks if I change read_file?",
            "impact(symbol=\"read_file\")",
        );
        check("what does src/app.ts import", "deps(path=\"src/app.ts\")");
        check("who imports lib/router.js?", "deps(path=\"lib/router.js\")");
        check(
            "is there a path from `main` to `write_all`",
            "call_path(from=\"main\", to=\"write_all\")",
        );
        check("is `old_way` unused?", "dead_code(symbol=\"old_way\")");
        check(
            "which tests cover src/cart.py",
            "test_map(path=\"src/cart.py\")",
        );
        check("are there circular imports", "audit()");
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
    fn a_caller_may_choose() {
        let route = route("who calls `f`").forced("search").unwrap();
        assert_eq!(route.to_string(), "search(query=\"who calls `f`\")");
        let error = super::route("x").forced("ask").unwrap_err();
        assert_eq!(error.code, "bad-argument");
    }
}
