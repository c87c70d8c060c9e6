//! A repository's store: its generations, and the one writer.

use crate::catalog::{Catalog, ContentRow, NewContent, NewView, ViewKey};
use crate::error::{IndexError, Result};
use crate::facts::{FactsReader, MemoryCeiling, NamedContent, ViewFacts};
use crate::layout::{StoreLayout, WriterLock, WriterRequest, is_condemned};
use crate::lexical::LexicalWriter;
use crate::manifest::Manifest;
use crate::migrate_vectors::migrate_vectors;
use crate::reader::Reader;
use crate::token_vectors::clear_older;
use crate::view::View;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use whyrank_inference::StaticEncoder;

/// Share of orphaned chunks from which an update clears them away.
const MAX_ORPHANED: f64 = 0.5;
/// Commit views kept; older ones are dropped when a new one is made.
const MAX_COMMIT_VIEWS: usize = 8;

/// The store of one repository, at a folder.
#[derive(Clone, Debug)]
pub struct Store {
    layout: StoreLayout,
}

/// How a writer starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteMode {
    /// Goes on in the live generation, or in one that a killed first build left; beside a live one of
    /// an earlier version it begins another.
    Update,
    /// Builds a new generation beside the live one.
    Rebuild,
}

impl Store {
    /// Returns a store at a folder, which need not exist yet.
    pub fn at(folder: &Path) -> Self {
        Self {
            layout: StoreLayout::new(folder),
        }
    }

    pub(crate) fn layout(&self) -> &StoreLayout {
        &self.layout
    }

    /// Returns its folder.
    pub fn folder(&self) -> &Path {
        self.layout.root()
    }

    /// Says whether a generation is live, and not of an earlier version.
    pub fn exists(&self) -> bool {
        self.live().is_some()
    }

    /// The live generation. One of an earlier version, or a damaged one, is as good as none: the next
    /// writer rebuilds it.
    fn live(&self) -> Option<PathBuf> {
        self.layout.sound_live()
    }

    /// Returns bytes on disk.
    pub fn size_bytes(&self) -> u64 {
        self.layout.size_bytes()
    }

    /// Opens the live generation for reading.
    ///
    /// # Errors
    /// [`IndexError::Missing`], [`IndexError::Incompatible`], [`IndexError::Damaged`].
    pub fn reader(&self) -> Result<Reader> {
        Reader::open(self.live().ok_or_else(|| self.layout.missing())?)
    }

    /// Says whether a reader still reads the live generation.
    pub fn is_current(&self, reader: &Reader) -> bool {
        self.layout.live().as_deref() == Some(&reader.generation)
    }

    /// Takes the writer's lock. What an earlier version wrote is rebuilt beside it, with the vectors
    /// of texts that are the same.
    ///
    /// # Errors
    /// [`IndexError::Locked`] while another process writes; those of [`Store::reader`].
    pub fn writer(&self, mode: WriteMode) -> Result<Writer> {
        let lock = self.layout.lock()?;
        let generation = match (mode, self.live()) {
            (WriteMode::Update, Some(live)) => live,
            (WriteMode::Update, None) => self.unfinished_generation()?,
            (WriteMode::Rebuild, _) => self.layout.new_generation()?,
        };
        let writer = Writer::open(self.layout.clone(), lock, generation)?;
        if let (WriteMode::Update, Some(older)) = (mode, self.layout.live())
            && older != writer.generation
        {
            migrate_vectors(&older, &writer.generation);
        }
        Ok(writer)
    }

    /// A generation that a killed first build left behind, if it fits; else a new one.
    fn unfinished_generation(&self) -> Result<PathBuf> {
        match self.layout.newest_generation() {
            Some(folder) if Manifest::check(&folder).is_ok() && !is_condemned(&folder) => {
                Ok(folder)
            }
            _ => self.layout.new_generation(),
        }
    }

    /// Asks the writing process to let others write for a moment, until what it answers with is dropped.
    ///
    /// # Errors
    /// [`IndexError::Io`].
    pub fn request_writer(&self) -> Result<WriterRequest> {
        self.layout.request_writer()
    }

    /// Says whether somebody, here or in another process, waits by [`Store::request_writer`]. Opens
    /// a file.
    pub fn is_writer_requested(&self) -> bool {
        self.layout.is_writer_requested()
    }

    /// Deletes the store. Takes the writer's lock first.
    ///
    /// # Errors
    /// [`IndexError::Locked`], [`IndexError::Io`].
    pub fn delete(&self) -> Result<()> {
        let _lock = self.layout.lock()?;
        std::fs::remove_dir_all(self.folder()).map_err(|error| IndexError::io(self.folder(), error))
    }
}

/// Writes a generation. One at a time; dropping it lets the next one in.
pub struct Writer {
    pub(crate) layout: StoreLayout,
    pub(crate) generation: PathBuf,
    pub(crate) catalog: Catalog,
    lexical: LexicalWriter,
    pub(crate) ceiling: MemoryCeiling,
    /// What gives each chunk its row in the static lane; `None` where the lane is off.
    pub(crate) static_encoder: Option<Arc<StaticEncoder>>,
    _lock: WriterLock,
}

