//! The whole path of a query on one page: query → channels → graph → fuse → evidence → present.

use crate::blend;
use crate::channels::{self, RankedChunk, Walk};
use crate::error::Result;
use crate::evidence::{self, Scored};
use crate::filters::Filters;
use crate::fuse::{self, Fused, WeightedList};
use crate::present;
use crate::query::ParsedQuery;
use crate::search_index::SearchIndex;
use crate::settings::{ChannelWeights, Stage, Tuning};
use crate::symbol_graph::SymbolGraph;
use crate::trace::{Channel, ChannelRun, ChannelWeight, Coverage, StageTiming, Trace};
use crate::within_file;
use roaring::RoaringBitmap;
use std::collections::HashSet;
use std::time::{Duration, Instant};
use whyrank_index::{ChunkRef, Reader};
use whyrank_inference::BiEncoder;

/// Budget for all channels together.
pub const CANDIDATES_BUDGET: Duration = Duration::from_millis(120);

/// What a search runs on.
pub struct SearchContext<'a> {
    /// The store.
    pub reader: &'a Reader,
    /// The view and what is derived from it.
    pub index: &'a SearchIndex,
    /// The symbol graph of the view, or why there is none.
    pub graph: std::result::Result<&'a SymbolGraph, String>,
    /// The encoder, or why there is none.
    pub encoder: std::result::Result<&'a dyn BiEncoder, String>,
    /// Coverage, for the trace.
    pub coverage: Coverage,
    /// The repository's id, for the trace.
    pub repo: String,
}

/// What is searched for and how.
#[derive(Clone, Debug)]
pub struct SearchQuery {
    /// Id of the answer to be.
    pub query_id: String,
    /// The query as given.
    pub text: String,
    /// Hits at most.
    pub limit: usize,
    /// One hit a file.
    pub distinct_files: bool,
    /// Filters.
    pub filters: Filters,
    /// Channel weights.
    pub weights: ChannelWeights,
    /// The constant of reciprocal rank fusion.
    pub rrf_k: f64,
    /// Coefficients of evidence.
    pub tuning: Tuning,
    /// Stages that are switched off.
    pub off: Vec<Stage>,
}

impl SearchQuery {
    /// Whether the symbol graph can change the answer.
    pub fn needs_graph(&self) -> bool {
        self.weights.get(Channel::Graph) > 0.0 || self.tuning.graph_blend > 0.0
    }

    fn has(&self, stage: Stage) -> bool {
        !self.off.contains(&stage)
    }
}

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

/// A search's outcome.
#[derive(Clone, Debug)]
pub struct SearchOutcome {
    /// Hits, best first.
    pub hits: Vec<RankedHit>,
    /// Candidates before the cut.
    pub n_candidates: usize,
    /// The query as it was understood.
    pub query: ParsedQuery,
    /// How it came about.
    pub trace: Trace,
}

/// Searches a view.
///
/// Deterministic: the same query on the same generation, view and settings gives the same hits and,
/// but for times, the same trace.
///
/// # Errors
/// Broken filters, unreadable stores. A query vector that cannot be made only skips its channel.
pub fn search(context: &SearchContext<'_>, request: &SearchQuery) -> Result<SearchOutcome> {
    let mut clock = StageClock::start();
    let query = ParsedQuery::parse(&request.text);
    let allowed = request.filters.allowed(context.index)?;
    clock.lap("query", None);

    let tuning = match request.has(Stage::Evidence) {
        true => &request.tuning,
        false => &Tuning::none(),
    };
    let asked = Asked {
        context,
        request,
        query: &query,
        allowed: &allowed,
        deadline: Instant::now() + CANDIDATES_BUDGET,
    };
    let mut gathered = gather(asked)?;
    clock.lap("channels", Some(CANDIDATES_BUDGET));

    let walk = walk(asked, &mut gathered);
    clock.lap("graph", None);

    let mut fused = fuse::fuse(&gathered.lists, request.rrf_k);
    add_ways(&mut fused, &walk);
    let n_candidates = fused.len();
    clock.lap("fuse", None);

    let mut scored = evidence::weigh(fused, context.index, &query, tuning, request.rrf_k);
    if request.has(Stage::WithinFile) {
        within_file::order_within_files(&mut scored, context.index, &query, tuning, request.rrf_k);
    }
    let mut ranked = rank(scored, context.index);
    if request.tuning.graph_blend > 0.0 {
        blend::blend(&mut ranked, &walk, request.tuning.graph_blend);
        ranked = rank(ranked, context.index);
    }
    // A description means one place: there a second hit in the right file is worth more than a
    // first one in a wrong file. Other queries ask which files matter.
    let is_description = query.is_description(tuning.description_words);
    let distinct_files = request.distinct_files && request.has(Stage::DistinctFiles);
    if distinct_files && is_description {
        within_file::damp_repeats(&mut ranked, tuning.keep_repeat);
        ranked = rank(ranked, context.index);
    }
    let one_a_file = distinct_files && !is_description;
    clock.lap("evidence", None);

    let presented = present::present(&ranked, context.index, request.limit, one_a_file);
    clock.lap("present", None);

    let off = request
        .off
        .iter()
        .map(|stage| format!("{} switched off", stage.name()));
    gathered.notes.extend(off);
    let trace = Trace {
        query_id: request.query_id.clone(),
        query: query.text.clone(),
        repo: context.repo.clone(),
        view: context.index.view.title.clone(),
        shape: query.shape,
        shape_reason: query.shape_reason.clone(),
        rrf_k: request.rrf_k,
        weights: gathered.weights,
        channels: gathered.runs,
        rows: presented.rows,
        timings: clock.timings,
        coverage: context.coverage.clone(),
        manifest: manifest_line(context),
        notes: gathered.notes,
    };
    Ok(SearchOutcome {
        hits: presented.hits,
        n_candidates,
        query,
        trace,
    })
}

