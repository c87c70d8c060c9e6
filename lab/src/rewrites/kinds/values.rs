//! Rewrites that give a value a name before it is used.

use tree_sitter::Node;

use super::super::rewritten::Rewritten;
use super::super::site::{Site, named};
use super::layout::is_value;

/// The receiver of a call as a local of its own.
pub(super) fn bound_receiver(site: &mut Site<'_>) -> Option<Rewritten> {
    let calls = site.shape.calls;
    for call in site.shuffled(calls) {
        let Some((receiver, _)) = receiver(call) else {
            continue;
        };
        let Some(statement) = site.statement(call) else {
            continue;
        };
        if is_parameter(site, receiver) {
            let mut edits = site.edits();
            let name = site.fresh();
            let bound = site.shape.bound(&name, site.text(receiver));
            let indent = site.indent(statement.start_byte());
            edits.insert(statement.start_byte(), format!("{bound}\n{indent}"));
            let used = if site.shape.language == "php" {
                format!("${name}")
            } else {
                name
            };
            edits.replace(receiver.byte_range(), used);
            return Some(edits.into());
        }
    }
    None
}

/// The receiver in brackets.
pub(super) fn bracketed_receiver(site: &mut Site<'_>) -> Option<Rewritten> {
    let calls = site.shape.calls;
    for call in site.shuffled(calls) {
        let Some((receiver, _)) = receiver(call) else {
            continue;
        };
        let is_first = site.before_on_line(receiver.start_byte()).trim().is_empty();
        if is_parameter(site, receiver) && !is_first {
            let mut edits = site.edits();
            edits.insert(receiver.start_byte(), "(");
            edits.insert(receiver.end_byte(), ")");
            return Some(edits.into());
        }
    }
    None
}

/// What a call's member is asked of, and the member's name.
pub(super) fn receiver(call: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let of = |node: Node<'_>, object: &str, name: &str| -> bool {
        node.child_by_field_name(object).is_some() && node.child_by_field_name(name).is_some()
    };
    for (object, name) in [("object", "name"), ("receiver", "method")] {
        if of(call, object, name) {
            return Some((
                call.child_by_field_name(object)?,
                call.child_by_field_name(name)?,
            ));
        }
    }
    let callee = call
        .child_by_field_name("function")
        .or_else(|| call.named_child(0))?;
    for (object, name) in [
        ("object", "property"),
        ("object", "attribute"),
        ("operand", "field"),
        ("value", "field"),
        ("argument", "field"),
        ("expression", "name"),
    ] {
        if of(callee, object, name) {
            return Some((
                callee.child_by_field_name(object)?,
                callee.child_by_field_name(name)?,
            ));
        }
    }
    if callee.kind() != "navigation_expression" {
        return None;
    }
    match callee.child_by_field_name("target") {
        Some(target) => {
            let suffix = callee.child_by_field_name("suffix")?;
            Some((target, suffix.child_by_field_name("suffix")?))
        }
        None => {
            let parts = named(callee);
            (parts.len() == 2).then(|| (parts[0], parts[1]))
        }
    }
}

/// Says whether a name is a parameter of the function around it that is declared once, and may be bound
/// again without a copy that matters.
fn is_parameter(site: &Site<'_>, name: Node<'_>) -> bool {
    let is_name = matches!(
        name.kind(),
        "identifier" | "simple_identifier" | "variable_name"
    );
    let text = site.text(name);
    let Some(function) = site.around(name, site.shape.functions) else {
        return false;
    };
    let lists = site.nodes_in(function, site.shape.parameters);
    let declared: Vec<Node<'_>> = lists
        .iter()
        .filter(|list| site.around(**list, site.shape.functions) == Some(function))
        .filter(|list| {
            site.around(**list, site.shape.lambdas)
                .is_none_or(|around| !inside(around, function))
        })
        .flat_map(|list| site.names(*list))
        .filter(|it| site.text(*it) == text.trim_start_matches('$'))
        .collect();
    let is_shared = || {
        let list = declared.first().and_then(|it| it.parent());
        let parameter = list.map(|it| site.text(it)).unwrap_or_default();
        parameter.contains(": &") && !parameter.contains("mut")
    };
    let is_set_again = site
        .nodes_in(function, site.shape.locals)
        .into_iter()
        .flat_map(|local| site.names(local).into_iter().take(1).collect::<Vec<_>>())
        .any(|it| site.text(it) == text.trim_start_matches('$'));
    is_name
        && declared.len() == 1
        && !is_set_again
        && !matches!(text, "self" | "cls" | "this" | "$this")
        && site.shape.language != "c"
        && (site.shape.language != "rust" || is_shared())
}

fn inside(node: Node<'_>, around: Node<'_>) -> bool {
    around.start_byte() < node.start_byte() && node.end_byte() <= around.end_byte()
}

