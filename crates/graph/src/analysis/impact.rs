//! Who depends on a definition through any number of calls, and how one definition reaches another.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};

use whyrank_syntax::{ReferenceKind, SymbolKind};

use crate::{
    analysis::symbol_rank::SymbolRanks,
    input::files::SymbolId,
    references::{
        find_references::{Confidence, ReferenceHit},
        implementations::{Descent, Relative},
        reference_query::ReferenceQuery,
    },
};

/// How a change of one definition comes to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// It uses it.
    Uses,
    /// It implements or overrides it, or is a type that does.
    StandsIn(Descent),
    /// It uses what it overrides or implements, so a call may arrive there.
    Through,
}

/// A definition that uses a target, directly or through others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The calling definition.
    pub symbol: SymbolId,
    /// Steps to a target, from 1.
    pub depth: u32,
    /// The weakest use on the way.
    pub confidence: Confidence,
    /// How it comes by that.
    pub reach: Reach,
    /// What it uses: a target, a caller one step nearer, or what one of these overrides.
    pub uses: SymbolId,
    /// Line of the first such use; 0 for a call that was seen and whose line is unknown.
    pub line: u32,
}

/// A step of a path: a definition and the line where it uses the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The definition.
    pub symbol: SymbolId,
    /// Line of its use of the next; none for the last, where the next overrides or implements it, and
    /// where a call was seen and its line was not.
    pub line: Option<u32>,
    /// How sure that use is.
    pub confidence: Confidence,
}

/// Returns the definitions that use the targets within `depth` steps, breadth first.
///
/// Each once, at its least depth and by the surest way of that length. A target that uses itself is
/// not among them, an overload that uses another one is. A function that uses a caller within it is as
/// far away as that, but for the last step. What implements or overrides a target is one step away, and
/// a use of what a definition overrides may be one of it. By depth, how it is reached, guesses last,
/// rank, then path. O(uses of all that is reached).
pub fn impact(
    uses: &ReferenceQuery<'_>,
    targets: &[SymbolId],
    depth: u32,
    ranks: &SymbolRanks,
) -> Vec<Caller> {
    let known = targets.iter().copied().filter(|id| uses.has(*id));
    let mut level: Vec<Step> = known.map(Step::begin).collect();
    let mut seen: HashSet<SymbolId> = HashSet::new();
    let mut callers: Vec<Caller> = Vec::new();
    let last = depth;
    for depth in 1..=last {
        let mut found: Vec<Caller> = next_level(uses, &level, &seen, depth);
        found.retain(|caller| !is_of_itself(uses, caller, targets));
        if found.is_empty() {
            break;
        }
        if depth < last {
            add_surroundings(uses, &mut found, &seen);
        }
        found.sort_by(|a, b| {
            let is_guess = |caller: &Caller| {
                is_non_production(caller) || caller.confidence > Confidence::Possible
            };
            let key = |caller: &Caller| (caller.reach, is_guess(caller));
            let by_rank = by_rank(uses, ranks, a.symbol, b.symbol);
            key(a).cmp(&key(b)).then(by_rank)
        });
        seen.extend(level.iter().map(|step| step.target));
        seen.extend(found.iter().map(|caller| caller.symbol));
        // What replaces a target has callers of its own: they are not concerned.
        let next = found.iter().filter(|caller| {
            !matches!(caller.reach, Reach::StandsIn(_)) && !is_non_production(caller)
        });
        let next = next.filter(|caller| !targets.contains(&caller.symbol));
        level = next.map(Step::after).collect();
        callers.extend(found);
    }
    callers
}

/// A definition whose callers are looked for.
#[derive(Clone, Copy)]
struct Step {
    target: SymbolId,
    /// The weakest use on the way so far.
    so_far: Confidence,
    /// What it was seen to call, where no text shows that it does.
    seen_to_call: Option<SymbolId>,
}

impl Step {
    fn begin(target: SymbolId) -> Self {
        Self {
            target,
            so_far: Confidence::Precise,
            seen_to_call: None,
        }
    }

    fn after(caller: &Caller) -> Self {
        let is_seen = caller.confidence == Confidence::Observed;
        Self {
            target: caller.symbol,
            so_far: caller.confidence,
            seen_to_call: is_seen.then_some(caller.uses),
        }
    }
}

