//! The whole path of a query on one page: query → channels → graph → fuse → evidence → gate → refine
//! → order → cross-encode → present.

use crate::channels::{self, Bm25, Gathered};
use crate::confidence;
use crate::context::QueryContext;
use crate::context::{
    CANDIDATES_BUDGET, CROSS_BUDGET, LAST_RESORT, REFINE_BUDGET, SearchContext, SearchQuery,
};
use crate::error::Result;
use crate::evidence::{self, Scored};
use crate::explain::{StageClock, Trace};
use crate::fuse::{self, Fused, Looked, QueryFit, Vectors};
use crate::gate::{self, FirstStage, GateRecord};
use crate::issue::{self, IssueRecord, Ranked};
use crate::order;
use crate::present::{self, PresentOrder, Presented, RankedHit};
use crate::query::{Issue, ParsedQuery, complete_last_word};
use crate::refine::{self, CrossEncode, CrossRecord, LazyTokens, RefineRecord};
use crate::settings::{Stage, Tuning};
use crate::terms::Channel;
use std::time::Instant;

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
/// but for times, the same trace, however busy the machine is, until [`LAST_RESORT`].
///
/// # Errors
/// Broken filters, unreadable stores. A query vector that cannot be made only skips its channel.
pub fn search(context: &SearchContext<'_>, request: &SearchQuery) -> Result<SearchOutcome> {
    let started = Instant::now();
    let mut clock = StageClock::start(started);
    let mut query = ParsedQuery::parse_in(&request.text, context.index);
    if request.prefix && !request.text.ends_with(char::is_whitespace) {
        complete_last_word(&mut query, &context.stores)?;
    }
    let allowed = request.filters.allowed(context.index)?;
    let tokens = LazyTokens::new(context.tokens.clone(), &query);
    let bm25 = Bm25::new(&context.stores, context.index, &query);
    let static_query = static_query(context, request, &query);
    clock.lap("query");

    let no_tuning = Tuning::none();
    let ctx = QueryContext {
        search: context,
        request,
        query: &query,
        evidence_tuning: if request.has(Stage::Evidence) {
            &request.tuning
        } else {
            &no_tuning
        },
        allowed: &allowed,
        tokens: &tokens,
        bm25: &bm25,
        static_query: &static_query,
        deadline: started + LAST_RESORT,
    };
    let mut candidates = first_candidates(ctx, &mut clock)?;
    let n_candidates = candidates.scored.len();

    let (gate, refined) = second_stage(ctx, &mut candidates, &mut clock)?;

    let mut ranked = order::order(candidates.scored, ctx);
    order::after_order(&mut ranked);
    clock.lap("order");

    let (ranked, crossed) = cross_stage(ctx, ranked, &gate, &mut clock)?;
    if let Some(record) = &mut candidates.issue {
        record.credit(ranked.first());
    }

    let scores = ranked.iter().map(|row| (row.fused.place.file, row.score));
    let confidence = confidence::of_first_file(ctx, candidates.fit.as_ref(), scores);

    let mut presented = present::present(&ranked, context.index, present_order(ctx));
    clock
        .lap("present")
        .counts(Some(n_candidates), presented.hits.len());

    align(ctx, &mut presented, refined.as_ref(), &mut clock)?;

    let trace = Trace {
        query_id: request.query_id.clone(),
        query: query.text.clone(),
        repo: context.repo.clone(),
        view: context.index.view.title.clone(),
        as_of: None,
        shape: query.shape,
        shape_reason: query.shape_reason.clone(),
        rrf_k: request.rrf_k,
        issue: candidates.issue,
        notes: notes(
            candidates.fit.as_ref(),
            candidates.gathered.notes,
            request,
            refined.as_ref(),
            crossed.as_ref(),
        ),
        weights: candidates.gathered.weights,
        channels: candidates.gathered.runs,
        rows: presented.rows,
        timings: clock.timings,
        gate: Some(gate),
        refine: refined,
        cross: crossed,
        rerank: None,
        fit: candidates.fit,
        confidence,
        coverage: context.coverage.clone(),
        manifest: manifest_line(context),
    };
    Ok(SearchOutcome {
        hits: presented.hits,
        n_candidates,
        query,
        trace,
    })
}

