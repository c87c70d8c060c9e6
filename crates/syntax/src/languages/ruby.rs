//! Ruby: modules and classes join with `::`, methods with `#`, class methods with `.`
//! (`A::B#run`, `A::B.make`). A bare word that is no local is a call.

use crate::family::Family;
use crate::languages::javascript::unquote;
use crate::name_rules::NameRules;
use crate::spec::{Aside, Context, Definition, DefinitionHead, NameKind, NodeRole, Spec, hook};
use crate::types::{Import, ImportKind, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static RUBY: Spec = Spec {
    grammar: crate::grammars::ruby,
    defs: &[
        hook("method"),
        hook("singleton_method"),
        hook("alias"),
        hook("class"),
        hook("module"),
        hook("assignment"),
        hook("call"),
    ],
    leaves: &[
        ("identifier", ReferenceKind::Call),
        ("constant", ReferenceKind::Read),
    ],
    positions: &[
        ("call", "method", NodeRole::Member),
        ("scope_resolution", "name", NodeRole::PathTail),
        ("superclass", "", NodeRole::Inherit),
        ("assignment", "left", NodeRole::Write),
        ("operator_assignment", "left", NodeRole::Write),
        ("left_assignment_list", "", NodeRole::Transparent),
        ("method_parameters", "", NodeRole::Local),
        ("block_parameters", "", NodeRole::Local),
        ("block_parameters", "locals", NodeRole::Local),
        ("destructured_left_assignment", "", NodeRole::Local),
        ("rest_assignment", "", NodeRole::Local),
        ("as_pattern", "name", NodeRole::Local),
        ("setter", "name", NodeRole::Skip),
        ("lambda_parameters", "", NodeRole::Local),
        ("destructured_parameter", "", NodeRole::Local),
        ("keyword_parameter", "name", NodeRole::Local),
        ("optional_parameter", "name", NodeRole::Local),
        ("splat_parameter", "name", NodeRole::Local),
        ("hash_splat_parameter", "name", NodeRole::Local),
        ("block_parameter", "name", NodeRole::Local),
        ("exception_variable", "", NodeRole::Local),
        ("for", "pattern", NodeRole::Local),
        ("singleton_method", "object", NodeRole::Read),
        ("class", "name", NodeRole::Skip),
        ("module", "name", NodeRole::Skip),
    ],
    scopes: &["method", "singleton_method", "block", "do_block", "lambda"],
    asides: &[
        "keyword_pattern",
        "binary",
        "body_statement",
        "call",
        "block_argument",
    ],
    aside,
    binds,
    kind_of_name,
    import_calls: &["require", "require_relative", "load", "autoload"],
    mixins: &["include", "extend", "prepend"],
    define,
    import,
    exported: |head: &DefinitionHead<'_>| !head.has("private") && head.parent_exported(),
    join: |_, inner| match inner {
        SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Property => "#",
        _ => "::",
    },
    assignment_declares: true,
    calls_pass_locals: true,
    names: &NAMES,
    ..Spec::EMPTY
};

/// What a name can mean.
pub(crate) const NAMES: NameRules = NameRules {
    family: Family::Ruby,
    constants_are_overridden: true,
    members_are_in_scope: true,
    types_are_reopened: true,
    constructors_are_overridden: true,
    files_are_scripts: true,
    last_value_is_result: true,
    values_are_untyped: true,
    locals_are_untyped: true,
    made_by: &[".new"],
    called_by_name: &CALLED,
    library_names: LIBRARY_NAMES,
    types_are_open: true,
    package_joint: Some('/'),
    ..NameRules::NONE
};

/// Methods that the language and its core classes call: of strings, conversions, copies, hashes, hooks.
const CALLED: [(&str, &str); 41] = {
    const BY: &str = "the language calls it";
    [
        ("<=>", BY),
        ("call", BY),
        ("coerce", BY),
        ("const_missing", BY),
        ("deconstruct", BY),
        ("deconstruct_keys", BY),
        ("each", BY),
        ("encode_with", BY),
        ("eql?", BY),
        ("extended", BY),
        ("hash", BY),
        ("included", BY),
        ("inherited", BY),
        ("init_with", BY),
        ("initialize", "who makes an object calls it"),
        ("initialize_clone", BY),
        ("initialize_copy", BY),
        ("initialize_dup", BY),
        ("inspect", BY),
        ("marshal_dump", BY),
        ("marshal_load", BY),
        ("_dump", BY),
        ("_load", BY),
        ("method_added", BY),
        ("method_missing", BY),
        ("prepended", BY),
        ("respond_to_missing?", BY),
        ("singleton_method_added", BY),
        ("succ", BY),
        ("to_a", BY),
        ("to_ary", BY),
        ("to_enum", BY),
        ("to_h", BY),
        ("to_hash", BY),
        ("to_int", BY),
        ("to_io", BY),
        ("to_path", BY),
        ("to_proc", BY),
        ("to_s", BY),
        ("to_str", BY),
        ("to_sym", BY),
    ]
};

/// Arrays, hashes, strings, objects.
const LIBRARY_NAMES: &str = "\
    abs all? any? assoc at capitalize chars chomp collect compact delete_if detect dig downcase \
    dup each each_char each_key each_line each_pair each_slice each_value each_with_index \
    each_with_object empty? end_with? eql? exist? extend fetch find_all first flat_map flatten \
    force_encoding freeze frozen? group_by gsub has_key? include? inject inspect instance_eval \
    instance_variable_get instance_variable_set is_a? key? kind_of? last lines match? max merge \
    merge! method methods min new nil? none? private reduce reject respond_to? reverse rewind \
    rstrip scan select send shift sort_by start_with? strip sub sum tap times to_a to_h to_i \
    to_s to_str to_sym tr transform_values uniq unshift upcase zip";

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let name = node.child_by_field_name("name");
    match (node.kind(), name) {
        ("singleton_method", Some(name)) => {
            vec![Definition {
                join: Some("."),
                ..Definition::new(SymbolKind::Method, node, name)
            }]
        }
        ("method", Some(name)) => vec![Definition {
            join: of_class(context),
            ..Definition::new(SymbolKind::Function, node, name)
        }],
        ("alias", Some(name)) => aliased(context, node, name).into_iter().collect(),
        ("class", Some(name)) => vec![named(context, SymbolKind::Class, node, name)],
        ("module", Some(name)) => vec![named(context, SymbolKind::Module, node, name)],
        ("assignment", _) => {
            let left = node
                .child_by_field_name("left")
                .filter(|left| left.kind() == "constant");
            left.map(|left| Definition {
                once: true,
                ..Definition::new(SymbolKind::Constant, node, left)
            })
            .into_iter()
            .collect()
        }
        ("call", _) => attributes(context, node),
        _ => Vec::new(),
    }
}

