//! Heritage that heads state: `class A(B)`, `impl T for X`, `include M`.

use rustc_hash::FxHashMap;
use whyrank_syntax::{ReferenceKind, Symbol, SymbolKind};

use super::{Descent, Gathered, Tie, is_type_node};
use crate::{
    input::files::SymbolId,
    languages::Rules,
    references::{
        reference_query::ReferenceQuery,
        uses::{FileUses, Target, UseEdge},
    },
};

/// A base by its name alone leads nowhere when more types bear the name.
const MAX_NAMESAKES: usize = 4;

/// Adds what the heads of a file's types say.
pub(super) fn stated(uses: &ReferenceQuery<'_>, file: u32, made: &mut Gathered) {
    let known = uses.known.glance(file);
    let edges = known
        .edges(file)
        .filter(|edge| edge.kind == ReferenceKind::Inherit);
    let edges: Vec<UseEdge<'_>> = edges.collect();
    if edges.is_empty() {
        return;
    }
    let types_of_impls = types_of_impls(uses, file, &known);
    let heads = Heads::new(uses, file, &edges);
    for edge in edges.iter().filter(|edge| !heads.is_outer_part(uses, edge)) {
        add(uses, made, &types_of_impls, edge);
    }
}

/// The names of a file's heads, by the definition and line that they stand at.
struct Heads<'e>(FxHashMap<(Option<u32>, u32), Vec<&'e UseEdge<'e>>>);

impl<'e> Heads<'e> {
    fn new(uses: &ReferenceQuery<'_>, file: u32, edges: &'e [UseEdge<'e>]) -> Self {
        let mut heads = Self(FxHashMap::default());
        if uses.resolver.rules(file).heads_name_outer_types {
            for edge in edges {
                let head = heads.0.entry((edge.enclosing, edge.line)).or_default();
                head.push(edge);
            }
        }
        heads
    }

    /// Kotlin, Swift: whether a name in a head is what another in it is a part of (`Outer` of
    /// `Outer.Inner`).
    fn is_outer_part(&self, uses: &ReferenceQuery<'_>, edge: &UseEdge<'_>) -> bool {
        let (Target::Definition(outer), Some(beside)) =
            (edge.target, self.0.get(&(edge.enclosing, edge.line)))
        else {
            return false;
        };
        let is_inner = |id: SymbolId| uses.resolver.parent(id) == Some(outer);
        beside.iter().any(|other| match other.target {
            Target::Definition(id) => is_inner(id),
            Target::Name(name) => {
                let here = uses.resolver.table.named_in(outer.file, name).iter();
                here.copied().any(is_inner)
            }
        })
    }
}

/// The types that the `impl` blocks of a file are for.
fn types_of_impls(
    uses: &ReferenceQuery<'_>,
    file: u32,
    known: &FileUses,
) -> FxHashMap<u32, Vec<SymbolId>> {
    let symbols = uses.resolver.files[file as usize].symbols();
    let is_impl = |symbol: &&Symbol| symbol.kind == SymbolKind::Impl;
    let mut found: FxHashMap<u32, Vec<SymbolId>> = FxHashMap::default();
    if !symbols.iter().any(|symbol| is_impl(&symbol)) {
        return found;
    }
    let mut heads: FxHashMap<u32, Vec<(u32, &Symbol)>> = FxHashMap::default();
    for (at, symbol) in (0u32..).zip(symbols).filter(|(_, symbol)| is_impl(symbol)) {
        heads
            .entry(symbol.name_line)
            .or_default()
            .push((at, symbol));
    }
    for edge in known.edges(file) {
        let Target::Definition(id) = edge.target else {
            continue;
        };
        if edge.kind != ReferenceKind::Type {
            continue;
        }
        for (at, head) in heads.get(&edge.line).into_iter().flatten() {
            let meant = uses.resolver.symbol(id);
            if head.parent == edge.enclosing && is_type_node(meant.kind) && meant.name == head.name
            {
                found.entry(*at).or_default().push(id);
            }
        }
    }
    found
}

fn add(
    uses: &ReferenceQuery<'_>,
    made: &mut Gathered,
    types_of_impls: &FxHashMap<u32, Vec<SymbolId>>,
    edge: &UseEdge<'_>,
) {
    let Some(enclosing) = edge.enclosing else {
        return;
    };
    let around = SymbolId {
        file: edge.file,
        symbol: enclosing,
    };
    let rules = uses.resolver.rules(edge.file);
    let symbol = uses.resolver.symbol(around);
    let named;
    let (bases, is_certain): (&[SymbolId], bool) = match &edge.target {
        Target::Definition(id) => (std::slice::from_ref(id), true),
        Target::Name(name) => {
            named = namesakes(uses, rules, name);
            (&named, false)
        }
    };
    for base in bases {
        let meant = uses.resolver.symbol(*base);
        if !is_type_node(meant.kind) || !(rules.is_base)(symbol, &meant.name) {
            continue;
        }
        let is_block = symbol.kind == SymbolKind::Impl;
        let is_type = is_type_node(symbol.kind);
        let tie = Tie {
            other: *base,
            block: is_block.then_some(around),
            descent: descent(meant.kind, symbol.kind),
            is_certain,
            line: (!is_type && !is_block).then_some(edge.line),
            is_slot: false,
            from: Some(edge.file),
        };
        match types_of_impls.get(&enclosing).filter(|_| is_block) {
            Some(types) => types.iter().for_each(|heir| made.tie(*heir, tie)),
            None => made.tie(around, tie),
        }
    }
}

fn namesakes(uses: &ReferenceQuery<'_>, rules: Rules, name: &str) -> Vec<SymbolId> {
    let family_of = |id: SymbolId| {
        is_type_node(uses.resolver.symbol(id).kind).then(|| uses.resolver.rules(id.file))
    };
    let few = |found: &[SymbolId]| match found.len() <= MAX_NAMESAKES {
        true => found.to_vec(),
        false => Vec::new(),
    };
    uses.resolver
        .with_sharing(name, |known| &known.heads, family_of, &rules, few)
}

fn descent(base: SymbolKind, heir: SymbolKind) -> Descent {
    let is_promise = |kind| matches!(kind, SymbolKind::Interface | SymbolKind::Trait);
    if is_promise(base) && !is_promise(heir) {
        Descent::Implements
    } else {
        Descent::Extends
    }
}
