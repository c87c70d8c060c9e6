//! The definitions of a name that many bear, sorted by what tells them apart: a use goes through those that it
//! can mean, not through all. Each order is made when it is first asked for. Where few bear the name they
//! are gone through.

use std::{borrow::Borrow, hash::Hash, rc::Rc};

use rustc_hash::FxHashMap;

use crate::{
    input::files::SymbolId,
    resolution::{
        resolver::Resolver,
        resolver_caches::{Groups, Namesakes},
    },
    steps,
};

/// So many definitions of a name are gone through.
pub(super) const FEW: usize = 16;

impl<'a> Resolver<'a> {
    /// Hands over the definitions of a name that share a key.
    #[expect(
        clippy::too_many_arguments,
        reason = "what is grouped, by what, and what it is for vary independently"
    )]
    pub(crate) fn with_sharing<K, Q, T>(
        &self,
        name: &str,
        kept: for<'n> fn(&'n Namesakes<'a>) -> &'n Groups<K>,
        key_of: impl Fn(SymbolId) -> Option<K>,
        wanted: &Q,
        take: impl FnOnce(&[SymbolId]) -> T,
    ) -> T
    where
        K: Hash + Eq + Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let named = self.table.named(name);
        if named.len() <= FEW {
            steps::count(named.len());
            let is_wanted = |id: &SymbolId| key_of(*id).is_some_and(|key| wanted.eq(key.borrow()));
            let found: Vec<SymbolId> = named.iter().copied().filter(is_wanted).collect();
            return take(&found);
        }
        let known = self.namesakes(name);
        let groups = kept(&known).get_or_init(|| {
            let mut groups: FxHashMap<K, Vec<SymbolId>> = FxHashMap::default();
            steps::count(named.len());
            for id in named {
                if let Some(key) = key_of(*id) {
                    groups.entry(key).or_default().push(*id);
                }
            }
            groups
        });
        let found = groups.get(wanted).map_or(&[][..], Vec::as_slice);
        steps::count(found.len());
        take(found)
    }

    /// The definitions of a name that share a key.
    pub(crate) fn sharing<K, Q>(
        &self,
        name: &str,
        kept: for<'n> fn(&'n Namesakes<'a>) -> &'n Groups<K>,
        key_of: impl Fn(SymbolId) -> Option<K>,
        wanted: &Q,
    ) -> Vec<SymbolId>
    where
        K: Hash + Eq + Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        self.with_sharing(name, kept, key_of, wanted, <[SymbolId]>::to_vec)
    }

    /// The definitions of a name that have one of these keys.
    pub(crate) fn sharing_any<K: Hash + Eq>(
        &self,
        name: &str,
        kept: for<'n> fn(&'n Namesakes<'a>) -> &'n Groups<K>,
        key_of: impl Fn(SymbolId) -> Option<K>,
        keys: &[K],
    ) -> Vec<SymbolId> {
        let named = self.table.named(name);
        if named.len() <= FEW {
            steps::count(named.len());
            let is_wanted = |id: &SymbolId| key_of(*id).is_some_and(|key| keys.contains(&key));
            return named.iter().copied().filter(is_wanted).collect();
        }
        let found = keys
            .iter()
            .flat_map(|key| self.sharing(name, kept, &key_of, key));
        found.collect()
    }

    /// Says whether a definition of a name is one of those that a group holds.
    pub(super) fn has_any(
        &self,
        name: &str,
        kept: for<'n> fn(&'n Namesakes<'a>) -> &'n Groups<()>,
        is_one: impl Fn(SymbolId) -> bool,
    ) -> bool {
        let key_of = |id| is_one(id).then_some(());
        self.with_sharing(name, kept, key_of, &(), |ids| !ids.is_empty())
    }

    fn namesakes(&self, name: &str) -> Rc<Namesakes<'a>> {
        if let Some(known) = self.namesakes.borrow().get(name) {
            return Rc::clone(known);
        }
        let made = Rc::<Namesakes<'a>>::default();
        let name = name.to_owned();
        self.namesakes.borrow_mut().insert(name, Rc::clone(&made));
        made
    }
}
