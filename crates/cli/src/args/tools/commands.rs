//! The rows of the tool table that are commands of their own.

use clap::{Arg, value_parser};

/// A command over a row of the tool table.
pub(super) struct ToolSpec {
    /// The row; with hyphens it is the command's name.
    pub(super) tool: &'static str,
    pub(super) about: &'static str,
    /// The lists of the answer, as JSON pointers: where all of them are empty, nothing is found.
    pub(super) lists: &'static [&'static str],
    pub(super) examples: &'static str,
}

/// The commands, in the order in which the help lists them.
pub(super) static COMMANDS: &[ToolSpec] = &[
    ToolSpec {
        tool: "lookup",
        about: "Show where a symbol is defined",
        lists: &["/definitions"],
        examples: "\
  whyrank lookup Router.use
  whyrank lookup parse --kind function --path src",
    },
    ToolSpec {
        tool: "refs",
        about: "Show where a symbol is used",
        lists: &["/references", "/heirs", "/by_name/uses"],
        examples: "\
  whyrank refs Router.use
  whyrank refs parse --path src/args.rs --line 40   if several share the name
  whyrank refs parse --kinds call,import --tests",
    },
    ToolSpec {
        tool: "impact",
        about: "Show who depends on a symbol, directly and through others",
        lists: &["/callers", "/outside", "/by_name/uses"],
        examples: "\
  whyrank impact Router.use
  whyrank impact parse --depth 1                      direct callers only
  whyrank impact parse --path src/args.rs --line 40   if several share the name",
    },
    ToolSpec {
        tool: "call_path",
        about: "Show how one symbol reaches another",
        lists: &["/paths", "/imports"],
        examples: "\
  whyrank call-path main Router.handle
  whyrank call-path src/app.py:main src/db.py:connect   if several share a name
  whyrank call-path src/app.py:12 connect               the definition at a line",
    },
    ToolSpec {
        tool: "dead_code",
        about: "Show code that nothing uses",
        lists: &["/findings"],
        examples: "\
  whyrank dead-code
  whyrank dead-code src --kinds function,class
  whyrank dead-code --kinds dead                only what nothing uses at all
  whyrank dead-code --kinds never-ran           used, but coverage never saw it run
  whyrank dead-code --coverage out/lcov.info    with this coverage report only
  whyrank dead-code --json | jq -r '.findings[] | [.verdict, .reason] | @tsv'

The public API of a package is listed separately: others may use it.
Coverage reports (lcov, Cobertura, Go) are read from the usual places:
what ran is alive, and what was measured but never ran is more likely dead.",
    },
    ToolSpec {
        tool: "ast_grep",
        about: "Search code by structure: a pattern with metavariables",
        lists: &["/matches"],
        examples: "\
  whyrank ast-grep '$X.unwrap()'
  whyrank ast-grep 'def $NAME($$$ARGS): $$$' --lang python --path src
  whyrank ast-grep 'app.get($PATH, $$$, $HANDLER)' --bindings
  whyrank ast-grep '$A == $A' --json | jq -r '.matches[] | [.path, .start_line] | @tsv'

$X is one node, $$$ARGS any number of nodes; $_ and $$$ are not reported; the same name means the
same text. Comments, commas and the kind of quotes are ignored. Code may have modifiers, decorators,
types and base classes that the pattern lacks.",
    },
    ToolSpec {
        tool: "patterns",
        about: "Show which definitions are builders, error types, factories or middleware, and why",
        lists: &["/findings"],
        examples: "\
  whyrank patterns                    which roles occur, and the best example of each
  whyrank patterns factory
  whyrank patterns middleware --path src --evidence

Roles: builder, error-type, factory, middleware.",
    },
    ToolSpec {
        tool: "deps",
        about: "Show what a file imports and who imports it",
        lists: &["/path"],
        examples: "\
  whyrank deps src/router.js
  whyrank deps src/router.js --direction importers --depth 3",
    },
    ToolSpec {
        tool: "overview",
        about: "Show the map of a code base",
        lists: &["/modules"],
        examples: "\
  whyrank overview
  whyrank overview src --depth 3",
    },
    ToolSpec {
        tool: "audit",
        about: "Show structural outliers: import cycles, layering, god files, hubs, orphans",
        lists: &["/findings"],
        examples: "\
  whyrank audit
  whyrank audit src --kinds cycle,layering
  whyrank audit --json | jq -r '.findings[] | [.kind, .severity, .path, .reason] | @tsv'

Outliers are judged by the repository itself: the median, and fences around it.",
    },
    ToolSpec {
        tool: "clusters",
        about: "Show which files belong together, by imports and uses",
        lists: &["/clusters"],
        examples: "\
  whyrank clusters
  whyrank clusters --min-size 10 --json | jq -r '.clusters[] | .label | join(\" \")'

Members are files, or definitions in a code base of few files.",
    },
    ToolSpec {
        tool: "concepts",
        about: "Show the topics of a code base that match a few words",
        lists: &["/concepts"],
        examples: "\
  whyrank concepts \"request routing\"
  whyrank concepts cache -n 2",
    },
    ToolSpec {
        tool: "export_context",
        about: "Pack a code base into a token budget for a language model",
        lists: &["/definitions"],
        examples: "\
  whyrank export-context > context.md
  whyrank export-context src/router --budget 2000",
    },
    ToolSpec {
        tool: "test_map",
        about: "Show which tests reach which code, and what no test reaches",
        lists: &["/symbols", "/unknown"],
        examples: "\
  whyrank test-map                     what changed since the last commit
  whyrank test-map main                what changed since this branch left main
  whyrank test-map --path src/router   everything there
  whyrank test-map --symbol Router.use tests of one definition
  whyrank test-map main --json | jq -r '.symbols[] | select(.tests == []) | .symbol.qualified'",
    },
];

/// Spells or explains an argument otherwise than its schema does.
pub(super) fn adjusted(tool: &str, name: &str, arg: Arg) -> Arg {
    match (tool, name) {
        (_, "as_of") => arg
            .help("In a commit instead of the working tree")
            .value_name("COMMIT"),
        ("dead_code", "line") => arg.help(None::<&str>),
        ("impact", "depth") => arg.help("Steps from caller to caller [default: 3]"),
        ("call_path", "to") => arg.help("Where it ends"),
        ("dead_code", "path") => arg.help("A folder or a file of the repository"),
        ("dead_code", "symbols") => arg
            .help("Only these definitions: a name or path:name (repeatable)")
            .long("symbol"),
        ("dead_code", "tests") => arg.help("Include unused definitions in tests"),
        ("dead_code", "coverage") => arg.value_name("FILE").help(
            "A coverage report, profile or trace, or a folder of them; `none` for no coverage \
             [default: what `whyrank reports` says is used]",
        ),
        ("ast_grep", "language") => arg
            .help("The pattern's language [default: every one in which it parses]")
            .long("lang")
            .value_name("NAME"),
        (_, "limit") => arg.short('n'),
        ("ast_grep", "format") => arg
            .help("Show what each metavariable matches")
            .long("bindings"),
        ("patterns", "format") => arg
            .help("Show all lines of evidence for each")
            .long("evidence"),
        ("deps", "direction") => arg.help("Which way: both, imports, importers [default: both]"),
        ("deps", "depth") => arg.help("Steps to follow, as a tree [default: 1]"),
        ("export_context", "max_tokens") => arg
            .help("Token budget, 80 to 20000")
            .long("budget")
            .default_value("8000")
            .value_parser(value_parser!(u32).range(80..=20_000)),
        ("test_map", "symbol") => arg.conflicts_with("ref"),
        _ => arg,
    }
}
