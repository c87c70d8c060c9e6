//! Heritage that heads state: `class A(B)`, `impl T for X`, `include M`.

use rustc_hash::FxHashMap;
use whyrank_syntax::{ReferenceKind, Symbol, SymbolKind};

use super::{Descent, Gathered, Tie, is_type_node};
use crate::{
    input::{family::Family, files::SymbolId},
    references::{
        reference_index::{FileUses, Target, UseEdge},
        reference_query::ReferenceQuery,
    },
};

/// A base by its name alone leads nowhere when more types bear the name.
const MAX_NAMESAKES: usize = 4;

/// Heads are kept up to this many characters.
const MAX_HEAD: usize = 200;

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
        if uses.resolver.family(file).rules().heads_name_outer_types {
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
    let family = uses.resolver.family(edge.file);
    let symbol = uses.resolver.symbol(around);
    let named;
    let (bases, is_certain): (&[SymbolId], bool) = match &edge.target {
        Target::Definition(id) => (std::slice::from_ref(id), true),
        Target::Name(name) => {
            named = namesakes(uses, family, name);
            (&named, false)
        }
    };
    for base in bases {
        let meant = uses.resolver.symbol(*base);
        if !is_type_node(meant.kind) || !is_base(family, symbol, &meant.name) {
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

fn namesakes(uses: &ReferenceQuery<'_>, family: Family, name: &str) -> Vec<SymbolId> {
    let family_of = |id: SymbolId| {
        is_type_node(uses.resolver.symbol(id).kind).then(|| uses.resolver.family(id.file))
    };
    let few = |found: &[SymbolId]| match found.len() <= MAX_NAMESAKES {
        true => found.to_vec(),
        false => Vec::new(),
    };
    uses.resolver
        .with_sharing(name, |known| &known.heads, family_of, &family, few)
}

fn descent(base: SymbolKind, heir: SymbolKind) -> Descent {
    let is_promise = |kind| matches!(kind, SymbolKind::Interface | SymbolKind::Trait);
    if is_promise(base) && !is_promise(heir) {
        Descent::Implements
    } else {
        Descent::Extends
    }
}

/// Whether a name in the heritage of a definition is a base of it: not the bound of a parameter.
fn is_base(family: Family, around: &Symbol, name: &str) -> bool {
    match (family, around.kind) {
        (Family::Rust, SymbolKind::Impl) => {
            trait_of(&around.signature).is_none_or(|stated| stated == name)
        }
        (Family::Rust, SymbolKind::Trait) => supertraits(&around.signature)
            .is_none_or(|heads| heads.split('+').any(|head| last_name(head) == name)),
        (Family::Rust, _) => false,
        (Family::Go, kind) => is_type_node(kind) && !is_constraint(around, name),
        _ => true,
    }
}

/// Go: a name in a union of types (`~int | Name`) is no embedded interface.
fn is_constraint(around: &Symbol, name: &str) -> bool {
    around.kind == SymbolKind::Interface
        && around.signature.split(['{', ';', '\n']).any(|part| {
            let is_union = part.contains('|') || part.contains('~');
            is_union
                && part
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .any(|word| word == name)
        })
}

/// The trait of `impl<…> path::Trait<…> for Type`, empty for a block without one; none where the head
/// is cut before it says.
fn trait_of(head: &str) -> Option<&str> {
    let rest = head.strip_prefix("unsafe ").unwrap_or(head);
    let rest = after_parameters(rest.strip_prefix("impl")?)?;
    match rest.find(" for ") {
        Some(end) => Some(last_name(&rest[..end])),
        // A block of the type's own, unless the head was cut before its trait ends.
        None => (head.chars().count() < MAX_HEAD).then_some(""),
    }
}

/// What is between the colon of `trait Name<…>: A + B` and its `where`.
fn supertraits(head: &str) -> Option<&str> {
    let (_, rest) = head.split_once("trait ")?;
    let at = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    let rest = after_parameters(&rest[at..])?.trim_start();
    let Some(rest) = rest.strip_prefix(':') else {
        return Some("");
    };
    Some(rest.split(" where ").next().unwrap_or(rest))
}

/// What follows `<…>`, or all where nothing opens; none where the brackets do not close.
fn after_parameters(text: &str) -> Option<&str> {
    let text = text.trim_start();
    if !text.starts_with('<') {
        return Some(text);
    }
    let mut depth = 0u32;
    let mut last = ' ';
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            // `->` closes nothing.
            '>' if last != '-' => {
                depth -= 1;
                if depth == 0 {
                    return Some(&text[at + 1..]);
                }
            }
            _ => {}
        }
        last = c;
    }
    None
}

/// The last name of a path, without parameters.
fn last_name(path: &str) -> &str {
    let plain = path.split(['<', '(']).next().unwrap_or(path).trim();
    let plain = plain.trim_start_matches(['!', '?', '~']);
    plain.rsplit(['.', ':', ' ']).next().unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::{supertraits, trait_of};

    #[test]
    fn heads_of_rust_tell_their_traits() {
        for (head, expected) in [
            ("impl Display for A", Some("Display")),
            (
                "impl<T: Into<B>> a::From<T> for C<T> where T: D",
                Some("From"),
            ),
            ("unsafe impl Send for A", Some("Send")),
            ("impl<F> A for F where F: Fn(&str) -> B", Some("A")),
            ("impl<S> A<S> where S: B", Some("")),
            ("impl<T: Into<B>, U", None),
        ] {
            assert_eq!(trait_of(head), expected, "{head}");
        }
        assert_eq!(
            supertraits("pub trait A<T: X>: B + c::D<E> where T: Y"),
            Some(" B + c::D<E>")
        );
        assert_eq!(supertraits("trait A"), Some(""));
    }
}
