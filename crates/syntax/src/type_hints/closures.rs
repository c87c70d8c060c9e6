//! Parameters of functions that are passed to a call: what the callee gives them.

use super::{of_value, plain};
use crate::family::Family;
use crate::locals::TypeHint;
use crate::spec::Context;
use crate::types::HintKind;
use tree_sitter::Node;

/// The position of the last argument, where a block follows the brackets.
const LAST: usize = 99;

const CLOSURES: &[&str] = &[
    "closure_expression",
    "arrow_function",
    "function_expression",
    "lambda_expression",
    "lambda_literal",
    "lambda",
    "block",
    "do_block",
];

/// A parameter of a function that a call gets: what the callee gives it.
pub(super) fn handed_over(
    context: &Context<'_, '_>,
    leaf: Node<'_>,
    n_up: usize,
) -> Option<TypeHint> {
    let at = (n_up..n_up + 4).find(|n| {
        context
            .ancestor(*n)
            .is_some_and(|node| CLOSURES.contains(&node.kind()))
    })?;
    let closure = context.ancestor(at)?;
    let list = (0..at)
        .rev()
        .filter_map(|n| context.ancestor(n))
        .find(|node| node.kind().contains("parameters") || node.kind().ends_with("parameter_list"));
    let parameters = list.map_or_else(Vec::new, |list| {
        let mut cursor = list.walk();
        list.named_children(&mut cursor)
            .map(|part| part.end_byte())
            .collect()
    });
    let n_before = parameters
        .iter()
        .filter(|end| **end <= leaf.start_byte())
        .count();
    given(context, closure, at + 1, n_before)
}

/// What the `n`-th parameter of a function gets from the call that it is passed to; the node
/// `n_above` up is around the function. Written as `^argument^n(callee)`.
pub(crate) fn given(
    context: &Context<'_, '_>,
    closure: Node<'_>,
    n_above: usize,
    n: usize,
) -> Option<TypeHint> {
    let (call, end, argument) = passed_to(context, closure, n_above)?;
    let callee = callee(context, call, end)?;
    // A promise hands over what it promises, which `await` gives as well.
    let promise = callee.strip_suffix(".then");
    if let Some(promise) = promise
        && (argument, n, context.spec.names.family) == (0, 0, Family::Script)
    {
        return Some((HintKind::Value, promise.to_owned()));
    }
    Some((HintKind::Value, format!("^{argument}^{n}({callee})")))
}

/// Kotlin: what a function in braces runs on: the value that `with` gets, else what the callee says.
/// Written as `^argument^^(callee)`.
pub(crate) fn receiver(context: &Context<'_, '_>, lambda: Node<'_>) -> Option<TypeHint> {
    let (call, end, argument) = passed_to(context, lambda, 0)?;
    let callee = callee(context, call, end)?;
    if callee != "with" {
        return Some((HintKind::Value, format!("^{argument}^^({callee})")));
    }
    let arguments = call.named_child(0)?.named_child(1)?;
    let value = arguments.named_child(0)?.named_child(0)?;
    of_value(context, value)
}

/// Scala: what `_` is in the argument of a call, as the parameter of the function that the argument is.
/// Written as `^argument^0(callee)`; none where the argument has more of them.
pub(crate) fn placeholder(context: &Context<'_, '_>, at: usize) -> Option<String> {
    let is_list = |at: &usize| context.levels[*at].node.kind() == "arguments";
    let list_at = (1..at).rev().take(6).find(is_list)?;
    let (list, argument) = (
        context.levels[list_at].node,
        context.levels[list_at + 1].node,
    );
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = context.text(argument).split(|c| !is_word(c));
    let n_placeholders = words.by_ref().filter(|word| *word == "_").count();
    let mut cursor = list.walk();
    let mut parts = list.named_children(&mut cursor);
    let n = parts.position(|part| part.id() == argument.id())?;
    let callee = callee(context, context.levels[list_at - 1].node, list.start_byte())?;
    (n_placeholders == 1).then(|| format!("^{n}^0({callee})"))
}

/// The call that a value is an argument of, where its callee ends, and which argument it is.
pub(super) fn passed_to<'t>(
    context: &Context<'_, 't>,
    value: Node<'_>,
    n_above: usize,
) -> Option<(Node<'t>, usize, usize)> {
    let mut child = value.id();
    for n in n_above..n_above + 4 {
        let node = context.ancestor(n)?;
        let kind = node.kind();
        if kind.contains("argument") && (kind.ends_with("arguments") || kind.ends_with("list")) {
            let mut cursor = node.walk();
            let at = node
                .named_children(&mut cursor)
                .filter(|part| !part.kind().contains("comment"))
                .position(|part| part.id() == child)?;
            let call = (n + 1..n + 3)
                .filter_map(|n| context.ancestor(n))
                .find(|node| is_call(node.kind()))?;
            return Some((call, node.start_byte(), at));
        }
        if is_call(kind) {
            // A block behind the brackets.
            let end = context.ancestor(n.checked_sub(1)?).filter(|_| n > n_above);
            let end = end.map_or(value.start_byte(), |holder| holder.start_byte());
            return Some((node, end, LAST));
        }
        let is_inside =
            kind.contains("argument") || kind.contains("lambda") || kind == "call_suffix";
        // Scala: `each { x => … }`.
        let is_block = || kind == "block" && node.named_child_count() == 1;
        if !is_inside && !is_block() {
            return None;
        }
        child = node.id();
    }
    None
}

fn is_call(kind: &str) -> bool {
    (kind.contains("call")
        || kind.contains("invocation")
        || kind == "new_expression"
        || kind == "object_creation_expression")
        && kind != "call_suffix"
}

/// What a call calls, on one line, without the brackets of arguments that stand before a block.
pub(crate) fn callee(context: &Context<'_, '_>, call: Node<'_>, end: usize) -> Option<String> {
    let text = context.source.get(call.start_byte()..end)?;
    let text = plain(text.trim_end_matches(['(', ' ', '\n']))?;
    let text = text
        .strip_suffix("()")
        .unwrap_or(&text)
        .trim_end_matches("?.")
        .to_owned();
    (!text.is_empty() && !text.starts_with('^')).then_some(text)
}
