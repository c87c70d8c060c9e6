//! Names that hide those around without being locals: parameters of types, the own name of a class that is a
//! value, members inside of their enum.

use tree_sitter::Node;

use super::Walk;
use super::inner_name::{InnerMeaning, InnerName};
use crate::types::ReferenceKind;

impl<'s, 't> Walk<'s, 't> {
    /// Notes the names that the node on top has for itself or for what it stands in.
    pub(super) fn note_inner_names(&mut self, node: Node<'t>) {
        let top = self.context.levels.len() - 1;
        let field = |name| node.child_by_field_name(name);
        match node.kind() {
            "type_parameters" => {
                let names = parts(node).filter_map(|part| part.child_by_field_name("name"));
                for name in names.collect::<Vec<_>>() {
                    self.add_inner(top - 1, name, InnerMeaning::Type);
                }
            }
            "mapped_type_clause" => {
                if let Some(name) = field("name") {
                    self.add_inner(top - 1, name, InnerMeaning::Type);
                }
            }
            "infer_type" => {
                let levels = self.context.levels.iter();
                let around = levels
                    .clone()
                    .rposition(|level| level.node.kind() == "conditional_type");
                if let (Some(depth), Some(name)) = (around, node.named_child(0)) {
                    self.add_inner(depth, name, InnerMeaning::Type);
                }
            }
            "class" => {
                if let Some(name) = field("name") {
                    self.add_inner(top, name, InnerMeaning::Own);
                }
            }
            "enum_body" => self.note_enum(node, top),
            "type_parameter" => self.note_python_parameters(node, top),
            _ => {}
        }
    }

    fn note_enum(&mut self, body: Node<'t>, top: usize) {
        let around = self.context.levels[top - 1].node;
        let owner = self.context.field_text(around, "name");
        for part in parts(body).collect::<Vec<_>>() {
            let name = part.child_by_field_name("name").unwrap_or(part);
            self.add_inner(top, name, InnerMeaning::Member(owner));
        }
    }

    /// Python: brackets behind a name hold parameters where a function, a class or a type is defined.
    fn note_python_parameters(&mut self, list: Node<'t>, top: usize) {
        let is_definition = |depth: &usize| {
            self.context.levels[*depth]
                .node
                .kind()
                .ends_with("_definition")
        };
        let is_alias = |depth: &usize| {
            let level = &self.context.levels[*depth];
            let left = level.node.child_by_field_name("left");
            level.node.kind() == "type_alias_statement"
                && left.is_some_and(|left| left.end_byte() == list.end_byte())
        };
        let around = (top.saturating_sub(3)..top).rev().find(is_alias);
        let Some(depth) = Some(top - 1).filter(is_definition).or(around) else {
            return;
        };
        for part in parts(list).collect::<Vec<_>>() {
            let mut name = part;
            while let Some(first) = name.named_child(0) {
                name = first;
            }
            self.add_inner(depth, name, InnerMeaning::Own);
        }
    }

    fn add_inner(&mut self, depth: usize, name: Node<'t>, means: InnerMeaning<'s>) {
        let name = self.context.text(name);
        self.inner_names.push(InnerName { depth, name, means });
    }

    /// A level was left: the names that are seen below it go.
    pub(super) fn forget_inner_names(&mut self) {
        let n_levels = self.context.levels.len();
        while self
            .inner_names
            .last()
            .is_some_and(|inner| inner.depth >= n_levels)
        {
            self.inner_names.pop();
        }
    }

    /// Says whether a bare name means one of these, which is noted where it is a use of a member.
    pub(super) fn is_inner(&mut self, node: Node<'t>, name: &'s str, kind: ReferenceKind) -> bool {
        let mut inner = self.inner_names.iter().rev();
        let is_type = kind == ReferenceKind::Type || node.kind() == "type_identifier";
        let hiding = inner.find(|inner| {
            let fits = match inner.means {
                InnerMeaning::Type => is_type,
                InnerMeaning::Member(_) => !is_type,
                InnerMeaning::Own => true,
            };
            inner.name == name && fits
        });
        match hiding.map(|inner| inner.means) {
            Some(InnerMeaning::Member(owner)) => {
                self.push_reference(name, owner, kind, node);
                true
            }
            other => other.is_some(),
        }
    }
}

fn parts(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    (0..node.named_child_count()).filter_map(move |at| node.named_child(at as u32))
}
