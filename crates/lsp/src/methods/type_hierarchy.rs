//! `textDocument/prepareTypeHierarchy` and what follows: what a type comes from, and what comes from it.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::methods::implementation::heritage_request;
use crate::named::{Pointed, pointed_at};
use crate::places::{Places, is_type, kind_of};
use crate::users::refs_request;
use lsp_server::ErrorCode;
use lsp_types::{
    TypeHierarchyItem, TypeHierarchyPrepareParams, TypeHierarchySubtypesParams,
    TypeHierarchySupertypesParams,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use whyrank_engine::api::{Heir, RefsResponse, SymbolLine};

/// The type that an item is of.
#[derive(Serialize, Deserialize)]
struct ItemData {
    symbol: SymbolLine,
}

pub(crate) fn prepare(
    ask: &Ask<'_>,
    params: TypeHierarchyPrepareParams,
) -> Result<Option<Vec<TypeHierarchyItem>>, Failure> {
    let asked = params.text_document_position_params;
    let Some(Pointed { file, meaning, .. }) = pointed_at(ask, &asked)? else {
        return Ok(None);
    };
    let places = Places::new(ask, &file.repo);
    let types = meaning
        .definitions
        .iter()
        .filter(|symbol| is_type(&symbol.kind));
    let items = types.map(|symbol| item(&places, symbol, meaning.is_certain));
    let items = items.collect::<Result<Vec<_>, _>>()?;
    Ok((!items.is_empty()).then_some(items))
}

pub(crate) fn supertypes(
    ask: &Ask<'_>,
    params: TypeHierarchySupertypesParams,
) -> Result<Option<Vec<TypeHierarchyItem>>, Failure> {
    relatives(ask, &params.item, |refs| refs.bases)
}

pub(crate) fn subtypes(
    ask: &Ask<'_>,
    params: TypeHierarchySubtypesParams,
) -> Result<Option<Vec<TypeHierarchyItem>>, Failure> {
    relatives(ask, &params.item, |refs| refs.heirs)
}

/// Those one step away; the editor asks on from there. Certain ones first.
fn relatives(
    ask: &Ask<'_>,
    asked: &TypeHierarchyItem,
    side: impl Fn(RefsResponse) -> Vec<Heir>,
) -> Result<Option<Vec<TypeHierarchyItem>>, Failure> {
    let data = asked.data.clone().unwrap_or_default();
    let ItemData { symbol } = serde_json::from_value(data).map_err(|error| {
        let message = format!("this item is not Whyrank's: {error}");
        Failure::new(ErrorCode::InvalidParams, message)
    })?;
    let file = ask.file(&asked.uri)?;
    let request = heritage_request(refs_request(&file.repo, &symbol));
    let mut heirs = side(ask.engine().refs(&request)?);
    heirs.retain(|heir| heir.depth == 1);
    heirs.sort_by_key(|heir| !heir.certain);
    let places = Places::new(ask, &file.repo);
    let items = heirs.iter();
    let items = items.map(|heir| item(&places, &heir.symbol, heir.certain));
    Ok(Some(items.collect::<Result<Vec<_>, _>>()?))
}

fn item(
    places: &Places<'_>,
    symbol: &SymbolLine,
    is_certain: bool,
) -> Result<TypeHierarchyItem, Failure> {
    let placed = places.symbol(symbol)?;
    let maybe = if is_certain { "" } else { "maybe · " };
    Ok(TypeHierarchyItem {
        name: symbol.name.clone(),
        kind: kind_of(&symbol.kind),
        tags: None,
        detail: Some(format!("{maybe}{}", symbol.path)),
        uri: placed.uri,
        range: placed.span,
        selection_range: placed.name,
        data: Some(json!(ItemData {
            symbol: symbol.clone()
        })),
    })
}
