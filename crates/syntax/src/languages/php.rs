//! PHP: namespaces join with `\`, members with `::`.

use crate::family::Family;
use crate::languages::javascript::unquote;
use crate::name_rules::{BareMembers, NameRules};
use crate::spec::{Aside, Context, Definition, DefinitionHead, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static PHP: Spec = Spec {
    grammar: crate::grammars::php,
    defs: &[
        hook("namespace_definition"),
        def("class_declaration", SymbolKind::Class, "name"),
        def("interface_declaration", SymbolKind::Interface, "name"),
        def("trait_declaration", SymbolKind::Trait, "name"),
        def("enum_declaration", SymbolKind::Enum, "name"),
        def("enum_case", SymbolKind::EnumMember, "name"),
        def("function_definition", SymbolKind::Function, "name"),
        def("method_declaration", SymbolKind::Method, "name"),
        hook("const_element"),
        hook("property_element"),
        hook("property_promotion_parameter"),
    ],
    leaves: &[("name", ReferenceKind::Read)],
    positions: &[
        ("variable_name", "", NodeRole::Transparent),
        ("member_access_expression", "name", NodeRole::PathTail),
        (
            "nullsafe_member_access_expression",
            "name",
            NodeRole::PathTail,
        ),
        (
            "scoped_property_access_expression",
            "name",
            NodeRole::PathTail,
        ),
        ("class_constant_access_expression", "", NodeRole::LastPart),
        ("member_call_expression", "name", NodeRole::Member),
        ("nullsafe_member_call_expression", "name", NodeRole::Member),
        ("scoped_call_expression", "name", NodeRole::Member),
        ("function_call_expression", "function", NodeRole::Call),
        ("object_creation_expression", "", NodeRole::Call),
        ("qualified_name", "", NodeRole::PathTail),
        ("namespace_name", "", NodeRole::Skip),
        ("named_type", "", NodeRole::Type),
        ("base_clause", "", NodeRole::Inherit),
        ("class_interface_clause", "", NodeRole::Inherit),
        ("use_declaration", "", NodeRole::Inherit),
        ("use_as_clause", "", NodeRole::Skip),
        ("attribute", "", NodeRole::Decorator),
        ("assignment_expression", "left", NodeRole::Write),
        ("augmented_assignment_expression", "left", NodeRole::Write),
        ("reference_assignment_expression", "left", NodeRole::Write),
        ("simple_parameter", "name", NodeRole::Local),
        ("variadic_parameter", "name", NodeRole::Local),
        ("property_promotion_parameter", "name", NodeRole::Local),
        ("catch_clause", "name", NodeRole::Local),
        ("foreach_statement", "", NodeRole::Default),
        ("pair", "", NodeRole::Transparent),
        ("static_variable_declaration", "name", NodeRole::Local),
        ("anonymous_function_use_clause", "", NodeRole::Local),
        ("global_declaration", "", NodeRole::Outer),
        ("argument", "name", NodeRole::Skip),
        ("namespace_use_clause", "alias", NodeRole::Skip),
    ],
    scopes: &[
        "function_definition",
        "method_declaration",
        "anonymous_function",
        "arrow_function",
    ],
    wrappers: &["property_declaration", "const_declaration"],
    imports: &[
        "namespace_use_declaration",
        "require_expression",
        "require_once_expression",
        "include_expression",
        "include_once_expression",
    ],
    returns: &["return_statement"],
    asides: &["use_as_clause"],
    aside,
    define,
    import,
    exported: |head: &DefinitionHead<'_>| !head.has("private") && head.parent_exported(),
    join: |outer, _| {
        if outer == SymbolKind::Namespace {
            "\\"
        } else {
            "::"
        }
    },
    assignment_declares: true,
    names: &NAMES,
    ..Spec::EMPTY
};

/// What a name can mean.
pub(crate) const NAMES: NameRules = NameRules {
    family: Family::Php,
    constants_are_overridden: true,
    folder_is_scope: true,
    namespaces_span_files: true,
    constructors_are_overridden: true,
    files_are_scripts: true,
    makes_with_new: true,
    bare_members: BareMembers::Uncalled,
    functions_need_brackets: true,
    sigil: "$",
    locals_are_untyped: true,
    base_word: "parent",
    called_by_name: &[("__", "the language calls it")],
    classes_are_anonymous: true,
    package_joint: Some('\\'),
    ..NameRules::NONE
};

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let (kind, name) = match node.kind() {
        "namespace_definition" => (SymbolKind::Namespace, node.child_by_field_name("name")),
        "const_element" => (SymbolKind::Constant, node.named_child(0)),
        _ => {
            let variable = node
                .child_by_field_name("name")
                .or_else(|| node.named_child(0));
            (
                SymbolKind::Field,
                variable.and_then(|variable| variable.named_child(0)),
            )
        }
    };
    let Some(name) = name else { return Vec::new() };
    let mut found = Definition::new(kind, node, name);
    if kind == SymbolKind::Namespace {
        found.sticky = node.child_by_field_name("body").is_none();
        found.prefix = Some(String::new());
        found.text = Some(context.text(name).to_owned());
    }
    vec![found]
}

