//! Uses by what they mean: those of each definition, and those of each name that nothing else speaks for.

use crate::{
    input::files::SymbolId,
    references::uses::{FileUses, UseAt},
    resolution::{name_table::NameTable, rows::Rows},
};

/// Uses by what they mean; follows from the files.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    /// Where each file's definitions begin among all.
    pub(crate) bases: Vec<u32>,
    /// By definition.
    pub(crate) resolved: Rows<UseAt>,
    pub(crate) names: NameTable,
    /// By name.
    pub(crate) open: Rows<UseAt>,
}

impl Lists {
    /// Uses that scope, imports or types lead to a definition, by position.
    pub(crate) fn resolved(&self, id: SymbolId) -> &[UseAt] {
        let node = node(&self.bases, id);
        node.map_or(&[], |node| self.resolved.row(node as usize))
    }

    /// Uses of a name that only the name speaks for, by position.
    pub(crate) fn open(&self, name: &str) -> &[UseAt] {
        let name = self.names.find(name);
        name.map_or(&[], |name| self.open.row(name as usize))
    }
}

/// The place of a definition among all; `None` where there is none.
fn node(bases: &[u32], id: SymbolId) -> Option<u32> {
    let file = id.file as usize;
    let (base, end) = (bases.get(file)?, bases.get(file + 1)?);
    let node = base.checked_add(id.symbol)?;
    (node < *end).then_some(node)
}

/// The lists in the making: of a file that was added nothing else has to stay in memory.
pub(crate) struct GatheredLists {
    bases: Vec<u32>,
    names: NameTable,
    resolved: KeyedUses,
    open: KeyedUses,
}

impl GatheredLists {
    /// `n_symbols`: how many definitions each file has.
    pub(crate) fn new(n_symbols: impl Iterator<Item = u32>) -> Self {
        let mut bases = vec![0u32];
        for n in n_symbols {
            bases.push(bases[bases.len() - 1] + n);
        }
        Self {
            bases,
            names: NameTable::default(),
            resolved: KeyedUses::default(),
            open: KeyedUses::default(),
        }
    }

    /// Adds the next file. Leaves out what points nowhere: a stored graph is not trusted.
    pub(crate) fn add(&mut self, known: &FileUses) {
        let is_use = |at: u32| (at as usize) < known.uses.len();
        for (at, id) in &known.targets {
            if let Some(node) = node(&self.bases, *id).filter(|_| is_use(*at)) {
                self.resolved.add(node, *at);
            }
        }
        let names = known.names.iter().map(|name| self.names.add(name));
        let names: Vec<u32> = names.collect();
        for (at, name) in &known.open {
            if let Some(name) = names.get(*name as usize).filter(|_| is_use(*at)) {
                self.open.add(*name, *at);
            }
        }
        self.resolved.end_file();
        self.open.end_file();
    }

    pub(crate) fn finish(self) -> Lists {
        let n_nodes = self.bases.last().copied().unwrap_or(0) as usize;
        Lists {
            resolved: self.resolved.into_rows(n_nodes),
            open: self.open.into_rows(self.names.len()),
            bases: self.bases,
            names: self.names,
        }
    }
}

/// Uses, each with a number of what it means: there are tens of millions.
#[derive(Default)]
struct KeyedUses {
    keys: Vec<u32>,
    /// Index of the use in its file.
    at: Vec<u32>,
    /// Where each file's end.
    ends: Vec<usize>,
}

impl KeyedUses {
    fn add(&mut self, key: u32, at: u32) {
        self.keys.push(key);
        self.at.push(at);
    }

    fn end_file(&mut self) {
        self.ends.push(self.keys.len());
    }

    fn into_rows(self, n_rows: usize) -> Rows<UseAt> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let files = (0u32..).zip(starts.zip(&self.ends));
        let pairs = files.flat_map(|(file, (start, end))| {
            let uses = self.keys[*start..*end].iter().zip(&self.at[*start..*end]);
            uses.map(move |(key, at)| (*key, UseAt { file, at: *at }))
        });
        Rows::new(n_rows, pairs)
    }
}
