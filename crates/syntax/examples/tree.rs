//! Prints the syntax tree of a file with its fields: `tree FILE`, to write tables from.
#![expect(clippy::print_stdout, reason = "it is a command-line program")]

use whyrank_syntax::{detect, grammar_of};

fn main() {
    let Some(path) = std::env::args().nth(1) else {
        return;
    };
    let Some(grammar) = detect(&path, &[]).and_then(grammar_of) else {
        return;
    };
    let mut parser = tree_sitter::Parser::new();
    let Ok(source) = std::fs::read_to_string(path) else {
        return;
    };
    if parser.set_language(&grammar).is_err() {
        return;
    }
    let Some(tree) = parser.parse(&source, None) else {
        return;
    };
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        if node.is_named() {
            let field = cursor
                .field_name()
                .map(|name| format!("{name}: "))
                .unwrap_or_default();
            let text = if node.named_child_count() == 0 {
                &source[node.byte_range()]
            } else {
                ""
            };
            println!("{}{field}{} {text:?}", "  ".repeat(depth), node.kind());
        }
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            depth -= 1;
        }
    }
}
