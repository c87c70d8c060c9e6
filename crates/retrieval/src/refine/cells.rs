//! All tokens of a query against all of a passage, small enough to go with a trace: a letter a product.

use super::alignment::{AlignedCells, TokenLine};
use std::collections::BTreeMap;
use whyrank_index::TokenCells;

/// A query of more tokens is no picture.
const MAX_QUERY: usize = 64;
/// Tokens of the passage that are kept.
const MAX_PASSAGE: usize = 256;
/// Longer tokens are cut, in characters.
const MAX_TOKEN: usize = 24;
/// The letters of 0 to 63.
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The cells of a chunk that begins at `start` in its text. `None` where there are too many to be looked at.
pub(super) fn cells_of(cells: &TokenCells, text: &str, start: u32) -> Option<AlignedCells> {
    let TokenCells {
        places,
        n_query,
        values,
    } = cells;
    if places.is_empty() || *n_query == 0 || *n_query > MAX_QUERY {
        return None;
    }
    let n_kept = places.len().min(MAX_PASSAGE);
    let row = |query: usize| {
        let column = values.iter().skip(query).step_by(*n_query);
        column.take(n_kept).map(|value| letter(*value)).collect()
    };
    Some(AlignedCells {
        lines: lines_of(&places[..n_kept], text, start as usize),
        n_more: (places.len() - n_kept) as u32,
        rows: (0..*n_query).map(row).collect(),
    })
}

/// Tokens by the line in which they begin. A line that comes again, as the name before the text, begins anew.
fn lines_of(places: &[(u32, u32)], text: &str, start: usize) -> Vec<TokenLine> {
    let mut starts: BTreeMap<usize, u32> = BTreeMap::from([(0, 1)]);
    let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    starts.extend(breaks.zip(2..).map(|((end, _), line)| (end + 1, line)));
    let mut lines: Vec<TokenLine> = Vec::new();
    for (from, len) in places {
        let from = start + *from as usize;
        let token = text.get(from..from + *len as usize).unwrap_or_default();
        let line = match token {
            "" => 0,
            _ => starts
                .range(..=from)
                .next_back()
                .map_or(0, |(_, line)| *line),
        };
        if lines.last().is_none_or(|last| last.line != line) {
            lines.push(TokenLine {
                line,
                tokens: Vec::new(),
            });
        }
        let token = token.chars().take(MAX_TOKEN).collect();
        lines.last_mut().expect("pushed above").tokens.push(token);
    }
    lines
}

fn letter(value: f32) -> char {
    let step = (value.clamp(0.0, 1.0) * 63.0).round() as usize;
    char::from(LETTERS[step.min(63)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_product_is_a_letter_and_every_token_stands_in_its_line() {
        let text = "// x\nfn retry(n) {\n    back();\n}\n";
        let at = |piece: &str| text.find(piece).expect("it is there") as u32 - 5;
        let cells = TokenCells {
            places: vec![(0, 0), (at("fn"), 2), (at("retry"), 5), (at("back"), 4)],
            n_query: 2,
            values: vec![0.0, 1.0, -0.5, 2.0, 0.5, f32::NAN, 1.0 / 63.0, 62.0 / 63.0],
        };
        let kept = cells_of(&cells, text, 5).expect("few enough");
        assert_eq!(kept.rows, ["AAgB", "//A+"]);
        let lines: Vec<(u32, String)> = kept
            .lines
            .iter()
            .map(|line| (line.line, line.tokens.join(" ")))
            .collect();
        let expected = [(0, ""), (2, "fn retry"), (3, "back")];
        assert_eq!(lines, expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn long_passages_are_cut_and_counted_and_long_queries_left_out() {
        let many = |n_query: usize, n_tokens: usize| TokenCells {
            places: vec![(0, 1); n_tokens],
            n_query,
            values: vec![0.9; n_query * n_tokens],
        };
        let kept = cells_of(&many(32, 300), "abc", 0).expect("few enough");
        assert_eq!(
            (kept.n_more, kept.rows.len(), kept.rows[0].len()),
            (44, 32, 256)
        );
        assert_eq!(cells_of(&many(65, 3), "abc", 0), None);
        assert_eq!(cells_of(&many(3, 0), "abc", 0), None);
    }
}
