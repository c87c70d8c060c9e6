//! Who depends on a definition through any number of calls, and how one definition reaches another.

use std::collections::{BTreeMap, HashMap, HashSet};

use whyrank_syntax::SymbolKind;

use crate::{
    input::SymbolId,
    references::{Confidence, ReferenceHit},
    symbol_rank::SymbolRanks,
    uses::Uses,
};

/// A definition that uses a target, directly or through others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The calling definition.
    pub symbol: SymbolId,
    /// Steps to a target, from 1.
    pub depth: u32,
    /// The weakest use on the way.
    pub confidence: Confidence,
    /// What it uses: a target, or a caller one step nearer.
    pub uses: SymbolId,
    /// Line of the first such use.
    pub line: u32,
}

/// A step of a path: a definition and the line where it uses the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The definition.
    pub symbol: SymbolId,
    /// Line of its use of the next; none for the last.
    pub line: Option<u32>,
    /// How sure that use is.
    pub confidence: Confidence,
}

/// The definitions that use the targets within `depth` steps, breadth first.
///
/// Each once, at its least depth and by the surest way of that length. A target is among them where
/// it uses itself, and so is an overload that uses another one. By depth, then rank, then path.
/// O(uses of all that is reached).
pub fn impact(
    uses: &Uses<'_>,
    targets: &[SymbolId],
    depth: u32,
    ranks: &SymbolRanks,
) -> Vec<Caller> {
    let known = targets.iter().copied().filter(|id| uses.has(*id));
    let mut level: Vec<(SymbolId, Confidence)> =
        known.map(|id| (id, Confidence::Precise)).collect();
    let mut seen: HashSet<SymbolId> = HashSet::new();
    let mut callers: Vec<Caller> = Vec::new();
    for depth in 1..=depth {
        let mut found: Vec<Caller> = next_level(uses, &level, &seen, depth);
        if found.is_empty() {
            break;
        }
        found.sort_by(|a, b| by_rank(uses, ranks, a.symbol, b.symbol));
        seen.extend(level.iter().map(|(id, _)| *id));
        seen.extend(found.iter().map(|caller| caller.symbol));
        let next = found
            .iter()
            .map(|caller| (caller.symbol, caller.confidence));
        level = next.filter(|(id, _)| !targets.contains(id)).collect();
        callers.extend(found);
    }
    callers
}

fn next_level(
    uses: &Uses<'_>,
    level: &[(SymbolId, Confidence)],
    seen: &HashSet<SymbolId>,
    depth: u32,
) -> Vec<Caller> {
    let mut found: BTreeMap<SymbolId, Caller> = BTreeMap::new();
    for (target, so_far) in level {
        for (symbol, hit) in callers_of(uses, *target) {
            let confidence = weaker(*so_far, hit.confidence);
            let is_surer = found
                .get(&symbol)
                .is_none_or(|known| doubt(confidence) < doubt(known.confidence));
            if is_surer && !seen.contains(&symbol) {
                let caller = Caller {
                    symbol,
                    depth,
                    confidence,
                    uses: *target,
                    line: hit.line,
                };
                found.insert(symbol, caller);
            }
        }
    }
    found.into_values().collect()
}

fn callers_of(
    uses: &Uses<'_>,
    target: SymbolId,
) -> impl Iterator<Item = (SymbolId, ReferenceHit)> + use<> {
    let mut hits = uses.settled(&[target]);
    hits.retain(|hit| !hit.enclosing.is_some_and(|id| is_export_list(uses, id)));
    hits.into_iter()
        .filter_map(|hit| Some((hit.enclosing?, hit)))
}

/// `module.exports = { … }` passes on what it lists.
fn is_export_list(uses: &Uses<'_>, id: SymbolId) -> bool {
    let symbol = uses.lookup.symbol(id);
    symbol.kind == SymbolKind::Constant && symbol.qualified == "module.exports"
}

