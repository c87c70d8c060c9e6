//! Rust: names join with `::`; methods are `Type::method` in any impl of the type. An impl block is
//! a symbol of kind `Impl` whose name is its type and whose qualified name is its head.

use crate::family::Family;
use crate::name_rules::{BareMembers, NameRules};
use crate::spec::{Context, Definition, DefinitionHead, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static RUST: Spec = Spec {
    grammar: crate::grammars::rust,
    defs: &[
        def("function_item", SymbolKind::Function, "name"),
        def("function_signature_item", SymbolKind::Function, "name"),
        def("struct_item", SymbolKind::Struct, "name"),
        def("union_item", SymbolKind::Struct, "name"),
        def("enum_item", SymbolKind::Enum, "name"),
        def("enum_variant", SymbolKind::EnumMember, "name"),
        def("trait_item", SymbolKind::Trait, "name"),
        def("type_item", SymbolKind::TypeAlias, "name"),
        def("associated_type", SymbolKind::TypeAlias, "name"),
        def("const_item", SymbolKind::Constant, "name"),
        def("static_item", SymbolKind::Variable, "name"),
        def("macro_definition", SymbolKind::Macro, "name"),
        def("field_declaration", SymbolKind::Field, "name"),
        hook("mod_item"),
        hook("impl_item"),
    ],
    leaves: &[
        ("identifier", ReferenceKind::Read),
        ("field_identifier", ReferenceKind::Read),
        ("shorthand_field_identifier", ReferenceKind::Read),
        ("type_identifier", ReferenceKind::Type),
    ],
    positions: POSITIONS,
    scopes: &["function_item", "closure_expression"],
    blocks: &[
        "block",
        "match_arm",
        "if_expression",
        "while_expression",
        "for_expression",
    ],
    late: &["let_declaration", "let_condition"],
    literals: &[("struct_expression", "name"), ("struct_pattern", "type")],
    attributes: &["attribute_item"],
    raw: &["token_tree", "macro_rule", "token_tree_pattern"],
    imports: &["use_declaration", "extern_crate_declaration", "mod_item"],
    keywords: KEYWORDS,
    define,
    import,
    exported,
    join: |_, _| "::",
    upper_patterns_are_reads: true,
    names: &NAMES,
    ..Spec::EMPTY
};

/// What a name can mean.
pub(crate) const NAMES: NameRules = NameRules {
    family: Family::Rust,
    names_are_imported: true,
    files_are_submodules: true,
    has_value_wrappers: true,
    wrappers_hand_over: true,
    heads_are_code: true,
    last_value_is_result: true,
    bare_members: BareMembers::Nowhere,
    members_are_overridden: false,
    main_starts_programs: true,
    library_roots: &["alloc", "core", "std"],
    heads_have_modifiers: false,
    files_are_public: false,
    made_by: &["::new(", "::default(", "{"],
    library_names: LIBRARY_NAMES,
    is_machine_code: true,
    classes_are_found_by_base: false,
    package_joint: Some(':'),
    opened_names_are_shown: true,
    ..NameRules::NONE
};

/// Iterators, options, results, strings, vectors, maps, paths, streams.
const LIBRARY_NAMES: &str = "\
    abs all and and_then any as_bytes as_deref as_mut as_mut_ptr as_mut_slice as_os_str as_path \
    as_ptr as_ref as_slice as_str ascii back binary_search borrow borrow_mut by_ref bytes \
    capacity chain char_indices chars checked_add checked_sub chunks cloned cmp collect \
    components contains contains_key copied copy_from_slice cycle dedup deref deref_mut display \
    drain elapsed ends_with entry enumerate eof eq exists exit expect expect_err extend \
    extend_from_slice extension file_name file_stem fill filter_map find_map finish first \
    first_mut flat_map flatten fmt fold for_each from_str front ge get_mut get_or_init \
    get_or_insert_with gt hash hint id insert_str inspect inspect_err into into_boxed_slice \
    into_bytes into_inner into_iter into_owned into_string into_vec is_absolute is_alphabetic \
    is_alphanumeric is_ascii is_char_boundary is_digit is_dir is_empty is_err is_file is_none \
    is_none_or is_numeric is_ok is_ok_and is_some is_some_and is_uppercase is_whitespace \
    iter_mut last last_mut le len_utf8 lines load lock lt map_err map_or map_or_else map_while \
    match_indices matches max max_by max_by_key message metadata min min_by min_by_key mul ne \
    next_back nth ok ok_or ok_or_else or or_default or_else or_insert or_insert_with parent \
    partial_cmp partition peek peekable pop_back pop_front pos position product ptr_eq push_back \
    push_front push_str read_dir read_exact read_line read_to_end read_to_string recv reduce \
    repeat replacen reserve resize retain rev reverse rfind rposition rsplit rsplit_once rsplitn \
    saturating_add saturating_sub seek send skip skip_while sleep sort_by sort_by_key \
    sort_unstable source spawn splice split_ascii_whitespace split_at split_first split_last \
    split_off split_once split_whitespace splitn start_with starts_with stderr stdin stdout \
    step_by store strip_prefix strip_suffix sub sum swap swap_remove take take_while then_some \
    to_ascii_lowercase to_ascii_uppercase to_bits to_digit to_lowercase to_owned to_path_buf \
    to_str to_string to_string_lossy to_uppercase to_vec transpose trim trim_end \
    trim_end_matches trim_matches trim_start trim_start_matches truncate try_for_each try_from \
    try_into unwrap_err unwrap_or unwrap_or_default unwrap_or_else unzip upgrade values_mut wait \
    windows with_capacity with_context with_extension wrapping_add write_all write_char \
    write_fmt write_str zip";

const KEYWORDS: &[&str] = &[
    "self", "super", "crate", "let", "mut", "fn", "if", "else", "match", "for", "in", "while",
    "loop", "return", "move", "ref", "as", "pub", "use", "mod", "struct", "enum", "impl", "trait",
    "where", "async", "await", "unsafe", "Self", "true", "false", "const", "static", "dyn",
    "break", "continue", "type",
];

const POSITIONS: &[(&str, &str, NodeRole)] = &[
    ("scoped_identifier", "name", NodeRole::PathTail),
    ("scoped_type_identifier", "name", NodeRole::PathTail),
    ("field_expression", "field", NodeRole::PathTail),
    ("generic_function", "function", NodeRole::Transparent),
    ("generic_type", "type", NodeRole::Transparent),
    ("parenthesized_expression", "", NodeRole::Transparent),
    ("call_expression", "function", NodeRole::Call),
    ("macro_invocation", "macro", NodeRole::Call),
    ("struct_expression", "name", NodeRole::Call),
    ("assignment_expression", "left", NodeRole::Write),
    ("compound_assignment_expr", "left", NodeRole::Write),
    ("impl_item", "trait", NodeRole::Inherit),
    ("trait_bounds", "", NodeRole::Inherit),
    ("attribute", "", NodeRole::Decorator),
    ("let_declaration", "pattern", NodeRole::Local),
    ("let_condition", "pattern", NodeRole::Local),
    ("parameter", "pattern", NodeRole::Local),
    ("closure_parameters", "", NodeRole::Local),
    ("for_expression", "pattern", NodeRole::Local),
    ("match_pattern", "", NodeRole::Local),
    ("match_pattern", "condition", NodeRole::Read),
    ("tuple_pattern", "", NodeRole::Transparent),
    ("tuple_struct_pattern", "", NodeRole::Transparent),
    ("tuple_struct_pattern", "type", NodeRole::Read),
    ("struct_pattern", "type", NodeRole::Type),
    ("struct_pattern", "", NodeRole::Transparent),
    ("field_pattern", "name", NodeRole::Key),
    ("field_pattern", "pattern", NodeRole::Transparent),
    ("mut_pattern", "", NodeRole::Transparent),
    ("ref_pattern", "", NodeRole::Transparent),
    ("reference_pattern", "", NodeRole::Transparent),
    ("captured_pattern", "", NodeRole::Transparent),
    ("or_pattern", "", NodeRole::Transparent),
    ("slice_pattern", "", NodeRole::Transparent),
    ("field_initializer", "field", NodeRole::Key),
    ("shorthand_field_initializer", "", NodeRole::Key),
    ("lifetime", "*", NodeRole::Skip),
    ("type_parameter", "name", NodeRole::Skip),
    ("type_parameters", "", NodeRole::Skip),
    ("const_parameter", "name", NodeRole::Skip),
    ("label", "*", NodeRole::Skip),
    ("use_as_clause", "alias", NodeRole::Skip),
    ("type_binding", "name", NodeRole::Skip),
];

fn exported(head: &DefinitionHead<'_>) -> bool {
    if head.has("pub") || head.before.contains("macro_export") {
        return true;
    }
    match head.parent {
        Some(parent) => match parent.kind {
            SymbolKind::Impl => parent.exported,
            SymbolKind::Trait | SymbolKind::Enum => parent.exported,
            _ => false,
        },
        None => false,
    }
}

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    if node.kind() == "mod_item" {
        let name = node
            .child_by_field_name("name")
            .filter(|_| node.child_by_field_name("body").is_some());
        return name
            .map(|name| Definition::new(SymbolKind::Module, node, name))
            .into_iter()
            .collect();
    }
    let Some(subject) = node.child_by_field_name("type") else {
        return Vec::new();
    };
    let mut found = Definition::new(SymbolKind::Impl, node, subject);
    let plain = match subject.kind() {
        "generic_type" => context.field_text(subject, "type"),
        _ => context.text(subject),
    };
    let plain = plain.trim_start_matches('&').trim_start_matches("dyn ");
    found.text = Some(plain.rsplit("::").next().unwrap_or(plain).trim().to_owned());
    found.exported = Some(node.child_by_field_name("trait").is_some());
    vec![found]
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let line = node.start_position().row as u32 + 1;
    match node.kind() {
        "mod_item" if node.child_by_field_name("body").is_none() => vec![Import {
            module: context.field_text(node, "name").to_owned(),
            names: written_path(context, node).into_iter().collect(),
            kind: ImportKind::ModuleDeclaration,
            line,
        }],
        "extern_crate_declaration" => {
            let module = context.field_text(node, "name").to_owned();
            let alias = context.field_text(node, "alias");
            let local = if alias.is_empty() {
                module.clone()
            } else {
                alias.to_owned()
            };
            let names = vec![ImportedName {
                name: "*".to_owned(),
                local,
            }];
            vec![Import {
                module,
                names,
                kind: ImportKind::Import,
                line,
            }]
        }
        "use_declaration" => use_declaration(context, node),
        _ => Vec::new(),
    }
}

