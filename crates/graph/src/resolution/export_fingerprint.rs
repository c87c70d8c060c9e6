//! What a file shows to others, as digests: comparing two of them gives the look-ups that a change
//! of the file can answer in another way ([`crate::resolution::dependency_tracking`]).

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use serde::{Deserialize, Serialize};
use whyrank_syntax::{FileFacts, HintKind, Reference, ReferenceKind, SET, SymbolKind};

use crate::{
    input::{
        files::{FileInput, SymbolId},
        paths,
    },
    languages::LanguageRules,
    resolution::{
        dependency_tracking::{LookupKind, SHARED_SPACES, key, name_key, text_key},
        resolver::Resolver,
        special_methods::decorators_of,
        top_level::{exports_by_name, only_export},
    },
};

/// Symbols deeper than this below others are told apart by these alone.
const MAX_ANCESTORS: usize = 32;

/// The digests of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileFingerprint {
    /// One for each definition, in order.
    pub(crate) symbols: Vec<SymbolFingerprint>,
    /// Fields that methods set: the name of a type around, the field's, what is said of it.
    fields: Vec<(u32, u32, u64)>,
    /// What imports bind, by name.
    bound: Vec<(u32, u64)>,
    pub(crate) opened: u64,
    exports: u64,
    package: u64,
    /// As a module of its folder: the key of the look-up that finds it.
    module: u32,
    /// What it opens for all files; 0 for nothing.
    shared: u64,
}

/// A definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SymbolFingerprint {
    name: u32,
    /// The symbol around it and the name before its own: seldom two.
    owners: [u32; 2],
    /// All that a use can depend on: itself, its heritage and what is around it; not where it stands.
    pub(crate) shape: u64,
}

impl FileFingerprint {
    /// `marks` are those of [`crate::resolution::dependency_tracking::RecordedLookups::of`].
    pub(crate) fn new(resolver: &Resolver<'_>, marks: &[u64], file: u32) -> Self {
        let input = &resolver.files[file as usize];
        let scope = resolver.scope(file);
        let marks_of = |files: &[u32]| -> Vec<u64> {
            files.iter().map(|file| marks[*file as usize]).collect()
        };
        let mut bound: Vec<(u32, u64)> = Vec::with_capacity(scope.bound.len());
        for (name, bindings) in &scope.bound {
            let what = bindings
                .iter()
                .map(|binding| (marks_of(&binding.files), binding.what))
                .collect::<Vec<_>>();
            bound.push((name_key(name), digest(&(name, what))));
        }
        bound.sort_unstable();
        let by_name = scope.passed_by_name.iter();
        let mut by_name: Vec<(&str, Vec<u64>)> = by_name
            .map(|(name, files)| (*name, marks_of(files)))
            .collect();
        by_name.sort_unstable();
        let opened = (
            marks_of(&scope.open),
            marks_of(&scope.passed_on),
            by_name,
            &scope.left_out,
            scope.open_external,
            scope.bound.is_empty(),
            resolver.is_plain(file),
        );
        let owner = |symbol| resolver.table.owner(SymbolId { file, symbol });
        let symbols = symbol_fingerprints(input.language, input.facts(), &owner);
        let only = only_export(input.symbols());
        Self {
            bound,
            opened: digest(&opened),
            exports: digest(&(
                only.map_or(0, |only| symbols[only as usize].shape),
                default_of(input.facts()),
                exports_by_name(input.symbols()),
            )),
            fields: fields(input.facts(), &symbols),
            package: resolver.graph.packages().key(file),
            module: module_key(input.path),
            shared: shared(input),
            symbols,
        }
    }

    /// Adds the keys of all look-ups that a file answers in another way than before.
    pub(crate) fn changes(
        mark: u64,
        before: Option<&Self>,
        now: Option<&Self>,
        changed: &mut FxHashSet<u32>,
    ) {
        let (before, now) = (answers(mark, before), answers(mark, now));
        let differ = |(key, value): &(&u32, &u64), other: &FxHashMap<u32, u64>| {
            other.get(key).is_none_or(|found| found != *value)
        };
        changed.extend(
            before
                .iter()
                .filter(|entry| differ(entry, &now))
                .map(|(key, _)| *key),
        );
        changed.extend(
            now.iter()
                .filter(|entry| differ(entry, &before))
                .map(|(key, _)| *key),
        );
    }
}

