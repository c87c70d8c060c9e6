//! The files of a view as questions about names see them: what is asked for again is kept.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::OnceLock,
};

use rustc_hash::{FxHashMap, FxHashSet};
use whyrank_syntax::{Symbol, SymbolKind};

use crate::{
    imports::import_graph::ImportGraph,
    input::{
        files::{FileInput, SymbolId},
        view_paths::ViewPaths,
    },
    languages::{LanguageRules, Rules},
    resolution::{
        arguments::Parameter,
        dependency_tracking::RecordedLookups,
        effort::Effort,
        resolver_caches::{
            FieldAt, KnownBases, KnownField, KnownHeirs, KnownRoots, Namesakes, OpenedFiles,
        },
        scope::FileScope,
        symbol_table::SymbolTable,
        top_level::TopLevel,
    },
    steps,
};

pub(crate) use crate::resolution::meaning::{Receiver, Resolution, RestsOn, UseSite, joined};

/// How far chains of re-exports, bases and fields are followed: a bound for circles (`a = b`, `b = a`),
/// which no code that runs needs longer.
pub(crate) const MAX_DEPTH: u32 = 12;

/// The files of a view with their scopes, made when first asked for.
pub(crate) struct Resolver<'a> {
    pub(crate) files: &'a [FileInput<'a>],
    pub(crate) rules: Vec<Rules>,
    pub(crate) graph: &'a ImportGraph,
    pub(crate) table: &'a SymbolTable,
    pub(crate) view_paths: ViewPaths<'a>,
    /// What is looked up beyond the file at work: every such place must say so.
    pub(crate) lookups: RecordedLookups,
    scopes: Vec<OnceLock<FileScope<'a>>>,
    tops: Vec<OnceLock<TopLevel>>,
    pub(super) opened_files: RefCell<OpenedFiles>,
    pub(super) effort: Effort,
    /// The grounds of the values that were found since it was last taken.
    pub(crate) rests_on: Cell<RestsOn>,
    pub(crate) known_bases: RefCell<FxHashMap<SymbolId, KnownBases>>,
    /// Types whose bases are being found.
    pub(super) bases_sought: RefCell<FxHashSet<SymbolId>>,
    /// One of them was asked for again meanwhile.
    pub(super) bases_in_circle: Cell<bool>,
    /// Definitions whose decorators are being read.
    pub(super) decorated_sought: RefCell<FxHashSet<SymbolId>>,
    pub(crate) known_fields: RefCell<FxHashMap<FieldAt<'a>, KnownField>>,
    /// What the heads of overloads take.
    pub(super) known_parameters: RefCell<FxHashMap<SymbolId, Option<Rc<[Parameter]>>>>,
    /// Definitions of names that many bear.
    pub(super) namesakes: RefCell<FxHashMap<String, Rc<Namesakes<'a>>>>,
    pub(crate) known_roots: RefCell<KnownRoots<'a>>,
    pub(super) known_heirs: RefCell<FxHashMap<Rules, FxHashMap<String, Rc<KnownHeirs>>>>,
    /// Namespaces that the file at work sees.
    pub(crate) known_spaces: RefCell<FxHashMap<u32, Rc<[&'a str]>>>,
    /// Namespaces that a file opens for all.
    pub(crate) shared_usings: OnceLock<FxHashSet<&'a str>>,
    /// Names that a file gives to paths for all.
    pub(crate) shared_aliases: OnceLock<FxHashMap<&'a str, &'a str>>,
}

