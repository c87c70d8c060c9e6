//! Files that nothing depends on, and entry points, which need no dependents.

use std::collections::HashSet;

use whyrank_syntax::{ReferenceKind, SymbolKind};

use super::{audit::Severity, file_graph::FileGraph, settled::SettledUses};
use crate::{
    analysis::{roots::Roots, surface::Surface},
    input::paths,
    languages::Rules,
    references::reference_query::ReferenceQuery,
};

/// Why nothing seems to need a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OrphanReason {
    /// Nothing imports or uses it, and users of the package cannot name what it has.
    Unreached,
    /// Only tests and examples do.
    TestsOnly,
    /// It runs code when it is loaded: a script that is started by hand, or one that nobody starts.
    Script,
    /// It shows definitions that users of the package can name.
    Exported,
}

/// A file that nothing in the checkout depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orphan {
    /// The file.
    pub file: u32,
    /// Evidence for it, if anything.
    pub reason: OrphanReason,
    /// How much that matters.
    pub severity: Severity,
}

/// Stems of files that are loaded by convention.
const CONVENTIONAL: &[&str] = &[
    "__init__",
    "__main__",
    "app",
    "asgi",
    "build",
    "cli",
    "conf",
    "config",
    "conftest",
    "doc",
    "gruntfile",
    "gulpfile",
    "index",
    "init",
    "lib",
    "main",
    "makefile",
    "manage",
    "mix",
    "mod",
    "package",
    "package-info",
    "rakefile",
    "server",
    "settings",
    "setup",
    "wsgi",
];

/// Folders whose files are started by hand or by tools.
const STARTED: &[&str] = &[
    "bin",
    "cmd",
    "config",
    "configs",
    "hooks",
    "migrations",
    "scripts",
    "script",
    "tasks",
    "tools",
    "stubs",
];

/// Finds the files that start something, with the line: a `main`, code behind a shebang's place, and
/// what a manifest names. `is_named` says whether a manifest names a path.
pub fn entry_points(uses: &ReferenceQuery<'_>, is_named: &dyn Fn(u32) -> bool) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for (file, input) in (0u32..).zip(uses.resolver.files) {
        let main = input.symbols().iter().find(|symbol| {
            let runs = matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
            runs && (symbol.name == "main" || symbol.name == "Main") && is_outermost(symbol, input)
        });
        let rules = uses.resolver.rules(file);
        let stem = paths::without_extension(paths::base_name(input.path));
        let is_module = rules.program_files.contains(&stem);
        match main {
            Some(main) if rules.main_starts_programs => found.push((file, main.name_line)),
            _ if is_module || (rules.names_are_known && is_named(file)) => found.push((file, 1)),
            _ => {}
        }
    }
    found
}

/// At the top, or a member of a type at the top.
fn is_outermost(symbol: &whyrank_syntax::Symbol, input: &crate::FileInput<'_>) -> bool {
    let parent = symbol
        .parent
        .map(|parent| &input.symbols()[parent as usize]);
    parent.is_none_or(|parent| parent.parent.is_none() && parent.kind != SymbolKind::Function)
}

/// Finds files that nothing depends on and that are no entry point; those that `counts` refuses (tests,
/// examples, generated files) are not judged, and what they use does not save a file.
///
/// Only languages whose files depend on each other somewhere in the view are judged.
pub fn orphans(
    uses: &ReferenceQuery<'_>,
    graph: &FileGraph,
    links: &SettledUses,
    counts: &dyn Fn(u32) -> bool,
    is_named: &dyn Fn(u32) -> bool,
) -> Vec<Orphan> {
    let judged: HashSet<Rules> = graph
        .edges()
        .iter()
        .map(|edge| uses.resolver.rules(edge.to))
        .collect();
    // An ambiguous use says too little to depend on a file, and enough not to call it an orphan.
    let maybe_used: HashSet<u32> = links
        .all()
        .iter()
        .filter(|link| link.file != link.to.file && counts(link.file))
        .map(|link| link.to.file)
        .collect();
    let (roots, surface) = (Roots::default(), Surface::new(uses));
    let mut found = Vec::new();
    for (file, input) in (0u32..).zip(uses.resolver.files) {
        let symbols = 0..input.symbols().len() as u32;
        let mut ids = symbols.map(|symbol| crate::SymbolId { file, symbol });
        let is_left = counts(file)
            && judged.contains(&uses.resolver.rules(file))
            && !maybe_used.contains(&file)
            && !graph.to(file).any(|edge| counts(edge.from))
            && ids.clone().next().is_some();
        if !is_left || is_conventional(input.path) || is_named(file) {
            continue;
        }
        if ids.clone().any(|id| roots.is_root(uses, id)) {
            continue;
        }
        let runs = input.facts().references.iter().any(|reference| {
            reference.enclosing.is_none() && reference.kind == ReferenceKind::Call
        });
        let rules = uses.resolver.rules(file);
        let (reason, severity) = if rules.files_are_public && ids.any(|id| surface.shows(uses, id))
        {
            (OrphanReason::Exported, Severity::Low)
        } else if graph.to(file).next().is_some() {
            (OrphanReason::TestsOnly, Severity::Medium)
        } else if runs {
            (OrphanReason::Script, Severity::Low)
        } else if rules.macros_rewrite_code {
            (OrphanReason::Unreached, Severity::Low)
        } else {
            (OrphanReason::Unreached, Severity::Medium)
        };
        found.push(Orphan {
            file,
            reason,
            severity,
        });
    }
    found.sort_by_key(|orphan| (orphan.severity, orphan.reason, orphan.file));
    found
}

fn is_conventional(path: &str) -> bool {
    let name = paths::base_name(path).to_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    let is_config = name.contains(".config.") || name.contains(".conf.") || name.starts_with('.');
    let in_started = paths::parent(path)
        .split('/')
        .any(|part| STARTED.contains(&part));
    is_config || in_started || CONVENTIONAL.contains(&stem) || path.ends_with(".d.ts")
}