/// The look-ups that a file has a part in, with a digest of that part.
fn answers(mark: u64, fingerprint: Option<&FileFingerprint>) -> FxHashMap<u32, u64> {
    let mut answers: FxHashMap<u32, u64> = FxHashMap::default();
    let Some(fingerprint) = fingerprint else {
        return answers;
    };
    let mut add = |key: u32, value: u64| {
        let sum = answers.entry(key).or_insert(0);
        *sum = digest(&(*sum, value));
    };
    for print in &fingerprint.symbols {
        let SymbolFingerprint {
            name,
            owners,
            shape,
        } = *print;
        add(key(LookupKind::InFile, mark, name), shape);
        add(key(LookupKind::Anywhere, 0, name), shape);
        add(key(LookupKind::Package, fingerprint.package, name), shape);
        add(key(LookupKind::Member, owners[0].into(), name), shape);
        if owners[1] != owners[0] {
            add(key(LookupKind::Member, owners[1].into(), name), shape);
        }
    }
    for (owner, name, value) in &fingerprint.fields {
        add(key(LookupKind::Member, (*owner).into(), *name), *value);
    }
    for (name, value) in &fingerprint.bound {
        add(key(LookupKind::InFile, mark, *name), *value);
    }
    add(key(LookupKind::Opened, mark, 0), fingerprint.opened);
    add(key(LookupKind::Exports, mark, 0), fingerprint.exports);
    add(fingerprint.module, 1);
    if fingerprint.shared != 0 {
        add(
            key(LookupKind::Anywhere, 0, name_key(SHARED_SPACES)),
            fingerprint.shared,
        );
    }
    answers
}

fn shared(input: &FileInput<'_>) -> u64 {
    let spaces = (LanguageRules::of(input.language).shared_spaces)(input.facts());
    if spaces.is_empty() {
        0
    } else {
        digest(&spaces)
    }
}

fn symbol_fingerprints<'a>(
    language: &str,
    facts: &FileFacts,
    owner: &dyn Fn(u32) -> Option<&'a str>,
) -> Vec<SymbolFingerprint> {
    let symbols = &facts.symbols;
    let mut heritage: FxHashMap<u32, Vec<(&str, &str)>> = FxHashMap::default();
    let mut of_impls: FxHashMap<&str, Vec<(&str, &str)>> = FxHashMap::default();
    let is_base = |kind| kind == ReferenceKind::Inherit;
    for base in facts.references.iter().filter(|base| is_base(base.kind)) {
        let Some((at, around)) = base
            .enclosing
            .and_then(|at| Some((at, symbols.get(at as usize)?)))
        else {
            continue;
        };
        let named = (base.qualifier.as_str(), base.name.as_str());
        heritage.entry(at).or_default().push(named);
        if around.kind == SymbolKind::Impl {
            of_impls.entry(&around.name).or_default().push(named);
        }
    }
    let (returns, settings) = (returns(facts), settings(facts));
    let decorators = facts.references.iter();
    let decorators: Vec<&Reference> = decorators
        .filter(|reference| reference.kind == ReferenceKind::Decorator)
        .collect();
    let own: Vec<u64> = (0u32..)
        .zip(symbols)
        .map(|(at, symbol)| {
            let bases = (heritage.get(&at), of_impls.get(symbol.name.as_str()));
            let head = (
                &symbol.name,
                &symbol.qualified,
                symbol.kind,
                &symbol.signature,
            );
            let marks = decorators_of(&decorators, symbol).iter();
            let marks: Vec<(&str, &str)> = marks
                .map(|mark| (mark.qualifier.as_str(), mark.name.as_str()))
                .collect();
            let said = (returns.get(&at), settings.get(symbol.name.as_str()), marks);
            digest(&(language, head, symbol.exported, bases, said))
        })
        .collect();
    let parent = |at: &u32| symbols.get(*at as usize)?.parent;
    let owners = |at: u32| {
        let symbol = &symbols[at as usize];
        let around = symbol
            .parent
            .and_then(|parent| symbols.get(parent as usize));
        let around = around.map_or(0, |around| name_key(&around.name));
        [around, owner(at).map_or(around, name_key)]
    };
    let print = |(at, symbol): (u32, &whyrank_syntax::Symbol)| {
        let around = std::iter::successors(Some(at), parent).take(MAX_ANCESTORS);
        let around: Vec<u64> = around
            .filter_map(|at| own.get(at as usize).copied())
            .collect();
        SymbolFingerprint {
            name: name_key(&symbol.name),
            owners: owners(at),
            shape: digest(&around),
        }
    };
    (0u32..).zip(symbols).map(print).collect()
}

