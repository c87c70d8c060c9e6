//! What an edit broke, a line each, as an agent's hook tells it.

use whyrank_engine::api::{Breakages, BrokenImports, ReviewedSymbol, RiskKind, SymbolChange};
use whyrank_system::visible;

use super::page::{by_path, clip, count, short};

/// Lines of an answer, the head and the one that counts the rest included.
const N_LINES: usize = 5;
const N_PLACES: usize = 4;
const LINE_CHARS: usize = 300;

/// A finding: what it is whatever is done about it meanwhile, and how it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakageLine {
    /// The same as long as it is the same finding.
    pub key: String,
    /// One line.
    pub text: String,
}

/// Writes a line for each finding, those that went first.
pub fn breakages(found: &Breakages) -> Vec<BreakageLine> {
    let imports = found.broken_imports.iter().map(imports_line);
    let mut symbols: Vec<&ReviewedSymbol> = found.symbols.iter().collect();
    symbols.sort_by_key(|one| one.change != SymbolChange::Removed);
    imports
        .chain(symbols.into_iter().map(symbol_line))
        .map(|(key, text)| BreakageLine {
            key,
            text: clip(&visible::line(&text), LINE_CHARS),
        })
        .collect()
}

/// Writes what a hook says of findings that are new: five lines at most; none where there are none.
pub fn breakage_note(new: &[&BreakageLine]) -> Option<String> {
    if new.is_empty() {
        return None;
    }
    let head = "whyrank: this edit leaves behind (names and paths are quoted from the repository):";
    let room = N_LINES - 1;
    let shown = if new.len() > room {
        room - 1
    } else {
        new.len()
    };
    let mut lines = vec![head.to_owned()];
    lines.extend(new[..shown].iter().map(|one| one.text.clone()));
    if shown < new.len() {
        let rest = count(new.len() - shown, "more finding");
        lines.push(format!("- {rest}: call review_diff"));
    }
    Some(lines.join("\n"))
}

fn imports_line(one: &BrokenImports) -> (String, String) {
    let places = one
        .importers
        .iter()
        .map(|place| (place.path.as_str(), place.line));
    let places = places_words(places, one.n_importers as usize);
    let text = format!("- `{}` went, and is still imported: {places}", one.path);
    (format!("imports {}", one.path), text)
}

fn symbol_line(one: &ReviewedSymbol) -> (String, String) {
    let symbol = &one.symbol;
    let name = short(&symbol.qualified);
    let places = one
        .callers
        .iter()
        .map(|place| (place.path.as_str(), place.line));
    let n_tests = one.callers.iter().filter(|place| place.test).count();
    let places = places_words(places, one.n_callers as usize + n_tests);
    let lost = one
        .reasons
        .iter()
        .filter(|reason| reason.kind == RiskKind::Heritage);
    let mut says: Vec<String> = lost.map(|reason| reason.text.clone()).collect();
    let uses_say = match one.change {
        SymbolChange::Removed => "is still used",
        SymbolChange::Signature => "users did not change",
        _ => "",
    };
    if !one.callers.is_empty() && !uses_say.is_empty() {
        says.push(format!("{uses_say}: {places}"));
    }
    let (place, what) = match one.change {
        SymbolChange::Removed => (symbol.path.clone(), "went"),
        SymbolChange::Signature => (
            format!("{}:{}", symbol.path, symbol.name_line),
            "has another signature",
        ),
        _ => (format!("{}:{}", symbol.path, symbol.name_line), "changed"),
    };
    let key = format!(
        "{} {} {} {}",
        one.change, symbol.path, symbol.qualified, symbol.signature
    );
    let text = format!("- `{name}` ({place}) {what}; {}", says.join("; "));
    (key, text)
}

/// `src/b.py:7, 9; src/c.py:1 +2`.
fn places_words<'p>(places: impl Iterator<Item = (&'p str, u32)>, n_all: usize) -> String {
    let places: Vec<(&str, String)> = places
        .map(|(path, line)| (path, line.to_string()))
        .collect();
    let shown = places.len().min(N_PLACES);
    let words = by_path(places.into_iter().take(shown));
    match n_all.saturating_sub(shown) {
        0 => words,
        more => format!("{words} +{more}"),
    }
}
