//! Which rows become hits, and the rows of the trace.

use crate::evidence::Scored;
use crate::explain::{FoundPart, TraceRow};
use crate::order;
use crate::search_index::{FileRole, SearchIndex};
use crate::terms::Channel;
use std::collections::{HashMap, HashSet};
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
    /// Files that say nearly the same and are no hits for that: only in the first row of their file.
    pub copies: Vec<u32>,
}

/// Rows that a trace keeps.
const MAX_TRACE_ROWS: usize = 100;

pub(crate) struct Presented {
    pub(crate) hits: Vec<RankedHit>,
    pub(crate) rows: Vec<TraceRow>,
    /// Where the rows are.
    pub(crate) places: Vec<ChunkRef>,
}

/// What decides which rows are shown and in which order.
#[derive(Clone, Copy)]
pub(crate) struct PresentOrder {
    pub(crate) limit: usize,
    /// One hit a file until files run out.
    pub(crate) distinct_files: bool,
    /// The query asks for prose.
    pub(crate) wants_docs: bool,
    /// The query asks for manifests and settings.
    pub(crate) wants_config: bool,
}

/// Where a row stands in an answer: the first group fills it before the next has a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RowGroup {
    First,
    /// A further chunk of a file, or another definition of a name of it: an overload.
    Again,
    /// Prose or a manifest that nobody asked for, below the best.
    Beside,
    /// A file that says nearly the same as one before it.
    Copy,
    /// A further part of a definition that is a hit already.
    Part,
}

/// Places among the best that prose and manifests keep when their score brings them there.
const N_BEST: usize = 3;

/// Picks the hits: the best `limit` rows, one a file when files are to be distinct, none twice. Of
/// near-identical files the first stands for all.
///
/// With distinct files the files fill the list first; when they run out, further chunks follow in
/// order. Prose and manifests stand behind all code unless the query asks for them or they are among the
/// best. `ranked` best first.
pub(crate) fn present(ranked: &[Scored], index: &SearchIndex, shown: PresentOrder) -> Presented {
    let mut copies = order::copies(ranked, index);
    let copied: HashSet<u32> = copies.values().flatten().copied().collect();
    let mut per_file: HashMap<u32, u32> = HashMap::new();
    let mut definitions = HashSet::new();
    let mut names: HashSet<(u32, String)> = HashSet::new();
    let mut turns: Vec<(RowGroup, usize)> = Vec::with_capacity(ranked.len());
    for (idx, row) in ranked.iter().enumerate() {
        let place = row.fused.place;
        let n_before = per_file.entry(place.file).or_insert(0);
        let definition = index.definition(place);
        let is_new = definition.is_none_or(|id| definitions.insert(id));
        let is_named_again = definition.is_some_and(|id| {
            let name = index.symbol(id).qualified.clone();
            !names.insert((place.file, name))
        });
        let turn = if !is_new {
            RowGroup::Part
        } else if copied.contains(&place.file) {
            RowGroup::Copy
        } else if idx >= N_BEST && is_beside(index.roles[place.file as usize], shown) {
            RowGroup::Beside
        } else if is_named_again || shown.distinct_files && *n_before > 0 {
            RowGroup::Again
        } else {
            RowGroup::First
        };
        turns.push((turn, idx));
        *n_before += 1;
    }
    turns.sort();
    let n_hits = turns.partition_point(|(turn, _)| *turn < RowGroup::Copy);
    let n_shown = n_hits.min(shown.limit);
    let hits = turns[..n_shown].iter().map(|(_, idx)| {
        let row = &ranked[*idx];
        RankedHit {
            place: row.fused.place,
            score: row.score,
            channels: strongest_channels(row),
            more_in_file: per_file[&row.fused.place.file] - 1,
            copies: copies.remove(&row.fused.place.file).unwrap_or_default(),
        }
    });
    let kept = &turns[..turns.len().min(MAX_TRACE_ROWS.max(shown.limit))];
    let rows = kept.iter().enumerate();
    let rows = rows.map(|(at, (_, idx))| trace_row(&ranked[*idx], index, at, at < n_shown));
    Presented {
        hits: hits.collect(),
        rows: rows.collect(),
        places: kept
            .iter()
            .map(|(_, idx)| ranked[*idx].fused.place)
            .collect(),
    }
}

fn is_beside(role: FileRole, order: PresentOrder) -> bool {
    match role {
        FileRole::Docs => !order.wants_docs,
        FileRole::Config => !order.wants_config,
        _ => false,
    }
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
    let place = row.fused.place;
    let (_, chunk, symbol) = index.view.chunk(place);
    let whole = index.definition(place).map(|id| &index.symbol(id).span);
    let lines = whole.unwrap_or(&chunk.span);
    let part = FoundPart {
        start_line: chunk.span.start_line,
        end_line: chunk.span.end_line,
    };
    let is_all = (part.start_line, part.end_line) == (lines.start_line, lines.end_line);
    TraceRow {
        rank: position as u32 + 1,
        repo: index.part_of(place.file).map(|part| part.name.clone()),
        path: index.path_within(place.file).to_owned(),
        start_line: lines.start_line,
        end_line: lines.end_line,
        part: (!is_all).then_some(part),
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
