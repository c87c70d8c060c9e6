//! From a use of a name to what it means: scope, imports, types that signatures state.
//!
//! Nothing is guessed here: what scope and types do not say is [`Meaning::Unknown`].

use std::{collections::HashSet, sync::OnceLock};

use whyrank_syntax::{Reference, ReferenceKind, Symbol, SymbolKind};

use crate::{
    family::{Family, has_members, is_member},
    import_graph::ImportGraph,
    input::{FileInput, SymbolId},
    paths,
    places::Places,
    scope::{Binding, Bound, FileScope},
    symbol_table::{SymbolTable, parts},
    type_hint::{self, Hint},
};

/// How far chains of re-exports, bases and fields are followed.
const MAX_DEPTH: u32 = 12;

/// What an expression or a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// These definitions themselves.
    Definitions(Vec<SymbolId>),
    /// A value of one of these types.
    Instances(Vec<SymbolId>),
    /// These files as modules.
    Modules(Vec<u32>),
    /// Something that is not in the view.
    External,
    /// Nothing says.
    Unknown,
}

/// Where a name is used.
#[derive(Clone, Copy)]
pub(crate) struct Site {
    pub(crate) file: u32,
    pub(crate) enclosing: Option<u32>,
}

/// The files of a view with their scopes, made when first asked for.
pub(crate) struct Lookup<'a> {
    pub(crate) files: &'a [FileInput<'a>],
    pub(crate) families: Vec<Family>,
    graph: &'a ImportGraph,
    pub(crate) table: &'a SymbolTable,
    places: Places<'a>,
    scopes: Vec<OnceLock<FileScope<'a>>>,
}

