//! Items of Rust that a macro gets: `feature! { mod a; pub use a::*; }`, `cfg_rt! { pub fn run() {} }`,
//! `cfg_if! { if #[cfg(unix)] { mod unix; } else { mod other; } }`.
//!
//! To the grammar they are tokens. Where they read as whole items, the call around them is blanked out and
//! they are read as what they look like; what else the macro may do with them is told by
//! [`MACRO_ITEMS`](crate::MACRO_ITEMS).

use crate::blanked::{Blanked, BlankedName, MacroItems};
use crate::parse::parse;
use crate::tables::Tables;
use crate::types::ReferenceKind;
use tree_sitter::{Node, Tree};

/// Calls within calls that are opened.
const MAX_DEPTH: usize = 4;
/// Macros whose argument is a choice between blocks of items.
const CHOICES: [&str; 2] = ["cfg_if", "cfg_select"];
/// What items are to the grammar.
const ITEMS: [&str; 14] = [
    "const_item",
    "enum_item",
    "extern_crate_declaration",
    "foreign_mod_item",
    "function_item",
    "impl_item",
    "macro_definition",
    "macro_invocation",
    "mod_item",
    "static_item",
    "struct_item",
    "trait_item",
    "type_item",
    "use_declaration",
];
/// What may stand between them.
const BESIDE_ITEMS: [&str; 6] = [
    "attribute_item",
    "block_comment",
    "empty_statement",
    "function_signature_item",
    "inner_attribute_item",
    "line_comment",
];

/// The tree in which such items are read, and what was blanked for it; none where there are none.
/// O(text) for each depth of calls.
pub(crate) fn read_again(source: &str, tree: &Tree, tables: &Tables) -> Option<(Tree, Blanked)> {
    if !source.contains("! {") && !source.contains("!{") {
        return None;
    }
    let mut blanked = Blanked {
        text: source.to_owned(),
        ..Blanked::default()
    };
    let mut newest = None;
    for _ in 0..MAX_DEPTH {
        let calls = calls_with_items(newest.as_ref().unwrap_or(tree), &blanked.text, tables);
        if calls.is_empty() {
            break;
        }
        for call in calls {
            blanked.open(source, call);
        }
        newest = Some(parse(&blanked.text, tables, &[])?);
    }
    blanked.names.sort_unstable();
    newest.map(|tree| (tree, blanked))
}

/// A call that is to be opened.
struct Call {
    /// Its bytes that are no items.
    blanks: Vec<(usize, usize)>,
    name: (usize, usize),
    lines: (u32, u32),
}

impl Blanked {
    fn open(&mut self, source: &str, call: Call) {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        for (start, end) in &call.blanks {
            let is_kept = |byte: u8| matches!(byte, b'\n' | b'\r');
            let blank = bytes[*start..*end].iter_mut();
            blank
                .filter(|byte| !is_kept(**byte))
                .for_each(|byte| *byte = b' ');
        }
        // Blanks begin and end where tokens do.
        self.text = String::from_utf8(bytes).unwrap_or_else(|_| source.to_owned());
        let (start, end) = call.name;
        self.names.push(BlankedName {
            start,
            end,
            kind: ReferenceKind::Call,
            is_member: false,
        });
        self.items.push(MacroItems {
            name: source[start..end].to_owned(),
            line: call.lines.0,
            end_line: call.lines.1,
        });
    }
}

/// Calls where items stand, with items in braces.
fn calls_with_items(tree: &Tree, text: &str, tables: &Tables) -> Vec<Call> {
    let mut calls = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        for child in node.named_children(&mut node.walk()) {
            match child.kind() {
                "mod_item" | "impl_item" | "trait_item" | "declaration_list" => open.push(child),
                "macro_invocation" => calls.extend(opened(child, text, tables)),
                "expression_statement" => {
                    let call = child.named_child(0);
                    let call = call.filter(|call| call.kind() == "macro_invocation");
                    calls.extend(call.and_then(|call| opened(call, text, tables)));
                }
                _ => {}
            }
        }
    }
    calls
}

fn opened(call: Node<'_>, text: &str, tables: &Tables) -> Option<Call> {
    let path = call.child_by_field_name("macro")?;
    let name = last_segment(path);
    let last = call.child_count().checked_sub(1)?;
    let body = call.child(last).filter(|body| is_block(*body, text))?;
    let mut blanks = vec![(call.start_byte(), body.start_byte() + 1)];
    if CHOICES.contains(&&text[name.byte_range()]) {
        blanks.extend(choices(body, text));
    }
    blanks.push((body.end_byte() - 1, body.end_byte()));
    reads_as_items(body, &blanks, text, tables).then(|| Call {
        blanks,
        name: (name.start_byte(), name.end_byte()),
        lines: (
            call.start_position().row as u32 + 1,
            call.end_position().row as u32 + 1,
        ),
    })
}

/// `b` of `a::b`.
fn last_segment(path: Node<'_>) -> Node<'_> {
    path.child_by_field_name("name").unwrap_or(path)
}

fn is_block(node: Node<'_>, text: &str) -> bool {
    let text = &text[node.byte_range()];
    node.kind() == "token_tree" && text.starts_with('{') && text.len() > 1 && text.ends_with('}')
}

/// What stands around the blocks of a choice, and their braces.
fn choices(body: Node<'_>, text: &str) -> Vec<(usize, usize)> {
    let inner = 1..body.child_count().saturating_sub(1);
    let children = inner.filter_map(|at| body.child(at));
    let blanks = children.flat_map(|child| {
        let (start, end) = (child.start_byte(), child.end_byte());
        match child.kind() {
            "line_comment" | "block_comment" => vec![],
            _ if is_block(child, text) => vec![(start, start + 1), (end - 1, end)],
            _ => vec![(start, end)],
        }
    });
    blanks.collect()
}

/// Says whether what is left of a call's argument is items, all of it.
fn reads_as_items(body: Node<'_>, blanks: &[(usize, usize)], text: &str, tables: &Tables) -> bool {
    let first = body.start_byte();
    let mut inside = text[body.byte_range()].as_bytes().to_vec();
    for (start, end) in blanks.iter().filter(|(_, end)| *end > first) {
        inside[start.saturating_sub(first)..end - first].fill(b' ');
    }
    let Some(tree) = String::from_utf8(inside)
        .ok()
        .and_then(|text| parse(&text, tables, &[]))
    else {
        return false;
    };
    let root = tree.root_node();
    let kinds: Vec<&str> = root
        .named_children(&mut root.walk())
        .map(|child| child.kind())
        .collect();
    !root.has_error()
        && kinds.iter().any(|kind| ITEMS.contains(kind))
        && kinds
            .iter()
            .all(|kind| ITEMS.contains(kind) || BESIDE_ITEMS.contains(kind))
}
