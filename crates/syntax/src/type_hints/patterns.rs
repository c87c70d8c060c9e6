//! C#: what patterns are held against: `o is Merger { Next: var n }`.

use super::{of_value, plain};
use crate::locals::TypeHint;
use crate::spec::Context;
use crate::types::HintKind;
use tree_sitter::Node;

/// What the pattern `n_up` nodes above the leaf declares where it names no type itself.
pub(super) fn declared(context: &Context<'_, '_>, n_up: usize) -> Option<TypeHint> {
    let text = against(context, n_up)?;
    Some(match text.strip_prefix(':') {
        Some(stated) => (HintKind::Type, stated.to_owned()),
        None => (HintKind::Value, text),
    })
}

/// The owner of what the pattern `n_up` nodes above the leaf takes apart: `:Type` where it says one.
pub(crate) fn matched(context: &Context<'_, '_>, n_up: usize) -> Option<String> {
    let stated = context.ancestor(n_up)?.child_by_field_name("type");
    match stated.filter(|stated| stated.kind() != "implicit_type") {
        Some(stated) => Some(format!(":{}", context.text(stated))),
        None => against(context, n_up),
    }
}

/// The value that a pattern is held against.
fn against(context: &Context<'_, '_>, n_up: usize) -> Option<String> {
    let around = context.ancestor(n_up + 1)?;
    let value = |node: Node<'_>| match of_value(context, node)? {
        (HintKind::Type, text) => Some(format!(":{text}")),
        (_, text) => Some(text),
    };
    match around.kind() {
        "is_pattern_expression" => value(around.child_by_field_name("expression")?),
        "switch_expression_arm" => value(context.ancestor(n_up + 2)?.named_child(0)?),
        "switch_section" => {
            let switch = context.ancestor(n_up + 3)?;
            value(switch.child_by_field_name("value")?)
        }
        "subpattern" => {
            let name = plain(context.text(around.named_child(0)?))?;
            let is_named = around.named_child_count() > 1;
            let owner = matched(context, n_up + 3).filter(|_| is_named)?;
            Some(member_of(&owner, &name))
        }
        "negated_pattern" | "and_pattern" | "or_pattern" | "parenthesized_pattern" => {
            against(context, n_up + 1)
        }
        _ => None,
    }
}

/// A member of what an expression gives, as an expression.
fn member_of(owner: &str, name: &str) -> String {
    match owner.strip_prefix(':') {
        Some(stated) => format!("^:({stated}).{name}"),
        None => format!("{owner}.{name}"),
    }
}
