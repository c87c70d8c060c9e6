//! Which uses of a name mean a definition.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use whyrank_syntax::{Reference, ReferenceKind, Symbol, SymbolKind};

use crate::{
    family::Family,
    import_graph::ImportGraph,
    input::{FileInput, SymbolId},
    lookup::{Lookup, Meaning, Site},
    paths,
    scope::Bound,
    symbol_table::SymbolTable,
};

/// How sure it is that a use means the definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Confidence {
    /// Scope, import or type lead to it.
    Resolved,
    /// Several definitions bear the name and nothing tells them apart.
    Ambiguous,
    /// Only this definition bears the name, but no import leads to it.
    NameOnly,
}

/// A use of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceHit {
    /// Index of the file in the view.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// How it is used.
    pub kind: ReferenceKind,
    /// The innermost symbol around it.
    pub enclosing: Option<SymbolId>,
    /// How sure it is.
    pub confidence: Confidence,
}

/// Members that so many library types have that the name alone says nothing.
const COMMON: &[&str] = &[
    "add", "append", "apply", "bind", "call", "catch", "clear", "clone", "close", "concat", "copy",
    "count", "delete", "end", "entries", "filter", "find", "flush", "format", "get", "has",
    "index", "insert", "items", "iter", "join", "keys", "kind", "len", "length", "map", "match",
    "name", "next", "open", "parse", "path", "pop", "push", "read", "remove", "replace", "set",
    "size", "slice", "sort", "split", "start", "status", "string", "test", "then", "toString",
    "type", "unwrap", "update", "value", "values", "write",
];

/// Finds the uses of the target definitions, by path and line.
///
/// Uses that scope, imports or types lead to another definition are left out, and so are the lines
/// of the definitions themselves. One hit for a line and kind. O(references of the view).
pub fn references(
    files: &[FileInput<'_>],
    graph: &ImportGraph,
    table: &SymbolTable,
    targets: &[SymbolId],
) -> Vec<ReferenceHit> {
    let lookup = Lookup::new(files, graph, table);
    let sought = Sought::new(&lookup, targets);
    let mut hits: Vec<ReferenceHit> = Vec::new();
    for (file, input) in (0u32..).zip(files) {
        let aliases = sought.aliases(&lookup, file);
        let impls: Vec<Reference> = input.facts.symbols.iter().filter_map(impl_header).collect();
        for reference in input.facts.references.iter().chain(&impls) {
            let name = reference.name.as_str();
            if !sought.names.contains(name) && !aliases.contains(name) {
                continue;
            }
            if let Some(confidence) = sought.confidence(&lookup, file, reference) {
                hits.push(ReferenceHit {
                    file,
                    line: reference.line,
                    kind: reference.kind,
                    enclosing: reference.enclosing.map(|symbol| SymbolId { file, symbol }),
                    confidence,
                });
            }
        }
    }
    let path = |hit: &ReferenceHit| files[hit.file as usize].path;
    hits.sort_by(|a, b| {
        (path(a), a.line, a.kind, a.confidence).cmp(&(path(b), b.line, b.kind, b.confidence))
    });
    hits.dedup_by_key(|hit| (hit.file, hit.line, hit.kind));
    hits
}

/// The definitions whose uses are wanted, overloads and reopenings included.
struct Sought<'a> {
    targets: HashSet<SymbolId>,
    names: HashSet<&'a str>,
    /// A target can stand after a dot.
    member_like: bool,
    /// Files that import a target's file, directly or through others.
    linked: HashSet<u32>,
}

impl<'a> Sought<'a> {
    fn new(lookup: &Lookup<'a>, targets: &[SymbolId]) -> Self {
        let known = |id: &&SymbolId| {
            let file = lookup.files.get(id.file as usize);
            file.is_some_and(|file| (id.symbol as usize) < file.facts.symbols.len())
        };
        let mut given: Vec<SymbolId> = targets.iter().filter(known).copied().collect();
        if given
            .iter()
            .any(|id| lookup.symbol(*id).kind != SymbolKind::Impl)
        {
            given.retain(|id| lookup.symbol(*id).kind != SymbolKind::Impl);
        }
        let mut targets: HashSet<SymbolId> = given.iter().copied().collect();
        for id in &given {
            let symbol = lookup.symbol(*id);
            let same = |other: &&SymbolId| is_same(lookup, *id, **other);
            targets.extend(lookup.table.named(&symbol.name).iter().filter(same));
        }
        Self {
            names: with_new_names(lookup, &given),
            member_like: given.iter().any(|id| lookup.is_member_like(*id)),
            linked: lookup.reaching(targets.iter().map(|id| id.file)),
            targets,
        }
    }

