//! The topics that a query is about: a block a topic, definitions by file.

use whyrank_engine::api::{Concept, ConceptsResponse, SymbolLine};

use super::Style;
use super::blocks::some;
use super::page::{Footer, Page, clip, count, short};

/// Files that represent a topic in the short form.
const N_FILES: usize = 4;
/// Characters of a query that are repeated.
const MAX_QUERY: usize = 80;

/// Writes the topics, best first.
pub fn concepts(query: &str, response: &ConceptsResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    page.head(&head(&clip(query, MAX_QUERY), response));
    let mut shown = 0;
    for concept in &response.concepts {
        let mut lines = lines(concept, style);
        if response.n_found == 0 {
            lines.truncate(1);
        }
        if !page.line(&lines[0]) {
            break;
        }
        shown += 1;
        if !lines[1..].iter().all(|line| page.line(line)) {
            break;
        }
    }
    page.finish(&Footer {
        shown,
        total: (response.n_found as usize).max(response.concepts.len()),
        what: "topics",
        ..Footer::default()
    })
}

fn head(query: &str, response: &ConceptsResponse) -> String {
    let all = count(response.n_topics as usize, "topic");
    let unknown = if response.unknown.is_empty() {
        String::new()
    } else {
        format!("; no name or doc says {}", response.unknown.join(", "))
    };
    match (response.n_topics, response.n_found, response.is_match) {
        (0, ..) => "no code here that has topics; try search".to_owned(),
        (_, 0, _) => format!("no topic matches \"{query}\"{unknown}; the largest of {all}:"),
        (_, _, false) => format!("no topic is about \"{query}\"{unknown}; nearest of {all}:"),
        (_, n, true) => format!("{n} of {all} match \"{query}\"{unknown}"),
    }
}

fn lines(concept: &Concept, style: Style) -> Vec<String> {
    let folder = if concept.folder.is_empty() {
        String::new()
    } else {
        format!(" in {}/", concept.folder)
    };
    let files = count(concept.files.len(), "file");
    let matched = match (concept.matched.is_empty(), style.detailed) {
        (false, true) => format!(
            ", score {:.1}: {}",
            concept.score,
            concept.matched.join(", ")
        ),
        _ => String::new(),
    };
    let mut lines = vec![format!(
        "{}{folder}: {files}{matched}",
        concept.label.join(" ")
    )];
    let mut by_file: Vec<(&str, Vec<&SymbolLine>)> = Vec::new();
    for symbol in &concept.definitions {
        match by_file.iter_mut().find(|(path, _)| *path == symbol.path) {
            Some((_, symbols)) => symbols.push(symbol),
            None => by_file.push((&symbol.path, vec![symbol])),
        }
    }
    let name = |symbol: &&SymbolLine| {
        if style.detailed {
            format!("{} {} {}", symbol.name_line, symbol.kind, symbol.qualified)
        } else {
            format!("{} {}", symbol.name_line, short(&symbol.qualified))
        }
    };
    for (path, symbols) in &by_file {
        let names: Vec<String> = symbols.iter().map(name).collect();
        lines.push(format!("  {path}: {}", names.join(", ")));
    }
    let is_shown = |path: &&String| by_file.iter().any(|(known, _)| known == path);
    let more: Vec<String> = concept
        .files
        .iter()
        .filter(|path| !is_shown(path))
        .cloned()
        .collect();
    if !more.is_empty() {
        let most = if style.detailed { 20 } else { N_FILES };
        lines.push(format!("  also {}", some(&more, most)));
    }
    lines
}
