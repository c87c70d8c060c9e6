//! Swift: names join with `.`. An extension is a symbol of kind `Impl` named by its type.

mod implied;

use crate::family::Family;
use crate::name_rules::{NameRules, OverrideWord};
use crate::spec::{Context, Definition, DefinitionHead, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static SWIFT: Spec = Spec {
    grammar: crate::grammars::swift,
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
        ("navigation_expression", "suffix", NodeRole::PathTail),
        ("navigation_suffix", "suffix", NodeRole::Transparent),
        ("call_expression", "", NodeRole::Call),
        // `.made(of: x)`.
        ("prefix_expression", "target", NodeRole::Transparent),
        ("user_type", "", NodeRole::TypeContext),
        ("inheritance_specifier", "inherits_from", NodeRole::Inherit),
        ("attribute", "", NodeRole::Decorator),
        ("assignment", "target", NodeRole::Write),
        ("directly_assignable_expression", "", NodeRole::Transparent),
        ("parameter", "name", NodeRole::Local),
        ("parameter", "external_name", NodeRole::Skip),
        ("lambda_parameter", "name", NodeRole::Local),
        ("pattern", "bound_identifier", NodeRole::Transparent),
        ("pattern", "", NodeRole::Transparent),
        ("property_declaration", "name", NodeRole::Local),
        ("for_statement", "item", NodeRole::Local),
        ("if_statement", "bound_identifier", NodeRole::Local),
        ("guard_statement", "bound_identifier", NodeRole::Local),
        ("value_argument_label", "", NodeRole::Skip),
        ("tuple_type_item", "name", NodeRole::Skip),
        ("tuple_expression", "name", NodeRole::Skip),
        ("type_parameter", "", NodeRole::Skip),
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
    is_harmless,
    define,
    import,
    exported: |head: &DefinitionHead<'_>| {
        !head.has("private") && !head.has("fileprivate") && head.parent_exported()
    },
    binds,
    implied: implied::implied,
    names: &NAMES,
    ..Spec::EMPTY
};

/// Tells the sign that the grammar misses in `()`, and a semicolon between two statements on a line.
fn is_harmless(node: Node<'_>, [_, around]: [Option<Node<'_>>; 2]) -> bool {
    let is_tuple = around.is_some_and(|around| around.kind() == "tuple_expression");
    let is_empty_tuple = node.is_missing() && node.kind() == "!" && is_tuple;
    let only = node.child(0).filter(|_| node.child_count() == 1);
    is_empty_tuple || node.is_error() && only.is_some_and(|only| only.kind() == ";")
}

/// What a name can mean.
pub(crate) const NAMES: NameRules = NameRules {
    family: Family::Swift,
    members_are_in_scope: true,
    folder_is_scope: true,
    imports_are_private: true,
    imports_may_be_public: true,
    types_are_reopened: true,
    has_overloads: true,
    has_value_wrappers: true,
    wrappers_hand_over: true,
    heads_are_code: true,
    last_value_is_result: true,
    main_starts_programs: true,
    override_word: OverrideWord::OfClasses,
    bases_ask_for_types: true,
    projection: "$",
    describing: &[
        "MainActor",
        "Sendable",
        "ViewBuilder",
        "_alwaysEmitIntoClient",
        "_disfavoredOverload",
        "_documentation",
        "_implementationOnly",
        "_spi",
        "_transparent",
        "available",
        "backDeployed",
        "discardableResult",
        "frozen",
        "globalActor",
        "inlinable",
        "nonobjc",
        "preconcurrency",
        "unchecked",
        "usableFromInline",
    ],
    shown_by: &["public", "open", "package"],
    called_by_name: &[
        ("CodingKeys", "coding that nobody wrote reads it"),
        ("appendInterpolation", "a text that holds a value calls it"),
        ("appendLiteral", "a text that holds a value calls it"),
        ("buildArray", "a result builder's block calls it"),
        ("buildBlock", "a result builder's block calls it"),
        ("buildEither", "a result builder's block calls it"),
        ("buildExpression", "a result builder's block calls it"),
        ("buildFinalResult", "a result builder's block calls it"),
        (
            "buildLimitedAvailability",
            "a result builder's block calls it",
        ),
        ("buildOptional", "a result builder's block calls it"),
        ("buildPartialBlock", "a result builder's block calls it"),
        ("callAsFunction", "a call of its value calls it"),
        ("dynamicallyCall", "a call of its value calls it"),
        ("previews", "an editor shows it"),
        ("projectedValue", "a property that it wraps reads it"),
        ("wrappedValue", "a property that it wraps reads it"),
    ],
    library_names: LIBRARY_NAMES,
    is_machine_code: true,
    types_are_open: true,
    heads_name_outer_types: true,
    ..NameRules::NONE
};

/// Collections and strings.
const LIBRARY_NAMES: &str = "\
    cancel contains description dropFirst dropLast enumerated first flatMap forEach hasPrefix \
    hasSuffix isEmpty joined last lowercased max min prefix reduce removeAll removeFirst \
    removeLast replacingOccurrences resume reversed sorted suffix trimmingCharacters uppercased \
    zip";

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let name = node.child_by_field_name("name");
    match (node.kind(), name) {
        ("class_declaration", Some(name)) => {
            let kind = match context.field_text(node, "declaration_kind") {
                "struct" => SymbolKind::Struct,
                "enum" => SymbolKind::Enum,
                "extension" => SymbolKind::Impl,
                _ => SymbolKind::Class,
            };
            vec![Definition::new(kind, node, name)]
        }
        ("init_declaration", _) => {
            let name = name.or_else(|| node.child(0)).unwrap_or(node);
            let text = Some("init".to_owned());
            vec![Definition {
                text,
                ..Definition::new(SymbolKind::Constructor, node, name)
            }]
        }
        ("enum_entry", _) => {
            let mut cursor = node.walk();
            node.children_by_field_name("name", &mut cursor)
                .map(|name| Definition::new(SymbolKind::EnumMember, node, name))
                .collect()
        }
        (_, Some(pattern)) => {
            let name = pattern.child_by_field_name("bound_identifier");
            name.map(|name| Definition::new(SymbolKind::Variable, node, name))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// A name in a pattern that says `let` or `var`, or stands in one that does: `case let .some(name)`.
fn binds(context: &Context<'_, '_>) -> bool {
    let Some((leaf, around)) = context.levels.split_last() else {
        return false;
    };
    // What follows a dot names a case.
    let is_case = || {
        let before = leaf.node.prev_sibling();
        before.is_some_and(|before| before.kind() == ".")
    };
    let patterns = around.iter().rev().map(|level| level.node);
    let mut patterns = patterns.take_while(|node| node.kind() == "pattern");
    let says_let = |pattern: Node<'_>| {
        let first = pattern.child(0).filter(|first| first.kind() == "case");
        let at = u32::from(first.is_some());
        let word = pattern.child(at);
        word.is_some_and(|word| word.kind() == "value_binding_pattern")
    };
    patterns.any(says_let) && !is_case()
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let mut cursor = node.walk();
    let module = node
        .named_children(&mut cursor)
        .last()
        .map_or("", |part| context.text(part));
    let line = node.start_position().row as u32 + 1;
    vec![Import {
        module: module.to_owned(),
        names: Vec::new(),
        kind: match context.text(node).starts_with("@_exported") {
            true => ImportKind::ReExport,
            false => ImportKind::Import,
        },
        line,
    }]
}