fn manifest_line(context: &SearchContext<'_>) -> String {
    let model = match &context.encoder {
        Ok(encoder) => {
            let spec = encoder.spec();
            format!(
                "{} {}",
                spec.name,
                &spec.fingerprint[..spec.fingerprint.len().min(8)]
            )
        }
        Err(_) => "no model".to_owned(),
    };
    let view = &context.index.view;
    format!(
        "{} · {} · view {} · {model}",
        context.reader.manifest().hash(),
        context.reader.generation(),
        view.version
    )
}

/// Best first: score, then path and line, so that ties do not depend on how the store was built.
fn rank(mut scored: Vec<Scored>, index: &SearchIndex) -> Vec<Scored> {
    let place = |row: &Scored| (row.fused.place.file, row.fused.place.chunk);
    debug_assert!(index.view.files.is_sorted_by(|a, b| a.path <= b.path));
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(place(a).cmp(&place(b))));
    scored
}

struct Gathered {
    lists: Vec<WeightedList>,
    weights: Vec<ChannelWeight>,
    runs: Vec<ChannelRun>,
    notes: Vec<String>,
}

/// What the candidates are gathered for.
#[derive(Clone, Copy)]
struct Asked<'a> {
    context: &'a SearchContext<'a>,
    request: &'a SearchQuery,
    query: &'a ParsedQuery,
    allowed: &'a RoaringBitmap,
    /// When the last channel may begin.
    deadline: Instant,
}

impl Asked<'_> {
    fn weight(&self, channel: Channel) -> ChannelWeight {
        let (request, query) = (self.request, self.query);
        let is_description = query.is_description(request.tuning.description_words);
        let rules = request.has(Stage::ShapeRules);
        let (effective, reason) =
            request
                .weights
                .effective(channel, query.shape, rules, is_description);
        ChannelWeight {
            channel,
            prior: request.weights.get(channel),
            effective,
            reason: reason.to_owned(),
        }
    }

    fn too_late(&self, started: Instant) -> Option<String> {
        (started >= self.deadline).then(|| {
            format!(
                "out of time: {} ms for candidates were spent",
                CANDIDATES_BUDGET.as_millis()
            )
        })
    }
}

/// Runs the channels one after another, cheapest first, until the budget is spent.
fn gather(asked: Asked<'_>) -> Result<Gathered> {
    let mut gathered = Gathered {
        lists: Vec::new(),
        weights: Vec::new(),
        runs: Vec::new(),
        notes: Vec::new(),
    };
    for channel in [
        Channel::Fts,
        Channel::DocSection,
        Channel::Path,
        Channel::SymbolName,
        Channel::Vector,
    ] {
        let weight = asked.weight(channel);
        let started = Instant::now();
        let outcome = if weight.effective <= 0.0 {
            Err("switched off".to_owned())
        } else if let Some(reason) = asked.too_late(started) {
            Err(reason)
        } else {
            run_channel(channel, asked)?
        };
        gathered.close(weight, outcome, started.elapsed());
    }
    gathered.sort();
    Ok(gathered)
}

