//! Refine: MaxSim over the token vectors of the first stage's candidates, blended with what is known
//! of them already.
//!
//! Late interaction never sorts alone (alone it loses to fusion): a candidate's score grows by how far
//! its MaxSim stands above the least of the list, in deviations of the list. The term is additive and
//! stands in the trace, so the sum holds.

mod align;
mod alignment;
mod cells;
mod code;
mod cross_encode;
mod index_tokens;
mod tokens;

pub use align::{AlignedCells, AlignedPair, Alignment, TokenLine};
pub(crate) use align::{MAX_ALIGNED, align_hits};
pub(crate) use code::add_code_terms;
pub(crate) use cross_encode::CrossEncode;
pub use cross_encode::CrossRecord;
pub use index_tokens::IndexTokens;
pub use tokens::{EncodedQuery, QueryToken, RescoredChunks, TokenIndex, TokenMatch};
pub(crate) use tokens::{LazyTokens, kind_of};

use crate::context::QueryContext;
use crate::evidence::Scored;
use crate::term_table::is_listed;
use crate::terms::{Evidence, LateRank};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::HashMap;
use std::time::Instant;

/// Candidates that are looked at, in first-stage order.
pub const MAX_RESCORED: usize = 500;
/// The term that a chunk's own MaxSim brings.
pub(crate) const OWN_TERM: &str = "max-sim";
/// Below this share of the mean's size, deviations are rounding.
const MIN_DEVIATION: f64 = 1e-6;

/// The refinement's part of a trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type)]
pub struct RefineRecord {
    /// Candidates that were looked at.
    pub n_done: u32,
    /// Candidates that were to be looked at.
    pub n_asked: u32,
    /// Of those looked at, how many have no token vectors yet.
    pub n_without_tokens: u32,
    /// Document tokens that were compared.
    pub n_tokens: u32,
    /// The query's tokens, as the encoder reads them.
    pub query_tokens: Vec<QueryToken>,
    /// Time to encode the query, milliseconds.
    pub query_ms: f64,
    /// Time to compare tokens, milliseconds.
    pub search_ms: f64,
    /// Mean of the MaxSim scores.
    pub mean: f64,
    /// Their deviation.
    pub deviation: f64,
    /// What one deviation of its own adds to a chunk's score.
    pub per_deviation: f64,
    /// What one deviation of the file's best chunk adds to every chunk of the file.
    pub file_per_deviation: f64,
    /// Why it was cut or did not happen, although the gate let it; `None` when it ran to its end.
    pub cut: Option<String>,
}

/// Rescores `rows` in the order given and adds the term to each that was reached.
///
/// `order` are indices of rows, best first. Rows that time did not reach keep their score and count
/// as the least of the list, so that what was not read never passes what was; a row that was reached
/// and has no token vectors counts as average.
pub(crate) fn refine(
    rows: &mut [Scored],
    order: &[usize],
    ctx: QueryContext<'_, '_>,
) -> RefineRecord {
    let order = &order[..order.len().min(MAX_RESCORED)];
    let mut record = RefineRecord {
        n_asked: order.len() as u32,
        ..RefineRecord::default()
    };
    let encoded = match ctx.tokens.encoded() {
        Ok(encoded) => encoded,
        Err(reason) => {
            record.cut = Some(reason);
            return record;
        }
    };
    record.query_ms = ctx.tokens.encode_ms();
    record.query_tokens = encoded.tokens().to_vec();
    let chunks: Vec<u32> = order
        .iter()
        .map(|at| ctx.index().view.chunk_id(rows[*at].fused.place))
        .collect();
    let started = Instant::now();
    let rescored = match encoded.rescore(&chunks, ctx.deadline) {
        Ok(rescored) => rescored,
        Err(reason) => {
            record.cut = Some(reason);
            return record;
        }
    };
    record.search_ms = started.elapsed().as_secs_f64() * 1e3;
    record.n_tokens = u32::try_from(rescored.n_tokens).unwrap_or(u32::MAX);
    let scores: Vec<Option<f64>> = rescored
        .scores
        .iter()
        .map(|score| score.map(f64::from).filter(|score| score.is_finite()))
        .collect();
    let order = &order[..order.len().min(scores.len())];
    record.n_done = order.len() as u32;
    record.n_without_tokens = scores.iter().filter(|score| score.is_none()).count() as u32;
    record.cut = (record.n_done < record.n_asked).then(|| {
        format!(
            "out of time after {} of {} candidates",
            record.n_done, record.n_asked
        )
    });
    rank_by_late(rows, order, &scores);
    blend(rows, order, &scores, ctx, &mut record);
    record
}

