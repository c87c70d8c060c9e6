//! Dart: names that stand before arguments and in patterns, and what comes before a name where that is no
//! path in the text.

use std::borrow::Cow;

use tree_sitter::Node;

use super::Walk;
use super::qualifier::qualifier;
use crate::type_hints;
use crate::types::{HintKind, ReferenceKind};

impl<'s, 't> Walk<'s, 't> {
    /// `Type(name: 1)` sets a field where an object is made, `case Type(name: 1)` reads one. A label of a
    /// function names its parameter.
    pub(super) fn label(&mut self, node: Node<'t>, name: &'s str, label_at: usize) {
        let around = |n: usize| {
            let at = label_at.checked_sub(n)?;
            Some(self.context.levels[at].node)
        };
        let Some(holder) = around(1) else { return };
        let (owner, kind) = match holder.kind() {
            "named_argument" => {
                let call = around(3);
                let made = call.and_then(|call| {
                    let field = |name| call.child_by_field_name(name);
                    field("function").or_else(|| field("type"))
                });
                (made, ReferenceKind::Write)
            }
            "object_pattern" => (Some(holder), ReferenceKind::Read),
            _ => return,
        };
        if let Some(owner) = owner.and_then(|owner| type_of_path(self.context.text(owner))) {
            self.push_reference(name, owner, kind, node);
        }
    }

    /// What comes before the last name of a path that says it otherwise than by its text.
    pub(super) fn by_kind(&self, at: usize, text: &'s str) -> Option<Cow<'s, str>> {
        Some(match self.context.levels[at].node.kind() {
            // `.red`: of the type that its place expects.
            "static_member_shorthand" => Cow::Borrowed("…"),
            "new_expression" | "const_object_expression" => qualifier(text.split_once(' ')?.1),
            "constructor_invocation" => qualifier(text.split('<').next()?),
            kind if kind.starts_with("cascade_") => Cow::Owned(self.cascaded(at, text)),
            _ => return None,
        })
    }

    /// What comes before a name behind `..`: the value at the head, and the path from there.
    fn cascaded(&self, at: usize, path: &str) -> String {
        let levels = self.context.levels[..at].iter().rev();
        let mut cascades = levels.filter(|level| level.node.kind() == "cascade");
        let head = cascades.next().and_then(|level| level.node.named_child(0));
        let hint = head.and_then(|head| type_hints::of_value(&self.context, head));
        let path = type_hints::plain(path.trim_end_matches(['.', '?', '!', ' ', '\n']));
        match (hint, path) {
            (Some((HintKind::Value, head)), Some(path)) if path.is_empty() => head,
            (Some((HintKind::Value, head)), Some(path)) => format!("{head}.{path}"),
            (Some((HintKind::Type, head)), Some(path)) if path.is_empty() => format!(":{head}"),
            _ => "…".to_owned(),
        }
    }
}

/// The type at the head of a path, with the prefix of its import: `a.Type` of `a.Type.named`.
fn type_of_path(text: &str) -> Option<&str> {
    let text = text.split(['<', '(']).next().unwrap_or(text).trim();
    let is_path = text
        .chars()
        .all(|c| c.is_alphanumeric() || "_$.".contains(c));
    let mut end = 0;
    for part in text.split('.').filter(|_| is_path) {
        end += part.len();
        if part
            .trim_start_matches(['_', '$'])
            .starts_with(char::is_uppercase)
        {
            return text.get(..end);
        }
        end += 1;
    }
    None
}

/// Says whether a name of a type is the last of its path: its arguments, a mark or a bracket may follow.
pub(super) fn is_last_name(node: Node<'_>) -> bool {
    let next = node.next_sibling().map_or("", |next| next.kind());
    node.kind() == "type_identifier" && !matches!(next, "." | "::")
}