impl<'a> Lookup<'a> {
    pub(crate) fn new(
        files: &'a [FileInput<'a>],
        graph: &'a ImportGraph,
        table: &'a SymbolTable,
    ) -> Self {
        Self {
            files,
            families: files.iter().map(|file| Family::of(file.language)).collect(),
            graph,
            table,
            places: Places::new(files),
            scopes: files.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    pub(crate) fn scope(&self, file: u32) -> &FileScope<'a> {
        let make = || FileScope::new(&self.files[file as usize], self.graph, file);
        self.scopes[file as usize].get_or_init(make)
    }

    pub(crate) fn symbol(&self, id: SymbolId) -> &'a Symbol {
        &self.files[id.file as usize].facts.symbols[id.symbol as usize]
    }

    fn parent(&self, id: SymbolId) -> Option<SymbolId> {
        self.symbol(id).parent.map(|symbol| SymbolId {
            file: id.file,
            symbol,
        })
    }

    fn family(&self, file: u32) -> Family {
        self.families[file as usize]
    }

    /// What a reference means, by what stands before it.
    pub(crate) fn reference(&self, site: Site, reference: &Reference) -> Meaning {
        if matches!(
            reference.kind,
            ReferenceKind::Import | ReferenceKind::ReExport
        ) && let Some(meaning) = self.imported(site.file, reference)
        {
            return meaning;
        }
        if reference.qualifier.is_empty() {
            let meaning = self.bare(site, &reference.name);
            return if self.may_be_key(site.file, reference, &meaning) {
                Meaning::Unknown
            } else {
                meaning
            };
        }
        if self.family(site.file) == Family::Rust
            && let Some(found) = self.by_module_path(site.file, reference)
        {
            return Meaning::Definitions(found);
        }
        let owner = self.expression(site, &reference.qualifier, 0);
        self.member(&owner, &reference.name, 0)
    }

    /// Go: a type is not read, so such a read is the key of a literal where a field has that name.
    fn may_be_key(&self, file: u32, reference: &Reference, meaning: &Meaning) -> bool {
        let Meaning::Definitions(ids) = meaning else {
            return false;
        };
        let is_field = |id: &SymbolId| {
            self.family(id.file) == Family::Go && self.symbol(*id).kind == SymbolKind::Field
        };
        self.family(file) == Family::Go
            && matches!(reference.kind, ReferenceKind::Read | ReferenceKind::Write)
            && ids.iter().all(|id| has_members(self.symbol(*id).kind))
            && self.table.named(&reference.name).iter().any(is_field)
    }

    /// `crate::a::N`, `super::N`, `self::N`: by the end of the module path.
    fn by_module_path(&self, file: u32, reference: &Reference) -> Option<Vec<SymbolId>> {
        let qualifier = reference.qualifier.as_str();
        let (place, _) = qualifier.split_once("::").unwrap_or((qualifier, ""));
        let is_path = qualifier == "crate" || qualifier == "super" || qualifier.contains("::");
        if !is_path || !matches!(place, "crate" | "$crate" | "super" | "self") {
            return None;
        }
        let own_crate = |id: &SymbolId| {
            self.family(id.file) == Family::Rust
                && crate_of(self.places.path(id.file)) == crate_of(self.places.path(file))
        };
        let mut found = self
            .table
            .definitions(&format!("{qualifier}::{}", reference.name));
        found.retain(own_crate);
        if parts(qualifier)
            .iter()
            .all(|part| matches!(part.as_str(), "crate" | "$crate" | "super" | "self"))
        {
            found.retain(|id| self.is_top_level(*id));
            if place != "crate" && found.iter().any(|id| id.file == file) {
                found.retain(|id| id.file == file);
            }
        }
        (!found.is_empty()).then(|| without_impls(self, found))
    }

    /// A name inside an import statement means what the statement binds.
    fn imported(&self, file: u32, reference: &Reference) -> Option<Meaning> {
        let name = reference.name.as_str();
        let facts = self.files[file as usize].facts;
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
        let meaning = self.binding(binding, name, &mut HashSet::new());
        // `export { x }` without a module names what the file itself has.
        (meaning != Meaning::Unknown).then_some(meaning)
    }

    /// What a name without qualifier means where it stands.
    pub(crate) fn bare(&self, site: Site, name: &str) -> Meaning {
        let own = self.in_scope(site, name);
        let scope = self.scope(site.file);
        let mut seen = HashSet::new();
        let bound = scope
            .bound
            .get(name)
            .map(|bindings| self.bindings(bindings, name, &mut seen));
        if let Some(id) = own.first() {
            // Defined and imported, each in its branch.
            let both = self.symbol(*id).parent.is_none();
            let own = Meaning::Definitions(own);
            return if both {
                joined(own, bound.unwrap_or(Meaning::Unknown))
            } else {
                own
            };
        }
        if let Some(bound) = bound {
            return bound;
        }
        seen.insert(site.file);
        for file in &scope.open {
            let found = self.exported(*file, name, &mut seen);
            if found != Meaning::Unknown {
                return found;
            }
        }
        let beside = self.in_package(site.file, name);
        if beside.is_empty() {
            Meaning::Unknown
        } else {
            Meaning::Definitions(beside)
        }
    }

    fn bindings(&self, bindings: &[Binding<'_>], name: &str, seen: &mut HashSet<u32>) -> Meaning {
        let mut meaning = Meaning::Unknown;
        for binding in bindings {
            let found = self.binding(binding, name, seen);
            meaning = joined(meaning, found);
        }
        meaning
    }

    fn binding(&self, binding: &Binding<'_>, local: &str, seen: &mut HashSet<u32>) -> Meaning {
        if binding.files.is_empty() {
            return Meaning::External;
        }
        let name = match binding.what {
            Bound::Module => return Meaning::Modules(binding.files.clone()),
            Bound::Default => {
                let found = self.default_of(&binding.files, local);
                return if found.is_empty() {
                    Meaning::Modules(binding.files.clone())
                } else {
                    Meaning::Definitions(found)
                };
            }
            Bound::Name(name) => name,
        };
        let mut meaning = Meaning::Unknown;
        for file in &binding.files {
            meaning = joined(meaning, self.exported(*file, name, seen));
        }
        meaning
    }

    /// What a module is as a value: the export of that name, of the file's name, or the only one.
    pub(crate) fn default_of(&self, files: &[u32], local: &str) -> Vec<SymbolId> {
        files
            .iter()
            .flat_map(|file| self.default_of_file(*file, local))
            .collect()
    }

    fn default_of_file(&self, file: u32, local: &str) -> Vec<SymbolId> {
        let symbols = &self.files[file as usize].facts.symbols;
        let top: Vec<(u32, &Symbol)> = (0u32..)
            .zip(symbols)
            .filter(|(_, symbol)| symbol.parent.is_none() && !is_member(symbol.kind))
            .collect();
        let plain = |name: &str| name.replace(['-', '_', '.', '$'], "").to_lowercase();
        let path = self.places.path(file);
        let stem = match paths::base_name(paths::without_extension(path)) {
            "index" => paths::base_name(paths::parent(path)),
            stem => stem,
        };
        let named = |wanted: &str| -> Vec<u32> {
            top.iter()
                .filter(|(_, s)| plain(&s.name) == plain(wanted))
                .map(|(at, _)| *at)
                .collect()
        };
        let exported = || -> Vec<u32> {
            let exported: Vec<u32> = top
                .iter()
                .filter(|(_, s)| s.exported)
                .map(|(at, _)| *at)
                .collect();
            if exported.len() == 1 {
                exported
            } else {
                Vec::new()
            }
        };
        [named("default"), named(local), named(stem), exported()]
            .into_iter()
            .find(|found| !found.is_empty())
            .unwrap_or_default()
            .into_iter()
            .map(|symbol| SymbolId { file, symbol })
            .collect()
    }

    /// What a module gives under a name, re-exports followed.
    pub(crate) fn exported(&self, file: u32, name: &str, seen: &mut HashSet<u32>) -> Meaning {
        if !seen.insert(file) {
            return Meaning::Unknown;
        }
        let own = self.top_level(file, name);
        if !own.is_empty() {
            return Meaning::Definitions(own);
        }
        let scope = self.scope(file);
        if let Some(bindings) = scope.bound.get(name) {
            return self.bindings(bindings, name, seen);
        }
        for open in &scope.open {
            let found = self.exported(*open, name, seen);
            if found != Meaning::Unknown {
                return found;
            }
        }
        if let Some(module) = self.submodule(file, name) {
            return Meaning::Modules(vec![module]);
        }
        let beside = self.in_package(file, name);
        if beside.is_empty() {
            Meaning::Unknown
        } else {
            Meaning::Definitions(beside)
        }
    }

    /// A file that is a module inside another file's module, or that file's own module by name.
    fn submodule(&self, file: u32, name: &str) -> Option<u32> {
        let path = self.places.path(file);
        let stem = paths::without_extension(path);
        let base = paths::base_name(stem);
        let own_name = if matches!(base, "mod" | "__init__" | "index") {
            paths::base_name(paths::parent(path))
        } else {
            base
        };
        match self.family(file) {
            Family::Rust | Family::Go if own_name == name => Some(file),
            Family::Python if base == "__init__" => {
                [format!("{name}.py"), format!("{name}/__init__.py")]
                    .iter()
                    .find_map(|end| self.places.file(&paths::join(paths::parent(path), end)?))
            }
            _ => None,
        }
    }

    /// Definitions of a name that a file shows to others.
    fn top_level(&self, file: u32, name: &str) -> Vec<SymbolId> {
        let Some(own) = self.scope(file).own.get(name) else {
            return Vec::new();
        };
        let shown = own.iter().copied().filter(|symbol| {
            self.is_top_level(SymbolId {
                file,
                symbol: *symbol,
            })
        });
        without_impls(
            self,
            shown.map(|symbol| SymbolId { file, symbol }).collect(),
        )
    }

    fn is_top_level(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        let in_space = self.parent(id).is_none_or(|parent| {
            matches!(
                self.symbol(parent).kind,
                SymbolKind::Module | SymbolKind::Namespace
            )
        });
        in_space && (!is_member(symbol.kind) || self.is_module_property(id))
    }

    /// `exports.f = …`: a property of the module.
    fn is_module_property(&self, id: SymbolId) -> bool {
        let owner = self.owner_name(id);
        owner.is_none_or(|owner| matches!(owner.as_str(), "exports" | "module"))
            && self.family(id.file) == Family::Script
    }

    /// Definitions of a name that are visible at a place of their own file, innermost first.
    fn in_scope(&self, site: Site, name: &str) -> Vec<SymbolId> {
        let file = site.file;
        let Some(own) = self.scope(file).own.get(name) else {
            return Vec::new();
        };
        let mut around: Vec<Option<u32>> = Vec::new();
        let mut at = site.enclosing;
        while let Some(symbol) = at {
            around.push(Some(symbol));
            at = self.files[file as usize].facts.symbols[symbol as usize].parent;
        }
        around.push(None);
        let members = self.family(file).members_are_in_scope();
        let found: Vec<(usize, SymbolId)> = own
            .iter()
            .filter_map(|symbol| {
                let id = SymbolId {
                    file,
                    symbol: *symbol,
                };
                let definition = self.symbol(id);
                let depth = around
                    .iter()
                    .position(|parent| *parent == definition.parent)?;
                let in_type = definition.parent.is_some_and(|parent| {
                    has_members(
                        self.symbol(SymbolId {
                            file,
                            symbol: parent,
                        })
                        .kind,
                    )
                });
                let free = !(is_member(definition.kind) || in_type && depth > 0);
                let assigned = definition.parent.is_none()
                    && matches!(self.family(file), Family::Script | Family::Lua)
                    && self.owner_name(id).is_some();
                (members || (free && !assigned) || (in_type && depth == 0)).then_some((depth, id))
            })
            .collect();
        let Some(nearest) = found.iter().map(|(depth, _)| *depth).min() else {
            return Vec::new();
        };
        let ids = found
            .into_iter()
            .filter(|(depth, _)| *depth == nearest)
            .map(|(_, id)| id)
            .collect();
        without_impls(self, ids)
    }

    /// Definitions in the files that share the file's package without an import.
    fn in_package(&self, file: u32, name: &str) -> Vec<SymbolId> {
        if !self.family(file).folder_is_scope() {
            return Vec::new();
        }
        let found: Vec<SymbolId> = self
            .table
            .named(name)
            .iter()
            .copied()
            .filter(|id| id.file != file && self.same_package(id.file, file))
            .filter(|id| self.is_top_level(*id))
            .collect();
        without_impls(self, found)
    }

    /// Says whether two files see each other without an import.
    pub(crate) fn same_package(&self, left: u32, right: u32) -> bool {
        let family = self.family(left);
        family == self.family(right)
            && family.folder_is_scope()
            && package_of(self.places.path(left)) == package_of(self.places.path(right))
    }

    /// What an expression before a dot stands for.
    pub(crate) fn expression(&self, site: Site, text: &str, depth: u32) -> Meaning {
        if depth > MAX_DEPTH {
            return Meaning::Unknown;
        }
        let steps = steps(text);
        let Some((head, rest)) = steps.split_first() else {
            return Meaning::Unknown;
        };
        let (mut meaning, rest) = self
            .longest_module(site, head, rest)
            .unwrap_or_else(|| (self.head(site, &head.name, depth), rest));
        if rest.len() + 1 == steps.len() {
            meaning = self.after(meaning, head, depth);
        }
        for step in rest {
            meaning = self.member(&meaning, &step.name, depth + 1);
            meaning = self.after(meaning, step, depth);
        }
        self.value(meaning, depth)
    }

    /// `a.b.c` as bound by `import a.b.c`.
    fn longest_module<'s>(
        &self,
        site: Site,
        head: &Step,
        rest: &'s [Step],
    ) -> Option<(Meaning, &'s [Step])> {
        if !matches!(
            self.family(site.file),
            Family::Python | Family::Elixir | Family::Haskell
        ) {
            return None;
        }
        let bound = &self.scope(site.file).bound;
        (1..=rest.len()).rev().find_map(|n_more| {
            let names: Vec<&str> = std::iter::once(head.name.as_str())
                .chain(rest[..n_more].iter().map(|step| step.name.as_str()))
                .collect();
            let bindings = bound.get(names.join(".").as_str())?;
            Some((
                self.bindings(bindings, &head.name, &mut HashSet::new()),
                &rest[n_more..],
            ))
        })
    }

    fn head(&self, site: Site, name: &str, depth: u32) -> Meaning {
        match name {
            "this" | "self" | "cls" | "Self" | "static" | "@" => return self.enclosing_type(site),
            "super" | "parent" | "base" => {
                if let Meaning::Instances(types) = self.enclosing_type(site) {
                    return self.bases_of(&types, depth);
                }
            }
            "crate" | "$crate" => return Meaning::Unknown,
            _ => {}
        }
        self.parameter(site, name, depth)
            .unwrap_or_else(|| self.bare(site, name))
    }

    /// The type around a place, as an instance.
    fn enclosing_type(&self, site: Site) -> Meaning {
        let mut at = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut owner = None;
        while let Some(id) = at {
            let symbol = self.symbol(id);
            if has_members(symbol.kind) {
                return Meaning::Instances(self.types_of_impl(id));
            }
            if owner.is_none() {
                owner = self
                    .owner_name(id)
                    .filter(|_| symbol.parent.is_none() || is_member(symbol.kind));
            }
            at = self.parent(id);
        }
        let Some(owner) = owner else {
            return Meaning::Unknown;
        };
        match self.bare(
            Site {
                file: site.file,
                enclosing: None,
            },
            &owner,
        ) {
            Meaning::Definitions(ids) => Meaning::Instances(ids),
            _ => Meaning::Unknown,
        }
    }

    /// An `impl` block stands for its type.
    fn types_of_impl(&self, id: SymbolId) -> Vec<SymbolId> {
        if self.symbol(id).kind != SymbolKind::Impl {
            return vec![id];
        }
        let name = parts(&self.symbol(id).name).pop().unwrap_or_default();
        match self.bare(
            Site {
                file: id.file,
                enclosing: None,
            },
            &name,
        ) {
            Meaning::Definitions(ids) => ids,
            _ => vec![id],
        }
    }

    /// What a parameter or receiver of the functions around a place is; `None` when it is none.
    fn parameter(&self, site: Site, name: &str, depth: u32) -> Option<Meaning> {
        let mut at = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        while let Some(id) = at {
            let symbol = self.symbol(id);
            if matches!(
                symbol.kind,
                SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor
            ) && symbol.name != name
            {
                let hinted = self.hinted(id, name, depth);
                if hinted.is_some() {
                    return hinted;
                }
            }
            at = self.parent(id);
        }
        None
    }

    fn hinted(&self, id: SymbolId, name: &str, depth: u32) -> Option<Meaning> {
        let site = Site {
            file: id.file,
            enclosing: self.symbol(id).parent,
        };
        match type_hint::of_name(&self.symbol(id).signature, name) {
            Hint::Absent => None,
            Hint::Untyped => Some(Meaning::Unknown),
            Hint::Types(types) => Some(self.instances(site, &types, depth)),
            Hint::Value(value) => Some(self.expression(site, &value, depth + 1)),
        }
    }

    /// Values of the types of these names.
    fn instances(&self, site: Site, types: &[String], depth: u32) -> Meaning {
        let mut found = Vec::new();
        let mut external = false;
        for name in types {
            let meaning = match name.rsplit_once('.') {
                None => self.bare(site, name),
                Some((owner, last)) => {
                    let owner = self.expression(site, owner, depth + 1);
                    self.member(&owner, last, depth + 1)
                }
            };
            match meaning {
                Meaning::Definitions(ids) => found.extend(ids),
                Meaning::External => external = true,
                _ => {}
            }
        }
        found.retain(|id| has_members(self.symbol(*id).kind));
        match (found.is_empty(), external) {
            (false, _) => Meaning::Instances(found),
            (true, true) => Meaning::External,
            (true, false) => Meaning::Unknown,
        }
    }

    /// What calling the meaning of a step gives, if it is called.
    fn after(&self, meaning: Meaning, step: &Step, depth: u32) -> Meaning {
        if step.indexed {
            return Meaning::Unknown;
        }
        match meaning {
            Meaning::Definitions(ids) if step.called => self.result_of(&ids, depth),
            Meaning::Modules(_) | Meaning::Instances(_) if step.called => Meaning::Unknown,
            meaning => meaning,
        }
    }

    fn result_of(&self, ids: &[SymbolId], depth: u32) -> Meaning {
        if depth > MAX_DEPTH {
            return Meaning::Unknown;
        }
        let mut meaning = Meaning::Unknown;
        for id in ids {
            let symbol = self.symbol(*id);
            let found = if has_members(symbol.kind) {
                Meaning::Instances(vec![*id])
            } else {
                let types = type_hint::returned(&symbol.signature);
                let owner = self
                    .parent(*id)
                    .filter(|parent| has_members(self.symbol(*parent).kind));
                match (types.first().map(String::as_str), owner) {
                    (Some("Self" | "this" | "self"), Some(owner)) => {
                        Meaning::Instances(self.types_of_impl(owner))
                    }
                    _ => self.instances(
                        Site {
                            file: id.file,
                            enclosing: symbol.parent,
                        },
                        &types,
                        depth + 1,
                    ),
                }
            };
            meaning = joined(meaning, found);
        }
        meaning
    }

    /// A variable or field stands for what it holds.
    fn value(&self, meaning: Meaning, depth: u32) -> Meaning {
        let Meaning::Definitions(ids) = &meaning else {
            return meaning;
        };
        let holds = |id: &SymbolId| {
            matches!(
                self.symbol(*id).kind,
                SymbolKind::Variable
                    | SymbolKind::Constant
                    | SymbolKind::Field
                    | SymbolKind::Property
                    | SymbolKind::EnumMember
            )
        };
        if depth > MAX_DEPTH || !ids.iter().all(holds) {
            return meaning;
        }
        for id in ids {
            let symbol = self.symbol(*id);
            if symbol.kind == SymbolKind::EnumMember
                && let Some(parent) = self.parent(*id)
            {
                return Meaning::Instances(vec![parent]);
            }
            match self.hinted(*id, &symbol.name, depth + 1) {
                Some(Meaning::Instances(types)) => return Meaning::Instances(types),
                Some(Meaning::External) => return Meaning::External,
                _ => {}
            }
        }
        meaning
    }

    /// A name after a dot.
    pub(crate) fn member(&self, owner: &Meaning, name: &str, depth: u32) -> Meaning {
        if depth > MAX_DEPTH {
            return Meaning::Unknown;
        }
        match owner {
            Meaning::External => Meaning::External,
            Meaning::Unknown => Meaning::Unknown,
            Meaning::Modules(files) => self.of_modules(files, name),
            Meaning::Definitions(ids) | Meaning::Instances(ids) => {
                let mut seen = HashSet::new();
                let found: Vec<SymbolId> = ids
                    .iter()
                    .flat_map(|id| self.members(*id, name, &mut seen, depth))
                    .collect();
                if !found.is_empty() {
                    return Meaning::Definitions(found);
                }
                if let Some(given) = self.given_to_constructor(ids, name, depth) {
                    return given;
                }
                let held = self.value(owner.clone(), depth + 1);
                if held != *owner {
                    return self.member(&held, name, depth + 1);
                }
                if self.is_closed(ids, depth) {
                    Meaning::External
                } else {
                    Meaning::Unknown
                }
            }
        }
    }

    /// An attribute that no symbol states is, by habit, the constructor's parameter of that name.
    fn given_to_constructor(&self, ids: &[SymbolId], name: &str, depth: u32) -> Option<Meaning> {
        ids.iter()
            .filter(|id| has_members(self.symbol(**id).kind))
            .find_map(|id| {
                let constructors = ["__init__", "constructor", "initialize"]
                    .into_iter()
                    .flat_map(|constructor| self.own_members(*id, constructor));
                constructors
                    .filter_map(|constructor| self.hinted(constructor, name, depth + 1))
                    .find(|meaning| matches!(meaning, Meaning::Instances(_)))
            })
    }

    fn of_modules(&self, files: &[u32], name: &str) -> Meaning {
        let mut meaning = Meaning::Unknown;
        let mut seen = HashSet::new();
        for file in files {
            meaning = joined(meaning, self.exported(*file, name, &mut seen));
        }
        if meaning != Meaning::Unknown {
            return meaning;
        }
        // `var app = require('./application')` is the object that the module exports.
        let script = files
            .iter()
            .all(|file| self.family(*file) == Family::Script);
        if script {
            let mut found: Vec<SymbolId> = Vec::new();
            for id in self.table.named(name) {
                if files.contains(&id.file) && self.is_property_of_object(*id) {
                    found.push(*id);
                }
            }
            return if found.is_empty() {
                Meaning::Unknown
            } else {
                Meaning::Definitions(found)
            };
        }
        let open = files.iter().any(|file| self.scope(*file).open_external);
        if open {
            Meaning::Unknown
        } else {
            Meaning::External
        }
    }

    fn is_property_of_object(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        self.owner_name(id).is_some()
            && self.parent(id).is_none_or(|parent| {
                matches!(
                    self.symbol(parent).kind,
                    SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Class
                )
            })
            && (is_member(symbol.kind) || symbol.kind == SymbolKind::Function)
    }

    /// The members of a type under a name; of its bases if it has none.
    fn members(
        &self,
        id: SymbolId,
        name: &str,
        seen: &mut HashSet<SymbolId>,
        depth: u32,
    ) -> Vec<SymbolId> {
        if depth > MAX_DEPTH || !seen.insert(id) {
            return Vec::new();
        }
        let own = self.own_members(id, name);
        if !own.is_empty() {
            return own;
        }
        self.bases(id, depth)
            .0
            .into_iter()
            .flat_map(|base| self.members(base, name, seen, depth + 1))
            .collect()
    }

    fn own_members(&self, id: SymbolId, name: &str) -> Vec<SymbolId> {
        let owner = self.symbol(id);
        let inside = |member: &SymbolId| self.parent(*member) == Some(id);
        let owned = |member: &SymbolId| {
            *member != id
                && self
                    .owner_name(*member)
                    .is_some_and(|name| name == owner.name)
        };
        let named = self.table.named(name);
        let direct: Vec<SymbolId> = named.iter().copied().filter(inside).collect();
        let shared_name: Vec<SymbolId> = named
            .iter()
            .copied()
            .filter(|member| !direct.contains(member) && owned(member))
            .filter(|member| self.family(member.file) == self.family(id.file))
            .filter(|member| self.owner_is(*member, id))
            .collect();
        direct.into_iter().chain(shared_name).collect()
    }

    /// Says whether the owner's name at a member means this owner.
    fn owner_is(&self, member: SymbolId, owner: SymbolId) -> bool {
        if let Some(parent) = self.parent(member)
            && self.symbol(parent).kind != SymbolKind::Impl
            && has_members(self.symbol(parent).kind)
        {
            // Inside another type of that name; reopened types (Ruby, C#, Swift) are one.
            let reopened = matches!(
                self.family(member.file),
                Family::Ruby | Family::Dotnet | Family::Swift
            );
            return parent == owner || reopened;
        }
        if member.file == owner.file || self.same_package(member.file, owner.file) {
            return true;
        }
        let name = &self.symbol(owner).name;
        match self.bare(
            Site {
                file: member.file,
                enclosing: None,
            },
            name,
        ) {
            Meaning::Definitions(ids) => ids.contains(&owner),
            _ => !self.family(member.file).names_are_imported(),
        }
    }

    fn bases_of(&self, types: &[SymbolId], depth: u32) -> Meaning {
        let mut found = Vec::new();
        let mut open = false;
        for id in types {
            let (bases, external) = self.bases(*id, depth);
            found.extend(bases);
            open |= external;
        }
        match (found.is_empty(), open) {
            (false, _) => Meaning::Instances(found),
            (true, true) => Meaning::External,
            (true, false) => Meaning::Unknown,
        }
    }

    /// The types that a type inherits from, and whether one of them is not in the view.
    fn bases(&self, id: SymbolId, depth: u32) -> (Vec<SymbolId>, bool) {
        let name = &self.symbol(id).name;
        let mut found = Vec::new();
        let mut external = false;
        if depth > MAX_DEPTH {
            return (found, true);
        }
        let facts = self.files[id.file as usize].facts;
        for reference in &facts.references {
            if reference.kind != ReferenceKind::Inherit {
                continue;
            }
            let Some(symbol) = reference.enclosing else {
                continue;
            };
            let around = SymbolId {
                file: id.file,
                symbol,
            };
            let same = around == id
                || (self.symbol(around).kind == SymbolKind::Impl
                    && self.symbol(around).name == *name);
            if !same || reference.name == *name {
                continue;
            }
            let site = Site {
                file: id.file,
                enclosing: self.symbol(id).parent,
            };
            let meaning = if reference.qualifier.is_empty() {
                self.bare(site, &reference.name)
            } else {
                let owner = self.expression(site, &reference.qualifier, depth + 1);
                self.member(&owner, &reference.name, depth + 1)
            };
            match meaning {
                Meaning::Definitions(ids) => {
                    found.extend(ids.into_iter().filter(|base| *base != id))
                }
                _ => external = true,
            }
        }
        found.sort_unstable();
        found.dedup();
        (found, external)
    }

    /// Says whether the members of all these types are known: a name that is none is another's.
    fn is_closed(&self, ids: &[SymbolId], depth: u32) -> bool {
        ids.iter().all(|id| {
            let typed = matches!(
                self.symbol(*id).kind,
                SymbolKind::Class | SymbolKind::Struct | SymbolKind::Interface | SymbolKind::Enum
            );
            let family = self.family(id.file);
            let strict = !matches!(
                family,
                Family::Rust | Family::Ruby | Family::Lua | Family::Swift
            );
            typed && strict && self.all_bases_known(*id, &mut HashSet::new(), depth)
        })
    }

    fn all_bases_known(&self, id: SymbolId, seen: &mut HashSet<SymbolId>, depth: u32) -> bool {
        if !seen.insert(id) {
            return true;
        }
        let (bases, external) = self.bases(id, depth);
        !external
            && bases
                .into_iter()
                .all(|base| self.all_bases_known(base, seen, depth + 1))
    }

    /// The last name before a definition's own: `Router` of `Router.use`.
    pub(crate) fn owner_name(&self, id: SymbolId) -> Option<String> {
        let symbol = self.symbol(id);
        let mut owners = parts(&symbol.qualified);
        owners.pop();
        owners.pop().or_else(|| {
            let parent = self.symbol(self.parent(id)?);
            has_members(parent.kind).then(|| parent.name.clone())
        })
    }

    /// Says whether a definition can stand after a dot.
    pub(crate) fn is_member_like(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        if is_member(symbol.kind) {
            return true;
        }
        match self.parent(id) {
            Some(parent) => has_members(self.symbol(parent).kind),
            None => self.owner_name(id).is_some(),
        }
    }

    /// Says whether a file imports another, directly or through others.
    pub(crate) fn reaches(&self, from: u32, to: u32) -> bool {
        let mut seen: HashSet<u32> = HashSet::from([from]);
        let mut next = vec![from];
        while let Some(file) = next.pop() {
            if file == to || self.same_package(file, to) {
                return true;
            }
            for edge in self.graph.imports(file) {
                next.extend(edge.target.filter(|target| seen.insert(*target)));
            }
        }
        false
    }
}

