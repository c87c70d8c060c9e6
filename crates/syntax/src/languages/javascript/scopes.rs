//! What a block of JavaScript binds: its `let`, `const` and `class` hold in all of it, and the
//! closures above the line that sets them mean them.

use crate::spec::{Aside, Context, Definition};
use crate::type_hints::is_import;
use crate::types::SymbolKind;
use tree_sitter::Node;

/// Deeper patterns declare nothing.
const MAX_NODES: usize = 400;

/// Names of a block that hold before the line that declares them; `declared` tells what a declarator
/// defines.
pub(super) fn binds_ahead<'t>(
    context: &Context<'_, 't>,
    block: Node<'t>,
    declared: fn(&Context<'_, 't>, Node<'t>) -> Option<Definition<'t>>,
) -> Vec<Node<'t>> {
    let mut names = Vec::new();
    if !matches!(block.kind(), "statement_block" | "switch_body") {
        return names;
    }
    let mut cursor = block.walk();
    for statement in block.named_children(&mut cursor) {
        if !matches!(
            statement.kind(),
            "lexical_declaration" | "variable_declaration" | "using_declaration"
        ) {
            continue;
        }
        let mut declarators = statement.walk();
        for declarator in statement.named_children(&mut declarators) {
            if is_import(context, declarator) {
                continue;
            }
            let definition = declared(context, declarator);
            let is_variable = |kind| matches!(kind, SymbolKind::Variable | SymbolKind::Constant);
            // A function or class that a name is set to is a symbol, and found as one.
            if definition.is_none_or(|definition| is_variable(definition.kind)) {
                bound(declarator.child_by_field_name("name"), &mut names);
            }
        }
    }
    names
}

/// The names that a pattern binds.
fn bound<'t>(pattern: Option<Node<'t>>, names: &mut Vec<Node<'t>>) {
    let mut open: Vec<Node<'t>> = pattern.into_iter().collect();
    let mut n_seen = 0;
    while let Some(node) = open.pop() {
        n_seen += 1;
        if n_seen > MAX_NODES {
            return;
        }
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => names.push(node),
            "pair_pattern" => open.extend(node.child_by_field_name("value")),
            "assignment_pattern" | "object_assignment_pattern" => {
                open.extend(node.child_by_field_name("left"));
            }
            "object_pattern" | "array_pattern" | "rest_pattern" => {
                let mut cursor = node.walk();
                open.extend(node.named_children(&mut cursor));
            }
            _ => {}
        }
    }
}

/// A name that is asked for its type: `x instanceof T`, `isKnown(x)`.
pub(super) fn narrowed<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Aside<'t>> {
    let asked = match node.child_by_field_name("function") {
        None if context.field_text(node, "operator") == "instanceof" => {
            node.child_by_field_name("left")
        }
        Some(function) if asks(context.text(function)) => node
            .child_by_field_name("arguments")
            .and_then(|arguments| arguments.named_child(0)),
        _ => None,
    };
    let name = asked.filter(|name| name.kind() == "identifier");
    name.map(|name| Aside::Narrows { name })
        .into_iter()
        .collect()
}

/// Says whether a function is one that asks for a type, by its name.
fn asks(function: &str) -> bool {
    let name = function.rsplit('.').next().unwrap_or(function);
    let of_kind = name
        .strip_prefix("is")
        .or_else(|| name.strip_prefix("assert"));
    of_kind.is_some_and(|kind| kind.starts_with(char::is_uppercase))
}

/// Says whether a declarator stands in the head of a loop, which alone sees it.
pub(super) fn is_of_loop(context: &Context<'_, '_>) -> bool {
    let kind = |n| context.ancestor(n).map(|node| node.kind());
    kind(0) == Some("lexical_declaration") && kind(1) == Some("for_statement")
}
