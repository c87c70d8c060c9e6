//! How modules of JavaScript and TypeScript import, re-export and require.

use crate::spec::Context;
use crate::types::{Import, ImportKind, ImportedName};
use tree_sitter::Node;

pub(super) fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    match node.kind() {
        "import_statement" => import_statement(context, node).into_iter().collect(),
        "export_statement" => export_statement(context, node).into_iter().collect(),
        "call_expression" => call(context, node).into_iter().collect(),
        "assignment_expression" => exports_names(context, node).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// `module.exports = a`, `exports.a = a`, `module.exports = { a, b: c }`: names of this file that
/// leave it, told like `export { a }` by an empty module.
fn exports_names(context: &Context<'_, '_>, node: Node<'_>) -> Option<Import> {
    let left = context.field_text(node, "left");
    let right = node.child_by_field_name("right")?;
    let exports =
        left == "exports" || left.starts_with("exports.") || left.starts_with("module.exports");
    if !exports || !matches!(right.kind(), "identifier" | "object") {
        return None;
    }
    let mut names = Vec::new();
    if right.kind() == "identifier" {
        let property = left.strip_prefix("module.").unwrap_or(left);
        let property = property.strip_prefix("exports.").unwrap_or("default");
        names.push(named(context.text(right), property));
    }
    let mut cursor = right.walk();
    for part in right.named_children(&mut cursor) {
        match part.kind() {
            "shorthand_property_identifier" => {
                names.push(named(context.text(part), context.text(part)))
            }
            "pair" => names.push(named(
                context.field_text(part, "value"),
                context.field_text(part, "key"),
            )),
            _ => {}
        }
    }
    (!names.is_empty()).then(|| Import {
        module: String::new(),
        names,
        kind: ImportKind::ReExport,
        line: line(node),
    })
}

fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}

fn named(name: &str, local: &str) -> ImportedName {
    ImportedName {
        name: name.to_owned(),
        local: local.to_owned(),
    }
}

fn import_statement(context: &Context<'_, '_>, node: Node<'_>) -> Option<Import> {
    let mut names = Vec::new();
    let mut source = node.child_by_field_name("source");
    let mut cursor = node.walk();
    for clause in node.named_children(&mut cursor) {
        if clause.kind() == "import_require_clause" {
            source = clause.child_by_field_name("source");
            let local = clause.named_child(0).map_or("", |name| context.text(name));
            names.push(named("*", local));
        }
        let mut inner = clause.walk();
        for part in clause
            .named_children(&mut inner)
            .filter(|_| clause.kind() == "import_clause")
        {
            match part.kind() {
                "identifier" => names.push(named("default", context.text(part))),
                "namespace_import" => {
                    names.push(named(
                        "*",
                        part.named_child(0).map_or("", |name| context.text(name)),
                    ));
                }
                _ => specifiers(context, part, &mut names),
            }
        }
    }
    let module = unquote(context.text(source?)).to_owned();
    Some(Import {
        module,
        names,
        kind: ImportKind::Import,
        line: line(node),
    })
}

fn specifiers(context: &Context<'_, '_>, node: Node<'_>, names: &mut Vec<ImportedName>) {
    let mut cursor = node.walk();
    for part in node.named_children(&mut cursor) {
        let name = unquote(context.field_text(part, "name"));
        let alias = unquote(context.field_text(part, "alias"));
        if !name.is_empty() {
            names.push(named(name, if alias.is_empty() { name } else { alias }));
        }
    }
}

/// With a source it re-exports; without one it only says which local names are exported, which is
/// told by an empty module.
fn export_statement(context: &Context<'_, '_>, node: Node<'_>) -> Option<Import> {
    let mut names = Vec::new();
    let mut all = false;
    let mut cursor = node.walk();
    for part in node.children(&mut cursor) {
        match part.kind() {
            "export_clause" => specifiers(context, part, &mut names),
            "namespace_export" => {
                names.push(named(
                    "*",
                    part.named_child(0).map_or("", |name| context.text(name)),
                ));
            }
            "*" => all = true,
            _ => {}
        }
    }
    if all {
        names.push(named("*", "*"));
    }
    let module = unquote(context.field_text(node, "source")).to_owned();
    if let Some(value) = node
        .child_by_field_name("value")
        .filter(|value| value.kind() == "identifier")
    {
        names.push(named(context.text(value), "default"));
        return Some(Import {
            module,
            names,
            kind: ImportKind::ReExport,
            line: line(node),
        });
    }
    (!names.is_empty() || !module.is_empty()).then(|| Import {
        module,
        names,
        kind: ImportKind::ReExport,
        line: line(node),
    })
}

/// `require("x")` and `import("x")`, with the names that a declaration around takes out.
fn call(context: &Context<'_, '_>, node: Node<'_>) -> Option<Import> {
    let arguments = node.child_by_field_name("arguments")?;
    let mut cursor = arguments.walk();
    // `import(/* webpackChunkName: "x" */ "./x")`.
    let argument = arguments
        .named_children(&mut cursor)
        .find(|part| !part.is_extra())?;
    if !matches!(argument.kind(), "string" | "template_string") {
        return None;
    }
    let module = unquote(context.text(argument)).to_owned();
    let dynamic = context.field_text(node, "function") == "import";
    let kind = if dynamic {
        ImportKind::Dynamic
    } else {
        ImportKind::Import
    };
    let names = context
        .above(node)
        .map(|parent| taken(context, node, parent))
        .unwrap_or_default();
    Some(Import {
        module,
        names,
        kind,
        line: line(node),
    })
}

fn taken(context: &Context<'_, '_>, call: Node<'_>, parent: Node<'_>) -> Vec<ImportedName> {
    if parent.kind() == "member_expression" {
        let name = context.field_text(parent, "property");
        // What the promise is followed by is no name of the module, and what its callback takes is open.
        let is_promise = context.field_text(call, "function") == "import";
        if is_promise && matches!(name, "then" | "catch" | "finally") {
            return Vec::new();
        }
        let local = context
            .above(parent)
            .filter(|above| above.kind() == "variable_declarator")
            .map_or(name, |declarator| context.field_text(declarator, "name"));
        return vec![named(name, local)];
    }
    let target = match parent.kind() {
        "variable_declarator" => parent.child_by_field_name("name"),
        "assignment_expression" => parent.child_by_field_name("left"),
        "await_expression" => {
            let above = context.above(parent);
            let read = above
                .filter(|above| above.kind() == "parenthesized_expression")
                .and_then(|above| context.above(above))
                .filter(|above| above.kind() == "member_expression");
            if let Some(read) = read {
                let name = context.field_text(read, "property");
                return vec![named(name, name)];
            }
            above
                .filter(|above| above.kind() == "variable_declarator")
                .and_then(|above| above.child_by_field_name("name"))
        }
        _ => None,
    };
    let Some(target) = target.filter(|target| target.id() != call.id()) else {
        return Vec::new();
    };
    if target.kind() == "identifier" {
        return vec![named("*", context.text(target))];
    }
    let mut names = Vec::new();
    let mut cursor = target.walk();
    for part in target
        .named_children(&mut cursor)
        .filter(|_| target.kind() == "object_pattern")
    {
        match part.kind() {
            "shorthand_property_identifier_pattern" => {
                names.push(named(context.text(part), context.text(part)));
            }
            "pair_pattern" => {
                names.push(named(
                    context.field_text(part, "key"),
                    context.field_text(part, "value"),
                ));
            }
            _ => {}
        }
    }
    names
}

pub(crate) fn unquote(text: &str) -> &str {
    text.trim_matches(|c| matches!(c, '"' | '\'' | '`'))
}
