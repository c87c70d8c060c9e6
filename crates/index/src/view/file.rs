//! A file of a view. Its definitions and chunks are read when they are asked for.

use crate::catalog::ViewFileRow;
use crate::facts::{FactsReader, LazyFacts, NamedContent};
use crate::names::{FileNames, Outline};
use std::sync::{Arc, OnceLock};
use whyrank_source::BlobId;
use whyrank_syntax::Language;

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
    /// Makes a file of its row in the catalog; what it says is read by `reader`.
    pub(super) fn new(row: ViewFileRow, reader: Arc<FactsReader>) -> Self {
        Self {
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

    /// Returns the same file below the name of its repository, in a pool where its chunks count from `first`.
    pub(super) fn below(&self, name: &str, first: u32) -> Self {
        Self {
            path: format!("{name}/{}", self.path),
            first_chunk: first + self.first_chunk,
            ..self.clone()
        }
    }

    /// Returns the file as a pass over all of them reads it.
    pub(super) fn named_content(&self) -> NamedContent<'_> {
        NamedContent {
            path: &self.path,
            language: self.language.name(),
            content_id: self.content_id,
            reader: Arc::clone(&self.reader),
            outline: self.outline.get().map(Arc::clone),
        }
    }

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

    /// Names of its definitions, as [`crate::ViewNames::definitions`] has them.
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

fn language_of(name: &str) -> Language {
    // A name that this version does not know was refused with the manifest.
    Language::from_name(name).unwrap_or_else(plain_text)
}

/// The language of files that are of no other.
pub(crate) fn plain_text() -> Language {
    Language::from_name("text").expect("text is built in")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
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
}
