//! Swift: the type that its place gives to a name behind a dot alone, `.red` or `.shared.count`.
//!
//! Out: what stands before the name, as the graph reads it: `^:(Type)`, `^=(value)`, `^label:(callee)`
//! for the argument of a label and `^_N:(callee)` for the N-th one, which has none; `^` where the place
//! says nothing. A key path, `\.name`, says nothing of its root: `…`.

use tree_sitter::Node;

use crate::spec::Context;
use crate::type_hints;

/// Nodes in which a name at the left is the head of a chain.
const CHAIN: [&str; 6] = [
    "navigation_suffix",
    "navigation_expression",
    "call_expression",
    "prefix_expression",
    "postfix_expression",
    "optional_chain_marker",
];

/// Nodes that compare or choose between two values of one type.
const PAIRS: [&str; 5] = [
    "equality_expression",
    "comparison_expression",
    "infix_expression",
    "nil_coalescing_expression",
    "range_expression",
];

/// The owner of the chain of the leaf at work; none for a chain that does not begin with a dot.
pub(super) fn implied(context: &Context<'_, '_>) -> Option<String> {
    let leaf_at = context.levels.len().checked_sub(1)?;
    let leaf = context.levels[leaf_at].node;
    if leaf.kind() != "simple_identifier" {
        return None;
    }
    let is_link = |at: &usize| CHAIN.contains(&context.levels[*at].node.kind());
    let top = (0..leaf_at).rev().take_while(is_link).last();
    let top = top.unwrap_or(leaf_at);
    let node = context.levels[top].node;
    let text = context.text(node);
    if text.starts_with("\\.") {
        return Some("…".to_owned());
    }
    let before = context.source.get(..node.start_byte())?;
    let (dot, behind) = match text.strip_prefix('.') {
        Some(behind) => (before, behind),
        None => (before.strip_suffix('.')?, text),
    };
    if dot.ends_with(['.', '\\']) || behind.starts_with('.') {
        return None;
    }
    let place = place(context, top);
    let short = place.filter(|text| text.len() <= type_hints::MAX_TEXT && !text.contains('\n'));
    Some(short.unwrap_or_else(|| UNKNOWN.to_owned()))
}

/// The owner where its place says nothing.
const UNKNOWN: &str = "^";

/// The owner that the place of the node at a level says.
fn place(context: &Context<'_, '_>, at: usize) -> Option<String> {
    let around_at = at.checked_sub(1)?;
    let (node, around) = (context.levels[at].node, context.levels[around_at].node);
    let is_field = |name| {
        let child = around.child_by_field_name(name);
        child.is_some_and(|child| child.id() == node.id())
    };
    match around.kind() {
        // `.a != b` is read as `.(a != b)`.
        "prefix_expression" => place(context, around_at),
        "value_argument" => argument(context, around_at),
        "array_literal" => Some(format!("{}[]", place(context, around_at)?)),
        "tuple_expression" if around.named_child_count() == 1 => place(context, around_at),
        "property_declaration" => annotated(context, around),
        "function_declaration" => default_of(context, around, node),
        "assignment" if is_field("result") => {
            of_value(context, around.child_by_field_name("target")?)
        }
        "ternary_expression" if !is_field("condition") => place(context, around_at),
        "control_transfer_statement" if context.text(around).starts_with("return") => {
            returned(context, around_at)
        }
        "statements" if around.named_child_count() == 1 => returned(context, around_at),
        "pattern" | "switch_pattern" => matched(context, around_at),
        "if_statement" | "guard_statement" | "while_statement" => bound(context, around, node),
        kind if PAIRS.contains(&kind) => {
            let mut cursor = around.walk();
            let mut others = around.named_children(&mut cursor);
            let other =
                others.find(|part| part.id() != node.id() && part.kind() != "custom_operator");
            of_value(context, other?)
        }
        _ => None,
    }
}

