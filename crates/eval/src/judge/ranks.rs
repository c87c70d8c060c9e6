//! Rankings: of files and lines, of symbols, of graded documents.

use super::verdict::{Judgement, Verdict, clean, verdicts};
use crate::answer::{Answer, ReturnedPlace};
use crate::metric::{Metric, Scores};
use crate::task::{Category, Place, Task};
use std::collections::{BTreeMap, BTreeSet};

/// Results that rank metrics look at.
const DEPTH: usize = 10;

/// The places that a ranking is held against.
pub(super) struct Targets<'a> {
    pub(super) relevant: &'a [Place],
    pub(super) by_suffix: bool,
    pub(super) needs_overlap: bool,
    /// Places that a person called wrong, where that is all that is known to be.
    pub(super) refused: Option<&'a [Place]>,
}

impl Targets<'_> {
    fn is_same(&self, place: &Place, found: &ReturnedPlace) -> bool {
        let path = clean(&found.file);
        path == place.file || (self.by_suffix && path.ends_with(&format!("/{}", place.file)))
    }

    fn fits(&self, place: &Place, found: &ReturnedPlace) -> bool {
        let is_met = !self.needs_overlap || place.end_line == 0 || overlaps(place, found);
        self.is_same(place, found) && is_met
    }

    /// Lines count for a verdict, not for the rank of a file.
    fn is_right(&self, found: &ReturnedPlace) -> bool {
        let has_lines = self.has_lines();
        let fits = |place: &Place| {
            self.fits(place, found) && (!has_lines || place.line == 0 || overlaps(place, found))
        };
        self.relevant.iter().any(fits)
    }

    fn is_refused(&self, found: &ReturnedPlace) -> bool {
        let refuses = |place: &Place| {
            self.is_same(place, found) && (place.line == 0 || overlaps(place, found))
        };
        !self.is_right(found) && self.refused.unwrap_or_default().iter().any(refuses)
    }

    fn has_lines(&self) -> bool {
        !self.needs_overlap && self.relevant.iter().any(|place| place.line > 0)
    }

    fn verdict(&self, found: &ReturnedPlace) -> Verdict {
        if self.is_right(found) {
            Verdict::Right
        } else if self.refused.is_none() || self.is_refused(found) {
            Verdict::Wrong
        } else {
            Verdict::Optional
        }
    }

    /// Ranks with a further one for each refused result before them.
    fn behind_refused(
        &self,
        ranks: Vec<Option<usize>>,
        found: &[ReturnedPlace],
    ) -> Vec<Option<usize>> {
        let n_before = |rank: usize| {
            let before = found[..rank].iter();
            before.filter(|found| self.is_refused(found)).count()
        };
        let later = |rank: Option<usize>| rank.map(|rank| rank + n_before(rank));
        ranks.into_iter().map(later).collect()
    }
}

fn overlaps(place: &Place, found: &ReturnedPlace) -> bool {
    let last = |line: u32, end: u32| if end == 0 { line } else { end };
    found.line <= last(place.line, place.end_line) && last(found.line, found.end_line) >= place.line
}

/// MRR, NDCG and recall over files; over lines as well where the relevant places have lines.
pub(super) fn ranked(targets: &Targets<'_>, answer: &Answer) -> Judgement {
    let relevant = targets.relevant;
    let fits = |place: &Place, found: &ReturnedPlace| targets.fits(place, found);
    let ranks = if targets.needs_overlap {
        // The rank of a target is that of the first chunk that meets it; chunks take up ranks.
        let ranks = first_ranks(relevant, &answer.found, fits);
        targets.behind_refused(ranks, &answer.found)
    } else {
        let mut seen = BTreeSet::new();
        let files: Vec<ReturnedPlace> = answer
            .found
            .iter()
            .filter(|found| seen.insert(clean(&found.file)))
            .cloned()
            .collect();
        let ranks = first_ranks(&distinct_files(relevant), &files, fits);
        targets.behind_refused(ranks, &files)
    };
    let mut scores = rank_scores(&ranks);
    if targets.has_lines() {
        let spans = first_ranks(relevant, &answer.found, |place, found| {
            targets.is_same(place, found) && overlaps(place, found)
        });
        let spans = targets.behind_refused(spans, &answer.found);
        scores.insert(Metric::SpanMrr, reciprocal(&spans));
        scores.insert(Metric::SpanRecall10, recall_within(&spans, DEPTH));
    }
    let is_met = |place: &Place| {
        let mut shown = answer.found.iter().take(DEPTH);
        shown.any(|found| targets.fits(place, found))
    };
    Judgement {
        scores,
        met: relevant.iter().map(is_met).collect(),
        verdicts: answer
            .found
            .iter()
            .map(|found| targets.verdict(found))
            .collect(),
    }
}

fn distinct_files(places: &[Place]) -> Vec<Place> {
    let mut seen = BTreeSet::new();
    places
        .iter()
        .filter(|place| seen.insert(place.file.clone()))
        .cloned()
        .collect()
}

/// For each relevant place the 0-based rank of the first result that meets it.
fn first_ranks(
    relevant: &[Place],
    found: &[ReturnedPlace],
    fits: impl Fn(&Place, &ReturnedPlace) -> bool,
) -> Vec<Option<usize>> {
    relevant
        .iter()
        .map(|place| found.iter().position(|found| fits(place, found)))
        .collect()
}

