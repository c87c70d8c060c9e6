//! An open view: the files of a commit or working tree, and which chunks of the store are visible in it.
//! Their definitions and chunks are read when they are asked for.

use crate::catalog::{Catalog, ViewFileRow, ViewKey, ViewRow};
use crate::error::{IndexError, Result};
use crate::facts::{FactsReader, LazyFacts, MemoryCeiling, NamedContent, ViewFacts};
use crate::names::Outline;
use crate::names::{FileNames, ViewNames};
use rayon::prelude::*;
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};
use whyrank_graph::{ImportGraph, RULES};
use whyrank_source::BlobId;
use whyrank_syntax::{Chunk, Language, Symbol};

/// Definitions of a view that are read when it is opened; they take about 300 bytes each.
const MOST_READ_AHEAD: u64 = 200_000;

/// What crosses files in a view; file `i` is the view's file `i`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GraphRecord {
    /// Who imports whom.
    pub imports: ImportGraph,
    /// PageRank of each file, 1 for the highest.
    pub file_rank: Vec<f32>,
}

impl GraphRecord {
    /// Returns its stored form: who made it stands behind it, where readers do not look.
    pub(crate) fn stored(&self) -> Result<Vec<u8>> {
        let mut bytes = postcard::to_stdvec(self)?;
        bytes.extend(RULES.as_bytes());
        Ok(bytes)
    }

    /// Says whether a stored form was made by the rules of this version.
    pub(crate) fn is_by_these_rules(stored: &[u8]) -> bool {
        stored.ends_with(RULES.as_bytes())
    }
}

/// A file of a view.
#[derive(Clone, Debug)]
pub struct ViewFile {
    /// Path relative to the repository root.
    pub path: String,
    /// The content's id in the catalog.
    pub content_id: i64,
    /// The content's git id.
    pub blob: BlobId,
    /// Language.
    pub language: Language,
    /// Bytes.
    pub(crate) size_bytes: u64,
    /// Modification time in nanoseconds since the epoch.
    pub(crate) mtime_ns: i64,
    /// Lines.
    pub n_lines: u32,
    /// Id of its first chunk; chunk `i` of the outline has the id `first_chunk + i`.
    pub first_chunk: u32,
    /// Chunks.
    pub n_chunks: u32,
    /// Definitions.
    pub n_symbols: u32,
    /// First thing in it that could not be parsed.
    pub error: Option<String>,
    outline: OnceLock<Arc<Outline>>,
    reader: Arc<FactsReader>,
}

impl ViewFile {
    /// Returns its definitions and chunks; read at first need. Where they cannot be read, as many
    /// without names and text: [`crate::Reader::met_damage`] says so.
    pub fn outline(&self) -> &Outline {
        self.outline.get_or_init(|| Arc::new(self.read_outline()))
    }

    /// Returns its definitions, and with `needs_links` its uses and imports, as the graph reads
    /// them.
    pub fn facts(&self, needs_links: bool) -> LazyFacts {
        let outline = self.outline.get().map(Arc::clone);
        LazyFacts::new(
            Arc::clone(&self.reader),
            self.content_id,
            needs_links,
            outline,
        )
    }

    /// Returns the same for a moment: a pass over all files leaves nothing in memory.
    pub fn with_outline<T>(&self, read: impl FnOnce(&Outline) -> T) -> T {
        match self.outline.get() {
            Some(outline) => read(outline),
            None => read(&self.read_outline()),
        }
    }

    /// Names of its definitions, as [`ViewNames::definitions`] has them.
    pub fn names(&self) -> FileNames {
        self.with_outline(FileNames::of)
    }

    fn read_outline(&self) -> Outline {
        let outline = self.reader.outline(self.content_id);
        let n_read = (outline.chunks.len(), outline.symbols.len());
        if n_read == (self.n_chunks as usize, self.n_symbols as usize) {
            return outline;
        }
        self.reader.note_loss(&self.path);
        Outline::blank(self.n_chunks, self.n_symbols)
    }
}

