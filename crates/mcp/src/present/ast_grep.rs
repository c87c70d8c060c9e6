//! Code of a shape: a block a file, a line a match.

use whyrank_engine::api::{AstGrepResponse, AstMatch};

use super::Style;
use super::page::{Footer, Page, clip, count};

/// What a line shows of the code.
const LINE_CHARS: usize = 120;
/// What the head shows of the pattern.
const PATTERN_CHARS: usize = 60;
const BINDING_CHARS: usize = 60;

/// Writes matches by file, those in tests last; detailed with what metavariables match.
pub fn ast_grep(pattern: &str, response: &AstGrepResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    page.head(&head(pattern, response));
    let mut shown = 0;
    let mut in_tests = false;
    for matches in response
        .matches
        .chunk_by(|a, b| a.path == b.path && a.test == b.test)
    {
        if matches[0].test && !in_tests {
            in_tests = true;
            if !page.line("in tests:") {
                break;
            }
        }
        let added = add_file(&mut page, matches, style);
        shown += added;
        if added < matches.len() {
            break;
        }
    }
    page.finish(&Footer {
        shown,
        total: response.n_matches as usize,
        what: "matches",
        note: (!response.note.is_empty()).then_some(&response.note),
        ..Footer::default()
    })
}

fn head(pattern: &str, response: &AstGrepResponse) -> String {
    let pattern = clip(pattern, PATTERN_CHARS);
    let languages = match response.languages.as_slice() {
        [] => "no file in a language with a grammar".to_owned(),
        [first, second, third, rest @ ..] if rest.len() > 1 => {
            format!(
                "{first}, {second}, {third} and {} more languages",
                rest.len()
            )
        }
        languages => languages.join(", "),
    };
    let searched = count(response.n_searched as usize, "file");
    match response.n_matches {
        0 => format!("{pattern}: nothing of that shape in {searched} ({languages})"),
        n => {
            let matches = match n {
                1 => "1 match".to_owned(),
                n => format!("{n} matches"),
            };
            let files = count(response.n_files as usize, "file");
            format!("{pattern}: {matches} in {files} ({languages})")
        }
    }
}

/// Writes what there is room for of a file; how many matches that was.
fn add_file(page: &mut Page, matches: &[AstMatch], style: Style) -> usize {
    let path = &matches[0].path;
    if let [only] = matches {
        return usize::from(page.line(&format!("{path}:{}", line(only, style))));
    }
    if !page.line(&format!("{path}:")) {
        return 0;
    }
    matches
        .iter()
        .take_while(|found| page.line(&format!("  {}", line(found, style))))
        .count()
}

fn line(found: &AstMatch, style: Style) -> String {
    let lines = if found.end_line > found.start_line {
        format!("{}-{}", found.start_line, found.end_line)
    } else {
        found.start_line.to_string()
    };
    let text = clip(&found.text, LINE_CHARS);
    if !style.detailed {
        return format!("{lines} {text}");
    }
    let inside = found.enclosing.iter().map(|name| format!("in {name}"));
    let bindings = found
        .bindings
        .iter()
        .map(|binding| format!("{} = {}", binding.name, clip(&binding.text, BINDING_CHARS)));
    let more: Vec<String> = inside.chain(bindings).collect();
    if more.is_empty() {
        format!("{lines} {text}")
    } else {
        format!("{lines} {text}  [{}]", more.join("; "))
    }
}
