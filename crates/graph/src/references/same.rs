//! Which definitions are one to their users: overloads, a declaration and its body, parts of one method.

use whyrank_syntax::{Symbol, SymbolKind};

use crate::{
    input::{family::Family, files::SymbolId},
    resolution::resolver::Resolver,
};

/// The definitions with the qualified name of one, itself among them: all that can be one with it.
pub(crate) fn namesakes_of(resolver: &Resolver<'_>, id: SymbolId) -> Vec<SymbolId> {
    let symbol = resolver.symbol(id);
    let family = resolver.families[id.file as usize];
    let key_of = |other: SymbolId| {
        let family = resolver.families[other.file as usize];
        Some((family, resolver.symbol(other).qualified.as_str()))
    };
    let key = (family, symbol.qualified.as_str());
    resolver.sharing(&symbol.name, |known| &known.qualified, key_of, &key)
}

/// Says whether two definitions are one to their users: overloads, a declaration and its body.
pub(crate) fn is_same(resolver: &Resolver<'_>, left: SymbolId, right: SymbolId) -> bool {
    let (a, b) = (resolver.symbol(left), resolver.symbol(right));
    let family = resolver.families[left.file as usize];
    if a.qualified != b.qualified || family != resolver.families[right.file as usize] {
        return false;
    }
    // C: the tag of a `struct` is no function of that name.
    if family == Family::Native && a.kind.has_members() != b.kind.has_members() {
        return false;
    }
    if left.file == right.file {
        let is_field = |symbol: &Symbol| symbol.kind == SymbolKind::Field;
        return a.parent == b.parent && is_field(a) == is_field(b);
    }
    if family == Family::Dotnet {
        let is_part = |symbol: &Symbol| symbol.kind.is_callable() && says(symbol, "partial");
        return is_part(a) && is_part(b);
    }
    family == Family::Native
        && is_declared_apart(a, b)
        && (is_linked(resolver, left, right)
            || resolver.reaches(left.file, right.file)
            || resolver.reaches(right.file, left.file))
}

/// Says whether two overloads stand in one type, and are not one by their heads.
pub(crate) fn is_beside(resolver: &Resolver<'_>, left: SymbolId, right: SymbolId) -> bool {
    let is_part = |id| says(resolver.symbol(id), "partial");
    left != right && left.file == right.file && !(is_part(left) && is_part(right))
}

/// C: says whether a linker joins a prototype that says `extern` with the only body of that name.
fn is_linked(resolver: &Resolver<'_>, left: SymbolId, right: SymbolId) -> bool {
    let is_body = |symbol: &Symbol| {
        symbol.kind == SymbolKind::Function
            && !symbol.signature.ends_with(';')
            && !says(symbol, "static")
    };
    let is_prototype = |symbol: &Symbol| symbol.signature.ends_with(';') && says(symbol, "extern");
    let (a, b) = (resolver.symbol(left), resolver.symbol(right));
    let joins = is_prototype(a) && is_body(b) || is_prototype(b) && is_body(a);
    let named = resolver.table.named(&a.name).iter();
    joins && named.filter(|id| is_body(resolver.symbol(**id))).count() == 1
}

/// Says whether one of two definitions of C may be the declaration of the other; a macro has none, a
/// variable says `extern`.
fn is_declared_apart(a: &Symbol, b: &Symbol) -> bool {
    let is_value =
        |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant);
    let is_extern = |symbol: &Symbol| symbol.signature.contains("extern");
    let is_macro = a.kind == SymbolKind::Macro || b.kind == SymbolKind::Macro;
    !is_macro && (!(is_value(a) && is_value(b)) || is_extern(a) || is_extern(b))
}

/// Says whether a word stands before the name in a head.
fn says(symbol: &Symbol, word: &str) -> bool {
    let words = symbol
        .signature
        .split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut before = words.take_while(|found| *found != symbol.name);
    before.any(|found| found == word)
}
