//! Search over the whole shard: WARPSELECT over cells, then exact MaxSim over what it finds.
//!
//! After WARP (arXiv 2501.17788), with one accumulator over documents in the place of its tree of
//! merges: every document begins with the sum of what is imputed, and a query token that meets it adds
//! the difference between what it found and what was imputed. The sums are the same, but that a token
//! below what is imputed counts as if it had not been met. Cells hold codes of fewer bits: what those
//! leave out is made up for by the exact part.

use super::hit::{Hit, best};
use super::probe::{Probe, ProbeLimits, passed_tokens, probes};
use super::rescore::DOCUMENTS_PER_LOOK;
use super::rescore::score;
use crate::query::{Query, Scratch};
use crate::segment::Segment;
use crate::shard::Shard;
use roaring::RoaringBitmap;

/// What wide search does.
#[derive(Clone, Copy, Debug)]
pub struct WideOptions<'a> {
    /// Hits at most.
    pub k: usize,
    /// Cells that each query token visits.
    pub n_probe: usize,
    /// This many of the best are scored exactly, and ordered by that.
    pub n_exact: usize,
    /// Documents that count; all without.
    pub filter: Option<&'a RoaringBitmap>,
}

impl Default for WideOptions<'_> {
    fn default() -> Self {
        Self {
            k: 100,
            n_probe: 32,
            n_exact: 250,
            filter: None,
        }
    }
}

impl WideOptions<'_> {
    fn allows(&self, id: u32) -> bool {
        self.filter.is_none_or(|filter| filter.contains(id))
    }
}

/// What wide search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WideResult {
    /// Best first; equal ones by id.
    pub hits: Vec<Hit>,
    /// This many of the hits' scores are exact over codes; the others are estimates.
    pub n_exact: usize,
    /// Query tokens that were done before time ran out.
    pub n_query_tokens: usize,
    /// Tokens that were scored in cells.
    pub n_scored: u64,
    /// Documents met × query tokens that met no token of theirs.
    pub n_imputed: u64,
}

/// A document as it is met.
#[derive(Clone, Copy, Debug, Default)]
struct DocumentScore {
    /// Which query token met the document last, from 1.
    round: u32,
    /// Query tokens that met it.
    n: u32,
    /// The last one's best score above what it imputes.
    best: f32,
    /// Those of the ones before.
    sum: f32,
}

/// Documents of a segment as they are met.
struct Accumulator {
    documents: Vec<DocumentScore>,
    met: Vec<u32>,
}

impl Accumulator {
    fn new(n_documents: usize) -> Self {
        Self {
            documents: vec![DocumentScore::default(); n_documents],
            met: Vec::new(),
        }
    }

    /// `gain` is what a token scores above what is imputed.
    ///
    /// A document's maximum is closed when the next query token meets it: one pass over the cells of each
    /// query token is enough, and no table of documents by query tokens is kept.
    fn offer(&mut self, round: u32, document: u32, gain: f32) {
        let met = &mut self.documents[document as usize];
        if met.round == round {
            met.best = met.best.max(gain);
            return;
        }
        if met.round == 0 {
            self.met.push(document);
        }
        *met = DocumentScore {
            round,
            n: met.n + 1,
            best: gain,
            sum: met.sum + met.best,
        };
    }
}

/// Searches the cells, then scores exactly what they found best.
///
/// The cut to `n_exact` comes before exact scores, since these cost a whole document each; it is never
/// below `k`, or there would be fewer hits than asked for. Documents outside the cells (the tail) are
/// few and have no estimate, so all of them are scored.
///
/// `stop` is asked before each query token and before every 64 exact scores. Stopped early, every
/// document lacks the same query tokens, so the order of what was found still means something.
pub(crate) fn wide(
    shard: &Shard,
    query: &Query,
    options: &WideOptions<'_>,
    stop: &dyn Fn() -> bool,
) -> WideResult {
    let search = Wide {
        shard,
        query,
        options,
        stop,
        segments: shard.segments_with_cells(),
    };
    let mut result = WideResult::default();
    let met = search.visit(&mut result);
    let mut hits = best(met, options.n_exact.max(options.k));
    let mut scratch = Scratch::default();
    let outside = search.outside_cells(&mut scratch);
    result.n_exact = search.rescore(&mut hits, &mut scratch);
    finish(hits, outside, options.k, &mut result);
    result
}

struct Wide<'a> {
    shard: &'a Shard,
    query: &'a Query,
    options: &'a WideOptions<'a>,
    stop: &'a dyn Fn() -> bool,
    segments: Vec<(&'a Segment, &'a RoaringBitmap)>,
}

