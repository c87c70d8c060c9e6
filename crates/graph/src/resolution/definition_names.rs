//! Definitions by name: inverted from the files, or looked up one by one where an index on disk has them.

use parking_lot::Mutex;
use std::fmt::Debug;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use whyrank_syntax::Symbol;

use crate::{
    input::files::SymbolId,
    resolution::{name_table::NameTable, rows::Rows},
};

/// Names that are looked up one by one; who asks for more reads all.
const MOST_LOOKED_UP: usize = 20_000;

/// An index of a view's definitions by name, outside of memory.
pub trait DefinitionSource: Debug + Send + Sync {
    /// The definitions of exactly this name, by file and position.
    fn named(&self, name: &str) -> Vec<SymbolId>;

    /// The names that are this one when they are lower-cased, each once.
    fn folded(&self, lower: &str) -> Vec<String>;

    /// Hands over every definition with its name, by file and position.
    fn each(&self, each: &mut dyn FnMut(SymbolId, &str));

    /// Hands over definitions whose names may be like one, some perhaps twice; `is_like` judges a name. All of
    /// them, where there is no better way.
    fn alike(
        &self,
        _name: &str,
        _is_like: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(SymbolId, &str),
    ) {
        self.each(each);
    }

    /// Hands over the definitions of a file.
    fn read(&self, file: u32, read: &mut dyn FnMut(&[Symbol]));
}

/// The definitions of a view by name.
#[derive(Debug, Default)]
pub(crate) struct DefinitionNames {
    all: OnceLock<Inverted>,
    /// Names by their folded form, in order; made when a name is first not found.
    folded: OnceLock<FxHashMap<String, Vec<u32>>>,
    lookup: Option<Lookup>,
}

#[derive(Debug)]
struct Lookup {
    source: Arc<dyn DefinitionSource>,
    /// Which list each name has.
    known: Mutex<FxHashMap<Box<str>, usize>>,
    lists: Box<[OnceLock<Box<[SymbolId]>>]>,
}

/// All names with their definitions: some hundred bytes each would be gigabytes for a large view.
#[derive(Debug)]
struct Inverted {
    names: NameTable,
    /// By name; those of a name by file and position.
    ids: Rows<SymbolId>,
}

impl Inverted {
    /// Inverts what `each` hands over, by file and position.
    fn new(each: impl FnOnce(&mut dyn FnMut(SymbolId, &str))) -> Self {
        let mut names = NameTable::default();
        let mut named: Vec<(u32, SymbolId)> = Vec::new();
        each(&mut |id, name| named.push((names.add(name), id)));
        let ids = Rows::new(names.len(), named.iter().copied());
        Self { names, ids }
    }

    fn get(&self, name: &str) -> &[SymbolId] {
        let name = self.names.find(name);
        name.map_or(&[], |name| self.ids.row(name as usize))
    }
}

impl DefinitionNames {
    /// Inverts what `each` hands over, by file and position.
    pub(crate) fn inverted(each: impl FnOnce(&mut dyn FnMut(SymbolId, &str))) -> Self {
        Self {
            all: OnceLock::from(Inverted::new(each)),
            ..Self::default()
        }
    }

    /// Looks names up when they are asked for.
    pub(crate) fn over(source: Arc<dyn DefinitionSource>) -> Self {
        Self {
            lookup: Some(Lookup {
                source,
                known: Mutex::default(),
                lists: (0..MOST_LOOKED_UP).map(|_| OnceLock::new()).collect(),
            }),
            ..Self::default()
        }
    }

    pub(crate) fn source(&self) -> Option<&dyn DefinitionSource> {
        self.lookup.as_ref().map(|lookup| lookup.source.as_ref())
    }

    /// The definitions of exactly this name, by file and position.
    pub(crate) fn get(&self, name: &str) -> &[SymbolId] {
        if let (None, Some(lookup)) = (self.all.get(), &self.lookup)
            && let Some(found) = lookup.get(name)
        {
            return found;
        }
        self.all().get(name)
    }

    fn all(&self) -> &Inverted {
        let source = self.source();
        self.all.get_or_init(|| {
            Inverted::new(|add| {
                source.into_iter().for_each(|source| source.each(&mut *add));
            })
        })
    }

    /// The definitions whose names are this one when they are lower-cased: those of each name, in the order
    /// of the names.
    pub(crate) fn folded(&self, lower: &str) -> Vec<&[SymbolId]> {
        if let (None, Some(lookup)) = (self.all.get(), &self.lookup) {
            let mut names = lookup.source.folded(lower);
            names.sort_unstable();
            return names.iter().map(|name| self.get(name)).collect();
        }
        let folded = self.folded.get_or_init(|| self.fold());
        let names = folded.get(lower).into_iter().flatten();
        let ids = &self.all().ids;
        names.map(|name| ids.row(*name as usize)).collect()
    }

    fn fold(&self) -> FxHashMap<String, Vec<u32>> {
        let names = &self.all().names;
        let mut folded: FxHashMap<String, Vec<u32>> = FxHashMap::default();
        for (at, name) in names.iter() {
            folded.entry(name.to_lowercase()).or_default().push(at);
        }
        let in_order = |alike: &mut Vec<u32>| alike.sort_unstable_by_key(|at| names.get(*at));
        folded.values_mut().for_each(in_order);
        folded
    }

    /// Hands over the definitions whose names may be like one, in no order and some perhaps twice; `is_like`
    /// judges a name.
    pub(crate) fn alike(
        &self,
        name: &str,
        is_like: &dyn Fn(&str) -> bool,
        each: &mut dyn FnMut(SymbolId, &str),
    ) {
        if let (None, Some(lookup)) = (self.all.get(), &self.lookup) {
            return lookup.source.alike(name, is_like, each);
        }
        let all = self.all();
        for (at, own) in all.names.iter().filter(|(_, own)| is_like(own)) {
            let ids = all.ids.row(at as usize);
            ids.iter().for_each(|id| each(*id, own));
        }
    }
}

impl Lookup {
    /// `None` once so many were looked up that it is better to read all.
    fn get(&self, name: &str) -> Option<&[SymbolId]> {
        let list = {
            let mut known = self.known.lock();
            match known.get(name) {
                Some(list) => *list,
                None => {
                    let next = known.len();
                    if next < self.lists.len() {
                        known.insert(name.into(), next);
                    }
                    next
                }
            }
        };
        let list = self.lists.get(list)?;
        Some(list.get_or_init(|| self.source.named(name).into()))
    }
}