/// `#[path = "x.rs"] mod y;`
fn written_path(context: &Context<'_, '_>, node: Node<'_>) -> Option<ImportedName> {
    let mut before = node.prev_named_sibling();
    while let Some(attribute) = before.filter(|before| before.kind() == "attribute_item") {
        let text = context.text(attribute);
        if let Some(path) = text.strip_prefix("#[path") {
            return Some(ImportedName {
                name: path.split('"').nth(1)?.to_owned(),
                local: context.field_text(node, "name").to_owned(),
            });
        }
        before = attribute.prev_named_sibling();
    }
    None
}

/// Flattens a use tree: one import per module path, in order.
fn use_declaration(context: &Context<'_, '_>, node: Node<'_>) -> Vec<Import> {
    let public = context.text(node).starts_with("pub");
    let kind = if public {
        ImportKind::ReExport
    } else {
        ImportKind::Import
    };
    let mut imports: Vec<Import> = Vec::new();
    let mut queue = Vec::new();
    queue.extend(
        node.child_by_field_name("argument")
            .map(|tree| (String::new(), tree)),
    );
    while let Some((prefix, tree)) = queue.pop() {
        let line = tree.start_position().row as u32 + 1;
        let mut add = |module: String, name: &str, local: &str| {
            let name = ImportedName {
                name: name.to_owned(),
                local: local.to_owned(),
            };
            match imports.iter_mut().find(|import| import.module == module) {
                Some(import) => import.names.push(name),
                None => imports.push(Import {
                    module,
                    names: vec![name],
                    kind,
                    line,
                }),
            }
        };
        match tree.kind() {
            "use_list" => {
                let mut cursor = tree.walk();
                let parts: Vec<_> = tree.named_children(&mut cursor).collect();
                queue.extend(parts.into_iter().rev().map(|part| (prefix.clone(), part)));
            }
            "scoped_use_list" => {
                let path = path(&prefix, context.field_text(tree, "path"));
                queue.extend(tree.child_by_field_name("list").map(|list| (path, list)));
            }
            "use_wildcard" => {
                let text = context
                    .text(tree)
                    .trim_end_matches('*')
                    .trim_end_matches("::");
                add(path(&prefix, text), "*", "*");
            }
            "use_as_clause" => {
                let whole = path(&prefix, context.field_text(tree, "path"));
                let (module, name) = split(&whole);
                add(module.to_owned(), name, context.field_text(tree, "alias"));
            }
            "line_comment" | "block_comment" => {}
            _ => {
                let text = context.text(tree);
                let whole = if text == "self" {
                    prefix.clone()
                } else {
                    path(&prefix, text)
                };
                match whole.rsplit_once("::") {
                    Some((module, name)) => add(module.to_owned(), name, name),
                    None => add(whole.clone(), "*", &whole),
                }
            }
        }
    }
    imports
}

fn path(prefix: &str, rest: &str) -> String {
    let rest: String = rest.split_whitespace().collect();
    match (prefix.is_empty(), rest.is_empty()) {
        (true, _) => rest,
        (_, true) => prefix.to_owned(),
        _ => format!("{prefix}::{rest}"),
    }
}

/// Module and last name; a single name is its own module (`use serde;`).
fn split(whole: &str) -> (&str, &str) {
    whole.rsplit_once("::").unwrap_or((whole, "*"))
}
