//! Gather: the channels one after another, cheapest first, and the walk over the graph from what they
//! found.

use super::record::{ChannelRun, ChannelWeight};
use super::{CHANNEL_DEPTH, GraphWalk, RankedChunk};
use crate::context::{LAST_RESORT, QueryContext, SearchQuery};
use crate::coverage::coverage_trust;
use crate::error::Result;
use crate::fuse::{self, Fused, WeightedList};
use crate::gate::GateMode;
use crate::refine::kind_of;
use crate::settings::Stage;
use crate::terms::Channel;
use roaring::RoaringBitmap;
use std::collections::HashSet;
use std::time::{Duration, Instant};
use whyrank_index::{ChunkRef, VectorScan};
use whyrank_inference::BiEncoder;

#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) lists: Vec<WeightedList>,
    pub(crate) weights: Vec<ChannelWeight>,
    pub(crate) runs: Vec<ChannelRun>,
    pub(crate) notes: Vec<String>,
}

impl QueryContext<'_, '_> {
    fn weight(&self, channel: Channel) -> ChannelWeight {
        let (request, query) = (self.request, self.query);
        let is_description = query.is_description(request.tuning.description_words);
        let rules = request.has(Stage::ShapeRules);
        let (effective, reason) =
            request
                .weights
                .effective(channel, query.shape, rules, is_description);
        let coverage = self.search.coverage.of(channel);
        ChannelWeight {
            channel,
            prior: request.weights.get(channel),
            effective: if coverage > 0.0 {
                effective * coverage_trust(coverage)
            } else {
                // Its own reason says that it finds nothing.
                effective
            },
            reason: with_coverage(reason, coverage),
        }
    }

    fn too_late(&self, started: Instant) -> Option<String> {
        (started >= self.deadline).then(|| {
            format!(
                "out of time: {} s were spent before it",
                LAST_RESORT.as_secs()
            )
        })
    }
}

/// The reason for a weight with what a lane that has not reached all chunks takes off it.
fn with_coverage(reason: &str, coverage: f64) -> String {
    if coverage <= 0.0 || coverage >= 1.0 {
        return reason.to_owned();
    }
    let joint = if reason.is_empty() { "" } else { "; " };
    let percent = coverage * 100.0;
    format!("{reason}{joint}covers {percent:.0}% of the chunks, and counts by the cube of that")
}

/// Runs the channels one after another, cheapest first.
pub(crate) fn gather(ctx: QueryContext<'_, '_>) -> Result<Gathered> {
    let mut gathered = Gathered::default();
    for channel in [
        Channel::Fts,
        Channel::DocSection,
        Channel::Path,
        Channel::SymbolName,
        Channel::Vector,
        Channel::Static,
        Channel::LateInteraction,
    ] {
        if channel == Channel::Static && ctx.search.static_encoder.is_err() {
            continue;
        }
        let weight = ctx.weight(channel);
        let started = Instant::now();
        let outcome = if weight.effective <= 0.0 {
            Err("switched off".to_owned())
        } else if let Some(reason) = ctx.too_late(started) {
            Err(reason)
        } else {
            run_channel(channel, ctx)?
        };
        gathered.close(ctx, weight, outcome, started.elapsed());
    }
    gathered.notes.extend(ctx.bm25.cut());
    gathered.sort();
    Ok(gathered)
}

/// Walks the symbol graph from the best candidates so far; what it finds is one more list.
pub(crate) fn walk_graph(ctx: QueryContext<'_, '_>, gathered: &mut Gathered) -> GraphWalk {
    let (context, request) = (ctx.search, ctx.request);
    let weight = ctx.weight(Channel::Graph);
    let started = Instant::now();
    let outcome = match &context.graph {
        _ if !request.needs_graph() => Err("switched off".to_owned()),
        _ if weight.effective <= 0.0 => Err(weight.reason.clone()),
        Err(reason) => Err(reason.clone()),
        Ok(graphs) => ctx.too_late(started).map_or_else(
            || {
                let seeds = seeds(&gathered.lists, request);
                let (index, allowed) = (context.index, ctx.allowed);
                Ok(super::graph(graphs, index, &seeds, allowed, ctx.deadline))
            },
            Err,
        ),
    };
    let (outcome, walk) = match outcome {
        Ok(mut walk) => (Ok(Listed::from(std::mem::take(&mut walk.hits))), walk),
        Err(reason) => (Err(reason), GraphWalk::default()),
    };
    if let Some(cut) = &walk.cut {
        gathered.notes.push(format!("graph channel cut: {cut}"));
    }
    gathered.close(ctx, weight, outcome, started.elapsed());
    gathered.sort();
    walk
}

