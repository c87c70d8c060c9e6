//! C and C++: names join with `::`. A prototype is a symbol too; its signature ends with `;`.

use crate::family::Family;
use crate::name_rules::NameRules;
use crate::spec::{Context, Def, Definition, DefinitionHead, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static C: Spec = Spec {
    grammar: crate::grammars::c,
    ..FAMILY
};
pub(crate) static CPP: Spec = Spec {
    grammar: crate::grammars::cpp,
    ..FAMILY
};

const FAMILY: Spec = Spec {
    defs: DEFS,
    leaves: &[
        ("identifier", ReferenceKind::Read),
        ("field_identifier", ReferenceKind::Read),
        ("type_identifier", ReferenceKind::Type),
        ("namespace_identifier", ReferenceKind::Read),
    ],
    positions: POSITIONS,
    scopes: &["function_definition", "lambda_expression"],
    blocks: &[
        "compound_statement",
        "for_statement",
        "for_range_loop",
        "while_statement",
        "if_statement",
        "catch_clause",
    ],
    literals: &[
        ("compound_literal_expression", "type"),
        ("declaration", "type"),
    ],
    wrappers: &["template_declaration"],
    raw: &["preproc_arg"],
    imports: &["preproc_include"],
    keywords: &[
        "do", "while", "if", "else", "for", "return", "sizeof", "struct", "const", "int", "char",
        "void", "unsigned", "long", "static", "inline", "switch", "case", "break", "defined",
        "typedef", "extern",
    ],
    define,
    import,
    is_harmless,
    exported: |head: &DefinitionHead<'_>| match head.parent {
        Some(parent) if parent.kind != SymbolKind::Namespace => parent.exported,
        _ => !head.has("static"),
    },
    join: |_, _| "::",
    names: &NAMES,
    ..Spec::EMPTY
};

/// Tells the semicolon that a call of a macro does without: `for_each_item(a, list) { … }`, `EXPORT(f)`.
fn is_harmless(node: Node<'_>, [statement, _]: [Option<Node<'_>>; 2]) -> bool {
    let first = statement.and_then(|statement| statement.child(0));
    let is_call = first.is_some_and(|first| first.kind() == "call_expression");
    node.is_missing() && node.kind() == ";" && is_call
}

/// What a name can mean.
pub(crate) const NAMES: NameRules = NameRules {
    family: Family::Native,
    members_are_in_scope: true,
    has_overloads: true,
    has_value_wrappers: true,
    results_stand_first: true,
    heads_are_code: true,
    main_starts_programs: true,
    functions_are_linked: true,
    files_are_public: false,
    made_by: &[],
    library_names: LIBRARY_NAMES,
    is_machine_code: true,
    classes_are_found_by_base: false,
    values_are_narrowed: false,
    ..NameRules::NONE
};

/// Containers, strings, streams, pointers of C++.
const LIBRARY_NAMES: &str = "\
    assign at back begin c_str capacity cbegin cend compare data emplace emplace_back empty \
    erase exchange fail fetch_add fill find_first_of find_last_of first front getline good \
    has_value is_open load lock lower_bound max_size merge move native notify_all notify_one \
    pop_back pop_front push_back push_front rbegin rdbuf release rend reserve reset resize \
    second seekg splice store str substr swap tellg top try_lock unlock upper_bound value_or \
    wait what width";

const DEFS: &[Def] = &[
    hook("function_definition"),
    hook("declaration"),
    hook("field_declaration"),
    hook("struct_specifier"),
    hook("union_specifier"),
    hook("class_specifier"),
    hook("enum_specifier"),
    hook("type_definition"),
    def("enumerator", SymbolKind::EnumMember, "name"),
    def("namespace_definition", SymbolKind::Namespace, "name"),
    def("preproc_def", SymbolKind::Macro, "name"),
    def("preproc_function_def", SymbolKind::Macro, "name"),
    def("alias_declaration", SymbolKind::TypeAlias, "name"),
    def("concept_definition", SymbolKind::TypeAlias, "name"),
];

