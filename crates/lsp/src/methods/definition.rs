//! `textDocument/definition`.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::named::{Pointed, pointed_at};
use crate::places::Places;
use lsp_types::{
    GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink, Position, Range,
};

/// The definitions that the name at a position means, in the order in which the engine names them.
pub(crate) fn answer(
    ask: &Ask<'_>,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    let asked = params.text_document_position_params;
    let Some(Pointed {
        file,
        shown,
        meaning,
    }) = pointed_at(ask, &asked)?
    else {
        return Ok(None);
    };
    let mut places = Places::new(ask, &file.repo);
    let locations = match &meaning.unsaved {
        Some(_) => vec![shown.location(meaning.range)],
        None => places.symbols(&meaning.definitions)?,
    };
    Ok(response(ask, meaning.range, locations))
}

/// The places as links where the client takes them, so that it knows which name was meant.
pub(crate) fn response(
    ask: &Ask<'_>,
    origin: Range,
    locations: Vec<Location>,
) -> Option<GotoDefinitionResponse> {
    if locations.is_empty() {
        return None;
    }
    if !ask.shared.client.takes_links {
        return Some(GotoDefinitionResponse::Array(locations));
    }
    let link = |location: Location| LocationLink {
        origin_selection_range: Some(origin),
        target_uri: location.uri,
        target_range: line_of(location.range),
        target_selection_range: location.range,
    };
    Some(GotoDefinitionResponse::Link(
        locations.into_iter().map(link).collect(),
    ))
}

/// From the start of a range's line on.
fn line_of(range: Range) -> Range {
    Range::new(Position::new(range.start.line, 0), range.end)
}
