//! What types inherit from.

use std::collections::HashSet;

use whyrank_syntax::{Reference, SymbolKind};

use crate::{
    input::files::SymbolId,
    resolution::{
        namesakes::FEW,
        resolver::{MAX_DEPTH, Resolution, Resolver, UseSite},
        resolver_caches::KnownBases,
    },
    steps,
};

impl<'a> Resolver<'a> {
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
        let here = own.chain(of_impls.into_iter().flatten());
        let here = here.map(|reference| (id.file, self.symbol(id).parent, *reference));
        let elsewhere = self.stated_elsewhere(id);
        for (file, parent, reference) in here.chain(elsewhere) {
            steps::count(1);
            // Its own name with another place before it is another type: `type DB struct { *other.DB }`.
            if reference.name == *name && reference.qualifier.is_empty() {
                continue;
            }
            let site = UseSite::inside(file, parent);
            let by_path = || (self.rules(file).by_path)(self, file, reference);
            let resolution = if self.rules(file).free_name.is_some() {
                by_path().unwrap_or_else(|| self.bare_type(site, &reference.name))
            } else if reference.qualifier.is_empty() {
                let own = self.in_scope(site, &reference.name);
                self.outer(site, &reference.name, own)
            } else {
                let owner = self.expression(site, &reference.qualifier, depth + 1);
                self.member(&owner, &reference.name, depth + 1)
            };
            match resolution {
                Resolution::Definitions(ids) => {
                    let ids = self.of_arity(ids, reference.n_type_arguments());
                    external |= ids.iter().any(|base| self.opens_foreign(*base));
                    found.extend(ids.into_iter().filter(|base| *base != id))
                }
                _ => external = true,
            }
        }
        found.sort_unstable();
        found.dedup();
        (found, external)
    }

    /// The bases that blocks in other files state of a type, each with its file and the definition around it.
    fn stated_elsewhere(&self, id: SymbolId) -> Vec<(u32, Option<u32>, &'a Reference)> {
        let (rules, symbol) = (self.rules(id.file), self.symbol(id));
        if !rules.types_are_reopened || rules.opens_foreign_type.is_none() {
            return Vec::new();
        }
        let name = symbol.qualified.as_str();
        self.lookups.anywhere(name);
        let block_of = |id: SymbolId| {
            let is_block = self.symbol(id).kind == SymbolKind::Impl;
            is_block.then(|| self.rules(id.file))
        };
        let blocks = self.sharing(name, |known| &known.blocks, block_of, &rules);
        // Each block of a type from outside would go through all the others.
        if symbol.kind == SymbolKind::Impl && blocks.len() > FEW {
            return Vec::new();
        }
        let mut stated = Vec::new();
        for block in blocks.into_iter().filter(|block| block.file != id.file) {
            let scope = self.scope(block.file);
            let bases = scope.inherits.get(&block.symbol).into_iter().flatten();
            let parent = self.symbol(block).parent;
            stated.extend(bases.map(|base| (block.file, parent, *base)));
        }
        stated
    }

    /// The types that a block adds to, where what it adds may be what their bases ask for.
    pub(crate) fn opened_types(&self, block: SymbolId) -> Vec<SymbolId> {
        let (rules, symbol) = (self.rules(block.file), self.symbol(block));
        if symbol.kind != SymbolKind::Impl || rules.opens_foreign_type.is_none() {
            return Vec::new();
        }
        let name = symbol.name.as_str();
        let last = name.rsplit('.').next().unwrap_or(name);
        self.lookups.anywhere(last);
        let key_of = |other| {
            let (kind, rules) = (self.symbol(other).kind, self.rules(other.file));
            let is_type =
                kind.has_members() && kind != SymbolKind::Impl || kind == SymbolKind::Module;
            is_type.then(|| (rules, self.symbol(other).qualified.as_str()))
        };
        self.sharing(last, |known| &known.type_nodes, key_of, &(rules, name))
    }

    /// Says whether a block opens a type or a protocol that is defined outside of the view.
    pub(crate) fn opens_foreign(&self, id: SymbolId) -> bool {
        let opens = self.rules(id.file).opens_foreign_type;
        opens.is_some_and(|opens| opens(self, id))
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
