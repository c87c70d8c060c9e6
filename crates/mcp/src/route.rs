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
    /// The revision that something is compared with.
    since: Option<String>,
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

/// A word without what punctuation surrounds it.
fn bare(raw: &str) -> &str {
    let word = raw
        .trim_matches(|c: char| "()[]\"'`,;:!?".contains(c))
        .trim_end_matches('.');
    word.trim_end_matches("()")
}

/// Words in backticks, words shaped like code, paths, folders after `in`, names where a question has
/// one, and the revision after `since`.
fn subjects(question: &str, is_place: &dyn Fn(&str) -> bool) -> Subjects {
    let mut found = Subjects::default();
    let words: Vec<&str> = question.split_whitespace().collect();
    let lower: Vec<String> = words.iter().map(|word| bare(word).to_lowercase()).collect();
    for (at, raw) in words.iter().enumerate() {
        let word = bare(raw);
        let before = |n: usize| at.checked_sub(n).map_or("", |at| lower[at].as_str());
        let is_quoted = raw.contains('`');
        if word.is_empty() {
            continue;
        }
        if is_since(&lower[..at]) && is_revision(word) {
            found.since = Some(word.to_owned());
        } else if is_path(word)
            || (is_placing(before(1), before(2)) && !is_quoted && is_place(word))
        {
            found.paths.push(word.to_owned());
        } else if is_quoted
            || is_identifier(word)
            || raw.contains("()")
            || is_name_expected(&lower, at)
        {
            found.names.push(word.to_owned());
        }
    }
    found.since = found.since.or_else(|| last_commits(&lower));
    found
}

/// Whether a revision may follow.
fn is_since(before: &[String]) -> bool {
    let last = |n: usize| {
        before
            .len()
            .checked_sub(n)
            .map_or("", |at| before[at].as_str())
    };
    let is_cue = |word: &str| matches!(word, "since" | "against" | "versus" | "vs" | "after");
    let is_second = matches!(
        last(1),
        "the" | "commit" | "branch" | "tag" | "to" | "with" | "on"
    ) && (is_cue(last(2))
        || matches!(last(2), "compared" | "relative" | "changed"));
    is_cue(last(1)) || is_second
}

/// `HEAD~3`, `main`, `origin/dev`, `v1.2.0`, a commit's id.
fn is_revision(word: &str) -> bool {
    let is_id = (7..=40).contains(&word.len()) && word.chars().all(|c| c.is_ascii_hexdigit());
    let version = word.trim_start_matches(['v', 'V']);
    let is_version = version.starts_with(|c: char| c.is_ascii_digit())
        && (version.contains('.') || word != version);
    let is_branch = matches!(
        word,
        "main" | "master" | "develop" | "dev" | "trunk" | "release"
    );
    let is_remote = word.starts_with("origin/") || word.starts_with("upstream/");
    word.starts_with("HEAD")
        || word.contains(['~', '^'])
        || is_id
        || is_version
        || is_branch
        || is_remote
}

/// `the last 3 commits`: the revision before them.
fn last_commits(lower: &[String]) -> Option<String> {
    let at = lower
        .iter()
        .position(|word| matches!(word.as_str(), "last" | "latest" | "previous"))?;
    let n = |word: &str| match word {
        "two" => Some(2),
        "three" => Some(3),
        "five" => Some(5),
        word => word.parse::<u32>().ok(),
    };
    match (lower.get(at + 1).map(String::as_str)?, lower.get(at + 2)) {
        ("commit", _) => Some("HEAD~1".to_owned()),
        (count, Some(what)) if what.starts_with("commit") => Some(format!("HEAD~{}", n(count)?)),
        _ => None,
    }
}

/// Whether a folder may follow: `in`, or `in the`.
fn is_placing(last: &str, second: &str) -> bool {
    let is_cue = |word: &str| matches!(word, "in" | "under" | "below" | "inside" | "within" | "of");
    is_cue(last) || (matches!(last, "the" | "folder" | "directory" | "package") && is_cue(second))
}

/// Whether the word at a place is a name though nothing about it looks like one: `who calls load`,
/// `where is load defined`, `tests for load`.
fn is_name_expected(lower: &[String], at: usize) -> bool {
    const VERBS: [&str; 13] = [
        "calls",
        "call",
        "uses",
        "use",
        "covers",
        "cover",
        "reads",
        "writes",
        "invokes",
        "references",
        "tests",
        "test",
        "reaches",
    ];
    const STATES: [&str; 10] = [
        "defined",
        "declared",
        "used",
        "called",
        "unused",
        "tested",
        "dead",
        "untested",
        "implemented",
        "referenced",
    ];
    const NOUNS: [&str; 8] = [
        "callers",
        "users",
        "usages",
        "uses",
        "references",
        "definition",
        "signature",
        "impact",
    ];
    let word = |at: Option<usize>| at.and_then(|at| lower.get(at)).map_or("", String::as_str);
    let (before, second, next) = (
        word(at.checked_sub(1)),
        word(at.checked_sub(2)),
        word(Some(at + 1)),
    );
    let is_last = at + 1 == lower.len() || matches!(next, "in" | "since" | "and" | "from" | "to");
    let is_asked = lower
        .iter()
        .any(|word| matches!(word.as_str(), "who" | "what" | "which" | "where"));
    let is_plain = lower[at].len() > 1
        && !matches!(
            lower[at].as_str(),
            "there"
                | "anything"
                | "any"
                | "these"
                | "those"
                | "it"
                | "this"
                | "that"
                | "them"
                | "the"
                | "what"
                | "code"
                | "my"
        );
    is_plain
        && ((is_last && is_asked && VERBS.contains(&before))
            || (matches!(before, "is" | "are") && STATES.contains(&next))
            || (is_last
                && matches!(before, "of" | "to" | "for")
                && (NOUNS.contains(&second) || second == "tests"))
            || (is_last
                && matches!(
                    before,
                    "class" | "function" | "method" | "struct" | "trait" | "interface"
                )))
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
