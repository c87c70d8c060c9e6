//! What a value is, as far as its text tells.

use super::{MAX_TEXT, anonymous, plain};
use crate::locals::TypeHint;
use crate::spec::Context;
use crate::types::{CHOICE, HintKind, OPEN, OR};
use tree_sitter::Node;

/// What a value is an instance of, as far as its text tells.
pub(crate) fn of_value(context: &Context<'_, '_>, value: Node<'_>) -> Option<TypeHint> {
    let value = unwrapped(value);
    let field = |name| value.child_by_field_name(name);
    let first = || value.named_child(0);
    let typed = |stated: Node<'_>| {
        let text = context
            .text(stated)
            .trim_matches(['<', '>', ' ', '"', '\'']);
        if let Some(anonymous) = anonymous(text) {
            return Some((HintKind::Type, anonymous));
        }
        (text.len() <= MAX_TEXT).then(|| (HintKind::Type, text.to_owned()))
    };
    match value.kind() {
        // `[...x]`
        "array" if value.named_child_count() == 1 && first()?.kind() == "spread_element" => {
            of_value(context, first()?.named_child(0)?)
        }
        "list"
        | "set"
        | "tuple"
        | "array"
        | "dictionary"
        | "list_comprehension"
        | "set_comprehension"
        | "dictionary_comprehension" => {
            held(context, value).or_else(|| Some((HintKind::Value, plain(context.text(value))?)))
        }
        "unsafe_block" | "block" => {
            let last = value.named_child(value.named_child_count().checked_sub(1)? as u32)?;
            of_value(context, last)
        }
        "type_assertion" => typed(first()?),
        "as_expression" | "satisfies_expression" => {
            typed(field("right").or_else(|| value.named_child(1))?)
        }
        // Dart: `a as T` has no fields.
        "type_cast_expression" if field("type").is_none() => {
            Some((HintKind::Value, plain(context.text(value))?))
        }
        "cascade" => of_value(context, first()?),
        "object_creation_expression" | "array_creation_expression" => container(context, value)
            .or_else(|| Some((HintKind::Value, plain(context.text(value))?))),
        // C#: `new[] { a, b }`.
        "implicit_array_creation_expression" => {
            let last = value.named_child_count().checked_sub(1)?;
            held(context, value.named_child(last as u32)?)
        }
        "cast_expression"
        | "type_cast_expression"
        | "type_assertion_expression"
        | "type_conversion_expression"
        | "composite_literal" => typed(field("type")?),
        "binary_expression" | "boolean_operator" | "binary_operator" => {
            let operator = context.field_text(value, "operator");
            let is_choice = matches!(operator, "||" | "??" | "or" | "?:") && is_short(value);
            let arms = (field("left")?, field("right")?);
            is_choice.then(|| choice(context, arms)).flatten()
        }
        "ternary_expression" | "conditional_expression" => {
            // Python's `yes if condition else no` has no fields.
            let yes = field("consequence").or_else(|| value.named_child(0))?;
            let no = field("alternative").or_else(|| value.named_child(2))?;
            choice(context, (yes, no))
        }
        // Python: what an operator gives is up to the type.
        "unary_operator" | "not_operator" => Some((HintKind::Value, OPEN.to_owned())),
        "await" if is_short(value) => Some(awaited(of_value(context, first()?)?)),
        "call_expression" | "call" if gives_elements(context, value) => {
            of_value(context, field("arguments")?.named_child(0)?)
        }
        "call_expression" | "call" => made(context, value)
            .and_then(typed)
            .or_else(|| Some((HintKind::Value, plain(context.text(value))?))),
        _ => Some((HintKind::Value, plain(context.text(value))?)),
    }
}

/// One of two values, as [`CHOICE`] says; what is none of its own is left out.
fn choice<'t>(context: &Context<'_, 't>, (one, other): (Node<'t>, Node<'t>)) -> Option<TypeHint> {
    if !is_short(one) || !is_short(other) {
        return None;
    }
    let mut arms: Vec<TypeHint> = Vec::new();
    for arm in [one, other] {
        if !is_nothing(arm) && !leaves(arm) {
            let hint = of_value(context, arm);
            let hint = hint.unwrap_or((HintKind::Value, OPEN.to_owned()));
            if !arms.contains(&hint) {
                arms.push(hint);
            }
        }
    }
    if arms.len() < 2 {
        return arms.pop();
    }
    let told = arms.into_iter().map(|(kind, text)| match kind {
        HintKind::Type if !text.contains(OR) => format!(":{text}"),
        HintKind::Value if !text.contains(OR) => text,
        HintKind::Value if text.starts_with(CHOICE) => text[CHOICE.len()..].to_owned(),
        _ => OPEN.to_owned(),
    });
    let text = format!("{CHOICE}{}", told.collect::<Vec<_>>().join(OR));
    (text.len() <= 2 * MAX_TEXT).then_some((HintKind::Value, text))
}