/// A chunk's place in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChunkRef {
    /// Index of the file in [`View::files`].
    pub file: u32,
    /// Index of the chunk in the file's outline.
    pub chunk: u32,
}

/// A view: immutable once opened.
#[derive(Debug)]
pub struct View {
    /// What it is of.
    pub key: ViewKey,
    /// What it is of, in words: `main @ 1a2b3c4 + changes`.
    pub title: String,
    /// The commit it stands on.
    pub commit: Option<String>,
    /// State of HEAD and index when it was built, for freshness.
    pub fingerprint: String,
    /// Counts up with every change.
    pub version: u64,
    /// Seconds since the epoch of its last update.
    pub updated_at: i64,
    /// Files that it has when it is whole.
    pub n_expected: u32,
    /// Files by path.
    pub files: Vec<ViewFile>,
    /// Chunks of the store that it shows.
    pub visible: Arc<RoaringBitmap>,
    /// Import graph and ranks; empty while the view is being built for the first time.
    pub graph: GraphRecord,
    /// (first chunk, file), by first chunk, one file for each content.
    owners: Vec<(u32, u32)>,
    names: Option<ViewNames>,
}

impl View {
    /// Opens a view as it is at one moment: a writer replaces it between two statements. What its files say
    /// is read by `reader` when it is asked for.
    pub(crate) fn open(
        catalog: &Catalog,
        key: &ViewKey,
        reader: &Arc<FactsReader>,
    ) -> Result<Self> {
        catalog.snapshot(|catalog| Self::read(catalog, key, reader))
    }

    fn read(catalog: &Catalog, key: &ViewKey, reader: &Arc<FactsReader>) -> Result<Self> {
        let row = catalog.view(key)?.ok_or_else(|| IndexError::NoView {
            view: describe(key),
        })?;
        let rows = catalog.view_files(row.view_id)?;
        let files = rows
            .into_iter()
            .map(|row| view_file(row, Arc::clone(reader)))
            .collect();
        let graph = match catalog.view_graph(row.view_id)? {
            Some(bytes) if !bytes.is_empty() => postcard::from_bytes(&bytes)?,
            _ => GraphRecord::default(),
        };
        let view = Self::assemble(key, row, files, graph);
        view.check_owners()?;
        Ok(view)
    }

