//! Lua: names join with `.` as written (`M.run`, `M:meth` is `M.meth`).

use crate::family::Family;
use crate::languages::javascript::unquote;
use crate::name_rules::NameRules;
use crate::spec::{Context, Definition, DefinitionHead, NodeRole, Spec, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static LUA: Spec = Spec {
    grammar: crate::grammars::lua,
    defs: &[
        hook("function_declaration"),
        hook("assignment_statement"),
        hook("field"),
    ],
    leaves: &[("identifier", ReferenceKind::Read)],
    positions: &[
        ("dot_index_expression", "field", NodeRole::PathTail),
        ("method_index_expression", "method", NodeRole::PathTail),
        ("function_call", "name", NodeRole::Call),
        ("parameters", "name", NodeRole::Local),
        ("variable_list", "name", NodeRole::Transparent),
        ("variable_list", "", NodeRole::Transparent),
        ("attribute", "*", NodeRole::Skip),
        ("assignment_statement", "", NodeRole::Transparent),
        ("variable_declaration", "", NodeRole::Local),
        ("for_numeric_clause", "name", NodeRole::Local),
        ("for_generic_clause", "", NodeRole::Local),
        ("block", "", NodeRole::Write),
        ("chunk", "", NodeRole::Write),
        ("field", "name", NodeRole::Skip),
        ("function_declaration", "name", NodeRole::Skip),
    ],
    scopes: &["function_declaration", "function_definition"],
    wrappers: &["variable_declaration"],
    import_calls: &["require", "dofile"],
    define,
    import,
    exported: |head: &DefinitionHead<'_>| !head.has("local"),
    names: &NAMES,
    ..Spec::EMPTY
};

/// What a name can mean.
pub(crate) const NAMES: NameRules = NameRules {
    family: Family::Lua,
    modules_are_values: true,
    files_are_scripts: true,
    values_are_untyped: true,
    locals_are_untyped: true,
    called_by_name: &[("__", "an operator or the language calls it")],
    values_are_narrowed: false,
    types_are_open: true,
    ..NameRules::NONE
};

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let found = match node.kind() {
        "function_declaration" => node
            .child_by_field_name("name")
            .map(|name| path(context, SymbolKind::Function, node, name)),
        "field" => {
            let function = node
                .child_by_field_name("value")
                .is_some_and(|value| value.kind() == "function_definition");
            let name = node
                .child_by_field_name("name")
                .filter(|name| function && name.kind() == "identifier");
            name.map(|name| Definition::new(SymbolKind::Method, node, name))
        }
        _ => assignment(context, node),
    };
    found.into_iter().collect()
}

fn assignment<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Option<Definition<'t>> {
    let name = node.named_child(0)?.named_child(0)?;
    let value = node.named_child(1).and_then(|values| values.named_child(0));
    let value_kind = value.map_or("", |value| value.kind());
    let function = value_kind == "function_definition";
    if !function && (name.kind() != "identifier" || is_require(context, value)) {
        return None;
    }
    let kind = if function {
        SymbolKind::Function
    } else {
        SymbolKind::Variable
    };
    Some(Definition {
        once: !function,
        ..path(context, kind, node, name)
    })
}

fn is_require(context: &Context<'_, '_>, value: Option<Node<'_>>) -> bool {
    value.is_some_and(|value| context.text(value).starts_with("require"))
}

/// `M.run` and `M:run`: the last name, the rest is prefix.
fn path<'t>(
    context: &Context<'_, 't>,
    kind: SymbolKind,
    node: Node<'t>,
    name: Node<'t>,
) -> Definition<'t> {
    let last = name
        .child_by_field_name("field")
        .or_else(|| name.child_by_field_name("method"));
    let mut found = Definition::new(kind, node, last.unwrap_or(name));
    if last.is_some() {
        found.prefix = Some(context.field_text(name, "table").to_owned());
        found.kind = if name.kind() == "method_index_expression" {
            SymbolKind::Method
        } else {
            kind
        };
    }
    found
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let argument = node
        .child_by_field_name("arguments")
        .map_or("", |arguments| context.text(arguments));
    let argument = argument.trim_matches(['(', ')', ' ']);
    if !argument.starts_with(['"', '\'']) {
        return Vec::new();
    }
    let declaration = context.above(node).and_then(|list| context.above(list));
    let names = declaration
        .filter(|parent| parent.kind() == "assignment_statement")
        .and_then(|parent| parent.named_child(0))
        .map(|list| ImportedName {
            name: "*".to_owned(),
            local: context.text(list).to_owned(),
        });
    vec![Import {
        module: unquote(argument).to_owned(),
        names: names.into_iter().collect(),
        kind: ImportKind::Import,
        line: node.start_position().row as u32 + 1,
    }]
}
