//! JavaScript: the object that a key belongs to, by the place of the literal or of the pattern.
//!
//! An object literal has no type of its own: it has the one that its place expects, an argument the
//! one of the parameter, a value the one that is written beside the name. The graph follows what is
//! written here (`^N(callee)`, `^:(Type)`, `^=(value)`, with a path behind it).

use tree_sitter::Node;

use super::Walk;
use crate::type_hints;
use crate::types::{HintKind, ReferenceKind};

impl<'s, 't> Walk<'s, 't> {
    /// A key of an object literal, of a pattern, or of an element of JSX.
    pub(super) fn key_by_place(&mut self, node: Node<'t>, name: &'s str, parent_at: usize) {
        if self.context.levels[parent_at].node.kind() == "pair_pattern" {
            return self.taken_out(node, name);
        }
        if let Some(owner) = self.owner_of_key(parent_at) {
            self.push_reference(name, &owner, ReferenceKind::Write, node);
        }
    }

    /// `{ a }`: as a pattern it takes `a` out of an object, as a literal it sets it.
    pub(super) fn shorthand(&mut self, node: Node<'t>) {
        let name = self.context.text(node);
        if node.kind().ends_with("pattern") {
            return self.taken_out(node, name);
        }
        let at = self.context.levels.len() - 2;
        if let Some(owner) = self.expected(at) {
            self.push_reference(name, &owner, ReferenceKind::Write, node);
        }
    }

    /// A method that an object literal defines sets the member that its place expects.
    pub(super) fn method_of_literal(&mut self, node: Node<'t>) {
        let Some(object_at) = self.context.levels.len().checked_sub(3) else {
            return;
        };
        if self.context.levels[object_at].node.kind() == "object"
            && let Some(owner) = self.expected(object_at)
        {
            self.push_reference(self.context.text(node), &owner, ReferenceKind::Write, node);
        }
    }

    fn taken_out(&mut self, node: Node<'t>, name: &'s str) {
        let leaf_at = self.context.levels.len() - 1;
        let is_pattern = |at: &usize| self.context.levels[*at].node.kind().ends_with("pattern");
        let above = (0..leaf_at).rev().find(|at| !is_pattern(at));
        let Some(declared_at) = above.filter(|_| !self.is_import_at(above)) else {
            return;
        };
        let hint = type_hints::of_declared(&self.context, node, leaf_at - 1 - declared_at);
        if let Some((HintKind::Value, text)) = hint
            && let Some(owner) = text
                .strip_suffix(name)
                .and_then(|text| text.strip_suffix('.'))
        {
            self.push_reference(name, owner, ReferenceKind::Read, node);
        }
    }

    fn is_import_at(&self, at: Option<usize>) -> bool {
        at.is_some_and(|at| type_hints::is_import(&self.context, self.context.levels[at].node))
    }

    fn owner_of_key(&self, parent_at: usize) -> Option<String> {
        match self.context.levels[parent_at].node.kind() {
            "pair" => self.expected(parent_at.checked_sub(1)?),
            "jsx_attribute" => self.component(parent_at.checked_sub(1)?),
            _ => None,
        }
    }

    /// The properties that a component takes: its first parameter.
    fn component(&self, element_at: usize) -> Option<String> {
        let tag = self
            .context
            .field_text(self.context.levels[element_at].node, "name");
        tag.starts_with(char::is_uppercase)
            .then(|| format!("^0({tag})"))
    }

    /// What the place of the node at a level expects.
    fn expected(&self, at: usize) -> Option<String> {
        let text = self.place(at)?;
        (text.len() <= type_hints::MAX_TEXT).then_some(text)
    }

    fn place(&self, at: usize) -> Option<String> {
        let around_at = at.checked_sub(1)?;
        let (node, around) = (
            self.context.levels[at].node,
            self.context.levels[around_at].node,
        );
        let field = |name| around.child_by_field_name(name);
        let is_field = |name| field(name).is_some_and(|child| child.id() == node.id());
        let typed = |stated: Node<'t>| {
            let text = self.context.text(stated).trim_start_matches([':', ' ']);
            (!text.contains('\n')).then(|| format!("^:({text})"))
        };
        match around.kind() {
            "pair" => {
                let owner = self.place(around_at.checked_sub(1)?)?;
                Some(format!(
                    "{owner}.{}",
                    self.context.field_text(around, "key")
                ))
            }
            "array" => Some(format!("{}[]", self.place(around_at)?)),
            "parenthesized_expression" | "await_expression" => self.place(around_at),
            "ternary_expression" if !is_field("condition") => self.place(around_at),
            "binary_expression" if is_field("right") => self.place(around_at),
            "arguments" => self.argument(node, around_at),
            "as_expression" | "satisfies_expression" => typed(around.named_child(1)?),
            "variable_declarator"
            | "public_field_definition"
            | "required_parameter"
            | "optional_parameter" => typed(field("type")?),
            "assignment_expression" if is_field("right") => Some(format!(
                "^=({})",
                type_hints::plain(self.context.text(field("left")?))?
            )),
            "arrow_function" if is_field("body") => typed(field("return_type")?),
            "return_statement" => {
                let mut above = self.context.levels[..around_at].iter().rev();
                let function = above.find(|level| self.tables.kind(level.kind).scope)?;
                typed(function.node.child_by_field_name("return_type")?)
            }
            "jsx_expression" => {
                let attribute_at = around_at.checked_sub(1)?;
                let attribute = self.context.levels[attribute_at].node;
                let owner = self.component(attribute_at.checked_sub(1)?)?;
                (attribute.kind() == "jsx_attribute").then(|| {
                    Some(format!(
                        "{owner}.{}",
                        self.context.text(attribute.named_child(0)?)
                    ))
                })?
            }
            _ => None,
        }
    }

    fn argument(&self, node: Node<'t>, list_at: usize) -> Option<String> {
        let list = self.context.levels[list_at].node;
        let call = self.context.levels[list_at.checked_sub(1)?].node;
        let mut cursor = list.walk();
        let n = list
            .named_children(&mut cursor)
            .filter(|part| part.kind() != "comment")
            .position(|part| part.id() == node.id())?;
        let callee = type_hints::callee(&self.context, call, list.start_byte())?;
        Some(format!("^{n}({callee})"))
    }
}
