//! MaxSim over what a chunk says besides its comments, where the query is worded as a comment.
//!
//! A neighbour whose comment says nearly the same as such a query stands before the function that has
//! none. How well the code itself answers is one more term, for the candidates that stand first so far.
//! A comment that says the query nearly word for word is no such neighbour, so it counts, the more the
//! nearer.

use super::{EncodedQuery, Figures, add};
use crate::context::QueryContext;
use crate::error::Result;
use crate::evidence::Scored;
use crate::search_index::SearchIndex;
use crate::terms::LateRank;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::time::Instant;
use whyrank_index::{ChunkRef, Pool};

/// Candidates that are read.
const MAX_READ: usize = 60;
/// Mean product of a query token with its match from which comments count; at 1 they count in full.
const NEARLY_SAID: f64 = 0.8;
/// The term.
const NAME: &str = "code-max-sim";

/// Adds the term to the best of the candidates that late interaction has looked at, until the
/// deadline. What is not reached, and a chunk that is nothing but a comment, counts as the least; one
/// without token vectors as average.
///
/// Costs the texts of their files, one scan of each chunk for comments, and as much as aligning those
/// that have any.
///
/// # Errors
/// A text that cannot be read.
pub(crate) fn add_code_terms(
    rows: &mut [Scored],
    looked_at: &[usize],
    ctx: QueryContext<'_, '_>,
) -> Result<()> {
    let per_deviation = ctx.request.tuning.late_code * ctx.unit();
    let encoded = match ctx.tokens.encoded() {
        Ok(encoded) if per_deviation > 0.0 => encoded,
        _ => return Ok(()),
    };
    let mut code = CodeScorer {
        index: ctx.index(),
        stores: &ctx.search.stores,
        encoded,
        texts: HashMap::new(),
    };
    let mut read: Vec<(usize, Option<f64>)> = Vec::new();
    for at in best(rows, looked_at) {
        if Instant::now() >= ctx.deadline {
            break;
        }
        match rows[at].late {
            None => read.push((at, None)),
            Some(late) => {
                let score = code.score(rows[at].fused.place, late)?;
                read.extend(score.map(|score| (at, Some(score))));
            }
        }
    }
    let scores: Vec<Option<f64>> = read.iter().map(|(_, score)| *score).collect();
    let Some(figures) = Figures::of(&scores) else {
        return Ok(());
    };
    for (at, score) in read {
        let row = &mut rows[at];
        let contribution = per_deviation * row.keep * figures.above_least(score);
        add(row, NAME, contribution, || {
            format!("without its comments: {}", figures.tell(score))
        });
    }
    Ok(())
}

/// The first of the rows by score so far. Rows are in order of place, so ties do not depend on how the
/// store was built.
fn best(rows: &[Scored], looked_at: &[usize]) -> Vec<usize> {
    let mut best = looked_at.to_vec();
    best.sort_by(|a, b| rows[*b].score.total_cmp(&rows[*a].score).then(a.cmp(b)));
    best.truncate(MAX_READ);
    best
}

/// Scores chunks by their code; texts of files are read once.
struct CodeScorer<'a> {
    index: &'a SearchIndex,
    stores: &'a Pool<'a>,
    encoded: &'a (dyn EncodedQuery + 'a),
    texts: HashMap<u32, String>,
}

impl CodeScorer<'_> {
    /// `None` for a chunk that is nothing but a comment.
    fn score(&mut self, place: ChunkRef, whole: LateRank) -> Result<Option<f64>> {
        let comments = self.comments(place)?;
        if comments.is_empty() {
            return Ok(Some(whole.score));
        }
        let chunk = self.index.view.chunk_id(place);
        let matches = self.encoded.align(chunk, &comments);
        let code: f64 = matches.iter().map(|found| f64::from(found.score)).sum();
        let n_tokens = self.encoded.tokens().len();
        Ok((!matches.is_empty()).then(|| with_what_is_said(code, whole.score, n_tokens)))
    }

    /// A chunk's comments, in bytes from its first.
    fn comments(&mut self, place: ChunkRef) -> Result<Vec<Range<u32>>> {
        let (file, chunk, _) = self.index.view.chunk(place);
        let text = match self.texts.entry(place.file) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(self.stores.text(place.file)?),
        };
        let range = chunk.span.start_byte as usize..chunk.span.end_byte as usize;
        let body = text.get(range).unwrap_or_default();
        let comments = whyrank_syntax::comments(body, file.language).into_iter();
        let narrow = |range: Range<usize>| range.start as u32..range.end as u32;
        Ok(comments.map(narrow).collect())
    }
}

/// MaxSim of the code, and so much of what comments add as the whole says about the query.
fn with_what_is_said(code: f64, whole: f64, n_tokens: usize) -> f64 {
    let mean = whole / n_tokens.max(1) as f64;
    let share = ((mean - NEARLY_SAID) / (1.0 - NEARLY_SAID)).clamp(0.0, 1.0);
    code + (whole - code) * share
}
