//! Which chunks of a file represent it, and what further hits of a file keep: order among neighbours,
//! apart from the order of files.

use crate::context::QueryContext;
use crate::evidence::{Scored, is_alike};
use crate::query::{ParsedQuery, QueryShape};
use crate::refine::OWN_TERM;
use crate::search_index::{SearchIndex, distinct_tokens, part_tokens};
use crate::settings::Tuning;
use crate::terms::Evidence;
use std::collections::{HashMap, HashSet};
use whyrank_syntax::SymbolKind;

/// Letters from which the beginning of a word counts as the word in names of definitions.
const NAME_STEM: usize = 4;

/// Decides which chunks of a file represent it. The scores that a file's chunks have are dealt out
/// among them again, best first by score and by what their definitions are called: which file ranks
/// where does not change, and what tells neighbours in a file apart need not be weighed against what
/// tells files apart.
pub(crate) fn order_within_files(rows: &mut [Scored], ctx: QueryContext<'_, '_>) {
    let (index, query, tuning) = (ctx.index(), ctx.query, ctx.evidence_tuning);
    if query.shape != QueryShape::NaturalLanguage || query.keywords.is_empty() {
        return;
    }
    let mut by_file: HashMap<u32, Vec<usize>> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        by_file.entry(row.fused.place.file).or_default().push(at);
    }
    let (low, high) = static_range(rows);
    for members in by_file.values().filter(|members| members.len() > 1) {
        deal_scores(rows, members, |row| {
            let cosine = row.fused.static_cosine.unwrap_or(low);
            let meant = (cosine - low) / (high - low).max(1e-6);
            local_score(row, index, query, tuning, ctx.request.rrf_k)
                + tuning.static_in_file * meant * ctx.unit()
        });
    }
}

fn static_range(rows: &[Scored]) -> (f64, f64) {
    let cosines = rows.iter().filter_map(|row| row.fused.static_cosine);
    cosines.fold((0.0, 0.0), |(low, high): (f64, f64), cosine| {
        (low.min(cosine), high.max(cosine))
    })
}

/// Gives the sorted scores of `members` to them in the order of another score.
fn deal_scores(rows: &mut [Scored], members: &[usize], other: impl Fn(&Scored) -> f64) {
    let mut scores: Vec<f64> = members.iter().map(|at| rows[*at].score).collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    let n_members = members.len();
    let mut order: Vec<(f64, usize)> = members.iter().map(|at| (other(&rows[*at]), *at)).collect();
    // Rows are in order of place, so ties do not depend on how the store was built.
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (place, (_, at)) in order.into_iter().enumerate() {
        let score = scores[place];
        let row = &mut rows[at];
        if score != row.score {
            let by_score = scores.iter().filter(|other| **other > row.score).count();
            let term = Evidence {
                words: Vec::new(),
                name: "within-file".to_owned(),
                contribution: score - row.score,
                reason: format!(
                    "number {} of its file's {n_members} chunks by name, head, kind and meaning; {} by score",
                    place + 1,
                    by_score + 1
                ),
            };
            row.score += term.contribution;
            row.evidence.push(term);
        }
    }
}

/// What a chunk scores against its neighbours: `copyRouteConf` is what "a deep copy of the routeConf"
/// describes, though most of that query's words are not in the name; long names that are held whole
/// say most. Where the query says what a function does, functions come first.
fn local_score(
    row: &Scored,
    index: &SearchIndex,
    query: &ParsedQuery,
    tuning: &Tuning,
    k: f64,
) -> f64 {
    let (_, _, symbol) = index.view.chunk(row.fused.place);
    let named = symbol.map_or(0.0, |symbol| name_in_query(&symbol.name, query));
    let signed = symbol.map_or(0.0, |symbol| query_in_signature(&symbol.signature, query));
    let is_inert = query.says_what_is_done && !symbol.is_some_and(|symbol| acts(symbol.kind));
    let keep = if is_inert { tuning.keep_inert } else { 1.0 };
    (row.score - late_term(row)) * keep
        + (tuning.name_in_query * named + tuning.signature_cover * signed) / (k + 1.0)
}

/// What late interaction adds to a chunk. It tells files apart and not neighbours, whose words are much
/// the same: with it the right function of a file comes first less often (span MRR .35 for .41 on doc
/// comments).
fn late_term(row: &Scored) -> f64 {
    let terms = row.evidence.iter().filter(|term| term.name == OWN_TERM);
    terms.map(|term| term.contribution).sum()
}

/// Share of the query's keywords that a definition's head holds: names and types of parameters.
fn query_in_signature(signature: &str, query: &ParsedQuery) -> f64 {
    let tokens = distinct_tokens(signature);
    let n_held = query
        .keywords
        .iter()
        .filter(|word| tokens.contains(word))
        .count();
    n_held as f64 / query.keywords.len() as f64
}

fn name_in_query(name: &str, query: &ParsedQuery) -> f64 {
    let tokens = distinct_tokens(name);
    let parts = part_tokens(&tokens);
    let is_held = |part: &&String| {
        query
            .keywords
            .iter()
            .any(|word| is_alike(word, part, NAME_STEM))
    };
    let n_held = parts.iter().filter(is_held).count();
    let share = n_held as f64 / parts.len().max(1) as f64;
    share * share * (1.0 - 0.5_f64.powi(n_held as i32))
}

pub(crate) fn acts(kind: SymbolKind) -> bool {
    use SymbolKind::{Constructor, Function, Macro, Method, Property};
    matches!(kind, Constructor | Function | Macro | Method | Property)
}

/// Takes a share off every further hit of a file, so that other files come in between; once, or again for
/// each hit before it. Parts of a definition and its overloads are no further hits. `ranked` best first; the
/// order has to be rebuilt afterwards.
pub(crate) fn damp_repeats(ranked: &mut [Scored], index: &SearchIndex, damping: Damping) {
    let mut n_before: HashMap<u32, i32> = HashMap::new();
    let mut names: HashSet<(u32, &str)> = HashSet::new();
    for row in ranked {
        let place = row.fused.place;
        let n = n_before.entry(place.file).or_insert(0);
        let definition = index.definition(place);
        let name = definition.map(|id| (place.file, index.symbol(id).qualified.as_str()));
        let is_new = name.is_none_or(|name| names.insert(name));
        if *n > 0 {
            let kept = damping.kept(*n);
            let term = Evidence {
                words: Vec::new(),
                name: "same-file".to_owned(),
                contribution: (kept - 1.0) * row.score,
                reason: format!(
                    "hit {} of its file: keeps {:.0}% of its score",
                    *n + 1,
                    kept * 100.0
                ),
            };
            row.score += term.contribution;
            row.evidence.push(term);
        }
        *n += i32::from(is_new);
    }
}

/// What further hits of a file keep of their score.
#[derive(Clone, Copy)]
pub(crate) enum Damping {
    /// A share for each hit before it: the question is which files matter.
    Compound(f64),
    /// One share, however many are before it: in a long file the right function may be the eighth.
    Once(f64),
}

impl Damping {
    /// With `n` hits of its file before it, at least one.
    fn kept(self, n: i32) -> f64 {
        match self {
            Self::Compound(keep) => keep.powi(n),
            Self::Once(keep) => keep,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Damping;

    #[test]
    fn the_eighth_function_of_a_file_loses_no_more_than_the_second() {
        let kept = |n| Damping::Once(0.9).kept(n);
        assert_eq!((kept(1), kept(7)), (0.9, 0.9));
        assert!(Damping::Compound(0.9).kept(7) < 0.5);
    }
}
