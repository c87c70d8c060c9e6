//! Folders as modules: which folder represents a file, and how much folders depend on each other.

use super::StructureSession;
use crate::api::{ModuleBridge, SymbolLine};
use std::collections::{BTreeMap, HashMap};
use whyrank_graph::{FileEdge, SymbolId};

/// Definitions that represent a folder.
pub(super) const N_EXPORTS: usize = 8;

/// The folder that represents a file: `depth` parts below `below`.
pub(super) fn module_of(path: &str, below: &str, depth: u32) -> String {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let n_parts = below.split('/').filter(|part| !part.is_empty()).count() + depth as usize;
    folder
        .split('/')
        .filter(|part| !part.is_empty())
        .take(n_parts)
        .collect::<Vec<_>>()
        .join("/")
}

/// How much the folders depend on each other, strongest first; `module` gives a file's folder, none for a
/// file that does not take part.
pub(super) fn bridges<'m>(
    structure: &StructureSession<'_, '_>,
    module: &dyn Fn(u32) -> Option<&'m str>,
) -> Vec<ModuleBridge> {
    let mut sums: BTreeMap<(&str, &str), (FileEdge, u32, u32)> = BTreeMap::new();
    for edge in structure.files.edges() {
        let (Some(from), Some(to)) = (module(edge.from), module(edge.to)) else {
            continue;
        };
        if from == to {
            continue;
        }
        let sum = sums.entry((from, to)).or_insert((*edge, 0, 0));
        sum.1 += edge.n_imports;
        sum.2 += edge.n_uses;
        if edge.weight() > sum.0.weight() {
            sum.0 = *edge;
        }
    }
    let mut found: Vec<ModuleBridge> = sums
        .into_iter()
        .map(|((from, to), (edge, n_imports, n_uses))| ModuleBridge {
            from: from.to_owned(),
            to: to.to_owned(),
            n_imports,
            n_uses,
            path: structure.view.path(edge.from).to_owned(),
            line: edge.line,
            target: structure.view.path(edge.to).to_owned(),
        })
        .collect();
    found.sort_by_key(|bridge| std::cmp::Reverse(bridge.n_imports + bridge.n_uses));
    found
}

/// The definitions at the top of some files that others see, by PageRank.
pub(super) fn exports(structure: &StructureSession<'_, '_>, files: &[u32]) -> Vec<SymbolLine> {
    let mut found: Vec<SymbolId> = Vec::new();
    for file in files.iter().filter(|file| structure.view.is_code(**file)) {
        let notable = structure.notable(*file);
        found.extend(
            notable.filter(|id| structure.view.symbol(*id).exported && structure.is_top(*id)),
        );
    }
    structure.sort_by_rank(&mut found);
    // Several definitions of one name (overloads, a declaration and its body) are one to a reader.
    let mut seen: HashMap<&str, ()> = HashMap::new();
    found.retain(|id| seen.insert(&structure.view.symbol(*id).name, ()).is_none());
    found.truncate(N_EXPORTS);
    structure.view.lines(&found)
}
