//! Which uses of a name mean a definition.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use whyrank_syntax::{Reference, ReferenceKind, Symbol, SymbolKind};

use crate::{
    imports::import_graph::ImportGraph,
    input::files::{FileInput, SymbolId},
    languages::Rules,
    references::{
        declaration_groups::{is_beside, is_same, namesakes_of},
        name_reach::{is_out_of_reach, own_type, set_name},
        new_names::NewNames,
    },
    resolution::{
        library_names::is_common,
        resolver::{Resolution, Resolver, UseSite},
        scope::Bound,
        symbol_table::SymbolTable,
    },
};

/// How sure it is that a use means the definition; the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Confidence {
    /// A compiler or type checker says so, in a SCIP index.
    Precise,
    /// Scope, import or type lead to it.
    Resolved,
    /// It was seen to call it while the program ran.
    Observed,
    /// It calls what the definition overrides or implements, so it may come here.
    Possible,
    /// Only this definition bears the name; nothing else speaks for it.
    NameOnly,
    /// Several definitions bear the name and nothing tells them apart.
    Ambiguous,
}

impl Confidence {
    /// Says whether it is more than a guess. What is counted, ranked or said of the code as a whole
    /// rests on certain uses alone; guesses are listed, last, and stop a definition from being called
    /// unused.
    pub fn is_certain(self) -> bool {
        self <= Self::Observed
    }
}

/// A use of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceHit {
    /// Index of the file in the view.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// How it is used.
    pub kind: ReferenceKind,
    /// The innermost symbol around it.
    pub enclosing: Option<SymbolId>,
    /// How sure it is.
    pub confidence: Confidence,
}