/// The query by the static table, or why it is not asked.
fn static_query(
    context: &SearchContext<'_>,
    request: &SearchQuery,
    query: &ParsedQuery,
) -> std::result::Result<Vec<f32>, String> {
    // Its terms go with the channel.
    if !request.has(Stage::StaticVectors) || request.weights.get(Channel::Static) <= 0.0 {
        return Err("switched off".to_owned());
    }
    let encoder = context.static_encoder.clone()?;
    let vector = encoder.query(&query.encoded());
    vector.ok_or_else(|| "the table knows no word of the query".to_owned())
}

/// Runs the first stage: an issue asks part by part, anything else as one query.
fn first_candidates(ctx: QueryContext<'_, '_>, clock: &mut StageClock) -> Result<Candidates> {
    if let Some(issue) = &ctx.query.issue
        && let Some(candidates) = issue_stage(ctx, issue, clock)?
    {
        return Ok(candidates);
    }
    first_stage(ctx, clock)
}

/// Returns which of the ranked rows are presented.
fn present_order(ctx: QueryContext<'_, '_>) -> PresentOrder {
    // A description means one place: there a second hit in the right file is worth more than a
    // first one in a wrong file. Other queries ask which files matter.
    let one_a_file = ctx.request.wants_distinct_files() && !ctx.is_description();
    PresentOrder {
        limit: ctx.request.limit,
        distinct_files: one_a_file,
        wants_docs: ctx.query.wants_docs,
        wants_config: ctx.query.wants_config,
    }
}

/// Candidates with their evidence.
struct Candidates {
    gathered: Gathered,
    scored: Vec<Scored>,
    /// Indices of the rows, best first.
    order: Vec<usize>,
    /// Nothing is said of an issue: no place holds much of a long text.
    fit: Option<QueryFit>,
    /// How an issue was read.
    issue: Option<IssueRecord>,
}

/// The parts of an issue, the files that they speak for, and the definitions in these; `None` where it
/// speaks for nothing.
fn issue_stage(
    ctx: QueryContext<'_, '_>,
    issue: &Issue,
    clock: &mut StageClock,
) -> Result<Option<Candidates>> {
    let Ranked {
        gathered,
        mut scored,
        record,
    } = issue::rank(ctx, issue)?;
    if scored.is_empty() {
        return Ok(None);
    }
    let n_given = n_hits(&gathered);
    let timing = clock.lap("channels");
    timing.within(CANDIDATES_BUDGET).counts(None, n_given);
    let order = order::first_order(&mut scored);
    clock.lap("evidence").counts(Some(n_given), scored.len());
    Ok(Some(Candidates {
        gathered,
        scored,
        order,
        fit: None,
        issue: Some(record),
    }))
}

/// Channels, the walk over the graph, fusion, evidence.
fn first_stage(ctx: QueryContext<'_, '_>, clock: &mut StageClock) -> Result<Candidates> {
    let mut gathered = channels::gather(ctx)?;
    let n_given = n_hits(&gathered);
    let timing = clock.lap("channels");
    timing.within(CANDIDATES_BUDGET).counts(None, n_given);

    let walk = channels::walk_graph(ctx, &mut gathered);
    let skipped = skipped(&gathered, Channel::Graph);
    let n_walked = n_hits(&gathered) - n_given;
    clock.lap("graph").counts(None, n_walked).skipped(skipped);

    let rrf_k = ctx.request.rrf_k;
    let mut fused = fuse::fuse(&gathered.lists, rrf_k);
    channels::add_ways(&mut fused, &walk);
    channels::score_beyond_depth(ctx, &gathered.lists, &mut fused)?;
    channels::add_static_cosines(ctx, &mut fused);
    let n_fused = fused.len();
    clock.lap("fuse").counts(Some(n_given + n_walked), n_fused);

    let fit = fit(ctx, &gathered, &fused);
    let mut scored = evidence::add_evidence(fused, ctx);
    let order = order::first_order(&mut scored);
    let n_moved = scored.iter().filter(|row| !row.evidence.is_empty());
    clock.lap("evidence").counts(Some(n_fused), n_moved.count());
    Ok(Candidates {
        gathered,
        scored,
        order,
        fit: Some(fit),
        issue: None,
    })
}