fn reciprocal(ranks: &[Option<usize>]) -> f64 {
    let best = ranks.iter().flatten().min();
    best.filter(|rank| **rank < DEPTH)
        .map_or(0.0, |rank| 1.0 / (*rank as f64 + 1.0))
}

fn recall_within(ranks: &[Option<usize>], depth: usize) -> f64 {
    let within = ranks.iter().flatten().filter(|rank| **rank < depth).count();
    if ranks.is_empty() {
        0.0
    } else {
        within as f64 / ranks.len() as f64
    }
}

fn discount(rank: usize) -> f64 {
    1.0 / (rank as f64 + 2.0).log2()
}

/// Rank metrics with binary gain; the ideal puts everything relevant first, ten at most.
fn rank_scores(ranks: &[Option<usize>]) -> Scores {
    let gain: f64 = ranks
        .iter()
        .flatten()
        .filter(|rank| **rank < DEPTH)
        .map(|rank| discount(*rank))
        .fold(0.0, |sum, gain| sum + gain);
    let ideal: f64 = (0..ranks.len().min(DEPTH)).map(discount).sum();
    let ndcg = if ideal == 0.0 { 0.0 } else { gain / ideal };
    let recall = recall_within(ranks, DEPTH);
    BTreeMap::from([
        (Metric::Mrr, reciprocal(ranks)),
        (Metric::Ndcg, ndcg),
        (Metric::Recall1, recall_within(ranks, 1)),
        (Metric::Recall5, recall_within(ranks, 5)),
        (Metric::Recall10, recall),
        (Metric::Recall, recall),
    ])
}

/// CKB's rule: names among the first results; a needle and a ranking pass with any, an expansion with
/// four fifths. For an expansion names are read off the graph's answer as well.
pub(super) fn symbols(
    task: &Task,
    names: &[String],
    share: f64,
    top_k: u32,
    answer: &Answer,
) -> Judgement {
    let depth = top_k as usize;
    let is_named = |name: &str, found: &ReturnedPlace| {
        let symbol = found.symbol.as_deref().unwrap_or_default();
        symbol == name || last_part(symbol) == last_part(name)
    };
    let ranks: Vec<Option<usize>> = match task.category {
        Category::Expansion => names
            .iter()
            .map(|name| {
                answer
                    .names
                    .iter()
                    .position(|found| last_part(found) == last_part(name))
            })
            .collect(),
        _ => names
            .iter()
            .map(|name| answer.found.iter().position(|found| is_named(name, found)))
            .collect(),
    };
    let met: Vec<bool> = ranks
        .iter()
        .map(|rank| rank.is_some_and(|rank| rank < depth))
        .collect();
    let recall = recall_within(&ranks, depth);
    let passed = if share == 0.0 {
        recall > 0.0
    } else {
        recall >= share
    };
    let mut scores = rank_scores(&ranks);
    scores.insert(Metric::Recall, recall);
    scores.insert(Metric::Pass, f64::from(u8::from(passed)));
    let is_right = |found: &ReturnedPlace| names.iter().any(|name| is_named(name, found));
    Judgement {
        scores,
        met,
        verdicts: verdicts(answer, is_right),
    }
}

/// The name at the end of a qualified one.
fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':', '#', '/']).next().unwrap_or(name)
}

/// Graded documents: gain 2^grade - 1 (Burges et al. 2005), as trec_eval's users of COIR have it with
/// grades of 1 this is binary.
pub(super) fn documents(grades: &BTreeMap<String, u32>, answer: &Answer) -> Judgement {
    let gain = |grade: u32| f64::from(2_u32.saturating_pow(grade) - 1);
    let grade_of = |found: &ReturnedPlace| grades.get(&found.file).copied().unwrap_or(0);
    let got: f64 = answer
        .found
        .iter()
        .take(DEPTH)
        .enumerate()
        .map(|(rank, found)| gain(grade_of(found)) * discount(rank))
        .fold(0.0, |sum, gain| sum + gain);
    let mut best: Vec<u32> = grades.values().copied().collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    let ideal: f64 = best
        .iter()
        .take(DEPTH)
        .enumerate()
        .map(|(rank, grade)| gain(*grade) * discount(rank))
        .fold(0.0, |sum, gain| sum + gain);
    let relevant: Vec<&String> = grades
        .iter()
        .filter(|(_, grade)| **grade > 0)
        .map(|(id, _)| id)
        .collect();
    let ranks: Vec<Option<usize>> = relevant
        .iter()
        .map(|id| answer.found.iter().position(|found| &found.file == *id))
        .collect();
    let mut scores = rank_scores(&ranks);
    scores.insert(Metric::Ndcg, if ideal == 0.0 { 0.0 } else { got / ideal });
    Judgement {
        scores,
        met: grades
            .keys()
            .map(|id| {
                answer
                    .found
                    .iter()
                    .take(DEPTH)
                    .any(|found| &found.file == id)
            })
            .collect(),
        verdicts: verdicts(answer, |found| grade_of(found) > 0),
    }
}
