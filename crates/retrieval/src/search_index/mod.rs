//! Search index: what search derives from a view once it is loaded: names, paths and roles, inverted.
//!
//! Knows no query, and nothing that differs from one query to the next.

mod areas;
mod kinds;
mod lookups;
mod name_tokens;
mod names;
mod near_names;
mod paths;
mod pooled;
mod production;
mod roles;
mod symbol_graph;
mod symbol_ref;
mod third_party;

pub(crate) use areas::lies_in;
pub use kinds::{
    CHUNK_KINDS, REFERENCE_KINDS, SYMBOL_KINDS, chunk_kind_name, kind_name, reference_name,
};
pub(crate) use name_tokens::{distinct_tokens, part_tokens};
pub use roles::FileRole;
use roles::FolderMarks;
pub(crate) use roles::OF_TESTS;
pub use symbol_graph::SymbolGraph;
pub use symbol_ref::SymbolRef;

use areas::plain;
use names::Names;
use paths::PathIndex;
pub(crate) use paths::PathPosting;
use roaring::RoaringBitmap;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};
use whyrank_graph::in_test_module;
use whyrank_index::{ChunkRef, PoolOffset, View, opens_again};
use whyrank_syntax::{ChunkKind, Symbol, SymbolKind};

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
    /// Chunks that say no more than one before them: heads of modules that are opened again.
    pub(crate) reopened: RoaringBitmap,
    /// Words of tests that the program itself is about; told when a query has one of them.
    subjects: OnceLock<Vec<&'static str>>,
    names: Names,
    /// Tokens of paths, at first need.
    paths: OnceLock<PathIndex>,
    pub(crate) n_symbols: usize,
    /// The repositories of a pool, which the view joins; they are looked up in one after another. Empty
    /// for an index of one repository.
    parts: Vec<PoolPart>,
}

/// A repository of a pool.
#[derive(Clone, Debug)]
pub(crate) struct PoolPart {
    /// Its name: the folder in the pool's view in which its files lie.
    pub name: String,
    /// Where its files and chunks begin.
    pub offset: PoolOffset,
    /// Its own index.
    pub index: Arc<SearchIndex>,
}

impl SearchIndex {
    /// Derives names, paths and roles from a view.
    pub fn new(view: Arc<View>) -> Self {
        let mut index = Self {
            roles: Vec::with_capacity(view.files.len()),
            code: Arc::default(),
            prose: Arc::default(),
            reopened: names::reopened(&view),
            subjects: OnceLock::new(),
            names: Names::of(&view),
            paths: OnceLock::new(),
            n_symbols: view.files.iter().map(|file| file.n_symbols as usize).sum(),
            parts: Vec::new(),
            view: Arc::clone(&view),
        };
        let (mut code, mut prose) = (RoaringBitmap::new(), RoaringBitmap::new());
        let mut folders: HashMap<&str, FolderMarks> = HashMap::new();
        for file in &view.files {
            let n_chunks = file.n_chunks;
            let is_prose = file.language.is_prose();
            let target = if is_prose { &mut prose } else { &mut code };
            target.insert_range(file.first_chunk..file.first_chunk + n_chunks);
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            let marks = folders
                .entry(folder)
                .or_insert_with(|| FolderMarks::of(folder));
            index.roles.push(marks.role(folder, name, is_prose));
        }
        production::settle(&view, &mut index.roles);
        // Only what the view shows: a content at two paths is found at one of them.
        index.code = Arc::new(code & view.visible.as_ref());
        index.prose = Arc::new(prose & view.visible.as_ref());
        index
    }

    /// The part that a chunk plays: its file's, but for tests that stand beside the code.
    pub fn role_of(&self, place: ChunkRef) -> FileRole {
        let role = self.roles[place.file as usize];
        if role == FileRole::Test {
            return role;
        }
        let outline = self.view.files[place.file as usize].outline();
        let chunk = &outline.chunks[place.chunk as usize];
        let is_test = chunk.kind == ChunkKind::SelfRun
            || chunk
                .symbol
                .is_some_and(|symbol| in_test_module(&outline.symbols, symbol));
        if is_test { FileRole::Test } else { role }
    }

