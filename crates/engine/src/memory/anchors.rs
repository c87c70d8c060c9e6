//! Anchors as people and agents write them: `path`, `path:12-30`, `path#symbol`, or a symbol.

use super::code::AnchoredCode;
use crate::error::{EngineError, Result};
use whyrank_memory::{Anchor, CodeAt, anchor_text, check_path};

/// Finds what an anchor means, and reads the lines there.
///
/// # Errors
/// `bad-argument` for a path outside the repository or that is not there, lines beyond the end, and
/// a symbol that is unknown or defined in several files.
pub(super) fn resolve(text: &str, code: &AnchoredCode<'_>) -> Result<Anchor> {
    let text = text.trim();
    if let Some((path, symbol)) = text.split_once('#') {
        return if path.is_empty() {
            by_symbol(symbol, code)
        } else {
            in_file(&check_path(path)?, symbol, code)
        };
    }
    if let Some((path, lines)) = text.rsplit_once(':')
        && let Some((start, end)) = parse_lines(lines)
    {
        return at_lines(&check_path(path)?, start, end, code);
    }
    let is_name = !text.is_empty() && !text.contains(['/', '\\', ' ']) && !text.contains("..");
    match check_path(text) {
        Ok(path) if code.exists(&path) => Ok(whole(&path, code)),
        _ if is_name && !code.files_with(text).is_empty() => by_symbol(text, code),
        Ok(path) => Err(missing(&path)),
        Err(error) => Err(error.into()),
    }
}

/// `12` or `12-30`.
fn parse_lines(text: &str) -> Option<(u32, u32)> {
    let (start, end) = text.split_once('-').unwrap_or((text, text));
    let (start, end) = (start.parse().ok()?, end.parse().ok()?);
    (start > 0).then_some((start, end))
}

fn whole(path: &str, code: &AnchoredCode<'_>) -> Anchor {
    let anchor = Anchor {
        path: path.to_owned(),
        ..Anchor::default()
    };
    let text = code.text(path).unwrap_or_default();
    anchor_text(anchor.clone(), &text).unwrap_or(anchor)
}

fn at_lines(path: &str, start_line: u32, end_line: u32, code: &AnchoredCode<'_>) -> Result<Anchor> {
    let text = code.text(path).ok_or_else(|| missing(path))?;
    if end_line < start_line {
        return Err(EngineError::bad_argument(
            format!("the anchor {path}:{start_line}-{end_line} ends before it begins"),
            "give lines as first-last",
        ));
    }
    // A selection that is a definition is followed by its name.
    let symbols = code.symbols(path);
    let symbol = symbols.iter().find(|symbol| {
        symbol.span.start_line.abs_diff(start_line) <= 1
            && symbol.span.end_line.abs_diff(end_line) <= 1
    });
    let anchor = Anchor {
        path: path.to_owned(),
        symbol: symbol.map(|symbol| symbol.qualified.clone()),
        start_line,
        end_line,
        ..Anchor::default()
    };
    anchor_text(anchor, &text).ok_or_else(|| {
        EngineError::bad_argument(
            format!(
                "{path} has {} lines, so there is no line {start_line}",
                text.lines().count()
            ),
            "give lines that are there",
        )
    })
}

fn in_file(path: &str, symbol: &str, code: &AnchoredCode<'_>) -> Result<Anchor> {
    let text = code.text(path).ok_or_else(|| missing(path))?;
    let symbols = code.symbols(path);
    let found = symbols
        .iter()
        .find(|known| known.qualified == symbol)
        .or_else(|| symbols.iter().find(|known| known.name == symbol));
    let Some(found) = found else {
        return Err(EngineError::bad_argument(
            format!("{path} defines no `{symbol}`"),
            "give lines instead: path:first-last",
        ));
    };
    let anchor = Anchor {
        path: path.to_owned(),
        symbol: Some(found.qualified.clone()),
        start_line: found.span.start_line,
        end_line: found.span.end_line,
        ..Anchor::default()
    };
    anchor_text(anchor, &text).ok_or_else(|| missing(path))
}

fn by_symbol(symbol: &str, code: &AnchoredCode<'_>) -> Result<Anchor> {
    match code.files_with(symbol).as_slice() {
        [path] => in_file(path, symbol, code),
        [] => Err(EngineError::bad_argument(
            format!("nothing is called `{symbol}`, neither a file nor an indexed definition"),
            "give a path, path:first-last or path#symbol",
        )),
        several => Err(EngineError::bad_argument(
            format!("`{symbol}` is defined in {} files", several.len()),
            format!("say which: {}#{symbol}", several[0]),
        )),
    }
}

fn missing(path: &str) -> EngineError {
    EngineError::bad_argument(
        format!("there is no {path} to anchor to"),
        "give a path relative to the repository root",
    )
}