/// Runs the gate, and late interaction if it lets it run.
fn second_stage(
    ctx: QueryContext<'_, '_>,
    candidates: &mut Candidates,
    clock: &mut StageClock,
) -> Result<(GateRecord, Option<RefineRecord>)> {
    let gate = judge(ctx, candidates);
    clock.lap("gate").counts(Some(candidates.scored.len()), 0);
    let refined = gate
        .verdict
        .runs
        .then(|| refine::refine(&mut candidates.scored, &candidates.order, ctx));
    // Late interaction first, since these terms are for the best of its order; and only with evidence,
    // because beside ranks alone they would decide the order.
    let n_words = ctx.request.tuning.description_words;
    let is_compared = ctx.request.has(Stage::Evidence) && ctx.query.is_worded_as_comment(n_words);
    if let Some(record) = refined.as_ref().filter(|_| is_compared) {
        let looked_at = &candidates.order[..record.n_done as usize];
        refine::add_code_terms(&mut candidates.scored, looked_at, ctx)?;
    }
    order::after_refine(&mut candidates.scored, refined.as_ref());
    let timing = clock.lap("refine").within(REFINE_BUDGET);
    timing.refined(&gate, refined.as_ref());
    Ok((gate, refined))
}

/// Runs the cross-encoder over the best of the order, where there is one: silent where there is none.
fn cross_stage(
    ctx: QueryContext<'_, '_>,
    mut ranked: Vec<Scored>,
    gate: &GateRecord,
    clock: &mut StageClock,
) -> Result<(Vec<Scored>, Option<CrossRecord>)> {
    let context = ctx.search;
    let model = match &context.cross {
        Some(model) if ctx.request.has(Stage::CrossEncode) => model,
        _ => return Ok((ranked, None)),
    };
    let model = match model {
        Ok(model) => *model,
        Err(reason) => {
            let timing = clock.lap("cross-encode").within(CROSS_BUDGET);
            timing.skipped(Some(reason.clone()));
            return Ok((ranked, None));
        }
    };
    let query = ctx.query.encoded();
    let cross = CrossEncode {
        model,
        query: &query,
    };
    let record = cross.read(&mut ranked, ctx, gate)?;
    if record.n_done > 0 {
        ranked = order::rank(ranked, context.index);
        order::after_cross(&mut ranked);
    }
    let timing = clock.lap("cross-encode").within(CROSS_BUDGET);
    timing
        .counts(Some(record.n_asked as usize), record.n_done as usize)
        .skipped(record.cut.clone().filter(|_| record.n_done == 0));
    Ok((ranked, Some(record)))
}

/// Records which words of the presented hits answer which words of the query.
fn align(
    ctx: QueryContext<'_, '_>,
    presented: &mut Presented,
    refined: Option<&RefineRecord>,
    clock: &mut StageClock,
) -> Result<()> {
    if refined.is_none_or(|record| record.n_done == 0) {
        return Ok(());
    }
    let n_shown = presented.hits.len().min(refine::MAX_ALIGNED);
    let rows = &mut presented.rows[..n_shown];
    let SearchContext { index, stores, .. } = ctx.search;
    refine::align_hits(rows, &presented.places, index, stores, ctx.tokens)?;
    clock.lap("align").counts(None, n_shown);
    Ok(())
}