const POSITIONS: &[(&str, &str, NodeRole)] = &[
    ("field_expression", "field", NodeRole::PathTail),
    ("qualified_identifier", "name", NodeRole::PathTail),
    ("template_function", "name", NodeRole::Transparent),
    ("template_method", "name", NodeRole::Transparent),
    ("template_type", "name", NodeRole::Transparent),
    ("dependent_name", "", NodeRole::Transparent),
    ("parenthesized_expression", "", NodeRole::Transparent),
    ("call_expression", "function", NodeRole::Call),
    ("new_expression", "type", NodeRole::Call),
    ("base_class_clause", "", NodeRole::Inherit),
    ("assignment_expression", "left", NodeRole::Write),
    ("update_expression", "argument", NodeRole::Write),
    ("parameter_declaration", "declarator", NodeRole::Local),
    (
        "optional_parameter_declaration",
        "declarator",
        NodeRole::Local,
    ),
    ("declaration", "declarator", NodeRole::Local),
    ("for_range_loop", "declarator", NodeRole::Local),
    ("structured_binding_declarator", "", NodeRole::Local),
    ("init_declarator", "declarator", NodeRole::Transparent),
    ("pointer_declarator", "declarator", NodeRole::Transparent),
    ("array_declarator", "declarator", NodeRole::Transparent),
    ("function_declarator", "declarator", NodeRole::Transparent),
    ("reference_declarator", "", NodeRole::Transparent),
    ("parenthesized_declarator", "", NodeRole::Transparent),
    ("attributed_declarator", "", NodeRole::Transparent),
    ("function_definition", "declarator", NodeRole::Skip),
    ("field_declaration", "declarator", NodeRole::Skip),
    ("type_definition", "declarator", NodeRole::Skip),
    ("preproc_params", "", NodeRole::Skip),
    ("type_parameter_declaration", "", NodeRole::Skip),
    ("nested_namespace_specifier", "", NodeRole::Skip),
    ("destructor_name", "", NodeRole::Skip),
    ("field_designator", "", NodeRole::Key),
    ("field_initializer", "", NodeRole::Write),
    ("labeled_statement", "label", NodeRole::Skip),
    ("goto_statement", "label", NodeRole::Skip),
];

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    match node.kind() {
        "function_definition" => {
            let declarator = node.child_by_field_name("declarator");
            declarator
                .and_then(|inner| function(context, node, inner))
                .into_iter()
                .collect()
        }
        "declaration" if context.in_function => Vec::new(),
        "declaration" | "field_declaration" => declared(context, node),
        "type_definition" => type_definition(node),
        kind => {
            let kind = match kind {
                "class_specifier" => SymbolKind::Class,
                "enum_specifier" => SymbolKind::Enum,
                _ => SymbolKind::Struct,
            };
            let name = node.child_by_field_name("name").map(last_name);
            let name = name.filter(|_| node.child_by_field_name("body").is_some());
            name.map(|name| Definition::new(kind, node, name))
                .into_iter()
                .collect()
        }
    }
}

fn declared<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let mut cursor = node.walk();
    let head: String = context.text(node).chars().take(60).collect();
    let constant = head
        .split_whitespace()
        .any(|word| matches!(word, "const" | "constexpr"));
    let variable = match node.kind() {
        "field_declaration" => SymbolKind::Field,
        _ if constant => SymbolKind::Constant,
        _ => SymbolKind::Variable,
    };
    node.children_by_field_name("declarator", &mut cursor)
        .filter_map(|declarator| {
            function(context, node, declarator).or_else(|| {
                let name = innermost(declarator);
                let plain = matches!(name.kind(), "identifier" | "field_identifier");
                plain.then(|| Definition::new(variable, node, name))
            })
        })
        .collect()
}

