//! The whole path of a query on one page: query → channels → graph → fuse → evidence → gate → refine
//! → order → cross-encode → present.

use crate::ask::{
    CANDIDATES_BUDGET, CROSS_BUDGET, LAST_RESORT, REFINE_BUDGET, SearchContext, SearchQuery,
};
use crate::blend;
use crate::channels::{Bm25, Walk};
use crate::cross::{Cross, CrossRecord};
use crate::error::Result;
use crate::evidence;
use crate::fit::Fit;
use crate::fuse;
use crate::gate::{self, FirstStage, GateRecord};
use crate::gather::{self, Asked, Gathered};
use crate::issue::{self, Issue, IssueRecord, Ranked};
use crate::present::{self, PresentOrder, Presented, RankedHit};
use crate::query::ParsedQuery;
use crate::refine::{self, Against, RefineRecord, Tokens};
use crate::search_index::SearchIndex;
use crate::settings::{Stage, Tuning};
use crate::shape::QueryShape;
use crate::stage_clock::StageClock;
use crate::stages;
use crate::terms::Channel;
use crate::trace::Trace;
use crate::twins;
use crate::weighing::{Scored, Weighing};
use crate::within_file;
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
    let query = ParsedQuery::parse_in(&request.text, context.index);
    let allowed = request.filters.allowed(context.index)?;
    let tokens = Tokens::new(context.tokens.clone(), &query);
    let bm25 = Bm25::new(context.reader, context.index, &query);
    clock.lap("query");

    let no_tuning = Tuning::none();
    let weighing = Weighing {
        index: context.index,
        query: &query,
        tuning: if request.has(Stage::Evidence) {
            &request.tuning
        } else {
            &no_tuning
        },
        vector_coverage: context.coverage.vector,
    };
    let asked = Asked {
        context,
        request,
        query: &query,
        allowed: &allowed,
        tokens: &tokens,
        bm25: &bm25,
        deadline: started + LAST_RESORT,
    };
    let mut found = candidates(asked, weighing, &mut clock)?;
    let n_candidates = found.scored.len();

    let (gate, refined) = second_stage(asked, &mut found, &mut clock)?;

    let mut ranked = order(found.scored, weighing, request, &found.walk);
    stages::after_order(&mut ranked);
    clock.lap("order");

    let (ranked, crossed) = cross_stage(asked, ranked, &gate, &mut clock)?;
    if let Some(record) = &mut found.issue {
        record.credit(ranked.first());
    }

    let order = present_order(request, weighing);
    let mut presented = present::present(&ranked, context.index, order);
    clock
        .lap("present")
        .counts(Some(n_candidates), presented.hits.len());

    align(asked, &mut presented, refined.as_ref(), &mut clock)?;

    let trace = Trace {
        query_id: request.query_id.clone(),
        query: query.text.clone(),
        repo: context.repo.clone(),
        view: context.index.view.title.clone(),
        shape: query.shape,
        shape_reason: query.shape_reason.clone(),
        rrf_k: request.rrf_k,
        issue: found.issue,
        notes: notes(
            found.fit.as_ref(),
            found.gathered.notes,
            request,
            refined.as_ref(),
            crossed.as_ref(),
        ),
        weights: found.gathered.weights,
        channels: found.gathered.runs,
        rows: presented.rows,
        timings: clock.timings,
        gate: Some(gate),
        refine: refined,
        cross: crossed,
        rerank: None,
        fit: found.fit,
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

/// The first stage: an issue asks part by part, anything else as one query.
fn candidates(
    asked: Asked<'_, '_>,
    weighing: Weighing<'_>,
    clock: &mut StageClock,
) -> Result<Found> {
    if let Some(issue) = &asked.query.issue
        && let Some(found) = issue_stage(asked, weighing, issue, clock)?
    {
        return Ok(found);
    }
    first_stage(asked, weighing, clock)
}

/// What of the ranked list is presented.
fn present_order(request: &SearchQuery, weighing: Weighing<'_>) -> PresentOrder {
    // A description means one place: there a second hit in the right file is worth more than a
    // first one in a wrong file. Other queries ask which files matter.
    let one_a_file = request.wants_distinct_files() && !weighing.is_description();
    PresentOrder {
        limit: request.limit,
        distinct_files: one_a_file,
        wants_docs: weighing.query.wants_docs,
        wants_config: weighing.query.wants_config,
    }
}

/// Candidates with their evidence.
struct Found {
    gathered: Gathered,
    walk: Walk,
    scored: Vec<Scored>,
    /// Indices of the rows, best first.
    order: Vec<usize>,
    /// Nothing is said of an issue: no place holds much of a long text.
    fit: Option<Fit>,
    /// How an issue was read.
    issue: Option<IssueRecord>,
}

/// The parts of an issue, the files that they speak for, and the definitions in these; `None` where it
/// speaks for nothing.
fn issue_stage(
    asked: Asked<'_, '_>,
    weighing: Weighing<'_>,
    issue: &Issue,
    clock: &mut StageClock,
) -> Result<Option<Found>> {
    let Ranked {
        gathered,
        mut scored,
        record,
    } = issue::rank(asked, weighing, issue)?;
    if scored.is_empty() {
        return Ok(None);
    }
    let n_given = n_hits(&gathered);
    let timing = clock.lap("channels");
    timing.within(CANDIDATES_BUDGET).counts(None, n_given);
    let order = stages::first_order(&mut scored);
    clock.lap("evidence").counts(Some(n_given), scored.len());
    Ok(Some(Found {
        gathered,
        walk: Walk::default(),
        scored,
        order,
        fit: None,
        issue: Some(record),
    }))
}

/// Channels, the walk over the graph, fusion, evidence.
fn first_stage(
    asked: Asked<'_, '_>,
    weighing: Weighing<'_>,
    clock: &mut StageClock,
) -> Result<Found> {
    let mut gathered = gather::gather(asked)?;
    let n_given = n_hits(&gathered);
    let timing = clock.lap("channels");
    timing.within(CANDIDATES_BUDGET).counts(None, n_given);

    let walk = gather::walk(asked, &mut gathered);
    let skipped = skipped(&gathered, Channel::Graph);
    let n_walked = n_hits(&gathered) - n_given;
    clock.lap("graph").counts(None, n_walked).skipped(skipped);

    let rrf_k = asked.request.rrf_k;
    let mut fused = fuse::fuse(&gathered.lists, rrf_k);
    gather::add_ways(&mut fused, &walk);
    gather::score_below(asked, &gathered.lists, &mut fused)?;
    let n_fused = fused.len();
    clock.lap("fuse").counts(Some(n_given + n_walked), n_fused);

    let fit = Fit::of(
        &fused,
        asked.bm25.most(),
        asked.query,
        model_of_all(asked.context),
    );
    let mut scored = evidence::weigh(fused, weighing, rrf_k);
    let order = stages::first_order(&mut scored);
    let n_moved = scored.iter().filter(|row| !row.evidence.is_empty());
    clock.lap("evidence").counts(Some(n_fused), n_moved.count());
    Ok(Found {
        gathered,
        walk,
        scored,
        order,
        fit: Some(fit),
        issue: None,
    })
}

/// The gate, and late interaction if it lets it run.
fn second_stage(
    asked: Asked<'_, '_>,
    found: &mut Found,
    clock: &mut StageClock,
) -> Result<(GateRecord, Option<RefineRecord>)> {
    let gate = judge(asked, found);
    clock.lap("gate").counts(Some(found.scored.len()), 0);
    let against = against(asked);
    let refined = gate
        .verdict
        .runs
        .then(|| refine::refine(&mut found.scored, &found.order, against, asked.tokens));
    // It is weighed against the evidence; against ranks alone it would decide.
    let (query, words) = (asked.query, against.tuning.description_words);
    let is_compared = asked.request.has(Stage::Evidence) && query.is_worded_as_comment(words);
    if let Some(record) = refined.as_ref().filter(|_| is_compared) {
        let (looked_at, reader) = (&found.order[..record.n_done as usize], asked.context.reader);
        refine::add_code_terms(&mut found.scored, looked_at, &against, reader, asked.tokens)?;
    }
    stages::after_refine(&mut found.scored, refined.as_ref());
    let timing = clock.lap("refine").within(REFINE_BUDGET);
    timing.refined(&gate, refined.as_ref());
    Ok((gate, refined))
}

/// The cross-encoder over the best of the order, where there is one: silent where there is none.
fn cross_stage(
    asked: Asked<'_, '_>,
    mut ranked: Vec<Scored>,
    gate: &GateRecord,
    clock: &mut StageClock,
) -> Result<(Vec<Scored>, Option<CrossRecord>)> {
    let context = asked.context;
    let model = match &context.cross {
        Some(model) if asked.request.has(Stage::CrossEncode) => model,
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
    let query = asked.query.encoded();
    let cross = Cross {
        model,
        query: &query,
        reader: context.reader,
    };
    let record = cross.read(&mut ranked, &against(asked), gate)?;
    if record.n_done > 0 {
        ranked = rank(ranked, context.index);
        stages::after_cross(&mut ranked);
    }
    let timing = clock.lap("cross-encode").within(CROSS_BUDGET);
    timing
        .counts(Some(record.n_asked as usize), record.n_done as usize)
        .skipped(record.cut.clone().filter(|_| record.n_done == 0));
    Ok((ranked, Some(record)))
}

/// What later stages are weighed against.
fn against<'a>(asked: Asked<'a, '_>) -> Against<'a> {
    Against {
        index: asked.context.index,
        tuning: &asked.request.tuning,
        unit: 1.0 / (asked.request.rrf_k + 1.0),
        deadline: asked.deadline,
    }
}

/// Says of the hits that are shown which of their words answer the query's.
fn align(
    asked: Asked<'_, '_>,
    presented: &mut Presented,
    refined: Option<&RefineRecord>,
    clock: &mut StageClock,
) -> Result<()> {
    if refined.is_none_or(|record| record.n_done == 0) {
        return Ok(());
    }
    let n_shown = presented.hits.len().min(refine::MAX_ALIGNED);
    let rows = &mut presented.rows[..n_shown];
    let SearchContext { index, reader, .. } = asked.context;
    refine::align_hits(rows, &presented.places, index, reader, asked.tokens)?;
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

fn judge(asked: Asked<'_, '_>, found: &Found) -> GateRecord {
    let settings = asked.request.gate;
    let features = gate::measure(FirstStage {
        scores: found.scored.iter().map(|row| row.score).collect(),
        lists: &found.gathered.lists,
        query: asked.query,
        index: asked.context.index,
        time_left: asked.deadline.saturating_duration_since(Instant::now()),
        expected_ms: asked.context.expected_refine_ms,
    });
    let missing = asked.tokens.missing();
    GateRecord {
        verdict: gate::decide(&settings, &features, missing.as_deref()),
        settings,
        features,
        missing,
    }
}

/// Puts rows in their final order: chunks within their files, CKB's blend if asked for, repeats.
fn order(
    mut scored: Vec<Scored>,
    weighing: Weighing<'_>,
    request: &SearchQuery,
    walk: &Walk,
) -> Vec<Scored> {
    if request.has(Stage::WithinFile) {
        within_file::order_within_files(&mut scored, weighing, request.rrf_k);
    }
    let mut ranked = rank(scored, weighing.index);
    if request.has(Stage::Evidence) && twins::put_copies_behind(&mut ranked, weighing.index) {
        ranked = rank(ranked, weighing.index);
    }
    if request.tuning.graph_blend > 0.0 {
        blend::blend(&mut ranked, walk, request.tuning.graph_blend);
        ranked = rank(ranked, weighing.index);
    }
    if request.wants_distinct_files() && weighing.is_description() {
        let tuning = weighing.tuning;
        let keep = match weighing.query.shape {
            QueryShape::Issue => tuning.issue.issue_keep_repeat,
            _ => tuning.keep_repeat,
        };
        within_file::damp_repeats(&mut ranked, keep);
        ranked = rank(ranked, weighing.index);
    }
    ranked
}

/// The encoder, where every chunk has its vector.
fn model_of_all<'a>(context: &'a SearchContext<'_>) -> Option<&'a str> {
    let encoder = context.encoder.as_ref().ok()?;
    (context.coverage.vector >= 1.0).then(|| encoder.spec().name.as_str())
}

/// What a reader should know first comes first.
fn notes(
    fit: Option<&Fit>,
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
