//! The commands that are rows of the tool table: their arguments are the tool's, under the names that
//! people type.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::{Serialize, Serializer};

use super::ScopeArg;

/// A command that is a row of the table; serialized, it is the tool's name and arguments.
#[derive(Debug, Subcommand, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ToolCommand {
    /// Show where a symbol is defined
    Lookup(LookupArgs),
    /// Show where a symbol is used
    Refs(RefsArgs),
    /// Show who depends on a symbol, directly and through others
    Impact(ImpactArgs),
    /// Show how one symbol reaches another
    CallPath(CallPathArgs),
    /// Show code that nothing uses
    DeadCode(DeadCodeArgs),
    /// Search code by structure: a pattern with metavariables
    AstGrep(AstGrepArgs),
    /// Show which definitions are builders, error types, factories or middleware, and why
    Patterns(PatternsArgs),
    /// Show what a file imports and who imports it
    Deps(DepsArgs),
    /// Show the map of a code base
    Overview(OverviewArgs),
    /// Show structural outliers: import cycles, layering, god files, hubs, orphans
    Audit(AuditArgs),
    /// Show which files belong together, by imports and uses
    Clusters(ClustersArgs),
    /// Show the topics of a code base that match a few words
    Concepts(ConceptsArgs),
    /// Pack a code base into a token budget for a language model
    ExportContext(ExportContextArgs),
    /// Show which tests reach which code, and what no test reaches
    TestMap(TestMapArgs),
}

impl ToolCommand {
    /// Returns the repositories that are named.
    pub(crate) fn selectors(&self) -> Vec<String> {
        let view = match self {
            Self::Lookup(args) => &args.view,
            Self::Refs(args) => &args.view,
            Self::Impact(args) => &args.view,
            Self::CallPath(args) => &args.view,
            Self::DeadCode(args) => &args.view,
            Self::AstGrep(args) => &args.view,
            Self::Patterns(args) => &args.view,
            Self::Deps(args) => &args.view,
            Self::Overview(args) => &args.view,
            Self::Audit(args) => &args.view,
            Self::Clusters(args) => &args.view,
            Self::Concepts(args) => &args.view,
            Self::ExportContext(args) => &args.view,
            Self::TestMap(args) => &args.view,
        };
        view.scope.selectors()
    }

    /// Returns the lists of the answer, as JSON pointers: where all of them are empty, nothing is found.
    pub(crate) fn lists(&self) -> &'static [&'static str] {
        match self {
            Self::Lookup(_) | Self::ExportContext(_) => &["/definitions"],
            Self::Refs(_) => &["/references", "/heirs", "/by_name/uses"],
            Self::Impact(_) => &["/callers", "/outside", "/by_name/uses"],
            Self::CallPath(_) => &["/paths", "/imports"],
            Self::DeadCode(_) | Self::Patterns(_) | Self::Audit(_) => &["/findings"],
            Self::AstGrep(_) => &["/matches"],
            Self::Deps(_) => &["/path"],
            Self::Overview(_) => &["/modules"],
            Self::Clusters(_) => &["/clusters"],
            Self::Concepts(_) => &["/concepts"],
            Self::TestMap(_) => &["/symbols", "/unknown"],
        }
    }
}

fn detailed<S: Serializer>(is_detailed: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    is_detailed.then_some("detailed").serialize(serializer)
}

/// From the shell a path is meant from where one is.
fn from_here<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
    let paths = paths.iter().map(|path| {
        let full = path.exists().then(|| std::path::absolute(path).ok());
        full.flatten().unwrap_or_else(|| path.clone())
    });
    serializer.collect_seq(paths)
}

