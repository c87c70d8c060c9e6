//! Every settled use of a view, ordered by what is used and by who uses.

use whyrank_syntax::ReferenceKind;

use crate::{
    input::files::SymbolId,
    references::{find_references::Confidence, reference_query::ReferenceQuery},
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
    pub fn new(uses: &ReferenceQuery<'_>) -> Self {
        let mut made = Self::default();
        for (file, input) in (0u32..).zip(uses.resolver.files) {
            made.first.push(made.offsets.len() as u32);
            for symbol in 0..input.symbols().len() as u32 {
                made.offsets.push(made.links.len() as u32);
                made.add(uses, SymbolId { file, symbol });
            }
        }
        made.offsets.push(made.links.len() as u32);
        made
    }

    fn add(&mut self, uses: &ReferenceQuery<'_>, to: SymbolId) {
        for hit in uses.settled(&[to]) {
            if hit.enclosing == Some(to) || uses.impl_at(&hit).is_some() {
                continue;
            }
            self.links.push(SettledUse {
                file: hit.file,
                from: hit.enclosing,
                to,
                line: hit.line,
                kind: hit.kind,
                confidence: hit.confidence,
            });
        }
    }

    /// Returns all uses, by the definition used.
    pub fn all(&self) -> &[SettledUse] {
        &self.links
    }

    /// Returns the uses of a definition by path and line.
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

    /// Returns the definitions and files that use a definition, each once; files that `counts`
    /// refuses and uses that are guesses are left out.
    pub fn n_callers(&self, id: SymbolId, counts: &dyn Fn(u32) -> bool) -> usize {
        let certain = self
            .to(id)
            .iter()
            .filter(|link| link.confidence.is_certain() && counts(link.file));
        let mut callers: Vec<(u32, Option<SymbolId>)> =
            certain.map(|link| (link.file, link.from)).collect();
        callers.sort_unstable();
        callers.dedup();
        callers.len()
    }
}
