//! Doubts about a type by its members: those that are used without its name, values that are made by number or
//! name.

use whyrank_syntax::{ReferenceKind, SymbolKind};

use crate::{
    analysis::proof::Proof,
    input::files::SymbolId,
    languages::visibility::says,
    references::{
        find_references::{Confidence, ReferenceHit},
        reference_query::ReferenceQuery,
    },
};

/// Names that give all values of an enumeration, or one by its text.
const GIVE_VALUES: [&str; 9] = [
    "entries",
    "enumValueOf",
    "enumValues",
    "valueOf",
    "values",
    "GetNames",
    "GetValues",
    "Parse",
    "TryParse",
];

impl Proof<'_, '_> {
    /// How what is used of a type, an extension or an `impl` block uses the whole, which nobody names.
    pub(crate) fn way_through_members(&self, id: SymbolId) -> Option<String> {
        let resolver = &self.uses.resolver;
        if resolver.symbol(id).kind != SymbolKind::Impl {
            let mut members = inside(self.uses, id);
            let used = members.find(|member| !self.outer_hits(id, *member).is_empty())?;
            return Some(format!(
                "its member `{}` is used",
                resolver.symbol(used).name
            ));
        }
        let symbols = (0u32..).zip(resolver.files[id.file as usize].symbols());
        let mut members = symbols.filter(|(_, symbol)| symbol.parent == Some(id.symbol));
        let (_, used) = members.find(|(symbol, _)| {
            let member = SymbolId {
                file: id.file,
                symbol: *symbol,
            };
            !self.uses.settled(&[member]).is_empty()
        })?;
        Some(format!("its member `{}` is used", used.name))
    }

    /// The uses of a member from outside of its type: who imports the member names the type nowhere. Where an
    /// object stands before the member, the type has to be certain.
    pub(super) fn outer_hits(&self, owner: SymbolId, member: SymbolId) -> Vec<ReferenceHit> {
        let symbol = self.uses.resolver.symbol(member);
        let is_of_type = says(symbol, "static")
            || matches!(symbol.kind, SymbolKind::EnumMember | SymbolKind::Constant);
        let mut hits = self.uses.settled(&[member]);
        hits.retain(|hit| {
            let is_told = is_of_type && hit.confidence != Confidence::Ambiguous;
            (is_told || hit.confidence.is_certain()) && !self.uses.lies_in(hit, &[owner])
        });
        hits
    }

    /// How a member of an enumeration may be meant without its name: by its number or its text, where values are
    /// made of these.
    pub(super) fn by_enumeration(&self, id: SymbolId) -> Option<String> {
        let resolver = &self.uses.resolver;
        let owner = resolver.parent(id)?;
        let is_member = resolver.symbol(id).kind == SymbolKind::EnumMember;
        if !is_member || !resolver.rules(id.file).private_is_final {
            return None;
        }
        let hits = self.uses.all(&[owner]);
        let gives_values = |hit: &ReferenceHit| {
            let references = &resolver.files[hit.file as usize].facts().references;
            let first = references.partition_point(|reference| reference.line < hit.line);
            let here = references[first..].iter();
            let mut here = here.take_while(|reference| reference.line == hit.line);
            here.any(|reference| GIVE_VALUES.contains(&reference.name.as_str()))
        };
        let is_made = |hit: &ReferenceHit| {
            let kinds = [ReferenceKind::Type, ReferenceKind::Inherit];
            kinds.contains(&hit.kind) || gives_values(hit)
        };
        let may_be = self.roots.is_hooked(self.uses, owner) || hits.iter().any(is_made);
        may_be.then(|| {
            let name = &resolver.symbol(owner).name;
            format!("a value of `{name}` may be made of its number or its name")
        })
    }
}

/// The definitions that stand in a type, whatever they stand in there.
pub(super) fn inside<'q>(
    uses: &'q ReferenceQuery<'_>,
    owner: SymbolId,
) -> impl Iterator<Item = SymbolId> + 'q {
    let symbols = uses.resolver.files[owner.file as usize].symbols();
    let around = uses.resolver.symbol(owner);
    let is_type = around.kind.has_members() && around.kind != SymbolKind::Impl;
    let behind = symbols.get(owner.symbol as usize + 1..).unwrap_or_default();
    let inside = behind
        .iter()
        .take_while(move |symbol| symbol.span.start_byte < around.span.end_byte);
    let numbers = (owner.symbol + 1..).zip(inside).filter(move |_| is_type);
    numbers.map(move |(symbol, _)| SymbolId {
        file: owner.file,
        symbol,
    })
}
