//! Bases that are not of the view: what they may ask of the members of their heirs.

use std::collections::HashSet;

use whyrank_syntax::{Symbol, SymbolKind, name_rules};

use crate::{
    analysis::proof::Proof,
    input::files::SymbolId,
    languages::visibility::{is_private_member, says},
    resolution::{resolver::Resolution, signatures},
};

impl Proof<'_, '_> {
    /// A member may do what a base from outside asks for.
    pub(super) fn by_bases(&self, id: SymbolId, owner: SymbolId) -> Option<String> {
        let resolver = &self.uses.resolver;
        let around = resolver.symbol(owner);
        let name = resolver.symbol(id).name.as_str();
        let (kind, rules) = (resolver.symbol(id).kind, resolver.rules(id.file));
        let is_constant = kind == SymbolKind::Constant && rules.constants_are_overridden;
        let language = resolver.files[id.file as usize].language;
        let is_type = kind.names_type() && name_rules(language).bases_ask_for_types;
        let is_overridden = (kind.is_member() || is_constant || is_type)
            && around.kind.has_members()
            && rules.members_are_overridden;
        let is_own = kind == SymbolKind::EnumMember
            || rules.private_is_own && says(resolver.symbol(id), "private");
        let is_seen = !is_own
            && !is_private_member(resolver, id)
            && !(rules.is_of_type_alone)(resolver.symbol(id))
            && (rules.may_fulfil)(resolver, id);
        let asks =
            || self.inherits_unknown(owner, name, &mut HashSet::new()) || self.opens_base(owner);
        let what = match (is_constant, is_type) {
            (true, _) => "constant",
            (_, true) => "type",
            _ => "method",
        };
        let name = &around.name;
        (is_overridden && is_seen && asks())
            .then(|| format!("may override a {what} of what `{name}` inherits from"))
    }

    /// Says whether a type has a base, at any distance, that is not a type of the view.
    fn inherits_unknown(&self, owner: SymbolId, name: &str, seen: &mut HashSet<SymbolId>) -> bool {
        let resolver = &self.uses.resolver;
        let symbol = resolver.symbol(owner);
        let (bases, external) = resolver.bases(owner, 0);
        let external = external && !self.has_plain_bases(owner, name);
        let takes_parameters = resolver.rules(owner.file).classes_take_parameters;
        let says_bases = || says_bases(symbol, takes_parameters);
        let is_type = |id: &SymbolId| resolver.symbol(*id).kind.has_members();
        external
            || !bases.iter().all(is_type)
            || bases.is_empty() && says_bases() && !self.has_plain_bases(owner, name)
            || bases
                .into_iter()
                .chain(resolver.opened_types(owner))
                .any(|base| seen.insert(base) && self.inherits_unknown(base, name, seen))
    }

    /// Says whether all bases of a type that are not of the view are ones that call no member by its name.
    fn has_plain_bases(&self, owner: SymbolId, name: &str) -> bool {
        let resolver = &self.uses.resolver;
        let plain = resolver.rules(owner.file).plain_bases;
        let bases = resolver.scope(owner.file).inherits.get(&owner.symbol);
        let mut bases = bases.into_iter().flatten().copied().peekable();
        let is_special = name.starts_with('_') && name.ends_with('_');
        !is_special
            && bases.peek().is_some()
            && bases.all(|base| {
                plain.contains(&base.name.as_str()) || {
                    let meaning = self.meaning(owner.file, base);
                    let is_own = |ids: &[SymbolId]| {
                        !ids.is_empty() && !ids.iter().any(|id| resolver.opens_foreign(*id))
                    };
                    matches!(&*meaning, Resolution::Definitions(ids) if is_own(ids))
                }
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

/// Says whether the head of a type names something behind it: `class A(B[C]):`, `class A : B`.
fn says_bases(symbol: &Symbol, takes_parameters: bool) -> bool {
    let head = &symbol.signature;
    let Some(start) = head.find(&symbol.name) else {
        return false;
    };
    let mut rest = head[start + symbol.name.len()..].trim_start();
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
