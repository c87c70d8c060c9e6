//! Several lists on one page: each gets its share of the room, none starves another.

use super::page::{Page, cost};

/// A list with its head line.
pub(super) struct Block {
    pub(super) head: String,
    /// How many items each line represents, and the line.
    pub(super) lines: Vec<(usize, String)>,
    /// Lines that it gets in a round.
    pub(super) share: usize,
}

impl Block {
    pub(super) fn new(head: impl Into<String>, lines: Vec<(usize, String)>) -> Self {
        Self {
            head: head.into(),
            lines,
            share: 1,
        }
    }
}

/// Writes the blocks in order, heads first of all, then lines in rounds; empty blocks are left out.
/// Gives the items shown of each block.
pub(super) fn fill(page: &mut Page, blocks: &[Block]) -> Vec<usize> {
    let mut left = page.room();
    let mut n_lines = vec![0; blocks.len()];
    let mut is_open: Vec<bool> = blocks
        .iter()
        .map(|block| {
            let n_chars = cost(&block.head);
            let fits = !block.lines.is_empty() && n_chars <= left;
            left -= if fits { n_chars } else { 0 };
            fits
        })
        .collect();
    let has_head = is_open.clone();
    while is_open.contains(&true) {
        for (at, block) in blocks.iter().enumerate() {
            for _ in 0..block.share {
                let next = block.lines.get(n_lines[at]).filter(|_| is_open[at]);
                let n_chars = next.map(|(_, line)| cost(line));
                match n_chars.filter(|n_chars| *n_chars <= left) {
                    Some(n_chars) => {
                        left -= n_chars;
                        n_lines[at] += 1;
                    }
                    None => is_open[at] = false,
                }
            }
        }
    }
    let mut shown = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        if has_head[at] {
            page.line(&block.head);
        }
        let lines = &block.lines[..n_lines[at]];
        shown.push(lines.iter().map(|(n_items, _)| n_items).sum());
        for (_, line) in lines {
            page.line(line);
        }
    }
    shown
}

/// The first `most` of some texts, and how many more there are.
pub(super) fn some(texts: &[String], most: usize) -> String {
    let shown = texts
        .iter()
        .take(most)
        .cloned()
        .collect::<Vec<_>>()
        .join(", ");
    match texts.len().saturating_sub(most) {
        0 => shown,
        more => format!("{shown} +{more}"),
    }
}