/// The best candidates by rank alone, one a file: evidence would cost more than the walk.
fn seeds(lists: &[WeightedList], request: &SearchQuery) -> Vec<ChunkRef> {
    let mut rows = fuse::fuse(lists, request.rrf_k);
    rows.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.place.cmp(&b.place)));
    let mut files = HashSet::new();
    rows.retain(|row| files.insert(row.place.file));
    rows.truncate(request.tuning.graph_seeds);
    rows.into_iter().map(|row| row.place).collect()
}

/// Gives rows the BM25 that the end of a full list kept from them.
pub(crate) fn score_beyond_depth(
    ctx: QueryContext<'_, '_>,
    lists: &[WeightedList],
    fused: &mut [Fused],
) -> Result<()> {
    let is_full = |channel: Channel| {
        let mut of_channel = lists.iter().filter(|list| list.channel == channel);
        of_channel.any(|list| list.hits.len() == CHANNEL_DEPTH)
    };
    let index = ctx.search.index;
    let mut cut = RoaringBitmap::new();
    for (channel, of_kind) in [
        (Channel::Fts, &index.code),
        (Channel::DocSection, &index.prose),
    ] {
        if is_full(channel) {
            cut |= of_kind.as_ref();
        }
    }
    Ok(super::score_below(ctx.bm25, &cut, fused)?)
}

/// Records for each row that the graph found by which way it did.
pub(crate) fn add_ways(fused: &mut [Fused], walk: &GraphWalk) {
    for row in fused {
        let ranks = row.channels.iter_mut();
        for rank in ranks.filter(|rank| rank.channel == Channel::Graph) {
            rank.way = walk.ways.get(&row.place).cloned();
        }
    }
}

impl Gathered {
    /// A list that was made elsewhere.
    pub(crate) fn add(
        &mut self,
        ctx: QueryContext<'_, '_>,
        channel: Channel,
        hits: std::result::Result<Vec<RankedChunk>, String>,
        elapsed: Duration,
    ) {
        let weight = ctx.weight(channel);
        let outcome = if weight.effective > 0.0 {
            hits.map(Listed::from)
        } else {
            Err(hits.err().unwrap_or_else(|| "switched off".to_owned()))
        };
        self.close(ctx, weight, outcome, elapsed);
    }

    /// The vectors' list.
    pub(crate) fn add_vector(
        &mut self,
        ctx: QueryContext<'_, '_>,
        hits: std::result::Result<Vec<RankedChunk>, String>,
        elapsed: Duration,
        encode_ms: Option<f64>,
    ) {
        let weight = ctx.weight(Channel::Vector);
        let outcome = hits.map(|hits| Listed { hits, encode_ms });
        self.close(ctx, weight, outcome, elapsed);
    }

    fn close(
        &mut self,
        ctx: QueryContext<'_, '_>,
        weight: ChannelWeight,
        outcome: Outcome,
        elapsed: Duration,
    ) {
        let channel = weight.channel;
        let skipped = outcome.as_ref().err().cloned();
        let is_wanted = weight.effective > 0.0
            && !(channel == Channel::Vector && ctx.search.coverage.is_by_table_alone());
        if let Some(reason) = skipped.as_ref().filter(|_| is_wanted) {
            self.notes
                .push(format!("{} channel skipped: {reason}", channel.name()));
        }
        let Listed { hits, encode_ms } = outcome.unwrap_or_default();
        self.runs.push(ChannelRun {
            channel,
            n_hits: hits.len() as u32,
            elapsed_ms: elapsed.as_secs_f64() * 1e3,
            encode_ms,
            skipped,
        });
        self.lists.push(WeightedList {
            channel,
            weight: weight.effective,
            hits,
        });
        self.weights.push(weight);
    }

    /// Channels in display order, whatever order they ran in.
    pub(crate) fn sort(&mut self) {
        self.lists.sort_by_key(|list| list.channel);
        self.weights.sort_by_key(|weight| weight.channel);
        self.runs.sort_by_key(|run| run.channel);
    }
}

/// A channel's list.
#[derive(Default)]
struct Listed {
    hits: Vec<RankedChunk>,
    /// Milliseconds that went into encoding the query.
    encode_ms: Option<f64>,
}

impl From<Vec<RankedChunk>> for Listed {
    fn from(hits: Vec<RankedChunk>) -> Self {
        Self {
            hits,
            encode_ms: None,
        }
    }
}