    /// Returns its files as a pass over all of them reads them, with no more in memory than there is room
    /// for: their definitions, and with `needs_links` their uses and imports.
    pub fn source(&self, needs_links: bool, ceiling: MemoryCeiling) -> ViewFacts<'_> {
        let files = self.files.iter().map(|file| NamedContent {
            path: &file.path,
            language: file.language.name(),
            content_id: file.content_id,
            reader: Arc::clone(&file.reader),
            outline: file.outline.get().map(Arc::clone),
        });
        ViewFacts::new(files, needs_links, ceiling)
    }

    /// Joins views of several repositories under their names: files lie below them as below folders.
    ///
    /// `parts` sorted by `name/`, each name once. Files and chunks of each are numbered on from those of
    /// the one before ([`pool_offsets`](crate::pool_offsets)); PageRank is that within each. O(files).
    /// `imports` are those of all; the parts' own where there are none.
    pub fn pooled(parts: &[(&str, &Self)], imports: Option<ImportGraph>) -> Self {
        let views: Vec<&Self> = parts.iter().map(|(_, view)| *view).collect();
        let firsts = crate::pool::pool_offsets(&views);
        let mut files = Vec::with_capacity(views.iter().map(|view| view.files.len()).sum());
        let mut file_rank = Vec::with_capacity(files.capacity());
        for ((name, view), first) in parts.iter().zip(&firsts) {
            let of_part = (0u32..).zip(&view.files);
            files.extend(of_part.clone().map(|(_, file)| ViewFile {
                path: format!("{name}/{}", file.path),
                first_chunk: first.chunk + file.first_chunk,
                ..file.clone()
            }));
            file_rank.extend(of_part.map(|(at, _)| view.file_rank(at)));
        }
        let own = || {
            let views = views.iter();
            ImportGraph::joined(views.map(|view| (&view.graph.imports, view.files.len())))
        };
        let graph = GraphRecord {
            imports: imports.unwrap_or_else(own),
            file_rank,
        };
        let names: Vec<&str> = parts.iter().map(|(name, _)| *name).collect();
        let row = ViewRow {
            view_id: 0,
            title: format!("{} repositories: {}", names.len(), names.join(", ")),
            commit: None,
            fingerprint: String::new(),
            version: 0,
            updated_at: views.iter().map(|view| view.updated_at).min().unwrap_or(0),
            n_expected: views.iter().map(|view| view.n_expected).sum(),
        };
        Self::assemble(&ViewKey::Worktree(names.join("|")), row, files, graph)
    }

    /// Reads all outlines where they are few: nearly every question needs those of all files once, where
    /// there are no names to look into.
    pub(crate) fn read_ahead(&self) {
        if self.names.is_some() {
            return;
        }
        let n_symbols: u64 = self
            .files
            .iter()
            .map(|file| u64::from(file.n_symbols))
            .sum();
        if n_symbols <= MOST_READ_AHEAD {
            self.files.par_iter().for_each(|file| {
                file.outline();
            });
        }
    }

    fn assemble(key: &ViewKey, row: ViewRow, files: Vec<ViewFile>, graph: GraphRecord) -> Self {
        let mut visible = RoaringBitmap::new();
        let mut owners = Vec::with_capacity(files.len());
        for (file_idx, file) in files.iter().enumerate() {
            let n_chunks = file.n_chunks;
            // A content without chunks has the first id of the content after it, and owns nothing.
            if n_chunks > 0 {
                visible.insert_range(file.first_chunk..file.first_chunk + n_chunks);
                owners.push((file.first_chunk, file_idx as u32));
            }
        }
        // A content at several paths is found at the one that most is imported, or at the first.
        let rank = |file: u32| graph.file_rank.get(file as usize).copied().unwrap_or(0.0);
        owners.sort_unstable_by(|a: &(u32, u32), b| {
            let by_rank = rank(b.1).total_cmp(&rank(a.1));
            a.0.cmp(&b.0).then(by_rank).then(a.1.cmp(&b.1))
        });
        owners.dedup_by_key(|(first_chunk, _)| *first_chunk);
        Self {
            key: key.clone(),
            title: row.title,
            commit: row.commit,
            fingerprint: row.fingerprint,
            version: row.version,
            updated_at: row.updated_at,
            n_expected: row.n_expected,
            files,
            visible: Arc::new(visible),
            graph,
            owners,
            names: None,
        }
    }

    /// Names of its definitions that are read where they lie; none for a small view, nor over several
    /// repositories: ask the views of each.
    pub fn names(&self) -> Option<&ViewNames> {
        self.names.as_ref()
    }

    pub(crate) fn with_names(self, names: Option<ViewNames>) -> Self {
        Self { names, ..self }
    }

    /// INVARIANT: every visible chunk lies in exactly one owner, so that whatever a channel finds can be
    /// shown. O(files).
    fn check_owners(&self) -> Result<()> {
        let chunks_of = |file: u32| u64::from(self.files[file as usize].n_chunks);
        let n_owned: u64 = self.owners.iter().map(|(_, file)| chunks_of(*file)).sum();
        let n_visible = self.visible.len();
        if n_owned == n_visible {
            return Ok(());
        }
        Err(IndexError::Damaged {
            path: "catalog.db".into(),
            detail: format!("{n_owned} chunks of files for {n_visible} ids"),
        })
    }

    /// Returns where a chunk of the store lies in this view; `None` when it is not visible.
    pub fn locate(&self, chunk_id: u32) -> Option<ChunkRef> {
        let after = self
            .owners
            .partition_point(|(first_chunk, _)| *first_chunk <= chunk_id);
        let (first_chunk, file) = *self.owners.get(after.checked_sub(1)?)?;
        let chunk = chunk_id - first_chunk;
        let n_chunks = self.files[file as usize].n_chunks;
        (chunk < n_chunks).then_some(ChunkRef { file, chunk })
    }

    /// Returns a chunk's id in the store.
    pub fn chunk_id(&self, place: ChunkRef) -> u32 {
        self.files[place.file as usize].first_chunk + place.chunk
    }

    /// Returns a chunk and, if it is one, the definition that it holds.
    pub fn chunk(&self, place: ChunkRef) -> (&ViewFile, &Chunk, Option<&Symbol>) {
        let file = &self.files[place.file as usize];
        let outline = file.outline();
        let chunk = &outline.chunks[place.chunk as usize];
        let symbol = chunk
            .symbol
            .and_then(|symbol| outline.symbols.get(symbol as usize));
        (file, chunk, symbol)
    }

    /// Returns the index of a file by its path.
    pub fn file(&self, path: &str) -> Option<u32> {
        let found = self
            .files
            .binary_search_by(|file| file.path.as_str().cmp(path));
        found.ok().map(|file| file as u32)
    }

    /// Returns a file's PageRank, 1 for the highest; 0 while unknown.
    pub fn file_rank(&self, file: u32) -> f32 {
        self.graph
            .file_rank
            .get(file as usize)
            .copied()
            .unwrap_or(0.0)
    }
}

