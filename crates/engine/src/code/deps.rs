//! What a file imports and who imports it.

use crate::Engine;
use crate::api::{DepEdge, DepsDirection, DepsRequest, DepsResponse};
use crate::code::symbols::need;
use crate::error::{EngineError, Result};
use crate::views::LiveView;

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
        Ok(DepsResponse {
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
