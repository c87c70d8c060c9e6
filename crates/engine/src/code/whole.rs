//! Whole definitions within a budget of lines, the best first.

use crate::api::{CodeLine, ContextPiece, Hit};
use crate::error::Result;
use crate::views::{LiveView, Texts};

/// A piece for each hit; where there are definitions, none for what lies between them.
pub(super) fn pieces_of(hits: Vec<Hit>) -> Vec<ContextPiece> {
    let defines = hits.iter().any(|hit| hit.symbol.is_some());
    let wanted = hits
        .into_iter()
        .filter(|hit| !defines || hit.symbol.is_some());
    wanted.map(ContextPiece::of).collect()
}

/// Gives pieces their lines as long as whole ones fit in `n_lines`. What does not fit keeps none, so that
/// shorter ones behind it still come, and what lies in one that is shown goes. Where none fits the first
/// is cut.
pub(super) fn fill(
    view: &LiveView,
    texts: &mut Texts<'_>,
    pieces: &mut Vec<ContextPiece>,
    n_lines: usize,
) -> Result<()> {
    let mut room = n_lines;
    let mut filled: Vec<ContextPiece> = Vec::new();
    for mut piece in pieces.drain(..) {
        if filled.iter().any(|shown| holds(shown, &piece.hit)) {
            continue;
        }
        if n_lines_of(&piece.hit) <= room {
            piece.lines = lines_of(view, texts, &piece.hit, room)?;
            room -= piece.lines.len();
        }
        filled.push(piece);
    }
    if room == n_lines
        && let Some(first) = filled.first_mut()
    {
        first.lines = lines_of(view, texts, &first.hit, room)?;
    }
    *pieces = filled;
    Ok(())
}

/// Whether a hit lies in what a piece shows.
fn holds(shown: &ContextPiece, hit: &Hit) -> bool {
    let of = &shown.hit;
    let is_inside = of.start_line <= hit.start_line && hit.end_line <= of.end_line;
    !shown.lines.is_empty() && of.path == hit.path && is_inside
}

fn n_lines_of(hit: &Hit) -> usize {
    (hit.end_line + 1).saturating_sub(hit.start_line) as usize
}

/// The first lines of a hit, at most `most`.
fn lines_of(
    view: &LiveView,
    texts: &mut Texts<'_>,
    hit: &Hit,
    most: usize,
) -> Result<Vec<CodeLine>> {
    let Some(file) = view.file(&hit.path) else {
        return Ok(Vec::new());
    };
    let first = hit.start_line.max(1);
    let lines = texts.get(file)?.lines().skip(first as usize - 1);
    let lines = (first..).zip(lines.take(n_lines_of(hit).min(most)));
    Ok(lines
        .map(|(line, text)| CodeLine {
            line,
            text: text.to_owned(),
        })
        .collect())
}
