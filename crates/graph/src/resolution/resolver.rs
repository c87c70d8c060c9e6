//! From a use of a name to what it means: scope, imports, types that signatures state.
//!
//! Nothing is guessed here: what scope and types do not say is [`Resolution::Unknown`].

use std::{
    cell::{Cell, RefCell},
    collections::HashSet,
    rc::Rc,
    sync::OnceLock,
};

use rustc_hash::{FxHashMap, FxHashSet};
use whyrank_syntax::{IN_TEXT, Reference, ReferenceKind, Symbol, SymbolKind};

use crate::{
    imports::import_graph::ImportGraph,
    input::{
        files::{FileInput, SymbolId},
        view_paths::ViewPaths,
    },
    languages::{LanguageRules, Rules},
    resolution::{
        absolute_paths::ROOT,
        dependency_tracking::RecordedLookups,
        effort::Effort,
        name_resolution::Wanted,
        namesakes::Namesakes,
        scope::{Binding, Bound, FileScope},
        subtypes::{KnownHeirs, KnownRoots},
        symbol_table::SymbolTable,
        top_level::TopLevel,
        transitive_includes::OpenedFiles,
    },
    steps,
};

/// How far chains of re-exports, bases and fields are followed: a bound for circles (`a = b`, `b = a`),
/// which no code that runs needs longer.
pub(crate) const MAX_DEPTH: u32 = 12;

/// The meaning of an expression or a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    /// These definitions themselves.
    Definitions(Vec<SymbolId>),
    /// A value of one of these types.
    Instances(Vec<SymbolId>),
    /// A value from outside that holds values of one of these types.
    Elements(Vec<SymbolId>),
    /// These files as modules.
    Modules(Vec<u32>),
    /// Something that is not in the view.
    External,
    /// Nothing says.
    Unknown,
}

/// Where a name is used.
#[derive(Clone, Copy)]
pub(crate) struct UseSite {
    pub(crate) file: u32,
    pub(crate) enclosing: Option<u32>,
    /// The line; 0 where no local can be meant.
    pub(crate) line: u32,
    /// Byte column in the line.
    pub(crate) column: u32,
    /// Locals from this index on are declared later.
    pub(crate) before: u32,
}

impl UseSite {
    /// The place of a use.
    pub(crate) fn of(file: u32, reference: &Reference) -> Self {
        Self {
            file,
            enclosing: reference.enclosing,
            line: reference.line,
            column: reference.column,
            before: u32::MAX,
        }
    }

    /// Inside a definition, where no local is seen.
    pub(crate) fn inside(file: u32, enclosing: Option<u32>) -> Self {
        Self {
            file,
            enclosing,
            line: 0,
            column: 0,
            before: 0,
        }
    }
}

/// The bases of a type, with the look-ups that gave them.
#[derive(Clone)]
pub(crate) struct KnownBases {
    pub(crate) bases: Vec<SymbolId>,
    /// One of them is not in the view.
    pub(crate) external: bool,
    pub(crate) keys: Rc<[u32]>,
}

/// What is assigned to a field, with the look-ups that gave it.
pub(crate) struct KnownField {
    pub(crate) resolution: Resolution,
    pub(crate) keys: Rc<[u32]>,
}

