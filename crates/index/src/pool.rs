//! Pool: the stores of the repositories that one question is asked of. Files and chunks of each are
//! numbered on from those of the one before, so that what reads a pool need not know how many there are;
//! a single repository is a pool of one, with its own numbers.
//!
//! Ranks nothing: what is found is put together by score, for anyone who ranks.

use crate::bm25::{self, Collection, LexicalScores};
use crate::error::Result;
use crate::postings::Posting;
use crate::reader::Reader;
use crate::scored_chunk::ScoredChunk;
use crate::view::{PoolOffset, View, pool_offsets};
use roaring::RoaringBitmap;
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;
use whyrank_inference::EncoderSpec;

/// How vectors are looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorScan {
    /// Rows of each store, at most.
    pub limit: usize,
    /// Every vector, as [`Reader::nearest_exactly`] does; else the most promising by their sketches,
    /// as [`Reader::nearest`] does.
    pub exact: bool,
}

/// The part in which a number lies, and the number there. `starts` begins with 0 and never falls.
fn part_of(starts: impl ExactSizeIterator<Item = u32>, number: u32) -> (usize, u32) {
    let mut found = (0, number);
    for (at, start) in starts.enumerate() {
        if start > number {
            break;
        }
        found = (at, number - start);
    }
    found
}

struct Part<'a> {
    reader: &'a Reader,
    view: &'a View,
    offset: PoolOffset,
}

/// The stores of the repositories that are asked.
pub struct Pool<'a> {
    parts: Vec<Part<'a>>,
}

impl<'a> Pool<'a> {
    /// Puts stores together, each with the view of it that is asked, in the order of
    /// [`View::pooled`].
    pub fn new(stores: impl IntoIterator<Item = (&'a Reader, &'a View)>) -> Self {
        let (readers, views): (Vec<_>, Vec<_>) = stores.into_iter().unzip();
        let offsets = pool_offsets(&views);
        let parts = readers.into_iter().zip(views).zip(offsets);
        let parts = parts.map(|((reader, view), offset)| Part {
            reader,
            view,
            offset,
        });
        Self {
            parts: parts.collect(),
        }
    }

    /// Returns what each generation was built with, and its name.
    pub fn manifest_line(&self) -> String {
        let parts = self.parts.iter();
        let lines = parts.map(|part| {
            let hash = part.reader.manifest().hash();
            format!("{hash} · {}", part.reader.generation())
        });
        lines.collect::<Vec<_>>().join(" + ")
    }

