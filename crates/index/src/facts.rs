//! What files say, read from the catalog where it is asked for.
//!
//! A view of a large tree has millions of definitions and uses; a question needs those of a few files, and
//! a pass over all needs them one after the other.

use crate::catalog::{Catalog, Links};
use crate::error::{IndexError, Result};
use crate::names::Outline;
use parking_lot::{Mutex, MutexGuard};
use rayon::prelude::*;
use std::cell::{Cell, RefCell};
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use whyrank_graph::{Facts, FileInput, FileSource, OpenFiles};
use whyrank_syntax::{FileFacts, Symbol};
use whyrank_system::{heap, mapped};

/// What a definition counts for: its name and head are most of it.
const SYMBOL_BYTES: usize = 40;

static N_LOST: AtomicU64 = AtomicU64::new(0);

/// Returns how often something could not be read, by damage or because what an old view shows was
/// swept, and how many files were altered under who has them open. Compare it before and after: where
/// it differs, an answer in between lacks something.
pub fn n_lost() -> u64 {
    N_LOST.load(Ordering::SeqCst) + mapped::n_altered() + mapped::n_missed()
}

/// Notes that something could not be read, where the answer cannot say so.
pub(crate) fn note_loss() {
    N_LOST.fetch_add(1, Ordering::SeqCst);
}

/// Reads outlines and links over a connection of its own.
pub(crate) struct FactsReader {
    catalog: Mutex<Catalog>,
    /// What could not be read, first of all.
    failure: Mutex<Option<IndexError>>,
    /// Stored bytes of the facts that are in memory: what they take there is about six times as much.
    n_held: AtomicUsize,
}

impl std::fmt::Debug for FactsReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FactsReader").finish_non_exhaustive()
    }
}

impl FactsReader {
    pub(crate) fn open(catalog: &Path) -> Result<Self> {
        Ok(Self {
            catalog: Mutex::new(Catalog::open_reader(catalog)?),
            failure: Mutex::default(),
            n_held: AtomicUsize::new(0),
        })
    }

    fn catalog(&self) -> MutexGuard<'_, Catalog> {
        self.catalog.lock()
    }

    /// What could not be read since it was last asked: who got nothing in its place must not answer.
    pub(crate) fn take_failure(&self) -> Option<IndexError> {
        let mut failure = self.failure.lock();
        failure.take()
    }

    pub(crate) fn has_failed(&self) -> bool {
        let failure = self.failure.lock();
        failure.is_some()
    }

    /// Notes that a file's outline is gone, or another's.
    pub(crate) fn note_loss(&self, path: &str) {
        self.note(IndexError::Damaged {
            path: "catalog.db".into(),
            detail: format!("the definitions of {path} are gone"),
        });
    }

    fn note(&self, error: IndexError) {
        note_loss();
        let mut failure = self.failure.lock();
        failure.get_or_insert(error);
    }

    /// Nothing in place of what cannot be read, which is noted.
    fn or_noted<T: Default>(&self, outcome: Result<T>) -> T {
        outcome.unwrap_or_else(|error| {
            self.note(error);
            T::default()
        })
    }

    pub(crate) fn outline(&self, content_id: i64) -> Outline {
        let bytes = self.catalog().outline_bytes(content_id);
        self.or_noted(bytes.and_then(|bytes| Catalog::unpack_outline(&bytes)))
    }

    fn links(&self, content_id: i64) -> Result<(Links, usize)> {
        let bytes = self.catalog().links_bytes(content_id)?;
        Ok((Catalog::unpack_links(&bytes)?, bytes.len()))
    }

    fn facts(
        &self,
        content_id: i64,
        needs_links: bool,
        symbols: Option<&Vec<Symbol>>,
    ) -> (FileFacts, usize) {
        let symbols = match symbols {
            Some(known) => known.clone(),
            None => self.outline(content_id).symbols,
        };
        // Uses name definitions by their place: without these they lead nowhere.
        let are_lost = symbols.is_empty() && self.has_failed();
        let (links, n_bytes) = if needs_links && !are_lost {
            self.or_noted(self.links(content_id))
        } else {
            Default::default()
        };
        // Names and heads of definitions are most of what they take.
        let n_bytes = 2 * n_bytes + SYMBOL_BYTES * symbols.len();
        let facts = FileFacts {
            symbols,
            references: links.references,
            imports: links.imports,
            locals: links.locals,
            chunks: Vec::new(),
            errors: Vec::new(),
        };
        (facts, n_bytes)
    }
}

/// What a file says, in memory once it was asked for.
pub struct LazyFacts {
    reader: Arc<FactsReader>,
    content_id: i64,
    needs_links: bool,
    outline: Option<Arc<Outline>>,
    /// A short read keeps what it read.
    keeps: bool,
    facts: OnceLock<(Box<FileFacts>, usize)>,
    /// Definitions alone: of most files that a resolution looks at nothing else is asked.
    symbols: OnceLock<Vec<Symbol>>,
}