/// What a tool looks at.
#[derive(Debug, Args, Serialize)]
struct ViewArg {
    #[command(flatten)]
    #[serde(flatten)]
    scope: ScopeArg,
    /// In a commit instead of the working tree
    #[arg(long, value_name = "COMMIT", display_order = 30)]
    as_of: Option<String>,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank lookup Router.use
  whyrank lookup parse --kind function --path src")]
pub(crate) struct LookupArgs {
    /// A name, bare or qualified
    symbol: String,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// Only this kind: function, method, class, …
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Only in this file, folder or glob
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank refs Router.use
  whyrank refs parse --path src/args.rs --line 40   if several share the name
  whyrank refs parse --kinds call,import --tests")]
pub(crate) struct RefsArgs {
    /// A name, bare or qualified
    symbol: String,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// File of the definition, if several share the name
    #[arg(long, value_name = "FILE")]
    path: Option<String>,
    /// Line of the definition
    #[arg(long)]
    line: Option<u32>,
    /// Only these kinds: call, read, write, type, import, re-export, inherit, decorator, mention;
    /// or implements, extends, overrides
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kinds: Vec<String>,
    /// Include comments, strings and documentation
    #[arg(long)]
    mentions: bool,
    /// List all uses in tests and mentions in documents
    #[arg(long)]
    tests: bool,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank impact Router.use
  whyrank impact parse --depth 1                      direct callers only
  whyrank impact parse --path src/args.rs --line 40   if several share the name")]
pub(crate) struct ImpactArgs {
    /// A name, bare or qualified
    symbol: String,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// File of the definition, if several share the name
    #[arg(long, value_name = "FILE")]
    path: Option<String>,
    /// Line of the definition
    #[arg(long)]
    line: Option<u32>,
    /// Maximum number of steps from caller to caller
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank call-path main Router.handle
  whyrank call-path src/app.py:main src/db.py:connect   if several share a name
  whyrank call-path src/app.py:12 connect               the definition at a line")]
pub(crate) struct CallPathArgs {
    /// Where the path starts
    from: String,
    /// Where it ends
    to: String,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank dead-code
  whyrank dead-code src --kinds function,class
  whyrank dead-code --kinds dead                only what nothing uses at all
  whyrank dead-code --kinds never-ran           used, but coverage never saw it run
  whyrank dead-code --coverage out/lcov.info    with this coverage report only
  whyrank dead-code --json | jq -r '.findings[] | [.verdict, .reason] | @tsv'

The public API of a package is listed separately: others may use it.
Coverage reports (lcov, Cobertura, Go) are read from the usual places:
what ran is alive, and what was measured but never ran is more likely dead.")]
pub(crate) struct DeadCodeArgs {
    /// A folder or a file of the repository
    path: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// Only these: function, class, …; dead, test-only, maybe, exported, never-ran, ran
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kinds: Vec<String>,
    /// Include unused definitions in tests
    #[arg(long)]
    tests: bool,
    /// A coverage report, profile or trace, or a folder of them; `none` for no coverage [default: what `whyrank reports` says is used]
    #[arg(long, value_name = "FILE")]
    #[serde(serialize_with = "from_here")]
    coverage: Vec<PathBuf>,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank deps src/router.js
  whyrank deps src/router.js --direction importers --depth 3")]
pub(crate) struct DepsArgs {
    /// A file of the repository
    path: String,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// Which way to follow imports: both, imports, importers
    #[arg(long, default_value = "both", value_name = "WAY")]
    direction: String,
    /// Steps to follow: what imports or is imported by them, as a tree
    #[arg(long, default_value_t = 1, value_name = "N")]
    depth: u32,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank ast-grep '$X.unwrap()'
  whyrank ast-grep 'def $NAME($$$ARGS): $$$' --lang python --path src
  whyrank ast-grep 'app.get($PATH, $$$, $HANDLER)' --bindings
  whyrank ast-grep '$A == $A' --json | jq -r '.matches[] | [.path, .start_line] | @tsv'

$X is one node, $$$ARGS any number of nodes; $_ and $$$ are not reported; the same name means the
same text. Comments, commas and the kind of quotes are ignored. Code may have modifiers, decorators,
types and base classes that the pattern lacks.")]
pub(crate) struct AstGrepArgs {
    /// Code with metavariables, in single quotes for the shell
    pattern: String,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// The pattern's language [default: every one in which it parses]
    #[arg(long, value_name = "NAME")]
    #[serde(rename = "language")]
    lang: Option<String>,
    /// Only these paths: a folder or a glob; a leading ! excludes (repeatable)
    #[arg(long, value_name = "GLOB")]
    path: Vec<String>,
    /// Maximum number of matches
    #[arg(long, short = 'n', default_value_t = 200, value_name = "N")]
    limit: u32,
    /// Show what each metavariable matches
    #[arg(long)]
    #[serde(rename = "format", serialize_with = "detailed")]
    bindings: bool,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank patterns                    which roles occur, and the best example of each
  whyrank patterns factory
  whyrank patterns middleware --path src --evidence

Roles: builder, error-type, factory, middleware.")]
pub(crate) struct PatternsArgs {
    /// A role [default: all, with the best example of each]
    pattern: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// Only these paths: a folder or a glob; a leading ! excludes (repeatable)
    #[arg(long, value_name = "GLOB")]
    path: Vec<String>,
    /// Show all lines of evidence for each
    #[arg(long)]
    #[serde(rename = "format", serialize_with = "detailed")]
    evidence: bool,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank overview
  whyrank overview src --depth 3")]
pub(crate) struct OverviewArgs {
    /// A folder of the repository
    path: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// Depth of the folders shown
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank audit
  whyrank audit src --kinds cycle,layering
  whyrank audit --json | jq -r '.findings[] | [.kind, .severity, .path, .reason] | @tsv'

Outliers are judged by the repository itself: the median, and fences around it.")]
pub(crate) struct AuditArgs {
    /// A folder or a file of the repository
    path: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// Only these: cycle, layering, god-file, hub, orphan
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kinds: Vec<String>,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank clusters
  whyrank clusters --min-size 10 --json | jq -r '.clusters[] | .label | join(\" \")'

Members are files, or definitions in a code base of few files.")]
pub(crate) struct ClustersArgs {
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// Minimum number of members of a cluster
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    min_size: u32,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank concepts \"request routing\"
  whyrank concepts cache -n 2")]
pub(crate) struct ConceptsArgs {
    /// A few words
    query: String,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// Maximum number of topics
    #[arg(long, short = 'n', default_value_t = 5, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank export-context > context.md
  whyrank export-context src/router --budget 2000")]
pub(crate) struct ExportContextArgs {
    /// A folder or a file of the repository
    path: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// Token budget, 80 to 20000
    #[arg(long, default_value_t = 8000, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(80..=20_000))]
    #[serde(rename = "max_tokens")]
    budget: u32,
}

#[derive(Debug, Args, Serialize)]
#[command(after_help = "\
Examples:
  whyrank test-map                     what changed since the last commit
  whyrank test-map main                what changed since this branch left main
  whyrank test-map --path src/router   everything there
  whyrank test-map --symbol Router.use tests of one definition
  whyrank test-map main --json | jq -r '.symbols[] | select(.tests == []) | .symbol.qualified'")]
pub(crate) struct TestMapArgs {
    /// A branch, tag or commit, or a range A..B [default: HEAD, or none with --path]
    #[arg(value_name = "REF")]
    #[serde(rename = "ref")]
    reference: Option<String>,
    #[command(flatten)]
    #[serde(flatten)]
    view: ViewArg,
    /// A folder or a file of the repository
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// Only this definition
    #[arg(long, value_name = "NAME", conflicts_with = "reference")]
    symbol: Option<String>,
    /// Maximum number of steps from a test
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
}
