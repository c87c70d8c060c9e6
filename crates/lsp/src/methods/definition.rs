//! `textDocument/definition`.

use crate::ask::{Ask, RepoFile};
use crate::failure::Failure;
use crate::locals::local_at;
use crate::named::{Pointed, pointed_at};
use crate::places::{Places, is_callable};
use crate::shown::places_of;
use lsp_types::{
    GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink, Position, Range,
    TextDocumentPositionParams,
};
use whyrank_engine::api::SymbolLine;

/// Lines that an import spans at most.
const MOST_IMPORT_LINES: u32 = 60;

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
    let pointed = pointed_at(ask, &asked)?;
    let leads_on = |pointed: &Pointed| {
        !pointed.meaning.definitions.is_empty() || pointed.meaning.unsaved.is_some()
    };
    let Some(Pointed {
        file,
        shown,
        meaning,
    }) = pointed.filter(leads_on)
    else {
        return imported(ask, &asked);
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

/// The import in the file itself that brings a name from outside of the repository: more is not known of it.
fn imported(
    ask: &Ask<'_>,
    asked: &TextDocumentPositionParams,
) -> Result<Option<GotoDefinitionResponse>, Failure> {
    let file = ask.file(&asked.text_document.uri)?;
    let shown = ask.shown(&file)?;
    let line = asked.position.line;
    let Some((start, end)) = shown.word(asked.position) else {
        return Ok(None);
    };
    let column = u32::try_from(start).unwrap_or(u32::MAX);
    let place = (line + 1, column);
    let Some(import) = ask.engine().import_of(&file.path, shown.text(), place) else {
        return Ok(None);
    };
    let name = &shown.line(line)[start..end];
    let first = import.saturating_sub(1);
    let mut lines = first..first + MOST_IMPORT_LINES;
    let written = lines.find_map(|line| {
        let start = places_of(shown.line(line), name).first().copied()?;
        Some(shown.range(line, (start, start + name.len())))
    });
    let location = shown.location(written.unwrap_or(shown.trimmed(first)));
    Ok(response(
        ask,
        shown.range(line, (start, end)),
        vec![location],
    ))
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
