//! What meant what before a change: users of what went or has another signature, imports that led to a
//! path that is no more, and what a type implemented.
//!
//! The graph of the old state is made in memory from the facts of the view, with those of changed files
//! as they were. Only what did not change itself is told.

use super::numbering::Numbering;
use crate::views::LiveView;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;
use whyrank_graph::{
    FileInput, Implementations, ImportEdge, ImportGraph, ManifestInput, ReferenceHit,
    ReferenceIndex, ReferenceQuery, Relative, SymbolId, SymbolTable, references_of_each,
};
use whyrank_index::is_manifest;
use whyrank_syntax::{Import, ImportedName, ReferenceKind, Symbol};

/// The view as it was before the changes. Files keep their numbers; those that went come last.
pub(super) struct OldState<'r> {
    numbers: &'r Numbering<'r>,
    inputs: &'r [FileInput<'r>],
    view: &'r LiveView,
    /// Made at the first question: most changes ask none.
    graph: OnceCell<OldGraph>,
    implementations: OnceLock<Implementations>,
}

struct OldGraph {
    imports: ImportGraph,
    table: SymbolTable,
    /// Uses are looked for as they are asked for; what types implement needs none.
    no_uses: ReferenceIndex,
}

impl OldGraph {
    /// O(imports and definitions of the view).
    fn new(inputs: &[FileInput<'_>], view: &LiveView) -> Self {
        let imports = resolved(inputs, view);
        let table = SymbolTable::new(inputs, &imports);
        Self {
            no_uses: ReferenceIndex::new(&[], &ImportGraph::default(), &table),
            imports,
            table,
        }
    }
}

/// Where the imports of files lead.
fn resolved(inputs: &[FileInput<'_>], view: &LiveView) -> ImportGraph {
    let files = (0u32..).zip(&view.files);
    let manifests = files.filter(|(_, file)| is_manifest(&file.path));
    // One that cannot be read tells no roots.
    let manifests: Vec<(&str, String)> = manifests
        .filter_map(|(at, file)| Some((file.path.as_str(), view.text(at).ok()?)))
        .collect();
    let manifests: Vec<ManifestInput<'_>> = manifests
        .iter()
        .map(|(path, text)| ManifestInput { path, text })
        .collect();
    ImportGraph::resolve(inputs, &manifests)
}

/// A use of the old state that is there still.
pub(super) struct StandingUse {
    pub(super) file: u32,
    pub(super) line: u32,
    /// The definition around it, as it is now.
    pub(super) from: Option<SymbolId>,
    pub(super) kind: ReferenceKind,
}

impl StandingUse {
    /// It only passes the name on.
    pub(super) fn is_naming(&self) -> bool {
        matches!(
            self.kind,
            ReferenceKind::Import | ReferenceKind::ReExport | ReferenceKind::Mention
        )
    }
}

impl<'r> OldState<'r> {
    pub(super) fn new(numbers: &'r Numbering<'r>, view: &'r LiveView) -> Self {
        Self {
            numbers,
            inputs: &numbers.old,
            view,
            graph: OnceCell::new(),
            implementations: OnceLock::new(),
        }
    }

    fn graph(&self) -> &OldGraph {
        self.graph
            .get_or_init(|| OldGraph::new(self.inputs, self.view))
    }

    fn symbol(&self, id: SymbolId) -> &'r Symbol {
        &self.inputs[id.file as usize].facts().symbols[id.symbol as usize]
    }

    /// The certain uses of each definition that are there still, by file and line.
    pub(super) fn standing_uses(&self, ids: &[SymbolId]) -> Vec<Vec<StandingUse>> {
        if ids.is_empty() {
            return Vec::new();
        }
        let OldGraph { imports, table, .. } = self.graph();
        let of_each = references_of_each(self.inputs, imports, table, ids);
        let standing = |(id, hits): (&SymbolId, Vec<ReferenceHit>)| {
            let name = &self.symbol(*id).name;
            let certain = hits.iter().filter(|hit| hit.confidence.is_certain());
            let standing = certain.flat_map(|hit| self.standing(hit, name));
            let mut seen: HashSet<(u32, u32)> = HashSet::new();
            let mut found: Vec<StandingUse> = standing.collect();
            found.retain(|one| seen.insert((one.file, one.line)));
            found
        };
        ids.iter().zip(of_each).map(standing).collect()
    }

    /// Where a use is now: there, in a file that did not change; in one that did, wherever the same
    /// definition has the name.
    fn standing(&self, hit: &ReferenceHit, name: &str) -> Vec<StandingUse> {
        let Some(input) = self.numbers.now.get(hit.file as usize) else {
            return Vec::new();
        };
        if self.numbers.changed(hit.file).is_none() {
            return vec![StandingUse {
                file: hit.file,
                line: hit.line,
                from: hit.enclosing,
                kind: hit.kind,
            }];
        }
        let facts = input.facts();
        let around = hit.enclosing.map(|id| self.symbol(id));
        let is_around = |symbol: Option<u32>| match (symbol, around) {
            (Some(symbol), Some(old)) => is_same(&facts.symbols[symbol as usize], old),
            (None, None) => true,
            _ => false,
        };
        let of_name = facts.references.iter().filter(|one| one.name == name);
        of_name
            .filter(|one| one.kind == hit.kind && is_around(one.enclosing))
            .map(|one| StandingUse {
                file: hit.file,
                line: one.line,
                from: one.enclosing.map(|symbol| SymbolId {
                    file: hit.file,
                    symbol,
                }),
                kind: hit.kind,
            })
            .collect()
    }

    /// Imports that led to a file and lead nowhere now: by the path to which they led, each with the
    /// files and lines of the imports.
    pub(super) fn broken_imports(&self) -> BTreeMap<&'r str, Vec<(u32, u32)>> {
        let mut broken: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
        let now = &self.numbers.now;
        let kept = &self.view.graph.imports;
        // A view whose graph is still being made knows no imports at all, one that is behind others.
        let made = (kept.n_files() != now.len() || !self.numbers.behind().is_empty())
            .then(|| resolved(now, self.view));
        let imports = made.as_ref().unwrap_or(kept);
        for (file, input) in (0u32..).zip(now) {
            for edge in self.graph().imports.imports(file) {
                let Some(target) = edge.target.filter(|target| *target != file) else {
                    continue;
                };
                let old = &self.inputs[file as usize].facts().imports;
                if let Some(line) = leads_nowhere(old, edge, imports.imports(file), input) {
                    let path = self.inputs[target as usize].path;
                    let importers = broken.entry(path).or_default();
                    if !importers.iter().any(|(known, _)| *known == file) {
                        importers.push((file, line));
                    }
                }
            }
        }
        broken
    }

