//! `textDocument/prepareCallHierarchy` and what follows: who calls a definition, and what it calls.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::named::{Pointed, pointed_at};
use crate::places::{Places, is_callable, is_same, kind_of};
use crate::roots::ServedRepo;
use crate::users::refs_request;
use lsp_server::ErrorCode;
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range,
    SymbolKind,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use whyrank_engine::api::{ImpactHit, ImpactRequest, RefHit, Relation, SymbolLine};

/// The definition that an item is of; none for a file whose code outside of definitions uses another.
#[derive(Serialize, Deserialize)]
struct ItemData {
    symbol: Option<SymbolLine>,
}

pub(crate) fn prepare(
    ask: &Ask<'_>,
    params: CallHierarchyPrepareParams,
) -> Result<Option<Vec<CallHierarchyItem>>, Failure> {
    let asked = params.text_document_position_params;
    let Some(Pointed { file, meaning, .. }) = pointed_at(ask, &asked)? else {
        return Ok(None);
    };
    let places = Places::new(ask, &file.repo);
    let items = meaning.definitions.iter();
    let items = items.map(|symbol| item(&places, symbol, meaning.is_certain));
    let items = items.collect::<Result<Vec<_>, _>>()?;
    Ok((!items.is_empty()).then_some(items))
}

/// Its users in code: certain callers before those that may be some.
pub(crate) fn incoming(
    ask: &Ask<'_>,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>, Failure> {
    let Some((repo, symbol)) = meant(ask, &params.item)? else {
        return Ok(None);
    };
    let impact = ask.engine().impact(&ImpactRequest {
        repo: repo.id.clone(),
        symbol: symbol.qualified.clone(),
        path: Some(symbol.path.clone()),
        line: Some(symbol.name_line),
        depth: 1,
        as_of: None,
    })?;
    let uses = ask.engine().refs(&refs_request(&repo, &symbol))?.references;
    let is_call = |hit: &&ImpactHit| matches!(hit.relation, Relation::Uses | Relation::Through);
    let mut callers: Vec<&ImpactHit> = impact.callers.iter().filter(is_call).collect();
    let is_certain =
        |hit: &ImpactHit| hit.confidence.is_certain() && impact.by_name_only.is_empty();
    callers.sort_by_key(|hit| (!is_certain(hit), hit.test));
    let places = Places::new(ask, &repo);
    let mut calls = Vec::new();
    for hit in callers {
        let from = item(&places, &hit.caller, is_certain(hit))?;
        let from_ranges = ranges(&places, &symbol, &hit.caller, (hit.line, &uses))?;
        calls.push(CallHierarchyIncomingCall { from, from_ranges });
    }
    calls.extend(outside(&places, &symbol, &impact.outside)?);
    Ok(Some(calls))
}

/// Files that use a definition outside of any definition of their own: scripts, tests that are calls.
fn outside(
    places: &Places<'_>,
    symbol: &SymbolLine,
    uses: &[RefHit],
) -> Result<Vec<CallHierarchyIncomingCall>, Failure> {
    let mut calls: Vec<CallHierarchyIncomingCall> = Vec::new();
    for hit in uses.iter().filter(|hit| !hit.doc) {
        let locations = places.uses(hit, std::slice::from_ref(symbol))?;
        let Some(first) = locations.first() else {
            continue;
        };
        let ranges = locations.iter().map(|location| location.range);
        if let Some(same_file) = calls.iter_mut().find(|call| call.from.uri == first.uri) {
            same_file.from_ranges.extend(ranges);
            continue;
        }
        let maybe = maybe(hit.confidence.is_certain());
        let from = CallHierarchyItem {
            name: hit.path.clone(),
            kind: SymbolKind::FILE,
            tags: None,
            detail: Some(format!("{maybe}outside of any definition")),
            uri: first.uri.clone(),
            range: first.range,
            selection_range: first.range,
            data: Some(json!(ItemData { symbol: None })),
        };
        calls.push(CallHierarchyIncomingCall {
            from,
            from_ranges: ranges.collect(),
        });
    }
    Ok(calls)
}

