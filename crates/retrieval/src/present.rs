//! Which rows become hits, and the rows of the trace.

use crate::search_index::SearchIndex;
use crate::terms::Channel;
use crate::trace::TraceRow;
use crate::weighing::Scored;
use std::collections::HashMap;
use whyrank_index::ChunkRef;

/// A hit: a place and its score; the rest is in the trace's row of the same rank.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedHit {
    /// Where.
    pub place: ChunkRef,
    /// Final score.
    pub score: f64,
    /// Channels that found it, by falling contribution.
    pub channels: Vec<Channel>,
    /// Further candidates of the same file.
    pub more_in_file: u32,
}

/// Rows that a trace keeps.
const MAX_TRACE_ROWS: usize = 100;

pub(crate) struct Presented {
    pub(crate) hits: Vec<RankedHit>,
    pub(crate) rows: Vec<TraceRow>,
    /// Where the rows are.
    pub(crate) places: Vec<ChunkRef>,
}

/// Picks the hits: the best `limit` rows, one a file when files are to be distinct.
///
/// With distinct files the files fill the list first; when they run out, further chunks follow in
/// order. `ranked` best first.
pub(crate) fn present(
    ranked: &[Scored],
    index: &SearchIndex,
    limit: usize,
    distinct_files: bool,
) -> Presented {
    let mut per_file: HashMap<u32, u32> = HashMap::new();
    let mut first = Vec::new();
    let mut rest = Vec::new();
    for (idx, row) in ranked.iter().enumerate() {
        let n_before = per_file.entry(row.fused.place.file).or_insert(0);
        let target = if distinct_files && *n_before > 0 {
            &mut rest
        } else {
            &mut first
        };
        target.push(idx);
        *n_before += 1;
    }
    let order: Vec<usize> = first.into_iter().chain(rest).collect();
    let hits = order
        .iter()
        .take(limit)
        .map(|&idx| {
            let row = &ranked[idx];
            RankedHit {
                place: row.fused.place,
                score: row.score,
                channels: strongest_channels(row),
                more_in_file: per_file[&row.fused.place.file] - 1,
            }
        })
        .collect();
    let rows: Vec<TraceRow> = order
        .iter()
        .take(MAX_TRACE_ROWS.max(limit))
        .enumerate()
        .map(|(position, &idx)| trace_row(&ranked[idx], index, position, position < limit))
        .collect();
    let places = order.iter().take(rows.len());
    let places = places.map(|&idx| ranked[idx].fused.place).collect();
    Presented { hits, rows, places }
}

fn strongest_channels(row: &Scored) -> Vec<Channel> {
    let mut ranks: Vec<_> = row.fused.channels.iter().collect();
    ranks.sort_by(|a, b| {
        b.contribution
            .total_cmp(&a.contribution)
            .then(a.channel.cmp(&b.channel))
    });
    ranks.into_iter().map(|rank| rank.channel).collect()
}

fn trace_row(row: &Scored, index: &SearchIndex, position: usize, shown: bool) -> TraceRow {
    let (file, chunk, symbol) = index.view.chunk(row.fused.place);
    TraceRow {
        rank: position as u32 + 1,
        path: file.path.clone(),
        start_line: chunk.span.start_line,
        end_line: chunk.span.end_line,
        symbol: symbol.map(|symbol| symbol.qualified.clone()),
        channels: row.fused.channels.clone(),
        evidence: row.evidence.clone(),
        fused: row.fused.score,
        score: row.score,
        shown,
        late: row.late,
        stages: Some(row.stages),
        alignment: None,
    }
}
