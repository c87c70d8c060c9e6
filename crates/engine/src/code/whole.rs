//! Whole definitions within a budget of lines, the best first.

use crate::api::{CodeLine, ContextPiece, Hit};
use crate::error::Result;
use crate::views::{LiveView, Texts};
use whyrank_retrieval::chunk_kind_name;
use whyrank_syntax::{ChunkKind, Span};

/// Comments of fewer lines are left where they are.
pub(super) const MIN_COMMENT: u32 = 2;
/// The best piece is cut where it has at most so many times the lines that there is room for.
const CUT: usize = 2;

/// A piece for each hit; where there is code, none for prose.
pub(super) fn pieces_of(hits: Vec<Hit>) -> Vec<ContextPiece> {
    let prose = chunk_kind_name(ChunkKind::Doc, None);
    let has_code = hits.iter().any(|hit| hit.kind != prose);
    let wanted = hits
        .into_iter()
        .filter(|hit| !has_code || hit.kind != prose);
    wanted.map(ContextPiece::of).collect()
}

/// Gives pieces their lines as long as whole ones fit in `n_lines`. What does not fit keeps none, so that
/// shorter ones behind it still come, and what lies in one that is shown goes. The best is cut rather than
/// left out, unless most of it would be; so is the first of all where none fits.
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
        let mut lines = lines_of(view, texts, &piece.hit)?;
        if filled.is_empty() && lines.len() <= CUT * n_lines {
            lines.truncate(room);
        }
        if lines.len() <= room {
            room -= lines.len();
            piece.lines = lines;
        }
        filled.push(piece);
    }
    if room == n_lines
        && let Some(first) = filled.first_mut()
    {
        first.lines = lines_of(view, texts, &first.hit)?;
        first.lines.truncate(room);
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

/// The lines of a hit without the documentation in it: that of its definition, and of those inside.
fn lines_of(view: &LiveView, texts: &mut Texts<'_>, hit: &Hit) -> Result<Vec<CodeLine>> {
    let Some(file) = view.file(&hit.path) else {
        return Ok(Vec::new());
    };
    let docs = docs_in(view, file, hit);
    let is_doc = |line: u32| {
        docs.iter()
            .any(|doc| (doc.start_line..=doc.end_line).contains(&line))
    };
    let lines = (1u32..).zip(texts.get(file)?.lines());
    let inside = lines
        .skip_while(|(line, _)| *line < hit.start_line)
        .take_while(|(line, _)| *line <= hit.end_line);
    let code = inside.filter(|(line, _)| !is_doc(*line));
    Ok(code
        .map(|(line, text)| CodeLine {
            line,
            text: text.to_owned(),
        })
        .collect())
}

fn docs_in(view: &LiveView, file: u32, hit: &Hit) -> Vec<Span> {
    let symbols = &view.files[file as usize].outline().symbols;
    let docs = symbols.iter().filter_map(|symbol| symbol.doc);
    docs.filter(|doc| {
        let is_inside = hit.start_line < doc.start_line && doc.end_line <= hit.end_line;
        is_inside && doc.end_line - doc.start_line + 1 >= MIN_COMMENT
    })
    .collect()
}