/// Python: the hint of a value that is waited for.
fn awaited((kind, text): TypeHint) -> TypeHint {
    let is_plain = kind == HintKind::Value && !text.starts_with(['^', '[', ':', '?']);
    match is_plain {
        true => (kind, format!("await {text}")),
        false => (kind, text),
    }
}

/// Says whether a value is short enough to be followed: what is longer may nest as deeply.
fn is_short(value: Node<'_>) -> bool {
    value.byte_range().len() <= MAX_PART_BYTES
}

/// Says whether an arm gives no value, because the function ends there.
fn leaves(arm: Node<'_>) -> bool {
    let kind = arm.kind();
    ["return", "throw", "raise", "jump", "break", "continue"]
        .iter()
        .any(|word| kind.contains(word))
}

/// A value without what stands around it and changes nothing of it, however often that is.
fn unwrapped(mut value: Node<'_>) -> Node<'_> {
    while let "parenthesized_expression"
    | "await_expression"
    | "expression_list"
    | "try_expression"
    | "non_null_expression"
    | "null_assertion_expression" = value.kind()
        && value.named_child_count() == 1
        && let Some(inner) = value.named_child(0)
    {
        value = inner;
    }
    value
}

/// A container that is made, by its type: `new List<Foo>()`, `new Foo[3]`.
fn container(context: &Context<'_, '_>, value: Node<'_>) -> Option<TypeHint> {
    let text = context.text(value.child_by_field_name("type")?);
    let text = match value.kind() {
        "array_creation_expression" => format!("{}[]", text.split('[').next().unwrap_or(text)),
        _ if text.ends_with('>') && !text.ends_with("<>") => text.to_owned(),
        _ => return None,
    };
    let is_short = text.len() <= MAX_TEXT && !text.contains('\n');
    is_short.then_some((HintKind::Type, text))
}

/// A literal of more parts, or of longer ones, is data; and what nests does so in few bytes.
const MAX_PARTS: usize = 32;
const MAX_PART_BYTES: usize = 640;

/// What a literal or comprehension holds, written `[] Foo()`, where all of its parts are alike.
fn held(context: &Context<'_, '_>, literal: Node<'_>) -> Option<TypeHint> {
    let value_of = |part: Node<'_>| match part.kind() {
        _ if !is_short(part) => None,
        "pair" => of_value(context, part.child_by_field_name("value")?),
        "spread_element" | "list_splat" | "dictionary_splat" | "splat_argument" => None,
        _ => of_value(context, part),
    };
    let told = match literal.child_by_field_name("body") {
        Some(body) => value_of(body),
        None => {
            let n_parts = literal.named_child_count();
            let mut cursor = literal.walk();
            let parts = literal.named_children(&mut cursor);
            let mut parts = parts.filter(|part| !part.is_extra());
            let first = value_of(parts.next()?)?;
            let are_alike = n_parts <= MAX_PARTS
                && parts.all(|part| value_of(part).is_some_and(|told| told == first));
            are_alike.then_some(first)
        }
    };
    match told? {
        (HintKind::Value, text) if text.len() < MAX_TEXT => {
            Some((HintKind::Value, format!("[] {text}")))
        }
        _ => None,
    }
}

/// Says whether a value is none, or holds none.
fn is_nothing(value: Node<'_>) -> bool {
    let is_empty = || value.named_child_count() == 0;
    match value.kind() {
        "null" | "null_literal" | "undefined" | "nil" | "none" => true,
        "list" | "dictionary" | "tuple" | "array" | "object" => is_empty(),
        _ => false,
    }
}

/// Says whether a call gives what its argument holds again: `list(x)`, `Array.from(x)`.
fn gives_elements(context: &Context<'_, '_>, call: Node<'_>) -> bool {
    let arguments = call.child_by_field_name("arguments");
    let is_alone = arguments.is_some_and(|arguments| arguments.named_child_count() == 1);
    is_alone
        && context
            .spec
            .copies
            .contains(&context.field_text(call, "function"))
}

/// The type that a call names: `new(T)` and `make(T)` in Go, `cast(T, x)`, `make_unique<T>()`.
fn made<'t>(context: &Context<'_, '_>, call: Node<'t>) -> Option<Node<'t>> {
    let function = call.child_by_field_name("function")?;
    let name = context.text(function);
    let is_go = context.spec.late.contains(&"short_var_declaration");
    if is_go && matches!(name, "new" | "make") || matches!(name, "cast" | "typing.cast" | "t.cast")
    {
        return call.child_by_field_name("arguments")?.named_child(0);
    }
    let template = name.contains("make_unique<") || name.contains("make_shared<");
    let cast = name.starts_with("static_cast<") || name.starts_with("dynamic_cast<");
    if !template && !cast {
        return None;
    }
    let mut at = function;
    while let Some(inner) = at.child_by_field_name("name") {
        if let Some(arguments) = at.child_by_field_name("arguments") {
            return arguments.named_child(0);
        }
        at = inner;
    }
    None
}