/// `class A::B`: the name is `B`, the rest is prefix.
fn named<'t>(
    context: &Context<'_, 't>,
    kind: SymbolKind,
    node: Node<'t>,
    name: Node<'t>,
) -> Definition<'t> {
    let last = name.child_by_field_name("name").unwrap_or(name);
    let mut found = Definition::new(kind, node, last);
    let scope = context.field_text(name, "scope");
    if !scope.is_empty() {
        found.prefix = Some(match context.enclosing() {
            Some(outer) => format!("{}::{scope}", outer.qualified),
            None => scope.to_owned(),
        });
    }
    found
}

/// Joins the names of methods in `class << self` to that of their class.
fn of_class(context: &Context<'_, '_>) -> Option<&'static str> {
    let mut around = context.levels.iter().rev().map(|level| level.node.kind());
    let holder = around.find(|kind| matches!(*kind, "class" | "module" | "singleton_class"));
    (holder == Some("singleton_class")).then_some(".")
}

/// A method by its new name: `alias new old`, `alias_method :new, :old`.
fn aliased<'t>(
    context: &Context<'_, 't>,
    node: Node<'t>,
    name: Node<'t>,
) -> Option<Definition<'t>> {
    let text = context.text(name).trim_start_matches(':');
    let is_name = !text.starts_with(['$', '"', '\'']);
    is_name.then(|| Definition {
        text: Some(text.to_owned()),
        join: of_class(context),
        ..Definition::new(SymbolKind::Function, node, name)
    })
}

