//! What files say, read from the catalog where it is asked for.
//!
//! A view of a large tree has millions of definitions and uses; a question needs those of a few files, and
//! a pass over all needs them one after the other.

use crate::catalog::{Catalog, Links, Outline};
use crate::error::{IndexError, Result};
use rayon::prelude::*;
use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use whyrank_graph::{Facts, FileInput, FileSource, OpenFiles};
use whyrank_syntax::FileFacts;

static N_LOST: AtomicU64 = AtomicU64::new(0);

/// Returns how often a file's definitions or uses could not be read, by damage or because what an
/// old view shows was swept. Compare it before and after: where it differs, an answer in between
/// lacks something.
pub fn n_lost() -> u64 {
    N_LOST.load(Ordering::SeqCst)
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
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What could not be read since it was last asked: who got nothing in its place must not answer.
    pub(crate) fn take_failure(&self) -> Option<IndexError> {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.take()
    }

    pub(crate) fn has_failed(&self) -> bool {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
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
        N_LOST.fetch_add(1, Ordering::SeqCst);
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
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
        outline: Option<&Outline>,
    ) -> (FileFacts, usize) {
        let symbols = match outline {
            Some(known) => known.symbols.clone(),
            None => self.outline(content_id).symbols,
        };
        let (links, n_bytes) = if needs_links {
            self.or_noted(self.links(content_id))
        } else {
            Default::default()
        };
        // Names and heads of definitions are most of what they take.
        let n_bytes = 2 * n_bytes + 40 * symbols.len();
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
        }
    }

    fn read(&self) -> (FileFacts, usize) {
        let outline = self.outline.as_deref();
        self.reader
            .facts(self.content_id, self.needs_links, outline)
    }
}

impl Drop for LazyFacts {
    fn drop(&mut self) {
        if let Some((_, n_bytes)) = self.facts.get() {
            self.reader.n_held.fetch_sub(*n_bytes, Ordering::Relaxed);
        }
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

    fn with_facts(&self, read: &mut dyn FnMut(&FileFacts)) {
        match self.facts.get() {
            Some((facts, _)) => read(facts),
            None if self.keeps => read(self.kept()),
            None => read(&self.read().0),
        }
    }
}

/// Files that a visit is for at least, however much they look at: what they share is read again in the
/// next.
const LEAST_VISIT: usize = 2_000;

/// Files of a view whose facts stay in memory between visits: each pass would read all of them again.
const MOST_KEPT: usize = 10_000;

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
    /// Stored bytes of facts that may be in memory.
    room: usize,
}

impl std::fmt::Debug for ViewFacts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ViewFacts").finish_non_exhaustive()
    }
}

impl<'a> ViewFacts<'a> {
    /// `needs_links`: uses and imports as well as definitions.
    pub(crate) fn new(
        files: impl Iterator<Item = NamedContent<'a>>,
        needs_links: bool,
        room: usize,
    ) -> Self {
        let mut facts = Self {
            readers: Vec::new(),
            files: files.collect(),
            needs_links,
            kept: None,
            room,
        };
        for file in &facts.files {
            let is_new = |known: &Arc<FactsReader>| !Arc::ptr_eq(known, &file.reader);
            if facts.readers.iter().all(is_new) {
                facts.readers.push(Arc::clone(&file.reader));
            }
        }
        if facts.files.len() <= MOST_KEPT {
            let kept = facts.unread(true);
            kept.par_iter().for_each(|file| {
                file.kept();
            });
            facts.kept = Some(kept);
        }
        facts
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
        let read_now;
        let facts = match &self.kept {
            Some(kept) => kept,
            None => {
                read_now = self.unread(false);
                &read_now
            }
        };
        let files: Vec<FileInput<'_>> = self
            .files
            .iter()
            .zip(facts)
            .map(|(file, facts)| FileInput {
                path: file.path,
                language: file.language,
                facts,
            })
            .collect();
        let n_asked = Cell::new(0);
        let is_full = || {
            n_asked.set(n_asked.get() + 1);
            self.kept.is_none() && n_asked.get() > LEAST_VISIT && self.n_held() > self.room
        };
        visit(&OpenFiles {
            files: &files,
            is_full: &is_full,
        });
    }
}
