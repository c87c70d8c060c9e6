//! An open view: the files of a commit or working tree, and which chunks of the store are visible in it.
//! Their definitions and chunks are read when they are asked for.

mod file;

pub use file::ViewFile;
pub(crate) use file::plain_text;

use crate::catalog::{Catalog, ViewKey, ViewRow};
use crate::error::{IndexError, Result};
use crate::facts::{FactsReader, MemoryCeiling, ViewFacts};
use crate::names::ViewNames;
use rayon::prelude::*;
use roaring::RoaringBitmap;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use whyrank_graph::{ImportGraph, RULES};
use whyrank_syntax::{Chunk, Symbol};

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

/// A chunk's place in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChunkRef {
    /// Index of the file in [`View::files`].
    pub file: u32,
    /// Index of the chunk in the file's outline.
    pub chunk: u32,
}

/// The number of a file in the view of its own repository, where a pool of several gives it another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OwnFile(pub u32);

/// Where the files and the chunks of a repository begin in its pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolOffset {
    first_file: u32,
    /// What is added to its chunk ids.
    pub chunk: u32,
}

impl PoolOffset {
    /// Returns the number of its first file in the pool.
    pub fn first_file(self) -> u32 {
        self.first_file
    }

    /// Returns the number that the pool gives to a file of it.
    pub fn pooled_file(self, OwnFile(file): OwnFile) -> u32 {
        self.first_file + file
    }

    /// Returns its own number of one of its files; `pooled` is the one that the pool gives.
    pub fn own_file(self, pooled: u32) -> OwnFile {
        OwnFile(pooled - self.first_file)
    }
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
            .map(|row| ViewFile::new(row, Arc::clone(reader)))
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
        let files = self.files.iter().map(ViewFile::named_content);
        ViewFacts::new(files, needs_links, ceiling)
    }

    /// Joins views of several repositories under their names: files lie below them as below folders.
    ///
    /// `parts` sorted by `name/`, each name once. Files and chunks of each are numbered on from those of
    /// the one before ([`pool_offsets`](crate::pool_offsets)); PageRank is that within each. O(files).
    /// `imports` are those of all; the parts' own where there are none.
    pub fn pooled(parts: &[(&str, &Self)], imports: Option<ImportGraph>) -> Self {
        let views: Vec<&Self> = parts.iter().map(|(_, view)| *view).collect();
        let firsts = pool_offsets(&views);
        let mut files = Vec::with_capacity(views.iter().map(|view| view.files.len()).sum());
        let mut file_rank = Vec::with_capacity(files.capacity());
        for ((name, view), first) in parts.iter().zip(&firsts) {
            files.extend(view.files.iter().map(|file| file.below(name, first.chunk)));
            file_rank.extend((0u32..).zip(&view.files).map(|(at, _)| view.file_rank(at)));
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

pub(crate) fn describe(key: &ViewKey) -> String {
    match key {
        ViewKey::Worktree(root) => format!("the working tree {root}"),
        ViewKey::Commit(id) => format!("commit {}", &id[..id.len().min(12)]),
    }
}

/// Returns where each of some views begins in the pool that they make, in this order.
pub fn pool_offsets(views: &[&View]) -> Vec<PoolOffset> {
    let mut next = PoolOffset::default();
    let mut offsets = Vec::with_capacity(views.len());
    for view in views {
        offsets.push(next);
        next.first_file += view.files.len() as u32;
        next.chunk += view.visible.max().map_or(0, |last| last + 1);
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;

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
