//! Bash and other shells: functions and top-level variables; a command is a call.

use crate::languages::javascript::unquote;
use crate::spec::{Context, Definition, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static BASH: Spec = Spec {
    grammar: crate::grammars::bash,
    defs: &[
        def("function_definition", SymbolKind::Function, "name"),
        hook("variable_assignment"),
    ],
    leaves: &[
        ("word", ReferenceKind::Read),
        ("variable_name", ReferenceKind::Read),
    ],
    positions: &[
        ("*", "", NodeRole::Skip),
        ("*", "argument", NodeRole::Skip),
        ("*", "value", NodeRole::Skip),
        ("*", "destination", NodeRole::Skip),
        ("command_name", "", NodeRole::Transparent),
        ("command", "name", NodeRole::Call),
        ("simple_expansion", "", NodeRole::Read),
        ("expansion", "", NodeRole::Read),
        ("variable_assignment", "name", NodeRole::Write),
        ("declaration_command", "", NodeRole::Local),
        ("for_statement", "variable", NodeRole::Local),
    ],
    scopes: &["function_definition"],
    wrappers: &["declaration_command"],
    imports: &["command"],
    define,
    import,
    ..Spec::EMPTY
};

fn define<'t>(_: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let name = node
        .child_by_field_name("name")
        .filter(|name| name.kind() == "variable_name");
    name.map(|name| Definition {
        once: true,
        ..Definition::new(SymbolKind::Variable, node, name)
    })
    .into_iter()
    .collect()
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    if !matches!(context.field_text(node, "name"), "source" | ".") {
        return Vec::new();
    }
    let module = unquote(context.field_text(node, "argument")).to_owned();
    let line = node.start_position().row as u32 + 1;
    vec![Import {
        module,
        names: Vec::new(),
        kind: ImportKind::Include,
        line,
    }]
}
