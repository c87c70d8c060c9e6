//! What every use in a view means, worked out once, so that many definitions can be asked about.
//!
//! [`UseGraph`] owns what it knows and can be kept; [`Uses`] reads it together with the view that it
//! was made from. It gives for any definition what [`crate::references`] gives.

use std::collections::{HashMap, HashSet};

use whyrank_syntax::{Reference, ReferenceKind, SymbolKind};

use crate::{
    family::Family,
    import_graph::ImportGraph,
    input::{FileInput, SymbolId},
    lookup::{Lookup, Meaning, Site},
    references::{
        Confidence, NamedUse, NewNames, ReferenceHit, Rivals, Sought, impl_header, is_same,
    },
    scope::Bound,
    symbol_table::SymbolTable,
};

/// The uses of a view and what they mean.
#[derive(Clone, Debug, Default)]
pub struct UseGraph {
    uses: Vec<Use>,
    /// Uses that scope, imports or types lead to a definition.
    resolved: HashMap<SymbolId, Vec<u32>>,
    /// Uses that only their name speaks for.
    open: HashMap<String, Vec<u32>>,
}

#[derive(Clone, Copy, Debug)]
struct Use {
    file: u32,
    line: u32,
    kind: ReferenceKind,
    enclosing: Option<u32>,
    /// Index of the reference in the file's facts; none for the head of an `impl`.
    reference: Option<u32>,
}

impl UseGraph {
    /// Works out all uses. O(references of the view).
    pub fn new(files: &[FileInput<'_>], graph: &ImportGraph, table: &SymbolTable) -> Self {
        let lookup = Lookup::new(files, graph, table);
        let new_names = NewNames::read(files);
        let mut found = Self::default();
        for (file, input) in (0u32..).zip(files) {
            let impls: Vec<Reference> =
                input.facts.symbols.iter().filter_map(impl_header).collect();
            let references = (0u32..).map(Some).zip(&input.facts.references);
            for (idx, reference) in references.chain(impls.iter().map(|head| (None, head))) {
                found.add(&lookup, &new_names, (file, idx), reference);
            }
        }
        found
    }

    fn add(
        &mut self,
        lookup: &Lookup<'_>,
        new_names: &NewNames<'_>,
        (file, idx): (u32, Option<u32>),
        reference: &Reference,
    ) {
        let meant = match reference.kind {
            ReferenceKind::Mention => None,
            _ => meant(lookup, new_names, file, reference),
        };
        let at = self.uses.len() as u32;
        match meant {
            Some(ids) if ids.is_empty() => return,
            Some(ids) => {
                for id in ids {
                    self.resolved.entry(id).or_default().push(at);
                }
            }
            None if idx.is_none() => return,
            None => {
                let uses = self.open.entry(reference.name.clone()).or_default();
                uses.push(at);
            }
        }
        self.uses.push(Use {
            file,
            line: reference.line,
            kind: reference.kind,
            enclosing: reference.enclosing,
            reference: idx,
        });
    }
}

/// A use, seen as an edge from the definition around it.
#[derive(Clone, Copy, Debug)]
pub struct UseEdge<'a> {
    /// The file of the use.
    pub file: u32,
    /// The definition around it; none for code that runs when the file is loaded.
    pub enclosing: Option<u32>,
    /// Where it leads.
    pub target: Meant<'a>,
    /// What it does.
    pub kind: ReferenceKind,
}

/// Where a use leads.
#[derive(Clone, Copy, Debug)]
pub enum Meant<'a> {
    /// To this definition, by scope, imports or types.
    Definition(SymbolId),
    /// To a definition of this name: nothing else speaks.
    Name(&'a str),
}

