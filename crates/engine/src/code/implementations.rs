//! Who implements, extends and overrides a symbol, and what it implements, extends or overrides itself.

use crate::api::Heir;
use crate::views::LiveView;
use std::collections::HashSet;
use whyrank_graph::{Confidence, ReferenceHit, ReferenceQuery, Relative, SymbolId};
use whyrank_syntax::SymbolKind;

/// Kinds of `refs` that ask for heritage.
const HERITAGE: [&str; 3] = ["implements", "extends", "overrides"];

/// Heirs and bases of the targets, where a kind of heritage was asked for: shipped code first, then
/// nearest first.
pub(crate) fn heritage(
    view: &LiveView,
    uses: &ReferenceQuery<'_>,
    kinds: &[&str],
    targets: &[SymbolId],
) -> Option<(Vec<Heir>, Vec<Heir>)> {
    if !kinds.iter().any(|kind| HERITAGE.contains(kind)) {
        return None;
    }
    let (types, members): (Vec<SymbolId>, Vec<SymbolId>) = targets
        .iter()
        .partition(|id| is_type(view.symbol(**id).kind));
    let types = outermost(uses, types);
    let below = uses
        .subtypes(&types)
        .into_iter()
        .chain(uses.overriding(&members));
    let above = uses
        .supertypes(&types)
        .into_iter()
        .chain(uses.overridden(&members));
    Some((heirs(view, uses, below), heirs(view, uses, above)))
}

/// Of several types of a name those that are no heirs of another: they are what is asked about.
fn outermost(uses: &ReferenceQuery<'_>, types: Vec<SymbolId>) -> Vec<SymbolId> {
    let is_heir = |id: &SymbolId| {
        let bases = uses.supertypes(&[*id]);
        bases.iter().any(|base| types.contains(&base.symbol))
    };
    let outer: Vec<SymbolId> = types.iter().copied().filter(|id| !is_heir(id)).collect();
    if outer.is_empty() { types } else { outer }
}

fn is_type(kind: SymbolKind) -> bool {
    kind.has_members() || matches!(kind, SymbolKind::Module | SymbolKind::Namespace)
}

fn heirs(
    view: &LiveView,
    uses: &ReferenceQuery<'_>,
    relatives: impl Iterator<Item = Relative>,
) -> Vec<Heir> {
    let relatives: Vec<Relative> = relatives.collect();
    let known: HashSet<SymbolId> = relatives.iter().map(|relative| relative.symbol).collect();
    // Of the heads of an overload that share a body the last one has it.
    let has_later = |id: SymbolId| {
        let is_later = |other: &SymbolId| {
            let is_here = other.file == id.file && other.symbol > id.symbol;
            is_here && known.contains(other)
        };
        !is_type(view.symbol(id).kind) && uses.same(id).iter().any(is_later)
    };
    let shown = relatives
        .iter()
        .filter(|relative| !has_later(relative.symbol));
    let mut found: Vec<Heir> = shown.map(|relative| heir(view, uses, relative)).collect();
    found.sort_by(|a, b| {
        let place = |one: &Heir| (one.symbol.path.clone(), one.line, one.symbol.start_line);
        (a.test, a.depth, place(a)).cmp(&(b.test, b.depth, place(b)))
    });
    found
}

fn heir(view: &LiveView, uses: &ReferenceQuery<'_>, relative: &Relative) -> Heir {
    // A type is shown by the block that says so, a member by itself.
    let block = relative
        .block
        .filter(|_| is_type(view.symbol(relative.symbol).kind));
    let shown = block.unwrap_or(relative.symbol);
    let shown = uses.defined_apart(shown).unwrap_or(shown);
    let mut symbol = view.symbol_line(shown);
    if block.is_some() {
        // The head of a block is long; what reads is the type.
        symbol.qualified.clone_from(&symbol.name);
    }
    Heir {
        symbol,
        relation: relative.descent.into(),
        depth: relative.depth,
        certain: relative.is_certain,
        line: relative.line,
        test: view.is_test_code(shown.file, Some(shown)),
    }
}

/// Adds uses of what the targets override or implement, as possible ones; gives these members.
pub(crate) fn add_dispatching(
    view: &LiveView,
    uses: &ReferenceQuery<'_>,
    targets: &[SymbolId],
    hits: &mut Vec<ReferenceHit>,
) -> Vec<Heir> {
    let known: HashSet<(u32, u32)> = hits
        .iter()
        .filter(|hit| hit.confidence <= Confidence::Resolved)
        .map(|hit| (hit.file, hit.line))
        .collect();
    let mut through = Vec::new();
    let mut seen = known.clone();
    for (base, mut found) in uses.dispatching(targets) {
        found.retain(|hit| seen.insert((hit.file, hit.line)));
        if found.is_empty() {
            continue;
        }
        hits.retain(|hit| {
            let is_better = |other: &ReferenceHit| (other.file, other.line) == (hit.file, hit.line);
            hit.confidence <= Confidence::Possible || !found.iter().any(is_better)
        });
        hits.extend(found.into_iter().map(|hit| ReferenceHit {
            confidence: Confidence::Possible,
            ..hit
        }));
        through.push(base);
    }
    heirs(view, uses, through.into_iter())
}
