//! Go: names join with `.`; a method is `Receiver.Method`; a capital exports.

use crate::languages::javascript::unquote;
use crate::spec::{Found, Head, Position, Spec, def, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use crate::walk::Walk;
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
        ("selector_expression", "field", Position::Through),
        ("qualified_type", "name", Position::Through),
        ("qualified_type", "package", Position::Skip),
        ("parenthesized_expression", "", Position::Up),
        ("type_instantiation_expression", "type", Position::Up),
        ("generic_type", "type", Position::Up),
        ("call_expression", "function", Position::Call),
        ("assignment_statement", "left", Position::Write),
        ("expression_list", "", Position::Up),
        ("assignment_statement", "right", Position::Read),
        ("return_statement", "", Position::Read),
        ("inc_statement", "", Position::Write),
        ("dec_statement", "", Position::Write),
        ("short_var_declaration", "left", Position::Local),
        ("short_var_declaration", "right", Position::Read),
        ("range_clause", "left", Position::Local),
        ("range_clause", "right", Position::Read),
        ("receive_statement", "left", Position::Local),
        ("var_spec", "name", Position::Local),
        ("const_spec", "name", Position::Local),
        ("parameter_declaration", "name", Position::Local),
        ("variadic_parameter_declaration", "name", Position::Local),
        ("type_switch_statement", "alias", Position::Local),
        ("type_parameter_declaration", "name", Position::Skip),
        ("keyed_element", "key", Position::Key),
        ("keyed_element", "value", Position::Read),
        ("literal_element", "", Position::Up),
        ("literal_value", "", Position::Read),
        ("package_clause", "*", Position::Skip),
        ("label_name", "*", Position::Skip),
        ("type_elem", "", Position::Up),
        ("interface_type", "", Position::Inherit),
        ("field_declaration", "type", Position::Type),
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

fn define<'t>(walk: &Walk<'_, 't>, node: Node<'t>) -> Vec<Found<'t>> {
    let kind = match node.kind() {
        "method_declaration" => return method(walk, node).into_iter().collect(),
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
        .filter(|name| name.is_named() && walk.text(*name) != "_")
        .map(|name| Found::new(kind, node, name))
        .collect()
}

fn method<'t>(walk: &Walk<'_, 't>, node: Node<'t>) -> Option<Found<'t>> {
    let name = node.child_by_field_name("name")?;
    let receiver = walk
        .field_text(node, "receiver")
        .trim_matches(['(', ')', ' ']);
    // `(r *Ring[T])`: the type is the last word, without pointer and parameters.
    let receiver = receiver.split('[').next().unwrap_or("");
    let receiver = receiver
        .rsplit([' ', '*'])
        .find(|word| !word.is_empty())
        .unwrap_or("");
    let mut found = Found::new(SymbolKind::Method, node, name);
    found.prefix = Some(receiver.to_owned());
    Some(found)
}

fn import<'t>(walk: &Walk<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let alias = walk.field_text(node, "name");
    let names = if alias.is_empty() {
        Vec::new()
    } else {
        vec![ImportedName {
            name: "*".to_owned(),
            local: alias.to_owned(),
        }]
    };
    vec![Import {
        module: unquote(walk.field_text(node, "path")).to_owned(),
        names,
        kind: ImportKind::Import,
        line: node.start_position().row as u32 + 1,
    }]
}
