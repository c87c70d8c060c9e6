//! Cross-encode: a model reads the query and the best of the list together, a passage at a time.
//!
//! Like late interaction it never sorts alone: a file's score grows by how far its passage stands above
//! the least of those read, in deviations of them. What was not read counts as the least.

use super::{Figures, add};
use crate::context::QueryContext;
use crate::error::Result;
use crate::evidence::Scored;
use crate::gate::{self, GateRecord};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::time::Instant;
use whyrank_index::ChunkRef;
use whyrank_inference::CrossEncoder;

/// Passages that are read.
pub(crate) const N_READ: usize = 10;
/// Bytes of a passage that the model is given: it reads about 64 tokens.
const MAX_BYTES: usize = 1500;
/// The term.
const NAME: &str = "cross-encode";

/// The cross-encoder's part of a trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct CrossRecord {
    /// Which weights.
    pub model: String,
    /// Passages that were to be read.
    pub n_asked: u32,
    /// Passages that were read.
    pub n_done: u32,
    /// Mean of their scores.
    pub mean: f64,
    /// Their deviation.
    pub deviation: f64,
    /// What one deviation adds to the score of a file.
    pub per_deviation: f64,
    /// Why it was cut or did not happen; `None` when it ran to its end.
    pub cut: Option<String>,
}

/// The model, and what it is asked.
pub(crate) struct CrossEncode<'a> {
    pub(crate) model: &'a dyn CrossEncoder,
    pub(crate) query: &'a str,
}

impl CrossEncode<'_> {
    /// Reads the first passage of each of the best files of `ranked`, best first, and adds the term to
    /// all rows of the file; the gate of late interaction decides here too, without its vectors.
    ///
    /// # Errors
    /// A text that cannot be read.
    pub(crate) fn read(
        &self,
        ranked: &mut [Scored],
        ctx: QueryContext<'_, '_>,
        gate: &GateRecord,
    ) -> Result<CrossRecord> {
        let mut record = CrossRecord {
            model: self.model.name().to_owned(),
            per_deviation: ctx.request.tuning.cross_encode * ctx.unit(),
            ..CrossRecord::default()
        };
        let verdict = gate::decide(&gate.settings, &gate.features, None);
        if record.per_deviation == 0.0 {
            record.cut = Some("skipped: `cross_encode` is 0".to_owned());
            return Ok(record);
        }
        if !verdict.runs {
            record.cut = Some(verdict.sentence);
            return Ok(record);
        }
        let best = first_of_files(ranked);
        let passages = best
            .iter()
            .map(|at| self.passage(ranked[*at].fused.place, ctx))
            .collect::<Result<Vec<String>>>()?;
        let passages: Vec<&str> = passages.iter().map(String::as_str).collect();
        record.n_asked = passages.len() as u32;
        let is_late = || Instant::now() >= ctx.deadline;
        let scores = match self.model.score(self.query, &passages, &is_late) {
            Ok(scores) => scores,
            Err(error) => {
                record.cut = Some(error.to_string());
                return Ok(record);
            }
        };
        record.n_done = scores.len() as u32;
        record.cut = (record.n_done < record.n_asked).then(|| {
            let (n_done, n_asked) = (record.n_done, record.n_asked);
            format!("out of time after {n_done} of {n_asked} passages")
        });
        add_terms(ranked, &best, &scores, &mut record);
        Ok(record)
    }

    /// A definition's name and its text, as the index encodes it.
    fn passage(&self, place: ChunkRef, ctx: QueryContext<'_, '_>) -> Result<String> {
        let (_, chunk, symbol) = ctx.index().view.chunk(place);
        let text = ctx.search.stores.text(place.file)?;
        let range = chunk.span.start_byte as usize..chunk.span.end_byte as usize;
        let body = text.get(range).unwrap_or_default();
        let body = &body[..body.floor_char_boundary(MAX_BYTES)];
        let name = symbol.map_or("", |symbol| symbol.qualified.as_str());
        Ok(format!("{name}\n{body}"))
    }
}

/// The best row of each of the best files.
fn first_of_files(ranked: &[Scored]) -> Vec<usize> {
    let mut files = Vec::new();
    let mut best = Vec::new();
    for (at, row) in ranked.iter().enumerate() {
        if best.len() == N_READ {
            break;
        }
        if !files.contains(&row.fused.place.file) {
            files.push(row.fused.place.file);
            best.push(at);
        }
    }
    best
}

fn add_terms(ranked: &mut [Scored], best: &[usize], scores: &[f32], record: &mut CrossRecord) {
    let scores = scores.iter().map(|score| Some(f64::from(*score)));
    let scores: Vec<Option<f64>> = scores
        .map(|score| score.filter(|score| score.is_finite()))
        .collect();
    let Some(figures) = Figures::of(&scores) else {
        return;
    };
    record.mean = figures.mean;
    record.deviation = figures.deviation;
    for (at, score) in best.iter().zip(scores) {
        let file = ranked[*at].fused.place.file;
        let above = figures.above_least(score);
        for row in ranked.iter_mut().filter(|row| row.fused.place.file == file) {
            add(row, NAME, record.per_deviation * row.keep * above, || {
                format!("read beside the query: {above:.2} σ above the least of those read")
            });
        }
    }
}