/// The places where a caller uses a definition.
fn ranges(
    places: &Places<'_>,
    symbol: &SymbolLine,
    caller: &SymbolLine,
    (first, uses): (u32, &[RefHit]),
) -> Result<Vec<Range>, Failure> {
    let is_here = |hit: &&RefHit| {
        let lines = caller.start_line..=caller.end_line;
        hit.path == caller.path && lines.contains(&hit.line)
    };
    let mut ranges = Vec::new();
    for hit in uses.iter().filter(is_here) {
        let locations = places.uses(hit, std::slice::from_ref(symbol))?;
        ranges.extend(locations.into_iter().map(|location| location.range));
    }
    if ranges.is_empty() {
        let file = places.file(&caller.path)?;
        let line = file.shown_line_near(first);
        ranges.push(file.trimmed(line));
    }
    ranges.dedup();
    Ok(ranges)
}

/// The definitions that are called within it.
pub(crate) fn outgoing(
    ask: &Ask<'_>,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>, Failure> {
    let Some((repo, symbol)) = meant(ask, &params.item)? else {
        return Ok(None);
    };
    let names = ask.names(&repo, &symbol.path)?;
    let places = Places::new(ask, &repo);
    let mut called: Vec<(SymbolLine, bool, Vec<Range>)> = Vec::new();
    let lines = symbol.start_line..=symbol.end_line;
    let inside = names.names.iter();
    for place in inside.filter(|place| !place.own && lines.contains(&place.line)) {
        let file = places.file(&symbol.path)?;
        let Some(line) = file.shown_line(place.line) else {
            continue;
        };
        let range = file.range_of_units(line, (place.start, place.end));
        let targets = place.targets.iter();
        let targets = targets.filter_map(|target| names.definitions.get(*target as usize));
        for target in targets.filter(|target| is_callable(&target.kind)) {
            match called
                .iter_mut()
                .find(|(callee, ..)| is_same(callee, target))
            {
                Some((_, is_certain, ranges)) => {
                    *is_certain |= place.certain;
                    ranges.push(range);
                }
                None => called.push((target.clone(), place.certain, vec![range])),
            }
        }
    }
    called.sort_by_key(|(_, is_certain, _)| !*is_certain);
    let mut calls = Vec::new();
    for (target, is_certain, from_ranges) in called {
        let to = item(&places, &target, is_certain)?;
        calls.push(CallHierarchyOutgoingCall { to, from_ranges });
    }
    Ok(Some(calls))
}

fn item(
    places: &Places<'_>,
    symbol: &SymbolLine,
    is_certain: bool,
) -> Result<CallHierarchyItem, Failure> {
    let placed = places.symbol(symbol)?;
    let maybe = maybe(is_certain);
    Ok(CallHierarchyItem {
        name: symbol.qualified.clone(),
        kind: kind_of(&symbol.kind),
        tags: None,
        detail: Some(format!("{maybe}{}", symbol.path)),
        uri: placed.uri,
        range: placed.span,
        selection_range: placed.name,
        data: Some(json!(ItemData {
            symbol: Some(symbol.clone())
        })),
    })
}

fn maybe(is_certain: bool) -> &'static str {
    if is_certain { "" } else { "maybe · " }
}

fn meant(
    ask: &Ask<'_>,
    item: &CallHierarchyItem,
) -> Result<Option<(ServedRepo, SymbolLine)>, Failure> {
    let data = item.data.clone().unwrap_or_default();
    let data: ItemData = serde_json::from_value(data).map_err(|error| {
        let message = format!("this item is not Whyrank's: {error}");
        Failure::new(ErrorCode::InvalidParams, message)
    })?;
    let repo = ask.file(&item.uri)?.repo;
    Ok(data.symbol.map(|symbol| (repo, symbol)))
}
