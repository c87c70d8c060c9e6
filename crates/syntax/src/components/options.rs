//! Components of Vue that are an object of options: a template means its methods and computed values.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::nesting::closing;
use crate::lines::Lines;
use crate::types::{FileFacts, Symbol, SymbolKind};

/// The head of the object.
const SHOWN: &str = "export default";
/// The options whose members a template sees: not those that watch, check or run by themselves.
static SEEN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(?:methods|computed|filters)\s*:\s*(\{)").ok());

/// How a name of the template is reached.
#[derive(Clone, Copy)]
enum Reached {
    /// As a member of what the file shows.
    Member,
    /// From within its function `setup`, by place.
    Inside(u32),
}

/// Binds names that the template uses to what the object of a component has under them.
pub(crate) fn bind(source: &str, scripts: &[Range<usize>], facts: &mut FileFacts) {
    let names = names(source, facts);
    if names.is_empty() {
        return;
    }
    for symbol in &mut facts.symbols {
        // What the function around the object gives is the object.
        if symbol.qualified == "default" && symbol.signature.starts_with(SHOWN) {
            symbol.signature.truncate(SHOWN.len());
        }
    }
    let lines = Lines::new(source);
    for used in &mut facts.references {
        let at = (lines.start(used.line) + used.column) as usize;
        if scripts.iter().any(|script| script.contains(&at)) {
            continue;
        }
        let head = used.qualifier.split('.').next().unwrap_or("");
        let head = if head.is_empty() { &used.name } else { head };
        match names.get(head) {
            Some(Reached::Member) if used.qualifier.is_empty() => {
                "default".clone_into(&mut used.qualifier);
            }
            Some(Reached::Member) => used.qualifier.insert_str(0, "default."),
            Some(Reached::Inside(setup)) => used.enclosing = Some(*setup),
            None => {}
        }
    }
}

fn names(source: &str, facts: &FileFacts) -> HashMap<String, Reached> {
    let symbols = &facts.symbols;
    let of_name = |name: &str| symbols.iter().position(|symbol| symbol.qualified == name);
    let Some(default) = of_name("default") else {
        return HashMap::new();
    };
    let setup = of_name("default.setup").map(|at| at as u32);
    let span = symbols[default].span;
    let object = span.start_byte as usize..span.end_byte as usize;
    let seen = seen(source, object);
    let is_seen = |symbol: &Symbol| {
        let start = symbol.span.start_byte as usize;
        matches!(symbol.kind, SymbolKind::Method | SymbolKind::Property)
            && seen.iter().any(|option| option.contains(&start))
    };
    let names = symbols.iter().filter_map(|symbol| {
        let reached = match symbol.parent {
            Some(parent) if parent as usize == default && is_seen(symbol) => Reached::Member,
            Some(parent) if Some(parent) == setup => Reached::Inside(parent),
            _ => return None,
        };
        Some((symbol.name.clone(), reached))
    });
    names.collect()
}

/// Where the options lie whose members a template sees.
fn seen(source: &str, object: Range<usize>) -> Vec<Range<usize>> {
    let text = source.get(..object.end).unwrap_or("");
    let found = SEEN.iter().flat_map(|option| option.captures_iter(text));
    let opened = found.filter_map(|option| Some(option.get(1)?.start()));
    let inside = opened.filter(|open| object.contains(open));
    inside
        .filter_map(|open| Some(open..closing(text, open)?))
        .collect()
}
