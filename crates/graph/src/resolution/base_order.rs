//! The base of several that gives a member, where their order decides: Python.

use std::collections::HashSet;

use crate::{
    input::files::SymbolId,
    resolution::resolver::{Receiver, Resolution, Resolver, UseSite},
};

/// Most bases that are looked at.
const MOST_BASES: usize = 40;

impl Resolver<'_> {
    /// The members that the first base gives which has some, or one of a later base that inherits from where
    /// those stand.
    pub(super) fn first_of_bases(
        &self,
        id: SymbolId,
        mut bases: Vec<SymbolId>,
        members_of: &mut dyn FnMut(SymbolId) -> Vec<SymbolId>,
    ) -> Vec<SymbolId> {
        let written = self.scope(id.file).inherits.get(&id.symbol);
        let place = |base: &SymbolId| {
            let name = &self.symbol(*base).name;
            let mut written = written.into_iter().flatten();
            // A base that is imported under another name stands behind the others.
            written
                .position(|named| named.name == *name)
                .unwrap_or(usize::MAX)
        };
        bases.sort_by_key(place);
        let mut given: Vec<SymbolId> = Vec::new();
        let mut from = usize::MAX;
        for base in bases {
            let members = members_of(base);
            let (Some(first), Some(next)) = (given.first(), members.first()) else {
                if given.is_empty() && !members.is_empty() {
                    (given, from) = (members, place(&base));
                }
                continue;
            };
            let owners = (self.parent(*next), self.parent(*first));
            if place(&base) == from {
                given.extend(members);
            } else if let (Some(heir), Some(owner)) = owners
                && self.is_heir(heir, owner)
            {
                (given, from) = (members, place(&base));
            }
        }
        given
    }

    /// The members that `super` means where the order of several bases decides.
    pub(super) fn above(&self, site: UseSite, receiver: Receiver<'_>, name: &str) -> Vec<SymbolId> {
        let Resolution::Instances(bases) = receiver.meaning else {
            return Vec::new();
        };
        if !is_super(receiver.text) || !self.rules(site.file).bases_are_in_order || bases.len() < 2
        {
            return Vec::new();
        }
        let Resolution::Instances(types) = self.enclosing_type(site) else {
            return Vec::new();
        };
        let own = types.first().map(|own| {
            let members = &mut |base| self.members_of(&[base], name);
            self.first_of_bases(*own, bases.clone(), members)
        });
        own.unwrap_or_default()
    }

    fn is_heir(&self, heir: SymbolId, owner: SymbolId) -> bool {
        let (mut next, mut seen) = (vec![heir], HashSet::new());
        while let Some(id) = next.pop().filter(|_| seen.len() < MOST_BASES) {
            let bases = self.bases(id, 0).0;
            if bases.contains(&owner) {
                return true;
            }
            next.extend(bases.into_iter().filter(|base| seen.insert(*base)));
        }
        false
    }
}

/// Says whether what comes before a dot means the bases: a subtype has no part in it.
pub(super) fn is_super(text: &str) -> bool {
    matches!(text.trim_end_matches("()"), "super" | "parent" | "base")
}
