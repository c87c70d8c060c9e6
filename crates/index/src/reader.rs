//! Reading one generation: views, contents, words and vectors, and what was worked out from them.

use crate::bm25::Collection;
use crate::catalog::{Catalog, Links, ViewKey};
use crate::error::{IndexError, Result};
use crate::facts::{FactsReader, note_loss};
use crate::grams::ViewGrams;
use crate::layout::{DERIVED, vector_path};
use crate::lexical::LexicalReader;
use crate::manifest::Manifest;
use crate::mapped_sections::MappedSections;
use crate::names::{NamesLimits, OpenSegments, ViewNames};
use crate::postings::PostingsReader;
use crate::scored_chunk::ScoredChunk;
use crate::sketch::DamagedRow;
use crate::static_lane::{CachedStatic, StaticRows};
use crate::token_vectors::{CachedTokens, TokenReader, token_folder};
use crate::vectors::VectorStore;
use crate::view::View;
use parking_lot::Mutex;
use roaring::RoaringBitmap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use whyrank_inference::{EncoderSpec, TokenSpec};
use whyrank_source::SkippedFile;
use whyrank_system::mapped::{self, Kept, Watch};

/// Reads one generation, and keeps reading it when another goes live.
pub struct Reader {
    pub(crate) generation: PathBuf,
    manifest: Manifest,
    catalog: Mutex<Catalog>,
    facts: Arc<FactsReader>,
    lexical: LexicalReader,
    names: OpenSegments,
    vectors: Mutex<Option<(String, VectorStore, Watch)>>,
    tokens: Mutex<Option<CachedTokens>>,
    statics: CachedStatic,
    met_damage: AtomicBool,
    _catalog_file: Watch,
}

impl Reader {
    pub(crate) fn open(generation: PathBuf) -> Result<Self> {
        let manifest = Manifest::check(&generation)?;
        let path = generation.join("catalog.db");
        if !path.exists() {
            return Err(IndexError::Damaged {
                path: generation,
                detail: "no catalog".to_owned(),
            });
        }
        // Who has a removed file open would answer from it for ever.
        let catalog_file = mapped::watch(&path, Kept::Place);
        let catalog_file = catalog_file.map_err(|error| IndexError::io(&path, error))?;
        let catalog = Mutex::new(Catalog::open_reader(&path)?);
        let facts = Arc::new(FactsReader::open(&path)?);
        let lexical = LexicalReader::open(&generation.join("lexical"))?;
        Ok(Self {
            facts,
            generation,
            manifest,
            catalog,
            lexical,
            names: OpenSegments::default(),
            vectors: Mutex::new(None),
            tokens: Mutex::new(None),
            statics: CachedStatic::default(),
            met_damage: AtomicBool::new(false),
            _catalog_file: catalog_file,
        })
    }