/// What uses a function that was seen to call need not lead to that call: it is told and not followed.
fn is_non_production(caller: &Caller) -> bool {
    caller.reach == Reach::Uses && caller.confidence == Confidence::Possible
}

/// A function that calls itself, or lies in one that does, is no other that depends on it.
fn is_of_itself(uses: &ReferenceQuery<'_>, caller: &Caller, targets: &[SymbolId]) -> bool {
    let target = caller.uses;
    targets.contains(&target)
        && !uses.resolver.symbol(target).kind.has_members()
        && around(uses, caller.symbol).any(|id| id == target)
}

/// Adds the functions around the callers that are functions within them, where they use them: a
/// closure takes no step.
fn add_surroundings(uses: &ReferenceQuery<'_>, found: &mut Vec<Caller>, seen: &HashSet<SymbolId>) {
    let mut known: HashSet<SymbolId> = found.iter().map(|caller| caller.symbol).collect();
    let mut at = 0;
    while let Some(inner) = found.get(at).copied() {
        at += 1;
        // Of what only a run shows, the run says who called it.
        if inner.confidence == Confidence::Observed || is_non_production(&inner) {
            continue;
        }
        let is_function = |id: SymbolId| uses.resolver.symbol(id).kind.is_callable();
        let outer = uses
            .resolver
            .parent(inner.symbol)
            .filter(|id| is_function(*id));
        let is_new = |id: &SymbolId| !seen.contains(id) && !known.contains(id);
        let Some(outer) = outer.filter(|id| is_function(inner.symbol) && is_new(id)) else {
            continue;
        };
        let mut by = callers_of(uses, inner.symbol).filter(|(id, _)| *id == outer);
        let by = by.next().map(|(_, hit)| Caller {
            symbol: outer,
            uses: inner.symbol,
            line: hit.line,
            confidence: hit.confidence.max(inner.confidence),
            ..inner
        });
        known.extend(by.iter().map(|caller| caller.symbol));
        found.extend(by);
    }
}

/// A definition and those that it lies in, innermost first.
fn around(uses: &ReferenceQuery<'_>, symbol: SymbolId) -> impl Iterator<Item = SymbolId> {
    std::iter::successors(Some(symbol), |id| uses.resolver.parent(*id))
}

fn next_level(
    uses: &ReferenceQuery<'_>,
    level: &[Step],
    seen: &HashSet<SymbolId>,
    depth: u32,
) -> Vec<Caller> {
    let mut found: BTreeMap<SymbolId, Caller> = BTreeMap::new();
    for step in level {
        // Two guesses where a call goes are one too many.
        let is_open = step.so_far.is_certain() && step.seen_to_call.is_none();
        for caller in reaching(uses, step.target, depth, is_open) {
            let is_open_way = step
                .seen_to_call
                .is_some_and(|callee| !is_way_to(uses, &caller, callee));
            if is_open_way && caller.confidence == Confidence::Observed {
                continue;
            }
            let open = if is_open_way {
                Confidence::Possible
            } else {
                Confidence::Precise
            };
            let caller = Caller {
                confidence: caller.confidence.max(step.so_far).max(open),
                ..caller
            };
            let is_surer = found
                .get(&caller.symbol)
                .is_none_or(|known| caller.confidence < known.confidence);
            if is_surer && !seen.contains(&caller.symbol) {
                found.insert(caller.symbol, caller);
            }
        }
    }
    found.into_values().collect()
}

/// Says whether a run saw a caller of a function when that called another one.
fn is_way_to(uses: &ReferenceQuery<'_>, caller: &Caller, callee: SymbolId) -> bool {
    let above = uses.seen_above(caller.uses, callee);
    above.is_some_and(|above| above.contains(&caller.symbol))
}

/// What a change of a definition comes to in one step.
fn reaching(
    uses: &ReferenceQuery<'_>,
    target: SymbolId,
    depth: u32,
    with_dispatch: bool,
) -> Vec<Caller> {
    let caller = |symbol, hit: &ReferenceHit| Caller {
        symbol,
        depth,
        confidence: hit.confidence,
        reach: Reach::Uses,
        uses: target,
        line: hit.line,
    };
    let direct = callers_of(uses, target);
    let mut found: Vec<Caller> = direct.map(|(symbol, hit)| caller(symbol, &hit)).collect();
    if depth == 1 {
        found.extend(standing_in(uses, target));
    }
    let dispatching = if with_dispatch {
        uses.dispatching(&[target])
    } else {
        Vec::new()
    };
    for (base, hits) in dispatching {
        let through = |hit: &ReferenceHit| {
            Some(Caller {
                confidence: Confidence::Possible,
                reach: Reach::Through,
                uses: base.symbol,
                ..caller(hit.enclosing?, hit)
            })
        };
        found.extend(hits.iter().filter_map(through));
    }
    found
}