fn by_rank(
    uses: &Uses<'_>,
    ranks: &SymbolRanks,
    left: SymbolId,
    right: SymbolId,
) -> std::cmp::Ordering {
    let place = |id: SymbolId| {
        let line = uses.lookup.symbol(id).name_line;
        (uses.lookup.files[id.file as usize].path, line)
    };
    let by_rank = ranks.get(right).total_cmp(&ranks.get(left));
    by_rank.then_with(|| place(left).cmp(&place(right)))
}

/// A name that several definitions bear says less than one that a single definition bears.
fn doubt(confidence: Confidence) -> u8 {
    match confidence {
        Confidence::Precise => 0,
        Confidence::Resolved => 1,
        Confidence::NameOnly => 2,
        Confidence::Ambiguous => 3,
    }
}

fn weaker(left: Confidence, right: Confidence) -> Confidence {
    if doubt(left) < doubt(right) {
        right
    } else {
        left
    }
}

/// The shortest chains of uses from a definition to another, at most `limit` of one length.
///
/// A type starts wherever one of its members does. Empty when there is no way. O(uses of all that
/// reaches the end).
pub fn call_path(
    uses: &Uses<'_>,
    from: &[SymbolId],
    to: &[SymbolId],
    limit: usize,
) -> Vec<Vec<PathStep>> {
    let known = |ids: &[SymbolId]| -> Vec<SymbolId> {
        let known = ids.iter().filter(|id| uses.has(**id));
        known.flat_map(|id| uses.same(*id)).collect()
    };
    let (from, to) = (known(from), known(to));
    let starts = |symbol: SymbolId| {
        let mut around = std::iter::successors(Some(symbol), |id| uses.lookup.parent(*id));
        around.any(|id| from.contains(&id))
    };
    let mut steps = Steps::default();
    let mut depth_of: HashMap<SymbolId, u32> = to.iter().map(|id| (*id, 0)).collect();
    let mut level = to.clone();
    for depth in 1.. {
        let mut next: Vec<SymbolId> = Vec::new();
        for target in &level {
            for (symbol, hit) in callers_of(uses, *target) {
                let at = *depth_of.entry(symbol).or_insert_with(|| {
                    next.push(symbol);
                    depth
                });
                if at == depth {
                    steps.add(symbol, *target, &hit);
                }
            }
        }
        let mut ends: Vec<SymbolId> = next.iter().copied().filter(|id| starts(*id)).collect();
        if !ends.is_empty() || next.is_empty() {
            ends.sort_unstable();
            return steps.paths(&ends, &to, limit);
        }
        level = next;
    }
    Vec::new()
}

/// What each definition on a shortest way uses next.
#[derive(Default)]
struct Steps(HashMap<SymbolId, BTreeMap<SymbolId, (u32, Confidence)>>);

impl Steps {
    fn add(&mut self, from: SymbolId, to: SymbolId, hit: &ReferenceHit) {
        let next = self.0.entry(from).or_default();
        next.entry(to).or_insert((hit.line, hit.confidence));
    }

    fn paths(&self, starts: &[SymbolId], ends: &[SymbolId], limit: usize) -> Vec<Vec<PathStep>> {
        let mut found = Vec::new();
        let mut open: Vec<(SymbolId, Vec<PathStep>)> =
            starts.iter().rev().map(|id| (*id, Vec::new())).collect();
        while let Some((symbol, path)) = open.pop() {
            if found.len() >= limit {
                break;
            }
            let step = |line, confidence| PathStep {
                symbol,
                line,
                confidence,
            };
            let with = |step| path.iter().copied().chain([step]).collect::<Vec<_>>();
            if !path.is_empty() && ends.contains(&symbol) {
                found.push(with(step(None, Confidence::Resolved)));
                continue;
            }
            let next = self.0.get(&symbol).into_iter().flatten();
            open.extend(
                next.rev()
                    .map(|(to, (line, sure))| (*to, with(step(Some(*line), *sure)))),
            );
        }
        found
    }
}
