//! Arguments of structural search and of recurring roles.

use clap::Args;

use super::RepoArg;

#[derive(Debug, Args)]
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
    pub(crate) pattern: String,
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// The pattern's language [default: every one in which it parses]
    #[arg(long, value_name = "NAME")]
    pub(crate) lang: Option<String>,
    /// Only these paths: a folder or a glob; a leading ! excludes (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) path: Vec<String>,
    /// Maximum number of matches
    #[arg(long, short = 'n', default_value_t = 200, value_name = "N")]
    pub(crate) limit: u32,
    /// Show what each metavariable stands for
    #[arg(long)]
    pub(crate) bindings: bool,
    /// In a commit instead of the working tree
    #[arg(long, value_name = "COMMIT")]
    pub(crate) as_of: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank patterns                    which roles occur, and the best example of each
  whyrank patterns factory
  whyrank patterns middleware --path src --evidence

Roles: adapter, builder, cli-command, decorator, dependency-injection, error-type, factory, handler,
iterator, middleware, mixin, observer, repository, singleton, strategy, test-fixture, visitor.")]
pub(crate) struct PatternsArgs {
    /// A role [default: all, with the best example of each]
    pub(crate) pattern: Option<String>,
    #[command(flatten)]
    pub(crate) repo: RepoArg,
    /// Only these paths: a folder or a glob; a leading ! excludes (repeatable)
    #[arg(long, value_name = "GLOB")]
    pub(crate) path: Vec<String>,
    /// Show all lines of evidence for each
    #[arg(long)]
    pub(crate) evidence: bool,
    /// In a commit instead of the working tree
    #[arg(long, value_name = "COMMIT")]
    pub(crate) as_of: Option<String>,
}
