//! What a language says of its grammar: which nodes define, which positions play which role.
//!
//! A [`Spec`] is a static table in `languages/`; [`Tables`] is the same, indexed by the grammar's
//! numeric ids, built once per language. The walk reads tables only, so it costs one look-up a node.

use crate::types::{Import, ReferenceKind, Symbol, SymbolKind};
use crate::walk::Walk;
use tree_sitter::Node;

/// One language, as data.
pub(crate) struct Spec {
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// Node kinds that define something.
    pub(crate) defs: &'static [Def],
    /// Identifier nodes, with what they mean where no position says otherwise.
    pub(crate) leaves: &'static [(&'static str, ReferenceKind)],
    /// (parent kind or `*`, field, `""` for none or `*`, meaning).
    pub(crate) positions: &'static [(&'static str, &'static str, NodeRole)],
    /// Nodes that open a function scope: names declared inside are local.
    pub(crate) scopes: &'static [&'static str],
    /// Nodes that end the local names declared inside, within a function.
    pub(crate) blocks: &'static [&'static str],
    /// Declarations whose names are seen only behind them (`let x = x + 1`).
    pub(crate) late: &'static [&'static str],
    /// Literals with named fields: node and the field that holds the type (`Foo { a: 1 }`).
    pub(crate) literals: &'static [(&'static str, &'static str)],
    /// Nodes that belong to the definition that they hold (`export …`, decorators).
    pub(crate) wrappers: &'static [&'static str],
    /// Siblings before a definition that belong to it (`#[derive]`).
    pub(crate) attributes: &'static [&'static str],
    /// Nodes whose text is tokens without structure (macro arguments).
    pub(crate) raw: &'static [&'static str],
    /// Nodes that import: handed to `import`; names inside are imports.
    pub(crate) imports: &'static [&'static str],
    /// Nodes whose value a function returns, where heads do not always say the type.
    pub(crate) returns: &'static [&'static str],
    /// Callee names that import: the call is handed to `import`.
    pub(crate) import_calls: &'static [&'static str],
    /// Functions that give what their argument holds again: `list(x)`.
    pub(crate) copies: &'static [&'static str],
    /// Callee names whose arguments are bases of the type around (`include Comparable`).
    pub(crate) mixins: &'static [&'static str],
    /// The name that a function without parameters gives to its only one (`it`).
    pub(crate) implicit: &'static str,
    /// Words that are no names in raw text.
    pub(crate) keywords: &'static [&'static str],
    /// Definitions that no field names.
    pub(crate) define: for<'t> fn(&Walk<'_, 't>, Node<'t>) -> Vec<Definition<'t>>,
    pub(crate) import: for<'t> fn(&Walk<'_, 't>, Node<'t>) -> Vec<Import>,
    pub(crate) exported: fn(&Head<'_>) -> bool,
    /// What stands between the names of an outer and an inner definition.
    pub(crate) join: fn(outer: SymbolKind, inner: SymbolKind) -> &'static str,
    /// Assigning an unknown name in a function declares it (Python, Ruby).
    pub(crate) assignment_declares: bool,
    /// Functions are called by names of their own: a local of that name hides none.
    pub(crate) calls_pass_locals: bool,
    /// A capitalised name in a pattern is a constructor, not a new name (Rust, Scala).
    pub(crate) upper_patterns_are_reads: bool,
    /// The first string of a body documents it.
    pub(crate) docstrings: bool,
}

impl Spec {
    pub(crate) const EMPTY: Self = Self {
        grammar: || tree_sitter_c::LANGUAGE.into(),
        defs: &[],
        leaves: &[("identifier", ReferenceKind::Read)],
        positions: &[],
        scopes: &[],
        blocks: &[],
        late: &[],
        literals: &[],
        wrappers: &[],
        attributes: &[],
        raw: &[],
        imports: &[],
        returns: &[],
        import_calls: &[],
        copies: &[],
        mixins: &[],
        implicit: "",
        keywords: &[],
        define: |_, _| Vec::new(),
        import: |_, _| Vec::new(),
        exported: |_| true,
        join: |_, _| ".",
        assignment_declares: false,
        calls_pass_locals: false,
        upper_patterns_are_reads: false,
        docstrings: false,
    };
}