impl<'a> Resolver<'a> {
    pub(crate) fn new(
        files: &'a [FileInput<'a>],
        graph: &'a ImportGraph,
        table: &'a SymbolTable,
    ) -> Self {
        Self {
            files,
            rules: LanguageRules::of_each(files),
            graph,
            table,
            view_paths: ViewPaths::new(files),
            lookups: RecordedLookups::default(),
            scopes: files.iter().map(|_| OnceLock::new()).collect(),
            tops: files.iter().map(|_| OnceLock::new()).collect(),
            opened_files: RefCell::default(),
            effort: Effort::default(),
            rests_on: Cell::default(),
            known_bases: RefCell::default(),
            bases_sought: RefCell::default(),
            bases_in_circle: Cell::new(false),
            decorated_sought: RefCell::default(),
            known_fields: RefCell::default(),
            known_parameters: RefCell::default(),
            namesakes: RefCell::default(),
            known_roots: RefCell::default(),
            known_heirs: RefCell::default(),
            known_spaces: RefCell::default(),
            shared_usings: OnceLock::new(),
            shared_aliases: OnceLock::new(),
        }
    }

    pub(crate) fn scope(&self, file: u32) -> &FileScope<'a> {
        let make = || FileScope::new(&self.files[file as usize], self.graph, file);
        self.scopes[file as usize].get_or_init(make)
    }

    pub(crate) fn top(&self, file: u32) -> &TopLevel {
        let facts = self.files[file as usize].facts();
        self.tops[file as usize].get_or_init(|| TopLevel::new(&facts.symbols))
    }

    pub(crate) fn symbol(&self, id: SymbolId) -> &'a Symbol {
        steps::count(1);
        &self.files[id.file as usize].symbols()[id.symbol as usize]
    }

    pub(crate) fn parent(&self, id: SymbolId) -> Option<SymbolId> {
        self.symbol(id).parent.map(|symbol| SymbolId {
            file: id.file,
            symbol,
        })
    }

    pub(crate) fn rules(&self, file: u32) -> Rules {
        self.rules[file as usize]
    }

    /// The last name before a definition's own: `Router` of `Router.use`.
    pub(crate) fn owner_name(&self, id: SymbolId) -> Option<&'a str> {
        self.table.owner(id).or_else(|| {
            let parent = self.symbol(self.parent(id)?);
            parent.kind.has_members().then_some(parent.name.as_str())
        })
    }

    /// Says whether a definition can stand after a dot.
    pub(crate) fn is_member_like(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        if symbol.kind.is_member() {
            return true;
        }
        match self.parent(id) {
            Some(parent) if self.symbol(parent).kind == SymbolKind::Module => {
                self.rules(id.file).modules_lend_functions && symbol.kind == SymbolKind::Function
            }
            Some(parent) => self.symbol(parent).kind.has_members(),
            None => self.owner_name(id).is_some() || self.extended_text(id).is_some(),
        }
    }

    /// The files that import one of these, directly or through others, with the files themselves.
    pub(crate) fn reaching(&self, targets: impl IntoIterator<Item = u32>) -> FxHashSet<u32> {
        let mut next: Vec<u32> = targets.into_iter().collect();
        let mut reaching: FxHashSet<u32> = next.iter().copied().collect();
        let packages: FxHashSet<u32> = next.iter().filter_map(|file| self.package(*file)).collect();
        if !packages.is_empty() {
            let is_in = |file: &u32| {
                self.package(*file)
                    .is_some_and(|own| packages.contains(&own))
            };
            let mates = (0..self.files.len() as u32).filter(is_in);
            next.extend(mates.filter(|file| reaching.insert(*file)));
        }
        self.graph.reach(next, &mut reaching);
        reaching
    }

    /// Says whether a file imports another, directly or through others.
    pub(crate) fn reaches(&self, from: u32, to: u32) -> bool {
        self.reaching([to]).contains(&from)
    }
}

pub(crate) fn without_impls(resolver: &Resolver<'_>, ids: Vec<SymbolId>) -> Vec<SymbolId> {
    let (impls, others): (Vec<SymbolId>, Vec<SymbolId>) = ids
        .into_iter()
        .partition(|id| resolver.symbol(*id).kind == SymbolKind::Impl);
    if others.is_empty() { impls } else { others }
}
