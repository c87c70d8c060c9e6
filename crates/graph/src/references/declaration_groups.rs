//! Groups overloads, declarations with their bodies, and parts of one method: each group is one to its users.

use whyrank_syntax::{Symbol, SymbolKind};

use crate::{input::files::SymbolId, languages::visibility::says, resolution::resolver::Resolver};

/// The definitions with the qualified name of one, itself among them: all that can be one with it.
pub(crate) fn namesakes_of(resolver: &Resolver<'_>, id: SymbolId) -> Vec<SymbolId> {
    let symbol = resolver.symbol(id);
    let rules = resolver.rules[id.file as usize];
    let key_of = |other: SymbolId| {
        let rules = resolver.rules[other.file as usize];
        Some((rules, resolver.symbol(other).qualified.as_str()))
    };
    let key = (rules, symbol.qualified.as_str());
    resolver.sharing(&symbol.name, |known| &known.qualified, key_of, &key)
}

/// Says whether two definitions are one to their users: overloads, a declaration and its body.
pub(crate) fn is_same(resolver: &Resolver<'_>, left: SymbolId, right: SymbolId) -> bool {
    let (a, b) = (resolver.symbol(left), resolver.symbol(right));
    let rules = resolver.rules[left.file as usize];
    if a.qualified != b.qualified || rules != resolver.rules[right.file as usize] {
        return false;
    }
    // The tag of a `struct` is no function of that name.
    if rules.types_have_tags && a.kind.has_members() != b.kind.has_members() {
        return false;
    }
    if left.file == right.file {
        let is_field = |symbol: &Symbol| symbol.kind == SymbolKind::Field;
        return a.parent == b.parent && is_field(a) == is_field(b);
    }
    (rules.joins_files)(resolver, left, right)
}

/// Says whether two overloads stand in one type, and are not one by their heads.
pub(crate) fn is_beside(resolver: &Resolver<'_>, left: SymbolId, right: SymbolId) -> bool {
    let is_part = |id| says(resolver.symbol(id), "partial");
    left != right && left.file == right.file && !(is_part(left) && is_part(right))
}
