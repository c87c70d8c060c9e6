//! `textDocument/documentHighlight`: the places of a file that certainly mean what the name at a position means.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::locals::local_at;
use crate::named::{Named, Pointed, pointed_at};
use crate::places::is_same;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, Range};
use whyrank_engine::api::NamePlace;

pub(crate) fn answer(
    ask: &Ask<'_>,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>, Failure> {
    let asked = params.text_document_position_params;
    if let Some(local) = local_at(ask, &asked)? {
        let places = local.places.iter();
        let places = places.map(|(range, place)| highlight(*range, place.sets));
        return Ok(Some(places.collect()));
    }
    // Editors ask unasked wherever a cursor rests: of a file that is not served there is nothing to show.
    if ask.known_file(&asked.text_document.uri).is_none() {
        return Ok(None);
    }
    let Some(pointed) = pointed_at(ask, &asked)? else {
        return Ok(None);
    };
    match pointed.meaning.is_certain {
        true => of_definitions(ask, &pointed).map(Some),
        false => Ok(None),
    }
}

fn of_definitions(ask: &Ask<'_>, pointed: &Pointed) -> Result<Vec<DocumentHighlight>, Failure> {
    let Pointed {
        file,
        shown,
        meaning,
    } = pointed;
    let Named {
        range, definitions, ..
    } = meaning;
    let mut places = vec![highlight(*range, false)];
    if !shown.is_indexed() {
        return Ok(places);
    }
    let names = ask.names(&file.repo, &file.path)?;
    let means_the_same = |place: &&NamePlace| {
        let mut targets = place.targets.iter();
        let is_meant = |target: &u32| {
            let target = names.definitions.get(*target as usize);
            target.is_some_and(|target| definitions.iter().any(|meant| is_same(meant, target)))
        };
        place.certain && targets.any(is_meant)
    };
    for place in names.names.iter().filter(means_the_same) {
        let Some(line) = shown.shown_line(place.line) else {
            continue;
        };
        let range = shown.range_of_units(line, (place.start, place.end));
        if !places.iter().any(|other| other.range == range) {
            places.push(highlight(range, false));
        }
    }
    places.sort_by_key(|place| (place.range.start.line, place.range.start.character));
    Ok(places)
}

fn highlight(range: Range, sets: bool) -> DocumentHighlight {
    let kind = match sets {
        true => DocumentHighlightKind::WRITE,
        false => DocumentHighlightKind::READ,
    };
    DocumentHighlight {
        range,
        kind: Some(kind),
    }
}
