//! Swift: names join with `.`. An extension is a symbol of kind `Impl` named by its type.

use crate::spec::{Found, Head, Position, Spec, def, hook};
use crate::types::{Import, ImportKind, ReferenceKind, SymbolKind};
use crate::walk::Walk;
use tree_sitter::Node;

pub(crate) static SWIFT: Spec = Spec {
    grammar: || tree_sitter_swift::LANGUAGE.into(),
    defs: &[
        hook("class_declaration"),
        def("protocol_declaration", SymbolKind::Interface, "name"),
        def("function_declaration", SymbolKind::Function, "name"),
        def("protocol_function_declaration", SymbolKind::Method, "name"),
        def("typealias_declaration", SymbolKind::TypeAlias, "name"),
        def("associatedtype_declaration", SymbolKind::TypeAlias, "name"),
        hook("init_declaration"),
        hook("enum_entry"),
        hook("property_declaration"),
        hook("protocol_property_declaration"),
    ],
    leaves: &[
        ("simple_identifier", ReferenceKind::Read),
        ("type_identifier", ReferenceKind::Type),
    ],
    positions: &[
        ("navigation_expression", "suffix", Position::Through),
        ("navigation_suffix", "suffix", Position::Up),
        ("call_expression", "", Position::Call),
        ("user_type", "", Position::OfType),
        ("inheritance_specifier", "inherits_from", Position::Inherit),
        ("attribute", "", Position::Decorator),
        ("assignment", "target", Position::Write),
        ("directly_assignable_expression", "", Position::Up),
        ("parameter", "name", Position::Local),
        ("parameter", "external_name", Position::Skip),
        ("lambda_parameter", "name", Position::Local),
        ("pattern", "bound_identifier", Position::Up),
        ("pattern", "", Position::Up),
        ("property_declaration", "name", Position::Local),
        ("for_statement", "item", Position::Local),
        ("if_statement", "bound_identifier", Position::Local),
        ("guard_statement", "bound_identifier", Position::Local),
        ("value_argument_label", "", Position::Skip),
        ("type_parameter", "", Position::Skip),
    ],
    scopes: &[
        "function_declaration",
        "init_declaration",
        "deinit_declaration",
        "lambda_literal",
        "computed_property",
    ],
    blocks: &[
        "statements",
        "if_statement",
        "for_statement",
        "while_statement",
        "switch_entry",
        "do_statement",
        "catch_block",
    ],
    late: &["property_declaration"],
    imports: &["import_declaration"],
    define,
    import,
    exported: |head: &Head<'_>| {
        !head.has("private") && !head.has("fileprivate") && head.parent_exported()
    },
    ..Spec::EMPTY
};

fn define<'t>(walk: &Walk<'_, 't>, node: Node<'t>) -> Vec<Found<'t>> {
    let name = node.child_by_field_name("name");
    match (node.kind(), name) {
        ("class_declaration", Some(name)) => {
            let kind = match walk.field_text(node, "declaration_kind") {
                "struct" => SymbolKind::Struct,
                "enum" => SymbolKind::Enum,
                "extension" => SymbolKind::Impl,
                _ => SymbolKind::Class,
            };
            vec![Found::new(kind, node, name)]
        }
        ("init_declaration", _) => {
            let name = name.or_else(|| node.child(0)).unwrap_or(node);
            let text = Some("init".to_owned());
            vec![Found {
                text,
                ..Found::new(SymbolKind::Constructor, node, name)
            }]
        }
        ("enum_entry", _) => {
            let mut cursor = node.walk();
            node.children_by_field_name("name", &mut cursor)
                .map(|name| Found::new(SymbolKind::EnumMember, node, name))
                .collect()
        }
        (_, Some(pattern)) => {
            let name = pattern.child_by_field_name("bound_identifier");
            name.map(|name| Found::new(SymbolKind::Variable, node, name))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

fn import<'t>(walk: &Walk<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let mut cursor = node.walk();
    let module = node
        .named_children(&mut cursor)
        .last()
        .map_or("", |part| walk.text(part));
    let line = node.start_position().row as u32 + 1;
    vec![Import {
        module: module.to_owned(),
        names: Vec::new(),
        kind: ImportKind::Import,
        line,
    }]
}