/// Finds the uses of the target definitions, by path and line.
///
/// Uses that scope, imports or types lead to another definition are left out, and so are the lines
/// of the definitions themselves. One hit for a line and kind. O(references of the view).
pub fn references(
    files: &[FileInput<'_>],
    graph: &ImportGraph,
    table: &SymbolTable,
    targets: &[SymbolId],
) -> Vec<ReferenceHit> {
    let resolver = Resolver::new(files, graph, table);
    let pairs = NewNames::pairs_of(files);
    let sought = Sought::new(&resolver, targets, &NewNames::of_pairs(&pairs));
    let mut found = hits_of(&resolver, &[sought]);
    found.pop().unwrap_or_default()
}

/// Finds the uses of each target by itself, as [`references`] does.
///
/// O(references of the view + files × targets).
pub fn references_of_each(
    files: &[FileInput<'_>],
    graph: &ImportGraph,
    table: &SymbolTable,
    targets: &[SymbolId],
) -> Vec<Vec<ReferenceHit>> {
    let resolver = Resolver::new(files, graph, table);
    let pairs = NewNames::pairs_of(files);
    let new_names = NewNames::of_pairs(&pairs);
    let of_one = |target: &SymbolId| Sought::new(&resolver, &[*target], &new_names);
    let sought: Vec<Sought<'_>> = targets.iter().map(of_one).collect();
    hits_of(&resolver, &sought)
}

/// The uses of each, by path and line.
fn hits_of<'a>(resolver: &Resolver<'a>, sought: &[Sought<'a>]) -> Vec<Vec<ReferenceHit>> {
    let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (at, one) in sought.iter().enumerate() {
        for name in &one.names {
            by_name.entry(name).or_default().push(at);
        }
    }
    let mut by_folded: FxHashMap<String, Vec<usize>> = FxHashMap::default();
    for (name, asked) in &by_name {
        let folded = by_folded.entry(name.to_lowercase()).or_default();
        folded.extend(asked);
    }
    let mut hits: Vec<Vec<ReferenceHit>> = vec![Vec::new(); sought.len()];
    for (file, input) in (0u32..).zip(resolver.files) {
        let aliases = sought.iter().map(|one| one.aliases(resolver, file));
        let aliases: Vec<_> = aliases
            .enumerate()
            .filter(|(_, names)| !names.is_empty())
            .collect();
        let impls: Vec<Reference> = input.symbols().iter().filter_map(impl_header).collect();
        for reference in input.facts().references.iter().chain(&impls) {
            let name = reference.name.as_str();
            let named = match resolver.rules[file as usize].calls_ignore_case {
                true => by_folded.get(&name.to_lowercase()),
                false => by_name.get(name),
            };
            let named = named.into_iter().flatten().copied();
            let by_alias = aliases
                .iter()
                .filter(|(at, names)| names.contains(name) && !sought[*at].names.contains(name))
                .map(|(at, _)| *at);
            for at in named.chain(by_alias) {
                if let Some(confidence) = sought[at].confidence(resolver, file, reference) {
                    hits[at].push(ReferenceHit {
                        file,
                        line: reference.line,
                        kind: reference.kind,
                        enclosing: reference.enclosing.map(|symbol| SymbolId { file, symbol }),
                        confidence,
                    });
                }
            }
        }
    }
    let path = |hit: &ReferenceHit| resolver.files[hit.file as usize].path;
    for hits in &mut hits {
        hits.sort_by(|a, b| {
            (path(a), a.line, a.kind, a.confidence).cmp(&(path(b), b.line, b.kind, b.confidence))
        });
        hits.dedup_by_key(|hit| (hit.file, hit.line, hit.kind));
    }
    hits
}

/// The definitions whose uses are wanted, overloads and reopenings included.
pub(crate) struct Sought<'a> {
    pub(crate) targets: FxHashSet<SymbolId>,
    pub(crate) names: FxHashSet<&'a str>,
    /// Overloads of the targets that are not wanted: a use that may mean one of them is not certain.
    pub(crate) beside: FxHashSet<SymbolId>,
    /// A target can stand after a dot.
    member_like: bool,
    /// Files that import a target's file, directly or through others.
    linked: OnceCell<FxHashSet<u32>>,
    /// The first target of each language.
    pub(super) first: FxHashMap<Rules, SymbolId>,
    /// A target is called by setting its name.
    pub(super) sets: bool,
    /// The type whose code alone can name the targets.
    pub(crate) own_type: Option<SymbolId>,
    /// File and qualified name of each target.
    qualified: OnceCell<FxHashSet<(u32, &'a str)>>,
}

impl<'a> Sought<'a> {
    /// `new_names` gives the names that imports give to a name.
    pub(crate) fn new(
        resolver: &Resolver<'a>,
        targets: &[SymbolId],
        new_names: &NewNames<'a>,
    ) -> Self {
        let known = |id: &&SymbolId| {
            let file = resolver.files.get(id.file as usize);
            file.is_some_and(|file| (id.symbol as usize) < file.symbols().len())
        };
        let mut given: Vec<SymbolId> = targets.iter().filter(known).copied().collect();
        if given
            .iter()
            .any(|id| resolver.symbol(*id).kind != SymbolKind::Impl)
        {
            given.retain(|id| resolver.symbol(*id).kind != SymbolKind::Impl);
        }
        let mut targets: FxHashSet<SymbolId> = given.iter().copied().collect();
        let mut beside: FxHashSet<SymbolId> = FxHashSet::default();
        for id in &given {
            for other in namesakes_of(resolver, *id) {
                if is_beside(resolver, *id, other) {
                    beside.insert(other);
                } else if is_same(resolver, *id, other) {
                    targets.insert(other);
                }
            }
        }
        beside.retain(|id| !targets.contains(id));
        let name_of = |id: &SymbolId| resolver.symbol(*id).name.as_str();
        let setters = given.iter().filter_map(|id| set_name(resolver, *id));
        let setters: Vec<&'a str> = setters.collect();
        Self {
            beside,
            sets: !setters.is_empty(),
            own_type: own_type(resolver, &given),
            names: new_names.of(given.iter().map(name_of).chain(setters)),
            member_like: given.iter().any(|id| resolver.is_member_like(*id)),
            linked: OnceCell::new(),
            first: first_by_family(resolver, &targets),
            qualified: OnceCell::new(),
            targets,
        }
    }

    /// Names that a file's imports give to a module that represents a target.
    fn aliases(&self, resolver: &Resolver<'a>, file: u32) -> FxHashSet<&'a str> {
        let bound = resolver.scope(file).bound.iter();
        bound
            .filter(|(local, bindings)| {
                bindings.iter().any(|binding| {
                    !matches!(binding.what, Bound::Name(_))
                        && self.is_default(resolver, &binding.files, local)
                })
            })
            .map(|(local, _)| *local)
            .collect()
    }

    fn is_default(&self, resolver: &Resolver<'a>, files: &[u32], local: &str) -> bool {
        files.iter().any(|file| {
            resolver.rules[*file as usize].modules_are_values
                && self.targets.iter().any(|target| target.file == *file)
                && resolver
                    .module_as_value(&[*file], local)
                    .iter()
                    .any(|id| self.targets.contains(id))
        })
    }

    /// Says whether a use is a part of a target's own line: of its head, or of a body beside it.
    pub(crate) fn is_own_line(
        &self,
        resolver: &Resolver<'a>,
        (file, line): (u32, u32),
        enclosing: Option<u32>,
    ) -> bool {
        // What is around a use lies in its file: of most files no definition has to be read.
        let first = enclosing
            .filter(|_| self.targets.iter().any(|target| target.file == file))
            .map(|symbol| SymbolId { file, symbol });
        let mut around = std::iter::successors(first, |id| resolver.parent(*id));
        around.any(|id| self.targets.contains(&id) && resolver.symbol(id).name_line == line)
    }

    /// Says whether a target's name stands on a line.
    pub(crate) fn is_definition(&self, resolver: &Resolver<'a>, file: u32, line: u32) -> bool {
        let here = |target: &SymbolId| target.file == file;
        let mut here = self.targets.iter().filter(|target| here(target));
        here.any(|target| resolver.symbol(*target).name_line == line)
    }

    /// How sure it is that a use means a target; `None` when it means something else.
    fn confidence(
        &self,
        resolver: &Resolver<'a>,
        file: u32,
        reference: &Reference,
    ) -> Option<Confidence> {
        if self.is_own_line(resolver, (file, reference.line), reference.enclosing) {
            return None;
        }
        if reference.kind == ReferenceKind::Mention {
            return self.by_name(resolver, file, reference);
        }
        let site = UseSite::of(file, reference);
        match resolver.reference(site, reference) {
            Resolution::Definitions(ids) | Resolution::Instances(ids) => {
                let is_open = ids.iter().any(|id| self.beside.contains(id));
                let is_it = ids.iter().any(|id| self.targets.contains(id));
                is_it.then_some(match is_open {
                    true => Confidence::Possible,
                    false => Confidence::Resolved,
                })
            }
            Resolution::Modules(files) => self
                .is_default(resolver, &files, &reference.name)
                .then_some(Confidence::Resolved),
            Resolution::External | Resolution::Elements(_) => None,
            Resolution::Unknown => self.by_name(resolver, file, reference),
        }
    }

    /// Scope and types say nothing: how many definitions could the name mean?
    fn by_name(
        &self,
        resolver: &Resolver<'a>,
        file: u32,
        reference: &Reference,
    ) -> Option<Confidence> {
        let is_unseen = |id: &SymbolId| {
            resolver.parent(*id).is_none()
                && resolver.extended_text(*id).is_some()
                && !resolver.sees_extension(file, *id, &reference.name)
        };
        if self.targets.iter().all(is_unseen) {
            return None;
        }
        let bare = reference.qualifier.is_empty();
        let named = NamedUse::new(resolver, file, &reference.name, bare, reference.kind);
        let names_type = |owner| {
            let mut references = resolver.files[file as usize].facts().references.iter();
            references.any(|reference| reference.name == resolver.symbol(owner).name)
        };
        let is_hidden =
            |own| is_out_of_reach(resolver, own, file, reference.enclosing, &names_type);
        if self.own_type.is_some_and(is_hidden) {
            return None;
        }
        let rivals = self.rivals(resolver, &named);
        self.by_rivals(resolver, file, &named, rivals)
    }

    /// Says whether a use sets what targets only read, or reads what they set.
    fn is_called_otherwise(&self, resolver: &Resolver<'a>, named: &NamedUse<'_>) -> bool {
        if !named.rules.setters_have_names || named.bare || named.mention {
            return false;
        }
        let is_set = named.kind == ReferenceKind::Write;
        let first = self.first.get(&named.rules);
        let kind = first.map(|first| resolver.symbol(*first).kind);
        is_set != self.sets && kind != Some(SymbolKind::Property)
    }

    /// The confidence of a use that only its name speaks for.
    pub(crate) fn by_rivals(
        &self,
        resolver: &Resolver<'a>,
        file: u32,
        named: &NamedUse<'_>,
        rivals: Rivals,
    ) -> Option<Confidence> {
        if self.is_called_otherwise(resolver, named) {
            return None;
        }
        match rivals {
            Rivals::NoTarget => return None,
            Rivals::Some => return Some(Confidence::Ambiguous),
            Rivals::None => {}
        }
        if !named.bare && !named.mention && is_common(named.rules, named.name) {
            return Some(Confidence::Ambiguous);
        }
        let reaching = || resolver.reaching(self.targets.iter().map(|id| id.file));
        let is_linked = || self.linked.get_or_init(reaching).contains(&file);
        Some(if self.is_named_by(resolver, named, is_linked) {
            Confidence::Resolved
        } else {
            Confidence::NameOnly
        })
    }

    /// Says whether the only definition of a name is meant where scope and types are silent.
    ///
    /// A member is not: of unknown receivers whose type is known otherwise, every second to last is of
    /// a library (`.trim()`, `.query()`), and a bare name that only a member bears is a local. Neither is
    /// what a value is read from, for locals have such names.
    pub(crate) fn is_named_by(
        &self,
        resolver: &Resolver<'a>,
        named: &NamedUse<'_>,
        is_linked: impl Fn() -> bool,
    ) -> bool {
        let Some(target) = self.first.get(&named.rules) else {
            return false;
        };
        let is_of_tests = named.shipped && resolver.table.is_non_production(target.file);
        if named.mention
            || !named.bare
            || named.lost
            || resolver.is_member_like(*target)
            || is_of_tests
        {
            return false;
        }
        // Where its owner has no meaning, a bare name may be a library's.
        if resolver.is_inner_type(*target) {
            return false;
        }
        let kind = resolver.symbol(*target).kind;
        let is_function = matches!(kind, SymbolKind::Function | SymbolKind::Macro);
        let is_type = kind.has_members();
        let fits = match named.kind {
            ReferenceKind::Call | ReferenceKind::Decorator => is_function || is_type,
            ReferenceKind::Type | ReferenceKind::Inherit => is_type,
            _ => is_type || kind == SymbolKind::Macro,
        };
        // A linker finds a function, a namespace a type, whichever file has it.
        let rules = named.rules;
        let needs_no_import = rules.functions_are_linked && kind == SymbolKind::Function
            || rules.types_are_linked && is_type;
        fits && (needs_no_import || is_linked())
    }

    /// Says whether a name could mean a target, and whether it could mean something else as well.
    pub(crate) fn rivals(&self, resolver: &Resolver<'a>, named: &NamedUse<'_>) -> Rivals {
        let NamedUse {
            rules,
            bare,
            mention,
            shipped,
            name,
            ..
        } = *named;
        let of_family = |id: &&SymbolId| resolver.rules[id.file as usize] == rules;
        let Some(target) = self.first.get(&rules) else {
            return Rivals::NoTarget;
        };
        let is_macro = resolver.symbol(*target).kind == SymbolKind::Macro;
        if bare && rules.names_are_imported && !is_macro && !mention && !named.lost {
            return Rivals::NoTarget;
        }
        if !bare && !self.member_like && !mention {
            return Rivals::NoTarget;
        }
        let fits = |id: &&SymbolId| bare || mention || resolver.is_member_like(**id);
        // What is shipped does not use what tests define.
        let in_reach = |id: &&SymbolId| {
            !(shipped && resolver.table.is_non_production(id.file)) || self.targets.contains(*id)
        };
        let place = |id: &SymbolId| (id.file, resolver.symbol(*id).qualified.as_str());
        let places = || self.targets.iter().map(place).collect();
        let is_target = |id: &&SymbolId| {
            let places = self.qualified.get_or_init(places);
            self.targets.contains(*id) || places.contains(&place(id))
        };
        let mut candidates = resolver.table.named(name).iter().filter(of_family);
        if candidates.any(|id| fits(&id) && !is_target(&id) && in_reach(&id)) {
            Rivals::Some
        } else {
            Rivals::None
        }
    }
}

fn first_by_family(
    resolver: &Resolver<'_>,
    targets: &FxHashSet<SymbolId>,
) -> FxHashMap<Rules, SymbolId> {
    let mut first: FxHashMap<Rules, SymbolId> = FxHashMap::default();
    for id in targets {
        let known = first.entry(resolver.rules[id.file as usize]).or_insert(*id);
        *known = (*known).min(*id);
    }
    first
}

/// A use that only its name speaks for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct NamedUse<'n> {
    pub(crate) rules: Rules,
    pub(super) bare: bool,
    pub(super) mention: bool,
    shipped: bool,
    /// An import gives the name that leads to no file of the view, and should.
    lost: bool,
    pub(super) kind: ReferenceKind,
    pub(crate) name: &'n str,
}

impl<'n> NamedUse<'n> {
    /// `bare`: nothing stands before the name.
    pub(crate) fn new(
        resolver: &Resolver<'_>,
        file: u32,
        name: &'n str,
        bare: bool,
        kind: ReferenceKind,
    ) -> Self {
        Self {
            rules: resolver.rules[file as usize],
            bare,
            mention: kind == ReferenceKind::Mention,
            shipped: !resolver.table.is_non_production(file),
            lost: bare
                && resolver.rules[file as usize].names_are_imported
                && resolver.scope(file).is_lost(name),
            kind,
            name,
        }
    }

    /// All but the name.
    pub(crate) fn of_any_name(&self) -> NamedUse<'static> {
        NamedUse { name: "", ..*self }
    }
}

/// Other definitions that a name could mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rivals {
    /// It cannot even mean a target.
    NoTarget,
    None,
    Some,
}

/// `impl Type` uses the type that it is for.
pub(crate) fn impl_header(symbol: &Symbol) -> Option<Reference> {
    (symbol.kind == SymbolKind::Impl).then(|| Reference {
        name: symbol.name.clone(),
        qualifier: String::new(),
        kind: ReferenceKind::Type,
        line: symbol.name_line,
        column: 0,
        enclosing: symbol.parent,
        arguments: None,
    })
}