impl Wide<'_> {
    /// Visits the cells, a query token after the other, and gives what was met.
    fn visit(&self, result: &mut WideResult) -> Vec<Hit> {
        let with_documents = |(segment, _): &(&Segment, &RoaringBitmap)| segment.n_documents();
        let mut accumulators: Vec<Accumulator> = self
            .segments
            .iter()
            .map(|part| Accumulator::new(with_documents(part)))
            .collect();
        // What every document has for the query tokens done so far; what it found beyond is in its sums.
        let mut base = 0.0;
        if !self.segments.is_empty() && self.query.n_tokens() > 0 {
            for (row, probe) in self.probes().iter().enumerate() {
                if (self.stop)() {
                    break;
                }
                result.n_scored += self.visit_row(row, probe, &mut accumulators);
                result.n_query_tokens += 1;
                base += probe.imputed;
            }
        }
        let mut hits = Vec::new();
        for ((segment, removed), accumulator) in self.segments.iter().zip(&accumulators) {
            let ids = segment.ids();
            let counts = |at: &&u32| {
                let is_there = removed.is_empty() || !removed.contains(**at);
                is_there && self.options.allows(ids[**at as usize])
            };
            for document in accumulator.met.iter().filter(counts) {
                let met = &accumulator.documents[*document as usize];
                result.n_imputed += result.n_query_tokens as u64 - u64::from(met.n);
                hits.push(Hit {
                    id: ids[*document as usize],
                    score: base + met.sum + met.best,
                });
            }
        }
        hits
    }

    fn probes(&self) -> Vec<Probe> {
        let scores = self.query.centroid_scores();
        let mut cell_len = vec![0u32; scores.values.len() / scores.n_rows.max(1)];
        for (segment, _) in &self.segments {
            for (centroid, len) in cell_len.iter_mut().enumerate() {
                *len += segment.cell_len(centroid) as u32;
            }
        }
        let n_tokens = self
            .segments
            .iter()
            .map(|(segment, _)| segment.n_tokens())
            .sum();
        let limits = ProbeLimits {
            n_probe: self.options.n_probe.max(1),
            passed: passed_tokens(n_tokens, self.options.k),
        };
        probes(scores, self.query.n_tokens(), &cell_len, limits)
    }

    /// A query token's cells in all segments; gives the number of tokens scored.
    fn visit_row(&self, row: usize, probe: &Probe, accumulators: &mut [Accumulator]) -> u64 {
        let Some(row_query) = self.query.row_query(row) else {
            return 0;
        };
        let round = row as u32 + 1;
        let mut n_scored = 0;
        for ((segment, _), accumulator) in self.segments.iter().zip(accumulators) {
            let mut offer = |document, score| {
                accumulator.offer(round, document, score - probe.imputed);
            };
            let mut cells = probe
                .cells
                .iter()
                .map(|cell| (*cell as usize, segment.cell(*cell as usize)))
                .peekable();
            while let Some((centroid, cell)) = cells.next() {
                n_scored += cell.n_tokens as u64;
                let next = cells.peek().map(|(_, next)| next);
                row_query.visit((centroid, &cell), next, probe.floor, &mut offer);
            }
        }
        n_scored
    }

    /// What is not in cells, the tail among it, is scored as it is.
    fn outside_cells(&self, scratch: &mut Scratch) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (at, (id, found)) in self.shard.without_cells().enumerate() {
            if at % DOCUMENTS_PER_LOOK == 0 && (self.stop)() {
                break;
            }
            if self.options.allows(id) {
                let score = score(self.query, &found, scratch);
                hits.push(Hit { id, score });
            }
        }
        hits
    }

    /// Scores the first hits exactly; gives how many were.
    fn rescore(&self, hits: &mut [Hit], scratch: &mut Scratch) -> usize {
        let n = self.options.n_exact.min(hits.len());
        for (at, hit) in hits[..n].iter_mut().enumerate() {
            if at % DOCUMENTS_PER_LOOK == 0 && (self.stop)() {
                return at;
            }
            if let Some(found) = self.shard.find(hit.id) {
                hit.score = score(self.query, &found, scratch);
            }
        }
        n
    }
}

/// Exact scores first: an imputed one is no match for them, whatever its figure.
fn finish(mut hits: Vec<Hit>, exact: Vec<Hit>, k: usize, result: &mut WideResult) {
    let imputed = hits.split_off(result.n_exact);
    hits.extend(exact);
    result.hits = best(hits, k);
    result.n_exact = result.hits.len();
    let room = k - result.hits.len();
    result.hits.extend(best(imputed, room));
}