fn view_file(row: ViewFileRow, reader: Arc<FactsReader>) -> ViewFile {
    ViewFile {
        language: language_of(&row.language),
        path: row.path,
        content_id: row.content_id,
        blob: row.blob,
        size_bytes: row.size_bytes,
        mtime_ns: row.mtime_ns,
        n_lines: row.n_lines,
        first_chunk: row.first_chunk,
        n_chunks: row.n_chunks,
        n_symbols: row.n_symbols,
        error: row.error,
        outline: OnceLock::new(),
        reader,
    }
}

fn language_of(name: &str) -> Language {
    // A name that this version does not know was refused with the manifest.
    Language::from_name(name).unwrap_or_else(plain_text)
}

/// The language of files that are of no other.
pub(crate) fn plain_text() -> Language {
    Language::from_name("text").expect("text is built in")
}

pub(crate) fn describe(key: &ViewKey) -> String {
    match key {
        ViewKey::Worktree(root) => format!("the working tree {root}"),
        ViewKey::Commit(id) => format!("commit {}", &id[..id.len().min(12)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::n_lost;

    #[test]
    fn definitions_that_are_gone_are_not_made_up_and_the_loss_is_noted() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("catalog.db");
        drop(Catalog::create(&path).expect("a catalog"));
        let reader = Arc::new(FactsReader::open(&path).expect("a reader"));
        let file = ViewFile {
            path: "a.py".to_owned(),
            content_id: 7,
            blob: BlobId([0; 20]),
            language: plain_text(),
            size_bytes: 30,
            mtime_ns: 0,
            n_lines: 3,
            first_chunk: 1,
            n_chunks: 2,
            n_symbols: 3,
            error: None,
            outline: OnceLock::new(),
            reader: Arc::clone(&reader),
        };
        let before = n_lost();
        let (chunks, symbols) = (&file.outline().chunks, &file.outline().symbols);
        assert_eq!((chunks.len(), symbols.len()), (2, 3));
        assert!(symbols.iter().all(|symbol| symbol.name.is_empty()));
        assert!(n_lost() > before && reader.has_failed());
    }

    #[test]
    fn a_graph_of_other_rules_is_read_and_not_kept() {
        let record = GraphRecord {
            imports: ImportGraph::default(),
            file_rank: vec![0.5, 1.0],
        };
        let stored = record.stored().expect("plain data");
        assert!(GraphRecord::is_by_these_rules(&stored));
        let read: GraphRecord = postcard::from_bytes(&stored).expect("it is read");
        assert_eq!(read.file_rank, record.file_rank);
        let older = postcard::to_stdvec(&record).expect("plain data");
        assert!(!GraphRecord::is_by_these_rules(&older));
        assert!(!GraphRecord::is_by_these_rules(&[]));
    }
}
