//! Order: what is decided between rows when all have their scores: chunks within their file, copies
//! of a file, further hits of a file.
//!
//! Reads no index beyond names and paths, and adds no evidence of its own: each change of a score is
//! a term with its reason.

mod near_duplicates;
mod stage_ranks;
mod within_file;

pub(crate) use stage_ranks::{after_cross, after_order, after_refine, first_order};
pub(crate) use within_file::acts;

use crate::context::QueryContext;
use crate::evidence::Scored;
use crate::query::{ParsedQuery, QueryShape};
use crate::search_index::SearchIndex;
use crate::settings::{Stage, Tuning};
pub(crate) use near_duplicates::copies;
use near_duplicates::put_copies_behind;
use within_file::{Damping, damp_repeats, order_within_files};

/// Puts rows in their final order: chunks within their files, copies, repeats.
pub(crate) fn order(mut scored: Vec<Scored>, ctx: QueryContext<'_, '_>) -> Vec<Scored> {
    let (index, request) = (ctx.index(), ctx.request);
    if request.has(Stage::WithinFile) {
        order_within_files(&mut scored, ctx);
    }
    let mut ranked = rank(scored, index);
    if request.has(Stage::Evidence) && put_copies_behind(&mut ranked, index) {
        ranked = rank(ranked, index);
    }
    if request.wants_distinct_files() && ctx.is_description() {
        let tuning = ctx.evidence_tuning;
        damp_repeats(&mut ranked, index, damping(ctx.query, tuning));
        ranked = rank(ranked, index);
    }
    ranked
}

/// What further hits of a file keep where one place is meant.
fn damping(query: &ParsedQuery, tuning: &Tuning) -> Damping {
    let n_words = tuning.description_words;
    match query.shape {
        QueryShape::Issue => Damping::Compound(tuning.issue.issue_keep_repeat),
        _ if query.is_change => Damping::Compound(tuning.keep_repeat),
        _ if query.is_worded_as_comment(n_words) => Damping::Once(tuning.keep_repeat),
        _ => Damping::Compound(tuning.keep_topic),
    }
}

/// Best first: score, then path and line, so that ties do not depend on how the store was built.
pub(crate) fn rank(mut scored: Vec<Scored>, index: &SearchIndex) -> Vec<Scored> {
    let place = |row: &Scored| (row.fused.place.file, row.fused.place.chunk);
    debug_assert!(index.view.files.is_sorted_by(|a, b| a.path <= b.path));
    scored.sort_by(|a, b| b.score.total_cmp(&a.score).then(place(a).cmp(&place(b))));
    scored
}
