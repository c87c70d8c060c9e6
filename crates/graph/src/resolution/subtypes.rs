//! Members that what is known of a value does not have: those of its subtypes, the one that all others
//! override, and fields of structs without a name.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use whyrank_syntax::SymbolKind;

use crate::{
    input::files::SymbolId,
    languages::Rules,
    resolution::{
        library_names::is_common,
        resolver::{Resolution, Resolver, UseSite},
        resolver_caches::{FamilyRoot, KnownHeirs, KnownRoot},
    },
    steps,
};

/// A member that so many types have is nobody's by its name.
const MOST_OWNERS: usize = 200;

impl Resolver<'_> {
    /// Structs without a name in one function may share a field's name; the last one before the use is
    /// meant.
    pub(crate) fn nearest_fields(&self, site: UseSite, ids: Vec<SymbolId>) -> Vec<SymbolId> {
        let is_inner = |id: &SymbolId| {
            let in_function = self.parent(*id).is_some_and(|parent| {
                matches!(
                    self.symbol(parent).kind,
                    SymbolKind::Function | SymbolKind::Method
                )
            });
            id.file == site.file && in_function && self.rules(id.file).structs_are_anonymous
        };
        if ids.len() < 2 || !ids.iter().all(is_inner) {
            return ids;
        }
        let line = |id: &SymbolId| self.symbol(*id).name_line;
        let before = ids.iter().copied().filter(|id| line(id) <= site.line);
        before.max_by_key(line).map_or(ids, |nearest| vec![nearest])
    }

    /// A member that the types lack and one of their subtypes has: where a check or a cast narrows the
    /// value, no text says so. Where traits give members, the one trait of the view that has it.
    pub(crate) fn narrowed(&self, ids: &[SymbolId], name: &str, depth: u32) -> Vec<SymbolId> {
        let Some(rules) = ids.first().map(|id| self.rules(id.file)) else {
            return Vec::new();
        };
        let is_type = |id: &SymbolId| self.symbol(*id).kind.has_members();
        if !rules.values_are_narrowed || !ids.iter().all(is_type) {
            return Vec::new();
        }
        self.lookups.anywhere(name);
        let mut found: Vec<(SymbolId, SymbolId)> = match rules.traits_give_members {
            true if is_common(rules, name) => Vec::new(),
            true => {
                let key_of = |id| self.trait_of(id).map(|_| ());
                let members = self.sharing(name, |known| &known.of_traits, key_of, &());
                let owned = members.iter().map(|id| Some((self.trait_of(*id)?, *id)));
                let is_own = |(of, _): &(SymbolId, SymbolId)| self.rules(of.file) == rules;
                owned.flatten().filter(is_own).collect()
            }
            false => {
                let known = self.heirs_with(rules, name, depth);
                self.lookups.again(&known.keys);
                let below = ids.iter().filter_map(|id| known.by_base.get(id));
                below.flatten().copied().collect()
            }
        };
        found.sort_unstable_by_key(|(_, member)| *member);
        found.dedup();
        let is_one = found.windows(2).all(|pair| pair[0].0 == pair[1].0);
        if is_one {
            found.into_iter().map(|(_, member)| member).collect()
        } else {
            Vec::new()
        }
    }

    /// The trait that a method stands in.
    pub(super) fn trait_of(&self, member: SymbolId) -> Option<SymbolId> {
        let is_trait = |id: &SymbolId| self.symbol(*id).kind == SymbolKind::Trait;
        self.parent(member).filter(is_trait)
    }

    /// Says whether a type that inherits from one has a member of a name.
    pub(super) fn has_heir_with(&self, owner: SymbolId, name: &str, depth: u32) -> bool {
        let heirs = self.heirs_with(self.rules(owner.file), name, depth);
        self.lookups.again(&heirs.keys);
        heirs.by_base.contains_key(&owner)
    }

    /// The members of a name by what their owners inherit from; none where very many types have one.
    fn heirs_with(&self, rules: Rules, name: &str, depth: u32) -> Rc<KnownHeirs> {
        let kept = self.known_heirs.borrow();
        if let Some(known) = kept.get(&rules).and_then(|known| known.get(name)) {
            return Rc::clone(known);
        }
        drop(kept);
        let (by_base, keys) = self
            .lookups
            .gathered(|| self.heirs_by_base(rules, name, depth));
        let known = Rc::new(KnownHeirs { by_base, keys });
        let mut kept = self.known_heirs.borrow_mut();
        let of_family = kept.entry(rules).or_default();
        of_family.insert(name.to_owned(), Rc::clone(&known));
        known
    }

    fn heirs_by_base(
        &self,
        rules: Rules,
        name: &str,
        depth: u32,
    ) -> FxHashMap<SymbolId, Vec<(SymbolId, SymbolId)>> {
        let mut by_base: FxHashMap<SymbolId, Vec<(SymbolId, SymbolId)>> = FxHashMap::default();
        let named = self.table.named(name).iter();
        steps::count(named.len());
        let owned = named.filter_map(|member| {
            let is_type =
                |of: &SymbolId| self.rules(of.file) == rules && self.symbol(*of).kind.has_members();
            Some((self.parent(*member).filter(is_type)?, *member))
        });
        let owned: Vec<(SymbolId, SymbolId)> = owned.take(MOST_OWNERS + 1).collect();
        if owned.len() > MOST_OWNERS {
            return by_base;
        }
        for (of, member) in owned {
            for base in self.bases_above(of, depth) {
                by_base.entry(base).or_default().push((of, member));
            }
        }
        by_base
    }

    /// The member that all others of its name in the view override: nothing else can be meant where the
    /// file sees one of their types. In any other file a library's value may have a member of that name.
    pub(crate) fn of_one_family(&self, site: UseSite, name: &str) -> Resolution {
        let rules = self.rules(site.file);
        self.lookups.anywhere(name);
        let named = self.table.named(name);
        let Some(first) = named
            .first()
            .filter(|_| named.len() < 60 && is_telling(name) && !is_common(rules, name))
        else {
            return Resolution::Unknown;
        };
        let shipped = !self.table.is_non_production(site.file);
        let asked = (rules, shipped, self.symbol(*first).name.as_str());
        let known = self.known_roots.borrow().get(&asked).cloned();
        let known = known.unwrap_or_else(|| {
            let look_up = || self.root_of(named, rules, shipped);
            let (root, keys) = self.lookups.gathered(look_up);
            let known = Rc::new(KnownRoot { root, keys });
            self.known_roots
                .borrow_mut()
                .insert(asked, Rc::clone(&known));
            known
        });
        self.lookups.again(&known.keys);
        match &known.root {
            Some(root) if self.sees_any(site, &root.types) => {
                Resolution::Definitions(root.members.clone())
            }
            _ => Resolution::Unknown,
        }
    }

    fn root_of(&self, named: &[SymbolId], rules: Rules, shipped: bool) -> Option<FamilyRoot> {
        let of_family = named.iter().copied().filter(|id| {
            self.rules(id.file) == rules && !(shipped && self.table.is_non_production(id.file))
        });
        let members: Vec<SymbolId> = of_family.filter(|id| self.is_member_like(*id)).collect();
        let owner = |id: &SymbolId| {
            let parent = self.parent(*id)?;
            Some(self.types_of_impl(parent)).filter(|_| self.symbol(parent).kind.has_members())
        };
        let owners: Option<Vec<Vec<SymbolId>>> = members.iter().map(owner).collect();
        let owners = owners.filter(|owners| owners.len() > 1)?;
        let is_root = |root: &Vec<SymbolId>| {
            let is_above = |id: &SymbolId| root.contains(id) || self.descends(*id, root, 0);
            !root.is_empty() && owners.iter().flatten().all(is_above)
        };
        let root = owners.iter().find(|root| is_root(root))?;
        let of_root = members
            .iter()
            .zip(&owners)
            .filter(|(_, owner)| *owner == root);
        Some(FamilyRoot {
            members: of_root.map(|(id, _)| *id).collect(),
            types: owners.concat(),
        })
    }

    /// Says whether a file sees one of these types: its own, one of its package, of a module that it
    /// imports, or one whose bare name means it there.
    fn sees_any(&self, site: UseSite, types: &[SymbolId]) -> bool {
        let imports = self.graph.imports(site.file);
        let is_near = |id: &SymbolId| {
            id.file == site.file
                || self.same_package(id.file, site.file)
                || imports.iter().any(|edge| edge.target == Some(id.file))
        };
        types.iter().any(is_near) || types.iter().any(|id| self.is_named_at(site, *id))
    }

    fn is_named_at(&self, site: UseSite, id: SymbolId) -> bool {
        let rules = self.rules(site.file);
        let name = self.symbol(id).name.as_str();
        let found = match self.bare_type(site, name) {
            Resolution::Unknown if !rules.types_are_imported() => self.only_type(site, name),
            other => other,
        };
        matches!(found, Resolution::Definitions(ids) if ids.contains(&id))
    }

    /// Says whether a type inherits from one of these.
    fn descends(&self, id: SymbolId, bases: &[SymbolId], depth: u32) -> bool {
        self.bases_above(id, depth)
            .iter()
            .any(|base| bases.contains(base))
    }

    /// The types that a type inherits from, directly and through others: the nearest of them.
    fn bases_above(&self, id: SymbolId, depth: u32) -> Vec<SymbolId> {
        let (mut seen, mut found) = (vec![id], Vec::new());
        let mut at = 0;
        while let Some(id) = seen.get(at).copied().filter(|_| at < 20) {
            at += 1;
            steps::count(1);
            for base in self.bases(id, depth + 1).0 {
                found.push(base);
                if !seen.contains(&base) {
                    seen.push(base);
                }
            }
        }
        found
    }
}

/// Says whether a name is of several words: one word is some library's as well.
fn is_telling(name: &str) -> bool {
    let mut inner = name.trim_matches('_').chars().skip(1);
    inner.any(|c| c == '_' || c.is_uppercase())
}