/// The value of an expression: another of its type stands beside it.
fn of_value(context: &Context<'_, '_>, node: Node<'_>) -> Option<String> {
    let text = type_hints::plain(context.text(node))?;
    let is_path = |c: char| c.is_alphanumeric() || "_.?!()[]$".contains(c);
    let is_told = text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
    (is_told && text.chars().all(is_path)).then(|| format!("^=({text})"))
}

fn typed(text: &str) -> String {
    format!("^:({})", text.trim_start_matches([':', ' ']))
}

/// The type that is written beside a property's name.
fn annotated(context: &Context<'_, '_>, property: Node<'_>) -> Option<String> {
    let mut cursor = property.walk();
    let mut parts = property.named_children(&mut cursor);
    let stated = parts.find(|part| part.kind() == "type_annotation")?;
    Some(typed(context.text(stated)))
}

/// The type of the parameter that a value is the default of.
fn default_of(context: &Context<'_, '_>, function: Node<'_>, value: Node<'_>) -> Option<String> {
    let mut cursor = function.walk();
    let parts = function.named_children(&mut cursor);
    let before = parts.take_while(|part| part.id() != value.id());
    let parameter = before.filter(|part| part.kind() == "parameter").last()?;
    let (_, stated) = context.text(parameter).split_once(':')?;
    Some(typed(stated))
}

/// The type that the function around gives, or the property around that is computed.
fn returned(context: &Context<'_, '_>, at: usize) -> Option<String> {
    let mut above = context.levels[..at].iter().rev().map(|level| level.node);
    let around = above.find(|node| {
        let is_other = node.kind() == "lambda_literal" || node.kind() == "computed_setter";
        is_other || node.kind().ends_with("_declaration")
    })?;
    match around.kind() {
        "property_declaration" => annotated(context, around),
        "function_declaration" | "subscript_declaration" => {
            let mut cursor = around.walk();
            let mut parts = around
                .children(&mut cursor)
                .skip_while(|part| part.kind() != "->");
            Some(typed(context.text(parts.nth(1)?)))
        }
        _ => None,
    }
}

/// The value that a call takes under the label of an argument, or at its place.
fn argument(context: &Context<'_, '_>, at: usize) -> Option<String> {
    let above = |n: usize| Some(context.levels[at.checked_sub(n)?].node);
    let (argument, list, call) = (context.levels[at].node, above(1)?, above(3)?);
    if call.kind() != "call_expression" {
        return None;
    }
    let callee = type_hints::callee(context, call, list.start_byte())?;
    if let Some(label) = argument.child_by_field_name("name") {
        return Some(format!("^{}:({callee})", context.text(label)));
    }
    let mut cursor = list.walk();
    let mut arguments = list.named_children(&mut cursor);
    let n = arguments.position(|part| part.id() == argument.id())?;
    Some(format!("^_{n}:({callee})"))
}

/// The value whose cases a pattern is one of.
fn matched(context: &Context<'_, '_>, at: usize) -> Option<String> {
    let mut above = context.levels[..at].iter().rev().map(|level| level.node);
    let around = above.find(|node| !matches!(node.kind(), "switch_pattern" | "switch_entry"))?;
    match around.kind() {
        "switch_statement" => of_value(context, around.child_by_field_name("expr")?),
        "for_statement" => {
            let many = of_value(context, around.child_by_field_name("collection")?)?;
            Some(format!("{many}[]"))
        }
        _ => None,
    }
}

/// The value behind the `=` that follows a pattern: `if case .ok(let value) = result`.
fn bound(context: &Context<'_, '_>, statement: Node<'_>, node: Node<'_>) -> Option<String> {
    let mut cursor = statement.walk();
    let parts = statement.children(&mut cursor);
    let mut behind = parts.skip_while(|part| part.id() != node.id()).skip(1);
    let is_bound = behind
        .by_ref()
        .take_while(|part| part.kind() != ",")
        .any(|part| part.kind() == "=");
    of_value(context, behind.next().filter(|_| is_bound)?)
}
