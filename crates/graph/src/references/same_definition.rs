//! Which definitions are one to those who use them.

use whyrank_syntax::{Symbol, SymbolKind};

use crate::{
    input::{family::Family, files::SymbolId},
    resolution::resolver::Resolver,
};

/// Says whether two definitions are one to their users: overloads, a declaration and its body.
pub(crate) fn is_same(resolver: &Resolver<'_>, left: SymbolId, right: SymbolId) -> bool {
    let (a, b) = (resolver.symbol(left), resolver.symbol(right));
    let family = resolver.families[left.file as usize];
    if a.qualified != b.qualified || family != resolver.families[right.file as usize] {
        return false;
    }
    // C: `struct x` and the function `x` have nothing to do with each other.
    let is_tag = |symbol: &Symbol| family == Family::Native && symbol.kind.has_members();
    if is_tag(a) != is_tag(b) {
        return false;
    }
    if left.file == right.file {
        let is_field = |symbol: &Symbol| symbol.kind == SymbolKind::Field;
        return a.parent == b.parent && is_field(a) == is_field(b);
    }
    family == Family::Native
        && is_declared_apart(a, b)
        && (resolver.reaches(left.file, right.file) || resolver.reaches(right.file, left.file))
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
