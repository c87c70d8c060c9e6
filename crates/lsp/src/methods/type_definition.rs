//! `textDocument/typeDefinition`: a type itself, and of a value the types that its declaration names. A
//! function's head names those of its parameters as well, so nothing is said of functions.

use crate::ask::{Ask, RepoFile};
use crate::failure::Failure;
use crate::methods::definition::response;
use crate::named::{Pointed, pointed_at};
use crate::places::{Places, is_same, is_type};
use lsp_types::request::{GotoTypeDefinitionParams, GotoTypeDefinitionResponse};
use whyrank_engine::api::SymbolLine;

pub(crate) fn answer(
    ask: &Ask<'_>,
    params: GotoTypeDefinitionParams,
) -> Result<Option<GotoTypeDefinitionResponse>, Failure> {
    let asked = params.text_document_position_params;
    let Some(Pointed { file, meaning, .. }) = pointed_at(ask, &asked)? else {
        return Ok(None);
    };
    let mut types: Vec<SymbolLine> = Vec::new();
    for definition in &meaning.definitions {
        let types_of_one = match is_type(&definition.kind) {
            true => vec![definition.clone()],
            false => declared(ask, &file, definition)?,
        };
        types.extend(types_of_one);
    }
    let locations = Places::new(ask, &file.repo).symbols(&types)?;
    Ok(response(ask, meaning.range, locations))
}

/// The types that the line of a value's name says behind it, as far as they are certain.
fn declared(
    ask: &Ask<'_>,
    file: &RepoFile,
    value: &SymbolLine,
) -> Result<Vec<SymbolLine>, Failure> {
    let is_value = matches!(
        &value.kind[..],
        "variable" | "constant" | "field" | "property"
    );
    if !is_value {
        return Ok(Vec::new());
    }
    let names = ask.names(&file.repo, &value.path)?;
    let on_line = names.names.iter();
    let on_line = on_line.filter(|place| place.line == value.name_line && place.certain);
    let targets = on_line
        .filter(|place| !place.own)
        .flat_map(|place| &place.targets);
    let definitions = targets.filter_map(|target| names.definitions.get(*target as usize));
    let types =
        definitions.filter(|definition| is_type(&definition.kind) && !is_same(definition, value));
    Ok(types.cloned().collect())
}