/// A field of a type, asked for at a depth: what is followed from there depends on it.
pub(crate) type FieldAt<'a> = (SymbolId, &'a str, u32);

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
    pub(crate) known_bases: RefCell<FxHashMap<SymbolId, KnownBases>>,
    /// Types whose bases are being found.
    pub(super) bases_sought: RefCell<FxHashSet<SymbolId>>,
    /// One of them was asked for again meanwhile.
    pub(super) bases_in_circle: Cell<bool>,
    pub(crate) known_fields: RefCell<FxHashMap<FieldAt<'a>, KnownField>>,
    /// How many arguments an overload takes, least and most.
    pub(super) known_bounds: RefCell<FxHashMap<SymbolId, Option<(usize, usize)>>>,
    /// Definitions of names that many bear.
    pub(super) namesakes: RefCell<FxHashMap<String, Rc<Namesakes<'a>>>>,
    pub(crate) known_roots: RefCell<KnownRoots<'a>>,
    pub(super) known_heirs: RefCell<FxHashMap<Rules, FxHashMap<String, Rc<KnownHeirs>>>>,
    /// Namespaces that the file at work sees.
    pub(crate) known_spaces: RefCell<FxHashMap<u32, Rc<[&'a str]>>>,
    /// Namespaces that a file opens for all.
    pub(crate) shared_usings: OnceLock<FxHashSet<&'a str>>,
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
            known_bases: RefCell::default(),
            bases_sought: RefCell::default(),
            bases_in_circle: Cell::new(false),
            known_fields: RefCell::default(),
            known_bounds: RefCell::default(),
            namesakes: RefCell::default(),
            known_roots: RefCell::default(),
            known_heirs: RefCell::default(),
            known_spaces: RefCell::default(),
            shared_usings: OnceLock::new(),
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

    /// Resolves a reference. Where a module and a value bear one name, what is used is the value.
    pub(crate) fn reference(&self, site: UseSite, reference: &Reference) -> Resolution {
        match self.by_place(site, reference) {
            Resolution::Definitions(ids) => {
                Resolution::Definitions(self.fitting_call(ids, reference))
            }
            found => found,
        }
    }

    fn by_place(&self, site: UseSite, reference: &Reference) -> Resolution {
        let is_type = reference.kind == ReferenceKind::Type;
        let past_local = || (self.rules(site.file).past_local)(self, site, reference);
        if is_type && let Some(found) = past_local() {
            return Resolution::Definitions(found);
        }
        match self.by_text(site, reference) {
            unsettled @ (Resolution::Unknown | Resolution::External) if !is_type => {
                past_local().map_or(unsettled, Resolution::Definitions)
            }
            Resolution::Modules(modules) if self.rules(site.file).modules_share_names => self
                .beside_module(site, reference)
                .map_or(Resolution::Modules(modules), Resolution::Definitions),
            resolution => resolution,
        }
    }

    /// Resolves a reference by what comes before it.
    ///
    /// Imports first, since they name modules and not what is in scope; then bare names; then paths and
    /// members. A member that nothing tells is given up as unknown only after the one family of types
    /// that has it was tried.
    fn by_text(&self, site: UseSite, reference: &Reference) -> Resolution {
        if matches!(
            reference.kind,
            ReferenceKind::Import | ReferenceKind::ReExport
        ) && let Some(resolution) = self.imported(site.file, reference)
        {
            return resolution;
        }
        if reference.qualifier.is_empty() {
            let resolution = match reference.kind {
                ReferenceKind::Type | ReferenceKind::Inherit => {
                    self.bare_type(site, &reference.name)
                }
                kind => {
                    let language = self.files[site.file as usize].language;
                    self.bare_as(site, &reference.name, Wanted::of(language, kind))
                }
            };
            let resolution = match resolution {
                Resolution::Definitions(ids) => {
                    Resolution::Definitions(self.of_kind(ids, reference.kind))
                }
                found => found,
            };
            return if self.may_be_key(site.file, reference, &resolution) {
                Resolution::Unknown
            } else {
                resolution
            };
        }
        if reference.qualifier == ROOT && self.begins_at_root(site.file, ROOT) {
            return self.at_root(site, &reference.name);
        }
        if let Some(module) = reference.qualifier.strip_prefix(IN_TEXT) {
            return self.named_in_text(site, module, &reference.name);
        }
        if let Some(found) = (self.rules(site.file).by_path)(self, site.file, reference) {
            return Resolution::Definitions(found);
        }
        let owner = match self.expression(site, &reference.qualifier, 0) {
            Resolution::Unknown if self.is_external_path(site.file, &reference.qualifier) => {
                return Resolution::External;
            }
            owner @ (Resolution::Unknown | Resolution::External) => {
                let path = format!("{}.{}", reference.qualifier, reference.name);
                let found = self.by_qualified_name(site.file, &path);
                if !found.is_empty() {
                    return Resolution::Definitions(self.of_kind(found, reference.kind));
                }
                owner
            }
            owner => owner,
        };
        let before = (reference.qualifier.as_str(), &owner);
        match self.member_at(site, before, &reference.name, 0) {
            Resolution::Unknown => self.of_one_family(site, &reference.name),
            Resolution::Definitions(ids) => {
                Resolution::Definitions(self.of_kind(ids, reference.kind))
            }
            Resolution::Elements(_) => Resolution::External,
            Resolution::Instances(_) if matches!(owner, Resolution::Instances(_)) => {
                Resolution::External
            }
            resolution => resolution,
        }
    }

    /// Says whether a path begins with a root of the language's own library.
    fn is_external_path(&self, file: u32, qualifier: &str) -> bool {
        let head = qualifier.split("::").next().unwrap_or(qualifier);
        self.rules(file).library_roots.contains(&head)
    }

    /// A type is not read, so such a read is the key of a literal where a field has that name.
    fn may_be_key(&self, file: u32, reference: &Reference, resolution: &Resolution) -> bool {
        let Resolution::Definitions(ids) = resolution else {
            return false;
        };
        self.lookups.anywhere(&reference.name);
        let is_field = |id: SymbolId| {
            self.rules(id.file).reads_may_be_keys && self.symbol(id).kind == SymbolKind::Field
        };
        self.rules(file).reads_may_be_keys
            && matches!(reference.kind, ReferenceKind::Read | ReferenceKind::Write)
            && ids.iter().all(|id| self.symbol(*id).kind.has_members())
            && self.has_any(&reference.name, |known| &known.literal_fields, is_field)
    }

    /// A name inside an import statement means what the statement binds.
    fn imported(&self, file: u32, reference: &Reference) -> Option<Resolution> {
        let name = reference.name.as_str();
        let facts = self.files[file as usize].facts();
        let import_idx = facts.imports.iter().rposition(|import| {
            import.line <= reference.line
                && import
                    .names
                    .iter()
                    .any(|bound| bound.local == name || bound.name == name)
        })?;
        let bound = facts.imports[import_idx]
            .names
            .iter()
            .find(|b| b.local == name || b.name == name)?;
        let scope = self.scope(file);
        let bindings = scope.bound.get(bound.local.as_str())?;
        let line = facts.imports[import_idx].line;
        let binding = bindings
            .iter()
            .find(|binding| binding.line == line)
            .or(bindings.first())?;
        let resolution = self.binding(binding, name, &mut HashSet::new());
        // `export { x }` without a module names what the file itself has.
        (resolution != Resolution::Unknown).then_some(resolution)
    }

    pub(crate) fn bindings(
        &self,
        bindings: &[Binding<'_>],
        name: &str,
        seen: &mut HashSet<u32>,
    ) -> Resolution {
        let mut resolution = Resolution::Unknown;
        for binding in bindings {
            let found = self.binding(binding, name, seen);
            resolution = joined(resolution, found);
        }
        resolution
    }

    pub(crate) fn binding(
        &self,
        binding: &Binding<'_>,
        local: &str,
        seen: &mut HashSet<u32>,
    ) -> Resolution {
        if binding.files.is_empty() {
            return if binding.is_lost {
                Resolution::Unknown
            } else {
                Resolution::External
            };
        }
        let name = match binding.what {
            Bound::Module => return Resolution::Modules(binding.files.clone()),
            Bound::Default => {
                let found = self.default_of(&binding.files, local);
                return if found.is_empty() {
                    Resolution::Modules(binding.files.clone())
                } else {
                    Resolution::Definitions(found)
                };
            }
            Bound::Name(name) => name,
        };
        let mut resolution = Resolution::Unknown;
        for file in &binding.files {
            resolution = joined(resolution, self.exported(*file, name, seen));
        }
        resolution
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
            None => self.owner_name(id).is_some(),
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

/// Both, each id once: what is joined again and again must not grow.
pub(crate) fn joined(left: Resolution, right: Resolution) -> Resolution {
    match (left, right) {
        (Resolution::Unknown, other) | (other, Resolution::Unknown) => other,
        (Resolution::External, other) | (other, Resolution::External) => other,
        (Resolution::Definitions(a), Resolution::Definitions(b)) => {
            Resolution::Definitions(united(a, b))
        }
        (Resolution::Instances(a), Resolution::Instances(b)) => Resolution::Instances(united(a, b)),
        (Resolution::Elements(a), Resolution::Elements(b)) => Resolution::Elements(united(a, b)),
        (Resolution::Modules(a), Resolution::Modules(b)) => Resolution::Modules(united(a, b)),
        (first, _) => first,
    }
}

fn united<T: PartialEq>(mut ids: Vec<T>, more: Vec<T>) -> Vec<T> {
    for id in more {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

pub(crate) fn without_impls(resolver: &Resolver<'_>, ids: Vec<SymbolId>) -> Vec<SymbolId> {
    let (impls, others): (Vec<SymbolId>, Vec<SymbolId>) = ids
        .into_iter()
        .partition(|id| resolver.symbol(*id).kind == SymbolKind::Impl);
    if others.is_empty() { impls } else { others }
}
