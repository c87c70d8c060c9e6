//! `textDocument/definition`.

use crate::ask::{Ask, RepoFile};
use crate::failure::Failure;
use crate::locals::local_at;
use crate::named::{Pointed, pointed_at};
use crate::places::{Places, is_callable};
use lsp_types::{
    GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink, Position, Range,
};
use whyrank_engine::api::SymbolLine;

/// The declaration of a local name, else the definitions that the name at a position means, in the order in
/// which the engine names them: of a function that is declared and defined, what defines it.
pub(crate) fn answer(
    ask: &Ask<'_>,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    led_to(ask, params, |symbol| !only_declares(symbol))
}

/// The same with the heads that only declare, where there are such.
pub(crate) fn declared(
    ask: &Ask<'_>,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    led_to(ask, params, only_declares)
}

fn led_to(
    ask: &Ask<'_>,
    params: GotoDefinitionParams,
    is_wanted: impl Fn(&SymbolLine) -> bool,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    let asked = params.text_document_position_params;
    if let Some(local) = local_at(ask, &asked)? {
        let declaration = local.shown.location(local.declaration);
        return Ok(response(ask, local.range, vec![declaration]));
    }
    let Some(Pointed {
        file,
        shown,
        meaning,
    }) = pointed_at(ask, &asked)?
    else {
        return Ok(None);
    };
    if !meaning.is_certain && ask.shared.options.certain_only {
        return Ok(None);
    }
    let mut wanted = Vec::new();
    for definition in &meaning.definitions {
        wanted.extend(parts(ask, &file, definition, &is_wanted)?);
    }
    let locations = match &meaning.unsaved {
        Some(_) => vec![shown.location(meaning.range)],
        None => Places::new(ask, &file.repo).symbols(&wanted)?,
    };
    Ok(response(ask, meaning.range, locations))
}

/// Those of a definition and what is one with it that are wanted; itself where none is.
fn parts(
    ask: &Ask<'_>,
    file: &RepoFile,
    definition: &SymbolLine,
    is_wanted: impl Fn(&SymbolLine) -> bool,
) -> Result<Vec<SymbolLine>, Failure> {
    if is_wanted(definition) {
        return Ok(vec![definition.clone()]);
    }
    let mut parts = ask.engine().parts_of(&file.repo.id, definition)?;
    parts.retain(is_wanted);
    if parts.is_empty() {
        parts.push(definition.clone());
    }
    Ok(parts)
}

/// Says whether a head declares what another place defines: a prototype, `extern`.
fn only_declares(symbol: &SymbolLine) -> bool {
    let is_prototype = is_callable(&symbol.kind) && symbol.signature.ends_with(';');
    let is_extern =
        symbol.signature.starts_with("extern ") && !symbol.signature.contains(['=', '{']);
    is_prototype || is_extern
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
