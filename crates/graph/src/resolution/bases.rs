//! What types inherit from.

use std::collections::HashSet;

use crate::{
    input::files::SymbolId,
    resolution::{
        resolver::{MAX_DEPTH, Resolution, Resolver, UseSite},
        resolver_caches::KnownBases,
    },
    steps,
};

impl Resolver<'_> {
    pub(crate) fn bases_of(&self, types: &[SymbolId], depth: u32) -> Resolution {
        let mut found = Vec::new();
        let mut open = false;
        for id in types {
            let (bases, external) = self.bases(*id, depth);
            found.extend(bases);
            open |= external;
        }
        match (found.is_empty(), open) {
            (false, _) => Resolution::Instances(found),
            (true, true) => Resolution::External,
            (true, false) => Resolution::Unknown,
        }
    }

    /// The types that a type inherits from, and whether one of them is not in the view. To find a base may
    /// take the members of types around, and these the same bases: then they count as not known.
    pub(crate) fn bases(&self, id: SymbolId, depth: u32) -> (Vec<SymbolId>, bool) {
        let known = self.known_bases.borrow().get(&id).cloned();
        if let Some(known) = known {
            self.lookups.again(&known.keys);
            return (known.bases, known.external);
        }
        if !self.bases_sought.borrow_mut().insert(id) {
            self.bases_in_circle.set(true);
            return (Vec::new(), true);
        }
        let is_first = self.bases_sought.borrow().len() == 1;
        if is_first {
            self.bases_in_circle.set(false);
        }
        let ((bases, external), keys) = self.lookups.gathered(|| {
            let found = self.effort.within(|| self.find_bases(id, depth));
            found.unwrap_or((Vec::new(), true))
        });
        self.bases_sought.borrow_mut().remove(&id);
        // What was found within a circle depends on who asked first.
        let is_whole = (is_first || !self.bases_in_circle.get()) && !self.effort.is_spent();
        if depth < MAX_DEPTH / 2 && is_whole {
            let known = KnownBases {
                bases: bases.clone(),
                external,
                keys,
            };
            self.known_bases.borrow_mut().insert(id, known);
        }
        (bases, external)
    }

    fn find_bases(&self, id: SymbolId, depth: u32) -> (Vec<SymbolId>, bool) {
        let name = &self.symbol(id).name;
        let mut found = Vec::new();
        let mut external = false;
        if depth > MAX_DEPTH {
            return (found, true);
        }
        let scope = self.scope(id.file);
        let own = scope.inherits.get(&id.symbol).into_iter().flatten();
        let of_impls = scope.inherits_by_impl.get(name.as_str());
        for reference in own.chain(of_impls.into_iter().flatten()) {
            steps::count(1);
            // Its own name with another place before it is another type: `type DB struct { *other.DB }`.
            if reference.name == *name && reference.qualifier.is_empty() {
                continue;
            }
            let site = UseSite::inside(id.file, self.symbol(id).parent);
            let resolution = if reference.qualifier.is_empty() {
                let own = self.in_scope(site, &reference.name);
                self.outer(site, &reference.name, own)
            } else {
                let owner = self.expression(site, &reference.qualifier, depth + 1);
                self.member(&owner, &reference.name, depth + 1)
            };
            match resolution {
                Resolution::Definitions(ids) => {
                    let ids = self.of_arity(ids, reference.n_type_arguments());
                    found.extend(ids.into_iter().filter(|base| *base != id))
                }
                _ => external = true,
            }
        }
        found.sort_unstable();
        found.dedup();
        (found, external)
    }

    pub(crate) fn all_bases_known(
        &self,
        id: SymbolId,
        seen: &mut HashSet<SymbolId>,
        depth: u32,
    ) -> bool {
        if !seen.insert(id) {
            return true;
        }
        let (bases, external) = self.bases(id, depth);
        !external
            && bases
                .into_iter()
                .all(|base| self.all_bases_known(base, seen, depth + 1))
    }
}