impl Writer {
    fn open(layout: StoreLayout, lock: WriterLock, generation: PathBuf) -> Result<Self> {
        let catalog_path = generation.join("catalog.db");
        let catalog = if catalog_path.exists() {
            Manifest::check(&generation)?;
            Catalog::open_writer(&catalog_path)?
        } else {
            let catalog = Catalog::create(&catalog_path)?;
            Manifest::current().write(&generation)?;
            catalog
        };
        let lexical = LexicalWriter::open(&generation.join("lexical"))?;
        let mut writer = Self {
            layout,
            generation,
            catalog,
            lexical,
            ceiling: MemoryCeiling::default(),
            static_encoder: None,
            _lock: lock,
        };
        writer.clear_unfinished()?;
        Ok(writer)
    }

    /// Says how much memory the process may take while large views are worked out.
    #[must_use]
    pub fn within(self, ceiling: MemoryCeiling) -> Self {
        Self { ceiling, ..self }
    }

    /// Says what gives each chunk a static vector; without it the lane stays as it is.
    #[must_use]
    pub fn with_static(self, encoder: Option<Arc<StaticEncoder>>) -> Self {
        Self {
            static_encoder: encoder,
            ..self
        }
    }

    /// Removes what a killed writer left between its steps.
    fn clear_unfinished(&mut self) -> Result<()> {
        let unfinished = self.catalog.unfinished_contents()?;
        self.remove_contents(&unfinished)
    }

    fn remove_contents(&mut self, contents: &[i64]) -> Result<()> {
        if contents.is_empty() {
            return Ok(());
        }
        for content in contents {
            self.lexical.delete(*content);
        }
        self.lexical.commit()?;
        self.catalog.delete_contents(contents)
    }

    pub(crate) fn insert_contents(
        &mut self,
        contents: &[NewContent<'_>],
    ) -> Result<Vec<ContentRow>> {
        let rows = self.catalog.insert_contents(contents)?;
        for (content, row) in contents.iter().zip(&rows) {
            for (idx, chunk) in content.outline.chunks.iter().enumerate() {
                let range = chunk.span.start_byte as usize..chunk.span.end_byte as usize;
                let body = content.text.get(range).unwrap_or_default();
                let symbol = chunk
                    .symbol
                    .and_then(|symbol| content.outline.symbols.get(symbol as usize));
                let name = symbol.map_or("", |symbol| symbol.qualified.as_str());
                self.lexical
                    .add(row.first_chunk + idx as u32, row.content_id, &[name, body])?;
            }
        }
        Ok(rows)
    }

    /// Makes written contents findable: first the lexical store, then the catalog.
    pub(crate) fn commit_contents(&mut self) -> Result<()> {
        self.lexical.commit()?;
        self.catalog.mark_live()?;
        self.follow_static()
    }

    pub(crate) fn flip_view(&mut self, view: &NewView<'_>) -> Result<()> {
        self.catalog.flip_view(view)?;
        self.go_live()
    }

    /// Makes this generation the one that readers open, where it is not: after a first build, and when
    /// the name of the live one was damaged.
    pub(crate) fn go_live(&self) -> Result<()> {
        if self.layout.live().as_ref() != Some(&self.generation) {
            self.layout.go_live(&self.generation)?;
        }
        Ok(())
    }

    pub(crate) fn view(&self, key: &ViewKey) -> Result<View> {
        let facts = FactsReader::open(&self.generation.join("catalog.db"))?;
        View::open(&self.catalog, key, &Arc::new(facts))
    }

    /// What some files say, with room for as much as a resolution looks at by turns.
    pub(crate) fn view_facts<'a>(
        &self,
        files: impl Iterator<Item = (&'a str, &'a str, i64)>,
    ) -> Result<ViewFacts<'a>> {
        let reader = Arc::new(FactsReader::open(&self.generation.join("catalog.db"))?);
        let named = |(path, language, content_id)| NamedContent {
            path,
            language,
            content_id,
            reader: Arc::clone(&reader),
            outline: None,
        };
        Ok(ViewFacts::new(files.map(named), true, self.ceiling))
    }

    /// Drops a view; its contents stay until they are swept.
    pub fn delete_view(&mut self, key: &ViewKey) -> Result<()> {
        self.catalog.delete_view(key)
    }

    /// Clears away old generations, token vectors of older formats, old commit views and, when they are
    /// many, contents that no view shows, with their vectors. Call it after a completed update; a
    /// generation that is not live yet is left alone, since the next writer goes on in it.
    pub fn sweep(&mut self) -> Result<()> {
        if self.layout.live().as_ref() != Some(&self.generation) {
            return Ok(());
        }
        self.layout.sweep();
        clear_older(&self.generation);
        let commits = self
            .catalog
            .views()?
            .into_iter()
            .filter(|(key, _)| matches!(key, ViewKey::Commit(_)));
        for (key, _) in commits.skip(MAX_COMMIT_VIEWS).collect::<Vec<_>>() {
            self.catalog.delete_view(&key)?;
        }
        self.prune_graphs()?;
        let (orphans, n_all, n_orphaned) = self.catalog.orphans()?;
        if n_orphaned as f64 > MAX_ORPHANED * n_all as f64 {
            self.remove_contents(&orphans)?;
            self.prune_names()?;
            self.prune_grams()?;
            self.prune_vectors()?;
            self.follow_static()?;
        }
        Ok(())
    }

    /// Ends writing: waits for background merges and folds logs into their files.
    pub fn finish(self) -> Result<()> {
        self.lexical.finish()?;
        self.catalog.checkpoint()
    }
}
