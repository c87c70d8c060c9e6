//! What a file imports and who imports it.

use crate::Engine;
use crate::api::{DepEdge, DepStep, DepsDirection, DepsRequest, DepsResponse};
use crate::choices::need;
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use std::collections::HashSet;

/// Deeper than any tree that is read.
const MAX_DEPTH: u32 = 32;
/// Files of a tree.
const MAX_FILES: usize = 5000;

impl Engine {
    /// Imports and importers of a file.
    ///
    /// # Errors
    /// `bad-argument` for a path that is not in the index, with near ones; those of opening the view.
    pub fn deps(&self, request: &DepsRequest) -> Result<DepsResponse> {
        need(&request.path, "path")?;
        let view = self.view_of(&request.repo, request.as_of.as_deref())?;
        let file = find_file(&view, &request.path)?;
        let wants = |direction| request.direction != direction;
        let graph = &view.graph.imports;
        let path = |file: u32| view.files[file as usize].path.clone();
        let is_rust = view.files[file as usize].language.name() == "rust";
        let has_graph = (file as usize) < graph.n_files();
        let imports = if wants(DepsDirection::Importers) && has_graph {
            graph.imports(file)
        } else {
            &[]
        };
        let importers = if wants(DepsDirection::Imports) && has_graph {
            graph.importers(file)
        } else {
            &[]
        };
        let steps = |is_wanted: bool, next: &dyn Fn(u32) -> Vec<(u32, u32)>| {
            let depth = if is_wanted && has_graph {
                request.depth
            } else {
                0
            };
            let named = further(file, depth.min(MAX_DEPTH), next).into_iter();
            let step = |(file, depth, from, line)| DepStep {
                path: path(file),
                depth,
                from: path(from),
                line,
            };
            named.map(step).collect()
        };
        Ok(DepsResponse {
            further_imports: steps(wants(DepsDirection::Importers), &|file| {
                let edges = graph.imports(file).iter();
                let own = edges.filter_map(|edge| Some((edge.target?, edge.line)));
                own.collect()
            }),
            further_importers: steps(wants(DepsDirection::Imports), &|file| {
                graph.importers(file).to_vec()
            }),
            path: path(file),
            imports: imports
                .iter()
                .filter(|edge| {
                    edge.target.is_some() || !(is_rust && is_own_crate(graph.module(edge)))
                })
                .map(|edge| {
                    let module = graph.module(edge).to_owned();
                    DepEdge {
                        path: edge.target.map_or_else(|| module.clone(), path),
                        module,
                        line: edge.line,
                        external: edge.target.is_none(),
                    }
                })
                .collect(),
            importers: importers
                .iter()
                .map(|(importer, line)| DepEdge {
                    path: path(*importer),
                    module: String::new(),
                    line: *line,
                    external: false,
                })
                .collect(),
        })
    }
}

/// Files beyond the first step, breadth first: file, steps, the file before it, line. Each once.
fn further(
    file: u32,
    depth: u32,
    next: &dyn Fn(u32) -> Vec<(u32, u32)>,
) -> Vec<(u32, u32, u32, u32)> {
    let mut seen = HashSet::from([file]);
    let mut found = Vec::new();
    let mut level = vec![file];
    for step in 1..=depth {
        let mut beyond = Vec::new();
        for from in level {
            for (to, line) in next(from) {
                if seen.len() < MAX_FILES && seen.insert(to) {
                    beyond.push(to);
                    found.push((to, step, from, line));
                }
            }
        }
        level = beyond;
    }
    found.retain(|(_, step, ..)| *step > 1);
    found
}

/// Whether a path of Rust begins in the crate itself: without another file it means this one.
fn is_own_crate(module: &str) -> bool {
    let head = module.split("::").next().unwrap_or(module);
    matches!(head, "crate" | "$crate" | "self" | "super")
}

/// A file by its path, or by the end of it when that is unique.
pub(crate) fn find_file(view: &LiveView, path: &str) -> Result<u32> {
    let path = path.trim_start_matches("./");
    if let Some(file) = view.file(path) {
        return Ok(file);
    }
    let files = view.files.iter().zip(0u32..);
    let ends: Vec<(u32, &str)> = files
        .filter(|(file, _)| file.path.ends_with(&format!("/{path}")))
        .map(|(file, idx)| (idx, file.path.as_str()))
        .collect();
    match ends.as_slice() {
        [(file, _)] => Ok(*file),
        [] => Err(EngineError::bad_argument(
            format!("`{path}` is not in the index"),
            near_paths(view, path),
        )),
        several => {
            let paths: Vec<&str> = several.iter().take(5).map(|(_, path)| *path).collect();
            Err(EngineError::bad_argument(
                format!("`{path}` names {} files", several.len()),
                format!("give one of {}", paths.join(", ")),
            ))
        }
    }
}

fn near_paths(view: &LiveView, path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_lowercase();
    let near: Vec<&str> = view
        .files
        .iter()
        .map(|file| file.path.as_str())
        .filter(|known| {
            known
                .rsplit('/')
                .next()
                .unwrap_or(known)
                .to_lowercase()
                .contains(&stem)
        })
        .take(5)
        .collect();
    if near.is_empty() {
        "give a path relative to the repository root; `whyrank status` lists what was left out"
            .to_owned()
    } else {
        format!("near ones: {}", near.join(", "))
    }
}
