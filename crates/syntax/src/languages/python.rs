//! Python: names join with `.`; docstrings are docs; module and class assignments are symbols.

mod scopes;

use crate::family::Family;
use crate::languages::javascript::unquote;
use crate::name_rules::{BareMembers, NameRules};
use crate::spec::{Aside, Context, Definition, DefinitionHead, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static PYTHON: Spec = Spec {
    grammar: crate::grammars::python,
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
        // Bound ahead: the element stands before the clause.
        ("for_in_clause", "left", NodeRole::Skip),
        ("splat_pattern", "", NodeRole::Local),
        ("keyword_pattern", "", NodeRole::Skip),
        ("as_pattern_target", "", NodeRole::Local),
        ("except_clause", "alias", NodeRole::Local),
        ("global_statement", "", NodeRole::Outer),
        // The name is a local of the function around, and so one here.
        ("nonlocal_statement", "", NodeRole::Skip),
        ("dotted_name", "", NodeRole::Default),
        ("aliased_import", "alias", NodeRole::Skip),
    ],
    scopes: &[
        "function_definition",
        "lambda",
        "list_comprehension",
        "set_comprehension",
        "dictionary_comprehension",
        "generator_expression",
    ],
    comprehensions: &[
        "list_comprehension",
        "set_comprehension",
        "dictionary_comprehension",
        "generator_expression",
    ],
    own_names: &["type_parameter"],
    late: &["default_parameter", "typed_default_parameter"],
    binds_ahead: scopes::binds_ahead,
    binds: scopes::captures,
    wrappers: &["decorated_definition", "expression_statement"],
    imports: &[
        "import_statement",
        "import_from_statement",
        "future_import_statement",
    ],
    returns: &["return_statement"],
    asides: &["call"],
    aside: narrowed,
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
    names: &NAMES,
    ..Spec::EMPTY
};

/// What a name can mean.
pub(crate) const NAMES: NameRules = NameRules {
    family: Family::Python,
    constants_are_overridden: true,
    names_are_imported: true,
    files_are_submodules: true,
    modules_have_dots: true,
    interfaces_are_structural: true,
    fields_stand_in_for_methods: true,
    constructors_are_overridden: true,
    files_are_scripts: true,
    bare_members: BareMembers::OwnFile,
    values_are_untyped: true,
    locals_are_untyped: true,
    main_starts_programs: true,
    called_by_name: &[
        ("pytest_", "pytest calls it"),
        ("__init__", "who makes an object calls it"),
        ("__*__", "the language calls it"),
    ],
    heads_have_modifiers: false,
    library_names: LIBRARY_NAMES,
    program_files: &["__main__"],
    package_joint: Some('.'),
    opened_names_are_shown: true,
    ..NameRules::NONE
};

/// Built-in types, files, paths, threads, sockets.
const LIBRARY_NAMES: &str = "\
    absolute accept acquire add_argument add_argument_group add_done_callback \
    add_mutually_exclusive_group add_subparsers addFilter addHandler anchor appendleft \
    as_integer_ratio as_posix as_uri astimezone bit_count bit_length buffer callHandlers cancel \
    cancelled cancelling capitalize casefold center chmod closed combine communicate conjugate \
    connect connect_ex convert_arg_line_to_args createLock critical ctime cwd daemon date day \
    days debug decode default_factory denominator detach difference difference_update discard \
    done drive dst dup elements emit empty encode encoding endpos endswith error errors \
    exception exists exit expand expandtabs expanduser extend extendleft family fatal fileno \
    findall findCaller finditer flags fold format_help format_map format_usage from_bytes \
    fromhex fromisocalendar fromisoformat fromkeys fromordinal fromtimestamp full fullmatch \
    get_coro get_default get_inheritable get_loop get_name get_nowait get_stack getblocking \
    getChild getEffectiveLevel getName getpeername getsockname getsockopt gettimeout getvalue \
    glob group groupdict groupindex groups handle handleError hardlink_to hasHandlers hex home \
    hour ident imag info intersection intersection_update is_absolute is_alive is_block_device \
    is_char_device is_dir is_fifo is_file is_integer is_mount is_relative_to is_reserved is_set \
    is_socket is_symlink isalnum isalpha isascii isatty isDaemon isdecimal isdigit isdisjoint \
    isEnabledFor isidentifier islower isnumeric isocalendar isoformat isoweekday isprintable \
    isSet isspace issubset issuperset istitle isupper iterdir joinpath kill lastgroup lastindex \
    lchmod line_buffering link_to listen ljust log lower lstat lstrip makefile makeRecord \
    maketrans manager max maxlen maxsize microsecond microseconds min minute mkdir mode month \
    most_common move_to_end native_id newlines now numerator owner parent parents parse_args \
    parse_intermixed_args parse_known_args parse_known_intermixed_args partition parts pattern \
    peek poll popitem popleft pos print_help print_stack print_usage proto put put_nowait qsize \
    raw re read1 read_bytes read_text readable readinto readinto1 readline readlines readlink \
    real reconfigure recv recv_into recvfrom recvfrom_into recvmsg recvmsg_into register regs \
    relative_to release remove_done_callback removeFilter removeHandler removeprefix \
    removesuffix rename resolution resolve result reverse rfind rglob rindex rjust rmdir root \
    rotate rpartition rsplit rstrip run samefile scanner search second seconds seek seekable \
    send send_signal sendall sendfile sendmsg sendmsg_afalg sendto set_defaults set_exception \
    set_inheritable set_name set_result setblocking setDaemon setdefault setFormatter setLevel \
    setName setsockopt settimeout shutdown span splitlines startswith stat stem strftime strip \
    strptime sub subn subtract suffix suffixes swapcase symlink_to symmetric_difference \
    symmetric_difference_update task_done tell terminate time timeout timestamp timetuple timetz \
    title to_bytes today toordinal total total_seconds touch translate truncate tzinfo tzname \
    uncancel union universal_newlines unlink upper utcfromtimestamp utcnow utcoffset \
    utctimetuple wait warn warning weekday with_name with_stem with_suffix writable write_bytes \
    write_text write_through writelines year zfill";

/// A name that is asked for its type: `isinstance(x, T)`, `is_known(x)`.
fn narrowed<'t>(context: &Context<'_, 't>, call: Node<'t>) -> Vec<Aside<'t>> {
    let function = context.field_text(call, "function");
    let asked = call.child_by_field_name("arguments");
    let asked = asked.and_then(|arguments| arguments.named_child(0));
    let asks =
        function == "isinstance" || function.rsplit('.').next().unwrap_or("").starts_with("is_");
    let name = asked.filter(|name| asks && name.kind() == "identifier");
    name.map(|name| Aside::Narrows { name })
        .into_iter()
        .collect()
}

fn exported(head: &DefinitionHead<'_>) -> bool {
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
