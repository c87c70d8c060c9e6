//! Anchors: as people and agents write them (`path`, `path:12-30`, `path#symbol`, or a symbol), and as
//! they are chosen, by their parts.

use super::MemorySession;
use super::code::AnchoredCode;
use super::view::anchor_words;
use crate::Engine;
use crate::api::{AnchorPlace, AnchorTarget, RepoId};
use crate::error::{EngineError, Result};
use whyrank_memory::{Anchor, CodeAt, anchor_text, check_path};
use whyrank_syntax::Symbol;

impl Engine {
    /// Finds what an anchor means that somebody writes, before there is a memo.
    ///
    /// # Errors
    /// `bad-argument` for what is not there, or is there several times.
    pub fn anchor_place(&self, repo: &RepoId, text: &str) -> Result<AnchorPlace> {
        self.with_memory(repo, |session| {
            let anchor = resolve(&text.to_owned().into(), &session.code(None))?;
            Ok(AnchorPlace {
                path: anchor.path,
                symbol: anchor.symbol,
                start_line: anchor.start_line,
                end_line: anchor.end_line,
            })
        })
    }
}

impl MemorySession<'_> {
    pub(super) fn anchors(&self, targets: &[AnchorTarget]) -> Result<Vec<Anchor>> {
        let code = self.code(None);
        let anchors = targets.iter().map(|target| resolve(target, &code));
        anchors.collect()
    }

    /// Anchors that are given as they were stay as they are, drifted or not.
    pub(super) fn kept_or_new(&self, memo: &str, targets: &[AnchorTarget]) -> Result<Vec<Anchor>> {
        let ledger = self.open.memory.ledger();
        let facts = ledger.find(memo).ok().and_then(|id| ledger.memo(id));
        let versions = facts.map_or(&[][..], |facts| &facts.versions);
        let last = versions.last().and_then(|idx| ledger.version(*idx));
        let known = last.map_or(&[][..], |version| &version.anchors);
        let code = self.code(None);
        let anchors = targets.iter().map(|target| {
            match known.iter().find(|anchor| is_given(anchor, target)) {
                Some(anchor) => Ok(anchor.clone()),
                None => resolve(target, &code),
            }
        });
        anchors.collect()
    }
}

/// Whether an anchor is given as it is.
fn is_given(anchor: &Anchor, target: &AnchorTarget) -> bool {
    match target {
        AnchorTarget::Text(text) => anchor_words(anchor) == text.trim(),
        AnchorTarget::Place(place) => {
            let lines = (place.start_line, place.end_line);
            anchor.path == place.path && (anchor.start_line, anchor.end_line) == lines
        }
    }
}

/// Finds what an anchor means, and reads the lines there.
///
/// # Errors
/// `bad-argument` for a path outside the repository or that is not there, lines beyond the end, and
/// a symbol that is unknown or defined in several files.
fn resolve(target: &AnchorTarget, code: &AnchoredCode<'_>) -> Result<Anchor> {
    match target {
        AnchorTarget::Text(text) => written(text, code),
        AnchorTarget::Place(place) => at_place(place, code),
    }
}

fn at_place(place: &AnchorPlace, code: &AnchoredCode<'_>) -> Result<Anchor> {
    let path = check_path(&place.path)?;
    match (&place.symbol, place.start_line) {
        (Some(symbol), line) => in_file(&path, symbol, line, code),
        (None, 0) if code.exists(&path) => Ok(whole(&path, code)),
        (None, 0) => Err(missing(&path)),
        (None, start) => at_lines(&path, start, place.end_line.max(start), code),
    }
}

fn written(text: &str, code: &AnchoredCode<'_>) -> Result<Anchor> {
    let text = text.trim();
    if let Some((path, symbol)) = text.split_once('#') {
        return if path.is_empty() {
            by_symbol(symbol, code)
        } else {
            in_file(&check_path(path)?, symbol, 0, code)
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

/// The definition of a name: of several the one that has the line, else the first.
fn in_file(path: &str, symbol: &str, line: u32, code: &AnchoredCode<'_>) -> Result<Anchor> {
    let text = code.text(path).ok_or_else(|| missing(path))?;
    let symbols = code.symbols(path);
    let named = |is_named: &dyn Fn(&Symbol) -> bool| {
        let mut named = symbols.iter().filter(|known| is_named(known));
        let has_line =
            |known: &&Symbol| (known.span.start_line..=known.span.end_line).contains(&line);
        named.clone().find(has_line).or_else(|| named.next())
    };
    let found =
        named(&|known| known.qualified == symbol).or_else(|| named(&|known| known.name == symbol));
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
        [path] => in_file(path, symbol, 0, code),
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