/// The members that implement or override a member; the types that implement an interface by their
/// methods alone, which no use of its name shows.
fn standing_in(uses: &ReferenceQuery<'_>, target: SymbolId) -> Vec<Caller> {
    let is_type = uses.resolver.symbol(target).kind.has_members();
    let relatives = if is_type {
        uses.subtypes(&[target])
    } else {
        uses.overriding(&[target])
    };
    let relatives = relatives.into_iter().filter(|found| {
        !is_type || found.depth == 1 && found.block.is_none() && found.line.is_none()
    });
    let caller = |found: Relative| Caller {
        symbol: found.symbol,
        depth: 1,
        confidence: if found.is_certain {
            Confidence::Resolved
        } else {
            Confidence::Possible
        },
        reach: Reach::StandsIn(found.descent),
        uses: target,
        line: uses.resolver.symbol(found.symbol).name_line,
    };
    relatives.map(caller).collect()
}

fn callers_of(
    uses: &ReferenceQuery<'_>,
    target: SymbolId,
) -> impl Iterator<Item = (SymbolId, ReferenceHit)> + use<> {
    let mut hits = uses.callers(target);
    hits.extend(makers(uses, target));
    hits.retain(|hit| !hit.enclosing.is_some_and(|id| is_export_list(uses, id)));
    hits.into_iter()
        .filter_map(|hit| Some((hit.enclosing?, hit)))
}

/// The calls that make an object and run a definition thereby, whose name they do not say: a constructor, or
/// a field that is set meanwhile.
fn makers(uses: &ReferenceQuery<'_>, target: SymbolId) -> Vec<ReferenceHit> {
    let resolver = &uses.resolver;
    let (symbol, rules) = (resolver.symbol(target), resolver.rules(target.file));
    let is_run = match symbol.kind {
        SymbolKind::Constructor => rules.types_are_hints,
        SymbolKind::Field => rules.fields_are_set_when_made && symbol.signature.contains('='),
        _ => false,
    };
    let owner = resolver.parent(target).filter(|_| is_run);
    let Some(owner) = owner.filter(|owner| resolver.symbol(*owner).kind.has_members()) else {
        return Vec::new();
    };
    let inherits = |heir: &SymbolId| {
        resolver
            .members_of(&[*heir], &symbol.name)
            .contains(&target)
    };
    let heirs = uses.subtypes(&[owner]).into_iter().map(|heir| heir.symbol);
    let made = std::iter::once(owner).chain(heirs.filter(inherits));
    let hits = made.flat_map(|made| uses.callers(made));
    hits.filter(|hit| hit.kind == ReferenceKind::Call).collect()
}

/// `module.exports = { … }` passes on what it lists.
fn is_export_list(uses: &ReferenceQuery<'_>, id: SymbolId) -> bool {
    let symbol = uses.resolver.symbol(id);
    symbol.kind == SymbolKind::Constant && symbol.qualified == "module.exports"
}

fn by_rank(
    uses: &ReferenceQuery<'_>,
    ranks: &SymbolRanks,
    left: SymbolId,
    right: SymbolId,
) -> std::cmp::Ordering {
    let place = |id: SymbolId| {
        let line = uses.resolver.symbol(id).name_line;
        (uses.resolver.files[id.file as usize].path, line)
    };
    let by_rank = ranks.get(right).total_cmp(&ranks.get(left));
    by_rank.then_with(|| place(left).cmp(&place(right)))
}

/// Doubt that a chain may gather: two steps by name alone, or one whose name several definitions bear.
/// More than that is a tale.
const MAX_DOUBT: u32 = 2;

/// What a way costs: doubt first, then steps through tests and examples, then steps.
type Cost = (u32, u32, u32);

