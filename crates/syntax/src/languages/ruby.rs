//! Ruby: modules and classes join with `::`, methods with `#`, class methods with `.`
//! (`A::B#run`, `A::B.make`). A bare word that is no local is a call.

use crate::family::Family;
use crate::languages::javascript::unquote;
use crate::name_rules::NameRules;
use crate::spec::{Context, Definition, DefinitionHead, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static RUBY: Spec = Spec {
    grammar: crate::grammars::ruby,
    defs: &[
        def("method", SymbolKind::Function, "name"),
        hook("singleton_method"),
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
    library_names: LIBRARY_NAMES,
    types_are_open: true,
    package_joint: Some('/'),
    ..NameRules::NONE
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

/// `attr_accessor :a, :b` defines properties.
fn attributes<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    if !context.field_text(node, "method").starts_with("attr_") {
        return Vec::new();
    }
    let Some(arguments) = node.child_by_field_name("arguments") else {
        return Vec::new();
    };
    let mut cursor = arguments.walk();
    arguments
        .named_children(&mut cursor)
        .filter(|argument| argument.kind() == "simple_symbol")
        .map(|argument| {
            let text = Some(context.text(argument).trim_start_matches(':').to_owned());
            Definition {
                text,
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