impl UseGraph {
    /// All uses with where they lead, in no particular order; one that may mean several definitions
    /// comes once for each.
    pub fn edges(&self) -> impl Iterator<Item = UseEdge<'_>> {
        let edge = |at: &u32, target| {
            let found = self.uses[*at as usize];
            UseEdge {
                file: found.file,
                enclosing: found.enclosing,
                target,
                kind: found.kind,
            }
        };
        let resolved = self.resolved.iter().flat_map(move |(id, uses)| {
            uses.iter().map(move |at| edge(at, Meant::Definition(*id)))
        });
        let open = self
            .open
            .iter()
            .flat_map(move |(name, uses)| uses.iter().map(move |at| edge(at, Meant::Name(name))));
        resolved.chain(open)
    }
}

/// The definitions that a use leads to; `None` where only its name speaks.
fn meant(
    lookup: &Lookup<'_>,
    new_names: &NewNames<'_>,
    file: u32,
    reference: &Reference,
) -> Option<HashSet<SymbolId>> {
    let name = reference.name.as_str();
    let site = Site {
        file,
        enclosing: reference.enclosing,
    };
    let found = match lookup.reference(site, reference) {
        Meaning::Unknown => return None,
        Meaning::External => Vec::new(),
        Meaning::Definitions(ids) | Meaning::Instances(ids) => ids,
        Meaning::Modules(files) => {
            let as_value = |file: &&u32| {
                let family = lookup.families[**file as usize];
                matches!(family, Family::Script | Family::Lua)
            };
            let files: Vec<u32> = files.iter().filter(as_value).copied().collect();
            lookup.default_of(&files, name)
        }
    };
    let bears_name = |id: &SymbolId| {
        let own = lookup.symbol(*id).name.as_str();
        own == name
            || new_names.of(std::iter::once(own)).contains(name)
            || stands_for(lookup, file, name, *id)
    };
    Some(found.into_iter().filter(bears_name).collect())
}

/// Says whether a file binds a name to the module whose value is a definition.
fn stands_for(lookup: &Lookup<'_>, file: u32, local: &str, id: SymbolId) -> bool {
    let bindings = lookup.scope(file).bound.get(local).into_iter().flatten();
    bindings
        .filter(|binding| !matches!(binding.what, Bound::Name(_)))
        .any(|binding| {
            binding.files.contains(&id.file) && lookup.default_of(&[id.file], local).contains(&id)
        })
}

/// A view with its uses, to be asked.
pub struct Uses<'a> {
    pub(crate) lookup: Lookup<'a>,
    known: &'a UseGraph,
    new_names: NewNames<'a>,
}

