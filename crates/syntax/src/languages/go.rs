//! Go: names join with `.`; a method is `Receiver.Method`; a capital exports.

use crate::languages::javascript::unquote;
use crate::spec::{Context, Definition, Head, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static GO: Spec = Spec {
    grammar: || tree_sitter_go::LANGUAGE.into(),
    defs: &[
        def("function_declaration", SymbolKind::Function, "name"),
        hook("method_declaration"),
        hook("type_spec"),
        def("type_alias", SymbolKind::TypeAlias, "name"),
        hook("const_spec"),
        hook("var_spec"),
        hook("field_declaration"),
        def("method_elem", SymbolKind::Method, "name"),
        def("method_spec", SymbolKind::Method, "name"),
    ],
    leaves: &[
        ("identifier", ReferenceKind::Read),
        ("field_identifier", ReferenceKind::Read),
        ("type_identifier", ReferenceKind::Type),
    ],
    positions: &[
        ("selector_expression", "field", NodeRole::PathTail),
        ("qualified_type", "name", NodeRole::PathTail),
        ("qualified_type", "package", NodeRole::Skip),
        ("parenthesized_expression", "", NodeRole::Transparent),
        (
            "type_instantiation_expression",
            "type",
            NodeRole::Transparent,
        ),
        ("generic_type", "type", NodeRole::Transparent),
        ("call_expression", "function", NodeRole::Call),
        ("assignment_statement", "left", NodeRole::Write),
        ("expression_list", "", NodeRole::Transparent),
        ("assignment_statement", "right", NodeRole::Read),
        ("return_statement", "", NodeRole::Read),
        ("inc_statement", "", NodeRole::Write),
        ("dec_statement", "", NodeRole::Write),
        ("short_var_declaration", "left", NodeRole::Local),
        ("short_var_declaration", "right", NodeRole::Read),
        ("range_clause", "left", NodeRole::Local),
        ("range_clause", "right", NodeRole::Read),
        ("receive_statement", "left", NodeRole::Local),
        ("var_spec", "name", NodeRole::Local),
        ("const_spec", "name", NodeRole::Local),
        ("parameter_declaration", "name", NodeRole::Local),
        ("variadic_parameter_declaration", "name", NodeRole::Local),
        ("type_switch_statement", "alias", NodeRole::Local),
        ("type_parameter_declaration", "name", NodeRole::Skip),
        ("keyed_element", "key", NodeRole::Key),
        ("keyed_element", "value", NodeRole::Read),
        ("literal_element", "", NodeRole::Transparent),
        ("literal_value", "", NodeRole::Read),
        ("package_clause", "*", NodeRole::Skip),
        ("label_name", "*", NodeRole::Skip),
        ("type_elem", "", NodeRole::Transparent),
        ("interface_type", "", NodeRole::Inherit),
        ("field_declaration", "type", NodeRole::Type),
    ],
    scopes: &["function_declaration", "method_declaration", "func_literal"],
    blocks: &[
        "block",
        "if_statement",
        "for_statement",
        "expression_switch_statement",
        "type_switch_statement",
        "expression_case",
        "default_case",
        "type_case",
        "communication_case",
    ],
    late: &["short_var_declaration", "var_spec"],
    literals: &[("composite_literal", "type")],
    wrappers: &[
        "type_declaration",
        "const_declaration",
        "var_declaration",
        "var_spec_list",
    ],
    imports: &["import_spec"],
    define,
    import,
    exported: |head: &Head<'_>| head.name.starts_with(char::is_uppercase),
    ..Spec::EMPTY
};

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let kind = match node.kind() {
        "method_declaration" => return method(context, node).into_iter().collect(),
        "type_spec" => {
            let value = node
                .child_by_field_name("type")
                .map_or("", |value| value.kind());
            match value {
                "struct_type" => SymbolKind::Struct,
                "interface_type" => SymbolKind::Interface,
                _ => SymbolKind::TypeAlias,
            }
        }
        "const_spec" => SymbolKind::Constant,
        "var_spec" => SymbolKind::Variable,
        _ => SymbolKind::Field,
    };
    let mut cursor = node.walk();
    node.children_by_field_name("name", &mut cursor)
        .filter(|name| name.is_named() && context.text(*name) != "_")
        .map(|name| Definition::new(kind, node, name))
        .collect()
}

fn method<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Option<Definition<'t>> {
    let name = node.child_by_field_name("name")?;
    let receiver = context
        .field_text(node, "receiver")
        .trim_matches(['(', ')', ' ']);
    // `(r *Ring[T])`: the type is the last word, without pointer and parameters.
    let receiver = receiver.split('[').next().unwrap_or("");
    let receiver = receiver
        .rsplit([' ', '*'])
        .find(|word| !word.is_empty())
        .unwrap_or("");
    let mut found = Definition::new(SymbolKind::Method, node, name);
    found.prefix = Some(receiver.to_owned());
    Some(found)
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let alias = context.field_text(node, "name");
    let names = if alias.is_empty() {
        Vec::new()
    } else {
        vec![ImportedName {
            name: "*".to_owned(),
            local: alias.to_owned(),
        }]
    };
    vec![Import {
        module: unquote(context.field_text(node, "path")).to_owned(),
        names,
        kind: ImportKind::Import,
        line: node.start_position().row as u32 + 1,
    }]
}
