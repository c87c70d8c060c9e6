//! PHP: namespaces join with `\`, members with `::`.

use crate::family::Family;
use crate::languages::javascript::unquote;
use crate::name_rules::{BareMembers, NameRules};
use crate::spec::{
    Aside, Context, Definition, DefinitionHead, NameKind, NodeRole, Spec, def, hook,
};
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
        ("relative_name", "", NodeRole::PathTail),
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
    asides: &[
        "use_as_clause",
        "binary_expression",
        "array_creation_expression",
        "string",
        "function_call_expression",
    ],
    aside,
    define,
    import,
    kind_of_name,
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
    kinds_are_apart: true,
    makes_with_new: true,
    bare_members: BareMembers::Uncalled,
    functions_need_brackets: true,
    sigil: "$",
    locals_are_untyped: true,
    base_word: "parent",
    called_by_name: &MAGIC,
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

/// Methods that the language calls.
const MAGIC: [(&str, &str); 17] = [
    ("__call", BY_LANGUAGE),
    ("__callStatic", BY_LANGUAGE),
    ("__clone", BY_LANGUAGE),
    ("__construct", BY_LANGUAGE),
    ("__debugInfo", BY_LANGUAGE),
    ("__destruct", BY_LANGUAGE),
    ("__get", BY_LANGUAGE),
    ("__invoke", BY_LANGUAGE),
    ("__isset", BY_LANGUAGE),
    ("__serialize", BY_LANGUAGE),
    ("__set", BY_LANGUAGE),
    ("__set_state", BY_LANGUAGE),
    ("__sleep", BY_LANGUAGE),
    ("__toString", BY_LANGUAGE),
    ("__unserialize", BY_LANGUAGE),
    ("__unset", BY_LANGUAGE),
    ("__wakeup", BY_LANGUAGE),
];
const BY_LANGUAGE: &str = "the language calls it";

/// Functions that call what a text names.
const CALLERS: [&str; 14] = [
    "array_filter",
    "array_map",
    "array_reduce",
    "array_walk",
    "call_user_func",
    "call_user_func_array",
    "ob_start",
    "register_shutdown_function",
    "set_error_handler",
    "set_exception_handler",
    "spl_autoload_register",
    "uasort",
    "uksort",
    "usort",
];

/// `$name` is a variable unless a `::` before it makes it a property; a name before `::` or behind `instanceof`
/// is a type.
fn kind_of_name(context: &Context<'_, '_>) -> NameKind {
    let (Some(mut part), Some(mut around)) = (
        context.levels.last().map(|level| level.node),
        context.ancestor(0),
    ) else {
        return NameKind::Any;
    };
    if around.kind() == "variable_name" {
        let outer = context.ancestor(1);
        let is_property = outer.is_some_and(|outer| {
            let name = outer.child_by_field_name("name");
            outer.kind() == "scoped_property_access_expression"
                && name.is_some_and(|name| name.id() == around.id())
                || matches!(
                    outer.kind(),
                    "property_element" | "property_promotion_parameter"
                )
        });
        return if is_property {
            NameKind::Any
        } else {
            NameKind::Variable
        };
    }
    if matches!(around.kind(), "qualified_name" | "relative_name") {
        let Some(outer) = context.ancestor(1) else {
            return NameKind::Any;
        };
        (part, around) = (around, outer);
    }
    let is_type = match around.kind() {
        "class_constant_access_expression"
        | "scoped_call_expression"
        | "scoped_property_access_expression" => around
            .named_child(0)
            .is_some_and(|first| first.id() == part.id()),
        "binary_expression" => {
            let right = around.child_by_field_name("right");
            right.is_some_and(|right| right.id() == part.id())
                && context
                    .field_text(around, "operator")
                    .eq_ignore_ascii_case("instanceof")
        }
        _ => false,
    };
    if is_type {
        NameKind::Type
    } else {
        NameKind::Any
    }
}

/// `use A, B { run as start; }` and `use A, B { A::run as start; }`.
fn trait_alias<'t>(context: &Context<'_, 't>, clause: Node<'t>) -> Vec<Aside<'t>> {
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

/// Stands before a name that is called on something unknown.
const UNKNOWN: &str = "…";

fn aside<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Aside<'t>> {
    match node.kind() {
        "use_as_clause" => trait_alias(context, node),
        "binary_expression" => {
            let operator = context.field_text(node, "operator");
            let value = node.child_by_field_name("left");
            let value = value.filter(|_| operator.eq_ignore_ascii_case("instanceof"));
            value.map(Aside::Tested).into_iter().collect()
        }
        "array_creation_expression" => method_in_list(context, node).into_iter().collect(),
        "string" => static_method_in_text(context, node).into_iter().collect(),
        _ => functions_in_texts(context, node),
    }
}

/// `[$this, 'name']`, `[Type::class, 'name']`: a method that somebody calls, as it seems.
fn method_in_list<'t>(context: &Context<'_, 't>, list: Node<'t>) -> Option<Aside<'t>> {
    let value = |n: u32| {
        let part = list.named_child(n)?;
        (part.named_child_count() == 1)
            .then(|| part.named_child(0))
            .flatten()
    };
    let (owner, text) = (value(0)?, value(1)?);
    let may_own = matches!(
        owner.kind(),
        "variable_name"
            | "class_constant_access_expression"
            | "member_access_expression"
            | "string"
    );
    let is_pair = list.named_child_count() == 2 && may_own;
    is_pair.then(|| in_text(context, text, UNKNOWN)).flatten()
}

/// The name that is all of a text, called.
fn in_text<'t>(context: &Context<'_, 't>, text: Node<'t>, owner: &str) -> Option<Aside<'t>> {
    let name = unquote(context.text(text));
    let is_name = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        && matches!(text.kind(), "string" | "encapsed_string");
    is_name.then(|| Aside::Call {
        text,
        offset: 1,
        name: name.to_owned(),
        owner: owner.to_owned(),
    })
}

/// `'Type::name'`.
fn static_method_in_text<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Option<Aside<'t>> {
    let text = unquote(context.text(node));
    let (owner, name) = text.split_once("::")?;
    let is_word = |part: &str, sign: char| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_alphanumeric() || c == '_' || c == sign)
    };
    (is_word(owner, '\\') && is_word(name, '_')).then(|| Aside::Call {
        text: node,
        offset: 1 + owner.len() + 2,
        name: name.to_owned(),
        owner: UNKNOWN.to_owned(),
    })
}

/// Functions that a call hands over by their names.
fn functions_in_texts<'t>(context: &Context<'_, 't>, call: Node<'t>) -> Vec<Aside<'t>> {
    let function = context
        .field_text(call, "function")
        .trim_start_matches('\\');
    let Some(list) = call
        .child_by_field_name("arguments")
        .filter(|_| CALLERS.binary_search(&function).is_ok())
    else {
        return Vec::new();
    };
    let mut cursor = list.walk();
    let arguments = list.named_children(&mut cursor);
    let texts = arguments.filter_map(|argument| argument.named_child(0));
    texts
        .filter_map(|text| in_text(context, text, "\\"))
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

/// One name of a `use`.
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
