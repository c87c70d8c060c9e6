//! Doubts about a type by its members: those that are used without its name, values that are made by number or
//! name.

use whyrank_syntax::{Reference, ReferenceKind, SymbolKind};

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
const GIVE_VALUES: [&str; 15] = [
    "allCases",
    "byName",
    "cases",
    "entries",
    "enumValueOf",
    "enumValues",
    "from",
    "tryFrom",
    "valueOf",
    "values",
    "withName",
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
    /// made of these, or because all members are gone through.
    pub(super) fn by_enumeration(&self, id: SymbolId) -> Option<String> {
        let resolver = &self.uses.resolver;
        let owner = resolver.parent(id)?;
        if !self.is_enumerated(id, owner) {
            return None;
        }
        let name = &resolver.symbol(owner).name;
        let converts = resolver.rules(id.file).enums_convert;
        let is_made = |hit: &ReferenceHit| match hit.kind {
            ReferenceKind::Type | ReferenceKind::Inherit => converts,
            ReferenceKind::Import | ReferenceKind::ReExport | ReferenceKind::Mention => false,
            _ => self.is_whole(hit, name),
        };
        let hits = self.uses.all(&[owner]);
        let may_be = self.roots.is_hooked(self.uses, owner)
            || hits
                .iter()
                .any(|hit| is_made(hit) || self.gives_values(hit));
        may_be.then(|| format!("a value of `{name}` may be made of its number or its name"))
    }

    /// Says whether a definition is a member of an enumeration: by its kind, or by what its class inherits from.
    fn is_enumerated(&self, id: SymbolId, owner: SymbolId) -> bool {
        let resolver = &self.uses.resolver;
        let kind = resolver.symbol(id).kind;
        let ends = resolver.rules(id.file).enum_bases;
        let head = || resolver.symbol(owner).signature.split_once('(');
        let inherits = || {
            head().is_some_and(|(_, bases)| {
                let mut bases = bases.split([',', ')']);
                bases.any(|base| ends.iter().any(|end| base.trim().ends_with(end)))
            })
        };
        kind == SymbolKind::EnumMember
            || matches!(kind, SymbolKind::Constant | SymbolKind::Field) && inherits()
    }

    /// Says whether the use of an enumeration gives values of it by a function of the language.
    fn gives_values(&self, hit: &ReferenceHit) -> bool {
        let mut here = self.of_line(hit);
        here.any(|reference| GIVE_VALUES.contains(&reference.name.as_str()))
    }

    /// Says whether a type is used as a value by itself, and not to name a member of it: it is called, gone
    /// through, or handed over.
    fn is_whole(&self, hit: &ReferenceHit, name: &str) -> bool {
        let of_type = |qualifier: &str| {
            qualifier
                .strip_suffix(name)
                .is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        let as_value = |one: &&Reference| {
            one.name == name && !matches!(one.kind, ReferenceKind::Type | ReferenceKind::Inherit)
        };
        let n_named = self.of_line(hit).filter(as_value).count();
        let n_before = self.of_line(hit).filter(|one| of_type(&one.qualifier));
        n_named > n_before.count()
    }

    fn of_line(&self, hit: &ReferenceHit) -> impl Iterator<Item = &Reference> {
        let references = &self.uses.resolver.files[hit.file as usize]
            .facts()
            .references;
        let first = references.partition_point(|reference| reference.line < hit.line);
        let line = hit.line;
        let here = references[first..].iter();
        here.take_while(move |reference| reference.line == line)
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
