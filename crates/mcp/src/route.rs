//! Which tool answers a question: rules over its words, first one that fits.
//!
//! The rules name what they saw, so that an agent learns which tool to call itself next time.

mod subjects;

use std::fmt;

use serde_json::{Map, Value};

use crate::answer::ToolError;
use crate::catalogue::find_tool;
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

/// The tool for a question; `is_place` says whether a word is a file or folder of the repository.
pub(crate) fn route(question: &str, is_place: &dyn Fn(&str) -> bool) -> Route {
    let subjects = subjects(question, is_place);
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
            "not tested",
            "is tested",
            "are tested",
            " tested?",
            "test coverage",
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
            " assign",
            " written",
            "who write",
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
            "what has changed",
            "changes since",
            "changed since",
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
const HERITAGE: [&str; 18] = [
    "implements",
    "implementations of",
    "implementors of",
    "implementers of",
    "implement ",
    "extends",
    " extend ",
    "subclass",
    "subtypes of",
    "inherit from",
    "inherits from",
    "derive from",
    "derives from",
    "derived from",
    "overrid",
    "descendants of",
    "satisfies",
    " satisfy ",
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
    if subjects.names.len() == 1 && text.split_whitespace().count() == 1 {
        "lookup"
    } else {
        "search"
    }
}

fn to(tool: &'static str, question: &str, subjects: Subjects) -> Route {
    let question = question.trim().to_owned();
    let text = format!(" {} ", question.to_lowercase());
    let Subjects {
        names,
        paths,
        since,
    } = &subjects;
    let name = names.first().or(paths.first()).unwrap_or(&question);
    let path = paths.first().filter(|path| *path != name);
    let mut args = Map::new();
    let mut set = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            args.insert(name.to_owned(), Value::from(value));
        }
    };
    match tool {
        "lookup" | "impact" => {
            set("symbol", Some(name));
            set("path", path.map(String::as_str));
        }
        "refs" => {
            set("symbol", Some(name));
            set("path", path.map(String::as_str));
            let asks_heirs = HERITAGE.iter().any(|phrase| text.contains(phrase));
            let heirs = asks_heirs.then_some("implements");
            set("kinds", heirs.or(kind_of_use(&text)));
        }
        "dead_code" => {
            set("symbol", names.first().map(String::as_str));
            set("path", paths.first().map(String::as_str));
        }
        "test_map" => {
            set("symbol", names.first().map(String::as_str));
            set("path", paths.first().map(String::as_str));
            set("ref", since.as_deref());
        }
        "call_path" => {
            let (from, to) = ends(&question, names);
            set("from", Some(from.unwrap_or(name)));
            set("to", Some(to.unwrap_or(&question)));
        }
        "deps" => {
            set("path", paths.first().or(Some(name)).map(String::as_str));
            set("direction", direction(&text));
        }
        "audit" => {
            set("path", paths.first().map(String::as_str));
            set("kinds", kind_of_finding(&text));
        }
        "review_diff" => {
            set("path", paths.first().map(String::as_str));
            set("ref", since.as_deref());
        }
        "overview" | "export_context" => set("path", paths.first().map(String::as_str)),
        "context" => {
            set("task", Some(&question));
            set("path", paths.first().map(String::as_str));
        }
        "status" | "list_repos" | "index" | "clusters" | "patterns" => {}
        "critique" => set("claim", Some(&question)),
        "diff_search" => {
            set("query", Some(&question));
            set("ref", since.as_deref());
        }
        "search" | "investigate" => {
            set("query", Some(&question));
            set("path", paths.first().map(String::as_str));
        }
        _ => set("query", Some(&question)),
    }
    Route {
        tool,
        args,
        query: question,
        subjects,
    }
}

/// The first of some phrases that a text has decides.
fn by_phrase(text: &str, table: &[(&str, &'static str)]) -> Option<&'static str> {
    let found = table.iter().find(|(phrase, _)| text.contains(phrase));
    found.map(|(_, value)| *value)
}

fn kind_of_use(text: &str) -> Option<&'static str> {
    by_phrase(
        text,
        &[
            (" assign", "write"),
            (" write", "write"),
            (" set ", "write"),
            (" modif", "write"),
            (" mutate", "write"),
            (" import", "import"),
        ],
    )
}

fn kind_of_finding(text: &str) -> Option<&'static str> {
    by_phrase(
        text,
        &[
            ("circular", "cycle"),
            ("cycle", "cycle"),
            ("god ", "god-file"),
            ("layer", "layering"),
            ("orphan", "orphan"),
            ("hub", "hub"),
        ],
    )
}

/// Who imports it, or what it imports; both where neither is said.
fn direction(text: &str) -> Option<&'static str> {
    by_phrase(
        text,
        &[
            ("imported by", "importers"),
            ("importers", "importers"),
            ("depended on", "importers"),
            ("who import", "importers"),
            ("what import", "importers"),
            ("which files import", "importers"),
            ("depends on", "importers"),
            ("depend on", "imports"),
            ("does ", "imports"),
            ("imports of", "imports"),
            ("dependencies of", "imports"),
        ],
    )
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

    fn ask(question: &str) -> Route {
        route(question, &|word| matches!(word, "caddyconfig" | "parser"))
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
        let route = ask("who calls `f`").forced("search").unwrap();
        assert_eq!(route.to_string(), "search(query=\"who calls `f`\")");
        let error = ask("x").forced("ask").unwrap_err();
        assert_eq!(error.code, "bad-argument");
    }
}