/// Returns the surest chains of uses from a definition to another, at most `limit` of one cost.
///
/// Certain uses come before guesses, then shipped code before tests and examples, then the shortest
/// way; a chain that rests on more than two guesses is none. A type starts wherever one of its members
/// does, and a use of a member may lead on to what overrides or implements it. Empty when there is no way. O(uses of all that reaches the end).
pub fn call_path(
    uses: &ReferenceQuery<'_>,
    from: &[SymbolId],
    to: &[SymbolId],
    limit: usize,
) -> Vec<Vec<PathStep>> {
    let known = |ids: &[SymbolId]| -> Vec<SymbolId> {
        let known = ids.iter().filter(|id| uses.has(**id));
        known.flat_map(|id| uses.same(*id)).collect()
    };
    let (from, to) = (known(from), known(to));
    let starts = |symbol: SymbolId| around(uses, symbol).any(|id| from.contains(&id));
    let mut steps = Steps::default();
    let mut costs: HashMap<SymbolId, Cost> = HashMap::new();
    let mut open: BinaryHeap<Reverse<(Cost, SymbolId)>> = BinaryHeap::new();
    open.extend(to.iter().map(|id| Reverse(((0, 0, 0), *id))));
    let mut walked: HashSet<SymbolId> = HashSet::new();
    let mut best: Option<Cost> = None;
    while let Some(Reverse((so_far, target))) = open.pop() {
        if best.is_some_and(|best| so_far >= best) {
            break;
        }
        if !walked.insert(target) {
            continue;
        }
        for (symbol, use_of) in leading_to(uses, target) {
            let cost = cost_of(uses, so_far, symbol, use_of.1);
            let known = costs.get(&symbol).copied();
            if cost.0 > MAX_DOUBT || known.is_some_and(|known| known < cost) {
                continue;
            }
            if known != Some(cost) {
                steps.forget(symbol);
                costs.insert(symbol, cost);
                open.push(Reverse((cost, symbol)));
            }
            steps.add(symbol, target, use_of);
            if starts(symbol) {
                best = Some(best.map_or(cost, |best| best.min(cost)));
            }
        }
    }
    let is_best = |id: &SymbolId| best.is_some() && costs.get(id).copied() == best;
    let mut ends: Vec<SymbolId> = costs.keys().copied().filter(|id| is_best(id)).collect();
    ends.retain(|id| starts(*id));
    ends.sort_unstable();
    steps.paths(&ends, &to, limit)
}

/// What a chain costs when a use is put before it.
fn cost_of(
    uses: &ReferenceQuery<'_>,
    so_far: Cost,
    user: SymbolId,
    confidence: Confidence,
) -> Cost {
    let doubt = match confidence {
        Confidence::Precise
        | Confidence::Resolved
        | Confidence::Observed
        | Confidence::Possible => 0,
        Confidence::NameOnly => 1,
        Confidence::Ambiguous => 2,
    };
    let is_non_production = uses.resolver.table.is_non_production(user.file);
    (
        so_far.0 + doubt,
        so_far.1 + u32::from(is_non_production),
        so_far.2 + 1,
    )
}

/// Who leads to a definition: its users, and the members that it stands in for.
fn leading_to(uses: &ReferenceQuery<'_>, target: SymbolId) -> Vec<(SymbolId, UseOf)> {
    let direct = callers_of(uses, target).map(|(id, hit)| (id, (line_of(&hit), hit.confidence)));
    let bases = uses.overridden(&[target]).into_iter();
    let bases = bases.map(|base| (base.symbol, (None, Confidence::Possible)));
    direct.chain(bases).collect()
}

/// A call that was seen need not have a line.
fn line_of(hit: &ReferenceHit) -> Option<u32> {
    (hit.line > 0).then_some(hit.line)
}

/// The line of a use, none where a base's member leads to what overrides it, and how sure it is.
type UseOf = (Option<u32>, Confidence);

/// What each definition on a shortest way uses next.
#[derive(Default)]
struct Steps(HashMap<SymbolId, BTreeMap<SymbolId, UseOf>>);

impl Steps {
    /// A cheaper way was found.
    fn forget(&mut self, from: SymbolId) {
        self.0.remove(&from);
    }

    fn add(&mut self, from: SymbolId, to: SymbolId, use_of: UseOf) {
        let next = self.0.entry(from).or_default();
        next.entry(to).or_insert(use_of);
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
                    .map(|(to, (line, sure))| (*to, with(step(*line, *sure)))),
            );
        }
        found
    }
}
