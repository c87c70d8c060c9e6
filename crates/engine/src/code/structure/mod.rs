//! The shape of a code base: the map, what sticks out, what belongs together, what is tested.

mod aftermath;
mod at_risk;
mod audit;
mod breakages;
mod changes;
mod clusters;
mod comparison;
mod concepts;
mod diff_search;
mod duplicates;
mod export;
mod file_diff;
mod folders;
mod import_time;
mod known;
mod map;
mod members;
mod numbering;
mod old_state;
mod overview;
mod pairs;
mod renamed;
mod renames;
mod review;
pub(crate) mod risk;
mod scope;
mod tested;
mod word_rank;
mod words;

pub(crate) use known::KnownStructure;

use crate::code::graph::GraphSession;
use crate::code::known_uses::KnownUses;
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use known::FileDependencies;
use std::collections::BTreeSet;
use whyrank_graph::{FileGraph, ReferenceQuery, SettledUses, SymbolId};
use whyrank_retrieval::FileRole;
use whyrank_syntax::{Symbol, SymbolKind};

/// Folders named to someone whose path leads nowhere.
const NEAR_FOLDERS: usize = 8;
/// Files that say what a package shows and starts.
const MANIFESTS: [&str; 9] = [
    "package.json",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "Cargo.toml",
    "composer.json",
    "build.gradle",
    "mix.exs",
    "pubspec.yaml",
];

/// A view with all that is known of its structure, for the length of a question.
pub(crate) struct StructureSession<'s, 'u> {
    pub(crate) view: &'s LiveView,
    known: &'s KnownUses,
    pub(crate) uses: &'s ReferenceQuery<'u>,
    pub(crate) links: &'s SettledUses,
    files: &'s FileGraph,
}

impl GraphSession {
    pub(crate) fn with_structure<T>(
        &self,
        answer: impl FnOnce(&StructureSession<'_, '_>) -> Result<T>,
    ) -> Result<T> {
        self.with(|known, uses| {
            let view = &*self.view;
            let dependencies = view.structure.dependencies.get_or_init(|| {
                let imports = &view.graph.imports;
                let links = SettledUses::new(uses);
                let files = FileGraph::new(imports, &links, view.files.len());
                FileDependencies { links, files }
            });
            answer(&StructureSession {
                view,
                known,
                uses,
                links: &dependencies.links,
                files: &dependencies.files,
            })
        })
    }
}

impl LiveView {
    /// Says whether a file holds code that is shipped.
    fn is_code(&self, file: u32) -> bool {
        let symbols = &self.files[file as usize].outline().symbols;
        matches!(
            self.index.roles[file as usize],
            FileRole::Source | FileRole::Legacy
        ) && symbols
            .iter()
            .any(|symbol| symbol.kind != SymbolKind::Section)
    }

    pub(crate) fn path(&self, file: u32) -> &str {
        &self.files[file as usize].path
    }

    fn n_files(&self) -> u32 {
        self.files.len() as u32
    }

    /// The files that a path means, as [`LiveView::narrowed`] reads it; all for an empty one.
    fn below(&self, path: &str) -> Result<Vec<u32>> {
        match self.narrowed(Some(path)) {
            Ok(narrowed) => Ok((0..self.n_files())
                .filter(|file| narrowed.has(*file))
                .collect()),
            Err(_) => {
                let below = clean(path);
                Err(EngineError::bad_argument(
                    format!("no indexed file lies below `{below}`"),
                    self.near_folders(below),
                ))
            }
        }
    }

