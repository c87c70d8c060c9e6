//! Who implements, extends or overrides a symbol, a line each, and what the symbol itself is based on.

use whyrank_engine::api::{Heir, RefsResponse, UseConfidence};

use super::Style;
use super::page::{Footer, Page, count, short, span};

/// Bases named in the head of an answer.
const N_BASES: usize = 3;

/// Writes who implements, extends or overrides a symbol: shipped code first, then nearest first.
pub(super) fn heirs(symbol: &str, response: &RefsResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    page.head(&head(symbol, response));
    let mut shown = 0;
    let mut in_tests = false;
    for heir in &response.heirs {
        if heir.test && !in_tests && !page.line("in tests:") {
            break;
        }
        in_tests |= heir.test;
        if !page.line(&line(heir)) {
            break;
        }
        shown += 1;
    }
    if !response.bases.is_empty() {
        page.line("its own bases:");
        for base in &response.bases {
            page.line(&format!("  {} {}", base.relation, line(base)));
        }
    }
    page.finish(&Footer {
        shown,
        total: response.heirs.len(),
        what: "heirs",
        note: notes(response),
        ..Footer::default()
    })
}

fn head(symbol: &str, response: &RefsResponse) -> String {
    let heirs = &response.heirs;
    let what = if heirs.iter().any(is_member) {
        "member"
    } else {
        "type"
    };
    let mut verbs: Vec<&str> = heirs.iter().map(|heir| heir.relation.as_str()).collect();
    verbs.sort_unstable_by_key(|verb| std::cmp::Reverse(*verb));
    verbs.dedup();
    let verbs: Vec<String> = verbs
        .into_iter()
        .map(|verb| plural(verb, heirs.len()))
        .collect();
    let n_certain = heirs.iter().filter(|heir| heir.certain).count();
    let certain = if n_certain == heirs.len() {
        String::new()
    } else {
        format!(" ({n_certain} certain)")
    };
    let found = if heirs.is_empty() {
        "nothing implements, extends or overrides it".to_owned()
    } else {
        format!(
            "{} {} it{certain}",
            count(heirs.len(), what),
            verbs.join(" or ")
        )
    };
    match response.definitions.as_slice() {
        [one] => {
            let place = span(&one.path, one.start_line, one.end_line);
            format!("{symbol} ({place}): {found}")
        }
        several => format!("{symbol}: {found}; {} definitions", several.len()),
    }
}

fn plural(verb: &str, n: usize) -> String {
    match n {
        1 => verb.to_owned(),
        _ => verb.trim_end_matches('s').to_owned(),
    }
}

fn is_member(heir: &Heir) -> bool {
    heir.line.is_none()
        && matches!(
            heir.symbol.kind.as_str(),
            "method" | "function" | "field" | "property" | "constructor"
        )
}

/// `path:lines kind name`; `?` where it is not certain, and how many steps lie between.
fn line(heir: &Heir) -> String {
    let one = &heir.symbol;
    let mark = if heir.certain { "" } else { "?" };
    let steps = match heir.depth {
        1 => String::new(),
        n => format!(", {n} steps"),
    };
    match heir.line {
        Some(line) => format!(
            "{}:{line} anonymous in {}{mark}{steps}",
            one.path,
            short(&one.qualified)
        ),
        None => {
            let place = span(&one.path, one.start_line, one.end_line);
            format!(
                "{place} {} {}{mark}{steps}",
                one.kind,
                short(&one.qualified)
            )
        }
    }
}

fn notes(response: &RefsResponse) -> Option<&'static str> {
    let all = response.heirs.iter().chain(&response.bases);
    all.into_iter()
        .any(|heir| !heir.certain)
        .then_some("? = not certain")
}

/// Names what a symbol overrides or implements, where uses of that are among its possible ones; where there is
/// nothing, they may mean another overload.
pub(super) fn through(response: &RefsResponse) -> String {
    let mut hits = response.references.iter();
    if hits.all(|hit| hit.confidence != UseConfidence::Possible) {
        return String::new();
    }
    let named = response
        .bases
        .iter()
        .take(N_BASES)
        .map(|base| base.symbol.qualified.as_str());
    let named: Vec<&str> = named.collect();
    if named.is_empty() {
        return "; another overload may be meant".to_owned();
    }
    format!("; by way of {}", named.join(", "))
}
