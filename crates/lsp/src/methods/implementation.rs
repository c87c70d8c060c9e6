//! `textDocument/implementation`: who implements, extends or overrides; certain ones first.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::methods::definition::response;
use crate::named::{Pointed, pointed_at};
use crate::places::Places;
use crate::users::refs_request;
use lsp_types::Location;
use lsp_types::request::{GotoImplementationParams, GotoImplementationResponse};
use whyrank_engine::api::{Heir, RefsRequest, SymbolLine};

/// Kinds of `refs` that ask for heirs and bases.
const HERITAGE: [&str; 3] = ["implements", "extends", "overrides"];

pub(crate) fn answer(
    ask: &Ask<'_>,
    params: GotoImplementationParams,
) -> Result<Option<GotoImplementationResponse>, Failure> {
    let asked = params.text_document_position_params;
    let Some(Pointed { file, meaning, .. }) = pointed_at(ask, &asked)? else {
        return Ok(None);
    };
    let mut heirs = Vec::new();
    for definition in &meaning.definitions {
        let request = heritage_request(refs_request(&file.repo, definition));
        heirs.extend(ask.engine().refs(&request)?.heirs);
    }
    heirs.sort_by_key(|heir| !heir.certain);
    let places = Places::new(ask, &file.repo);
    let mut locations: Vec<Location> = Vec::new();
    for heir in &heirs {
        let location = place(&places, heir)?;
        if !locations.contains(&location) {
            locations.push(location);
        }
    }
    Ok(response(ask, meaning.range, locations))
}

/// The same request for heirs and bases alone.
pub(crate) fn heritage_request(request: RefsRequest) -> RefsRequest {
    RefsRequest {
        kinds: HERITAGE.map(str::to_owned).to_vec(),
        ..request
    }
}

/// The place of an heir: an anonymous type has a line and no name.
fn place(places: &Places<'_>, heir: &Heir) -> Result<Location, Failure> {
    let symbol: &SymbolLine = &heir.symbol;
    let Some(line) = heir.line else {
        let placed = places.symbol(symbol)?;
        return Ok(Location::new(placed.uri, placed.name));
    };
    let file = places.file(&symbol.path)?;
    Ok(file.location(file.trimmed(file.shown_line_near(line))))
}
