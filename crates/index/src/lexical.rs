//! The lexical store: code-aware tokens of chunks, in tantivy.
//!
//! A document is a chunk, of whatever view; scores are those of one view ([`crate::bm25`]).

use crate::bm25::{Collection, LexicalScores};
use crate::error::{IndexError, Result};
use crate::tokens::CodeTokenizer;
use crate::view::View;
use roaring::RoaringBitmap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument, Term};

const TOKENIZER: &str = "code";
/// What one tantivy thread may hold before it writes a segment.
const WRITER_HEAP_BYTES: usize = 48 << 20;
/// Views whose chunks are kept looked up.
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
        Index::open(directory).map_err(|error| damaged(format!("lexical index: {error}")))?
    };
    index
        .tokenizers()
        .register(TOKENIZER, TextAnalyzer::from(CodeTokenizer::default()));
    Ok((index, fields))
}

pub(crate) struct LexicalWriter {
    writer: IndexWriter,
    fields: Fields,
}

impl LexicalWriter {
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        std::fs::create_dir_all(folder).map_err(|error| IndexError::io(folder, error))?;
        let (index, fields) = open_index(folder, true)?;
        let writer = index.writer_with_num_threads(1, WRITER_HEAP_BYTES)?;
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
pub struct LexicalReader {
    reader: IndexReader,
    fields: Fields,
    /// The last used first.
    recent: Mutex<Vec<Arc<Collection>>>,
}

impl LexicalReader {
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let (index, fields) = open_index(folder, false)?;
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
            recent: Mutex::default(),
        })
    }

    pub(crate) fn reload(&self) -> Result<()> {
        Ok(self.reader.reload()?)
    }

    /// Scores the chunks of a view for weighted tokens.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn score(&self, tokens: &[(String, f32)], view: &View) -> Result<LexicalScores> {
        if tokens.is_empty() || view.visible.is_empty() {
            return Ok(LexicalScores::default());
        }
        self.collection(&view.visible)?.score(tokens)
    }

    fn collection(&self, visible: &Arc<RoaringBitmap>) -> Result<Arc<Collection>> {
        let searcher = self.reader.searcher();
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
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
