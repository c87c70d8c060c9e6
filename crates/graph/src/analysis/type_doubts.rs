//! What a type has to do with the doubts about its members, and they with those about it: bases that ask for
//! members, members that are used without their type.

use std::collections::HashSet;

use whyrank_syntax::{ReferenceKind, Symbol, SymbolKind, name_rules};

use crate::{
    analysis::proof::Proof,
    input::files::SymbolId,
    languages::visibility::{is_private_member, says},
    references::{
        find_references::{Confidence, ReferenceHit},
        reference_query::ReferenceQuery,
    },
    resolution::signatures,
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

    /// A member may do what a base from outside asks for.
    pub(super) fn by_bases(&self, id: SymbolId, owner: SymbolId) -> Option<String> {
        let resolver = &self.uses.resolver;
        let around = resolver.symbol(owner);
        let (kind, rules) = (resolver.symbol(id).kind, resolver.rules(id.file));
        let is_constant = kind == SymbolKind::Constant && rules.constants_are_overridden;
        let language = resolver.files[id.file as usize].language;
        let is_type = kind.names_type() && name_rules(language).bases_ask_for_types;
        let is_overridden = (kind.is_member() || is_constant || is_type)
            && around.kind.has_members()
            && rules.members_are_overridden
            && !is_private_member(resolver, id)
            && (rules.may_fulfil)(resolver, id);
        let may_be = is_overridden
            && (self.inherits_unknown(owner, &mut HashSet::new()) || self.opens_base(owner));
        let what = match (is_constant, is_type) {
            (true, _) => "constant",
            (_, true) => "type",
            _ => "method",
        };
        let name = &around.name;
        may_be.then(|| format!("may override a {what} of what `{name}` inherits from"))
    }

    /// Says whether a type has a base, at any distance, that is not a type of the view.
    fn inherits_unknown(&self, owner: SymbolId, seen: &mut HashSet<SymbolId>) -> bool {
        let resolver = &self.uses.resolver;
        let symbol = resolver.symbol(owner);
        let (bases, external) = resolver.bases(owner, 0);
        let takes_parameters = resolver.rules(owner.file).classes_take_parameters;
        let is_type = |id: &SymbolId| resolver.symbol(*id).kind.has_members();
        external
            || !bases.iter().all(is_type)
            || bases.is_empty() && says_bases(symbol, takes_parameters)
            || bases
                .into_iter()
                .chain(resolver.opened_types(owner))
                .any(|base| seen.insert(base) && self.inherits_unknown(base, seen))
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

    /// A framework finds classes by what they inherit from.
    pub(super) fn found_by_base(&self, id: SymbolId) -> Option<String> {
        let resolver = &self.uses.resolver;
        let symbol = resolver.symbol(id);
        let rules = resolver.rules(id.file);
        if symbol.kind != SymbolKind::Class || !rules.classes_are_found_by_base {
            return None;
        }
        let plain = [
            "object",
            "ABC",
            "Protocol",
            "Generic",
            "NamedTuple",
            "TypedDict",
        ];
        let is_plain = |name: &str| {
            plain.contains(&name)
                || name.ends_with("Exception")
                || name.ends_with("Error")
                || name.ends_with("Enum")
        };
        let scope = resolver.scope(id.file);
        let mut bases = scope.inherits.get(&id.symbol).into_iter().flatten();
        let base = bases.find(|base| !is_plain(&base.name))?;
        Some(format!("may be found as a `{}`", base.name))
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

/// Whether the head of a type names something behind it: `class A(B[C]):`, `class A : B`.
fn says_bases(symbol: &Symbol, takes_parameters: bool) -> bool {
    let head = &symbol.signature;
    let Some(at) = head.find(&symbol.name) else {
        return false;
    };
    let mut rest = head[at + symbol.name.len()..].trim_start();
    let behind = |list: &'_ str| signatures::closing(list).map(|end| end + 1);
    if rest.starts_with(['<', '[']) {
        // Ruby's `<` is never closed.
        let Some(end) = behind(rest) else { return true };
        rest = rest[end..].trim_start();
    }
    if takes_parameters {
        let (_, parameters) = rest.split_once("constructor").unwrap_or(("", rest));
        let parameters = parameters.trim_start();
        if parameters.starts_with('(') {
            let Some(end) = behind(parameters) else {
                return true;
            };
            rest = parameters[end..].trim_start();
        }
    }
    let words = ["extends", "implements"];
    match rest.strip_prefix('(') {
        // Python's bases.
        Some(inside) => !inside.starts_with(')') || inside.contains(':'),
        None => rest.starts_with(':') || words.iter().any(|word| rest.contains(word)),
    }
}
