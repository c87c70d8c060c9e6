//! Java: names join with `.`; the package is not part of them.

use crate::spec::{Found, Head, Position, Spec, def, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use crate::walk::Walk;
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
        ("method_invocation", "name", Position::Member),
        ("field_access", "field", Position::Through),
        ("scoped_identifier", "name", Position::Through),
        ("scoped_type_identifier", "", Position::Last),
        ("method_reference", "", Position::Last),
        ("parenthesized_expression", "", Position::Up),
        ("generic_type", "", Position::Up),
        ("object_creation_expression", "type", Position::Call),
        ("superclass", "", Position::Inherit),
        ("type_list", "", Position::Inherit),
        ("type_arguments", "", Position::Type),
        ("annotation", "name", Position::Decorator),
        ("marker_annotation", "name", Position::Decorator),
        ("element_value_pair", "key", Position::Skip),
        ("assignment_expression", "left", Position::Write),
        ("update_expression", "", Position::Write),
        ("variable_declarator", "name", Position::Local),
        ("formal_parameter", "name", Position::Local),
        ("inferred_parameters", "", Position::Local),
        ("lambda_expression", "parameters", Position::Local),
        ("catch_formal_parameter", "name", Position::Local),
        ("enhanced_for_statement", "name", Position::Local),
        ("resource", "name", Position::Local),
        ("instanceof_expression", "name", Position::Local),
        ("type_pattern", "", Position::Local),
        ("type_parameter", "", Position::Skip),
        ("package_declaration", "", Position::Skip),
        ("labeled_statement", "", Position::Skip),
        ("break_statement", "", Position::Skip),
        ("continue_statement", "", Position::Skip),
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

fn define<'t>(walk: &Walk<'_, 't>, node: Node<'t>) -> Vec<Found<'t>> {
    let head: String = walk.text(node).chars().take(80).collect();
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
        .map(|name| Found::new(kind, node, name))
        .collect()
}

fn import<'t>(walk: &Walk<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let mut cursor = node.walk();
    let parts: Vec<_> = node.named_children(&mut cursor).collect();
    let Some(path) = parts.first().map(|part| walk.text(*part)) else {
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
