//! Which file imports which: facts of a view in, file edges out.

use serde::{Deserialize, Serialize};

use crate::{
    input::{FileInput, ManifestInput},
    rank::{DAMPING, WeightedGraph, scaled_to_max},
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
    module: u32,
}

/// Files of a view and the imports between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportGraph {
    offsets: Vec<u32>,
    edges: Vec<ImportEdge>,
    importer_offsets: Vec<u32>,
    importers: Vec<(u32, u32)>,
    modules: Vec<String>,
}

impl ImportGraph {
    /// Resolves every import of the files.
    pub fn resolve(files: &[FileInput<'_>], manifests: &[ManifestInput<'_>]) -> Self {
        let _ = (files, manifests);
        Self::default()
    }

    /// The number of files.
    pub fn n_files(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The imports of a file, resolved and external, by line.
    pub fn imports(&self, file: u32) -> &[ImportEdge] {
        row(&self.offsets, &self.edges, file)
    }

    /// The module of an edge as it is written.
    pub fn module(&self, edge: &ImportEdge) -> &str {
        &self.modules[edge.module as usize]
    }

    /// The modules of a file that are not in the view, as written, by line.
    pub fn externals(&self, file: u32) -> impl Iterator<Item = &str> + '_ {
        self.imports(file)
            .iter()
            .filter(|edge| edge.target.is_none())
            .map(|edge| self.module(edge))
    }

    /// The files that import a file and the line on which each does, by file and line.
    pub fn importers(&self, file: u32) -> &[(u32, u32)] {
        row(&self.importer_offsets, &self.importers, file)
    }

    /// Ranks the files by their importers, the largest 1.
    pub fn page_rank(&self) -> Vec<f32> {
        self.page_rank_with(&[])
    }

    /// Ranks the files by their importers and by further weighted edges between files.
    pub fn page_rank_with(&self, references: &[(u32, u32, f32)]) -> Vec<f32> {
        let mut edges = references.to_vec();
        for file in 0..self.n_files() as u32 {
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
