//! A code base for a language model: folders, how they depend on each other, definitions by importance.

use super::folders::{bridges, exports, module_of};
use super::{StructureSession, clean, is_notable};
use crate::Engine;
use crate::api::{ExportDefinition, ExportModule, ExportRequest, ExportResponse};
use crate::error::Result;
use std::collections::{BTreeMap, HashMap};
use whyrank_graph::SymbolId;

/// Folders are opened until there are this many, or this deep.
const ENOUGH_MODULES: usize = 5;
const MAX_DEPTH: u32 = 5;
/// Up to which share of the definitions, by PageRank, each number of stars goes.
const STARS: [(f64, u32); 3] = [(0.01, 3), (0.05, 2), (0.2, 1)];

impl Engine {
    /// Lists folders, bridges between them, and definitions by importance with the number of their
    /// callers.
    ///
    /// # Errors
    /// `bad-argument` for a path without an indexed file; those of opening the view.
    pub fn export_context(&self, request: &ExportRequest) -> Result<ExportResponse> {
        let session = self.open_graph_with_facts(&request.repo, request.as_of.as_deref())?;
        session.with_structure(|structure| export(structure, request))
    }
}

fn export(structure: &StructureSession<'_, '_>, request: &ExportRequest) -> Result<ExportResponse> {
    let view = structure.view;
    let inside = view.below(&request.path)?;
    let (code, others): (Vec<u32>, Vec<u32>) = inside.iter().partition(|file| view.is_code(**file));
    let modules = modules(structure, &code, &request.path);
    let paths: Vec<&str> = modules.iter().map(|(path, _)| path.as_str()).collect();
    let mut module_of: HashMap<u32, u32> = HashMap::new();
    for (at, (_, files)) in (0u32..).zip(&modules) {
        module_of.extend(files.iter().map(|file| (*file, at)));
    }
    let mut ids: Vec<SymbolId> = code
        .iter()
        .flat_map(|file| structure.notable(*file))
        .collect();
    structure.sort_by_rank(&mut ids);
    let n_definitions = ids.len();
    let limit = match request.limit {
        0 => n_definitions,
        limit => limit as usize,
    };
    let is_code = |file: u32| view.is_code(file);
    let definition = |(place, id): (usize, &SymbolId)| ExportDefinition {
        symbol: view.symbol_line(*id),
        module: module_of.get(&id.file).copied().unwrap_or_default(),
        n_callers: structure.links.n_callers(*id, &is_code) as u32,
        stars: stars(place, n_definitions),
    };
    let n_test_definitions = others
        .iter()
        .filter(|file| view.is_test(**file))
        .map(|file| {
            let symbols = &view.files[*file as usize].outline().symbols;
            symbols.iter().filter(|symbol| is_notable(symbol)).count()
        });
    Ok(ExportResponse {
        bridges: bridges(structure, &|file| {
            module_of.get(&file).map(|at| paths[*at as usize])
        }),
        definitions: ids.iter().enumerate().take(limit).map(definition).collect(),
        n_definitions: n_definitions as u32,
        n_test_definitions: n_test_definitions.sum::<usize>() as u32,
        modules: modules
            .iter()
            .map(|(path, files)| ExportModule {
                path: path.clone(),
                n_symbols: files
                    .iter()
                    .map(|file| structure.notable(*file).count() as u32)
                    .sum(),
                n_files: files.len() as u32,
                exports: exports(structure, files)
                    .into_iter()
                    .map(|symbol| symbol.name)
                    .collect(),
            })
            .collect(),
    })
}

/// Folders with their files by importance: as few parts deep as tell them apart.
fn modules(
    structure: &StructureSession<'_, '_>,
    files: &[u32],
    below: &str,
) -> Vec<(String, Vec<u32>)> {
    let below = clean(below);
    let mut grouped: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for depth in 1..=MAX_DEPTH {
        grouped.clear();
        for file in files {
            let folder = module_of(structure.view.path(*file), below, depth);
            grouped.entry(folder).or_default().push(*file);
        }
        if grouped.len() >= ENOUGH_MODULES {
            break;
        }
    }
    let rank = |files: &[u32]| -> f32 {
        let ranks = files.iter().map(|file| structure.view.file_rank(*file));
        ranks.sum()
    };
    let mut modules: Vec<(String, Vec<u32>)> = grouped.into_iter().collect();
    modules.sort_by(|a, b| rank(&b.1).total_cmp(&rank(&a.1)).then(a.0.cmp(&b.0)));
    modules
}

fn stars(place: usize, n_definitions: usize) -> u32 {
    let share = (place + 1) as f64 / n_definitions.max(1) as f64;
    let first = place == 0;
    let level = STARS.iter().find(|(most, _)| share <= *most || first);
    level.map_or(0, |(_, stars)| *stars)
}

#[cfg(test)]
mod tests {
    use super::stars;

    #[test]
    fn stars_are_rare() {
        let given = |place| stars(place, 200);
        assert_eq!([0, 1, 2, 9, 10, 39, 40].map(given), [3, 3, 2, 2, 1, 1, 0]);
        assert_eq!(stars(0, 1), 3);
    }
}
