//! PageRank over symbols.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use whyrank_syntax::ReferenceKind;

use crate::{
    family::Family,
    import_graph::ImportGraph,
    input::{FileInput, SymbolId},
    paths,
    rank::{DAMPING, WeightedGraph, scaled_to_max},
    symbol_table::SymbolTable,
};

/// A name with more visible definitions than this says nothing.
const MAX_TARGETS: usize = 16;

/// The rank of every symbol of a view, the largest 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SymbolRanks {
    offsets: Vec<u32>,
    ranks: Vec<f32>,
}

impl SymbolRanks {
    /// The rank of a symbol; 0 for one that is not in the view.
    pub fn get(&self, id: SymbolId) -> f32 {
        self.of_file(id.file)
            .get(id.symbol as usize)
            .copied()
            .unwrap_or(0.0)
    }

    /// The ranks of a file's symbols.
    pub fn of_file(&self, file: u32) -> &[f32] {
        let file = file as usize;
        match (self.offsets.get(file), self.offsets.get(file + 1)) {
            (Some(start), Some(end)) => &self.ranks[*start as usize..*end as usize],
            _ => &[],
        }
    }
}

/// Ranks symbols by who uses them, names resolved among the files that each file can see.
pub fn symbol_rank(
    files: &[FileInput<'_>],
    graph: &ImportGraph,
    table: &SymbolTable,
) -> SymbolRanks {
    let mut offsets = vec![0u32];
    for input in files {
        let start = offsets.last().copied().unwrap_or(0);
        offsets.push(start + input.facts.symbols.len() as u32);
    }
    let node = |id: SymbolId| offsets[id.file as usize] + id.symbol;
    let mut view = Visible::new(files, graph, table);
    let mut edges: Vec<(u32, u32, f32)> = Vec::new();
    let mut known: FxHashMap<&str, Vec<SymbolId>> = FxHashMap::default();
    for (file, input) in (0u32..).zip(files) {
        view.look_from(file);
        known.clear();
        for reference in &input.facts.references {
            let (Some(symbol), weight) = (reference.enclosing, weight(reference.kind)) else {
                continue;
            };
            if weight <= 0.0 {
                continue;
            }
            let name = reference.name.as_str();
            let targets = known
                .entry(name)
                .or_insert_with(|| view.targets(file, name));
            let share = weight / targets.len() as f32;
            let from = node(SymbolId { file, symbol });
            edges.extend(targets.iter().map(|target| (from, node(*target), share)));
        }
    }
    let n_symbols = offsets.last().copied().unwrap_or(0) as usize;
    let ranks = WeightedGraph::new(n_symbols, &edges).page_rank(DAMPING, None);
    SymbolRanks {
        offsets,
        ranks: scaled_to_max(ranks),
    }
}

fn weight(kind: ReferenceKind) -> f32 {
    match kind {
        ReferenceKind::Call | ReferenceKind::Decorator => 1.0,
        ReferenceKind::Read | ReferenceKind::Write => 0.8,
        ReferenceKind::Inherit => 0.7,
        ReferenceKind::Type => 0.6,
        ReferenceKind::Import | ReferenceKind::ReExport | ReferenceKind::Mention => 0.0,
    }
}

/// Which files a file can see, and what a name means among them.
struct Visible<'a> {
    graph: &'a ImportGraph,
    table: &'a SymbolTable,
    families: Vec<Family>,
    folders: FxHashMap<(Family, &'a str), Vec<u32>>,
    paths: Vec<&'a str>,
    /// The last file that saw each file, from 1.
    seen_by: Vec<u32>,
    /// What the file at work sees, in order.
    seen: Vec<u32>,
}

impl<'a> Visible<'a> {
    fn new(files: &[FileInput<'a>], graph: &'a ImportGraph, table: &'a SymbolTable) -> Self {
        let families: Vec<Family> = files
            .iter()
            .map(|input| Family::of(input.language))
            .collect();
        let mut folders: FxHashMap<(Family, &str), Vec<u32>> = FxHashMap::default();
        for (file, input) in (0u32..).zip(files) {
            let key = (families[file as usize], paths::parent(input.path));
            folders.entry(key).or_default().push(file);
        }
        Self {
            graph,
            table,
            families,
            folders,
            paths: files.iter().map(|input| input.path).collect(),
            seen_by: vec![0; files.len()],
            seen: Vec::new(),
        }
    }

    /// The file, its package, its imports and what these import: re-exports are one step away.
    fn look_from(&mut self, file: u32) {
        self.seen.clear();
        self.see(file, file);
        let family = self.families[file as usize];
        if family.folder_is_scope() {
            let key = (family, paths::parent(self.paths[file as usize]));
            for beside in self.folders.get(&key).cloned().unwrap_or_default() {
                self.see(file, beside);
            }
        }
        let graph = self.graph;
        for target in graph.imports(file).iter().filter_map(|edge| edge.target) {
            self.see(file, target);
            for further in graph.imports(target).iter().filter_map(|edge| edge.target) {
                self.see(file, further);
            }
        }
        self.seen.sort_unstable();
    }

    fn see(&mut self, from: u32, file: u32) {
        let last = &mut self.seen_by[file as usize];
        if *last != from + 1 {
            *last = from + 1;
            self.seen.push(file);
        }
    }

    /// What a name means in the file last looked from.
    fn targets(&self, file: u32, name: &str) -> Vec<SymbolId> {
        let named = self.table.named(name);
        let of_file = |file: u32| {
            let start = named.partition_point(|id| id.file < file);
            let end = start + named[start..].partition_point(|id| id.file == file);
            &named[start..end]
        };
        let own = of_file(file);
        if !own.is_empty() {
            return few(own.to_vec());
        }
        // The shorter of the two lists is walked.
        if named.len() <= self.seen.len() {
            let is_seen = |id: &&SymbolId| self.seen_by[id.file as usize] == file + 1;
            return few(named.iter().filter(is_seen).copied().collect());
        }
        let seen = self.seen.iter().flat_map(|file| of_file(*file));
        few(seen.copied().take(MAX_TARGETS + 1).collect())
    }
}

fn few(targets: Vec<SymbolId>) -> Vec<SymbolId> {
    match targets.len() > MAX_TARGETS {
        true => Vec::new(),
        false => targets,
    }
}
