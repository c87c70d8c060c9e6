//! The lexical store: BM25 (Robertson and Zaragoza 2009, k1 1.2, b 0.75) over code-aware tokens
//! of chunks, in tantivy.
//!
//! A document is a chunk, of whatever view; a search is given the set of visible chunks. Document
//! frequencies count all contents of the store, so branches that share most files see the same.

use crate::error::{IndexError, Result};
use crate::tokens::CodeTokenizer;
use roaring::RoaringBitmap;
use std::collections::BinaryHeap;
use std::path::Path;
use std::sync::Arc;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{
    DocId, Index, IndexReader, IndexWriter, ReloadPolicy, Score, SegmentReader, TantivyDocument,
    Term,
};

const TOKENIZER: &str = "code";
/// What one tantivy thread may hold before it writes a segment.
const WRITER_HEAP_BYTES: usize = 48 << 20;

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

/// A chunk and its score in a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredChunk {
    /// Chunk id.
    pub chunk: u32,
    /// The channel's own score.
    pub score: f32,
}

/// Reads the lexical store.
pub struct LexicalReader {
    reader: IndexReader,
    fields: Fields,
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
        Ok(Self { reader, fields })
    }

    pub(crate) fn reload(&self) -> Result<()> {
        Ok(self.reader.reload()?)
    }

    /// The `limit` best visible chunks for weighted tokens, by falling BM25 score, ties by chunk id.
    pub fn search(
        &self,
        tokens: &[(String, f32)],
        visible: &Arc<RoaringBitmap>,
        limit: usize,
    ) -> Result<Vec<ScoredChunk>> {
        if tokens.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let clauses = tokens.iter().map(|(token, weight)| {
            let term = Term::from_field_text(self.fields.body, token);
            let query: Box<dyn Query> =
                Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs));
            (
                Occur::Should,
                Box::new(BoostQuery::new(query, *weight)) as Box<dyn Query>,
            )
        });
        let query = BooleanQuery::new(clauses.collect());
        let collector = TopVisible {
            visible: Arc::clone(visible),
            limit,
        };
        Ok(self.reader.searcher().search(&query, &collector)?)
    }
}

/// Collects the best visible chunks. Ties go to the smaller chunk id, so that the answer does not
/// depend on how tantivy laid out its segments.
struct TopVisible {
    visible: Arc<RoaringBitmap>,
    limit: usize,
}

struct TopVisibleSegment {
    chunks: Column<u64>,
    visible: Arc<RoaringBitmap>,
    limit: usize,
    /// The worst kept is on top.
    heap: BinaryHeap<Worst>,
}

#[derive(PartialEq)]
struct Worst(ScoredChunk);

impl Eq for Worst {}
impl PartialOrd for Worst {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Worst {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let by_score = other.0.score.total_cmp(&self.0.score);
        by_score.then(self.0.chunk.cmp(&other.0.chunk))
    }
}

impl Collector for TopVisible {
    type Fruit = Vec<ScoredChunk>;
    type Child = TopVisibleSegment;

    fn for_segment(&self, _: u32, segment: &SegmentReader) -> tantivy::Result<TopVisibleSegment> {
        Ok(TopVisibleSegment {
            chunks: segment.fast_fields().u64("chunk")?,
            visible: Arc::clone(&self.visible),
            limit: self.limit,
            heap: BinaryHeap::with_capacity(self.limit + 1),
        })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, fruits: Vec<Vec<ScoredChunk>>) -> tantivy::Result<Vec<ScoredChunk>> {
        let mut all: Vec<Worst> = fruits.into_iter().flatten().map(Worst).collect();
        all.sort_unstable();
        all.truncate(self.limit);
        Ok(all.into_iter().map(|worst| worst.0).collect())
    }
}

impl SegmentCollector for TopVisibleSegment {
    type Fruit = Vec<ScoredChunk>;

    fn collect(&mut self, document: DocId, score: Score) {
        let is_full = self.heap.len() == self.limit;
        if is_full && self.heap.peek().is_some_and(|worst| score < worst.0.score) {
            return;
        }
        let Some(chunk) = self.chunks.first(document) else {
            return;
        };
        let chunk = chunk as u32;
        if !self.visible.contains(chunk) {
            return;
        }
        self.heap.push(Worst(ScoredChunk { chunk, score }));
        if self.heap.len() > self.limit {
            self.heap.pop();
        }
    }

    fn harvest(self) -> Vec<ScoredChunk> {
        self.heap.into_iter().map(|worst| worst.0).collect()
    }
}
