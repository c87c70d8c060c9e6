//! The map of a code base: folders by importance, what they show, where things start.

use super::folders::{bridges, exports, module_of};
use super::{StructureSession, clean, is_top};
use crate::Engine;
use crate::api::{
    EntryPoint, Overview, OverviewFile, OverviewModule, OverviewRequest, ReasonCount,
};
use crate::error::Result;
use crate::indexing::repos::languages;
use std::collections::{BTreeMap, HashMap};
use whyrank_graph::{SymbolId, entry_points};
use whyrank_syntax::SymbolKind;

const DEFAULT_DEPTH: u32 = 2;
/// Files and definitions that the overview shows of each folder and file.
const OVERVIEW_FILES: usize = 8;
const OVERVIEW_SYMBOLS: usize = 8;

impl Engine {
    /// Draws the map of a code base below a path, some folders deep.
    ///
    /// # Errors
    /// `bad-argument` for a folder that is not in the index; those of opening the view.
    pub fn overview(&self, request: &OverviewRequest) -> Result<Overview> {
        let session = self.open_graph_with_facts(&request.repo, request.as_of.as_deref())?;
        session.with_structure(|structure| overview(structure, request))
    }
}

fn overview(structure: &StructureSession<'_, '_>, request: &OverviewRequest) -> Result<Overview> {
    let view = structure.view;
    let below = clean(&request.path);
    let depth = match request.depth {
        0 => DEFAULT_DEPTH,
        depth => depth,
    };
    let files = view.below(below)?;
    let mut modules: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    let mut module_by_file: HashMap<u32, String> = HashMap::new();
    for file in &files {
        let folder = module_of(view.path(*file), below, depth);
        modules.entry(folder.clone()).or_default().push(*file);
        if view.is_code(*file) {
            module_by_file.insert(*file, folder);
        }
    }
    let mut modules: Vec<OverviewModule> = modules
        .into_iter()
        .map(|(folder, files)| {
            module(structure, folder, files, &|path| {
                module_of(path, below, depth)
            })
        })
        .collect();
    let ranks = modules.iter().map(|module| module.rank);
    let highest = ranks.fold(f64::MIN_POSITIVE, f64::max);
    for module in &mut modules {
        module.rank /= highest;
    }
    modules.sort_by(|a, b| {
        let by_size = b.n_lines.cmp(&a.n_lines).then(a.path.cmp(&b.path));
        b.rank.total_cmp(&a.rank).then(by_size)
    });
    let shares = files.iter().map(|file| {
        let file = &view.files[*file as usize];
        (file.language, file.n_lines)
    });
    Ok(Overview {
        languages: languages(shares),
        modules,
        entry_points: starts(structure, &files)?,
        bridges: bridges(structure, &|file| {
            module_by_file.get(&file).map(String::as_str)
        }),
    })
}

fn starts(structure: &StructureSession<'_, '_>, files: &[u32]) -> Result<Vec<EntryPoint>> {
    let view = structure.view;
    let manifests = view.manifests()?;
    let is_named = |file: u32| view.is_code(file) && manifests.name(view.path(file));
    let mut found = entry_points(structure.uses, &is_named);
    found.retain(|(file, _)| files.binary_search(file).is_ok() && !view.is_test(*file));
    found.sort_by(|a, b| {
        let rank = |file: u32| view.file_rank(file);
        rank(b.0).total_cmp(&rank(a.0)).then(a.cmp(b))
    });
    let entry = |(file, line): (u32, u32)| EntryPoint {
        path: view.path(file).to_owned(),
        line,
    };
    Ok(found.into_iter().map(entry).collect())
}

fn module(
    structure: &StructureSession<'_, '_>,
    folder: String,
    mut files: Vec<u32>,
    module_of: &dyn Fn(&str) -> String,
) -> OverviewModule {
    let loaded = structure.view.snapshot();
    files.sort_by(|a, b| {
        let is_non_production = |file: u32| !structure.view.is_code(file);
        let by_rank = loaded.file_rank(*b).total_cmp(&loaded.file_rank(*a));
        is_non_production(*a)
            .cmp(&is_non_production(*b))
            .then(by_rank)
            .then(a.cmp(b))
    });
    let mut depends_on: BTreeMap<String, u32> = BTreeMap::new();
    for edge in files
        .iter()
        .flat_map(|file| loaded.graph.imports.imports(*file))
    {
        let target = edge
            .target
            .map(|target| module_of(structure.view.path(target)));
        if let Some(target) = target.filter(|target| *target != folder) {
            *depends_on.entry(target).or_default() += 1;
        }
    }
    let mut depends_on: Vec<ReasonCount> = depends_on
        .into_iter()
        .map(|(reason, count)| ReasonCount { reason, count })
        .collect();
    depends_on.sort_by(|a, b| b.count.cmp(&a.count).then(a.reason.cmp(&b.reason)));
    let of_file = |file: &u32| &loaded.files[*file as usize];
    OverviewModule {
        path: folder,
        n_files: files.len() as u32,
        n_lines: files.iter().map(|file| of_file(file).n_lines).sum(),
        rank: files
            .iter()
            .filter(|file| structure.view.is_code(**file))
            .map(|file| f64::from(loaded.file_rank(*file)))
            .sum(),
        exports: exports(structure, &files),
        files: files
            .iter()
            .take(OVERVIEW_FILES)
            .map(|file| file_of(structure, *file))
            .collect(),
        depends_on,
    }
}

fn file_of(structure: &StructureSession<'_, '_>, file: u32) -> OverviewFile {
    let loaded = structure.view.snapshot();
    let symbols = &loaded.files[file as usize].outline().symbols;
    let mut main: Vec<u32> = (0..symbols.len() as u32)
        .filter(|symbol| {
            let definition = &symbols[*symbol as usize];
            is_top(symbols, definition) && !is_holder(definition.kind)
        })
        .collect();
    let rank = |symbol: u32| structure.rank(SymbolId { file, symbol });
    main.sort_by(|a, b| {
        let minor = |at: u32| {
            let symbol = &symbols[at as usize];
            let is_minor = matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant);
            (!symbol.exported, is_minor)
        };
        let by_rank = rank(*b).total_cmp(&rank(*a));
        minor(*a).cmp(&minor(*b)).then(by_rank).then(a.cmp(b))
    });
    let shown = main.into_iter().take(OVERVIEW_SYMBOLS);
    OverviewFile {
        path: loaded.files[file as usize].path.clone(),
        rank: f64::from(loaded.file_rank(file)),
        symbols: shown
            .map(|symbol| structure.view.symbol_line(SymbolId { file, symbol }))
            .collect(),
        n_importers: loaded.graph.imports.importers(file).len() as u32,
    }
}

/// What only holds others is named by them.
fn is_holder(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Namespace | SymbolKind::Impl)
}
