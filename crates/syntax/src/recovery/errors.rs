//! The extent of what a grammar could not read.

use tree_sitter::Tree;

/// Bytes that outermost errors cover; what is missing counts as one.
pub(super) fn error_bytes(tree: &Tree) -> usize {
    let mut open = vec![tree.root_node()];
    let mut n_bytes = 0;
    while let Some(node) = open.pop() {
        if node.is_error() || node.is_missing() {
            n_bytes += (node.end_byte() - node.start_byte()).max(1);
        } else if node.has_error() {
            open.extend(node.children(&mut node.walk()));
        }
    }
    n_bytes
}