    fn near_folders(&self, path: &str) -> String {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let mut near: BTreeSet<&str> = BTreeSet::new();
        let mut top: BTreeSet<&str> = BTreeSet::new();
        for file in 0..self.n_files() {
            let path = self.path(file);
            let Some((folder, _)) = path.rsplit_once('/') else {
                continue;
            };
            top.insert(folder.split('/').next().unwrap_or(folder));
            let last = folder.rsplit('/').next().unwrap_or(folder);
            if last.to_lowercase().contains(&name) {
                near.insert(folder);
            }
        }
        let (word, found) = if near.is_empty() {
            ("folders at the top", top)
        } else {
            ("near ones", near)
        };
        if found.is_empty() {
            return "leave path out: all files lie at the root".to_owned();
        }
        let shown: Vec<&str> = found.iter().take(NEAR_FOLDERS).copied().collect();
        let more = match found.len() - shown.len() {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        format!("{word}: {}{more}", shown.join(", "))
    }

    /// The texts of the manifests, joined.
    fn manifests(&self) -> Result<Manifests> {
        let mut texts = Vec::new();
        for (at, file) in (0u32..).zip(&self.files) {
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            if MANIFESTS.contains(&name) {
                texts.push((folder.to_owned(), self.text(at)?));
            }
        }
        Ok(Manifests(texts))
    }
}

/// A path from the root as the index writes it; empty for the root.
fn clean(path: &str) -> &str {
    match path.trim_start_matches("./").trim_matches('/') {
        "." => "",
        path => path,
    }
}

/// Folder and text of each manifest.
struct Manifests(Vec<(String, String)>);

impl Manifests {
    /// Says whether a manifest above a file names it, as a path or as a module, in quotes.
    fn name(&self, path: &str) -> bool {
        self.0.iter().any(|(folder, text)| {
            let below = match folder.as_str() {
                "" => Some(path),
                folder => path
                    .strip_prefix(folder)
                    .and_then(|rest| rest.strip_prefix('/')),
            };
            below.is_some_and(|path| names(text, path))
        })
    }
}

/// `"./lib/index.js"`, `"lib/index"`, `"package.module:main"`.
fn names(text: &str, path: &str) -> bool {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let module = stem.strip_prefix("src/").unwrap_or(stem).replace('/', ".");
    let is_quoted = |written: &str, ends: &[char]| {
        text.match_indices(written).any(|(at, _)| {
            let before = text[..at].trim_end_matches("./").chars().next_back();
            let after = text[at + written.len()..].chars().next();
            before.is_some_and(|char| char == '"' || char == '\'')
                && after.is_some_and(|char| ends.contains(&char))
        })
    };
    is_quoted(path, &['"', '\''])
        || (stem.contains('/') && is_quoted(stem, &['"', '\'']))
        || is_quoted(&module, &[':'])
}

/// Says whether a definition is worth a line: it holds code, or others see it.
fn is_notable(symbol: &Symbol) -> bool {
    match symbol.kind {
        SymbolKind::Section
        | SymbolKind::Impl
        | SymbolKind::Namespace
        | SymbolKind::Module
        | SymbolKind::Field
        | SymbolKind::EnumMember
        | SymbolKind::Property => false,
        SymbolKind::Variable | SymbolKind::Constant => symbol.exported && symbol.parent.is_none(),
        _ => true,
    }
}

/// Says whether a definition stands at the top of its file: in nothing but namespaces.
fn is_top(symbols: &[Symbol], symbol: &Symbol) -> bool {
    let parent = |symbol: &Symbol| symbol.parent.map(|parent| &symbols[parent as usize]);
    std::iter::successors(parent(symbol), |symbol| parent(symbol))
        .all(|symbol| matches!(symbol.kind, SymbolKind::Namespace | SymbolKind::Module))
}

/// Says whether a definition lies in a function.
fn is_inner(symbols: &[Symbol], symbol: &Symbol) -> bool {
    let parent = |symbol: &Symbol| symbol.parent.map(|parent| &symbols[parent as usize]);
    std::iter::successors(parent(symbol), |symbol| parent(symbol))
        .any(|symbol| symbol.kind.is_callable())
}

impl StructureSession<'_, '_> {
    /// The notable definitions of a file, those inside of functions left out.
    pub(crate) fn notable(&self, file: u32) -> impl Iterator<Item = SymbolId> + '_ {
        let symbols = &self.view.files[file as usize].outline().symbols;
        let found = (0u32..)
            .zip(symbols)
            .filter(|(_, symbol)| is_notable(symbol) && !is_inner(symbols, symbol));
        found.map(move |(symbol, _)| SymbolId { file, symbol })
    }

    fn is_top(&self, id: SymbolId) -> bool {
        let symbols = &self.view.files[id.file as usize].outline().symbols;
        is_top(symbols, &symbols[id.symbol as usize])
    }

    fn rank(&self, id: SymbolId) -> f32 {
        self.known.ranks.get(id)
    }

    /// Orders definitions by PageRank, then place.
    pub(crate) fn sort_by_rank(&self, ids: &mut [SymbolId]) {
        ids.sort_by(|a, b| self.rank(*b).total_cmp(&self.rank(*a)).then(a.cmp(b)));
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_manifest_names_paths_and_modules() {
        let text = r#"{"main": "./lib/index.js", "bin": {"a": "bin/a"}, "x": "pkg.cli:main"}"#;
        for path in ["lib/index.js", "bin/a.js", "src/pkg/cli.py"] {
            assert!(names(text, path), "{path}");
        }
        assert!(!names(text, "index.js") && !names(text, "lib/index.jsx/b.js"));
    }
}
