//! The names of one file, each with what it means there.

use rustc_hash::{FxHashMap, FxHashSet};
use whyrank_syntax::{Reference, ReferenceKind};

use crate::{
    input::files::SymbolId,
    references::{
        declaration_groups::{is_beside, is_same},
        file_resolution::meant,
        find_references::{Confidence, NamedUse, Sought, impl_header},
        name_reach::is_out_of_reach,
        reference_query::ReferenceQuery,
        scip_overlay::FileCover,
    },
};

/// Definitions that a name by itself may mean, above which it is not said to mean any.
const MOST_GUESSES: usize = 8;
/// Definitions of a name that are looked at for that.
const MOST_NAMESAKES: usize = 64;

/// A name in a file, and the definitions that it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameInFile {
    /// The name as it is written.
    pub name: String,
    /// Line, from 1.
    pub line: u32,
    /// Byte column in the line, from 0; of the head of an `impl` block it is not known.
    pub column: Option<u32>,
    /// The definitions, one at least.
    pub targets: Vec<SymbolId>,
    /// Certainty that it means them.
    pub confidence: Confidence,
    /// Kind of the use.
    pub kind: ReferenceKind,
}

/// Definitions, and how sure it is that they are meant.
type Meaning = (Vec<SymbolId>, Confidence);
/// The same of each name that only itself speaks for, by what is around it.
type Guesses<'a> = FxHashMap<(NamedUse<'a>, Option<u32>), Option<Meaning>>;

impl<'a> ReferenceQuery<'a> {
    /// Returns what the names of a file mean, in the order of its facts; those that lead nowhere in the view are left
    /// out.
    ///
    /// Unlike other questions it resolves the file anew, since what is kept of a use is its line alone: the file's
    /// references must be among the facts. O(references of the file).
    pub fn names_in(&self, file: u32) -> Vec<NameInFile> {
        let resolver = &self.resolver;
        let input = &resolver.files[file as usize];
        let cover = self.precise.and_then(|precise| precise.cover_of(file));
        let heads: Vec<Reference> = input.symbols().iter().filter_map(impl_header).collect();
        let heads = heads.iter().map(|head| (None, head));
        let uses = input.facts().references.iter();
        let uses = uses.map(|one| (Some(one.column), one));
        let mut guesses: Guesses<'a> = FxHashMap::default();
        let mut names = Vec::new();
        for (column, reference) in uses.chain(heads) {
            let said = cover.as_ref().and_then(|cover| self.said(cover, reference));
            let meaning =
                said.or_else(|| self.named_in(file, reference, &mut guesses, cover.as_ref()));
            let meaning = meaning.filter(|(targets, _)| !targets.is_empty());
            names.extend(meaning.map(|(targets, confidence)| NameInFile {
                name: reference.name.clone(),
                line: reference.line,
                column,
                targets,
                confidence,
                kind: reference.kind,
            }));
        }
        names
    }

    /// The definitions that a compiler's index leads a use to; `None` where it says nothing of it.
    fn said(&self, cover: &FileCover<'_>, reference: &Reference) -> Option<Meaning> {
        let ids = cover.leads(reference)?;
        let bears = |id: &SymbolId| self.resolver.symbol(*id).name == reference.name;
        let mut own: Vec<SymbolId> = ids.iter().copied().filter(bears).collect();
        if own.is_empty() {
            own = ids.to_vec();
        }
        own.sort_unstable();
        own.dedup();
        Some((own, Confidence::Precise))
    }

