//! Terraform and other HCL: a definition is a block, named by its address: `aws_vpc.this`, `data.aws_ami.linux`,
//! `var.region`, `module.net`; what stands in `locals` is `local.name`. All but labels and keys is read by address.

use crate::family::Family;
use crate::name_rules::{BareMembers, NameRules};
use crate::spec::{Context, Definition, NodeRole, Spec, hook};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use std::ops::ControlFlow;
use tree_sitter::Node;

pub(crate) static TERRAFORM: Spec = Spec {
    grammar: crate::grammars::hcl,
    defs: &[hook("block"), hook("attribute")],
    leaves: &[("identifier", ReferenceKind::Read)],
    positions: &[
        ("get_attr", "", NodeRole::Read),
        ("attribute", "", NodeRole::Write),
        ("block", "", NodeRole::Skip),
        ("function_call", "", NodeRole::Skip),
        ("for_intro", "", NodeRole::Skip),
        ("template_for_start", "", NodeRole::Skip),
    ],
    imports: &["attribute"],
    body_marks: &["block_start"],
    define,
    import,
    binds: names_nothing,
    implied: address_before,
    names: &NAMES,
    ..Spec::EMPTY
};

/// What a name can mean.
const NAMES: NameRules = NameRules {
    family: Family::Terraform,
    names_are_imported: true,
    // A module is a folder.
    folder_is_scope: true,
    imports_are_private: true,
    bare_members: BareMembers::Nowhere,
    members_are_overridden: false,
    heads_have_modifiers: false,
    classes_are_found_by_base: false,
    values_are_narrowed: false,
    ..NameRules::NONE
};

/// Keys of a module call that set no variable.
const OWN_KEYS: [&str; 6] = [
    "count",
    "depends_on",
    "for_each",
    "providers",
    "source",
    "version",
];

/// An address is read up to this many bytes.
const MAX_ADDRESS: usize = 300;

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let found = match node.kind() {
        "block" if is_at_top(context, 0) => of_block(context, node),
        "attribute" if around(context).is_some_and(|block| block.keyword == "locals") => {
            let prefix = Some("local".to_owned());
            node.named_child(0).map(|name| Definition {
                prefix,
                exported: Some(false),
                ..Definition::new(SymbolKind::Variable, node, name)
            })
        }
        _ => None,
    };
    found.into_iter().collect()
}

/// The definition that a block at the top of a file is, if it has a label.
fn of_block<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Option<Definition<'t>> {
    let block = Block::of(context, node)?;
    let (name, outer) = block.labels.split_last()?;
    let kind = match block.keyword {
        "module" => SymbolKind::Module,
        "provider" => SymbolKind::Namespace,
        "variable" | "output" => SymbolKind::Variable,
        _ => SymbolKind::Struct,
    };
    let head = match block.keyword {
        "resource" => None,
        "variable" => Some("var"),
        keyword => Some(keyword),
    };
    let outer = outer.iter().map(|label| context.text(*label));
    let prefix: Vec<&str> = head.into_iter().chain(outer).collect();
    let prefix = match (block.keyword, alias_of(context, node)) {
        ("provider", Some(alias)) => {
            let prefix = format!("provider.{}", context.text(*name));
            return Some(Definition {
                prefix: Some(prefix),
                ..Definition::new(kind, node, alias)
            });
        }
        _ => prefix.join("."),
    };
    Some(Definition {
        prefix: Some(prefix),
        exported: Some(block.keyword != "data"),
        ..Definition::new(kind, node, *name)
    })
}

/// The text of `alias = "name"` in a provider.
fn alias_of<'t>(context: &Context<'_, 't>, block: Node<'t>) -> Option<Node<'t>> {
    let value = setting(context, block, "alias")?;
    let mut at = value;
    while at.kind() != "template_literal" {
        at = at.named_child(if at.kind() == "string_lit" { 1 } else { 0 })?;
    }
    Some(at)
}

/// The value of a key that stands in a block itself.
fn setting<'t>(context: &Context<'_, 't>, block: Node<'t>, key: &str) -> Option<Node<'t>> {
    let mut cursor = block.walk();
    let body = block
        .named_children(&mut cursor)
        .find(|part| part.kind() == "body")?;
    let mut cursor = body.walk();
    let mut parts = body.named_children(&mut cursor);
    let found = parts.find(|part| {
        let name = part.named_child(0).filter(|_| part.kind() == "attribute");
        name.is_some_and(|name| context.text(name) == key)
    })?;
    found.named_child(1)
}

/// The head of a block.
struct Block<'s, 't> {
    keyword: &'s str,
    labels: Vec<Node<'t>>,
}

impl<'s, 't> Block<'s, 't> {
    fn of(context: &Context<'s, 't>, node: Node<'t>) -> Option<Self> {
        let mut cursor = node.walk();
        let mut parts = node.named_children(&mut cursor);
        let keyword = context.text(parts.next()?);
        let labels = parts.map_while(|part| match part.kind() {
            "identifier" => Some(part),
            "string_lit" => part
                .named_child(1)
                .filter(|text| text.kind() == "template_literal"),
            _ => None,
        });
        Some(Self {
            keyword,
            labels: labels.collect(),
        })
    }
}

