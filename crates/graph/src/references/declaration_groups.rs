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
    if resolver.arity(left) != resolver.arity(right) {
        return false;
    }
    if rules.kinds_are_apart && kind_apart(a.kind) != kind_apart(b.kind) {
        return false;
    }
    if left.file == right.file {
        let is_field = |symbol: &Symbol| symbol.kind == SymbolKind::Field;
        let parent = resolver.parent(left);
        let in_type = parent.is_some_and(|parent| resolver.symbol(parent).kind.has_members());
        // The method of an object is no function beside it.
        let are_apart = !in_type && a.kind.is_member() != b.kind.is_member();
        let is_part = |symbol: &Symbol| symbol.kind.is_callable() && says(symbol, "partial");
        let are_beside = a.parent == b.parent && is_field(a) == is_field(b) && !are_apart;
        return are_beside || is_part(a) && is_part(b);
    }
    (rules.joins_files)(resolver, left, right)
}

/// The kind of definitions of one name that uses tell from others: a type, a function, a property, a constant.
fn kind_apart(kind: SymbolKind) -> u8 {
    match kind {
        _ if kind.has_members() => 0,
        _ if kind.is_callable() => 1,
        SymbolKind::Field | SymbolKind::Property | SymbolKind::Variable => 2,
        _ => 3,
    }
}

/// Says whether a call chooses between two functions of one qualified name, which are not one by their heads.
pub(crate) fn is_beside(resolver: &Resolver<'_>, left: SymbolId, right: SymbolId) -> bool {
    let says_both = |word: &str| {
        let mut both = [left, right].into_iter();
        both.all(|id| says(resolver.symbol(id), word))
    };
    let is_of_platform = |id| {
        let symbol = resolver.symbol(id);
        says(symbol, "expect") || says(symbol, "actual")
    };
    let stand_together = || {
        left.file == right.file
            || (resolver.rules(left.file).types_are_reopened
                || resolver.same_package(left.file, right.file))
                && !is_of_platform(left)
                && !is_of_platform(right)
    };
    left != right
        && resolver.is_overload(left)
        && resolver.is_overload(right)
        && stand_together()
        && !says_both("partial")
        && !resolver.take_the_same(left, right)
}