    fn query(&self) -> ReferenceQuery<'_> {
        let graph = self.graph();
        ReferenceQuery::new(self.inputs, &graph.imports, &graph.table, &graph.no_uses)
            .keeping(&self.implementations)
    }

    /// What a method of Go stood in for and does not now: members of interfaces that are there still.
    pub(super) fn lost_bases(
        &self,
        old: SymbolId,
        now: Option<SymbolId>,
        uses: &ReferenceQuery<'_>,
    ) -> Vec<SymbolId> {
        if !self.has_method_sets(old.file) {
            return Vec::new();
        }
        let kept = now.map_or_else(Vec::new, |now| uses.overridden(&[now]));
        let old = self.query().overridden(&[old]);
        self.lost(&old, &kept)
    }

    /// A type of the old state around one of its members, as it is now.
    pub(super) fn owner_now(&self, old: SymbolId) -> Option<SymbolId> {
        let parent = self.symbol(old).parent?;
        let owner = self.symbol(SymbolId {
            symbol: parent,
            ..old
        });
        let file = self.view.files.get(old.file as usize)?;
        let symbols = &file.outline().symbols;
        let at = symbols.iter().position(|new| is_same(new, owner))?;
        Some(SymbolId {
            symbol: at as u32,
            ..old
        })
    }

    /// The types of Go that implemented an interface and do not now.
    pub(super) fn lost_heirs(
        &self,
        old: SymbolId,
        now: SymbolId,
        uses: &ReferenceQuery<'_>,
    ) -> Vec<SymbolId> {
        if !self.has_method_sets(old.file) {
            return Vec::new();
        }
        let old = self.query().subtypes(&[old]);
        self.lost(&old, &uses.subtypes(&[now]))
    }

    /// Where a type implements what it has the methods of, and no text says so.
    pub(super) fn has_method_sets(&self, file: u32) -> bool {
        self.inputs[file as usize].language == "go"
    }

    /// What is among old relatives alone, and is there still.
    fn lost(&self, old: &[Relative], kept: &[Relative]) -> Vec<SymbolId> {
        let certain = old.iter().filter(|one| one.is_certain);
        let here = certain.filter_map(|one| {
            let file = one.symbol.file;
            let symbols = &self.view.files.get(file as usize)?.outline().symbols;
            let old = self.symbol(one.symbol);
            let at = symbols.iter().position(|new| is_same(new, old))?;
            Some(SymbolId {
                file,
                symbol: at as u32,
            })
        });
        let mut lost: Vec<SymbolId> = here.collect();
        lost.retain(|id| kept.iter().all(|one| one.symbol != *id));
        lost
    }
}

fn is_same(one: &Symbol, other: &Symbol) -> bool {
    one.qualified == other.qualified && one.kind == other.kind
}

/// The line of an import that is there still and leads to no file now.
fn leads_nowhere(
    old: &[Import],
    edge: &ImportEdge,
    now: &[ImportEdge],
    input: &FileInput<'_>,
) -> Option<u32> {
    let imports = &input.facts().imports;
    let import = &old[edge.import_idx as usize];
    let name = edge.name_idx.and_then(|at| import.names.get(at as usize));
    let at = place_now(old, edge.import_idx as usize, name, imports)?;
    let name_idx = match name {
        Some(name) => Some(place_of(&imports[at], name)?),
        None => None,
    };
    let leads = now
        .iter()
        .any(|one| one.import_idx == at as u32 && one.name_idx == name_idx && one.target.is_some());
    (!leads).then_some(imports[at].line)
}

/// Which of the imports an old one is now: the one that is the same to the letter, by order where
/// several are; else one of the same module with the name in question, or with any of its names. In
/// languages where names are all that tells statements apart, another of the module is another import.
fn place_now(
    old: &[Import],
    at: usize,
    name: Option<&ImportedName>,
    now: &[Import],
) -> Option<usize> {
    let import = &old[at];
    let is_of_module = |other: &Import| other.module == import.module && other.kind == import.kind;
    let is_same = |other: &Import| is_of_module(other) && other.names == import.names;
    let n_before = old[..at].iter().filter(|other| is_same(other)).count();
    let same: Vec<usize> = (0..now.len()).filter(|at| is_same(&now[*at])).collect();
    same.get(n_before).or(same.last()).copied().or_else(|| {
        let wanted = name.map_or(import.names.as_slice(), std::slice::from_ref);
        now.iter().position(|other| {
            is_of_module(other) && wanted.iter().any(|name| place_of(other, name).is_some())
        })
    })
}

fn place_of(import: &Import, name: &ImportedName) -> Option<u32> {
    let mut names = import.names.iter();
    names
        .position(|one| one.name == name.name)
        .map(|at| at as u32)
}
