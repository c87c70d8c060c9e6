//! Scala: names join with `.`; an object is a class.

use crate::name_rules::NameRules;
use crate::package_head::package;
use crate::spec::{Context, Definition, DefinitionHead, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static SCALA: Spec = Spec {
    grammar: crate::grammars::scala,
    defs: &[
        def("class_definition", SymbolKind::Class, "name"),
        def("object_definition", SymbolKind::Class, "name"),
        def("trait_definition", SymbolKind::Trait, "name"),
        def("enum_definition", SymbolKind::Enum, "name"),
        def("simple_enum_case", SymbolKind::EnumMember, "name"),
        def("full_enum_case", SymbolKind::EnumMember, "name"),
        hook("function_definition"),
        hook("function_declaration"),
        def("type_definition", SymbolKind::TypeAlias, "name"),
        def("given_definition", SymbolKind::Constant, "name"),
        hook("val_definition"),
        hook("var_definition"),
        hook("class_parameter"),
        def("val_declaration", SymbolKind::Constant, "name"),
        def("var_declaration", SymbolKind::Variable, "name"),
    ],
    leaves: &[
        ("identifier", ReferenceKind::Read),
        ("type_identifier", ReferenceKind::Type),
        ("operator_identifier", ReferenceKind::Read),
    ],
    positions: &[
        ("field_expression", "field", NodeRole::PathTail),
        ("stable_identifier", "", NodeRole::LastPart),
        ("stable_type_identifier", "", NodeRole::LastPart),
        ("call_expression", "function", NodeRole::Call),
        ("generic_function", "function", NodeRole::Transparent),
        ("generic_type", "type", NodeRole::Transparent),
        ("instance_expression", "", NodeRole::Call),
        ("infix_expression", "operator", NodeRole::Call),
        ("extends_clause", "type", NodeRole::Inherit),
        ("annotation", "name", NodeRole::Decorator),
        ("assignment_expression", "left", NodeRole::Write),
        ("parameter", "name", NodeRole::Local),
        ("class_parameter", "name", NodeRole::Local),
        ("val_definition", "pattern", NodeRole::Local),
        ("var_definition", "pattern", NodeRole::Local),
        ("case_clause", "pattern", NodeRole::Local),
        ("case_class_pattern", "type", NodeRole::Read),
        ("case_class_pattern", "pattern", NodeRole::Transparent),
        ("tuple_pattern", "", NodeRole::Transparent),
        ("typed_pattern", "pattern", NodeRole::Transparent),
        ("capture_pattern", "name", NodeRole::Local),
        ("capture_pattern", "pattern", NodeRole::Transparent),
        ("binding", "name", NodeRole::Local),
        ("lambda_expression", "parameters", NodeRole::Local),
        ("type_parameters", "name", NodeRole::Skip),
        ("package_identifier", "", NodeRole::Skip),
        ("arrow_renamed_identifier", "alias", NodeRole::Skip),
    ],
    scopes: &["function_definition", "lambda_expression"],
    blocks: &["block", "case_clause", "for_expression"],
    imports: &["import_declaration"],
    literals: &[("case_class_pattern", "type")],
    binds: is_of_enumerator,
    define,
    import,
    exported: |head: &DefinitionHead<'_>| !head.has("private") && head.parent_exported(),
    upper_patterns_are_reads: true,
    counts_arguments: true,
    converts_arguments: true,
    of_file: package,
    names: &NAMES,
    ..Spec::EMPTY
};

/// What a name can mean.
const NAMES: NameRules = NameRules {
    last_value_is_result: true,
    makes_with_new: false,
    bases_ask_for_types: true,
    called_by_name: &[
        ("*_=", "who sets its member calls it"),
        ("apply", "a call of its object calls it"),
        ("flatMap", "a `for` may call it"),
        ("foreach", "a `for` may call it"),
        ("map", "a `for` may call it"),
        ("unapply", "a pattern calls it"),
        ("unapplySeq", "a pattern calls it"),
        ("update", "an assignment to an element calls it"),
        ("withFilter", "a `for` may call it"),
    ],
    ..super::java::NAMES
};

/// Says whether the leaf is the `x` of `for (x <- xs)`.
fn is_of_enumerator(context: &Context<'_, '_>) -> bool {
    let (Some(around), Some(leaf)) = (context.ancestor(0), context.levels.last()) else {
        return false;
    };
    let is_first = || {
        around
            .named_child(0)
            .is_some_and(|first| first.id() == leaf.node.id())
    };
    around.kind() == "enumerator" && around.named_child_count() > 1 && is_first()
}

/// The field that a parameter of a class makes: each of a case class, else one behind `val` or `var`.
fn field_of_parameter<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Option<Definition<'t>> {
    let name = node.child_by_field_name("name")?;
    let before = context.source.get(node.start_byte()..name.start_byte())?;
    let is_value = before
        .split_whitespace()
        .any(|word| matches!(word, "val" | "var"));
    let class = context.enclosing()?;
    let is_of_case = || {
        let head = class
            .signature
            .split(class.name.as_str())
            .next()
            .unwrap_or("");
        head.split_whitespace().any(|word| word == "case")
    };
    (is_value || is_of_case()).then(|| Definition::new(SymbolKind::Field, node, name))
}

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    if node.kind() == "class_parameter" {
        return field_of_parameter(context, node).into_iter().collect();
    }
    if node.kind().starts_with("function") {
        let name = node.child_by_field_name("name");
        let kind = match is_of_anonymous_type(context) {
            true => SymbolKind::Method,
            false => SymbolKind::Function,
        };
        return name
            .map(|name| Definition::new(kind, node, name))
            .into_iter()
            .collect();
    }
    let kind = if node.kind() == "val_definition" {
        SymbolKind::Constant
    } else {
        SymbolKind::Variable
    };
    let name = node
        .child_by_field_name("pattern")
        .filter(|name| name.kind() == "identifier");
    name.map(|name| Definition::new(kind, node, name))
        .into_iter()
        .collect()
}

/// Says whether a definition stands in the body of `new Type { … }` or `given Type with …`.
fn is_of_anonymous_type(context: &Context<'_, '_>) -> bool {
    let is = |n, kind| context.ancestor(n).is_some_and(|node| node.kind() == kind);
    is(0, "template_body") && is(1, "instance_expression") || is(0, "with_template_body")
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let named = |name: &str, local: &str| ImportedName {
        name: name.to_owned(),
        local: local.to_owned(),
    };
    let mut path: Vec<&str> = Vec::new();
    let mut names = Vec::new();
    let mut cursor = node.walk();
    for part in node.named_children(&mut cursor) {
        match part.kind() {
            "namespace_selectors" => {
                let mut inner = part.walk();
                names.extend(
                    part.named_children(&mut inner)
                        .map(|part| match part.kind() {
                            "arrow_renamed_identifier" | "as_renamed_identifier" => named(
                                context.field_text(part, "name"),
                                context.field_text(part, "alias"),
                            ),
                            "namespace_wildcard" => named("*", "*"),
                            _ => named(context.text(part), context.text(part)),
                        }),
                );
            }
            "namespace_wildcard" => names.push(named("*", "*")),
            _ => path.push(context.text(part)),
        }
    }
    if names.is_empty() {
        names.extend(path.pop().map(|name| named(name, name)));
    }
    let line = node.start_position().row as u32 + 1;
    vec![Import {
        module: path.join("."),
        names,
        kind: ImportKind::Import,
        line,
    }]
}
