//! What the names of one file mean in it: names that imports bind, modules that they open.

use rustc_hash::FxHashMap;
use whyrank_syntax::{Import, ImportKind, Reference, ReferenceKind, SymbolKind};

use crate::{
    imports::import_graph::{ImportEdge, ImportGraph},
    input::files::FileInput,
    languages::{LanguageRules, Rules},
};

/// The names of a file.
pub(crate) struct FileScope<'a> {
    pub(crate) bound: FxHashMap<&'a str, Vec<Binding<'a>>>,
    /// Modules whose names are all visible.
    pub(crate) open: Vec<u32>,
    /// Those among them that are opened for whoever opens the file.
    pub(crate) passed_on: Vec<u32>,
    /// The uses of types as bases, by the definition around them.
    pub(crate) inherits: FxHashMap<u32, Vec<&'a Reference>>,
    /// Those in the heads of `impl` blocks, by the name of the type.
    pub(crate) inherits_by_impl: FxHashMap<&'a str, Vec<&'a Reference>>,
    /// Something is opened that is not in the view.
    pub(crate) open_external: bool,
    /// Local names that say what they hold, by name.
    pub(crate) locals: FxHashMap<&'a str, Vec<u32>>,
    /// Fields set through the object itself, by name.
    pub(crate) fields: FxHashMap<&'a str, Vec<u32>>,
    /// What functions return whose heads do not say it, by function.
    pub(crate) returns: FxHashMap<u32, Vec<u32>>,
    /// The namespaces that the file declares.
    pub(crate) spaces: Vec<&'a str>,
}

/// What an import binds a name to; no files: not in the view.
#[derive(Clone, Debug)]
pub(crate) struct Binding<'a> {
    pub(crate) files: Vec<u32>,
    pub(crate) what: Bound<'a>,
    pub(crate) line: u32,
    /// It leads to a file of the view that is not there: moved, not written yet, made by a build.
    pub(crate) is_lost: bool,
}

impl<'a> Binding<'a> {
    /// What an import binds a name to, by the files that it leads to.
    pub(crate) fn of(import: &Import, files: Vec<u32>, what: Bound<'a>) -> Self {
        Self {
            is_lost: files.is_empty() && is_relative(import),
            files,
            what,
            line: import.line,
        }
    }
}

/// The part of a module that a name is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bound<'a> {
    /// The module itself.
    Module,
    /// What the module is as a value: `module.exports`, a default export.
    Default,
    /// A name in it.
    Name(&'a str),
}

impl<'a> FileScope<'a> {
    pub(crate) fn new(input: &FileInput<'a>, graph: &ImportGraph, file: u32) -> Self {
        let mut scope = Self {
            bound: FxHashMap::default(),
            open: Vec::new(),
            passed_on: Vec::new(),
            inherits: FxHashMap::default(),
            inherits_by_impl: FxHashMap::default(),
            open_external: false,
            locals: FxHashMap::default(),
            fields: FxHashMap::default(),
            returns: FxHashMap::default(),
            spaces: Vec::new(),
        };
        for (at, local) in (0u32..).zip(&input.facts().locals) {
            if let Some(function) = local.enclosing.filter(|_| local.name == "return") {
                scope.returns.entry(function).or_default().push(at);
                continue;
            }
            let (known, name) = match local.name.strip_prefix('.') {
                Some(field) => (&mut scope.fields, field),
                None => (&mut scope.locals, local.name.as_str()),
            };
            known.entry(name).or_default().push(at);
        }
        scope.note_bases(input);
        let symbols = input.symbols().iter();
        let spaces = symbols.filter(|symbol| symbol.kind == SymbolKind::Namespace);
        scope
            .spaces
            .extend(spaces.map(|space| space.qualified.as_str()));
        let rules = LanguageRules::of(input.language);
        let edges = graph.imports(file);
        let mut at = 0;
        for (import_idx, import) in (0u32..).zip(&input.facts().imports) {
            let end = at
                + edges[at..]
                    .iter()
                    .take_while(|edge| edge.import_idx == import_idx)
                    .count();
            scope.bind(rules, import, &edges[at..end]);
            at = end;
        }
        scope
    }

    /// Says whether an import gives a name that leads nowhere, though it names a file beside it.
    pub(crate) fn is_lost(&self, name: &str) -> bool {
        let bindings = self.bound.get(name).into_iter().flatten();
        bindings.into_iter().any(|binding| binding.is_lost)
    }

    fn note_bases(&mut self, input: &FileInput<'a>) {
        let is_base = |reference: &&Reference| reference.kind == ReferenceKind::Inherit;
        for reference in input.facts().references.iter().filter(is_base) {
            let around = reference.enclosing;
            let Some((at, around)) =
                around.and_then(|at| Some((at, input.symbols().get(at as usize)?)))
            else {
                continue;
            };
            self.inherits.entry(at).or_default().push(reference);
            if around.kind == SymbolKind::Impl {
                let of_type = self.inherits_by_impl.entry(&around.name).or_default();
                of_type.push(reference);
            }
        }
    }

    fn bind(&mut self, rules: Rules, import: &'a Import, edges: &[ImportEdge]) {
        let files: Vec<u32> = edges
            .iter()
            .filter(|edge| edge.name_idx.is_none())
            .filter_map(|edge| edge.target)
            .collect();
        if import.names.is_empty() {
            self.bind_module(
                rules,
                import,
                edges.iter().filter_map(|edge| edge.target).collect(),
            );
        }
        for (name_idx, name) in (0u32..).zip(&import.names) {
            let own = edges.iter().find(|edge| edge.name_idx == Some(name_idx));
            let submodule = own.and_then(|edge| edge.target);
            let (targets, what) = match (submodule, name.name.as_str()) {
                (Some(target), _) => (vec![target], Bound::Module),
                (None, "*" | "_") if matches!(name.local.as_str(), "*" | "_" | "" | ".") => {
                    self.open_external |= files.is_empty();
                    self.open.extend(&files);
                    continue;
                }
                (None, "*") => (files.clone(), Bound::Module),
                (None, "default") => (files.clone(), Bound::Default),
                (None, origin) => (files.clone(), Bound::Name(origin)),
            };
            self.add(&name.local, Binding::of(import, targets, what));
            if rules.modules_share_names && submodule.is_some() && !files.is_empty() {
                let value = Binding::of(import, files.clone(), Bound::Name(&name.name));
                self.add(&name.local, value);
            }
        }
    }

    fn bind_module(&mut self, rules: Rules, import: &'a Import, files: Vec<u32>) {
        if !(rules.opens_module)(import) {
            (rules.bind_module)(self, import, files);
            return;
        }
        self.open_external |= files.is_empty();
        if import.kind == ImportKind::ReExport {
            self.passed_on.extend(&files);
        }
        self.open.extend(files);
    }

    pub(crate) fn add(&mut self, local: &'a str, binding: Binding<'a>) {
        self.bound.entry(local).or_default().push(binding);
    }
}

/// Says whether an import names a file beside it, which no library can give.
fn is_relative(import: &Import) -> bool {
    import.module.starts_with('.')
}