/// `attr_accessor :a, :b` defines properties.
fn attributes<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let method = context.field_text(node, "method");
    let Some(arguments) = node.child_by_field_name("arguments") else {
        return Vec::new();
    };
    if method == "alias_method" {
        let name = arguments
            .named_child(0)
            .filter(|name| name.kind() == "simple_symbol");
        let found = name.and_then(|name| aliased(context, node, name));
        return found.into_iter().collect();
    }
    if !method.starts_with("attr_") {
        return Vec::new();
    }
    let join = of_class(context);
    let mut cursor = arguments.walk();
    arguments
        .named_children(&mut cursor)
        .filter(|argument| argument.kind() == "simple_symbol")
        .map(|argument| {
            let text = Some(context.text(argument).trim_start_matches(':').to_owned());
            Definition {
                text,
                join,
                ..Definition::new(SymbolKind::Property, argument, argument)
            }
        })
        .collect()
}

/// `require_relative` is written with `./` before it.
fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let method = context.field_text(node, "method");
    let Some(arguments) = node.child_by_field_name("arguments") else {
        return Vec::new();
    };
    let mut cursor = arguments.walk();
    let path = arguments
        .named_children(&mut cursor)
        .find(|argument| argument.kind() == "string");
    let Some(path) = path.map(|path| unquote(context.text(path))) else {
        return Vec::new();
    };
    let relative = method == "require_relative" && !path.starts_with('.');
    let module = if relative {
        format!("./{path}")
    } else {
        path.to_owned()
    };
    let kind = if method == "require_relative" {
        ImportKind::Include
    } else {
        ImportKind::Import
    };
    let line = node.start_position().row as u32 + 1;
    vec![Import {
        module,
        names: Vec::new(),
        kind,
        line,
    }]
}

/// A name in a pattern of `case … in` or of `value => pattern`, which is new.
fn binds(context: &Context<'_, '_>) -> bool {
    let (Some(level), Some(around)) = (context.levels.last(), context.ancestor(0)) else {
        return false;
    };
    if level.node.kind() != "identifier" {
        return false;
    }
    let stands_as = |field: &str| {
        let part = around.child_by_field_name(field);
        part.is_some_and(|part| part.id() == level.node.id())
    };
    match around.kind() {
        "array_pattern" | "find_pattern" => !stands_as("class"),
        "in_clause" | "match_pattern" | "test_pattern" => stands_as("pattern"),
        "keyword_pattern" => stands_as("value"),
        "alternative_pattern" | "parenthesized_pattern" => true,
        _ => false,
    }
}

/// `value.name = x` sets, though the grammar has a call there; `value.name += x` reads as well.
fn kind_of_name(context: &Context<'_, '_>) -> NameKind {
    let (Some(call), Some(around)) = (context.ancestor(0), context.ancestor(1)) else {
        return NameKind::Any;
    };
    let is_left = || {
        let left = around.child_by_field_name("left");
        left.is_some_and(|left| left.id() == call.id())
    };
    let is_named = || {
        let method = call.child_by_field_name("method");
        let leaf = context.levels.last().map(|level| level.node.id());
        method.map(|method| method.id()) == leaf && call.child_by_field_name("arguments").is_none()
    };
    match around.kind() {
        _ if call.kind() != "call" || !is_named() => NameKind::Any,
        "assignment" if is_left() => NameKind::Set { is_read: false },
        "operator_assignment" if is_left() => NameKind::Set { is_read: true },
        "left_assignment_list" => NameKind::Set { is_read: false },
        _ => NameKind::Any,
    }
}

fn aside<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Aside<'t>> {
    match node.kind() {
        "keyword_pattern" if node.child_by_field_name("value").is_none() => {
            let key = node.child_by_field_name("key");
            key.map(|key| Aside::Declares(key.byte_range()))
                .into_iter()
                .collect()
        }
        "binary" if context.field_text(node, "operator") == "=~" => captures(context, node),
        "body_statement" => hidden(context, node),
        "call" => called_by_symbol(context, node),
        "block_argument" => {
            let symbol = node
                .named_child(0)
                .filter(|symbol| symbol.kind() == "simple_symbol");
            symbol
                .map(|symbol| by_symbol(context, symbol, UNKNOWN))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Stands before a name that is called on something unknown.
const UNKNOWN: &str = "…";

fn by_symbol<'t>(context: &Context<'_, 't>, symbol: Node<'t>, owner: &str) -> Aside<'t> {
    Aside::Call {
        text: symbol,
        offset: 1,
        name: context.text(symbol).trim_start_matches(':').to_owned(),
        owner: owner.to_owned(),
    }
}

