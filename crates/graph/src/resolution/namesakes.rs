//! The definitions of a name that many bear, sorted by what tells them apart: a use goes through those that it
//! can mean, not through all. Each order is made when it is first asked for. Where few bear the name they
//! are gone through.

use std::{borrow::Borrow, cell::OnceCell, hash::Hash, rc::Rc};

use rustc_hash::FxHashMap;
use whyrank_syntax::SymbolKind;

use crate::{input::files::SymbolId, languages::Rules, resolution::resolver::Resolver, steps};

/// So many definitions of a name are gone through.
pub(super) const FEW: usize = 16;

/// Definitions by what they share, each list by file and position.
pub(crate) type Groups<K> = OnceCell<FxHashMap<K, Vec<SymbolId>>>;

/// The orders of one name's definitions.
#[derive(Default)]
pub(crate) struct Namesakes<'a> {
    /// By file, and by the definition that they stand in.
    pub(super) scopes: Groups<(u32, Option<u32>)>,
    /// By the type that they stand in; parameters of a constructor by its type.
    pub(super) inside: Groups<SymbolId>,
    /// What stands at the top of files, by file.
    pub(super) tops: Groups<u32>,
    /// What stands at the top of files, by package.
    pub(super) by_package: Groups<u32>,
    /// Types, by the last part of their package's name.
    pub(crate) by_package_end: Groups<&'a str>,
    /// Types and constants that any file may add to, by qualified name.
    pub(crate) constants: Groups<&'a str>,
    /// By what makes them members of a type.
    pub(super) members: Groups<OwnerKey<'a>>,
    /// Types that a file sees by their namespace, by that.
    pub(crate) types_by_space: Groups<&'a str>,
    /// What a name with its namespace can mean, by that.
    pub(crate) names_by_space: Groups<&'a str>,
    /// Types, by what has to be around a place to see them by their bare name.
    pub(super) seen_types: Groups<(Rules, Option<&'a str>)>,
    /// Extensions, by the name of the type; of all types without one.
    pub(super) extensions: Groups<Option<&'a str>>,
    /// Extensions, by the package that they are seen in.
    pub(super) extensions_near: Groups<Option<u32>>,
    /// Extensions that a file sees by their namespace, by that.
    pub(super) extension_spaces: Groups<Option<&'a str>>,
    /// Members that may be meant instead of an extension.
    pub(super) rivals: Groups<()>,
    /// Types, by language.
    pub(super) defining: Groups<Rules>,
    /// All, by qualified name.
    pub(crate) qualified: Groups<(Rules, &'a str)>,
    /// What heritage ties, by qualified name.
    pub(crate) type_nodes: Groups<(Rules, &'a str)>,
    /// The same by language.
    pub(crate) heads: Groups<Rules>,
    /// By what they stand in: whether that is a block, and its name.
    pub(crate) holders: Groups<(Rules, bool, &'a str)>,
    /// Fields that the keys of literals may name.
    pub(super) literal_fields: Groups<()>,
    /// Methods that traits have.
    pub(super) of_traits: Groups<()>,
    /// Types.
    pub(super) types: Groups<()>,
}

/// What makes a definition the member of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum OwnerKey<'a> {
    /// It stands in a namespace or module of this kind and name, in however many files that is opened.
    Space(SymbolKind, &'a str),
    /// It stands in a type that several places may add to.
    Reopened(&'a str),
    /// It stands outside of the type and names it: one of this file or package, where that says which one.
    Named(&'a str, Option<u32>),
}

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
