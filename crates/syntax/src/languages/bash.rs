//! Bash and other shells: functions and top-level variables; a command is a call.

use crate::languages::javascript::unquote;
use crate::spec::{Aside, Context, Definition, NodeRole, Spec, def, hook};
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
    asides: &["command"],
    aside,
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
    let module = script_path(unquote(context.field_text(node, "argument")));
    let line = node.start_position().row as u32 + 1;
    vec![Import {
        module,
        names: Vec::new(),
        kind: ImportKind::Include,
        line,
    }]
}

/// The path of a sourced file as far as it is written: behind the last expansion. One that tells
/// where the script lies makes it relative to the script's folder.
fn script_path(text: &str) -> String {
    let Some(end) = text.rfind(['$', '`', ')', '}', '"']) else {
        return text.to_owned();
    };
    let written = text[end..].find('/').map_or("", |at| &text[end + at..]);
    let is_own_folder = ["BASH_SOURCE", "$0", "${0", "${(%):-%x}"]
        .iter()
        .any(|own| text.contains(own));
    match is_own_folder {
        true => format!(".{written}"),
        false => written.trim_start_matches('/').to_owned(),
    }
}

/// Functions that a command of the shell itself runs by name: `trap f EXIT`, `complete -F f`.
fn aside<'t>(context: &Context<'_, 't>, command: Node<'t>) -> Vec<Aside<'t>> {
    let name = context.field_text(command, "name");
    if !matches!(name, "trap" | "eval" | "complete") {
        return Vec::new();
    }
    let mut cursor = command.walk();
    let arguments: Vec<Node<'t>> = command
        .children_by_field_name("argument", &mut cursor)
        .collect();
    let is_option = |argument: &&Node<'_>| context.text(**argument).starts_with('-');
    let code = match name {
        "complete" => {
            let option = arguments.iter().position(|it| context.text(*it) == "-F");
            option.and_then(|at| arguments.get(at + 1))
        }
        _ => arguments.iter().find(|argument| !is_option(argument)),
    };
    code.map_or_else(Vec::new, |code| commands_of(context, *code))
}

/// The first word of each command of a text.
fn commands_of<'t>(context: &Context<'_, 't>, text: Node<'t>) -> Vec<Aside<'t>> {
    let code = context.text(text);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let mut calls = Vec::new();
    let mut start = 0;
    for part in code.split_inclusive([';', '&', '|', '\n']) {
        let indent = part.len() - part.trim_start_matches([' ', '\t', '\'', '"']).len();
        let word = &part[indent..];
        let word = &word[..word.find(|c| !is_part(c)).unwrap_or(word.len())];
        if word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            calls.push(Aside::Call {
                text,
                offset: start + indent,
                name: word.to_owned(),
                owner: String::new(),
            });
        }
        start += part.len();
    }
    calls
}