fn joined(left: Meaning, right: Meaning) -> Meaning {
    match (left, right) {
        (Meaning::Unknown, other) | (other, Meaning::Unknown) => other,
        (Meaning::External, other) | (other, Meaning::External) => other,
        (Meaning::Definitions(mut a), Meaning::Definitions(b)) => {
            a.extend(b);
            Meaning::Definitions(a)
        }
        (Meaning::Instances(mut a), Meaning::Instances(b)) => {
            a.extend(b);
            Meaning::Instances(a)
        }
        (Meaning::Modules(mut a), Meaning::Modules(b)) => {
            a.extend(b);
            Meaning::Modules(a)
        }
        (first, _) => first,
    }
}

fn without_impls(lookup: &Lookup<'_>, ids: Vec<SymbolId>) -> Vec<SymbolId> {
    let (impls, others): (Vec<SymbolId>, Vec<SymbolId>) = ids
        .into_iter()
        .partition(|id| lookup.symbol(*id).kind == SymbolKind::Impl);
    if others.is_empty() { impls } else { others }
}

/// The folder as a package: what follows `java/`, `kotlin/` or `scala/`, so that tests are inside.
fn package_of(path: &str) -> &str {
    let folder = paths::parent(path);
    ["java/", "kotlin/", "scala/"]
        .iter()
        .find_map(|root| folder.rfind(root).map(|at| &folder[at + root.len()..]))
        .unwrap_or(folder)
}

