//! A loaded view, and the pool of repositories that it may join.
//!
//! What features work out of a view once lies beside it and goes with it.

use crate::code::{
    ExecutionCache, GraphFacts, History, KnownStructure, KnownUses, Outside, ScipCache,
};
use crate::registry::Registered;
use parking_lot::Mutex;
use roaring::RoaringBitmap;
use std::ops::Deref;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use whyrank_grams::GramQuery;
use whyrank_graph::SymbolTable;
use whyrank_index::{IndexError, Reader, View, ViewGrams, ViewKey};
use whyrank_retrieval::{PastChanges, SearchIndex, SymbolGraph};

/// Longer files are cut: nobody reads more in a preview.
const MAX_SHOWN_BYTES: usize = 512 << 10;

/// A loaded view with its reader and what was worked out of it. Dereferences to the [`View`].
pub(crate) struct LiveView {
    /// The store of its repository; of a view over several, that of the first: ask
    /// [`LiveView::text`] and [`LiveView::links`].
    pub(crate) reader: Arc<Reader>,
    /// The repositories that it joins; `None` for one of its own.
    pub(crate) pool: Option<Arc<LivePool>>,
    pub(crate) index: Arc<SearchIndex>,
    /// Chunks with vectors: when and for which model that was counted.
    pub(crate) covered: Mutex<Option<(Instant, String, u64)>>,
    /// The same for token vectors.
    pub(crate) with_tokens: Mutex<Option<(Instant, String, u64)>>,
    /// The kept symbol graph was found to be whole.
    pub(crate) has_cached_graph: AtomicBool,
    /// Definitions by name, at first need.
    pub(crate) table: OnceLock<Arc<SymbolTable>>,
    /// The symbol graph that search walks.
    pub(crate) search_graph: OnceLock<SymbolGraph>,
    /// What the symbol graph reads of the files.
    pub(crate) facts: Mutex<Option<Arc<GraphFacts>>>,
    /// Grams of the files, at first need.
    pub(crate) grams: OnceLock<ViewGrams>,
    /// What every use means.
    pub(crate) uses: OnceLock<KnownUses>,
    /// Dependencies of files, and clusters.
    pub(crate) structure: KnownStructure,
    /// What ran, as read last.
    pub(crate) execution: ExecutionCache,
    /// The SCIP indexes read last.
    pub(crate) scip: ScipCache,
    /// Which files were changed together, for the picture of the graph.
    pub(crate) history: OnceLock<History>,
    /// What the newest commits changed, for search.
    pub(crate) past_changes: OnceLock<PastChanges>,
    /// What other repositories can import of it, and what it imports of others.
    pub(crate) outside: OnceLock<Outside>,
}

impl LiveView {
    pub(crate) fn new(reader: Arc<Reader>, index: SearchIndex) -> Self {
        Self {
            reader,
            pool: None,
            index: Arc::new(index),
            covered: Mutex::default(),
            with_tokens: Mutex::default(),
            has_cached_graph: AtomicBool::new(false),
            table: OnceLock::new(),
            search_graph: OnceLock::new(),
            facts: Mutex::default(),
            grams: OnceLock::new(),
            uses: OnceLock::new(),
            structure: KnownStructure::default(),
            execution: ExecutionCache::default(),
            scip: ScipCache::default(),
            history: OnceLock::new(),
            past_changes: OnceLock::new(),
            outside: OnceLock::new(),
        }
    }

    /// A view over several repositories. Its files lie below their names.
    pub(crate) fn over(pool: Arc<LivePool>, index: SearchIndex) -> Self {
        let reader = Arc::clone(&pool.parts[0].view.reader);
        Self {
            pool: Some(pool),
            ..Self::new(reader, index)
        }
    }

    /// The text of a file.
    pub(crate) fn text(&self, file: u32) -> Result<String, IndexError> {
        match &self.pool {
            Some(pool) => {
                let (at, file) = pool.index.locate_file(file);
                pool.parts[at].view.text(file.0)
            }
            None => self.reader.text(self.files[file as usize].content_id),
        }
    }

    /// The files that may hold what is asked for.
    pub(crate) fn candidates(&self, query: &GramQuery) -> RoaringBitmap {
        let all = 0..self.files.len() as u32;
        match &self.pool {
            _ if query.is_any() => all.collect(),
            Some(pool) => {
                let parts = pool.parts.iter();
                let of_parts: Vec<_> = parts.map(|part| part.view.candidates(query)).collect();
                let may_hold = |file: &u32| {
                    let (part, file) = pool.index.locate_file(*file);
                    of_parts[part].contains(file.0)
                };
                all.filter(may_hold).collect()
            }
            None => {
                let grams = self
                    .grams
                    .get_or_init(|| self.reader.grams(self.snapshot()));
                grams.candidates(query)
            }
        }
    }

    /// The text of a file as far as it is shown, and whether it goes on.
    pub(crate) fn shown_text(&self, file: u32) -> Result<(String, bool), IndexError> {
        let mut text = self.text(file)?;
        let is_cut = text.len() > MAX_SHOWN_BYTES;
        text.truncate(text.floor_char_boundary(MAX_SHOWN_BYTES));
        Ok((text, is_cut))
    }

    /// Returns the view as the index says it.
    pub(crate) fn snapshot(&self) -> &View {
        &self.index.view
    }
}

impl Deref for LiveView {
    type Target = View;

    fn deref(&self) -> &View {
        self.snapshot()
    }
}

/// Store and view.
pub(crate) type Slot = (String, ViewKey);

/// A repository of a pool.
#[derive(Clone)]
pub(crate) struct LivePart {
    /// Its name among the others.
    pub(crate) name: String,
    pub(crate) repo: Registered,
    pub(crate) view: Arc<LiveView>,
}

/// Views of several repositories with the index over all of them; a single repository is a pool of one.
pub(crate) struct LivePool {
    /// In the order of their names as folders.
    pub(crate) parts: Vec<LivePart>,
    pub(crate) index: Arc<SearchIndex>,
}