/// Says whether what is `n` levels above the node at work, or the node itself, stands in no block.
fn is_at_top(context: &Context<'_, '_>, n: usize) -> bool {
    let above = context.ancestor(n + 1);
    above.is_some_and(|above| above.kind() == "config_file")
}

/// The block at the top of its file in which an attribute stands that is at work.
fn around<'s, 't>(context: &Context<'s, 't>) -> Option<Block<'s, 't>> {
    let holder = context.ancestor(1).filter(|node| node.kind() == "block")?;
    is_at_top(context, 2).then(|| Block::of(context, holder))?
}

/// The same for its name, one level below.
fn around_name<'s, 't>(context: &Context<'s, 't>) -> Option<Block<'s, 't>> {
    let holder = context.ancestor(2).filter(|node| node.kind() == "block")?;
    is_at_top(context, 3).then(|| Block::of(context, holder))?
}

/// Says whether the leaf is no part of an address behind its first name: a name of its own, a key, a type.
fn names_nothing(context: &Context<'_, '_>) -> bool {
    let around = context.ancestor(0).map_or("", |node| node.kind());
    match around {
        "get_attr" => false,
        "attribute" => address_before(context).is_none(),
        _ => true,
    }
}

/// The address before the leaf at work: what an attribute takes its name from, or what the key of a module call or
/// of a file of values sets.
fn address_before(context: &Context<'_, '_>) -> Option<String> {
    let node = context.ancestor(0)?;
    match node.kind() {
        "get_attr" => Some(address_up_to(context.source, node.start_byte())),
        "attribute" if is_at_top(context, 1) => Some("var".to_owned()),
        "attribute" => {
            let block = around_name(context)?;
            let name = node.named_child(0)?;
            match (block.keyword, block.labels.as_slice()) {
                ("module", [label]) if !OWN_KEYS.contains(&context.text(name)) => {
                    Some(format!("module.{}", context.text(*label)))
                }
                ("variables", []) => Some("var".to_owned()),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The address that ends at a byte, without what stands in brackets; `…` for what is none.
fn address_up_to(source: &str, end: usize) -> String {
    let unknown = || "…".to_owned();
    let mut depth = 0_usize;
    let mut start = end;
    let before = source.as_bytes()[..end].iter().rev().take(MAX_ADDRESS);
    let stopped = before.copied().try_for_each(|byte| {
        match byte {
            b']' => depth += 1,
            b'[' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            b'.' | b'*' | b'_' | b'-' | 0x80.. => {}
            _ if byte.is_ascii_alphanumeric() => {}
            _ => return ControlFlow::Break(byte),
        }
        start -= 1;
        ControlFlow::Continue(())
    });
    let is_cut = stopped.is_continue() && start > 0;
    if is_cut || depth > 0 || matches!(stopped, ControlFlow::Break(b')' | b'}' | b'"')) {
        return unknown();
    }
    let Some(text) = source.get(start..end) else {
        return unknown();
    };
    let mut address = String::new();
    let mut depth = 0_usize;
    for c in text.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ if depth == 0 => address.push(c),
            _ => {}
        }
    }
    let parts = address.split('.').map(|part| part.trim_start_matches('-'));
    let parts: Vec<&str> = parts.filter(|part| !matches!(*part, "" | "*")).collect();
    match parts.is_empty() || text.starts_with(['[', '.']) {
        true => unknown(),
        false => parts.join("."),
    }
}

/// `source = "./folder"` of a module call, under the module's name.
fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let is_source = node
        .named_child(0)
        .is_some_and(|name| context.text(name) == "source");
    let Some(block) = around(context).filter(|block| is_source && block.keyword == "module") else {
        return Vec::new();
    };
    let (Some(label), Some(value)) = (block.labels.first(), node.named_child(1)) else {
        return Vec::new();
    };
    let text = context.text(value).trim();
    let module = text
        .strip_prefix('"')
        .and_then(|text| text.strip_suffix('"'));
    let Some(module) = module.filter(|module| !module.contains(['"', '$'])) else {
        return Vec::new();
    };
    vec![Import {
        module: module.to_owned(),
        names: vec![ImportedName {
            name: "*".to_owned(),
            local: context.text(*label).to_owned(),
        }],
        kind: ImportKind::Import,
        line: node.start_position().row as u32 + 1,
    }]
}

#[cfg(test)]
mod tests {
    use super::address_up_to;

    #[test]
    fn addresses_end_where_they_are_cut() {
        for (text, expected) in [
            ("x = aws_vpc.this", "aws_vpc.this"),
            ("[for s in var.a[0][\"x.y\"].*", "var.a"),
            ("1+-local", "local"),
            ("f(x)", "…"),
            ("f(a)[0]", "…"),
            ("\"a\"", "…"),
            ("module.m[each.key]", "module.m"),
        ] {
            assert_eq!(address_up_to(text, text.len()), expected, "{text}");
        }
    }
}