/// Walks the symbol graph from the best candidates so far; what it finds is one more list.
fn walk(asked: Asked<'_>, gathered: &mut Gathered) -> Walk {
    let (context, request) = (asked.context, asked.request);
    let weight = asked.weight(Channel::Graph);
    let started = Instant::now();
    let outcome = match &context.graph {
        _ if !request.needs_graph() => Err("switched off".to_owned()),
        _ if weight.effective <= 0.0 && request.tuning.graph_blend <= 0.0 => {
            Err(weight.reason.clone())
        }
        Err(reason) => Err(reason.clone()),
        Ok(graph) => asked.too_late(started).map_or_else(
            || {
                let seeds = seeds(&gathered.lists, request);
                let (index, allowed) = (context.index, asked.allowed);
                Ok(channels::graph(
                    graph,
                    index,
                    &seeds,
                    allowed,
                    asked.deadline,
                ))
            },
            Err,
        ),
    };
    let (outcome, walk) = match outcome {
        Ok(mut walk) => (Ok(std::mem::take(&mut walk.hits)), walk),
        Err(reason) => (Err(reason), Walk::default()),
    };
    if let Some(cut) = &walk.cut {
        gathered.notes.push(format!("graph channel cut: {cut}"));
    }
    gathered.close(weight, outcome, started.elapsed());
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

/// Says of each row that the graph found how it did.
fn add_ways(fused: &mut [Fused], walk: &Walk) {
    for row in fused {
        let ranks = row.channels.iter_mut();
        for rank in ranks.filter(|rank| rank.channel == Channel::Graph) {
            rank.way = walk.ways.get(&row.place).cloned();
        }
    }
}

impl Gathered {
    fn close(
        &mut self,
        weight: ChannelWeight,
        outcome: std::result::Result<Vec<RankedChunk>, String>,
        elapsed: Duration,
    ) {
        let channel = weight.channel;
        let skipped = outcome.as_ref().err().cloned();
        if let Some(reason) = skipped.as_ref().filter(|_| weight.effective > 0.0) {
            self.notes
                .push(format!("{} channel skipped: {reason}", channel.name()));
        }
        let hits = outcome.unwrap_or_default();
        self.runs.push(ChannelRun {
            channel,
            n_hits: hits.len() as u32,
            elapsed_ms: elapsed.as_secs_f64() * 1e3,
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
    fn sort(&mut self) {
        self.lists.sort_by_key(|list| list.channel);
        self.weights.sort_by_key(|weight| weight.channel);
        self.runs.sort_by_key(|run| run.channel);
    }
}

/// A channel's list, or why it has none.
fn run_channel(
    channel: Channel,
    asked: Asked<'_>,
) -> Result<std::result::Result<Vec<RankedChunk>, String>> {
    let Asked {
        context,
        query,
        allowed,
        ..
    } = asked;
    let (reader, index) = (context.reader, context.index);
    Ok(Ok(match channel {
        Channel::Fts => channels::fts(reader, index, query, allowed)?,
        Channel::DocSection => channels::doc_section(reader, index, query, allowed)?,
        Channel::Path => channels::path(index, query, allowed),
        Channel::SymbolName => channels::symbol_name(index, query, allowed),
        // It needs what the others found.
        Channel::Graph => Vec::new(),
        Channel::Vector => match &context.encoder {
            Err(reason) => return Ok(Err(reason.clone())),
            Ok(_) if context.coverage.vector <= 0.0 => {
                return Ok(Err("no chunk has a vector yet".to_owned()));
            }
            Ok(encoder) => match channels::vector(reader, index, *encoder, query, allowed) {
                Ok(hits) => hits,
                Err(error) => return Ok(Err(error.to_string())),
            },
        },
    }))
}

/// Times stages as they end.
struct StageClock {
    last: Instant,
    timings: Vec<StageTiming>,
}

impl StageClock {
    fn start() -> Self {
        Self {
            last: Instant::now(),
            timings: Vec::new(),
        }
    }

    fn lap(&mut self, stage: &str, budget: Option<Duration>) {
        let now = Instant::now();
        self.timings.push(StageTiming {
            stage: stage.to_owned(),
            elapsed_ms: (now - self.last).as_secs_f64() * 1e3,
            budget_ms: budget.map(|budget| budget.as_secs_f64() * 1e3),
        });
        self.last = now;
    }
}
