//! What comes before something else: adapters and wrappers, decorators.

use std::collections::BTreeMap;

use whyrank_syntax::{ReferenceKind, Symbol, SymbolKind};

use super::code::{PatternCode, Type, parameters};
use super::draft::Draft;
use super::words::{calls, has_any, has_word, is_named};
use crate::{input::files::SymbolId, languages::FunctionWrappers};

/// Types most of whose methods hand on to one thing inside.
pub(super) fn adapters(code: &PatternCode<'_>) -> Vec<Draft> {
    let types = code.types.iter().filter(|one| one.kind.is_type());
    types.filter_map(|one| adapter(code, one)).collect()
}

fn adapter(code: &PatternCode<'_>, one: &Type<'_>) -> Option<Draft> {
    let (field, handed) = delegation(code, one)?;
    let n_methods = code
        .methods(one)
        .filter(|(_, symbol)| symbol.kind != SymbolKind::Constructor)
        .count();
    if handed.len() < 2 || handed.len() * 2 < n_methods || decorated_base(code, one).is_some() {
        return None;
    }
    let mut draft = Draft::new(one.id);
    let points = if handed.len() > 2 { 3 } else { 2 };
    let (file, line) = handed[0];
    let why = format!("{} of {n_methods} methods hand on to {field}", handed.len());
    draft.add_in(points, file, line, why);
    if let Some((file, line)) = kept(code, one, &field) {
        draft.add_in(1, file, line, format!("keeps {field}"));
    }
    draft.named = is_named(
        one.name,
        &[
            "adapter",
            "wrapper",
            "proxy",
            "bridge",
            "delegate",
            "delegating",
            "facade",
        ],
    );
    Some(draft)
}

/// The field that most one-line methods hand on to, and where.
fn delegation(code: &PatternCode<'_>, one: &Type<'_>) -> Option<(String, Vec<(u32, u32)>)> {
    let mut fields: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
    for (id, symbol) in code.methods(one) {
        if symbol.kind == SymbolKind::Constructor {
            continue;
        }
        if let [(line, text)] = code.inner(id).as_slice()
            && let Some(field) = handed_on(text)
        {
            fields.entry(field).or_default().push((id.file, *line));
        }
    }
    fields.into_iter().max_by_key(|(_, handed)| handed.len())
}

/// `x` of `return this.x.do(…)`.
fn handed_on(text: &str) -> Option<String> {
    let text = text
        .trim_start_matches("return ")
        .trim_start_matches("await ")
        .trim_start_matches("try ");
    let rest = ["this.", "self.", "$this->", "@"]
        .iter()
        .find_map(|own| text.strip_prefix(own))?;
    let end = rest.find(|char: char| !(char.is_alphanumeric() || char == '_'))?;
    let (field, call) = rest.split_at(end);
    let call = call.strip_prefix("->").or_else(|| call.strip_prefix('.'))?;
    let name: String = call
        .chars()
        .take_while(|char| char.is_alphanumeric() || *char == '_')
        .collect();
    let is_call = call[name.len()..].starts_with('(') || call[name.len()..].is_empty();
    (!field.is_empty() && !name.is_empty() && is_call).then(|| field.to_owned())
}

/// Where a constructor keeps a field.
fn kept(code: &PatternCode<'_>, one: &Type<'_>, field: &str) -> Option<(u32, u32)> {
    let constructors = code
        .methods(one)
        .filter(|(_, symbol)| symbol.kind == SymbolKind::Constructor || symbol.name == "new");
    let mut lines = constructors.filter_map(|(id, _)| {
        let sets = |line: &str| has_word(line, field) && line.contains('=') || line == field;
        code.line_where(id, sets).map(|(line, _)| (id.file, line))
    });
    lines.next()
}

/// Functions and objects that add something to what they wrap and look like it.
pub(super) fn decorators(code: &PatternCode<'_>) -> Vec<Draft> {
    let functions = code
        .functions()
        .filter_map(|(id, symbol)| function(code, id, symbol));
    let types = code.types.iter().filter(|one| one.kind.is_type());
    functions
        .chain(types.filter_map(|one| object(code, one)))
        .collect()
}