/// What functions return whose heads do not say it, with the locals that it may rest on.
fn returns(facts: &FileFacts) -> FxHashMap<u32, Vec<(&str, HintKind, &str)>> {
    let mut returns: FxHashMap<u32, Vec<(&str, HintKind, &str)>> = FxHashMap::default();
    for local in facts.locals.iter().filter(|local| local.name == "return") {
        returns.extend(local.enclosing.map(|at| (at, Vec::new())));
    }
    for local in &facts.locals {
        if let Some(said) = local.enclosing.and_then(|at| returns.get_mut(&at)) {
            said.push((&local.name, local.kind, &local.text));
        }
    }
    returns
}

/// The values that variables are set to beside the lines that define them, by name.
fn settings(facts: &FileFacts) -> FxHashMap<&str, Vec<(HintKind, &str)>> {
    let mut settings: FxHashMap<&str, Vec<(HintKind, &str)>> = FxHashMap::default();
    for local in &facts.locals {
        if let Some(name) = local.name.strip_prefix(SET) {
            let of_name = settings.entry(name).or_default();
            of_name.push((local.kind, &local.text));
        }
    }
    settings
}

/// What a file says that it is as a whole.
fn default_of(facts: &FileFacts) -> Option<&str> {
    let mut said = facts.locals.iter().filter(|local| local.name == "default");
    let mut symbols = facts.symbols.iter();
    let class = symbols.find(|symbol| symbol.signature.starts_with("export default "));
    class
        .map(|symbol| symbol.name.as_str())
        .or_else(|| said.next().map(|local| local.text.as_str()))
}

fn fields(facts: &FileFacts, symbols: &[SymbolFingerprint]) -> Vec<(u32, u32, u64)> {
    let parent = |at: &u32| facts.symbols.get(*at as usize)?.parent;
    let mut fields = Vec::new();
    let beside = locals_of_fields(facts);
    for local in &facts.locals {
        let (Some(name), Some(at)) = (local.name.strip_prefix('.'), local.enclosing) else {
            continue;
        };
        let shape = symbols.get(at as usize).map(|print| print.shape);
        let said = digest(&(local.kind, &local.text, beside.get(&at), shape));
        let around = std::iter::successors(Some(at), parent).take(MAX_ANCESTORS);
        for at in around {
            let Some(print) = symbols.get(at as usize) else {
                continue;
            };
            fields.push((print.name, name_key(name), said));
            fields.extend(print.owners.map(|owner| (owner, name_key(name), said)));
        }
    }
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// Digests of the locals of functions that set fields: the values may rest on them.
fn locals_of_fields(facts: &FileFacts) -> FxHashMap<u32, u64> {
    let sets_field = |local: &&whyrank_syntax::Local| local.name.starts_with('.');
    let setting = facts.locals.iter().filter(sets_field);
    let mut beside: FxHashMap<u32, Vec<(&str, &str)>> = setting
        .filter_map(|local| Some((local.enclosing?, Vec::new())))
        .collect();
    for local in &facts.locals {
        if let Some(beside) = local.enclosing.and_then(|at| beside.get_mut(&at)) {
            beside.push((&local.name, &local.text));
        }
    }
    beside
        .iter()
        .map(|(at, beside)| (*at, digest(beside)))
        .collect()
}

/// `a/b/x.py` and `a/b/x/__init__.py` are the module `x` below `a/b`.
fn module_key(path: &str) -> u32 {
    let stem = paths::without_extension(path);
    let (folder, name) = match paths::base_name(stem) {
        "__init__" => {
            let folder = paths::parent(path);
            (paths::parent(folder), paths::base_name(folder))
        }
        name => (paths::parent(path), name),
    };
    key(LookupKind::Below, text_key(folder), name_key(name))
}

/// A digest that is stored: [`FxHasher`] of a pinned version, over fixed-width integers and text.
pub(crate) fn digest(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}