/// `use A, B { run as start; }` and `use A, B { A::run as start; }`.
fn aside<'t>(context: &Context<'_, 't>, clause: Node<'t>) -> Vec<Aside<'t>> {
    let mut cursor = clause.walk();
    let parts: Vec<Node<'t>> = clause.named_children(&mut cursor).collect();
    let [from, .., name] = parts[..] else {
        return Vec::new();
    };
    if name.kind() != "name" {
        return Vec::new();
    }
    let alias = |member, owner: &str| Aside::Alias {
        member,
        owner: owner.to_owned(),
        name: context.text(name).to_owned(),
    };
    if let (Some(owner), Some(member)) = (from.named_child(0), from.named_child(1)) {
        return vec![alias(member, context.text(owner))];
    }
    let Some(used) = context.ancestor(1) else {
        return Vec::new();
    };
    let mut cursor = used.walk();
    let traits = used.named_children(&mut cursor);
    traits
        .filter(|used| matches!(used.kind(), "name" | "qualified_name"))
        .map(|owner| alias(from, context.text(owner)))
        .collect()
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let line = node.start_position().row as u32 + 1;
    if node.kind() != "namespace_use_declaration" {
        return include(context, node, line).into_iter().collect();
    }
    let mut cursor = node.walk();
    let mut imports = Vec::new();
    let mut prefix = String::new();
    for part in node.named_children(&mut cursor) {
        match part.kind() {
            "namespace_name" => prefix = context.text(part).to_owned(),
            "namespace_use_clause" => imports.push(clause(context, part, "", line)),
            "namespace_use_group" => {
                let mut inner = part.walk();
                imports.extend(
                    part.named_children(&mut inner)
                        .map(|part| clause(context, part, &prefix, line)),
                );
            }
            _ => {}
        }
    }
    imports
}

fn clause(context: &Context<'_, '_>, node: Node<'_>, prefix: &str, line: u32) -> Import {
    let path = node
        .named_child(0)
        .map_or("", |path| context.text(path))
        .trim_start_matches('\\');
    let (module, name) = path.rsplit_once('\\').unwrap_or(("", path));
    let module = match (prefix.is_empty(), module.is_empty()) {
        (false, false) => format!("{prefix}\\{module}"),
        (false, true) => prefix.to_owned(),
        (true, false) => module.to_owned(),
        (true, true) => "\\".to_owned(),
    };
    let alias = context.field_text(node, "alias");
    let local = if alias.is_empty() { name } else { alias };
    let names = vec![ImportedName {
        name: name.to_owned(),
        local: local.to_owned(),
    }];
    Import {
        module,
        names,
        kind: ImportKind::Import,
        line,
    }
}

/// The path of `require __DIR__ . '/x.php'` is `./x.php`.
fn include(context: &Context<'_, '_>, node: Node<'_>, line: u32) -> Option<Import> {
    let text = context.text(node);
    let quote = text.find(['"', '\''])?;
    let path = unquote(text[quote..].trim_end_matches([')', ';', ' ']));
    let module = if text[..quote].contains("__DIR__") {
        format!("./{}", path.trim_start_matches('/'))
    } else {
        path.to_owned()
    };
    Some(Import {
        module,
        names: Vec::new(),
        kind: ImportKind::Include,
        line,
    })
}
