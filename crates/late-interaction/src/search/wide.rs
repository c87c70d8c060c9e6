//! Search over the whole shard: WARPSELECT over cells, then exact MaxSim over what it finds.
//!
//! After WARP (arXiv 2501.17788), with one accumulator over documents in the place of its tree of
//! merges: every document begins with the sum of what is imputed, and a query token that meets it adds
//! the difference between what it found and what was imputed. The sums are the same.

use super::probe::{Probe, passed_tokens, probes};
use super::{Hit, best, score};
use crate::error::Result;
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
    /// So many of the best are scored exactly, and ordered by that.
    pub n_exact: usize,
    /// Documents that count; all without.
    pub filter: Option<&'a RoaringBitmap>,
}

impl Default for WideOptions<'_> {
    fn default() -> Self {
        Self {
            k: 100,
            n_probe: 32,
            n_exact: 200,
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
    /// So many of the hits' scores are exact over codes; the others hold imputed parts.
    pub n_exact: usize,
    /// Query tokens that were done before time ran out.
    pub n_query_tokens: usize,
    /// Tokens that were scored in cells.
    pub n_scored: u64,
    /// Documents met × query tokens that met no token of theirs.
    pub n_imputed: u64,
}

/// Documents of a segment as they are met.
struct Accumulator {
    /// Sum of differences to what is imputed.
    sums: Vec<f32>,
    /// Query tokens that met the document.
    n_met: Vec<u32>,
    /// Best score of the present query token, and which token that is, from 1.
    best: Vec<f32>,
    round: Vec<u32>,
    met: Vec<u32>,
    touched: Vec<u32>,
}

impl Accumulator {
    fn new(n_documents: usize) -> Self {
        Self {
            sums: vec![0.0; n_documents],
            n_met: vec![0; n_documents],
            best: vec![0.0; n_documents],
            round: vec![0; n_documents],
            met: Vec::new(),
            touched: Vec::new(),
        }
    }

    fn offer(&mut self, round: u32, document: u32, score: f32) {
        let at = document as usize;
        if self.round[at] != round {
            self.round[at] = round;
            self.best[at] = score;
            self.touched.push(document);
        } else if score > self.best[at] {
            self.best[at] = score;
        }
    }

    fn close(&mut self, imputed: f32) {
        for document in self.touched.drain(..) {
            let at = document as usize;
            if self.n_met[at] == 0 {
                self.met.push(document);
            }
            self.n_met[at] += 1;
            self.sums[at] += self.best[at] - imputed;
        }
    }
}

/// `stop` is asked before each query token and before every 64 exact scores.
pub(crate) fn wide(
    shard: &Shard,
    query: &Query,
    options: &WideOptions<'_>,
    stop: &dyn Fn() -> bool,
) -> Result<WideResult> {
    let mut result = WideResult::default();
    let mut hits = Vec::new();
    let segments = shard.segments_with_cells();
    if !segments.is_empty() && query.n_tokens() > 0 {
        if let Some(codec) = shard.codec() {
            query.check(codec)?;
        }
        let probes = choose(&segments, query, options);
        let done = visit(&segments, query, (&probes, options), stop, &mut hits, &mut result);
        result.n_query_tokens = done;
    }
    let keep = options.n_exact.max(options.k);
    let mut hits = best(hits, keep);
    // What is not in cells, the tail among it, is scored as it is.
    let mut scratch = Scratch::default();
    let mut exact = Vec::new();
    for (at, (id, found)) in shard.without_cells().enumerate() {
        if at % 64 == 0 && stop() {
            break;
        }
        if options.allows(id) {
            exact.push(Hit { id, score: score(query, &found, &mut scratch) });
        }
    }
    let n_rescored = rescore(shard, query, &mut hits[..], (options.n_exact, stop), &mut scratch);
    result.n_exact = n_rescored;
    finish(hits, exact, options.k, &mut result);
    Ok(result)
}

fn choose(segments: &[(&Segment, &RoaringBitmap)], query: &Query, options: &WideOptions<'_>) -> Vec<Probe> {
    let scores = query.centroid_scores();
    let n_centroids = scores.0.len() / scores.1.max(1);
    let mut cell_len = vec![0u32; n_centroids];
    for (segment, _) in segments {
        for (centroid, len) in cell_len.iter_mut().enumerate() {
            *len += segment.cell_len(centroid) as u32;
        }
    }
    let n_tokens = segments.iter().map(|(segment, _)| segment.n_tokens()).sum();
    let passed = passed_tokens(n_tokens, options.k);
    probes(scores, query.n_tokens(), &cell_len, (options.n_probe.max(1), passed))
}

/// Visits the cells, a query token after the other; gives the number of those that were done.
fn visit(
    segments: &[(&Segment, &RoaringBitmap)],
    query: &Query,
    (probes, options): (&[Probe], &WideOptions<'_>),
    stop: &dyn Fn() -> bool,
    hits: &mut Vec<Hit>,
    result: &mut WideResult,
) -> usize {
    let mut accumulators: Vec<Accumulator> = segments
        .iter()
        .map(|(segment, _)| Accumulator::new(segment.n_documents()))
        .collect();
    let (mut products, mut scores) = (Vec::new(), Vec::new());
    let mut done = 0;
    for (row, probe) in probes.iter().enumerate() {
        if stop() {
            break;
        }
        let Some(row_query) = query.row_query(row) else { break };
        for ((segment, removed), accumulator) in segments.iter().zip(&mut accumulators) {
            for centroid in &probe.cells {
                let cell = segment.cell(*centroid as usize);
                let tokens = (cell.inverse_norms, cell.codes);
                row_query.scores(*centroid as usize, tokens, &mut products, &mut scores);
                result.n_scored += scores.len() as u64;
                for (document, score) in cell.documents.iter().zip(&scores) {
                    accumulator.offer(row as u32 + 1, *document, *score);
                }
            }
            drop_unwanted(accumulator, segment, removed, options);
            accumulator.close(probe.imputed);
        }
        done += 1;
    }
    let base: f32 = probes[..done].iter().map(|probe| probe.imputed).sum();
    for ((segment, _), accumulator) in segments.iter().zip(&accumulators) {
        let ids = segment.ids();
        for document in &accumulator.met {
            let at = *document as usize;
            result.n_imputed += done as u64 - u64::from(accumulator.n_met[at]);
            let score = base + accumulator.sums[at];
            hits.push(Hit { id: ids[at], score });
        }
    }
    done
}

fn drop_unwanted(
    accumulator: &mut Accumulator,
    segment: &Segment,
    removed: &RoaringBitmap,
    options: &WideOptions<'_>,
) {
    if removed.is_empty() && options.filter.is_none() {
        return;
    }
    let ids = segment.ids();
    accumulator
        .touched
        .retain(|at| !removed.contains(*at) && options.allows(ids[*at as usize]));
}

/// Scores the first `n` exactly; gives how many were.
fn rescore(
    shard: &Shard,
    query: &Query,
    hits: &mut [Hit],
    (n, stop): (usize, &dyn Fn() -> bool),
    scratch: &mut Scratch,
) -> usize {
    let n = n.min(hits.len());
    for (at, hit) in hits[..n].iter_mut().enumerate() {
        if at % 64 == 0 && stop() {
            return at;
        }
        if let Some(found) = shard.find(hit.id) {
            hit.score = score(query, &found, scratch);
        }
    }
    n
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
