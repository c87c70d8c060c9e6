//! How one file reaches another through imports.

use std::collections::VecDeque;

use crate::imports::import_graph::ImportGraph;

/// A file of a chain of imports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportStep {
    /// Index of the file in the view.
    pub file: u32,
    /// Line on which it imports the next; none for the last.
    pub line: Option<u32>,
}

/// Returns the shortest chain of imports from one of some files to one of others; of several the
/// first by position. Empty when there is none, or when a file is in both. O(imports).
pub fn import_path(graph: &ImportGraph, from: &[u32], to: &[u32]) -> Vec<ImportStep> {
    const UNSEEN: u32 = u32::MAX;
    let n_files = graph.n_files();
    let known = |files: &[u32]| -> Vec<u32> {
        let known = files.iter().filter(|file| (**file as usize) < n_files);
        known.copied().collect()
    };
    let (from, to) = (known(from), known(to));
    if from.iter().any(|file| to.contains(file)) {
        return Vec::new();
    }
    // The importer that reached each file, and its line.
    let mut reached_by: Vec<(u32, u32)> = vec![(UNSEEN, 0); n_files];
    for file in &from {
        reached_by[*file as usize] = (*file, 0);
    }
    let mut next: VecDeque<u32> = from.into();
    while let Some(file) = next.pop_front() {
        for edge in graph.imports(file) {
            let Some(target) = edge.target else { continue };
            if reached_by[target as usize].0 != UNSEEN {
                continue;
            }
            reached_by[target as usize] = (file, edge.line);
            if to.contains(&target) {
                return chain(&reached_by, target);
            }
            next.push_back(target);
        }
    }
    Vec::new()
}

fn chain(reached_by: &[(u32, u32)], end: u32) -> Vec<ImportStep> {
    let mut steps = vec![ImportStep {
        file: end,
        line: None,
    }];
    let mut at = end;
    loop {
        let (file, line) = reached_by[at as usize];
        if file == at {
            steps.reverse();
            return steps;
        }
        steps.push(ImportStep {
            file,
            line: Some(line),
        });
        at = file;
    }
}
