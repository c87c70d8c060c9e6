//! BM25 (Robertson and Zaragoza 2009, k1 1.2, b 0.75) over the chunks of one view.
//!
//! The store holds contents of other views and of states that are gone. None of them counts here: number
//! of chunks, their mean length and the frequency of each token are the view's own, and sums are taken in
//! the order of the query's tokens. So a score depends on the view and the query alone, whatever the
//! store went through and however tantivy laid out its segments.

use crate::error::{IndexError, Result};
use crate::scored_chunk::ScoredChunk;
use crate::view::{ChunkRef, View};
use roaring::RoaringBitmap;
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::sync::Arc;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::Postings as _;
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocSet as _, InvertedIndexReader, Searcher, SegmentReader, TERMINATED, Term};

const K1: f32 = 1.2;
const B: f32 = 0.75;
/// Postings of the view that are scored for one query. More than any repository has for a query as
/// people write them; a page of text in a repository of a million chunks ends here.
const MAX_POSTINGS: usize = 40_000_000;
/// Tokens that begin alike and are looked at, in each segment.
const MAX_TERMS: usize = 4_000;
/// No chunk has this number: it represents a document that the view does not show.
const HIDDEN: u32 = u32::MAX;

/// The chunks of a view as a state of the lexical store has them.
pub(crate) struct Collection {
    visible: Arc<RoaringBitmap>,
    generation: u64,
    body: Field,
    segments: Vec<Segment>,
    n_chunks: u64,
    n_tokens: u64,
}

struct Segment {
    index: Arc<InvertedIndexReader>,
    lengths: FieldNormReader,
    /// By document: its chunk, or [`HIDDEN`].
    chunks: Vec<u32>,
}

impl Collection {
    /// Looks up which documents of the store the view shows. O(documents of the store).
    pub(crate) fn new(
        searcher: &Searcher,
        body: Field,
        visible: &Arc<RoaringBitmap>,
    ) -> Result<Self> {
        let readers = searcher.segment_readers().iter();
        let segments: Vec<Segment> = readers
            .map(|reader| Segment::open(reader, body, visible))
            .collect::<Result<_>>()?;
        let n_chunks = segments.iter().map(Segment::n_visible).sum();
        if n_chunks != visible.len() {
            return Err(IndexError::Damaged {
                path: "lexical".into(),
                detail: format!("{n_chunks} of {} chunks are in it", visible.len()),
            });
        }
        Ok(Self {
            visible: Arc::clone(visible),
            generation: searcher.generation().generation_id(),
            body,
            n_tokens: segments.iter().map(Segment::n_tokens).sum(),
            segments,
            n_chunks,
        })
    }

