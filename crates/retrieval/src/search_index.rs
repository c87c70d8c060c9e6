//! What search derives from a view once it is loaded: names, paths and roles, inverted.

use crate::roles::FileRole;
use roaring::RoaringBitmap;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use whyrank_index::{ChunkRef, View};
use whyrank_syntax::{ChunkKind, Symbol};

/// A definition's place: file of the view, definition of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolRef {
    /// Index of the file.
    pub file: u32,
    /// Index of the definition in the file's outline.
    pub symbol: u32,
}

/// A token of a path and how much it says of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathPosting {
    pub(crate) file: u32,
    pub(crate) weight: f32,
}

/// A view with what search derives from it. Build once for each view version.
/// O(paths and names).
#[derive(Debug)]
pub struct SearchIndex {
    /// The view.
    pub view: Arc<View>,
    /// Part of each file.
    pub roles: Vec<FileRole>,
    /// Visible chunks of code.
    pub(crate) code: Arc<RoaringBitmap>,
    /// Visible chunks of prose.
    pub(crate) prose: Arc<RoaringBitmap>,
    /// Token of a name → definitions with it.
    pub(crate) names: HashMap<String, Vec<SymbolRef>>,
    /// Lower-cased whole name → definitions.
    pub(crate) exact: HashMap<String, Vec<SymbolRef>>,
    /// Token of a path → files with it; ordered, for look-ups by prefix.
    pub(crate) paths: BTreeMap<String, Vec<PathPosting>>,
    /// Tokens of each file's name, without its ending.
    pub(crate) stems: Vec<Vec<String>>,
    pub(crate) n_symbols: usize,
}

impl SearchIndex {
    /// Derives names, paths and roles from a view.
    pub fn new(view: Arc<View>) -> Self {
        let mut index = Self {
            roles: Vec::with_capacity(view.files.len()),
            code: Arc::default(),
            prose: Arc::default(),
            names: HashMap::new(),
            exact: HashMap::new(),
            paths: BTreeMap::new(),
            stems: Vec::with_capacity(view.files.len()),
            n_symbols: 0,
            view: Arc::clone(&view),
        };
        let (mut code, mut prose) = (RoaringBitmap::new(), RoaringBitmap::new());
        for (file_idx, file) in view.files.iter().enumerate() {
            let n_chunks = file.outline.chunks.len() as u32;
            let is_prose = file.language.is_prose();
            let target = if is_prose { &mut prose } else { &mut code };
            target.insert_range(file.first_chunk..file.first_chunk + n_chunks);
            index.roles.push(FileRole::of(&file.path, is_prose));
            index.add_path(file_idx as u32, &file.path);
            index.add_symbols(file_idx as u32, &file.outline.symbols);
        }
        // Only what the view shows: a content at two paths is found at one of them.
        index.code = Arc::new(code & view.visible.as_ref());
        index.prose = Arc::new(prose & view.visible.as_ref());
        index
    }

    fn add_path(&mut self, file: u32, path: &str) {
        let mut parts = path.rsplit('/');
        let name = parts.next().unwrap_or(path);
        let stem = name
            .split_once('.')
            .map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
        let stem_tokens = distinct_tokens(stem);
        let mut weights: Vec<(String, f32)> = stem_tokens
            .iter()
            .map(|token| (token.clone(), 1.0))
            .collect();
        for (depth, folder) in parts.enumerate() {
            let weight = if depth == 0 { 0.6 } else { 0.3 };
            for token in distinct_tokens(folder) {
                if !weights.iter().any(|(known, _)| *known == token) {
                    weights.push((token, weight));
                }
            }
        }
        for (token, weight) in weights {
            self.paths
                .entry(token)
                .or_default()
                .push(PathPosting { file, weight });
        }
        self.stems.push(stem_tokens);
    }

    fn add_symbols(&mut self, file: u32, symbols: &[Symbol]) {
        for (symbol_idx, symbol) in symbols.iter().enumerate() {
            let place = SymbolRef {
                file,
                symbol: symbol_idx as u32,
            };
            self.n_symbols += 1;
            for token in distinct_tokens(&symbol.name) {
                self.names.entry(token).or_default().push(place);
            }
            self.exact
                .entry(symbol.name.to_lowercase())
                .or_default()
                .push(place);
        }
    }

    /// How readily a walk over the symbol graph enters each file. Tests and examples use everything
    /// and would flood the answer.
    pub fn walk_shares(&self) -> Vec<f32> {
        let share = |role: &FileRole| match role {
            FileRole::Source => 1.0,
            FileRole::Legacy | FileRole::Stub => 0.5,
            FileRole::Docs => 0.2,
            FileRole::Test | FileRole::Example | FileRole::Vendored | FileRole::Generated => 0.05,
        };
        self.roles.iter().map(share).collect()
    }

    /// A definition.
    pub fn symbol(&self, place: SymbolRef) -> &Symbol {
        &self.view.files[place.file as usize].outline.symbols[place.symbol as usize]
    }

    /// The chunk in which a reader of the definition should land.
    pub fn chunk_of(&self, place: SymbolRef) -> Option<ChunkRef> {
        let outline = &self.view.files[place.file as usize].outline;
        let symbol = &outline.symbols[place.symbol as usize];
        let own = outline.chunks.iter().position(|chunk| {
            chunk.symbol == Some(place.symbol) && chunk.kind != ChunkKind::Residue
        });
        let around = || {
            outline.chunks.iter().position(|chunk| {
                (chunk.span.start_line..=chunk.span.end_line).contains(&symbol.name_line)
            })
        };
        let chunk = own.or_else(around)?;
        Some(ChunkRef {
            file: place.file,
            chunk: chunk as u32,
        })
    }
}

/// The tokens of a name, each once.
pub(crate) fn distinct_tokens(name: &str) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    whyrank_index::for_each_token(name, |token| {
        if !distinct.iter().any(|known| known == token) {
            distinct.push(token.to_owned());
        }
    });
    distinct
}

/// The parts among a name's distinct tokens: of a compound name all but the first, which is the whole.
pub(crate) fn part_tokens(tokens: &[String]) -> &[String] {
    if tokens.len() > 1 {
        &tokens[1..]
    } else {
        tokens
    }
}
