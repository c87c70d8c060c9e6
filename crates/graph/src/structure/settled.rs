//! Every settled use of a view, ordered by what is used and by who uses.

use whyrank_syntax::ReferenceKind;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    family::is_member, import_graph::ImportGraph, input::SymbolId, references::Confidence,
    uses::Uses,
};

/// A use of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettledUse {
    /// The file of the use.
    pub file: u32,
    /// The definition around it; none for code that runs when the file is loaded.
    pub from: Option<SymbolId>,
    /// The definition used.
    pub to: SymbolId,
    /// Line of the use.
    pub line: u32,
    /// How it is used.
    pub kind: ReferenceKind,
    /// How sure that is.
    pub confidence: Confidence,
    /// Sure enough to say that the one leans on the other: resolved, or known by its name alone where
    /// imports lead to it or names need none.
    pub is_believed: bool,
}

/// All uses between definitions; imports are none, and a definition's uses of itself are left out.
#[derive(Clone, Debug, Default)]
pub struct SettledUses {
    /// By the definition used, then file and line.
    links: Vec<SettledUse>,
    /// Where the uses of each definition begin, by `first[file] + symbol`.
    offsets: Vec<u32>,
    first: Vec<u32>,
}

impl SettledUses {
    /// Settles the uses of every definition. O(definitions and uses of the view).
    pub fn new(uses: &Uses<'_>, imports: &ImportGraph) -> Self {
        let mut made = Self::default();
        let mut near = Near::new(imports);
        for (file, input) in (0u32..).zip(uses.lookup.files) {
            made.first.push(made.offsets.len() as u32);
            for symbol in 0..input.facts.symbols.len() as u32 {
                made.offsets.push(made.links.len() as u32);
                made.add(uses, &mut near, SymbolId { file, symbol });
            }
        }
        made.offsets.push(made.links.len() as u32);
        made
    }

    fn add(&mut self, uses: &Uses<'_>, near: &mut Near<'_>, to: SymbolId) {
        for hit in uses.settled(&[to]) {
            if hit.enclosing == Some(to) || uses.impl_at(&hit).is_some() {
                continue;
            }
            let is_believed = match hit.confidence {
                Confidence::Precise | Confidence::Resolved => true,
                Confidence::Ambiguous => false,
                Confidence::NameOnly => near.may_name(uses, hit.file, to),
            };
            self.links.push(SettledUse {
                is_believed,
                file: hit.file,
                from: hit.enclosing,
                to,
                line: hit.line,
                kind: hit.kind,
                confidence: hit.confidence,
            });
        }
    }

    /// All uses, by the definition used.
    pub fn all(&self) -> &[SettledUse] {
        &self.links
    }

    /// The uses of a definition by path and line.
    pub fn to(&self, id: SymbolId) -> &[SettledUse] {
        let Some(first) = self.first.get(id.file as usize) else {
            return &[];
        };
        let at = (first + id.symbol) as usize;
        match (self.offsets.get(at), self.offsets.get(at + 1)) {
            (Some(start), Some(end)) => &self.links[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// The definitions and files that use a definition, each once; files that `counts` refuses and uses
    /// that are not believed are left out.
    pub fn n_callers(&self, id: SymbolId, counts: &dyn Fn(u32) -> bool) -> usize {
        let believed = self
            .to(id)
            .iter()
            .filter(|link| link.is_believed && counts(link.file));
        let mut callers: Vec<(u32, Option<SymbolId>)> =
            believed.map(|link| (link.file, link.from)).collect();
        callers.sort_unstable();
        callers.dedup();
        callers.len()
    }
}

/// Steps of imports that a name may come by: through an index file and what it opens.
const MAX_STEPS: usize = 3;

/// Which files each file's imports lead to.
struct Near<'i> {
    imports: &'i ImportGraph,
    known: FxHashMap<u32, FxHashSet<u32>>,
}

impl<'i> Near<'i> {
    fn new(imports: &'i ImportGraph) -> Self {
        Self {
            imports,
            known: FxHashMap::default(),
        }
    }

    /// Says whether a file may well mean a definition of a name that only this one bears: it lies in the
    /// same file, imports lead to it, or it stands at the top and names need no import.
    fn may_name(&mut self, uses: &Uses<'_>, from: u32, to: SymbolId) -> bool {
        let family = uses.lookup.family(from);
        let is_open = !family.names_are_imported() && !is_member(uses.lookup.symbol(to).kind);
        from == to.file || is_open || self.leads(from, to.file)
    }

    fn leads(&mut self, from: u32, to: u32) -> bool {
        let imports = self.imports;
        let reached = self.known.entry(from).or_insert_with(|| {
            let mut reached = FxHashSet::default();
            let mut level = vec![from];
            for _ in 0..MAX_STEPS {
                let edges = level.iter().flat_map(|file| imports.imports(*file));
                let targets: Vec<u32> = edges.filter_map(|edge| edge.target).collect();
                level = targets
                    .into_iter()
                    .filter(|file| reached.insert(*file))
                    .collect();
            }
            reached
        });
        reached.contains(&to)
    }
}