    /// Names that a file's imports give to a module that stands for a target.
    fn aliases(&self, lookup: &Lookup<'a>, file: u32) -> HashSet<&'a str> {
        let bound = lookup.scope(file).bound.iter();
        bound
            .filter(|(local, bindings)| {
                bindings.iter().any(|binding| {
                    !matches!(binding.what, Bound::Name(_))
                        && self.is_default(lookup, &binding.files, local)
                })
            })
            .map(|(local, _)| *local)
            .collect()
    }

    fn is_default(&self, lookup: &Lookup<'a>, files: &[u32], local: &str) -> bool {
        files.iter().any(|file| {
            matches!(
                lookup.families[*file as usize],
                Family::Script | Family::Lua
            ) && self.targets.iter().any(|target| target.file == *file)
                && lookup
                    .default_of(&[*file], local)
                    .iter()
                    .any(|id| self.targets.contains(id))
        })
    }

    /// How sure it is that a use means a target; `None` when it means something else.
    fn confidence(
        &self,
        lookup: &Lookup<'a>,
        file: u32,
        reference: &Reference,
    ) -> Option<Confidence> {
        let is_definition = self.targets.iter().any(|target| {
            target.file == file && lookup.symbol(*target).name_line == reference.line
        });
        if is_definition {
            return None;
        }
        if reference.kind == ReferenceKind::Mention {
            return self.by_name(lookup, file, reference);
        }
        let site = Site {
            file,
            enclosing: reference.enclosing,
        };
        match lookup.reference(site, reference) {
            Meaning::Definitions(ids) | Meaning::Instances(ids) => ids
                .iter()
                .any(|id| self.targets.contains(id))
                .then_some(Confidence::Resolved),
            Meaning::Modules(files) => self
                .is_default(lookup, &files, &reference.name)
                .then_some(Confidence::Resolved),
            Meaning::External => None,
            Meaning::Unknown => self.by_name(lookup, file, reference),
        }
    }

    /// Scope and types say nothing: how many definitions could the name mean?
    fn by_name(&self, lookup: &Lookup<'a>, file: u32, reference: &Reference) -> Option<Confidence> {
        let family = lookup.families[file as usize];
        let bare = reference.qualifier.is_empty();
        let mention = reference.kind == ReferenceKind::Mention;
        let of_family = |id: &&SymbolId| lookup.families[id.file as usize] == family;
        let target = *self.targets.iter().filter(of_family).min()?;
        let is_macro = lookup.symbol(target).kind == SymbolKind::Macro;
        if bare && family.names_are_imported() && !is_macro && !mention {
            return None;
        }
        if !bare && !self.member_like && !mention {
            return None;
        }
        let fits = |id: &&SymbolId| bare || mention || lookup.is_member_like(**id);
        // What is shipped does not use what tests define.
        let shipped = !paths::is_aside(lookup.files[file as usize].path);
        let in_reach = |id: &&SymbolId| {
            !(shipped && paths::is_aside(lookup.files[id.file as usize].path))
                || self.targets.contains(*id)
        };
        let mut candidates: Vec<(u32, &str)> = lookup
            .table
            .named(&reference.name)
            .iter()
            .filter(of_family)
            .filter(fits)
            .filter(in_reach)
            .map(|id| (id.file, lookup.symbol(*id).qualified.as_str()))
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        let others = |id: &(u32, &str)| {
            !self
                .targets
                .iter()
                .any(|t| (t.file, lookup.symbol(*t).qualified.as_str()) == *id)
        };
        if candidates.iter().any(others) {
            return Some(Confidence::Ambiguous);
        }
        let common = !bare && COMMON.contains(&reference.name.as_str());
        let linked = self.linked.contains(&file);
        Some(if linked && !common && !mention {
            Confidence::Resolved
        } else {
            Confidence::NameOnly
        })
    }
}

/// The names of the definitions and those that imports anywhere give them (`x as y`).
fn with_new_names<'a>(lookup: &Lookup<'a>, given: &[SymbolId]) -> HashSet<&'a str> {
    let mut names: HashSet<&str> = given
        .iter()
        .map(|id| lookup.symbol(*id).name.as_str())
        .collect();
    loop {
        let n_known = names.len();
        let imports = lookup.files.iter().flat_map(|input| &input.facts.imports);
        for imported in imports.flat_map(|import| &import.names) {
            let is_name = !matches!(imported.name.as_str(), "*" | "default");
            if is_name && imported.local != "default" && names.contains(imported.name.as_str()) {
                names.insert(&imported.local);
            }
        }
        if names.len() == n_known {
            return names;
        }
    }
}

/// `impl Type` uses the type that it is for.
fn impl_header(symbol: &Symbol) -> Option<Reference> {
    (symbol.kind == SymbolKind::Impl).then(|| Reference {
        name: symbol.name.clone(),
        qualifier: String::new(),
        kind: ReferenceKind::Type,
        line: symbol.name_line,
        column: 0,
        enclosing: symbol.parent,
    })
}

/// Says whether two definitions are one to their users: overloads, a declaration and its body.
fn is_same(lookup: &Lookup<'_>, left: SymbolId, right: SymbolId) -> bool {
    let (a, b) = (lookup.symbol(left), lookup.symbol(right));
    let family = lookup.families[left.file as usize];
    if a.qualified != b.qualified || family != lookup.families[right.file as usize] {
        return false;
    }
    if left.file == right.file {
        return a.parent == b.parent;
    }
    family == Family::Native
        && (lookup.reaches(left.file, right.file) || lookup.reaches(right.file, left.file))
}