/// The result of a function as a local of its own.
pub(super) fn bound_result(site: &mut Site<'_>) -> Option<Rewritten> {
    let kinds = [
        "return_statement",
        "return_expression",
        "control_transfer_statement",
    ];
    for statement in site.shuffled(&kinds) {
        let Some(value) = single_value(statement) else {
            continue;
        };
        let is_return = site.text(statement).starts_with("return");
        let around = site.statement(value);
        let is_whole = around.is_some_and(|around| around.byte_range() == statement.byte_range())
            || around.is_some_and(|around| around.named_child(0) == Some(statement));
        if !is_return || !is_whole || !is_value(value) || gives_several(site, statement) {
            continue;
        }
        let is_short = site.text(value).starts_with('.') || site.text(value).contains('\n');
        if is_short {
            continue;
        }
        let name = site.fresh();
        let text = site.text(value);
        let bound = match site.shape.language {
            "cpp" => format!("decltype(auto) {name} = {text};"),
            "c" => continue,
            _ => site.shape.bound(&name, text),
        };
        let mut edits = site.edits();
        let indent = site.indent(statement.start_byte());
        edits.insert(statement.start_byte(), format!("{bound}\n{indent}"));
        let used = if site.shape.language == "php" {
            format!("${name}")
        } else {
            name
        };
        edits.replace(value.byte_range(), used);
        return Some(edits.into());
    }
    None
}

/// The one expression that is returned.
fn single_value(statement: Node<'_>) -> Option<Node<'_>> {
    let mut parts = named(statement);
    if let [list] = parts[..]
        && list.kind() == "expression_list"
    {
        parts = named(list);
    }
    match parts[..] {
        [value] => Some(value),
        _ => None,
    }
}

/// Go: the function around it has several results.
fn gives_several(site: &Site<'_>, statement: Node<'_>) -> bool {
    let function = site.around(statement, site.shape.functions);
    let result = function.and_then(|function| function.child_by_field_name("result"));
    result.is_some_and(|result| result.kind() == "parameter_list")
}

/// The function of a call as a value of its own.
pub(super) fn bound_callee(site: &mut Site<'_>) -> Option<Rewritten> {
    let calls = site.shape.calls;
    for call in site.shuffled(calls) {
        let Some(statement) = site.statement(call) else {
            continue;
        };
        let Some((value, call_of, callee)) = callee_value(site, call) else {
            continue;
        };
        let name = site.fresh();
        let bound = site.shape.bound(&name, &value);
        let indent = site.indent(statement.start_byte());
        let mut edits = site.edits();
        edits.insert(statement.start_byte(), format!("{bound}\n{indent}"));
        edits.replace(callee.0..callee.1, call_of.replace("NAME", &name));
        return Some(edits.into());
    }
    None
}

/// The expression of a call's function, how a value of it is called, and the bytes that this stands for.
fn callee_value(site: &Site<'_>, call: Node<'_>) -> Option<(String, &'static str, (usize, usize))> {
    let arguments = site
        .nodes_in(call, site.shape.arguments)
        .into_iter()
        .find(|list| site.around(*list, site.shape.calls) == Some(call));
    let plain = |argument: &Node<'_>| {
        let text = site.text(*argument);
        !text.contains("...") && !text.starts_with('*') && !text.starts_with('&')
    };
    let is_plain = arguments.is_none_or(|list| named(list).iter().all(plain));
    let member = receiver(call);
    let object = member.map(|(object, _)| site.text(object));
    let of_parameter = member.is_some_and(|(object, _)| is_parameter(site, object));
    let is_own = matches!(object, Some("this" | "self" | "$this"));
    let callee = call.child_by_field_name("function");
    let range = |node: Node<'_>| (node.start_byte(), node.end_byte());
    if !is_plain {
        return None;
    }
    match site.shape.language {
        "javascript" | "typescript" => match (callee?.kind(), object) {
            ("member_expression", Some(object)) if of_parameter || is_own => {
                let text = site.text(callee?);
                Some((format!("{text}.bind({object})"), "NAME", range(callee?)))
            }
            _ => None,
        },
        "python" if of_parameter || is_own => {
            Some((site.text(callee?).to_owned(), "NAME", range(callee?)))
        }
        "go" if of_parameter => Some((site.text(callee?).to_owned(), "NAME", range(callee?))),
        "php" if (of_parameter || is_own) && call.kind() == "member_call_expression" => {
            let (object, name) = member?;
            let value = format!("[{}, '{}']", site.text(object), site.text(name));
            Some((value, "$NAME", (call.start_byte(), name.end_byte())))
        }
        "ruby" if of_parameter && arguments.is_some() => {
            let (object, name) = member?;
            let value = format!("{}.method(:{})", site.text(object), site.text(name));
            Some((value, "NAME.call", (call.start_byte(), name.end_byte())))
        }
        "rust" => {
            let is_path = callee?.kind() == "scoped_identifier";
            let text = site.text(callee?);
            let is_function = text.rsplit("::").next()?.starts_with(char::is_lowercase);
            let is_own = text.starts_with("log::") || text.starts_with("crate::");
            (is_path && is_function && is_own).then_some((text.to_owned(), "NAME", range(callee?)))
        }
        _ => None,
    }
}
