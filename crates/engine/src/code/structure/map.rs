//! The map of a repository to begin with: its main files, what belongs together, who depends on whom.

use super::StructureSession;
use super::clusters::Grain;
use super::known::Member;
use super::members::ties_of_files;
use crate::Engine;
use crate::api::{MapCluster, MapEdge, MapFile, RepositoryMap, RepositoryMapRequest};
use crate::error::Result;
use std::collections::{BTreeSet, HashMap};

/// More than a person can tell apart at once.
const MAX_FILES: usize = 300;
/// The strongest pairs of files.
const MAX_EDGES: usize = 900;

impl Engine {
    /// Returns the most important files of code, and those that are asked for, with their clusters and the
    /// uses between them.
    ///
    /// # Errors
    /// Those of opening the view.
    pub fn repository_map(&self, request: &RepositoryMapRequest) -> Result<RepositoryMap> {
        let session = self.open_graph_with_facts(&request.repo, request.as_of.as_deref())?;
        session.with_structure(|structure| map(structure, &request.also))
    }
}

fn map(structure: &StructureSession<'_, '_>, also: &[String]) -> Result<RepositoryMap> {
    let view = structure.view;
    let mut files: Vec<u32> = (0..view.n_files())
        .filter(|file| view.is_code(*file))
        .collect();
    let n_files = files.len() as u32;
    files.sort_by(|a, b| {
        let by_rank = view.file_rank(*b).total_cmp(&view.file_rank(*a));
        by_rank.then(a.cmp(b))
    });
    files.truncate(MAX_FILES);
    let asked = also
        .iter()
        .take(MAX_FILES)
        .filter_map(|path| view.file(path));
    for file in asked {
        if !files.contains(&file) {
            files.push(file);
        }
    }
    let (cluster_of, clusters) = clusters(structure, &files)?;
    let shown = files.iter().map(|file| MapFile {
        path: view.path(*file).to_owned(),
        rank: f64::from(view.file_rank(*file)),
        n_lines: view.files[*file as usize].n_lines,
        n_importers: view.graph.imports.importers(*file).len() as u32,
        language: view.files[*file as usize].language.name().to_owned(),
        cluster: cluster_of.get(file).copied().unwrap_or_default(),
    });
    Ok(RepositoryMap {
        files: shown.collect(),
        edges: edges(structure, &files),
        clusters,
        n_files,
    })
}

/// The cluster of each file, from 1 by importance, and the words of those that have a file here.
fn clusters(
    structure: &StructureSession<'_, '_>,
    files: &[u32],
) -> Result<(HashMap<u32, u32>, Vec<MapCluster>)> {
    let known = structure.cluster_map(Grain::Clusters)?;
    let mut cluster_of: HashMap<u32, u32> = HashMap::new();
    for (id, group) in (1u32..).zip(0..known.groups.len()) {
        for file in known.files(group) {
            cluster_of.entry(file).or_insert(id);
        }
    }
    let present: BTreeSet<u32> = files
        .iter()
        .filter_map(|file| cluster_of.get(file).copied())
        .collect();
    let clusters = present.into_iter().map(|id| MapCluster {
        id,
        label: known.label(id as usize - 1),
    });
    let clusters = clusters.collect();
    Ok((cluster_of, clusters))
}

fn edges(structure: &StructureSession<'_, '_>, files: &[u32]) -> Vec<MapEdge> {
    let members: Vec<Member> = files
        .iter()
        .map(|file| Member {
            file: *file,
            symbol: None,
        })
        .collect();
    let ties = ties_of_files(structure, &members);
    let mut edges: Vec<MapEdge> = ties
        .into_iter()
        .filter(|((from, to), tie)| from != to && tie.n_uses > 0)
        .map(|((from, to), tie)| MapEdge {
            from,
            to,
            n_uses: tie.n_uses,
        })
        .collect();
    edges.sort_by_key(|edge| (std::cmp::Reverse(edge.n_uses), edge.from, edge.to));
    edges.truncate(MAX_EDGES);
    edges
}
