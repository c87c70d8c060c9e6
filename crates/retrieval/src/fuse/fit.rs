//! Does anything fit? Figures of the best candidates that do not depend on the list they lead.
//!
//! Every list has a best, so what is in a list cannot say that nothing answers the query.

use crate::fuse::Fused;
use crate::query::{ParsedQuery, QueryShape};
use crate::terms::Channel;
use serde::{Deserialize, Serialize};
use specta::Type;

/// Below this share of the words, nothing fits where only words can tell. On nine repositories of the
/// semble part that holds of 2 of 181 questions and of 107 of 108 nonsense queries (letters at random,
/// words that are none, other subjects, names that nothing has); in Django, redis, scrapy and clap,
/// where more words occur by chance, of 76 to 89% of the nonsense.
const FEW_WORDS: f64 = 0.15;
/// Below this one it takes a near neighbour by meaning to fit: 1 of 181 questions has none, and 108 of
/// 108 nonsense queries.
const SOME_WORDS: f64 = 0.25;
/// Models whose cosines have a scale that was measured, each with the cosine of a near neighbour.
const NEAR: [(&str, f64); 1] = [("minilm-l6", 0.37)];
/// A text of more tokens than this is a report or a piece of code: no chunk holds much of it.
const MAX_TOKENS: usize = 24;

/// How well the best candidates fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct QueryFit {
    /// The best BM25 against that of a chunk that is made of the query's words alone, 0 to 1. Rare words
    /// count most, and those that the repository lacks are the rarest.
    pub words: f64,
    /// The best cosine; `None` where not all chunks have a vector.
    pub cosine: Option<f64>,
    /// That nothing fits well, and why; `None` where something does.
    pub poor: Option<String>,
}

impl QueryFit {
    /// `most_bm25` is the BM25 of a chunk that is made of the query's words alone; `model` the encoder
    /// whose vectors all chunks have.
    pub(crate) fn of(
        rows: &[Fused],
        most_bm25: f64,
        query: &ParsedQuery,
        model: Option<&str>,
    ) -> Self {
        let bm25 = best(rows, &[Channel::Fts, Channel::DocSection]).unwrap_or(0.0);
        let words = if most_bm25 > 0.0 {
            (bm25 / most_bm25).min(1.0)
        } else {
            0.0
        };
        let cosine = best(rows, &[Channel::Vector]).filter(|_| model.is_some());
        let near = model.and_then(|model| NEAR.iter().find(|(name, _)| *name == model));
        let is_poor = match (near, cosine) {
            (Some((_, near)), Some(cosine)) => words < SOME_WORDS && cosine < *near,
            _ => words < FEW_WORDS,
        };
        // A path is matched by its letters; words that the filters hide say nothing either way.
        let is_judged = query.shape != QueryShape::Path
            && (1..=MAX_TOKENS).contains(&query.tokens.len())
            && !rows.is_empty();
        Self {
            words,
            cosine,
            poor: (is_judged && is_poor).then(|| tell(words, query.shape)),
        }
    }
}

fn best(rows: &[Fused], channels: &[Channel]) -> Option<f64> {
    let ranks = rows.iter().flat_map(|row| &row.channels);
    let of_channel = ranks.filter(|rank| channels.contains(&rank.channel));
    of_channel.map(|rank| rank.raw_score).reduce(f64::max)
}

fn tell(words: f64, shape: QueryShape) -> String {
    let why = match (words > 0.0, shape) {
        (_, QueryShape::Identifier) => "nothing has this name",
        (false, _) => "no word of the query occurs",
        (true, _) => "the words that matter in the query occur nowhere together",
    };
    format!("nothing fits well: {why}; these only come nearest")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::ChannelRank;
    use whyrank_index::ChunkRef;

    fn found(bm25: f64, cosine: f64) -> Vec<Fused> {
        let rank = |channel, raw_score| ChannelRank {
            channel,
            rank: 1,
            raw_score,
            contribution: 0.01,
            way: None,
        };
        vec![Fused {
            place: ChunkRef { file: 0, chunk: 0 },
            channels: vec![rank(Channel::Fts, bm25), rank(Channel::Vector, cosine)],
            bm25_below: None,
            score: 0.02,
        }]
    }

    fn is_poor(text: &str, rows: &[Fused], model: Option<&str>) -> bool {
        let query = ParsedQuery::parse(text);
        QueryFit::of(rows, 20.0, &query, model).poor.is_some()
    }

    #[test]
    fn the_best_of_a_list_may_still_fit_badly() {
        let words = "banana bread recipe";
        assert!(is_poor(words, &found(2.0, 0.2), Some("minilm-l6")));
        assert!(!is_poor(words, &found(2.0, 0.5), Some("minilm-l6")));
        assert!(!is_poor(words, &found(10.0, 0.2), Some("minilm-l6")));
    }

    #[test]
    fn cosines_count_where_their_scale_is_known_and_all_have_one() {
        assert!(is_poor("bread recipe", &found(2.0, 0.9), None));
        assert!(is_poor("bread recipe", &found(2.0, 0.9), Some("another")));
        assert!(!is_poor("bread recipe", &found(5.0, 0.1), Some("another")));
    }

    #[test]
    fn a_path_and_a_long_report_are_not_judged() {
        assert!(!is_poor("src/bread/recipe.rs", &found(0.0, 0.1), None));
        let report = (0..40).map(|n| format!("word{n} ")).collect::<String>();
        assert!(!is_poor(&report, &found(0.0, 0.1), None));
        assert!(!is_poor("bread", &[], None));
    }
}
