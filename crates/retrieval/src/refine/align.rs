//! Which words of a hit answer which words of the query: kept small enough to go with every trace.

pub use super::alignment::{AlignedCells, AlignedPair, Alignment, TokenLine};

use super::cells::cells_of;
use super::{LazyTokens, TokenMatch};
use crate::error::Result;
use crate::explain::TraceRow;
use crate::search_index::SearchIndex;
use std::collections::HashMap;
use std::ops::Range;
use whyrank_index::{ChunkRef, Pool};

/// Hits that are aligned.
pub(crate) const MAX_ALIGNED: usize = 20;
/// Of these, how many have every product kept.
const MAX_WITH_CELLS: usize = 10;
/// Matches that are listed of a hit.
const MAX_PAIRS: usize = 16;
/// What a hit's alignment takes at most, as JSON.
const MAX_BYTES: usize = 2048;
/// Longer words of the document are cut.
const MAX_TEXT_CHARS: usize = 24;

/// Aligns the hits that are shown first. Hits without token vectors stay without.
///
/// # Errors
/// A text that cannot be read.
pub(crate) fn align_hits(
    rows: &mut [TraceRow],
    places: &[ChunkRef],
    index: &SearchIndex,
    stores: &Pool<'_>,
    tokens: &LazyTokens<'_>,
) -> Result<()> {
    let Ok(encoded) = tokens.encoded() else {
        return Ok(());
    };
    let mut texts: HashMap<u32, String> = HashMap::new();
    let hits = rows.iter_mut().zip(places).zip(0..);
    for ((row, place), number) in hits.take(MAX_ALIGNED) {
        let mut matches = encoded.align(index.view.chunk_id(*place), &[]);
        if matches.is_empty() {
            continue;
        }
        let (_, chunk, _) = index.view.chunk(*place);
        for found in &mut matches {
            found.byte_start = found.byte_start.saturating_add(chunk.span.start_byte);
        }
        if let std::collections::hash_map::Entry::Vacant(entry) = texts.entry(place.file) {
            entry.insert(stores.text(place.file)?);
        }
        let text = &texts[&place.file];
        let has_cells = number < MAX_WITH_CELLS;
        let cells = has_cells.then(|| encoded.cells(index.view.chunk_id(*place)));
        row.alignment = Some(Alignment {
            cells: cells
                .flatten()
                .and_then(|cells| cells_of(&cells, text, chunk.span.start_byte)),
            ..alignment(&matches, text)
        });
    }
    Ok(())
}

/// Lists the matches that bring most, as far as they fit. Places are counted from the text's beginning.
fn alignment(matches: &[TokenMatch], text: &str) -> Alignment {
    let score: f64 = matches.iter().map(|found| f64::from(found.score)).sum();
    let mut largest: Vec<&TokenMatch> = matches.iter().collect();
    largest.sort_by(|a, b| {
        b.score
            .total_cmp(&a.score)
            .then(a.query_token.cmp(&b.query_token))
    });
    largest.truncate(MAX_PAIRS);
    let pairs = largest.into_iter().filter_map(|found| pair(found, text));
    let mut alignment = Alignment {
        score: rounded(score),
        pairs: pairs.collect(),
        rest: 0.0,
        cells: None,
    };
    loop {
        let listed: f64 = alignment.pairs.iter().map(|pair| pair.score).sum();
        alignment.rest = rounded(score - listed);
        let n_bytes = serde_json::to_string(&alignment).map_or(0, |json| json.len());
        if n_bytes <= MAX_BYTES || alignment.pairs.pop().is_none() {
            return alignment;
        }
    }
}

/// The place is that of the whole identifier in which the token lies: pieces of one word are read
/// together.
fn pair(found: &TokenMatch, text: &str) -> Option<AlignedPair> {
    let start = found.byte_start as usize;
    let piece = start..start + found.byte_len as usize;
    text.get(piece.clone())?;
    let place = if piece.is_empty() {
        piece
    } else {
        identifier_around(text, piece)
    };
    let before = &text[..place.start];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let body = &text[place.clone()];
    let units = |text: &str| text.encode_utf16().count() as u32;
    let end = body
        .char_indices()
        .nth(MAX_TEXT_CHARS)
        .map_or(body.len(), |(end, _)| end);
    Some(AlignedPair {
        query: found.query_token,
        score: rounded(f64::from(found.score)),
        line: before.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1,
        column: units(&text[line_start..place.start]),
        length: units(body),
        text: body[..end].to_owned(),
    })
}

