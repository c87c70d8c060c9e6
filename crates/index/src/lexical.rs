//! The lexical store: code-aware tokens of chunks, in tantivy.
//!
//! A document is a chunk, of whatever view; scores are those of one view ([`crate::bm25`]).

mod checked;
mod checksum;
mod read_directory;

use self::checked::CheckedFiles;
use self::read_directory::ReadDirectory;
use crate::bm25::Collection;
use crate::error::{IndexError, Result};
use crate::tokens::CodeTokenizer;
use parking_lot::{Mutex, MutexGuard};
use roaring::RoaringBitmap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument, Term};

const TOKENIZER: &str = "code";
/// What one tantivy thread may hold before it writes a segment.
const WRITER_HEAP_BYTES: usize = 48 << 20;
/// Views whose chunk lookups are cached.
const MAX_COLLECTIONS: usize = 4;

#[derive(Clone, Copy)]
struct Fields {
    chunk: Field,
    content: Field,
    body: Field,
}

fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqs);
    let fields = Fields {
        chunk: builder.add_u64_field("chunk", FAST),
        content: builder.add_u64_field("content", INDEXED),
        body: builder.add_text_field(
            "body",
            TextOptions::default().set_indexing_options(indexing),
        ),
    };
    (builder.build(), fields)
}

/// Opens the index of a folder; only a writer makes one where there is none.
fn open_index(folder: &Path, may_create: bool) -> Result<(Index, Fields)> {
    let (schema, fields) = schema();
    let damaged = |detail: String| IndexError::Damaged {
        path: folder.to_owned(),
        detail,
    };
    let directory = tantivy::directory::MmapDirectory::open(folder)
        .map_err(|error| damaged(format!("lexical index: {error}")))?;
    let index = if may_create {
        Index::open_or_create(directory, schema)?
    } else {
        Index::open(ReadDirectory::new(folder, directory))
            .map_err(|error| damaged(format!("lexical index: {error}")))?
    };
    index
        .tokenizers()
        .register(TOKENIZER, TextAnalyzer::from(CodeTokenizer::default()));
    Ok((index, fields))
}

/// Makes sure of the files of an index. O(bytes) of those that nobody checked before.
fn check(index: &Index, folder: &Path, checked: &mut CheckedFiles) -> Result<()> {
    let metas = index.searchable_segment_metas();
    let metas = metas.map_err(|error| IndexError::Damaged {
        path: folder.to_owned(),
        detail: format!("lexical index: {error}"),
    })?;
    let segments: Vec<(String, Option<u64>)> = metas
        .iter()
        .map(|meta| (meta.id().uuid_string(), meta.delete_opstamp()))
        .collect();
    let entries = std::fs::read_dir(folder).map_err(|error| IndexError::io(folder, error))?;
    let names = entries.flatten().map(|entry| entry.file_name());
    let is_live = |name: &String| {
        let of_segment = |(id, deleted): &(String, Option<u64>)| {
            let rest = name.strip_prefix(id.as_str());
            // A segment has one list of deletions; a killed writer leaves others.
            rest.is_some_and(|rest| match rest.strip_suffix(".del") {
                Some(stamp) => deleted.is_some_and(|deleted| stamp == format!(".{deleted}")),
                None => true,
            })
        };
        segments.iter().any(of_segment)
    };
    let names = names.map(|name| name.to_string_lossy().into_owned());
    for name in names.filter(is_live) {
        checked.check(&name)?;
    }
    checked.keep();
    Ok(())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}

pub(crate) struct LexicalWriter {
    writer: IndexWriter,
    fields: Fields,
}

