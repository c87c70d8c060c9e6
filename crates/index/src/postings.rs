//! Postings as they lie: which chunks hold a token, how often, and how long they are. For rankings
//! that count over other units than chunks.

use crate::error::Result;
use crate::lexical::LexicalReader;
use std::sync::Arc;
use tantivy::columnar::Column;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::Postings as _;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet, InvertedIndexReader, SegmentReader, TERMINATED, Term};

/// A chunk that holds a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// Chunk id.
    pub chunk: u32,
    /// How often it holds the token.
    pub n: u32,
    /// Tokens of the chunk, as precisely as BM25 keeps them.
    pub n_tokens: u32,
}

/// Postings of the store as it was when they were opened.
pub struct PostingsReader {
    body: Field,
    segments: Vec<Segment>,
}

struct Segment {
    reader: SegmentReader,
    inverted: Arc<InvertedIndexReader>,
    chunks: Column<u64>,
    lengths: FieldNormReader,
}

impl LexicalReader {
    /// Opens the postings.
    pub(crate) fn postings(&self) -> Result<PostingsReader> {
        let (searcher, body) = self.searcher();
        let open = |reader: &SegmentReader| -> Result<Segment> {
            Ok(Segment {
                inverted: reader.inverted_index(body)?,
                chunks: reader.fast_fields().u64("chunk")?,
                lengths: reader.get_fieldnorms_reader(body)?,
                reader: reader.clone(),
            })
        };
        let segments = searcher.segment_readers().iter().map(open);
        Ok(PostingsReader {
            body,
            segments: segments.collect::<Result<_>>()?,
        })
    }
}

impl PostingsReader {
    /// Calls `each` with every chunk of the store that holds a token, of whatever view. In no order.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn each(&self, token: &str, mut each: impl FnMut(Posting)) -> Result<()> {
        let term = Term::from_field_text(self.body, token);
        for segment in &self.segments {
            let found = segment
                .inverted
                .read_postings(&term, IndexRecordOption::WithFreqs);
            let Some(mut postings) = found.map_err(tantivy::TantivyError::from)? else {
                continue;
            };
            let alive = segment.reader.alive_bitset();
            let mut document = postings.doc();
            while document != TERMINATED {
                let is_alive = alive.is_none_or(|alive| alive.is_alive(document));
                if let Some(chunk) = segment.chunks.first(document).filter(|_| is_alive) {
                    each(Posting {
                        chunk: chunk as u32,
                        n: postings.term_freq(),
                        n_tokens: segment.lengths.fieldnorm(document),
                    });
                }
                document = postings.advance();
            }
        }
        Ok(())
    }
}
