//! Ruby: modules and classes join with `::`, methods with `#`, class methods with `.`
//! (`A::B#run`, `A::B.make`). A bare word that is no local is a call.

use crate::languages::javascript::unquote;
use crate::spec::{Found, Head, Position, Spec, def, hook};
use crate::types::{Import, ImportKind, ReferenceKind, SymbolKind};
use crate::walk::Walk;
use tree_sitter::Node;

pub(crate) static RUBY: Spec = Spec {
    grammar: || tree_sitter_ruby::LANGUAGE.into(),
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
        ("call", "method", Position::Member),
        ("scope_resolution", "name", Position::Through),
        ("superclass", "", Position::Inherit),
        ("assignment", "left", Position::Write),
        ("operator_assignment", "left", Position::Write),
        ("left_assignment_list", "", Position::Up),
        ("method_parameters", "", Position::Local),
        ("block_parameters", "", Position::Local),
        ("lambda_parameters", "", Position::Local),
        ("destructured_parameter", "", Position::Local),
        ("keyword_parameter", "name", Position::Local),
        ("optional_parameter", "name", Position::Local),
        ("splat_parameter", "name", Position::Local),
        ("hash_splat_parameter", "name", Position::Local),
        ("block_parameter", "name", Position::Local),
        ("exception_variable", "", Position::Local),
        ("for", "pattern", Position::Local),
        ("singleton_method", "object", Position::Read),
        ("class", "name", Position::Skip),
        ("module", "name", Position::Skip),
    ],
    scopes: &["method", "singleton_method", "block", "do_block", "lambda"],
    import_calls: &["require", "require_relative", "load", "autoload"],
    mixins: &["include", "extend", "prepend"],
    define,
    import,
    exported: |head: &Head<'_>| !head.has("private") && head.parent_exported(),
    join: |_, inner| match inner {
        SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Property => "#",
        _ => "::",
    },
    assignment_declares: true,
    calls_pass_locals: true,
    ..Spec::EMPTY
};

fn define<'t>(walk: &Walk<'_, 't>, node: Node<'t>) -> Vec<Found<'t>> {
    let name = node.child_by_field_name("name");
    match (node.kind(), name) {
        ("singleton_method", Some(name)) => {
            vec![Found {
                join: Some("."),
                ..Found::new(SymbolKind::Method, node, name)
            }]
        }
        ("class", Some(name)) => vec![named(walk, SymbolKind::Class, node, name)],
        ("module", Some(name)) => vec![named(walk, SymbolKind::Module, node, name)],
        ("assignment", _) => {
            let left = node
                .child_by_field_name("left")
                .filter(|left| left.kind() == "constant");
            left.map(|left| Found {
                once: true,
                ..Found::new(SymbolKind::Constant, node, left)
            })
            .into_iter()
            .collect()
        }
        ("call", _) => attributes(walk, node),
        _ => Vec::new(),
    }
}

/// `class A::B`: the name is `B`, the rest is prefix.
fn named<'t>(walk: &Walk<'_, 't>, kind: SymbolKind, node: Node<'t>, name: Node<'t>) -> Found<'t> {
    let last = name.child_by_field_name("name").unwrap_or(name);
    let mut found = Found::new(kind, node, last);
    let scope = walk.field_text(name, "scope");
    if !scope.is_empty() {
        found.prefix = Some(match walk.enclosing() {
            Some(outer) => format!("{}::{scope}", outer.qualified),
            None => scope.to_owned(),
        });
    }
    found
}

/// `attr_accessor :a, :b` defines properties.
fn attributes<'t>(walk: &Walk<'_, 't>, node: Node<'t>) -> Vec<Found<'t>> {
    if !walk.field_text(node, "method").starts_with("attr_") {
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
            let text = Some(walk.text(argument).trim_start_matches(':').to_owned());
            Found {
                text,
                ..Found::new(SymbolKind::Property, argument, argument)
            }
        })
        .collect()
}

/// `require_relative` is written with `./` before it.
fn import<'t>(walk: &Walk<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let method = walk.field_text(node, "method");
    let Some(arguments) = node.child_by_field_name("arguments") else {
        return Vec::new();
    };
    let mut cursor = arguments.walk();
    let path = arguments
        .named_children(&mut cursor)
        .find(|argument| argument.kind() == "string");
    let Some(path) = path.map(|path| unquote(walk.text(path))) else {
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
