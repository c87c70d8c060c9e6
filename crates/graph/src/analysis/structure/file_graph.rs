//! Which file depends on which: imports and uses together.

use std::collections::BTreeMap;

use super::settled::SettledUses;
use crate::imports::import_graph::ImportGraph;

/// A file that depends on another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileEdge {
    /// The file that imports or uses.
    pub from: u32,
    /// The file that is imported or used.
    pub to: u32,
    /// Import statements that lead there.
    pub n_imports: u32,
    /// Uses of its definitions.
    pub n_uses: u32,
    /// Line of the first import, or of the first use where there is none.
    pub line: u32,
}

impl FileEdge {
    /// Returns how strongly the two belong together: one for an import, and a share of the uses
    /// that grows with their logarithm.
    pub fn weight(&self) -> f32 {
        let import = if self.n_imports > 0 { 1.0 } else { 0.0 };
        import + (self.n_uses as f32).ln_1p()
    }
}

/// The files of a view and who depends on whom.
#[derive(Clone, Debug, Default)]
pub struct FileGraph {
    /// By both ends.
    edges: Vec<FileEdge>,
    offsets: Vec<u32>,
    incoming: Vec<Vec<u32>>,
}

#[derive(Clone, Copy, Default)]
struct Sum {
    n_imports: u32,
    n_uses: u32,
    import_line: Option<u32>,
    use_line: u32,
}

impl FileGraph {
    /// Adds up imports and uses. A statement that leads to several files (a Go package, a Java
    /// wildcard) counts for those that are used; guesses count for nobody.
    pub fn new(imports: &ImportGraph, links: &SettledUses, n_files: usize) -> Self {
        let mut sums: BTreeMap<(u32, u32), Sum> = BTreeMap::new();
        for link in links.all() {
            if link.file == link.to.file || !link.confidence.is_certain() {
                continue;
            }
            let sum = sums.entry((link.file, link.to.file)).or_default();
            if sum.n_uses == 0 || link.line < sum.use_line {
                sum.use_line = link.line;
            }
            sum.n_uses += 1;
        }
        for (from, to, line, is_single) in import_targets(imports) {
            let known = sums.contains_key(&(from, to));
            if from == to || !(known || is_single) {
                continue;
            }
            let sum = sums.entry((from, to)).or_default();
            sum.n_imports += 1;
            sum.import_line = Some(sum.import_line.map_or(line, |known| known.min(line)));
        }
        let edges = sums.into_iter().map(|((from, to), sum)| FileEdge {
            from,
            to,
            n_imports: sum.n_imports,
            n_uses: sum.n_uses,
            line: sum.import_line.unwrap_or(sum.use_line),
        });
        Self::of(edges.collect(), n_files)
    }

    fn of(edges: Vec<FileEdge>, n_files: usize) -> Self {
        let mut offsets = vec![0u32; n_files + 1];
        let mut incoming = vec![Vec::new(); n_files];
        for (at, edge) in (0u32..).zip(&edges) {
            offsets[edge.from as usize + 1] += 1;
            incoming[edge.to as usize].push(at);
        }
        for file in 0..n_files {
            offsets[file + 1] += offsets[file];
        }
        Self {
            edges,
            offsets,
            incoming,
        }
    }

    /// Returns all edges, by both ends.
    pub fn edges(&self) -> &[FileEdge] {
        &self.edges
    }

    /// Returns what a file depends on.
    pub fn from(&self, file: u32) -> &[FileEdge] {
        let file = file as usize;
        &self.edges[self.offsets[file] as usize..self.offsets[file + 1] as usize]
    }

    /// Says who depends on a file.
    pub fn to(&self, file: u32) -> impl Iterator<Item = &FileEdge> + '_ {
        let at = self.incoming[file as usize].iter();
        at.map(|at| &self.edges[*at as usize])
    }
}

/// From, to, line, and whether the statement leads to this file alone.
fn import_targets(imports: &ImportGraph) -> Vec<(u32, u32, u32, bool)> {
    let mut found = Vec::new();
    for file in 0..imports.n_files() as u32 {
        let edges = imports.imports(file);
        for (at, edge) in edges.iter().enumerate() {
            let Some(target) = edge.target else { continue };
            let is_twin = |other: Option<&crate::ImportEdge>| {
                other.is_some_and(|other| {
                    (other.import_idx, other.name_idx) == (edge.import_idx, edge.name_idx)
                })
            };
            let before = at.checked_sub(1).and_then(|at| edges.get(at));
            let is_single = !is_twin(before) && !is_twin(edges.get(at + 1));
            found.push((file, target, edge.line, is_single));
        }
    }
    found
}