    /// Whether a chunk of it holds a token.
    pub(crate) fn holds(&self, token: &str) -> Result<bool> {
        let mut postings = Vec::new();
        for segment in &self.segments {
            segment.read(&Term::from_field_text(self.body, token), 0, &mut postings)?;
            if !postings.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Counts the documents of every token that begins so, of the first [`MAX_TERMS`] in each segment.
    pub(crate) fn count_beginning_with(
        &self,
        begun: &str,
        counts: &mut HashMap<String, u64>,
    ) -> Result<()> {
        for segment in &self.segments {
            let terms = segment.index.terms().range().ge(begun).into_stream();
            let mut terms = terms.map_err(tantivy::TantivyError::from)?;
            let mut n_seen = 0;
            while n_seen < MAX_TERMS && terms.advance() {
                let token = std::str::from_utf8(terms.key()).unwrap_or_default();
                if !token.starts_with(begun) {
                    break;
                }
                *counts.entry(token.to_owned()).or_default() += u64::from(terms.value().doc_freq);
                n_seen += 1;
            }
        }
        Ok(())
    }

    /// Whether it is of this view and this state.
    pub(crate) fn is_of(&self, searcher: &Searcher, visible: &Arc<RoaringBitmap>) -> bool {
        Arc::ptr_eq(&self.visible, visible)
            && self.generation == searcher.generation().generation_id()
    }
}

/// Scores every chunk of the collections that holds one of the tokens, as if they were one collection:
/// frequencies and lengths are those of all. Each comes with the number of its first chunk among all.
/// O(postings of the tokens).
pub(crate) fn score(
    collections: &[(u32, Arc<Collection>)],
    tokens: &[(String, f32)],
) -> Result<LexicalScores> {
    let n_chunks: u64 = collections.iter().map(|(_, of)| of.n_chunks).sum();
    let n_tokens: u64 = collections.iter().map(|(_, of)| of.n_tokens).sum();
    let mean = n_tokens as f32 / (n_chunks as f32).max(1.0);
    // The part of the denominator that a chunk's length makes, by the byte that codes the length.
    let length_norms: Vec<f32> = (0..=u8::MAX).map(|code| length_norm(code, mean)).collect();
    let segments: Vec<(u32, Field, &Segment)> = collections
        .iter()
        .flat_map(|(first, of)| of.segments.iter().map(|segment| (*first, of.body, segment)))
        .collect();
    let mut sums: Vec<Vec<f32>> = segments.iter().map(|(.., of)| of.zeros()).collect();
    let mut touched: Vec<(u32, u32)> = Vec::new();
    let mut postings = Vec::new();
    let (mut n_postings, mut n_left_out, mut most) = (0, 0, 0.0);
    for (token, weight) in tokens.iter().filter(|(_, weight)| *weight > 0.0) {
        if n_postings >= MAX_POSTINGS {
            n_left_out += 1;
            continue;
        }
        postings.clear();
        for (at, (_, body, segment)) in (0u32..).zip(&segments) {
            segment.read(&Term::from_field_text(*body, token), at, &mut postings)?;
        }
        n_postings += postings.len();
        let idf = idf(postings.len() as u64, n_chunks);
        let factor = weight * idf * (1.0 + K1);
        most += factor;
        for posting in &postings {
            let sum = &mut sums[posting.segment as usize][posting.doc as usize];
            if *sum == 0.0 {
                touched.push((posting.segment, posting.doc));
            }
            let count = posting.count as f32;
            *sum += factor * (count / (count + length_norms[usize::from(posting.length)]));
        }
    }
    let scored = touched.into_iter().map(|(segment, doc)| {
        let (first, _, of) = segments[segment as usize];
        ScoredChunk {
            chunk: first + of.chunks[doc as usize],
            score: sums[segment as usize][doc as usize],
        }
    });
    Ok(LexicalScores {
        chunks: scored.collect(),
        most,
        n_left_out,
    })
}

struct Posting {
    segment: u32,
    doc: u32,
    count: u32,
    length: u8,
}

impl Segment {
    fn open(reader: &SegmentReader, body: Field, visible: &RoaringBitmap) -> Result<Self> {
        let ids = reader.fast_fields().u64("chunk")?;
        let chunk = |doc: u32| {
            let chunk = ids.first(doc).and_then(|id| u32::try_from(id).ok());
            let is_alive = reader
                .alive_bitset()
                .is_none_or(|alive| alive.is_alive(doc));
            let shown = chunk.filter(|chunk| is_alive && visible.contains(*chunk));
            shown.unwrap_or(HIDDEN)
        };
        Ok(Self {
            chunks: (0..reader.max_doc()).map(chunk).collect(),
            index: reader.inverted_index(body)?,
            lengths: reader.get_fieldnorms_reader(body)?,
        })
    }

    fn zeros(&self) -> Vec<f32> {
        vec![0.0; self.chunks.len()]
    }

    fn visible(&self) -> impl Iterator<Item = u32> {
        let documents = (0u32..).zip(&self.chunks);
        documents.filter_map(|(doc, chunk)| (*chunk != HIDDEN).then_some(doc))
    }

    fn n_visible(&self) -> u64 {
        self.visible().count() as u64
    }

    /// Of lengths as they are coded, which a chunk's own length is compared with.
    fn n_tokens(&self) -> u64 {
        let lengths = self.visible().map(|doc| self.lengths.fieldnorm(doc));
        lengths.map(u64::from).sum()
    }

    fn read(&self, term: &Term, segment: u32, into: &mut Vec<Posting>) -> Result<()> {
        let found = self.index.read_postings(term, IndexRecordOption::WithFreqs);
        let Some(mut postings) = found.map_err(tantivy::TantivyError::from)? else {
            return Ok(());
        };
        let mut doc = postings.doc();
        while doc != TERMINATED {
            if self.chunks[doc as usize] != HIDDEN {
                into.push(Posting {
                    segment,
                    doc,
                    count: postings.term_freq(),
                    length: self.lengths.fieldnorm_id(doc),
                });
            }
            doc = postings.advance();
        }
        Ok(())
    }
}

fn idf(n_holding: u64, n_chunks: u64) -> f32 {
    let n_without = n_chunks.saturating_sub(n_holding) as f32;
    (1.0 + (n_without + 0.5) / (n_holding as f32 + 0.5)).ln()
}

fn length_norm(code: u8, mean: f32) -> f32 {
    let length = FieldNormReader::id_to_fieldnorm(code) as f32;
    K1 * (1.0 - B + B * length / mean.max(1.0))
}

/// The chunks of a view that hold one of a query's tokens, with their BM25.
#[derive(Clone, Debug, Default)]
pub struct LexicalScores {
    chunks: Vec<ScoredChunk>,
    /// What a chunk would score that is made of the query's words alone.
    pub most: f32,
    /// Tokens that were not looked up, since those before had more postings than are scored.
    pub n_left_out: u32,
}

impl LexicalScores {
    /// Returns the `limit` best of the allowed chunks, by falling score, ties by place: ids tell in
    /// which order contents came into the store, and must decide nothing.
    pub fn best(&self, view: &View, allowed: &RoaringBitmap, limit: usize) -> Vec<(ChunkRef, f32)> {
        let mut heap: BinaryHeap<Worst> = BinaryHeap::with_capacity(limit + 1);
        for hit in &self.chunks {
            let is_full = heap.len() >= limit;
            if is_full && heap.peek().is_none_or(|worst| hit.score < worst.score) {
                continue;
            }
            let place = view.locate(hit.chunk);
            if let Some(place) = place.filter(|_| allowed.contains(hit.chunk)) {
                let score = hit.score;
                heap.push(Worst { place, score });
                if heap.len() > limit {
                    heap.pop();
                }
            }
        }
        let sorted = heap.into_sorted_vec().into_iter();
        sorted.map(|hit| (hit.place, hit.score)).collect()
    }
}

/// The worse, the greater.
struct Worst {
    place: ChunkRef,
    score: f32,
}

impl PartialEq for Worst {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Worst {}
impl PartialOrd for Worst {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Worst {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = other.score.total_cmp(&self.score);
        by_score.then(self.place.cmp(&other.place))
    }
}
