//! Definitions by name: inverted from the files, or looked up one by one where an index on disk has them.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use whyrank_syntax::Symbol;

use crate::input::files::SymbolId;

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

    /// Hands over the definitions of a file.
    fn read(&self, file: u32, read: &mut dyn FnMut(&[Symbol]));
}

/// The definitions of a view by name.
#[derive(Debug, Default)]
pub(crate) struct DefinitionNames {
    /// By file and position.
    all: OnceLock<FxHashMap<Box<str>, Named>>,
    /// Names by their folded form, in order; made when a name is first not found.
    folded: OnceLock<FxHashMap<String, Vec<Box<str>>>>,
    lookup: Option<Lookup>,
}

#[derive(Debug)]
struct Lookup {
    source: Arc<dyn DefinitionSource>,
    /// Which list each name has.
    known: Mutex<FxHashMap<Box<str>, usize>>,
    lists: Box<[OnceLock<Box<[SymbolId]>>]>,
}

/// The definitions of a name: mostly one.
#[derive(Debug)]
enum Named {
    One([SymbolId; 1]),
    Many(Vec<SymbolId>),
}

impl Named {
    fn all(&self) -> &[SymbolId] {
        match self {
            Self::One(id) => id,
            Self::Many(ids) => ids,
        }
    }

    fn push(&mut self, id: SymbolId) {
        match self {
            Self::One([first]) => *self = Self::Many(vec![*first, id]),
            Self::Many(ids) => ids.push(id),
        }
    }
}

fn add(all: &mut FxHashMap<Box<str>, Named>, name: &str, id: SymbolId) {
    match all.get_mut(name) {
        Some(known) => known.push(id),
        None => {
            all.insert(name.into(), Named::One([id]));
        }
    }
}

impl DefinitionNames {
    /// Inverts what `each` hands over, by file and position.
    pub(crate) fn inverted(each: impl FnOnce(&mut dyn FnMut(SymbolId, &str))) -> Self {
        let mut all = FxHashMap::default();
        each(&mut |id, name| add(&mut all, name, id));
        Self {
            all: OnceLock::from(all),
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
        self.all().get(name).map_or(&[], Named::all)
    }

    fn all(&self) -> &FxHashMap<Box<str>, Named> {
        self.all.get_or_init(|| {
            let mut all = FxHashMap::default();
            if let Some(lookup) = &self.lookup {
                lookup.source.each(&mut |id, name| add(&mut all, name, id));
            }
            all
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
        names.map(|name| self.get(name)).collect()
    }

    fn fold(&self) -> FxHashMap<String, Vec<Box<str>>> {
        let mut folded: FxHashMap<String, Vec<Box<str>>> = FxHashMap::default();
        for name in self.all().keys() {
            let names = folded.entry(name.to_lowercase()).or_default();
            names.push(name.clone());
        }
        folded.values_mut().for_each(|names| names.sort_unstable());
        folded
    }

    /// Hands over every definition with its name, in no order.
    pub(crate) fn each(&self, each: &mut dyn FnMut(SymbolId, &str)) {
        if let (None, Some(lookup)) = (self.all.get(), &self.lookup) {
            return lookup.source.each(each);
        }
        for (name, ids) in self.all() {
            ids.all().iter().for_each(|id| each(*id, name));
        }
    }
}

impl Lookup {
    /// `None` once so many were looked up that it is better to read all.
    fn get(&self, name: &str) -> Option<&[SymbolId]> {
        let list = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
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