/// The folder that holds a crate's `src`.
fn crate_of(path: &str) -> &str {
    path.rfind("src/").map_or("", |at| &path[..at])
}

/// A part of a dotted expression.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    name: String,
    called: bool,
    indexed: bool,
}

/// Splits `new Foo(a).bar[0].baz` into its steps; none when it is not such an expression.
fn steps(text: &str) -> Vec<Step> {
    let mut text = text.trim();
    loop {
        let shorter = ["new ", "await ", "&mut ", "&", "*", "!", "return "]
            .iter()
            .find_map(|word| text.strip_prefix(word));
        let inner = text
            .strip_prefix('(')
            .and_then(|rest| rest.strip_suffix(')'));
        match shorter.or(inner.filter(|inner| !inner.contains([')', '(']))) {
            Some(rest) => text = rest.trim(),
            None => break,
        }
    }
    let text = text
        .strip_prefix("@")
        .map_or_else(|| text.to_owned(), |rest| format!("@.{rest}"));
    let mut steps: Vec<Step> = Vec::new();
    let mut step = Step {
        name: String::new(),
        called: false,
        indexed: false,
    };
    let mut depth = 0u32;
    for c in text.chars() {
        match c {
            '(' | '[' | '{' | '<' if depth > 0 => depth += 1,
            '(' | '{' => {
                step.called = true;
                depth += 1;
            }
            '[' => {
                step.indexed = true;
                depth += 1;
            }
            '<' => depth += 1,
            ')' | ']' | '}' | '>' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            '.' | ':' | '?' | '!' | '-' | '>' | '\\' | '#' => {
                if !step.name.is_empty() {
                    steps.push(std::mem::replace(
                        &mut step,
                        Step {
                            name: String::new(),
                            called: false,
                            indexed: false,
                        },
                    ));
                }
            }
            ' ' | ';' => {}
            c if c.is_alphanumeric() || matches!(c, '_' | '$' | '@') => step.name.push(c),
            _ => return Vec::new(),
        }
    }
    if !step.name.is_empty() {
        steps.push(step);
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn an_expression_falls_into_steps() {
        let read = |text: &str| -> Vec<String> {
            let mark = |step: &super::Step| {
                let call = if step.called { "()" } else { "" };
                let index = if step.indexed { "[]" } else { "" };
                format!("{}{call}{index}", step.name)
            };
            steps(text).iter().map(mark).collect()
        };
        assert_eq!(read("new Foo(a, b).bar[0].baz"), ["Foo()", "bar[]", "baz"]);
        assert_eq!(read("crate::x::Y"), ["crate", "x", "Y"]);
        assert_eq!(read("(*self)"), ["self"]);
        assert_eq!(read("Foo::<T>::new(x)"), ["Foo", "new()"]);
        assert_eq!(read("this?.app!.router"), ["this", "app", "router"]);
        assert_eq!(read("a + b"), Vec::<String>::new());
    }
}
