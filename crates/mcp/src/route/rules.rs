//! The words by which a question is known: which tool it means, and what it says about its arguments.

use super::subjects::Subjects;

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

/// The tool for a question in lower case.
pub(super) fn tool_for(text: &str, subjects: &Subjects) -> &'static str {
    let is_named = |names: Names| match names {
        Names::Anything => true,
        Names::One => !subjects.names.is_empty(),
        Names::Two => subjects.names.len() > 1,
        Names::Path => !subjects.paths.is_empty(),
    };
    let fits = |rule: &&Rule| {
        is_named(rule.names) && rule.phrases.iter().any(|phrase| text.contains(phrase))
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

/// The first of some phrases that a text has decides.
fn by_phrase(text: &str, table: &[(&str, &'static str)]) -> Option<&'static str> {
    let found = table.iter().find(|(phrase, _)| text.contains(phrase));
    found.map(|(_, value)| *value)
}

/// Who stands in for it, writes or imports it; any use where nothing is said.
pub(super) fn kind_of_use(text: &str) -> Option<&'static str> {
    if HERITAGE.iter().any(|phrase| text.contains(phrase)) {
        return Some("implements");
    }
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

pub(super) fn kind_of_finding(text: &str) -> Option<&'static str> {
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
pub(super) fn direction(text: &str) -> Option<&'static str> {
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
