//! Makes the scope of a file: what it declares, and what its imports bind and open.

use rustc_hash::FxHashMap;
use whyrank_syntax::{Import, ImportKind, Reference, ReferenceKind, SET, SymbolKind};

use crate::{
    imports::import_graph::{ImportEdge, ImportGraph},
    input::files::FileInput,
    languages::{LanguageRules, Rules},
    resolution::scope::{Binding, Bound, FileScope},
};

impl<'a> FileScope<'a> {
    pub(crate) fn new(input: &FileInput<'a>, graph: &ImportGraph, file: u32) -> Self {
        let mut scope = Self {
            bound: FxHashMap::default(),
            open: Vec::new(),
            passed_on: Vec::new(),
            passed_by_name: FxHashMap::default(),
            left_out: Vec::new(),
            inherits: FxHashMap::default(),
            inherits_by_impl: FxHashMap::default(),
            open_external: false,
            locals: FxHashMap::default(),
            fields: FxHashMap::default(),
            settings: FxHashMap::default(),
            decorators: Vec::new(),
            returns: FxHashMap::default(),
            spaces: Vec::new(),
        };
        for (at, local) in (0u32..).zip(&input.facts().locals) {
            if let Some(function) = local.enclosing.filter(|_| local.name == "return") {
                scope.returns.entry(function).or_default().push(at);
                continue;
            }
            let name = local.name.as_str();
            let (known, name) = match (name.strip_prefix('.'), name.strip_prefix(SET)) {
                (Some(field), _) => (&mut scope.fields, field),
                (None, Some(variable)) => (&mut scope.settings, variable),
                (None, None) => (&mut scope.locals, name),
            };
            known.entry(name).or_default().push(at);
        }
        scope.note_bases(input);
        let references = input.facts().references.iter();
        let decorators = references.filter(|reference| reference.kind == ReferenceKind::Decorator);
        scope.decorators.extend(decorators);
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
            if (rules.may_begin_at_value)(input.symbols(), import) {
                scope.doubt(import);
            }
            at = end;
        }
        scope
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
            if name.local.is_empty() && name.name != "*" {
                self.left_out.push(&name.name);
                continue;
            }
            let own = edges.iter().find(|edge| edge.name_idx == Some(name_idx));
            let submodule = own.and_then(|edge| edge.target);
            let (targets, what) = match (submodule, name.name.as_str()) {
                (Some(target), _) => (vec![target], Bound::Module),
                (None, "*" | "_") if matches!(name.local.as_str(), "*" | "_" | "" | ".") => {
                    self.open_external |= files.is_empty();
                    self.open.extend(&files);
                    if import.kind == ImportKind::ReExport {
                        self.passed_on.extend(&files);
                    }
                    continue;
                }
                (None, "*") => (files.clone(), Bound::Module),
                (None, "default") => (files.clone(), Bound::Default),
                (None, origin) => (files.clone(), Bound::Name(origin)),
            };
            if import.kind == ImportKind::ReExport && what == Bound::Name(&name.name) {
                let passed = self.passed_by_name.entry(&name.local).or_default();
                passed.extend(&targets);
            }
            self.add(&name.local, Binding::of(import, targets, what));
            if rules.modules_share_names && submodule.is_some() && !files.is_empty() {
                let value = Binding::of(import, files.clone(), Bound::Name(&name.name));
                self.add(&name.local, value);
            }
        }
    }

    /// An import that leads nowhere known may begin at a value of the view.
    fn doubt(&mut self, import: &Import) {
        for name in &import.names {
            let bindings = self
                .bound
                .get_mut(name.local.as_str())
                .into_iter()
                .flatten();
            for binding in bindings.filter(|binding| binding.line == import.line) {
                binding.is_lost |= binding.files.is_empty();
            }
        }
    }

    fn bind_module(&mut self, rules: Rules, import: &'a Import, files: Vec<u32>) {
        if !(rules.opens_module)(import) {
            (rules.bind_module)(self, import, files);
            return;
        }
        self.open_external |= files.is_empty();
        if matches!(import.kind, ImportKind::ReExport | ImportKind::Include) {
            self.passed_on.extend(&files);
        }
        self.open.extend(files);
    }
}