    /// Returns the text of a file, by its number in the pool.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn text(&self, file: u32) -> Result<String> {
        let starts = self.parts.iter().map(|part| part.offset.first_file());
        let (at, file) = part_of(starts, file);
        let part = &self.parts[at];
        part.reader.text(part.view.files[file as usize].content_id)
    }

    /// Computes BM25 of all chunks for weighted tokens, with the frequencies and lengths of the whole pool.
    ///
    /// # Errors
    /// A lexical store that cannot be read.
    pub fn bm25(&self, tokens: &[(String, f32)]) -> Result<LexicalScores> {
        if tokens.is_empty() {
            return Ok(LexicalScores::default());
        }
        let collections = self.collections()?;
        if collections.is_empty() {
            return Ok(LexicalScores::default());
        }
        let scores = bm25::score(&collections, tokens);
        match self.parts.as_slice() {
            [part] => part.reader.noted(scores),
            _ => scores,
        }
    }

    /// The chunks of each part, with the number of the first among all.
    fn collections(&self) -> Result<Vec<(u32, Arc<Collection>)>> {
        let mut collections = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let collection = part.reader.collection(part.view)?;
            collections.extend(collection.map(|of| (part.offset.chunk, of)));
        }
        Ok(collections)
    }

    /// Returns whether a chunk holds a token.
    ///
    /// # Errors
    /// A lexical store that cannot be read.
    pub fn holds(&self, token: &str) -> Result<bool> {
        for (_, collection) in self.collections()? {
            if collection.holds(token)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the tokens that begin so and that a chunk holds, each with the documents that have it, of
    /// whatever view: those of most first, at most `most`.
    ///
    /// # Errors
    /// A lexical store that cannot be read.
    pub fn beginning_with(&self, begun: &str, most: usize) -> Result<Vec<(String, u64)>> {
        let mut counts = HashMap::new();
        for (_, collection) in self.collections()? {
            collection.count_beginning_with(begun, &mut counts)?;
        }
        let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
        counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let mut shown = Vec::with_capacity(most);
        for (token, n) in counts {
            if shown.len() == most {
                break;
            }
            if self.holds(&token)? {
                shown.push((token, n));
            }
        }
        Ok(shown)
    }

    /// Calls `each` with every chunk of the stores that holds a token, of whatever view, once for each
    /// of `tokens`. The stores are opened once. In no order within a token.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub fn each_posting(
        &self,
        tokens: &[&str],
        mut each: impl FnMut(usize, Posting),
    ) -> Result<()> {
        for part in &self.parts {
            part.reader.with_postings(|postings| {
                for (at, token) in tokens.iter().enumerate() {
                    postings.each(token, |posting| {
                        // Ids of other views may be beyond those of this one.
                        if part.view.visible.contains(posting.chunk) {
                            let chunk = part.offset.chunk + posting.chunk;
                            each(at, Posting { chunk, ..posting });
                        }
                    })?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Returns the nearest allowed chunks to a query vector, not sorted.
    ///
    /// # Errors
    /// Vectors that cannot be read.
    pub fn nearest(
        &self,
        spec: &EncoderSpec,
        query: &[f32],
        allowed: &RoaringBitmap,
        scan: VectorScan,
    ) -> Result<Vec<ScoredChunk>> {
        let nearest = if scan.exact {
            Reader::nearest_exactly
        } else {
            Reader::nearest
        };
        let mut all = Vec::new();
        for (part, allowed) in self.parts.iter().zip(self.split(allowed)) {
            if allowed.is_empty() {
                continue;
            }
            let found = nearest(part.reader, spec, query, &allowed, scan.limit)?;
            all.extend(part.numbered(found));
        }
        Ok(all)
    }

    /// Returns the nearest allowed chunks to a static query vector, not sorted.
    pub fn nearest_static(
        &self,
        spec: &EncoderSpec,
        query: &[f32],
        allowed: &RoaringBitmap,
        limit: usize,
    ) -> Vec<ScoredChunk> {
        let parts = self.parts.iter().zip(self.split(allowed));
        let found = parts.flat_map(|(part, allowed)| {
            let found = part.reader.nearest_static(spec, query, &allowed, limit);
            part.numbered(found).collect::<Vec<_>>()
        });
        found.collect()
    }

    /// Returns the cosine of each chunk by the static table; `None` for those without a vector.
    pub fn static_cosines(
        &self,
        spec: &EncoderSpec,
        query: &[f32],
        chunks: &[u32],
    ) -> Vec<Option<f32>> {
        let starts = || self.parts.iter().map(|part| part.offset.chunk);
        let mut cosines = vec![None; chunks.len()];
        for (at, part) in self.parts.iter().enumerate() {
            let own = chunks.iter().enumerate().filter_map(|(idx, chunk)| {
                let (of, chunk) = part_of(starts(), *chunk);
                (of == at).then_some((idx, chunk))
            });
            let (places, own): (Vec<usize>, Vec<u32>) = own.unzip();
            let found = part.reader.static_cosines(spec, query, &own);
            for (place, cosine) in places.into_iter().zip(found) {
                cosines[place] = cosine;
            }
        }
        cosines
    }

    /// Chunks of the pool as each store numbers its own.
    fn split<'b>(&self, chunks: &'b RoaringBitmap) -> Vec<Cow<'b, RoaringBitmap>> {
        if self.parts.len() == 1 {
            return vec![Cow::Borrowed(chunks)];
        }
        split_chunks(chunks, self.parts.iter().map(|part| part.offset.chunk))
            .into_iter()
            .map(Cow::Owned)
            .collect()
    }
}

impl Part<'_> {
    fn numbered(&self, found: Vec<ScoredChunk>) -> impl Iterator<Item = ScoredChunk> + '_ {
        found.into_iter().map(|hit| ScoredChunk {
            chunk: self.offset.chunk + hit.chunk,
            score: hit.score,
        })
    }
}

/// Splits chunks of a pool by where each of its repositories begins: as each numbers its own.
pub fn split_chunks(
    chunks: &RoaringBitmap,
    starts: impl IntoIterator<Item = u32>,
) -> Vec<RoaringBitmap> {
    let starts: Vec<u32> = starts.into_iter().collect();
    let ends = starts.iter().skip(1).copied().chain([u32::MAX]);
    let parts = starts.iter().zip(ends);
    let parts = parts.map(|(start, end)| {
        let held = chunks.range(*start..end).map(|chunk| chunk - start);
        held.collect::<RoaringBitmap>()
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_lies_in_the_last_part_that_begins_before_it() {
        // The second part is empty.
        let starts = [0, 10, 10, 12];
        let part = |number| part_of(starts.into_iter(), number);
        assert_eq!([part(9), part(10), part(13)], [(0, 9), (2, 0), (3, 1)]);
    }

    #[test]
    fn chunks_are_split_where_repositories_begin() {
        let chunks = RoaringBitmap::from([0, 9, 10, 70_000, 70_005]);
        let parts = split_chunks(&chunks, [0, 10, 70_000]);
        let expected = [vec![0, 9], vec![0], vec![0, 5]];
        assert_eq!(parts, expected.map(RoaringBitmap::from_iter));
    }
}
