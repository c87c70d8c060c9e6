//! Protocol buffers: names join with `.`, the package before them. What an `extend` adds is of what lies around it,
//! and so are the fields of a `oneof`.

use crate::family::Family;
use crate::languages::javascript::unquote;
use crate::name_rules::{BareMembers, NameRules};
use crate::spec::{Context, Definition, DefinitionHead, NodeRole, Spec, hook};
use crate::types::{Import, ImportKind, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static PROTO: Spec = Spec {
    grammar: crate::grammars::proto,
    defs: &[
        hook("package"),
        hook("message"),
        hook("group"),
        hook("enum"),
        hook("enum_field"),
        hook("field"),
        hook("map_field"),
        hook("oneof"),
        hook("oneof_field"),
        hook("service"),
        hook("rpc"),
    ],
    leaves: &[("identifier", ReferenceKind::Read)],
    positions: &[
        ("message_or_enum_type", "", NodeRole::PathTail),
        ("full_ident", "", NodeRole::PathTail),
        ("type", "", NodeRole::Type),
        ("rpc", "", NodeRole::Type),
        ("extend", "", NodeRole::Type),
        ("package", "", NodeRole::Skip),
    ],
    imports: &["import"],
    body_marks: &["{"],
    define,
    import,
    binds: is_name_of_setting,
    implied: |context| is_whole(context).then(|| ".".to_owned()),
    // Editions let a file keep a type to itself.
    exported: |head: &DefinitionHead<'_>| !head.has("local") && head.parent_exported(),
    names: &NAMES,
    ..Spec::EMPTY
};

/// What a name can mean.
const NAMES: NameRules = NameRules {
    family: Family::Proto,
    // A type and a value or an option may bear one name.
    kinds_are_apart: true,
    imports_are_private: true,
    imports_may_be_public: true,
    bare_members: BareMembers::Anywhere,
    members_are_overridden: false,
    heads_have_modifiers: false,
    classes_are_found_by_base: false,
    values_are_narrowed: false,
    ..NameRules::NONE
};

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let kind = match node.kind() {
        "package" => SymbolKind::Namespace,
        "message" | "group" => SymbolKind::Struct,
        "enum" => SymbolKind::Enum,
        "enum_field" => SymbolKind::EnumMember,
        "service" => SymbolKind::Interface,
        "rpc" => SymbolKind::Method,
        _ => SymbolKind::Field,
    };
    let Some(name) = name_of(node) else {
        return Vec::new();
    };
    // The fields of a `oneof` are those of the message, so it must not be around them.
    let holder = match node.kind() {
        "oneof" => name,
        _ => node,
    };
    vec![Definition {
        sticky: node.kind() == "package",
        text: (node.kind() == "package").then(|| without_blanks(context.text(name))),
        ..Definition::new(kind, holder, name)
    }]
}

/// The name of what a node defines: an identifier, behind the type of a field.
fn name_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let mut parts = node.named_children(&mut cursor);
    let name = parts.find(|part| {
        let kind = part.kind();
        matches!(kind, "identifier" | "full_ident") || kind.ends_with("_name")
    })?;
    match name.kind() {
        "identifier" | "full_ident" => Some(name),
        _ => name.named_child(0),
    }
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Says whether the leaf is the name of an option that the language has, or the key of a value of several: neither
/// names a definition by its path.
fn is_name_of_setting(context: &Context<'_, '_>) -> bool {
    let around = context.ancestor(0).map(|node| node.kind());
    matches!(
        around,
        Some("option" | "field_option" | "enum_value_option" | "block_lit")
    )
}

/// Says whether the path of the leaf begins with a dot: it is sought from the root, not from where it stands.
fn is_whole(context: &Context<'_, '_>) -> bool {
    let Some(path) = context.ancestor(0) else {
        return false;
    };
    let before = context.source.get(..path.start_byte()).unwrap_or("");
    match path.kind() {
        "message_or_enum_type" => context.text(path).starts_with('.'),
        "full_ident" => before.ends_with('.'),
        _ => false,
    }
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let path = unquote(context.field_text(node, "path"));
    let mut cursor = node.walk();
    let is_public = node
        .children(&mut cursor)
        .any(|part| part.kind() == "public");
    vec![Import {
        module: path.to_owned(),
        names: Vec::new(),
        kind: match is_public {
            true => ImportKind::ReExport,
            false => ImportKind::Import,
        },
        line: node.start_position().row as u32 + 1,
    }]
}
