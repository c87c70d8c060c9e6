//! Which tool answers a question: rules over its words, first one that fits.
//!
//! The rules name what they saw, so that an agent learns which tool to call itself next time.

use std::fmt;

use serde_json::{Map, Value};

use crate::answer::ToolError;
use crate::catalogue::find_tool;

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

/// What a question has to name for a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Names {
    Anything,
    One,
    Two,
    Path,
}

/// A tool for questions that name something and have one of some phrases.
struct Rule {
    tool: &'static str,
    names: Names,
    phrases: &'static [&'static str],
}

/// In order; the first that fits is taken.
const RULES: [Rule; 13] = [
    Rule {
        tool: "call_path",
        names: Names::Two,
        phrases: &[
            "path from",
            "way from",
            " reach",
            "get from",
            "lead to",
            "leads to",
            "call path",
        ],
    },
    Rule {
        tool: "test_map",
        names: Names::Anything,
        phrases: &[
            "which test",
            "what test",
            "tests for",
            "tests cover",
            "untested",
            "is tested",
        ],
    },
    Rule {
        tool: "dead_code",
        names: Names::Anything,
        phrases: &[
            "dead code",
            "unused",
            "never called",
            "never used",
            "to delete",
            "be deleted",
        ],
    },
    Rule {
        tool: "deps",
        names: Names::Path,
        phrases: &["import", "depend", "require"],
    },
    Rule {
        tool: "impact",
        names: Names::One,
        phrases: &[
            "break",
            "affect",
            "impact",
            "blast",
            "depend",
            "safe to",
            "if i change",
            "if i rename",
        ],
    },
    Rule {
        tool: "refs",
        names: Names::One,
        phrases: &HERITAGE,
    },
    Rule {
        tool: "refs",
        names: Names::One,
        phrases: &[
            "who call",
            "who use",
            "calls",
            " used",
            " called",
            "usage",
            "uses of",
            "reference",
        ],
    },
    Rule {
        tool: "lookup",
        names: Names::One,
        phrases: &[
            "defin",
            "declared",
            "implemented",
            "signature",
            "where is",
            "what is ",
            "find ",
        ],
    },
    Rule {
        tool: "audit",
        names: Names::Anything,
        phrases: &[
            "circular",
            "cycle",
            "god file",
            "god class",
            "layering",
            "orphan",
            "code smell",
        ],
    },
    Rule {
        tool: "review_diff",
        names: Names::Anything,
        phrases: &[
            "what changed",
            "did i change",
            "review my",
            "review the",
            "risky",
            "before a commit",
        ],
    },
    Rule {
        tool: "recall",
        names: Names::Anything,
        phrases: &[
            "why did we",
            "did we decide",
            "decision",
            "we agreed",
            "convention",
            "remember",
        ],
    },
    Rule {
        tool: "overview",
        names: Names::Anything,
        phrases: &[
            "overview",
            "architecture",
            "organized",
            "organised",
            "structure",
            "entry point",
            "does this repo",
            "does this project",
        ],
    },
    Rule {
        tool: "investigate",
        names: Names::Anything,
        phrases: &[
            "how does",
            "how do ",
            "how is",
            "how are",
            "walk me",
            "explain",
            "flow of",
            "what happens",
        ],
    },
];

/// Ask for the types and members that stand in for another.
const HERITAGE: [&str; 12] = [
    "implements",
    "implementations of",
    "implementors of",
    "implementers of",
    "implement ",
    "extends",
    "subclass",
    "inherits from",
    "derived from",
    "overrid",
    "descendants of",
    "satisfies",
];

fn tool_for(text: &str, subjects: &Subjects) -> &'static str {
    let is_named = |names: Names| match names {
        Names::Anything => true,
        Names::One => !subjects.names.is_empty(),
        Names::Two => subjects.names.len() > 1,
        Names::Path => !subjects.paths.is_empty(),
    };
    let fits = |rule: &&Rule| {
        is_named(rule.names)
            && rule.phrases.iter().any(|phrase| text.contains(phrase))
            && find_tool(rule.tool).is_some()
    };
    if let Some(rule) = RULES.iter().find(fits) {
        return rule.tool;
    }
    // A name and nothing else.
    match subjects.names.len() == 1 && text.split_whitespace().count() == 1 {
        true => "lookup",
        false => "search",
    }
}

fn to(tool: &'static str, question: &str, subjects: Subjects) -> Route {
    let mut args = Map::new();
    let mut set = |name: &str, value: Option<&String>| {
        if let Some(value) = value {
            args.insert(name.to_owned(), Value::from(value.clone()));
        }
    };
    let question = question.trim().to_owned();
    let text = question.to_lowercase();
    let asks_heirs = HERITAGE.iter().any(|phrase| text.contains(phrase));
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
    if tool == "refs" && asks_heirs {
        args.insert("kinds".to_owned(), Value::from(vec!["implements"]));
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
            "who implements `Selector`?",
            "refs(kinds=[\"implements\"], symbol=\"Selector\")",
        );
        check(
            "what are the subclasses of BaseHandler",
            "refs(kinds=[\"implements\"], symbol=\"BaseHandler\")",
        );
        check(
            "what overrides Router.use",
            "refs(kinds=[\"implements\"], symbol=\"Router.use\")",
        );
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
