//! Java: names join with `.`; the package is not part of them.

use crate::spec::{Context, Definition, Head, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static JAVA: Spec = Spec {
    grammar: || tree_sitter_java::LANGUAGE.into(),
    defs: &[
        def("class_declaration", SymbolKind::Class, "name"),
        def("record_declaration", SymbolKind::Class, "name"),
        def("interface_declaration", SymbolKind::Interface, "name"),
        def("annotation_type_declaration", SymbolKind::Interface, "name"),
        def("enum_declaration", SymbolKind::Enum, "name"),
        def("enum_constant", SymbolKind::EnumMember, "name"),
        def("method_declaration", SymbolKind::Method, "name"),
        def(
            "annotation_type_element_declaration",
            SymbolKind::Method,
            "name",
        ),
        def("constructor_declaration", SymbolKind::Constructor, "name"),
        def(
            "compact_constructor_declaration",
            SymbolKind::Constructor,
            "name",
        ),
        hook("field_declaration"),
        hook("constant_declaration"),
    ],
    leaves: &[
        ("identifier", ReferenceKind::Read),
        ("type_identifier", ReferenceKind::Type),
    ],
    positions: &[
        ("method_invocation", "name", NodeRole::Member),
        ("field_access", "field", NodeRole::PathTail),
        ("scoped_identifier", "name", NodeRole::PathTail),
        ("scoped_type_identifier", "", NodeRole::LastPart),
        ("method_reference", "", NodeRole::LastPart),
        ("parenthesized_expression", "", NodeRole::Transparent),
        ("generic_type", "", NodeRole::Transparent),
        ("object_creation_expression", "type", NodeRole::Call),
        ("superclass", "", NodeRole::Inherit),
        ("type_list", "", NodeRole::Inherit),
        ("type_arguments", "", NodeRole::Type),
        ("annotation", "name", NodeRole::Decorator),
        ("marker_annotation", "name", NodeRole::Decorator),
        ("element_value_pair", "key", NodeRole::Skip),
        ("assignment_expression", "left", NodeRole::Write),
        ("update_expression", "", NodeRole::Write),
        ("variable_declarator", "name", NodeRole::Local),
        ("formal_parameter", "name", NodeRole::Local),
        ("inferred_parameters", "", NodeRole::Local),
        ("lambda_expression", "parameters", NodeRole::Local),
        ("catch_formal_parameter", "name", NodeRole::Local),
        ("enhanced_for_statement", "name", NodeRole::Local),
        ("resource", "name", NodeRole::Local),
        ("instanceof_expression", "name", NodeRole::Local),
        ("type_pattern", "", NodeRole::Local),
        ("type_parameter", "", NodeRole::Skip),
        ("package_declaration", "", NodeRole::Skip),
        ("labeled_statement", "", NodeRole::Skip),
        ("break_statement", "", NodeRole::Skip),
        ("continue_statement", "", NodeRole::Skip),
    ],
    scopes: &[
        "method_declaration",
        "constructor_declaration",
        "lambda_expression",
        "static_initializer",
    ],
    blocks: &[
        "block",
        "for_statement",
        "enhanced_for_statement",
        "catch_clause",
        "try_with_resources_statement",
        "switch_block_statement_group",
        "switch_rule",
    ],
    imports: &["import_declaration"],
    define,
    import,
    exported: |head: &Head<'_>| !head.has("private") && head.parent_exported(),
    calls_pass_locals: true,
    ..Spec::EMPTY
};

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let head: String = context.text(node).chars().take(80).collect();
    let constant =
        head.contains("static") && head.contains("final") || node.kind() == "constant_declaration";
    let kind = if constant {
        SymbolKind::Constant
    } else {
        SymbolKind::Field
    };
    let mut cursor = node.walk();
    node.children_by_field_name("declarator", &mut cursor)
        .filter_map(|declarator| declarator.child_by_field_name("name"))
        .map(|name| Definition::new(kind, node, name))
        .collect()
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let mut cursor = node.walk();
    let parts: Vec<_> = node.named_children(&mut cursor).collect();
    let Some(path) = parts.first().map(|part| context.text(*part)) else {
        return Vec::new();
    };
    let all = parts.iter().any(|part| part.kind() == "asterisk");
    let (module, name) = match path.rsplit_once('.') {
        Some((module, name)) if !all => (module, name),
        _ => (path, "*"),
    };
    let names = vec![ImportedName {
        name: name.to_owned(),
        local: name.to_owned(),
    }];
    let line = node.start_position().row as u32 + 1;
    vec![Import {
        module: module.to_owned(),
        names,
        kind: ImportKind::Import,
        line,
    }]
}
