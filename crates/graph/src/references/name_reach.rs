//! The reach of a name: who can name a private member, and which name calls a setter.

use whyrank_syntax::SymbolKind;

use crate::{input::files::SymbolId, languages::visibility::says, resolution::resolver::Resolver};

/// Says whether a place cannot name private definitions of a type: it lies in another type, which no trait is, and no
/// closure there can be bound to their own, as its file does not name that.
pub(crate) fn is_out_of_reach(
    resolver: &Resolver<'_>,
    own: SymbolId,
    file: u32,
    enclosing: Option<u32>,
    names_type: &dyn Fn(SymbolId) -> bool,
) -> bool {
    let first = enclosing.map(|symbol| SymbolId { file, symbol });
    let mut around = std::iter::successors(first, |id| resolver.parent(*id));
    let holder = around.find(|id| resolver.symbol(*id).kind.has_members());
    match holder {
        Some(holder) if holder == own => false,
        Some(holder) if resolver.symbol(holder).kind == SymbolKind::Trait => false,
        Some(_) => !names_type(own),
        None => file != own.file && !names_type(own),
    }
}

/// The name whose setting calls a definition.
pub(super) fn set_name<'a>(resolver: &Resolver<'a>, id: SymbolId) -> Option<&'a str> {
    let rules = resolver.rules[id.file as usize];
    let name = resolver.symbol(id).name.strip_suffix('=')?;
    let is_name = name.ends_with(|char: char| char.is_alphanumeric() || char == '_');
    (rules.setters_have_names && is_name).then_some(name)
}

/// The type whose code alone can name these definitions.
pub(super) fn own_type(resolver: &Resolver<'_>, ids: &[SymbolId]) -> Option<SymbolId> {
    let own = |id: SymbolId| {
        let rules = resolver.rules[id.file as usize];
        let owner = resolver.owner_of_member(id)?;
        let is_own = rules.private_is_own
            && says(resolver.symbol(id), "private")
            && resolver.symbol(owner).kind != SymbolKind::Trait;
        is_own.then_some(owner)
    };
    let first = own(*ids.first()?)?;
    ids.iter()
        .all(|id| own(*id) == Some(first))
        .then_some(first)
}
