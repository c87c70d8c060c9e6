//! `textDocument/references`: certain uses before those that may be some.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::locals::local_at;
use crate::named::{Pointed, pointed_at};
use crate::places::Places;
use crate::users::refs_request;
use lsp_types::{Location, ReferenceParams};
use whyrank_engine::api::RefHit;

pub(crate) fn answer(
    ask: &Ask<'_>,
    params: ReferenceParams,
) -> Result<Option<Vec<Location>>, Failure> {
    let asked = params.text_document_position;
    if let Some(local) = local_at(ask, &asked)? {
        return Ok(Some(local.locations(params.context.include_declaration)));
    }
    let Some(Pointed {
        file,
        shown,
        meaning,
    }) = pointed_at(ask, &asked)?
    else {
        return Ok(None);
    };
    let places = Places::new(ask, &file.repo);
    let mut locations: Vec<Location> = Vec::new();
    if params.context.include_declaration {
        match &meaning.unsaved {
            Some(_) => locations.push(shown.location(meaning.range)),
            None => {
                for definition in &meaning.definitions {
                    let parts = ask.engine().parts_of(&file.repo.id, definition)?;
                    locations.extend(places.symbols(&parts)?);
                }
            }
        }
    }
    // Those of a definition that is guessed are guesses themselves.
    let is_certain = |hit: &RefHit| meaning.is_certain && hit.confidence.is_certain();
    let (mut certain, mut maybe) = (Vec::new(), Vec::new());
    for definition in &meaning.definitions {
        let answer = ask.engine().refs(&refs_request(&file.repo, definition))?;
        let by_name_only = !answer.by_name_only.is_empty();
        let by_name = answer.by_name.into_iter().flat_map(|places| places.uses);
        for hit in answer.references {
            match is_certain(&hit) && !by_name_only {
                true => certain.push((definition, hit)),
                false => maybe.push((definition, hit)),
            }
        }
        maybe.extend(by_name.map(|hit| (definition, hit)));
    }
    if ask.shared.options.certain_only {
        maybe.clear();
    }
    for (definition, hit) in certain.into_iter().chain(maybe) {
        for location in places.uses(&hit, std::slice::from_ref(definition))? {
            if !locations.contains(&location) {
                locations.push(location);
            }
        }
    }
    Ok(Some(locations))
}