impl LazyFacts {
    /// `needs_links`: uses and imports as well as definitions. `outline`: where it was read before.
    pub(crate) fn new(
        reader: Arc<FactsReader>,
        content_id: i64,
        needs_links: bool,
        outline: Option<Arc<Outline>>,
    ) -> Self {
        Self {
            reader,
            content_id,
            needs_links,
            outline,
            keeps: false,
            facts: OnceLock::new(),
            symbols: OnceLock::new(),
        }
    }

    /// Returns how many stored bytes of all files of the same store are in memory; what they take
    /// there is about six times as much.
    pub fn held_bytes(&self) -> usize {
        self.reader.n_held.load(Ordering::Relaxed)
    }

    fn read(&self) -> (FileFacts, usize) {
        let outline = self.outline.as_ref().map(|outline| &outline.symbols);
        let symbols = self.symbols.get().or(outline);
        self.reader
            .facts(self.content_id, self.needs_links, symbols)
    }
}

impl Drop for LazyFacts {
    fn drop(&mut self) {
        let facts = self.facts.get().map_or(0, |(_, n_bytes)| *n_bytes);
        let n_symbols = self.symbols.get().map_or(0, Vec::len);
        let n_bytes = facts + SYMBOL_BYTES * n_symbols;
        self.reader.n_held.fetch_sub(n_bytes, Ordering::Relaxed);
    }
}

impl Facts for LazyFacts {
    fn kept(&self) -> &FileFacts {
        let (facts, _) = self.facts.get_or_init(|| {
            let (facts, n_bytes) = self.read();
            self.reader.n_held.fetch_add(n_bytes, Ordering::Relaxed);
            (Box::new(facts), n_bytes)
        });
        facts
    }

    fn symbols(&self) -> &[Symbol] {
        if self.keeps || !self.needs_links || self.facts.get().is_some() {
            return &self.kept().symbols;
        }
        self.symbols.get_or_init(|| {
            let symbols = match &self.outline {
                Some(known) => known.symbols.clone(),
                None => self.reader.outline(self.content_id).symbols,
            };
            let n_bytes = SYMBOL_BYTES * symbols.len();
            self.reader.n_held.fetch_add(n_bytes, Ordering::Relaxed);
            symbols
        })
    }

    fn with_facts(&self, read: &mut dyn FnMut(&FileFacts)) {
        match self.facts.get() {
            Some((facts, _)) => read(facts),
            None if self.keeps => read(self.kept()),
            None => read(&self.read().0),
        }
    }
}

/// How much memory the process may take while the symbol graph of a large view is made. What files say is
/// let go, and read again where it is needed, before there is more of it than fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryCeiling {
    bytes: u64,
    /// Files of a view whose facts stay in memory between visits: each pass would read all of them again.
    most_kept: usize,
    /// Files that a visit is for at least, however much they look at: what they share is read again in
    /// the next.
    least_visit: usize,
    /// Files between two looks at the memory of the process.
    look_every: usize,
}

impl MemoryCeiling {
    /// The most that is taken where nobody says how much may be.
    const DEFAULT_BYTES: u64 = 2 << 30;

    /// So many megabytes; 0 for the default, a quarter of the machine and at most 2,048.
    pub fn of_mb(mb: u32) -> Self {
        let quarter = || heap::machine_bytes().map(|bytes| bytes / 4);
        let bytes = match mb {
            0 => quarter().map_or(Self::DEFAULT_BYTES, |most| most.min(Self::DEFAULT_BYTES)),
            mb => u64::from(mb) << 20,
        };
        Self {
            bytes,
            most_kept: 10_000,
            least_visit: 500,
            look_every: 16,
        }
    }

    /// Returns the ceiling in bytes.
    pub fn bytes(self) -> u64 {
        self.bytes
    }

    /// Returns the same for views of any size, looked at after every file: to try what else only happens
    /// with thousands.
    #[must_use]
    pub fn of_any_size(self) -> Self {
        Self {
            most_kept: 0,
            least_visit: 1,
            look_every: 1,
            ..self
        }
    }

    /// Whether no more of what files say should be read. A quarter is for what is made of it.
    fn is_reached(self) -> bool {
        let resident = heap::resident_bytes();
        resident.is_some_and(|bytes| bytes > self.bytes / 4 * 3)
    }
}

impl Default for MemoryCeiling {
    fn default() -> Self {
        Self::of_mb(0)
    }
}

/// Stored bytes of what files say that are in memory at one time at most, whatever the ceiling.
const ROOM_BYTES: usize = 128 << 20;