fn n_hits(gathered: &Gathered) -> usize {
    gathered.lists.iter().map(|list| list.hits.len()).sum()
}

fn skipped(gathered: &Gathered, channel: Channel) -> Option<String> {
    let run = gathered.runs.iter().find(|run| run.channel == channel);
    run.and_then(|run| run.skipped.clone())
}

fn judge(ctx: QueryContext<'_, '_>, candidates: &Candidates) -> GateRecord {
    let settings = ctx.request.gate;
    let features = gate::measure(FirstStage {
        scores: candidates.scored.iter().map(|row| row.score).collect(),
        lists: &candidates.gathered.lists,
        query: ctx.query,
        index: ctx.search.index,
        time_left: ctx.deadline.saturating_duration_since(Instant::now()),
        expected_ms: ctx.search.expected_refine_ms,
    });
    let missing = ctx.tokens.missing();
    GateRecord {
        verdict: gate::decide(&settings, &features, missing.as_deref()),
        settings,
        features,
        missing,
    }
}

/// Whether anything fits, by all that was looked at.
fn fit(ctx: QueryContext<'_, '_>, gathered: &Gathered, fused: &[Fused]) -> QueryFit {
    let ran = |channel| skipped(gathered, channel).is_none();
    let has_looked = ran(Channel::Fts) && ran(Channel::DocSection) && ctx.bm25.cut().is_none();
    let encoder = ctx.search.encoder.as_ref().ok();
    let by_model = encoder
        .filter(|_| ran(Channel::Vector))
        .map(|encoder| Vectors {
            model: &encoder.spec().name,
            channel: Channel::Vector,
            are_all: ctx.search.coverage.vector >= 1.0,
            n_pieces: encoder.n_pieces(&ctx.query.text),
        });
    let table = ctx.search.static_encoder.as_ref().ok();
    let by_table = table.filter(|_| ran(Channel::Static)).map(|table| Vectors {
        model: &table.spec().name,
        channel: Channel::Static,
        are_all: ctx.search.coverage.static_vectors >= 1.0,
        n_pieces: Some(table.n_pieces(&ctx.query.text)),
    });
    // Who has compared all chunks can say that none is near.
    let vectors = match by_model {
        Some(by_model) if by_model.are_all => Some(by_model),
        by_model => by_table.or(by_model),
    };
    let looked = Looked {
        most_bm25: has_looked.then(|| ctx.bm25.most() * weight_of_words(ctx.query)),
        is_named: &|| channels::is_named(ctx.search.index, ctx.query, ctx.allowed),
        is_narrowed: !ctx.request.filters.is_empty(),
        vectors,
    };
    QueryFit::of(fused, ctx.query, &looked)
}

/// The share of a query's tokens where those count as one that stand for one word.
fn weight_of_words(query: &ParsedQuery) -> f64 {
    let all: f32 = query.tokens.iter().map(|(_, weight)| weight).sum();
    f64::from((all - query.surplus) / all.max(f32::MIN_POSITIVE))
}

/// What a reader should know first comes first.
fn notes(
    fit: Option<&QueryFit>,
    gathered: Vec<String>,
    request: &SearchQuery,
    refined: Option<&RefineRecord>,
    crossed: Option<&CrossRecord>,
) -> Vec<String> {
    let poor = fit.and_then(|fit| fit.poor.clone());
    let mut notes: Vec<String> = poor.into_iter().chain(gathered).collect();
    let cut = refined.and_then(|record| record.cut.as_ref());
    notes.extend(cut.map(|reason| format!("late interaction: {reason}")));
    let cut = crossed.filter(|record| record.n_asked > 0);
    let cut = cut.and_then(|record| record.cut.as_ref());
    notes.extend(cut.map(|reason| format!("cross-encoder: {reason}")));
    let off = request.off.iter();
    notes.extend(off.map(|stage| format!("{} switched off", stage.name())));
    notes
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
        "{} · view {} · {model}",
        context.stores.manifest_line(),
        view.version
    )
}
