//! Names that are bases of the type around by where they stand, and that a table of positions does not tell.

use super::Walk;
use crate::types::ReferenceKind;
use tree_sitter::Node;

impl<'t> Walk<'_, 't> {
    /// Java, Scala: `new Type() { … }` makes a type without a name, an heir of the one that is named.
    pub(super) fn opens_anonymous_type(&self, parent_at: usize) -> bool {
        let node = self.context.levels[parent_at].node;
        let makes = matches!(
            node.kind(),
            "object_creation_expression" | "instance_expression"
        );
        let mut cursor = node.walk();
        makes
            && node
                .named_children(&mut cursor)
                .any(|part| matches!(part.kind(), "class_body" | "template_body"))
    }

    /// Java: what a sealed type permits are its heirs, not its bases.
    pub(super) fn permits(&self, parent_at: usize) -> bool {
        parent_at > 0 && self.context.levels[parent_at - 1].node.kind() == "permits"
    }

    /// Python: `Base` of `class Heir(Base[T])`.
    pub(super) fn is_subscripted_base(&self, node: Node<'t>, parent_at: usize) -> bool {
        let above = |n: usize| {
            let at = parent_at.checked_sub(n)?;
            Some(self.context.levels[at].node)
        };
        let kinds = [(1, "argument_list"), (2, "class_definition")];
        let is_in_head = kinds
            .iter()
            .all(|(n, kind)| above(*n).is_some_and(|node| node.kind() == *kind));
        let value = self.context.levels[parent_at]
            .node
            .child_by_field_name("value");
        is_in_head
            && self.context.levels[parent_at].node.kind() == "subscript"
            && value.is_some_and(|value| value.byte_range().contains(&node.start_byte()))
    }

    /// Go: a field without a name embeds its type. TypeScript: a name for `A & B` has what both have.
    pub(super) fn embeds(&self, kind: ReferenceKind, parent_at: usize) -> bool {
        let node = self.context.levels[parent_at].node;
        if node.kind() == "type_alias_declaration" {
            let inner = self.context.levels.get(parent_at + 1);
            return inner.is_some_and(|level| level.node.kind() == "intersection_type");
        }
        kind == ReferenceKind::Type
            && node.kind() == "field_declaration"
            && self
                .context
                .spec
                .literals
                .contains(&("composite_literal", "type"))
            && node.child_by_field_name("name").is_none()
    }

    /// Says whether the leaf is an argument of `include` and its like.
    pub(super) fn mixes_in(&self) -> bool {
        if self.context.spec.mixins.is_empty() || self.context.in_function {
            return false;
        }
        let above = (0..3).filter_map(|n| self.context.ancestor(n));
        let mut above = above.skip_while(|node| node.kind() == "scope_resolution");
        above
            .next()
            .is_some_and(|node| node.kind() == "argument_list")
            && above.next().is_some_and(|call| {
                call.child_by_field_name("receiver").is_none()
                    && self
                        .context
                        .spec
                        .mixins
                        .contains(&self.context.field_text(call, "method"))
            })
    }
}
