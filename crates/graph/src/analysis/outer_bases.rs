//! Bases that are not of the view: what they may ask of the members of their heirs.

use std::collections::HashSet;

use whyrank_syntax::{Symbol, SymbolKind};

use crate::{analysis::doubt::Proof, input::files::SymbolId, resolution::resolver::Resolution};

impl Proof<'_, '_> {
    /// A member may do what a base from outside asks for.
    pub(super) fn by_bases(&self, id: SymbolId, owner: SymbolId) -> Option<String> {
        let resolver = &self.uses.resolver;
        let around = resolver.symbol(owner);
        let name = resolver.symbol(id).name.as_str();
        let (kind, rules) = (resolver.symbol(id).kind, resolver.rules(id.file));
        let is_constant = kind == SymbolKind::Constant && rules.constants_are_overridden;
        let is_overridden = (kind.is_member() || is_constant)
            && around.kind.has_members()
            && rules.members_are_overridden;
        let may_be = is_overridden
            && !(rules.is_of_type_alone)(resolver.symbol(id))
            && self.inherits_unknown(owner, name, &mut HashSet::new());
        may_be.then(|| {
            let (name, what) = (
                &around.name,
                if is_constant { "constant" } else { "method" },
            );
            format!("may override a {what} of what `{name}` inherits from")
        })
    }

    /// Says whether a type has a base, at any distance, that is not a type of the view.
    fn inherits_unknown(&self, owner: SymbolId, name: &str, seen: &mut HashSet<SymbolId>) -> bool {
        let resolver = &self.uses.resolver;
        let symbol = resolver.symbol(owner);
        let (bases, external) = resolver.bases(owner, 0);
        let external = external && !self.has_plain_bases(owner, name);
        let is_type = |id: &SymbolId| resolver.symbol(*id).kind.has_members();
        external
            || !bases.iter().all(is_type)
            || bases.is_empty() && says_bases(symbol) && !self.has_plain_bases(owner, name)
            || bases
                .into_iter()
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
                    matches!(&*meaning, Resolution::Definitions(ids) if !ids.is_empty())
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

/// Says whether the head of a type names something behind it: `class A(B[C]):`, `class A : B`, `class A < B`.
fn says_bases(symbol: &Symbol) -> bool {
    let head = &symbol.signature;
    let Some(at) = head.find(&symbol.name) else {
        return false;
    };
    let rest = &head[at + symbol.name.len()..];
    let rest = behind_parameters(rest).trim_start();
    let words = ["extends", "implements"];
    match rest.strip_prefix('(') {
        // Kotlin's constructor, Python's bases.
        Some(inside) => !inside.starts_with(')') || inside.contains(':'),
        None => rest.starts_with([':', '<']) || words.iter().any(|word| rest.contains(word)),
    }
}

/// The rest of a head behind the parameters of its type: ` extends B` of `<T extends A<U>> extends B`.
fn behind_parameters(rest: &str) -> &str {
    if !rest.starts_with(['<', '[']) {
        return rest;
    }
    let mut depth = 0u32;
    let end = rest.char_indices().find_map(|(at, c)| {
        depth += u32::from(matches!(c, '<' | '['));
        let closes = matches!(c, '>' | ']') && !rest[..at].ends_with(['=', '-']);
        depth -= u32::from(closes && depth > 0);
        (depth == 0 && closes).then_some(at + 1)
    });
    end.map_or(rest, |end| &rest[end..])
}