/// A file of a view, and where to read what it says.
pub(crate) struct NamedContent<'a> {
    pub(crate) path: &'a str,
    pub(crate) language: &'a str,
    pub(crate) content_id: i64,
    pub(crate) reader: Arc<FactsReader>,
    /// Where it was read before.
    pub(crate) outline: Option<Arc<Outline>>,
}

/// The files of a view with what they say.
pub struct ViewFacts<'a> {
    readers: Vec<Arc<FactsReader>>,
    files: Vec<NamedContent<'a>>,
    needs_links: bool,
    /// What the files of a view of ordinary size say.
    kept: Option<Vec<LazyFacts>>,
    /// What the last visit read of a larger one, where visits look at much the same few files.
    read_last: Option<RefCell<Vec<LazyFacts>>>,
    ceiling: MemoryCeiling,
}

impl std::fmt::Debug for ViewFacts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ViewFacts").finish_non_exhaustive()
    }
}

impl Drop for ViewFacts<'_> {
    /// What was made of many small pieces is gone by now.
    fn drop(&mut self) {
        self.read_last = None;
        if self.kept.is_none() {
            heap::give_back();
        }
    }
}

impl<'a> ViewFacts<'a> {
    /// `needs_links`: uses and imports as well as definitions.
    pub(crate) fn new(
        files: impl Iterator<Item = NamedContent<'a>>,
        needs_links: bool,
        ceiling: MemoryCeiling,
    ) -> Self {
        let mut facts = Self {
            readers: Vec::new(),
            files: files.collect(),
            needs_links,
            kept: None,
            read_last: None,
            ceiling,
        };
        for file in &facts.files {
            let is_new = |known: &Arc<FactsReader>| !Arc::ptr_eq(known, &file.reader);
            if facts.readers.iter().all(is_new) {
                facts.readers.push(Arc::clone(&file.reader));
            }
        }
        if facts.files.len() <= ceiling.most_kept {
            let kept = facts.unread(true);
            kept.par_iter().for_each(|file| {
                file.kept();
            });
            facts.kept = Some(kept);
        }
        facts
    }

    /// The same for visits that look at a few files, and at much the same ones.
    pub(crate) fn of_few(mut self) -> Self {
        self.read_last = Some(RefCell::default());
        self
    }

    fn unread(&self, keeps: bool) -> Vec<LazyFacts> {
        let files = self.files.iter();
        let unread = files.map(|file| {
            let outline = file.outline.as_ref().map(Arc::clone);
            let reader = Arc::clone(&file.reader);
            let mut facts = LazyFacts::new(reader, file.content_id, self.needs_links, outline);
            facts.keeps = keeps;
            facts
        });
        unread.collect()
    }

    fn has_room(&self) -> bool {
        self.n_held() <= ROOM_BYTES
    }

    fn n_held(&self) -> usize {
        let held = self.readers.iter();
        held.map(|reader| reader.n_held.load(Ordering::Relaxed))
            .sum()
    }

    /// What could not be read.
    pub(crate) fn outcome(&self) -> Result<()> {
        let mut failures = self
            .readers
            .iter()
            .filter_map(|reader| reader.take_failure());
        failures.next().map_or(Ok(()), Err)
    }
}

impl FileSource for ViewFacts<'_> {
    fn open(&self, visit: &mut dyn FnMut(&OpenFiles<'_>)) {
        match &self.kept {
            Some(kept) => self.open_with(kept, &|| false, visit),
            None => {
                let n_asked = Cell::new(0);
                let is_full = || {
                    let n: usize = n_asked.get() + 1;
                    n_asked.set(n);
                    let is_to_look = n.is_multiple_of(self.ceiling.look_every);
                    n >= self.ceiling.least_visit
                        && (!self.has_room() || is_to_look && self.ceiling.is_reached())
                };
                let read_last = self.read_last.as_ref().map(RefCell::take);
                let facts = read_last.filter(|facts| !facts.is_empty());
                let facts = facts.unwrap_or_else(|| self.unread(false));
                self.open_with(&facts, &is_full, visit);
                if let Some(read_last) = self.read_last.as_ref().filter(|_| self.has_room()) {
                    *read_last.borrow_mut() = facts;
                    return;
                }
                drop(facts);
                // What the next visit takes is measured.
                heap::give_back();
            }
        }
    }
}

impl ViewFacts<'_> {
    fn open_with(
        &self,
        facts: &[LazyFacts],
        is_full: &dyn Fn() -> bool,
        visit: &mut dyn FnMut(&OpenFiles<'_>),
    ) {
        let files = self.files.iter().zip(facts);
        let files: Vec<FileInput<'_>> = files
            .map(|(file, facts)| FileInput {
                path: file.path,
                language: file.language,
                facts,
            })
            .collect();
        visit(&OpenFiles {
            files: &files,
            is_full,
        });
    }
}