impl LexicalWriter {
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(|error| IndexError::io(folder, error))?;
        let (index, fields) = open_index(folder, true)?;
        // What is damaged would go into the next merge, and have a checksum that fits.
        check(&index, folder, &mut CheckedFiles::known(folder))?;
        let writer = index.writer_with_num_threads(1, WRITER_HEAP_BYTES)?;
        // A killed writer leaves files that no segment names, and the next one would give the same names.
        writer.garbage_collect_files().wait()?;
        Ok(Self { writer, fields })
    }

    /// Adds a chunk: its qualified name, so that parts of a split definition are found by it too, and its text.
    pub(crate) fn add(&self, chunk: u32, content: i64, texts: &[&str]) -> Result<()> {
        let mut document = TantivyDocument::new();
        document.add_u64(self.fields.chunk, u64::from(chunk));
        document.add_u64(self.fields.content, content as u64);
        for text in texts.iter().filter(|text| !text.is_empty()) {
            document.add_text(self.fields.body, text);
        }
        self.writer.add_document(document)?;
        Ok(())
    }

    pub(crate) fn delete(&self, content: i64) {
        self.writer
            .delete_term(Term::from_field_u64(self.fields.content, content as u64));
    }

    /// Makes additions and deletions durable and visible to new searches.
    pub(crate) fn commit(&mut self) -> Result<()> {
        self.writer.commit()?;
        Ok(())
    }

    /// Waits for background merges, so that the process can end.
    pub(crate) fn finish(self) -> Result<()> {
        self.writer.wait_merging_threads()?;
        Ok(())
    }
}

/// Reads the lexical store.
pub(crate) struct LexicalReader {
    reader: IndexReader,
    fields: Fields,
    folder: PathBuf,
    checked: Mutex<CheckedFiles>,
    /// The last used first.
    recent: Mutex<Vec<Arc<Collection>>>,
}

impl LexicalReader {
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        Self::open_knowing(folder, CheckedFiles::known(folder))
    }

    /// The same; every file is read and compared with its checksum, whatever is known of it.
    pub(crate) fn open_checked(folder: &Path) -> Result<Self> {
        Self::open_knowing(folder, CheckedFiles::none(folder))
    }

    fn open_knowing(folder: &Path, mut checked: CheckedFiles) -> Result<Self> {
        let (index, fields) = open_index(folder, false)?;
        check(&index, folder, &mut checked)?;
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into();
        let reader = reader.map_err(|error: tantivy::TantivyError| IndexError::Damaged {
            path: folder.to_owned(),
            detail: format!("lexical index: {error}"),
        })?;
        Ok(Self {
            reader,
            fields,
            folder: folder.to_owned(),
            checked: Mutex::new(checked),
            recent: Mutex::default(),
        })
    }

    /// The store as it is now, and the field that holds the texts.
    pub(crate) fn searcher(&self) -> (tantivy::Searcher, Field) {
        (self.reader.searcher(), self.fields.body)
    }

    pub(crate) fn reload(&self) -> Result<()> {
        let mut checked = lock(&self.checked);
        check(self.reader.searcher().index(), &self.folder, &mut checked)?;
        Ok(self.reader.reload()?)
    }

    /// How many of the chunks the store holds.
    pub(crate) fn n_held(&self, chunks: &RoaringBitmap) -> Result<u64> {
        let searcher = self.reader.searcher();
        let mut n_held = 0;
        for segment in searcher.segment_readers() {
            let ids = segment.fast_fields().u64("chunk")?;
            let ids = segment.doc_ids_alive().filter_map(|doc| ids.first(doc));
            n_held += ids.filter(|id| chunks.contains(*id as u32)).count() as u64;
        }
        Ok(n_held)
    }

    /// The chunks of a view as the store has them.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub(crate) fn collection(&self, visible: &Arc<RoaringBitmap>) -> Result<Arc<Collection>> {
        let searcher = self.reader.searcher();
        let mut recent = lock(&self.recent);
        let known = recent.iter().position(|one| one.is_of(&searcher, visible));
        let collection = match known {
            Some(at) => recent.remove(at),
            None => Arc::new(Collection::new(&searcher, self.fields.body, visible)?),
        };
        recent.truncate(MAX_COLLECTIONS - 1);
        recent.insert(0, Arc::clone(&collection));
        Ok(collection)
    }
}
