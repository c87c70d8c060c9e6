//! Kotlin: names join with `.`; companion objects add nothing to a name.

use crate::name_rules::{NameRules, OverrideWord};
use crate::package_head::package;
use crate::spec::{Aside, Context, Definition, DefinitionHead, NodeRole, Spec, def, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static KOTLIN: Spec = Spec {
    grammar: crate::grammars::kotlin,
    defs: &[
        hook("class_declaration"),
        def("object_declaration", SymbolKind::Class, "name"),
        def("function_declaration", SymbolKind::Function, "name"),
        def("type_alias", SymbolKind::TypeAlias, "type"),
        hook("enum_entry"),
        hook("property_declaration"),
        hook("class_parameter"),
    ],
    leaves: &[("identifier", ReferenceKind::Read)],
    positions: &[
        ("return_expression", "label", NodeRole::Skip),
        ("navigation_expression", "", NodeRole::LastPart),
        ("call_expression", "", NodeRole::Call),
        ("parenthesized_expression", "", NodeRole::Transparent),
        ("user_type", "", NodeRole::TypeContext),
        ("delegation_specifier", "", NodeRole::Inherit),
        ("constructor_invocation", "", NodeRole::Transparent),
        ("annotation", "", NodeRole::Decorator),
        ("assignment", "left", NodeRole::Write),
        ("parameter", "", NodeRole::Local),
        ("class_parameter", "", NodeRole::Local),
        ("variable_declaration", "", NodeRole::Local),
        ("catch_block", "", NodeRole::Local),
        ("type_parameter", "", NodeRole::Skip),
        ("package_header", "*", NodeRole::Skip),
        ("label", "*", NodeRole::Skip),
        ("qualified_identifier", "", NodeRole::Default),
        ("import", "", NodeRole::Skip),
    ],
    scopes: &[
        "function_declaration",
        "lambda_literal",
        "anonymous_function",
        "secondary_constructor",
        "getter",
        "setter",
    ],
    blocks: &["block", "for_statement", "when_entry", "catch_block"],
    imports: &["import"],
    returns: &["function_body"],
    implicit: "it",
    define,
    import,
    exported: |head: &DefinitionHead<'_>| !head.has("private") && head.parent_exported(),
    calls_pass_locals: true,
    counts_arguments: true,
    asides: &["string_literal"],
    aside: names_in_template,
    of_file: package,
    names: &NAMES,
    ..Spec::EMPTY
};

/// What a name can mean.
const NAMES: NameRules = NameRules {
    last_value_is_result: true,
    makes_with_new: false,
    override_word: OverrideWord::Always,
    ..super::java::NAMES
};

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let mut cursor = node.walk();
    let found = match node.kind() {
        "class_declaration" => node.child_by_field_name("name").map(|name| {
            let end = name.start_byte();
            let head = context.source.get(node.start_byte()..end).unwrap_or("");
            let kind = match head
                .split_whitespace()
                .rev()
                .take(2)
                .collect::<Vec<_>>()
                .as_slice()
            {
                ["interface", ..] => SymbolKind::Interface,
                ["class", "enum"] => SymbolKind::Enum,
                _ => SymbolKind::Class,
            };
            Definition::new(kind, node, name)
        }),
        "enum_entry" => node
            .named_child(0)
            .map(|name| Definition::new(SymbolKind::EnumMember, node, name)),
        "class_parameter" => {
            let property = node
                .children(&mut cursor)
                .any(|part| matches!(part.kind(), "val" | "var"));
            let mut cursor = node.walk();
            let name = node
                .named_children(&mut cursor)
                .find(|part| part.kind() == "identifier");
            name.filter(|_| property)
                .map(|name| Definition::new(SymbolKind::Field, node, name))
        }
        _ => {
            let variable = node
                .named_children(&mut cursor)
                .find(|part| part.kind() == "variable_declaration");
            let constant = context
                .text(node)
                .lines()
                .next()
                .is_some_and(|line| line.contains("const val "));
            let kind = if constant {
                SymbolKind::Constant
            } else {
                SymbolKind::Variable
            };
            variable
                .and_then(|part| part.named_child(0))
                .map(|name| Definition::new(kind, node, name))
        }
    };
    found.into_iter().collect()
}

/// The names in `"a $name!"`, which the grammar reads as text.
fn names_in_template<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Aside<'t>> {
    let mut cursor = node.walk();
    let mut found = Vec::new();
    let mut is_behind_mark = false;
    for part in node.children(&mut cursor) {
        let text = context.text(part);
        if part.kind() == "string_content" && is_behind_mark {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
            let is_name = !text.starts_with(|c: char| c.is_ascii_digit());
            found.extend((end > 0 && is_name).then(|| Aside::Read {
                text: part,
                name: text[..end].to_owned(),
            }));
        }
        is_behind_mark = text == "$";
    }
    found
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let mut cursor = node.walk();
    let parts: Vec<_> = node.named_children(&mut cursor).collect();
    let Some(path) = parts.first().map(|part| context.text(*part)) else {
        return Vec::new();
    };
    let all = context.text(node).trim_end().ends_with('*');
    let (module, name) = match path.rsplit_once('.') {
        Some((module, name)) if !all => (module, name),
        _ => (path, "*"),
    };
    let local = parts.get(1).map_or(name, |alias| context.text(*alias));
    let names = vec![ImportedName {
        name: name.to_owned(),
        local: local.to_owned(),
    }];
    let line = node.start_position().row as u32 + 1;
    vec![Import {
        module: module.to_owned(),
        names,
        kind: ImportKind::Import,
        line,
    }]
}
