//! The definitions that a name in an editor means.
//!
//! The index knows what the names of a file mean. A name on a line that is edited and not saved is none of
//! them: its line is parsed for a definition, else the same word elsewhere in the file, and at last the name
//! alone lead on. Both are guesses, and marked as such; a local name means none of these.

use crate::ask::{Ask, RepoFile};
use crate::failure::Failure;
use crate::locals::is_local;
use crate::shown::ShownFile;
use lsp_types::{Position, Range, TextDocumentPositionParams};
use std::rc::Rc;
use whyrank_engine::api::{LookupRequest, SymbolLine};

/// A name in the editor, and what it means.
pub(crate) struct Named {
    /// Its place.
    pub(crate) range: Range,
    /// The definitions that it means, as the index knows them.
    pub(crate) definitions: Vec<SymbolLine>,
    /// Scope, imports, types or a compiler lead there; else it is a guess.
    pub(crate) is_certain: bool,
    /// A definition that is not saved yet, with lines of the editor: the name is its own.
    pub(crate) unsaved: Option<SymbolLine>,
}

/// The file, as the editor shows it, and the name in it that an editor's question points at.
pub(crate) struct Pointed {
    pub(crate) file: RepoFile,
    pub(crate) shown: Rc<ShownFile>,
    pub(crate) meaning: Named,
}

/// The target of a question; `None` as for [`named_at`].
///
/// # Errors
///
/// A file that no repository serves; those of the engine.
pub(crate) fn pointed_at(
    ask: &Ask<'_>,
    asked: &TextDocumentPositionParams,
) -> Result<Option<Pointed>, Failure> {
    let file = ask.file(&asked.text_document.uri)?;
    let shown = ask.shown(&file)?;
    let meaning = named_at(ask, &file, &shown, asked.position)?;
    Ok(meaning.map(|meaning| Pointed {
        file,
        shown,
        meaning,
    }))
}

/// The meaning of the name at a position; `None` where there is no name, or one that no definition bears.
///
/// # Errors
///
/// Those of the engine.
pub(crate) fn named_at(
    ask: &Ask<'_>,
    file: &RepoFile,
    shown: &ShownFile,
    position: Position,
) -> Result<Option<Named>, Failure> {
    let indexed = shown.indexed_line(position.line);
    match indexed.filter(|_| shown.is_indexed()) {
        Some(indexed) => indexed_name(ask, file, shown, (indexed, position)),
        None => edited_name(ask, file, shown, position),
    }
}

fn indexed_name(
    ask: &Ask<'_>,
    file: &RepoFile,
    shown: &ShownFile,
    (indexed, position): (u32, Position),
) -> Result<Option<Named>, Failure> {
    let names = ask.names(&file.repo, &file.path)?;
    let column = shown.units(position);
    let is_meant = |start: u32, end: u32| (start..=end).contains(&column);
    let mut places = names
        .names
        .iter()
        .filter(|place| place.line == indexed && is_meant(place.start, place.end));
    // Between two names that touch, the one that begins there is meant.
    let Some(place) = places.next_back() else {
        return Ok(None);
    };
    let definitions = place.targets.iter();
    let definitions = definitions.filter_map(|target| names.definitions.get(*target as usize));
    Ok(Some(Named {
        range: shown.range_of_units(position.line, (place.start, place.end)),
        definitions: definitions.cloned().collect(),
        is_certain: place.certain,
        unsaved: None,
    }))
}

fn edited_name(
    ask: &Ask<'_>,
    file: &RepoFile,
    shown: &ShownFile,
    position: Position,
) -> Result<Option<Named>, Failure> {
    let Some(bytes) = shown.word(position) else {
        return Ok(None);
    };
    let word = shown.line(position.line)[bytes.0..bytes.1].to_owned();
    let range = shown.range(position.line, bytes);
    let outline = ask.engine().outline_of(&file.path, shown.text());
    let is_own = |line: &SymbolLine| line.name_line == position.line + 1 && line.name == word;
    let mut symbols = outline.symbols.into_iter().map(|symbol| symbol.line);
    if let Some(own) = symbols.find(is_own) {
        // It may be one of the index whose head was edited.
        let indexed = shown.outline.symbols.iter().map(|symbol| &symbol.line);
        let same = indexed.filter(|line| line.qualified == own.qualified && line.kind == own.kind);
        return Ok(Some(Named {
            range,
            definitions: same.cloned().collect(),
            is_certain: true,
            unsaved: Some(own),
        }));
    }
    if is_local(ask, file, shown, position) {
        return Ok(None);
    }
    let definitions = guessed(ask, file, shown, &word)?;
    Ok((!definitions.is_empty()).then_some(Named {
        range,
        definitions,
        is_certain: false,
        unsaved: None,
    }))
}

/// The possible meanings of a word: what it means elsewhere in the file, else what bears the name.
fn guessed(
    ask: &Ask<'_>,
    file: &RepoFile,
    shown: &ShownFile,
    word: &str,
) -> Result<Vec<SymbolLine>, Failure> {
    let names = match shown.is_indexed() {
        true => ask.names(&file.repo, &file.path)?,
        false => Rc::default(),
    };
    let mut targets: Vec<u32> = Vec::new();
    for place in &names.names {
        let line = crate::shown::nth(&shown.outline.text, place.line.saturating_sub(1));
        if crate::encoding::text_of_units(line, (place.start, place.end)) == word {
            targets.extend(&place.targets);
        }
    }
    targets.sort_unstable();
    targets.dedup();
    if !targets.is_empty() {
        let targets = targets.iter();
        let definitions = targets.filter_map(|target| names.definitions.get(*target as usize));
        return Ok(definitions.cloned().collect());
    }
    let by_name = ask.engine().lookup(&LookupRequest {
        repo: file.repo.id.clone(),
        symbol: word.to_owned(),
        ..LookupRequest::default()
    })?;
    Ok(by_name.definitions)
}