impl<'a> Uses<'a> {
    /// `known` must come from the same files.
    pub fn new(
        files: &'a [FileInput<'a>],
        graph: &'a ImportGraph,
        table: &'a SymbolTable,
        known: &'a UseGraph,
    ) -> Self {
        Self {
            lookup: Lookup::new(files, graph, table),
            known,
            new_names: NewNames::read(files),
        }
    }

    /// All uses of the targets by path and line, as [`crate::references`] finds them.
    pub fn all(&self, targets: &[SymbolId]) -> Vec<ReferenceHit> {
        let lookup = &self.lookup;
        let sought = Sought::new(lookup, targets, &self.new_names);
        let mut hits: Vec<ReferenceHit> = Vec::new();
        let mut seen: HashSet<u32> = HashSet::new();
        for target in &sought.targets {
            let uses = self.known.resolved.get(target).into_iter().flatten();
            for at in uses.filter(|at| seen.insert(**at)) {
                hits.extend(self.hit(&sought, *at, Confidence::Resolved));
            }
        }
        let mut rivals: HashMap<NamedUse<'_>, Rivals> = HashMap::new();
        for name in &sought.names {
            for at in self.known.open.get(*name).into_iter().flatten() {
                let found = self.known.uses[*at as usize];
                let Some(reference) = self.reference(found) else {
                    continue;
                };
                let named = NamedUse::new(lookup, found.file, reference);
                let rivals = *rivals
                    .entry(named)
                    .or_insert_with(|| sought.rivals(lookup, &named));
                let confidence = sought.by_rivals(lookup, found.file, reference, rivals);
                hits.extend(confidence.and_then(|sure| self.hit(&sought, *at, sure)));
            }
        }
        let path = |hit: &ReferenceHit| lookup.files[hit.file as usize].path;
        hits.sort_by(|a, b| {
            (path(a), a.line, a.kind, a.confidence).cmp(&(path(b), b.line, b.kind, b.confidence))
        });
        hits.dedup_by_key(|hit| (hit.file, hit.line, hit.kind));
        hits
    }

    /// The uses of the targets other than imports, ambiguous ones left out where others are settled.
    pub fn settled(&self, targets: &[SymbolId]) -> Vec<ReferenceHit> {
        let mut hits = self.all(targets);
        if hits
            .iter()
            .any(|hit| hit.confidence != Confidence::Ambiguous)
        {
            hits.retain(|hit| hit.confidence != Confidence::Ambiguous);
        }
        hits.retain(|hit| !is_naming(hit.kind));
        hits
    }

    /// The definition with all that is one with it: overloads, a declaration and its body.
    pub(crate) fn same(&self, id: SymbolId) -> Vec<SymbolId> {
        let name = &self.lookup.symbol(id).name;
        let named = self.lookup.table.named(name).iter().copied();
        let same = named.filter(|other| *other == id || is_same(&self.lookup, id, *other));
        same.collect()
    }

    /// Says whether a use lies in one of these definitions.
    pub(crate) fn lies_in(&self, hit: &ReferenceHit, targets: &[SymbolId]) -> bool {
        let mut at = hit.enclosing;
        while let Some(id) = at {
            if targets.contains(&id) {
                return true;
            }
            at = self.lookup.parent(id);
        }
        false
    }

    /// The `impl` block whose head a use is: a part of the type, not a use of it.
    pub(crate) fn impl_at(&self, hit: &ReferenceHit) -> Option<SymbolId> {
        if hit.kind != ReferenceKind::Type || self.lookup.family(hit.file) != Family::Rust {
            return None;
        }
        let symbols = (0u32..).zip(&self.lookup.files[hit.file as usize].facts.symbols);
        let mut blocks = symbols.filter(|(_, symbol)| symbol.kind == SymbolKind::Impl);
        let (symbol, _) = blocks.find(|(_, symbol)| symbol.name_line == hit.line)?;
        let file = hit.file;
        Some(SymbolId { file, symbol })
    }

    /// Says whether an index is one of a definition in the view.
    pub(crate) fn has(&self, id: SymbolId) -> bool {
        let file = self.lookup.files.get(id.file as usize);
        file.is_some_and(|file| (id.symbol as usize) < file.facts.symbols.len())
    }

    /// All definitions of the view that are code.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = SymbolId> + '_ {
        let files = (0u32..).zip(self.lookup.files);
        files.flat_map(|(file, input)| {
            let symbols = (0u32..).zip(&input.facts.symbols);
            symbols
                .filter(|(_, symbol)| symbol.kind != SymbolKind::Section)
                .map(move |(symbol, _)| SymbolId { file, symbol })
        })
    }

    fn reference(&self, found: Use) -> Option<&'a Reference> {
        let facts = self.lookup.files[found.file as usize].facts;
        facts.references.get(found.reference? as usize)
    }

    fn hit(&self, sought: &Sought<'a>, at: u32, confidence: Confidence) -> Option<ReferenceHit> {
        let found = self.known.uses[at as usize];
        let file = found.file;
        (!sought.is_definition(&self.lookup, file, found.line)).then(|| ReferenceHit {
            file,
            line: found.line,
            kind: found.kind,
            enclosing: found.enclosing.map(|symbol| SymbolId { file, symbol }),
            confidence,
        })
    }
}

/// Passes a name on without using what it stands for.
pub(crate) fn is_naming(kind: ReferenceKind) -> bool {
    matches!(
        kind,
        ReferenceKind::Import | ReferenceKind::ReExport | ReferenceKind::Mention
    )
}
