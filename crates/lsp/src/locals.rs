//! Names that the functions of a text keep for themselves: parameters and local variables.
//!
//! They are read from the text that the editor shows, saved or not, and need no index. Beside the language's
//! own server nothing is said of them.

use crate::ask::{Ask, RepoFile};
use crate::documents::Document;
use crate::failure::Failure;
use crate::mode::Mode;
use crate::shown::ShownFile;
use lsp_types::{Location, Position, Range, TextDocumentPositionParams};
use std::rc::Rc;
use whyrank_engine::api::{FileOutline, LocalPlace};

/// A local name in the editor, and every place that means the same.
pub(crate) struct Local {
    pub(crate) shown: Rc<ShownFile>,
    /// Its place.
    pub(crate) range: Range,
    /// The first place that declares it.
    pub(crate) declaration: Range,
    pub(crate) places: Vec<(Range, LocalPlace)>,
}

impl Local {
    /// Its places in the editor; without those that declare it where they are not asked for.
    pub(crate) fn locations(&self, with_declarations: bool) -> Vec<Location> {
        let places = self.places.iter();
        let asked = places.filter(|(range, _)| with_declarations || *range != self.declaration);
        asked
            .map(|(range, _)| self.shown.location(*range))
            .collect()
    }
}

/// The local name at a position; `None` where there is none, and beside another server.
///
/// # Errors
///
/// A file that the editor does not hold and the index neither.
pub(crate) fn local_at(
    ask: &Ask<'_>,
    asked: &TextDocumentPositionParams,
) -> Result<Option<Local>, Failure> {
    let file = ask.known_file(&asked.text_document.uri);
    let Some(file) = file.filter(|_| ask.shared.mode == Mode::Alone) else {
        return Ok(None);
    };
    let shown = shown(ask, &file)?;
    let places = ask
        .shared
        .last_locals
        .of(ask.engine(), &file.path, shown.text());
    let Some(meant) = meant(&places, &shown, asked.position) else {
        return Ok(None);
    };
    let same = places.iter().filter(|place| place.binding == meant.binding);
    let range = |place: &LocalPlace| shown.range_of_bytes((place.start, place.end));
    let declaration = same.clone().find(|place| place.declares).unwrap_or(meant);
    Ok(Some(Local {
        range: range(meant),
        declaration: range(declaration),
        places: same.map(|place| (range(place), *place)).collect(),
        shown,
    }))
}

/// Says whether a name in the text of the editor is a local one, whoever answers for it.
pub(crate) fn is_local(
    ask: &Ask<'_>,
    file: &RepoFile,
    shown: &ShownFile,
    position: Position,
) -> bool {
    let places = ask
        .shared
        .last_locals
        .of(ask.engine(), &file.path, shown.text());
    meant(&places, shown, position).is_some()
}

fn meant<'a>(
    places: &'a [LocalPlace],
    shown: &ShownFile,
    position: Position,
) -> Option<&'a LocalPlace> {
    let byte = shown.byte(position);
    // Between two names that touch, the one that begins there is meant.
    let mut around = places.iter().rev();
    around.find(|place| (place.start..=place.end).contains(&byte))
}

/// The text that the editor holds, without what the index knows of it; else the file as it was indexed.
fn shown(ask: &Ask<'_>, file: &RepoFile) -> Result<Rc<ShownFile>, Failure> {
    let Some(Document::Text(_)) = file.buffer else {
        ask.ready(&file.repo)?;
        return ask.shown(file);
    };
    let uri = ask.uri(&file.repo, &file.path)?;
    let (outline, encoding) = (FileOutline::default(), ask.shared.encoding);
    Ok(Rc::new(ShownFile::new(
        uri,
        outline,
        file.buffer.as_ref(),
        encoding,
    )))
}