/// A channel's list, or why it has none.
type Outcome = std::result::Result<Listed, String>;

fn run_channel(channel: Channel, ctx: QueryContext<'_, '_>) -> Result<Outcome> {
    let (index, query, allowed) = (ctx.index(), ctx.query, ctx.allowed);
    let hits = match channel {
        Channel::Fts => ctx.bm25.fts(allowed)?,
        Channel::DocSection => ctx.bm25.doc_section(allowed)?,
        Channel::Path => super::path(index, query, allowed),
        Channel::SymbolName => super::symbol_name(index, query, allowed),
        // It needs what the others found.
        Channel::Graph => Vec::new(),
        Channel::Vector => return Ok(vector(ctx)),
        Channel::LateInteraction => return Ok(wide(ctx)),
        Channel::Static => return Ok(by_table(ctx)),
    };
    Ok(Ok(Listed::from(hits)))
}

fn vector(ctx: QueryContext<'_, '_>) -> Outcome {
    let context = ctx.search;
    let encoder = context.encoder.clone()?;
    if context.coverage.vector <= 0.0 {
        return Err("no chunk has a vector yet".to_owned());
    }
    let started = Instant::now();
    let encoded = encode(ctx, encoder).map_err(|error| error.to_string())?;
    let encode_ms = started.elapsed().as_secs_f64() * 1e3;
    let (stores, index) = (&context.stores, context.index);
    let scan = VectorScan {
        limit: CHANNEL_DEPTH,
        exact: !ctx.request.has(Stage::VectorSketch),
    };
    let allowed = ctx.allowed - &index.reopened;
    let found = stores
        .nearest(encoder.spec(), &encoded, &allowed, scan)
        .map_err(|error| error.to_string())?;
    let hits = super::vector(index, &found);
    Ok(Listed {
        hits,
        encode_ms: Some(encode_ms),
    })
}

/// The query as one vector: from the pass that gives its tokens, where these may be needed.
fn encode(ctx: QueryContext<'_, '_>, encoder: &dyn BiEncoder) -> Result<Vec<f32>> {
    let shared = match ctx.request.gate.mode {
        GateMode::Never => None,
        GateMode::Gated | GateMode::Always => {
            let tokens = ctx.tokens.encoded().ok();
            tokens.and_then(|tokens| tokens.pooled(&encoder.spec().fingerprint))
        }
    };
    match shared {
        Some(vector) => Ok(vector.to_vec()),
        None => Ok(encoder.encode_query(&ctx.query.encoded(), kind_of(ctx.query.shape))?),
    }
}

/// What the static table finds.
fn by_table(ctx: QueryContext<'_, '_>) -> Outcome {
    let context = ctx.search;
    let encoder = context.static_encoder.clone()?;
    if !ctx.request.has(Stage::StaticVectors) {
        return Err("switched off".to_owned());
    }
    // Nothing is near to a query without a word that the table knows.
    let Ok(query) = ctx.static_query else {
        return Ok(Listed::default());
    };
    if context.coverage.static_vectors <= 0.0 {
        return Err("no chunk has a static vector yet".to_owned());
    }
    let allowed = ctx.allowed - &context.index.reopened;
    let stores = &context.stores;
    let found = stores.nearest_static(encoder.spec(), query, &allowed, CHANNEL_DEPTH);
    Ok(Listed::from(super::vector(context.index, &found)))
}

/// Gives every row its cosine by the static table.
pub(crate) fn add_static_cosines(ctx: QueryContext<'_, '_>, fused: &mut [Fused]) {
    let (Ok(encoder), Ok(query)) = (&ctx.search.static_encoder, ctx.static_query) else {
        return;
    };
    let view = &ctx.search.index.view;
    let chunks: Vec<u32> = fused.iter().map(|row| view.chunk_id(row.place)).collect();
    let cosines = ctx
        .search
        .stores
        .static_cosines(encoder.spec(), query, &chunks);
    for (row, cosine) in fused.iter_mut().zip(cosines) {
        row.static_cosine = cosine.map(f64::from);
    }
}

fn wide(ctx: QueryContext<'_, '_>) -> Outcome {
    let tokens = ctx.tokens.encoded()?;
    let (index, allowed) = (ctx.search.index, ctx.allowed);
    let found = tokens.wide(allowed, CHANNEL_DEPTH, ctx.deadline)?;
    let list = super::best_places(index, found, CHANNEL_DEPTH);
    Ok(Listed::from(list))
}