fn identifier_around(text: &str, piece: Range<usize>) -> Range<usize> {
    let is_part = |char: &char| char.is_alphanumeric() || *char == '_';
    let reach = |chars: &mut dyn Iterator<Item = char>| -> usize {
        chars.take_while(is_part).map(char::len_utf8).sum()
    };
    let before = reach(&mut text[..piece.start].chars().rev());
    let after = reach(&mut text[piece.end..].chars());
    piece.start - before..piece.end + after
}

/// Four decimals: enough for sums within 1e-3, and short to write.
fn rounded(score: f64) -> f64 {
    (score * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(query_token: u32, score: f32, byte_start: u32, byte_len: u32) -> TokenMatch {
        TokenMatch {
            query_token,
            score,
            byte_start,
            byte_len,
        }
    }

    #[test]
    fn places_are_lines_and_utf16_columns() {
        let text = "first\n  é😀 = parse(x)\n";
        let at = text.find("parse").expect("it is there") as u32;
        let aligned = alignment(&[found(0, 0.75, at, 5)], text);
        let pair = &aligned.pairs[0];
        assert_eq!((pair.line, pair.column, pair.length), (2, 8, 5));
        assert_eq!(pair.text, "parse");
    }

    #[test]
    fn pieces_of_an_identifier_are_read_together() {
        let text = "let x = parse_routes2(y);";
        let at = |piece: &str| text.find(piece).expect("it is there") as u32;
        let aligned = alignment(
            &[found(0, 0.9, at("rout"), 4), found(1, 0.5, at("(y"), 1)],
            text,
        );
        assert_eq!(aligned.pairs[0].text, "parse_routes2");
        assert_eq!((aligned.pairs[0].column, aligned.pairs[0].length), (8, 13));
    }

    #[test]
    fn a_place_outside_the_text_is_counted_and_not_listed() {
        let aligned = alignment(&[found(0, 0.5, 900, 4), found(1, 0.25, 0, 2)], "ab");
        assert_eq!(aligned.pairs.len(), 1);
        assert!((aligned.rest - 0.5).abs() < 1e-9);
    }

    #[test]
    fn long_and_foreign_identifiers_stay_within_two_kilobytes() {
        let quoted = "\\u{1}\\\"".repeat(40);
        for word in [
            "an_identifier_that_goes_on".repeat(40),
            "長い識別子の名前".repeat(60),
            "𝒳😀é".repeat(80),
            quoted,
        ] {
            let line = format!("{word} = {word};\n");
            let text = line.repeat(40);
            let places = text.match_indices(word.as_str()).map(|(at, _)| at);
            let matches: Vec<TokenMatch> = places
                .zip(0..)
                .map(|(at, token)| {
                    let piece = text[at..].chars().next().map_or(0, char::len_utf8);
                    found(token, 0.87654, at as u32, piece as u32)
                })
                .collect();
            let aligned = alignment(&matches, &text);
            let json = serde_json::to_string(&aligned).expect("plain data serialises");
            assert!(json.len() <= MAX_BYTES, "{} bytes of {word}", json.len());
            assert!(!aligned.pairs.is_empty());
            let listed: f64 = aligned.pairs.iter().map(|pair| pair.score).sum();
            assert!((listed + aligned.rest - aligned.score).abs() < 1e-3);
        }
    }

    fn matches() -> impl Strategy<Value = Vec<TokenMatch>> {
        let one = (-0.5_f32..1.0, 0_u32..400, 0_u32..200);
        prop::collection::vec(one, 1..600).prop_map(|all| {
            let numbered = all.into_iter().zip(0..);
            let matches = numbered.map(|((score, start, len), at)| found(at, score, start, len));
            matches.collect()
        })
    }

    proptest! {
        #[test]
        fn contributions_sum_to_the_score_and_stay_small(
            matches in matches(),
            text in "[\\PC\\n\"\\\\]{0,400}",
        ) {
            let aligned = alignment(&matches, &text);
            let score: f64 = matches.iter().map(|found| f64::from(found.score)).sum();
            let listed: f64 = aligned.pairs.iter().map(|pair| pair.score).sum();
            prop_assert!((listed + aligned.rest - score).abs() < 1e-3);
            prop_assert!((aligned.score - score).abs() < 1e-3);
            let json = serde_json::to_string(&aligned).expect("plain data serialises");
            prop_assert!(json.len() <= MAX_BYTES);
        }
    }
}
