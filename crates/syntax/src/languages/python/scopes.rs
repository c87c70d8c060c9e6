//! What a function or comprehension of Python binds: a name assigned anywhere in a function is a
//! local of all of it.

use std::collections::HashSet;

use crate::spec::Context;
use tree_sitter::Node;

/// Names of a function that hold before the line that sets them, in the order of the text.
pub(super) fn binds_ahead<'t>(context: &Context<'_, 't>, scope: Node<'t>) -> Vec<Node<'t>> {
    let mut names = Vec::new();
    let mut outer = HashSet::new();
    let body = (scope.kind() == "function_definition")
        .then(|| scope.child_by_field_name("body"))
        .flatten();
    let mut open: Vec<Node<'t>> = body.into_iter().collect();
    while let Some(node) = open.pop() {
        match node.kind() {
            "function_definition" | "class_definition" | "lambda" => continue,
            "global_statement" | "nonlocal_statement" => {
                let mut cursor = node.walk();
                outer.extend(node.named_children(&mut cursor).map(|it| context.text(it)));
            }
            "assignment" | "augmented_assignment" | "for_statement" => {
                targets(node.child_by_field_name("left"), &mut names);
            }
            "named_expression" => targets(node.child_by_field_name("name"), &mut names),
            "as_pattern_target" | "splat_pattern" => targets(node.named_child(0), &mut names),
            "case_pattern" | "keyword_pattern" | "union_pattern" => captured(node, &mut names),
            _ => {}
        }
        let mut cursor = node.walk();
        let inner: Vec<Node<'t>> = node.named_children(&mut cursor).collect();
        open.extend(inner.into_iter().rev());
    }
    names.retain(|name| outer.insert(context.text(*name)));
    names
}

/// Tells that the leaf at work is set by the pattern of a `case`.
pub(super) fn captures(context: &Context<'_, '_>) -> bool {
    let (Some(parent), Some(around)) = (context.ancestor(0), context.ancestor(1)) else {
        return false;
    };
    match parent.kind() {
        "dotted_name" => holds_value(around) && parent.named_child_count() == 1,
        "as_pattern" => around.kind() == "case_pattern",
        _ => false,
    }
}

/// The names that a part of a pattern sets: alone and without a dot, where a value could stand.
fn captured<'t>(part: Node<'t>, names: &mut Vec<Node<'t>>) {
    let mut cursor = part.walk();
    for child in part.named_children(&mut cursor) {
        match child.kind() {
            "dotted_name" if child.named_child_count() == 1 => names.extend(child.named_child(0)),
            "as_pattern" => {
                let last = child.named_child_count().saturating_sub(1) as u32;
                names.extend(child.named_child(last));
            }
            _ => {}
        }
    }
}

/// Tells that a part of a pattern may hold a value, and not only a type.
fn holds_value(part: Node<'_>) -> bool {
    matches!(
        part.kind(),
        "case_pattern" | "keyword_pattern" | "union_pattern"
    )
}

/// The names that a target of an assignment sets; a field or an element sets none.
fn targets<'t>(target: Option<Node<'t>>, names: &mut Vec<Node<'t>>) {
    let mut open: Vec<Node<'t>> = target.into_iter().collect();
    while let Some(node) = open.pop() {
        match node.kind() {
            "identifier" => names.push(node),
            "pattern_list"
            | "tuple_pattern"
            | "list_pattern"
            | "list_splat_pattern"
            | "parenthesized_expression" => {
                let mut cursor = node.walk();
                open.extend(node.named_children(&mut cursor));
            }
            _ => {}
        }
    }
}