    fn paths(&self) -> &PathIndex {
        self.paths.get_or_init(|| PathIndex::of(&self.view))
    }

    /// Tokens of a file's name, without its ending.
    pub(crate) fn stem(&self, file: u32) -> Vec<String> {
        let path = &self.view.files[file as usize].path;
        let name = path.rsplit('/').next().unwrap_or(path);
        distinct_tokens(paths::stem(name))
    }

    /// Whether a folder or a file without its ending has the name, or the last part of it.
    pub(crate) fn has_area(&self, area: &str) -> bool {
        let last = area.trim_matches('/').rsplit('/').next().unwrap_or(area);
        let plain = plain(&last.to_lowercase());
        match self.parts.as_slice() {
            [] => self.paths().has_area(&plain),
            parts => parts.iter().any(|part| part.index.paths().has_area(&plain)),
        }
    }

    /// Whether the program itself is about a word that elsewhere means tests.
    pub(crate) fn is_subject(&self, word: &str) -> bool {
        let subjects = self.subjects.get_or_init(|| self.subjects());
        subjects.contains(&word)
    }

    /// Words of tests that many shipped files have in their name, or show in a definition's.
    fn subjects(&self) -> Vec<&'static str> {
        let is_shipped = |file: u32| {
            let is_source = self.roles[file as usize] == FileRole::Source;
            is_source && self.view.files[file as usize].language.is_code()
        };
        let n_shipped = (0..self.roles.len() as u32).filter(|file| is_shipped(*file));
        let n_enough = (n_shipped.count() as f64 * SUBJECT_SHARE).max(SUBJECT_FILES);
        let is_subject = |word: &&str| {
            let files = self.files_about(word);
            files.into_iter().filter(|file| is_shipped(*file)).count() as f64 >= n_enough
        };
        let words = OF_TESTS.into_iter();
        words.filter(is_subject).collect()
    }

    /// Files whose name holds a word, or that of a definition that they show.
    fn files_about(&self, word: &str) -> HashSet<u32> {
        let shown = self.named_where(&self.with_token(word), |named| named.exported);
        let shown = shown.into_iter().map(|place| place.file);
        self.paths().named(word).chain(shown).collect()
    }

    /// Returns how readily a walk over the symbol graph enters each file. Tests and examples use
    /// everything and would flood the answer.
    pub fn walk_shares(&self) -> Vec<f32> {
        let share = |role: &FileRole| match role {
            FileRole::Source => 1.0,
            FileRole::Legacy | FileRole::Stub => 0.5,
            FileRole::Docs | FileRole::Config => 0.2,
            FileRole::Test | FileRole::Example | FileRole::Vendored | FileRole::Generated => 0.05,
        };
        self.roles.iter().map(share).collect()
    }

    /// Returns a definition.
    pub fn symbol(&self, place: SymbolRef) -> &Symbol {
        &self.view.files[place.file as usize].outline().symbols[place.symbol as usize]
    }

    /// Returns the definition that a chunk is a part of, and that is shown whole: none for code
    /// that merely lies in a module or a section.
    pub fn definition(&self, place: ChunkRef) -> Option<SymbolRef> {
        let outline = &self.view.files[place.file as usize].outline();
        let symbol = outline.chunks[place.chunk as usize].symbol?;
        let kind = outline.symbols.get(symbol as usize)?.kind;
        let is_shown_whole = !opens_again(kind) && kind != SymbolKind::Section;
        is_shown_whole.then_some(SymbolRef {
            file: place.file,
            symbol,
        })
    }

    /// Returns the chunk in which a reader of the definition should land.
    pub fn chunk_of(&self, place: SymbolRef) -> Option<ChunkRef> {
        let outline = self.view.files[place.file as usize].outline();
        let chunk = outline.landing_chunk(place.symbol)?;
        Some(ChunkRef {
            file: place.file,
            chunk,
        })
    }
}

/// Share of the shipped files, and number of them, from which a word is what a program is about.
const SUBJECT_SHARE: f64 = 0.1;
const SUBJECT_FILES: f64 = 3.0;