fn rank_by_late(rows: &mut [Scored], order: &[usize], scores: &[Option<f64>]) {
    let mut by_late: Vec<(f64, usize)> = order
        .iter()
        .zip(scores)
        .filter_map(|(at, score)| Some(((*score)?, *at)))
        .collect();
    by_late.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (rank, (score, at)) in by_late.into_iter().enumerate() {
        rows[at].late = Some(LateRank {
            rank: rank as u32 + 1,
            score,
        });
    }
}

fn blend(
    rows: &mut [Scored],
    order: &[usize],
    scores: &[Option<f64>],
    ctx: QueryContext<'_, '_>,
    record: &mut RefineRecord,
) {
    let Some(figures) = Figures::of(scores) else {
        return;
    };
    let tuning = &ctx.request.tuning;
    record.mean = figures.mean;
    record.deviation = figures.deviation;
    record.per_deviation = tuning.late_score * ctx.unit();
    record.file_per_deviation = tuning.late_file * ctx.unit();
    let mut best_of_file: HashMap<u32, f64> = HashMap::new();
    for (at, score) in order.iter().zip(scores) {
        let best = best_of_file.entry(rows[*at].fused.place.file).or_default();
        *best = best.max(figures.above_least(*score));
    }
    for (at, score) in order.iter().zip(scores) {
        let row = &mut rows[*at];
        let of_file = best_of_file[&row.fused.place.file];
        let unit = ctx.unit() * row.keep;
        let own = unit * tuning.late_score * figures.above_least(*score);
        add(row, OWN_TERM, own, || figures.tell(*score));
        let shared = unit * tuning.late_file * of_file;
        add(row, "file-max-sim", shared, || {
            format!("the file's best chunk: {of_file:.2} σ above the least of the list")
        });
    }
}

pub(crate) fn add(
    row: &mut Scored,
    name: &str,
    contribution: f64,
    reason: impl FnOnce() -> String,
) {
    debug_assert!(is_listed(name), "{name} is missing in the table of terms");
    if contribution == 0.0 {
        return;
    }
    let kept = if row.keep < 1.0 {
        format!("; keeps {:.0}% of it", row.keep * 100.0)
    } else {
        String::new()
    };
    row.score += contribution;
    row.evidence.push(Evidence {
        words: Vec::new(),
        name: name.to_owned(),
        contribution,
        reason: format!("{}{kept}", reason()),
    });
}

/// Figures of a list of scores.
pub(crate) struct Figures {
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
    least: f64,
}

impl Figures {
    /// `None` when there is nothing to tell apart.
    pub(crate) fn of(scores: &[Option<f64>]) -> Option<Self> {
        let known: Vec<f64> = scores.iter().flatten().copied().collect();
        let n = known.len() as f64;
        let mean = known.iter().map(|score| score / n).sum::<f64>();
        let variance = known
            .iter()
            .map(|score| (score - mean).powi(2) / n)
            .sum::<f64>();
        let deviation = variance.sqrt();
        let least = known.iter().copied().fold(f64::INFINITY, f64::min);
        let told_apart = deviation.is_normal() && deviation > MIN_DEVIATION * mean.abs();
        told_apart.then_some(Self {
            mean,
            deviation,
            least,
        })
    }

    pub(crate) fn above_least(&self, score: Option<f64>) -> f64 {
        (score.unwrap_or(self.mean) - self.least) / self.deviation
    }

    fn tell(&self, score: Option<f64>) -> String {
        let above = self.above_least(score);
        match score {
            Some(score) => format!(
                "MaxSim {score:.3}, {:+.2} σ from the mean, {above:.2} σ above the least",
                (score - self.mean) / self.deviation
            ),
            None => {
                format!("no token vectors yet: counts as average, {above:.2} σ above the least")
            }
        }
    }
}