/// A node kind that defines something.
#[derive(Clone, Copy)]
pub(crate) struct Def {
    pub(crate) node: &'static str,
    pub(crate) kind: SymbolKind,
    /// The field with the name; empty asks `Spec::define`.
    pub(crate) name: &'static str,
}

/// A definition whose name is a field.
pub(crate) const fn def(node: &'static str, kind: SymbolKind, name: &'static str) -> Def {
    Def { node, kind, name }
}

/// A definition that `Spec::define` looks into.
pub(crate) const fn hook(node: &'static str) -> Def {
    Def {
        node,
        kind: SymbolKind::Variable,
        name: "",
    }
}

/// The role of an identifier by the field of the parent in which it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum NodeRole {
    /// What the leaf's kind says.
    Default,
    /// The last part of a path: the parent's place decides, what is before is the qualifier.
    PathTail,
    /// `PathTail` for the last part, read for the others (grammars without fields).
    LastPart,
    /// The parent's place decides.
    Transparent,
    /// As `Transparent`, but what comes out is a type unless it is inherited, decorates or is called.
    TypeContext,
    /// The called name of a call that holds its receiver too.
    Member,
    /// No use of a name.
    Skip,
    /// Declares a local name.
    Local,
    /// Names a field of the literal around it.
    Key,
    Call,
    Read,
    Write,
    Type,
    /// The name means the outer one here and below (`global x`).
    Outer,
    ReExport,
    Inherit,
    Decorator,
}

/// A definition met in the tree.
pub(crate) struct Definition<'t> {
    pub(crate) kind: SymbolKind,
    pub(crate) node: Node<'t>,
    pub(crate) name: Node<'t>,
    /// The name, where it is not the text of `name`.
    pub(crate) text: Option<String>,
    /// Replaces the prefix that the parents give (`Receiver` of a Go method).
    pub(crate) prefix: Option<String>,
    pub(crate) exported: Option<bool>,
    /// Replaces what stands between prefix and name.
    pub(crate) join: Option<&'static str>,
    /// Only the first of that name under the same parent counts (assignments).
    pub(crate) once: bool,
    /// What follows in the same block is inside (file-scoped namespaces).
    pub(crate) sticky: bool,
}

impl<'t> Definition<'t> {
    pub(crate) fn new(kind: SymbolKind, node: Node<'t>, name: Node<'t>) -> Self {
        Self {
            kind,
            node,
            name,
            text: None,
            prefix: None,
            join: None,
            exported: None,
            once: false,
            sticky: false,
        }
    }
}

/// What the rule of visibility may look at.
pub(crate) struct Head<'a> {
    /// The text from the start of the definition to its name.
    pub(crate) before: &'a str,
    pub(crate) name: &'a str,
    pub(crate) parent: Option<&'a Symbol>,
}

impl Head<'_> {
    /// Whether a word stands before the name.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.before
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|found| found == word)
    }

    /// Whether what it is defined in can be seen from outside.
    pub(crate) fn parent_exported(&self) -> bool {
        self.parent.is_none_or(|parent| parent.exported)
    }
}

/// What is known of a node kind, by its id.
#[derive(Clone, Copy, Default)]
pub(crate) struct KindInfo {
    pub(crate) named: bool,
    pub(crate) comment: bool,
    pub(crate) scope: bool,
    pub(crate) block: bool,
    pub(crate) late: bool,
    pub(crate) literal: bool,
    pub(crate) wrapper: bool,
    pub(crate) attribute: bool,
    pub(crate) raw: bool,
    pub(crate) import: bool,
    pub(crate) returns: bool,
    pub(crate) def: Option<DefinitionRule>,
    pub(crate) leaf: Option<ReferenceKind>,
}

