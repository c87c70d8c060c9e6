//! A pattern as a tree of what must be there.

use tree_sitter::Node;

/// What a node must look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One node; `name` is an index into the pattern's names, none for `$_`.
    One { name: Option<u16> },
    /// Any number of siblings.
    Many { name: Option<u16> },
    /// A node without children, by its text.
    Leaf { named: bool, text: String },
    /// A node of a kind, with these children.
    Node {
        kind: u16,
        /// Text of the node that lies in no child.
        own: String,
        /// Its children are tokens without structure (macro arguments).
        tokens: bool,
        children: Vec<Self>,
    },
}

/// What a match begins with.
#[derive(Debug)]
pub(super) struct Root {
    /// One for a node, several for neighbours in one parent.
    pub(super) shapes: Vec<Shape>,
    /// Words that every match holds.
    pub(super) words: Vec<String>,
}

impl Root {
    pub(super) fn new(shapes: Vec<Shape>) -> Self {
        let mut words = Vec::new();
        shapes.iter().for_each(|shape| add_words(shape, &mut words));
        words.sort_unstable();
        words.dedup();
        Self { shapes, words }
    }
}

fn add_words(shape: &Shape, words: &mut Vec<String>) {
    match shape {
        Shape::Leaf { text, .. } => {
            let parts = text.split(|char: char| !char.is_alphanumeric() && char != '_');
            let long = parts.filter(|part| part.len() > 1).map(str::to_owned);
            words.extend(long);
        }
        Shape::Node { children, .. } => children.iter().for_each(|child| add_words(child, words)),
        Shape::One { .. } | Shape::Many { .. } => {}
    }
}

/// Number of shapes in a tree.
pub(super) fn size(shape: &Shape) -> usize {
    match shape {
        Shape::Node { children, .. } => 1 + children.iter().map(size).sum::<usize>(),
        _ => 1,
    }
}

/// Text of a node that lies in none of its children, without white space and quotes.
pub(super) fn own_text(node: Node<'_>, source: &str) -> String {
    let mut text = String::new();
    if node.child_count() == 0 {
        return text;
    }
    let mut at = node.start_byte();
    let mut add = |start: usize, end: usize| {
        let part = source.get(start..end).unwrap_or("");
        let kept = part.chars().filter(|char| !char.is_whitespace());
        text.extend(kept.map(|char| if char == '\'' { '"' } else { char }));
    };
    for child in node.children(&mut node.walk()) {
        add(at, child.start_byte());
        at = child.end_byte();
    }
    add(at, node.end_byte());
    text
}
