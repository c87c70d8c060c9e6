//! Python: names join with `.`; docstrings are docs; module and class assignments are symbols.

use crate::languages::javascript::unquote;
use crate::spec::{Context, Definition, Head, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static PYTHON: Spec = Spec {
    grammar: || tree_sitter_python::LANGUAGE.into(),
    defs: &[
        def("function_definition", SymbolKind::Function, "name"),
        def("class_definition", SymbolKind::Class, "name"),
        hook("assignment"),
        hook("type_alias_statement"),
    ],
    leaves: &[
        ("identifier", ReferenceKind::Read),
        ("string_content", ReferenceKind::Read),
    ],
    positions: &[
        ("attribute", "attribute", NodeRole::PathTail),
        ("call", "function", NodeRole::Call),
        ("parenthesized_expression", "", NodeRole::Transparent),
        ("type", "", NodeRole::Type),
        ("generic_type", "", NodeRole::Type),
        ("union_type", "", NodeRole::Type),
        ("member_type", "", NodeRole::Type),
        ("constrained_type", "", NodeRole::Type),
        ("argument_list", "", NodeRole::Transparent),
        ("class_definition", "superclasses", NodeRole::Inherit),
        ("call", "arguments", NodeRole::Read),
        ("keyword_argument", "name", NodeRole::Skip),
        ("decorator", "", NodeRole::Decorator),
        ("assignment", "left", NodeRole::Write),
        ("augmented_assignment", "left", NodeRole::Write),
        ("named_expression", "name", NodeRole::Write),
        ("pattern_list", "", NodeRole::Transparent),
        ("tuple_pattern", "", NodeRole::Transparent),
        ("list_pattern", "", NodeRole::Transparent),
        ("list_splat_pattern", "", NodeRole::Transparent),
        ("dictionary_splat_pattern", "", NodeRole::Transparent),
        ("parameters", "", NodeRole::Local),
        ("lambda_parameters", "", NodeRole::Local),
        ("typed_parameter", "", NodeRole::Local),
        ("default_parameter", "name", NodeRole::Local),
        ("typed_default_parameter", "name", NodeRole::Local),
        ("for_statement", "left", NodeRole::Local),
        ("for_in_clause", "left", NodeRole::Local),
        ("as_pattern_target", "", NodeRole::Local),
        ("except_clause", "alias", NodeRole::Local),
        ("global_statement", "", NodeRole::Outer),
        ("nonlocal_statement", "", NodeRole::Outer),
        ("dotted_name", "", NodeRole::Default),
        ("aliased_import", "alias", NodeRole::Skip),
    ],
    scopes: &["function_definition", "lambda"],
    wrappers: &["decorated_definition", "expression_statement"],
    imports: &[
        "import_statement",
        "import_from_statement",
        "future_import_statement",
    ],
    returns: &["return_statement"],
    import_calls: &["import_module", "__import__"],
    copies: &[
        "list",
        "tuple",
        "set",
        "frozenset",
        "iter",
        "reversed",
        "sorted",
    ],
    define,
    import,
    exported,
    assignment_declares: true,
    docstrings: true,
    ..Spec::EMPTY
};

fn exported(head: &Head<'_>) -> bool {
    let dunder = head.name.starts_with("__") && head.name.ends_with("__");
    (dunder || !head.name.starts_with('_')) && head.parent_exported()
}

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let left = node.child_by_field_name("left");
    if node.kind() == "type_alias_statement" {
        let name = left.and_then(|left| left.named_child(0));
        return name
            .map(|name| Definition::new(SymbolKind::TypeAlias, node, name))
            .into_iter()
            .collect();
    }
    let Some(left) = left else { return Vec::new() };
    let names: Vec<Node<'t>> = match left.kind() {
        "identifier" => vec![left],
        "pattern_list" | "tuple_pattern" => {
            let mut cursor = left.walk();
            left.named_children(&mut cursor)
                .filter(|name| name.kind() == "identifier")
                .collect()
        }
        _ => return Vec::new(),
    };
    names
        .into_iter()
        .map(|name| {
            let text = context.text(name);
            let constant = text.contains(|c: char| c.is_alphabetic())
                && !text.contains(|c: char| c.is_lowercase());
            let kind = if constant {
                SymbolKind::Constant
            } else {
                SymbolKind::Variable
            };
            Definition {
                once: true,
                ..Definition::new(kind, node, name)
            }
        })
        .collect()
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let line = node.start_position().row as u32 + 1;
    match node.kind() {
        "import_statement" => {
            let mut cursor = node.walk();
            node.named_children(&mut cursor)
                .map(|part| plain(context, part, line))
                .collect()
        }
        "import_from_statement" | "future_import_statement" => vec![from(context, node, line)],
        "call" => dynamic(context, node, line).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// `import a.b` binds `a`; `import a.b as c` binds `c` to the module.
fn plain(context: &Context<'_, '_>, part: Node<'_>, line: u32) -> Import {
    let (module, names) = if part.kind() == "aliased_import" {
        let local = context.field_text(part, "alias").to_owned();
        (
            context.field_text(part, "name"),
            vec![ImportedName {
                name: "*".to_owned(),
                local,
            }],
        )
    } else {
        (context.text(part), Vec::new())
    };
    Import {
        module: module.to_owned(),
        names,
        kind: ImportKind::Import,
        line,
    }
}

fn from(context: &Context<'_, '_>, node: Node<'_>, line: u32) -> Import {
    let module = match node.kind() {
        "future_import_statement" => "__future__",
        _ => context.field_text(node, "module_name"),
    };
    let mut cursor = node.walk();
    let mut names: Vec<ImportedName> = node
        .children_by_field_name("name", &mut cursor)
        .map(|part| {
            let (name, local) = match part.kind() {
                "aliased_import" => (
                    context.field_text(part, "name"),
                    context.field_text(part, "alias"),
                ),
                _ => (context.text(part), context.text(part)),
            };
            ImportedName {
                name: name.to_owned(),
                local: local.to_owned(),
            }
        })
        .collect();
    let mut cursor = node.walk();
    if node
        .named_children(&mut cursor)
        .any(|part| part.kind() == "wildcard_import")
    {
        names.push(ImportedName {
            name: "*".to_owned(),
            local: "*".to_owned(),
        });
    }
    let module: String = module.split_whitespace().collect();
    Import {
        module,
        names,
        kind: ImportKind::Import,
        line,
    }
}

fn dynamic(context: &Context<'_, '_>, node: Node<'_>, line: u32) -> Option<Import> {
    let argument = node.child_by_field_name("arguments")?.named_child(0)?;
    (argument.kind() == "string").then(|| Import {
        module: unquote(context.text(argument)).to_owned(),
        names: Vec::new(),
        kind: ImportKind::Dynamic,
        line,
    })
}
