//! A [`Spec`] by the grammar's numeric ids, built once per language: one look-up a node.

use crate::spec::{NodeRole, Spec};
use crate::types::{ReferenceKind, SymbolKind};

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
    pub(crate) aside: bool,
    pub(crate) names: bool,
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

/// A [`Spec`] with its tables.
#[derive(Clone, Copy)]
pub(crate) struct IndexedSpec {
    pub(crate) spec: &'static Spec,
    pub(crate) tables: &'static Tables,
}

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
            aside: has(spec.asides),
            names: has(spec.own_names),
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
