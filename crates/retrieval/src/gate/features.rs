//! Figures about the first stage's list, each without a scale of its own.

use super::MIN_BACKGROUND;
use super::verdict::GateFeatures;
use crate::fuse::WeightedList;
use crate::query::{ParsedQuery, QueryShape};
use crate::search_index::SearchIndex;
use crate::terms::Channel;
use std::collections::HashSet;
use std::time::Duration;
use whyrank_index::ChunkRef;

/// Rows that the entropy is taken over.
const N_BEST: usize = 10;
/// Ranks, from 0, that make the background of a long list.
const BACKGROUND: std::ops::Range<usize> = 50..500;
/// A longer list has its background from rank 51; of a shorter one it is the last three quarters.
const LONG_LIST: usize = 100;
/// Persistence of rank-biased overlap (Webber, Moffat and Zobel 2010).
const PERSISTENCE: f64 = 0.9;
/// The least deviation, as a share of the list's range: a flat background says nothing of a margin.
const MIN_DEVIATION: f64 = 0.02;
/// Scores that differ by a smaller share of their size are the same score.
const ROUNDING: f64 = 1e-9;

/// What the first stage left.
pub(crate) struct FirstStage<'a> {
    /// Scores in any order.
    pub(crate) scores: Vec<f64>,
    pub(crate) lists: &'a [WeightedList],
    pub(crate) query: &'a ParsedQuery,
    pub(crate) index: &'a SearchIndex,
    pub(crate) time_left: Duration,
    pub(crate) expected_ms: Option<f64>,
}

pub(crate) fn measure(mut stage: FirstStage<'_>) -> GateFeatures {
    stage.scores.retain(|score| score.is_finite());
    stage.scores.sort_by(|a, b| b.total_cmp(a));
    let spread = Spread::of(&stage.scores);
    GateFeatures {
        n_candidates: stage.scores.len() as u32,
        z_margin: spread.z_margin,
        z_peak: spread.z_peak,
        entropy: spread.entropy,
        agreement: agreement(stage.lists),
        id_hit: id_hit(&stage),
        shape: stage.query.shape,
        n_words: stage.query.text.split_whitespace().count() as u32,
        time_left_ms: stage.time_left.as_secs_f64() * 1e3,
        expected_ms: stage.expected_ms,
    }
}

/// How far the best stand out. Of a list too short to have a background: nothing is certain.
#[derive(Debug, PartialEq)]
pub(super) struct Spread {
    pub(super) z_margin: f64,
    pub(super) z_peak: f64,
    pub(super) entropy: f64,
}

impl Spread {
    /// `scores` finite, best first. Unchanged when all are multiplied by one positive number or when
    /// one number is added to all.
    pub(super) fn of(scores: &[f64]) -> Self {
        let uncertain = Self {
            z_margin: 0.0,
            z_peak: 0.0,
            entropy: 1.0,
        };
        if scores.len() < MIN_BACKGROUND as usize {
            return uncertain;
        }
        let (first, last) = (scores[0], scores[scores.len() - 1]);
        if first - last <= ROUNDING * first.abs().max(last.abs()) {
            return uncertain;
        }
        let background = if scores.len() >= LONG_LIST {
            &scores[BACKGROUND.start..scores.len().min(BACKGROUND.end)]
        } else {
            &scores[scores.len() / 4..]
        };
        let n = background.len() as f64;
        let mean = background.iter().map(|score| score / n).sum::<f64>();
        let variance = background
            .iter()
            .map(|score| (score - mean).powi(2) / n)
            .sum::<f64>();
        let deviation = variance.sqrt().max(MIN_DEVIATION * (first - last));
        if !deviation.is_normal() {
            return uncertain;
        }
        Self {
            z_margin: (first - scores[1]) / deviation,
            z_peak: (first - mean) / deviation,
            entropy: entropy(&scores[..scores.len().min(N_BEST)], deviation),
        }
    }
}

/// Entropy of `softmax((s - s1) / temperature)`, 0 to 1. `scores` best first, at least two.
fn entropy(scores: &[f64], temperature: f64) -> f64 {
    let weights = scores
        .iter()
        .map(|score| ((score - scores[0]) / temperature).exp());
    let weights: Vec<f64> = weights.collect();
    let sum: f64 = weights.iter().sum();
    let shares = weights.iter().map(|weight| weight / sum);
    let nats: f64 = shares
        .filter(|share| *share > 0.0)
        .map(|share| -share * share.ln())
        .sum();
    (nats / (scores.len() as f64).ln()).clamp(0.0, 1.0)
}

fn agreement(lists: &[WeightedList]) -> Option<f64> {
    let best = |channel: Channel| {
        let list = lists.iter().find(|list| list.channel == channel)?;
        let best = list.hits.iter().take(N_BEST).map(|hit| hit.place);
        Some(best.collect::<Vec<_>>()).filter(|best| !best.is_empty())
    };
    Some(overlap(&best(Channel::Vector)?, &best(Channel::Fts)?))
}

/// Rank-biased overlap of two lists, cut at the longer one's end and scaled so that equal lists have 1.
pub(super) fn overlap(a: &[ChunkRef], b: &[ChunkRef]) -> f64 {
    let (mut of_a, mut of_b) = (HashSet::<ChunkRef>::new(), HashSet::<ChunkRef>::new());
    let (mut sum, mut most, mut weight) = (0.0, 0.0, 1.0);
    for depth in 1..=a.len().max(b.len()) {
        of_a.extend(a.get(depth - 1));
        of_b.extend(b.get(depth - 1));
        sum += weight * of_a.intersection(&of_b).count() as f64 / depth as f64;
        most += weight;
        weight *= PERSISTENCE;
    }
    if most > 0.0 { sum / most } else { 0.0 }
}

/// The query is an identifier that one definition has, and two channels have that definition first.
fn id_hit(stage: &FirstStage<'_>) -> bool {
    if stage.query.shape != QueryShape::Identifier {
        return false;
    }
    let Some(identifier) = stage.query.identifiers.first() else {
        return false;
    };
    let bare = ParsedQuery::bare_name(identifier);
    let known = stage.index.with_name(bare);
    let alike = stage.index.named_where(&known, |named| named.name == bare);
    let [only] = alike[..] else {
        return false;
    };
    let chunk = stage.index.chunk_of(only);
    let has_it_first = |list: &&WeightedList| {
        let first = list.hits.iter().take_while(|hit| hit.rank == 1);
        list.weight > 0.0 && first.map(|hit| hit.place).any(|place| Some(place) == chunk)
    };
    stage.lists.iter().filter(has_it_first).count() >= 2
}