    fn named_in(
        &self,
        file: u32,
        reference: &Reference,
        guesses: &mut Guesses<'a>,
        cover: Option<&FileCover<'_>>,
    ) -> Option<Meaning> {
        let resolver = &self.resolver;
        let settled = match reference.kind {
            ReferenceKind::Mention => None,
            _ => meant(resolver, &self.new_names, file, reference),
        };
        let (mut targets, confidence) = match settled {
            Some(ids) => {
                let confidence = self.confidence_among(&ids);
                (ids, confidence)
            }
            None => {
                let name = self.spelled(file, &reference.name)?;
                let bare = reference.qualifier.is_empty();
                let name = NamedUse::new(resolver, file, name, bare, reference.kind);
                let guess = guesses.entry((name, reference.enclosing));
                guess
                    .or_insert_with(|| self.guess(file, &name, reference.enclosing))
                    .clone()?
            }
        };
        // Of files that the index covers it would know.
        if cover.is_some_and(|cover| cover.is_outside(reference)) {
            let precise = self.precise?;
            targets.retain(|id| !precise.covers(id.file));
        }
        Some((targets, confidence))
    }

    /// The name of a use, as long as the view: a file that defines it has it as well.
    fn spelled(&self, file: u32, name: &str) -> Option<&'a str> {
        let resolver = &self.resolver;
        let rules = resolver.rules(file);
        let first = resolver.table.named(name).iter();
        let mut first = first.filter(|id| resolver.rules(id.file) == rules);
        Some(resolver.symbol(*first.next()?).name.as_str())
    }

    /// A call that may mean one of several overloads means none of them for sure.
    fn confidence_among(&self, ids: &[SymbolId]) -> Confidence {
        let Some((first, others)) = ids.split_first() else {
            return Confidence::Resolved;
        };
        let is_open = |other: &SymbolId| is_beside(&self.resolver, *first, *other);
        match others.iter().take(MOST_NAMESAKES).any(is_open) {
            true => Confidence::Possible,
            false => Confidence::Resolved,
        }
    }

    /// The definitions that a name may mean where scope and types say nothing, if they are few.
    fn guess(&self, file: u32, name: &NamedUse<'_>, enclosing: Option<u32>) -> Option<Meaning> {
        let resolver = &self.resolver;
        let of_family = |id: &&SymbolId| resolver.rules(id.file) == name.rules;
        let all = resolver.table.named(name.name).iter();
        let all: Vec<SymbolId> = all.filter(of_family).copied().collect();
        if all.is_empty() || all.len() > MOST_NAMESAKES {
            return None;
        }
        let references = &resolver.files[file as usize].facts().references;
        let names_type = |owner: SymbolId| {
            let own = &resolver.symbol(owner).name;
            references.iter().any(|reference| reference.name == *own)
        };
        let mut seen: FxHashSet<SymbolId> = FxHashSet::default();
        let mut meant: Vec<(SymbolId, Confidence)> = Vec::new();
        for id in all {
            if seen.contains(&id) {
                continue;
            }
            let sought = Sought::new(resolver, &[id], &self.new_names);
            seen.extend(&sought.targets);
            let is_hidden = |own| is_out_of_reach(resolver, own, file, enclosing, &names_type);
            if sought.own_type.is_some_and(is_hidden) {
                continue;
            }
            let rivals = sought.rivals(resolver, name);
            let confidence = sought.by_rivals(resolver, file, name, rivals);
            meant.extend(confidence.map(|confidence| (id, confidence)));
        }
        let worst = meant.iter().map(|(_, confidence)| *confidence).max()?;
        let confidence = match meant.len() {
            1 => worst,
            _ => Confidence::Ambiguous,
        };
        let is_few = meant.len() <= MOST_GUESSES;
        is_few.then(|| (meant.into_iter().map(|(id, _)| id).collect(), confidence))
    }

    /// Returns the definitions among some that are not one with an earlier of them: of overloads and of a declaration
    /// with its body the first.
    pub fn apart(&self, ids: &[SymbolId]) -> Vec<SymbolId> {
        let mut apart: Vec<SymbolId> = Vec::new();
        for id in ids {
            if !apart.iter().any(|one| is_same(&self.resolver, *one, *id)) {
                apart.push(*id);
            }
        }
        apart
    }
}