    pub(crate) fn catalog(&self) -> parking_lot::MutexGuard<'_, Catalog> {
        self.catalog.lock()
    }

    /// Returns what the generation was built with.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the generation's name.
    pub fn generation(&self) -> String {
        self.generation
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    /// What was kept of a topic at a version, under the same stamp, to be read where it is asked for;
    /// `None` when there is nothing, or it is damaged.
    pub fn kept(&self, topic: &str, version: u64, stamp: &str) -> Option<MappedSections> {
        self.kept_by(topic, version, &|made_from| made_from == stamp)
    }

    /// The same, for whatever stamp is accepted.
    pub fn kept_by(
        &self,
        topic: &str,
        version: u64,
        is_accepted: &dyn Fn(&str) -> bool,
    ) -> Option<MappedSections> {
        let path = self.derived(topic, version);
        let was_there = path.exists();
        let file = MappedSections::open_by(&path, is_accepted);
        if file.is_none() && was_there && !path.exists() {
            self.note_lost_file();
        }
        file
    }

    /// Takes a damaged file away, to be made again. Where that is not possible, who asks does without it.
    pub(crate) fn drop_damaged(&self, path: &Path) {
        if std::fs::remove_file(path).is_ok() {
            self.note_lost_file();
        }
    }

    /// Notes that a file was damaged and is gone: whoever asks would take it for not made yet.
    fn note_lost_file(&self) {
        note_loss();
        self.note_damage();
    }

    /// Keeps what was worked out from this generation, for other processes, in place of the topic's
    /// other versions. It goes with the generation. `stamp` says what else it was made from.
    ///
    /// # Errors
    /// Unwritable folders.
    pub fn keep(&self, topic: &str, version: u64, stamp: &str, sections: &[&[u8]]) -> Result<()> {
        let path = self.derived(topic, version);
        MappedSections::write(&path, stamp, sections)?;
        let folder = self.generation.join(DERIVED);
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let is_old = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            *file != path && name.starts_with(&format!("{topic}."))
        };
        for file in files.map(|entry| entry.path()).filter(is_old) {
            // Another process may have been faster.
            let _ = std::fs::remove_file(file);
        }
        Ok(())
    }

    fn derived(&self, topic: &str, version: u64) -> PathBuf {
        self.generation
            .join(DERIVED)
            .join(format!("{topic}.{version}.bin"))
    }

    /// Returns the version of a view, to see whether a loaded one is current; `None` when there is
    /// none.
    pub fn view_version(&self, key: &ViewKey) -> Result<Option<u64>> {
        Ok(self.catalog().view(key)?.map(|view| view.version))
    }

    /// Returns what a view was made of: HEAD and git index of a working tree, what the user hid in
    /// a commit.
    pub fn view_fingerprint(&self, key: &ViewKey) -> Result<Option<String>> {
        Ok(self.catalog().view(key)?.map(|view| view.fingerprint))
    }

    /// Opens a view and makes the lexical store show at least what the view shows.
    pub fn view(&self, key: &ViewKey) -> Result<View> {
        self.view_within(key, NamesLimits::default())
    }

    /// The same; `limits` say from which size on names are read where they lie.
    ///
    /// # Errors
    /// As [`Reader::view`].
    pub fn view_within(&self, key: &ViewKey, limits: NamesLimits) -> Result<View> {
        let view = View::open(&self.catalog(), key, &self.facts)?;
        let folder = self.generation.join(DERIVED);
        let names = ViewNames::open(&folder, &self.names, &view.files, limits);
        let view = view.with_names(names);
        view.read_ahead();
        self.lexical.reload()?;
        Ok(view)
    }

    /// Opens the grams of a view's files.
    pub fn grams(&self, view: &View) -> ViewGrams {
        let files = view.files.iter();
        let contents: Vec<_> = files.map(|file| (file.content_id, file.blob)).collect();
        ViewGrams::open(&self.generation.join(DERIVED), &contents)
    }

    /// Returns every view of the store with its title, newest first.
    pub fn views(&self) -> Result<Vec<(ViewKey, String)>> {
        self.catalog().views()
    }

    /// Returns files that a view leaves out.
    pub fn skipped(&self, key: &ViewKey) -> Result<Vec<SkippedFile>> {
        self.catalog().snapshot(|catalog| match catalog.view(key)? {
            Some(view) => catalog.view_skips(view.view_id),
            None => Ok(Vec::new()),
        })
    }

    /// Returns a content's text.
    pub fn text(&self, content_id: i64) -> Result<String> {
        // Others may read while it is unpacked.
        let packed = self.catalog().text_bytes(content_id);
        self.noted(packed.and_then(|packed| Catalog::unpack_text(&packed)))
    }

    /// Returns the text of a content that is kept, by the first digits of its git id (hexadecimal,
    /// lower case).
    pub fn text_of_blob(&self, digits: &str) -> Result<Option<String>> {
        self.noted(self.catalog().text_of_blob(digits))
    }

    /// Returns a content's references and imports.
    pub fn links(&self, content_id: i64) -> Result<Links> {
        self.noted(self.catalog().links(content_id))
    }

    /// Says whether something could not be read because it is damaged, or because what an old view
    /// shows was swept: open another reader, after [`Store::repair`].
    pub fn met_damage(&self) -> bool {
        self.met_damage.load(Ordering::Relaxed) || self.facts.has_failed()
    }

    /// A file of the generation that somebody altered since it was opened: what was found sound in it may not be
    /// so any more. Open another reader.
    pub fn altered_file(&self) -> Option<PathBuf> {
        mapped::altered_in(&self.generation)
    }

    /// Notes that something read from it turned out to be damaged.
    pub fn note_damage(&self) {
        self.met_damage.store(true, Ordering::Relaxed);
    }

    pub(crate) fn noted<T>(&self, outcome: Result<T>) -> Result<T> {
        if let Err(IndexError::Damaged { .. } | IndexError::Record(_)) = &outcome {
            self.met_damage.store(true, Ordering::Relaxed);
        }
        outcome
    }

    /// The chunks of a view as BM25 counts them; `None` for a view without any.
    pub(crate) fn collection(&self, view: &View) -> Result<Option<Arc<Collection>>> {
        if view.visible.is_empty() {
            return Ok(None);
        }
        self.noted(self.lexical.collection(&view.visible).map(Some))
    }

    /// Reads the postings as they are now.
    ///
    /// # Errors
    /// What `read` fails with, and a lexical store that cannot be read.
    pub fn with_postings<T>(&self, read: impl FnOnce(&PostingsReader) -> Result<T>) -> Result<T> {
        let postings = self.lexical.postings();
        self.noted(postings.and_then(|postings| read(&postings)))
    }

    /// Returns the nearest visible chunks to a query vector; empty when the model has no vectors
    /// here. From 20,000 vectors on by their sketch: nearly all of the nearest, and not every
    /// vector is read.
    pub fn nearest(
        &self,
        spec: &EncoderSpec,
        query: &[f32],
        visible: &RoaringBitmap,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>> {
        self.with_vectors(spec, Vec::new(), |store| {
            store.search(query, visible, limit)
        })
    }

    /// Returns the same by one pass over all vectors, whatever their number.
    pub fn nearest_exactly(
        &self,
        spec: &EncoderSpec,
        query: &[f32],
        visible: &RoaringBitmap,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>> {
        self.with_vectors(spec, Vec::new(), |store| {
            store.search_exactly(query, visible, limit)
        })
    }

    /// Returns the share of the ten exactly nearest chunks that [`Reader::nearest`] finds, over
    /// `n_queries` stored vectors; `None` where it searches exactly itself. Slow: one exact search
    /// each.
    pub fn vector_recall(
        &self,
        spec: &EncoderSpec,
        visible: &RoaringBitmap,
        n_queries: u64,
    ) -> Result<Option<f64>> {
        self.with_vectors(spec, None, |store| store.recall(visible, n_queries))
    }

    /// Returns chunks of the store that have a vector of this model.
    pub fn vector_coverage(&self, spec: &EncoderSpec) -> Result<Arc<RoaringBitmap>> {
        let none = Arc::new(RoaringBitmap::new());
        self.with_vectors(spec, none, |store| Ok(Arc::new(store.covered()?)))
    }

    /// Returns the nearest visible chunks to a static query vector, best first, ties by chunk; empty
    /// where no chunk has one.
    pub fn nearest_static(
        &self,
        spec: &EncoderSpec,
        query: &[f32],
        visible: &RoaringBitmap,
        limit: usize,
    ) -> Vec<ScoredChunk> {
        let found = self.static_rows(spec).and_then(|rows| match rows {
            Some(rows) => rows.nearest(query, visible, limit),
            None => Ok(Vec::new()),
        });
        self.or_lost(found)
    }

    /// Returns the cosine of each chunk to a static query vector; `None` for those without one.
    pub fn static_cosines(
        &self,
        spec: &EncoderSpec,
        query: &[f32],
        chunks: &[u32],
    ) -> Vec<Option<f32>> {
        let found = self.static_rows(spec).and_then(|rows| match rows {
            Some(rows) => rows.cosines(query, chunks),
            None => Ok(vec![None; chunks.len()]),
        });
        let mut found = self.or_lost(found);
        found.resize(chunks.len(), None);
        found
    }

    /// Returns the chunks of the store that have a static vector.
    pub fn static_coverage(&self, spec: &EncoderSpec) -> RoaringBitmap {
        let rows = self.or_lost(self.static_rows(spec));
        rows.map_or_else(RoaringBitmap::new, |rows| rows.covered())
    }

    fn static_rows(
        &self,
        spec: &EncoderSpec,
    ) -> std::result::Result<Option<Arc<StaticRows>>, DamagedRow> {
        self.statics.get(&self.generation, spec)
    }

    /// Nothing in place of what is damaged, which is noted.
    fn or_lost<T: Default>(&self, outcome: std::result::Result<T, DamagedRow>) -> T {
        outcome.unwrap_or_else(|_| {
            self.note_lost_file();
            T::default()
        })
    }

    /// Returns the token vectors of this model; `None` when no chunk has any.
    ///
    /// A snapshot: ask again for a newer one. The first call opens and checks the files.
    ///
    /// # Errors
    /// [`IndexError::TokensDamaged`]: the stage that needs them is to be left out, and to say so.
    pub fn tokens(&self, spec: &TokenSpec) -> Result<Option<Arc<TokenReader>>> {
        let folder = token_folder(&self.generation, spec);
        if folder.join("table.db").exists() {
            CachedTokens::get(&self.tokens, &folder).map(Some)
        } else {
            Ok(None)
        }
    }

    fn with_vectors<T>(
        &self,
        spec: &EncoderSpec,
        absent: T,
        run: impl FnOnce(&VectorStore) -> Result<T>,
    ) -> Result<T> {
        let mut slot = self.vectors.lock();
        if slot
            .as_ref()
            .is_none_or(|(fingerprint, ..)| *fingerprint != spec.fingerprint)
        {
            let path = vector_path(&self.generation, &spec.fingerprint);
            if !path.exists() {
                return Ok(absent);
            }
            let file = mapped::watch(&path, Kept::Place);
            *slot = Some((
                spec.fingerprint.clone(),
                VectorStore::open(&path, spec.dim)?,
                file.map_err(|error| IndexError::io(&path, error))?,
            ));
        }
        match slot.as_ref() {
            Some((_, store, _)) => run(store),
            None => Ok(absent),
        }
    }
}