/// A function that takes a function, defines one that calls it, and returns that.
fn function(code: &PatternCode<'_>, id: SymbolId, symbol: &Symbol) -> Option<Draft> {
    let inner: Vec<(SymbolId, &Symbol)> = code
        .children_of(id)
        .filter(|(_, child)| child.kind.is_callable())
        .collect();
    let mut draft = Draft::new(id);
    match code.rules(id.file).function_wrappers {
        FunctionWrappers::Nested => {
            let (child, wrapped) = inner.iter().find_map(|(child, _)| {
                let wrapped = parameters(symbol).into_iter().find(|name| {
                    *name != "self"
                        && *name != "cls"
                        && code.line_where(*child, |line| calls(line, name)).is_some()
                })?;
                Some((*child, wrapped))
            })?;
            let (line, _) = code.line_where(child, |line| calls(line, wrapped))?;
            let name = &code.symbol(child).name;
            let returned = code
                .body(id)
                .filter(|(_, text)| text.starts_with("return") && has_word(text, name))
                .last();
            draft.add(2, line, format!("{name} calls {wrapped}"));
            draft.add(2, returned?.0, format!("returns {name}"));
            let wraps = code.line_where(id, |line| {
                line.starts_with('@') && has_any(line, &["wraps(", "update_wrapper"])
            });
            if let Some((line, _)) = wraps {
                draft.add(1, line, "keeps the name of what it wraps");
            }
        }
        FunctionWrappers::Returned => {
            let wrapped = parameters(symbol).into_iter().find(|name| {
                matches!(
                    *name,
                    "fn" | "func" | "callback" | "cb" | "original" | "handler" | "f"
                )
            })?;
            let returns = code.line_where(id, |line| {
                line.starts_with("return function")
                    || (line.starts_with("return") && line.contains("=>"))
            })?;
            let (line, _) = code.body(id).find(|(line, text)| {
                *line >= returns.0
                    && (calls(text, wrapped)
                        || has_any(
                            text,
                            &[&format!("{wrapped}.apply("), &format!("{wrapped}.call(")],
                        ))
            })?;
            draft.add(2, returns.0, "returns a function");
            draft.add(1, line, format!("that calls {wrapped}"));
        }
        FunctionWrappers::Unknown => return None,
    }
    draft.named = is_named(
        &symbol.name,
        &[
            "decorator",
            "wrap",
            "wrapper",
            "decorate",
            "wrapped",
            "wraps",
        ],
    );
    Some(draft)
}

/// A type that is of a base, keeps one of it, and hands on to it.
fn object(code: &PatternCode<'_>, one: &Type<'_>) -> Option<Draft> {
    let (base, file, line) = decorated_base(code, one)?;
    let (field, handed) = delegation(code, one)?;
    let mut draft = Draft::new(one.id);
    draft.add_in(2, file, line, format!("keeps a {base}, and is one"));
    let (file, line) = handed[0];
    draft.add_in(
        if handed.len() > 1 { 2 } else { 1 },
        file,
        line,
        format!("hands on to {field}"),
    );
    draft.named = is_named(
        one.name,
        &["decorator", "wrapper", "proxy", "delegating", "forwarding"],
    );
    Some(draft)
}

/// The base of which a type keeps one: name, and where it keeps it.
fn decorated_base<'a>(code: &PatternCode<'a>, one: &Type<'a>) -> Option<(&'a str, u32, u32)> {
    let bases: Vec<&str> = one
        .bases
        .iter()
        .map(|base| base.0)
        .filter(|base| code.types_named(base).next().is_some())
        .collect();
    one.members.iter().find_map(|id| {
        let symbol = code.symbol(*id);
        let keeps = matches!(
            symbol.kind,
            SymbolKind::Field | SymbolKind::Property | SymbolKind::Constructor
        );
        let mut types = code
            .references_in(*id)
            .filter(|reference| reference.kind == ReferenceKind::Type);
        let found = types.find(|reference| bases.contains(&reference.name.as_str()))?;
        // A list of its like is a composite.
        let is_single = !has_any(
            &symbol.signature,
            &["List", "[]", "Collection", "Array", "Vec<", "Set<", "Map<"],
        );
        let base = bases.iter().copied().find(|base| *base == found.name)?;
        (keeps && is_single).then_some((base, id.file, found.line))
    })
}