/// The function that a declarator declares; none for a variable or a pointer to a function.
fn function<'t>(
    context: &Context<'_, 't>,
    node: Node<'t>,
    declarator: Node<'t>,
) -> Option<Definition<'t>> {
    let mut at = declarator;
    for _ in 0..20 {
        match at.kind() {
            "function_declarator" => break,
            "operator_cast" => break,
            _ => {
                at = at
                    .child_by_field_name("declarator")
                    .or_else(|| reference_inner(at))?
            }
        }
    }
    let inner = if at.kind() == "operator_cast" {
        at
    } else {
        at.child_by_field_name("declarator")?
    };
    if inner.kind() == "parenthesized_declarator" {
        return None;
    }
    let behind = behind_macro(at, inner);
    let inner = behind.unwrap_or(inner);
    let name = last_name(inner);
    let mut found = Definition::new(SymbolKind::Function, node, name);
    if !matches!(
        name.kind(),
        "identifier" | "field_identifier" | "type_identifier"
    ) {
        let text: String = context
            .text(name)
            .split('(')
            .next()
            .unwrap_or("")
            .split_whitespace()
            .collect();
        found.text = Some(text);
    }
    let scope = context
        .source
        .get(inner.start_byte()..name.start_byte())
        .unwrap_or("");
    let scope = without_arguments(scope);
    let scope = scope.trim_end_matches(':');
    if !scope.is_empty() {
        found.kind = SymbolKind::Method;
        found.prefix = Some(match context.enclosing() {
            Some(outer) => format!("{}::{scope}", outer.qualified),
            None => scope.to_owned(),
        });
    }
    Some(found)
}

/// `f` of `API Type f (int)`: to the grammar the macro is the type, the type is the name, and the name
/// an error.
fn behind_macro<'t>(declarator: Node<'t>, name: Node<'t>) -> Option<Node<'t>> {
    let mut cursor = declarator.walk();
    let mut errors = declarator.children(&mut cursor).filter(Node::is_error);
    let error = errors.next().filter(|_| name.kind() == "identifier")?;
    let only = error.named_child(0).filter(|_| error.child_count() == 1)?;
    (only.kind() == "identifier" && error.start_byte() >= name.end_byte()).then_some(only)
}

fn reference_inner(node: Node<'_>) -> Option<Node<'_>> {
    matches!(
        node.kind(),
        "reference_declarator" | "attributed_declarator"
    )
    .then(|| node.named_child(0))?
}

/// The last part of `a::b::c`.
fn last_name(node: Node<'_>) -> Node<'_> {
    let mut at = node;
    for _ in 0..30 {
        match at.kind() {
            "qualified_identifier" | "template_type" | "template_function" => {
                match at.child_by_field_name("name") {
                    Some(name) => at = name,
                    None => break,
                }
            }
            _ => break,
        }
    }
    at
}

fn innermost(node: Node<'_>) -> Node<'_> {
    let mut at = node;
    for _ in 0..30 {
        let inner = at
            .child_by_field_name("declarator")
            .or_else(|| reference_inner(at));
        let inner = inner.or_else(|| {
            at.named_child(0)
                .filter(|_| at.kind() == "parenthesized_declarator")
        });
        match inner {
            Some(inner) => at = inner,
            None => break,
        }
    }
    at
}

/// `n::A<T>::` without `<T>`.
fn without_arguments(text: &str) -> String {
    let mut depth = 0;
    text.chars()
        .filter(|&c| {
            depth += i32::from(c == '<');
            let outside = depth == 0 && !c.is_whitespace();
            depth -= i32::from(c == '>');
            outside
        })
        .collect()
}

fn type_definition(node: Node<'_>) -> Vec<Definition<'_>> {
    let body = node.child_by_field_name("type").filter(|kind| {
        kind.child_by_field_name("body").is_some() && kind.child_by_field_name("name").is_none()
    });
    let kind = match body.map(|body| body.kind()) {
        Some("enum_specifier") => SymbolKind::Enum,
        Some(_) => SymbolKind::Struct,
        None => SymbolKind::TypeAlias,
    };
    let mut cursor = node.walk();
    node.children_by_field_name("declarator", &mut cursor)
        .map(innermost)
        .filter(|name| name.kind() == "type_identifier")
        .map(|name| {
            // A struct with a name of its own is not inside its second name.
            let is_second = node
                .child_by_field_name("type")
                .is_some_and(|kind| kind.child_by_field_name("name").is_some())
                && node
                    .child_by_field_name("type")
                    .is_some_and(|kind| kind.child_by_field_name("body").is_some());
            Definition::new(kind, if is_second { name } else { node }, name)
        })
        .collect()
}

/// A system header keeps its brackets.
fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    vec![Import {
        module: context
            .field_text(node, "path")
            .trim_matches('"')
            .to_owned(),
        names: Vec::new(),
        kind: ImportKind::Include,
        line: node.start_position().row as u32 + 1,
    }]
}