/// Methods that a call names by symbols: `send(:name)`, `def_delegators :@value, :name`, `before_action :name`.
fn called_by_symbol<'t>(context: &Context<'_, 't>, call: Node<'t>) -> Vec<Aside<'t>> {
    let Some(arguments) = call.child_by_field_name("arguments") else {
        return Vec::new();
    };
    let mut cursor = arguments.walk();
    let symbols = arguments.named_children(&mut cursor).enumerate();
    let symbols = symbols.filter(|(_, argument)| argument.kind() == "simple_symbol");
    let receiver = context.field_text(call, "receiver");
    let method = context.field_text(call, "method");
    let is_callback = ["before_", "after_", "around_", "validate"]
        .iter()
        .any(|start| method.starts_with(start));
    // Which arguments are names, and what has them.
    let (first, n, owner) = match method {
        "send" | "public_send" | "__send__" | "try" | "method" | "public_method" => {
            let is_plain = receiver.len() < 60 && !receiver.contains([' ', '(', '[', '\n']);
            match receiver {
                "" => (0, 1, "self"),
                receiver if is_plain => (0, 1, receiver),
                _ => (0, 1, UNKNOWN),
            }
        }
        "instance_method" | "inject" | "reduce" | "def_instance_delegator" | "def_delegator" => {
            (0, 2, UNKNOWN)
        }
        "alias_method" => (1, 1, "self"),
        "def_delegators" | "def_instance_delegators" | "delegate" | "helper_method" => {
            (0, usize::MAX, UNKNOWN)
        }
        _ if is_callback && receiver.is_empty() => (0, usize::MAX, "self"),
        _ => return Vec::new(),
    };
    symbols
        .filter(|(at, _)| *at >= first && at - first < n)
        .map(|(_, symbol)| by_symbol(context, symbol, owner))
        .collect()
}

/// Locals that a match declares: `/(?<year>\d+)/ =~ text`.
fn captures<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Aside<'t>> {
    let Some(regex) = node
        .child_by_field_name("left")
        .filter(|left| left.kind() == "regex")
    else {
        return Vec::new();
    };
    let text = context.text(regex);
    let groups = text.match_indices("(?<").filter_map(|(at, mark)| {
        let start = at + mark.len();
        let length = text[start..].find('>')?;
        let name = &text[start..start + length];
        let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let start = regex.start_byte() + start;
        is_name.then(|| Aside::Declares(start..start + length))
    });
    groups.collect()
}

/// The definitions that `private` hides in the body of a type: those that follow it, stand behind it or are named.
fn hidden<'t>(context: &Context<'_, 't>, body: Node<'t>) -> Vec<Aside<'t>> {
    let is_of_type = context
        .ancestor(0)
        .is_some_and(|around| matches!(around.kind(), "class" | "module" | "singleton_class"));
    if !is_of_type {
        return Vec::new();
    }
    let mut cursor = body.walk();
    let (mut found, mut named) = (Vec::new(), Vec::new());
    let mut names: Vec<(&str, usize, bool)> = Vec::new();
    let mut is_private = false;
    for part in body.named_children(&mut cursor) {
        let word = match part.kind() {
            "identifier" => context.text(part),
            "call" => context.field_text(part, "method"),
            _ => "",
        };
        let arguments = part.child_by_field_name("arguments");
        match (word, arguments) {
            ("private", None) => is_private = true,
            ("public" | "protected" | "module_function", None) => is_private = false,
            ("private" | "private_class_method", Some(arguments)) => {
                let mut inner = arguments.walk();
                for argument in arguments.named_children(&mut inner) {
                    let own = argument.child_by_field_name("name");
                    match own.filter(|_| argument.kind().ends_with("method")) {
                        Some(name) => found.push(name.start_byte()),
                        None => named.push((
                            context.text(argument).trim_start_matches(':'),
                            word == "private_class_method",
                        )),
                    }
                }
            }
            _ => {}
        }
        if let Some(name) = part.child_by_field_name("name")
            && part.kind().ends_with("method")
        {
            let is_of_class = part.kind() == "singleton_method";
            names.push((context.text(name), name.start_byte(), is_of_class));
            found.extend((is_private && !is_of_class).then_some(name.start_byte()));
        }
    }
    let is_named =
        |(name, _, is_of_class): &&(&str, usize, bool)| named.contains(&(*name, *is_of_class));
    found.extend(names.iter().filter(is_named).map(|(_, at, _)| *at));
    found.into_iter().map(Aside::Hides).collect()
}
