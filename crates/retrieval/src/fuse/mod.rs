//! Fuse: weighted reciprocal rank fusion, and whether the best of the fused rows fit the query at all.
//!
//! Raw scores are carried along and never enter a fused score.

mod fit;

pub use fit::QueryFit;
pub(crate) use fit::{Looked, Vectors, is_one_letter};

use crate::channels::RankedChunk;
use crate::terms::{Channel, ChannelRank};
use std::collections::HashMap;
use whyrank_index::ChunkRef;

/// A channel's list and the weight that it has for this query.
pub struct WeightedList {
    /// The channel.
    pub channel: Channel,
    /// Its weight.
    pub weight: f64,
    /// Its hits, best first.
    pub hits: Vec<RankedChunk>,
}

/// A chunk that at least one channel found.
#[derive(Clone, Debug)]
pub struct Fused {
    /// Where.
    pub place: ChunkRef,
    /// Its ranks, in channel order.
    pub channels: Vec<ChannelRank>,
    /// BM25 of a chunk whose words match, but not among the list's best.
    pub bm25_below: Option<f64>,
    /// Its cosine by the static table, whatever channel found it.
    pub static_cosine: Option<f64>,
    /// Sum of the contributions.
    pub score: f64,
}

impl Fused {
    /// A chunk that no channel listed.
    pub(crate) fn nowhere(place: ChunkRef) -> Self {
        Self {
            place,
            channels: Vec::new(),
            bm25_below: None,
            static_cosine: None,
            score: 0.0,
        }
    }
}

/// Fuses ranked lists by weighted reciprocal rank: `sum w_c / (k + rank_c)`, ranks from 1.
///
/// `lists` best first, each chunk at most once; `k` > 0 (60 in Cormack, Clarke and Büttcher 2009).
/// Raw scores are carried along for the trace and do not count. Lists of weight 0 bring nothing.
/// The result is in order of place. O(total hits).
pub fn fuse(lists: &[WeightedList], k: f64) -> Vec<Fused> {
    let mut fused: HashMap<ChunkRef, Fused> = HashMap::new();
    for list in lists.iter().filter(|list| list.weight > 0.0) {
        for hit in &list.hits {
            let contribution = list.weight / (k + f64::from(hit.rank));
            let entry = fused.entry(hit.place).or_insert_with(|| Fused {
                place: hit.place,
                channels: Vec::new(),
                bm25_below: None,
                static_cosine: None,
                score: 0.0,
            });
            entry.score += contribution;
            entry.channels.push(ChannelRank {
                channel: list.channel,
                rank: hit.rank,
                raw_score: hit.raw_score,
                contribution,
                way: None,
            });
        }
    }
    let mut fused: Vec<Fused> = fused.into_values().collect();
    fused.sort_by_key(|row| row.place);
    fused
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::number;

    fn place(chunk: u32) -> ChunkRef {
        ChunkRef { file: 0, chunk }
    }

    fn list(channel: Channel, weight: f64, chunks: &[u32]) -> WeightedList {
        let hits = number(chunks.iter().map(|chunk| (place(*chunk), 1.0)));
        WeightedList {
            channel,
            weight,
            hits,
        }
    }

    #[test]
    fn contributions_sum_to_the_score() {
        let lists = [
            list(Channel::Fts, 1.0, &[1, 2, 3]),
            list(Channel::Vector, 0.5, &[3, 1]),
        ];
        for row in fuse(&lists, 60.0) {
            let sum: f64 = row
                .channels
                .iter()
                .map(|channel| channel.contribution)
                .sum();
            assert!((sum - row.score).abs() < 1e-12);
        }
    }

    #[test]
    fn two_channels_beat_one() {
        let lists = [
            list(Channel::Fts, 1.0, &[1, 2]),
            list(Channel::Vector, 1.0, &[2]),
        ];
        let fused = fuse(&lists, 60.0);
        assert!(fused[1].score > fused[0].score);
    }

    #[test]
    fn a_list_of_weight_zero_brings_nothing() {
        assert!(fuse(&[list(Channel::Fts, 0.0, &[1])], 60.0).is_empty());
    }
}