/// A definition rule with its field resolved.
#[derive(Clone, Copy)]
pub(crate) struct DefinitionRule {
    pub(crate) kind: SymbolKind,
    /// 0 asks the hook.
    pub(crate) field: u16,
}

/// The kind of a node that holds what could not be parsed; no table lists it.
pub(crate) const ERROR: u16 = u16::MAX;

/// A [`Spec`] by numeric ids.
pub(crate) struct Tables {
    pub(crate) language: tree_sitter::Language,
    kinds: Vec<KindInfo>,
    positions: Vec<NodeRole>,
    n_fields: usize,
}

impl Tables {
    pub(crate) fn new(spec: &Spec) -> Self {
        let language = (spec.grammar)();
        let n_kinds = language.node_kind_count();
        let n_fields = language.field_count() + 1;
        let mut tables = Self {
            kinds: vec![KindInfo::default(); n_kinds],
            positions: vec![NodeRole::Default; n_kinds * n_fields],
            n_fields,
            language,
        };
        for id in 0..n_kinds {
            tables.fill_kind(spec, id);
        }
        for pass in 0..3 {
            tables.fill_positions(spec, pass);
        }
        tables
    }

    fn fill_kind(&mut self, spec: &Spec, id: usize) {
        let name = self
            .language
            .node_kind_for_id(id as u16)
            .unwrap_or("")
            .to_owned();
        let name = name.as_str();
        let named = self.language.node_kind_is_named(id as u16);
        let has = |list: &[&str]| named && list.contains(&name);
        self.kinds[id] = KindInfo {
            named,
            comment: named && name.contains("comment"),
            scope: has(spec.scopes),
            block: has(spec.blocks),
            late: has(spec.late),
            literal: named && spec.literals.iter().any(|literal| literal.0 == name),
            wrapper: has(spec.wrappers),
            attribute: has(spec.attributes),
            raw: has(spec.raw),
            import: has(spec.imports),
            returns: has(spec.returns),
            def: spec
                .defs
                .iter()
                .find(|def| named && def.node == name)
                .map(|def| DefinitionRule {
                    kind: def.kind,
                    field: self.field(def.name),
                }),
            leaf: spec
                .leaves
                .iter()
                .find(|leaf| named && leaf.0 == name)
                .map(|leaf| leaf.1),
        };
    }

    fn field(&self, name: &str) -> u16 {
        self.language
            .field_id_for_name(name)
            .map_or(0, std::num::NonZero::get)
    }

    /// Wide rules first, so that narrow ones win: `(*, field)`, `(kind, *)`, `(kind, field)`.
    fn fill_positions(&mut self, spec: &Spec, pass: usize) {
        for &(parent, field, position) in spec.positions {
            let width = match (parent, field) {
                ("*", _) => 0,
                (_, "*") => 1,
                _ => 2,
            };
            if width != pass {
                continue;
            }
            for id in 0..self.kinds.len() {
                let name = self.language.node_kind_for_id(id as u16).unwrap_or("");
                if parent != "*" && !(self.kinds[id].named && name == parent) {
                    continue;
                }
                let row = id * self.n_fields;
                if field == "*" {
                    self.positions[row..row + self.n_fields].fill(position);
                } else if field.is_empty() || self.field(field) != 0 {
                    let column = self.field(field) as usize;
                    self.positions[row + column] = position;
                }
            }
        }
    }

    pub(crate) fn kind(&self, id: u16) -> KindInfo {
        if id == ERROR {
            return KindInfo {
                named: true,
                ..KindInfo::default()
            };
        }
        self.kinds.get(usize::from(id)).copied().unwrap_or_default()
    }

    pub(crate) fn position(&self, parent: u16, field: u16) -> NodeRole {
        let at = usize::from(parent) * self.n_fields + usize::from(field);
        self.positions.get(at).copied().unwrap_or(NodeRole::Default)
    }
}
