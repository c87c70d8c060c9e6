//! Which file imports which.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::{
    imports::packages::FilePackages,
    pagerank::weighted_graph::{DAMPING, WeightedGraph, scaled_to_max},
};

/// An import statement that leads to a file, or out of the repository.
///
/// A statement that leads to several files (a Go package, `from package import a, b`) has an edge each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportEdge {
    /// Index in the file's `imports`.
    pub import_idx: u32,
    /// Index of the imported name that is itself the target (a submodule).
    pub name_idx: Option<u32>,
    /// Line, from 1.
    pub line: u32,
    /// The file; `None` when it is not in the view.
    pub target: Option<u32>,
    pub(super) module: u32,
}

/// Files of a view and the imports between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportGraph {
    pub(super) offsets: Vec<u32>,
    pub(super) edges: Vec<ImportEdge>,
    pub(super) importer_offsets: Vec<u32>,
    pub(super) importers: Vec<(u32, u32)>,
    pub(super) modules: Vec<String>,
    /// Files that are not shipped (tests, examples, build output): they do not vote.
    pub(super) non_production: Vec<u32>,
    pub(super) packages: FilePackages,
}

impl ImportGraph {
    /// Joins the graphs of several repositories, files after files. Nothing crosses from one to another.
    ///
    /// Each comes with its number of files, which its graph may not know yet. O(imports).
    pub fn joined<'a>(parts: impl IntoIterator<Item = (&'a Self, usize)>) -> Self {
        let mut joined = Self {
            offsets: vec![0],
            ..Self::default()
        };
        let mut first = 0u32;
        for (part, n_files) in parts {
            let first_module = joined.modules.len() as u32;
            joined.modules.extend(part.modules.iter().cloned());
            joined
                .non_production
                .extend(part.non_production.iter().map(|file| first + file));
            for file in 0..n_files as u32 {
                let edges = part.imports(file).iter();
                joined.edges.extend(edges.map(|edge| ImportEdge {
                    target: edge.target.map(|target| first + target),
                    module: first_module + edge.module,
                    ..*edge
                }));
                joined.offsets.push(joined.edges.len() as u32);
            }
            joined.packages.join(&part.packages, n_files);
            first += n_files as u32;
        }
        joined.turn_round();
        joined
    }

    /// Finds who imports each file, once all imports are there.
    pub(super) fn turn_round(&mut self) {
        let n_files = self.n_files();
        let mut reversed: Vec<(u32, u32, u32)> = (0..n_files as u32)
            .flat_map(|file| {
                let targets = self.imports(file).iter();
                targets.filter_map(move |edge| Some((edge.target?, file, edge.line)))
            })
            .filter(|(target, file, _)| target != file)
            .collect();
        reversed.sort_unstable();
        reversed.dedup();
        let mut offsets = vec![0u32; n_files + 1];
        for (target, _, _) in &reversed {
            offsets[*target as usize + 1] += 1;
        }
        for file in 0..n_files {
            offsets[file + 1] += offsets[file];
        }
        self.importer_offsets = offsets;
        self.importers = reversed
            .into_iter()
            .map(|(_, file, line)| (file, line))
            .collect();
    }

    /// Returns the number of files.
    pub fn n_files(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The packages of the files.
    pub(crate) fn packages(&self) -> &FilePackages {
        &self.packages
    }

    /// Returns the imports of a file, resolved and external, by line.
    pub fn imports(&self, file: u32) -> &[ImportEdge] {
        row(&self.offsets, &self.edges, file)
    }

    /// Returns the module of an edge as it is written.
    pub fn module(&self, edge: &ImportEdge) -> &str {
        &self.modules[edge.module as usize]
    }

    /// Returns the modules of a file that are not in the view, as written, by line.
    pub fn externals(&self, file: u32) -> impl Iterator<Item = &str> + '_ {
        self.imports(file)
            .iter()
            .filter(|edge| edge.target.is_none())
            .map(|edge| self.module(edge))
    }

    /// Returns the files that import a file and the line on which each does, by file and line.
    pub fn importers(&self, file: u32) -> &[(u32, u32)] {
        row(&self.importer_offsets, &self.importers, file)
    }

    /// The files that import one of these, directly or through others, with the files themselves.
    pub(crate) fn reaching(&self, targets: Vec<u32>) -> FxHashSet<u32> {
        let mut found = targets.iter().copied().collect();
        self.reach(targets, &mut found);
        found
    }

    /// Adds all that import a file that was found.
    pub(crate) fn reach(&self, mut next: Vec<u32>, found: &mut FxHashSet<u32>) {
        while let Some(file) = next.pop() {
            let importers = self.importers(file).iter();
            let importers = importers.map(|(importer, _)| *importer);
            next.extend(importers.filter(|importer| found.insert(*importer)));
        }
    }

    /// Returns the import cycles: groups of two files or more that reach each other, largest first.
    pub fn cycles(&self) -> Vec<Vec<u32>> {
        let edges = (0..self.n_files() as u32).flat_map(|file| {
            self.imports(file)
                .iter()
                .filter_map(move |edge| Some((file, edge.target?)))
        });
        let graph = petgraph::graph::DiGraph::<(), ()>::from_edges(edges);
        let mut cycles: Vec<Vec<u32>> = petgraph::algo::tarjan_scc(&graph)
            .into_iter()
            .filter(|component| component.len() > 1)
            .map(|component| {
                component
                    .into_iter()
                    .map(|node| node.index() as u32)
                    .collect()
            })
            .collect();
        cycles
            .iter_mut()
            .for_each(|cycle: &mut Vec<u32>| cycle.sort_unstable());
        cycles.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        cycles
    }

    /// Ranks the files by their importers, the largest 1; tests and examples do not vote.
    pub fn page_rank(&self) -> Vec<f32> {
        self.page_rank_with(&[])
    }

    /// Ranks the files by their importers and by further weighted edges between files.
    pub fn page_rank_with(&self, references: &[(u32, u32, f32)]) -> Vec<f32> {
        let mut edges = references.to_vec();
        for file in 0..self.n_files() as u32 {
            if self.non_production.binary_search(&file).is_ok() {
                continue;
            }
            edges.extend(
                self.imports(file)
                    .iter()
                    .filter_map(|edge| Some((file, edge.target?, 1.0))),
            );
        }
        scaled_to_max(WeightedGraph::new(self.n_files(), &edges).page_rank(DAMPING, None))
    }
}

fn row<'a, T>(offsets: &[u32], items: &'a [T], file: u32) -> &'a [T] {
    let file = file as usize;
    match (offsets.get(file), offsets.get(file + 1)) {
        (Some(start), Some(end)) => &items[*start as usize..*end as usize],
        _ => &[],
    }
}
