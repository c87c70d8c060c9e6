//! Search hits: a line each, and snippets where the budget leaves room.

pub use super::page::missing;

use whyrank_engine::api::{Hit, SearchResponse, SnippetLine};

use super::Style;
use super::page::{Footer, Page, clip, cost, signature, span};
use super::symbols::names_kind;

/// Hits that may carry a snippet in the concise form.
const N_WITH_SNIPPET: usize = 3;
/// Lines of such a snippet.
const SNIPPET_LINES: usize = 2;
/// Definitions from this many lines on always have their best line shown.
const LONG_LINES: u32 = 120;
const SIGNATURE_CHARS: usize = 120;
/// Near-identical files that a hit names.
const MAX_COPIES: usize = 3;
const SNIPPET_CHARS: usize = 110;
/// Room for a path that an agent made up.
const UNKNOWN_FILE_CHARS: usize = 200;

/// Writes a search's answer: `path:43-60 kind signature` a hit, best first.
pub fn search(response: &SearchResponse, style: Style) -> String {
    let mut page = Page::new(style.budget);
    if !response.missing.is_empty() {
        page.head(&missing(&response.missing));
    }
    if let Some(unknown) = &response.unknown_current_file {
        page.head(&clip(unknown, UNKNOWN_FILE_CHARS));
    }
    if response.hits.is_empty() {
        page.head("no hits; try fewer or other words, or lift path, language and kind filters");
    }
    let blocks = if style.detailed {
        detailed_blocks(&response.hits)
    } else {
        concise_blocks(&response.hits, page.room())
    };
    let shown = blocks.iter().take_while(|block| page.line(block)).count();
    if shown == 0
        && let Some(first) = response.hits.first()
    {
        page.head(&hit_line(first));
    }
    super::memory::beside(&mut page, &response.memos, response.memory_gap.as_deref());
    page.finish(&Footer {
        shown: if response.hits.is_empty() {
            0
        } else {
            shown.max(1)
        },
        total: response.n_candidates as usize,
        what: "candidates",
        query_id: style.detailed.then_some(response.query_id.as_str()),
        coverage: Some(&response.coverage),
        note: response.notes.first().map(String::as_str),
        doubt: response.doubt(),
    })
}

/// Lines for as many hits as fit come first; what room is left goes to the snippets of the best.
fn concise_blocks(hits: &[Hit], mut room: usize) -> Vec<String> {
    let mut blocks: Vec<String> = hits.iter().map(hit_line).collect();
    room = room.saturating_sub(blocks.iter().map(|block| cost(block)).sum());
    for (at, (block, hit)) in blocks.iter_mut().zip(hits).enumerate() {
        let lines: Vec<&SnippetLine> = if at < N_WITH_SNIPPET {
            telling_lines(hit).take(SNIPPET_LINES).collect()
        } else {
            telling_lines(hit)
                .filter(|_| is_long(hit))
                .max_by_key(|line| line.matches.len())
                .into_iter()
                .collect()
        };
        for line in lines {
            let line = format!("  {}: {}", line.line, clip(line.text.trim(), SNIPPET_CHARS));
            if cost(&line) > room {
                return blocks;
            }
            room -= cost(&line);
            block.push('\n');
            block.push_str(&line);
        }
    }
    blocks
}

/// Whether a definition is so long that a reader wants to know where in it.
fn is_long(hit: &Hit) -> bool {
    hit.symbol.is_some() && hit.end_line - hit.start_line >= LONG_LINES
}

/// Lines that say more than the hit's own line does.
fn telling_lines(hit: &Hit) -> impl Iterator<Item = &SnippetLine> {
    let signature = hit.signature.trim();
    let head = kind_and_signature(hit);
    hit.snippet.iter().filter(move |line| {
        let text = line.text.trim();
        // An empty text ends everything.
        !line.matches.is_empty() && !text.starts_with(signature) && !head.ends_with(text)
    })
}

fn detailed_blocks(hits: &[Hit]) -> Vec<String> {
    hits.iter().map(detailed_block).collect()
}

fn detailed_block(hit: &Hit) -> String {
    let channels: Vec<&str> = hit.channels.iter().map(|channel| channel.name()).collect();
    let mut lines = vec![hit_line(hit)];
    lines.push(format!(
        "  score {:.4} by {}; evidence {}",
        hit.score,
        channels.join(", "),
        hit.evidence_id
    ));
    let indent = common_indent(&hit.snippet);
    lines.extend(hit.snippet.iter().map(|line| {
        let text: String = line.text.chars().skip(indent).collect();
        format!("  {}: {}", line.line, clip(text.trim_end(), SNIPPET_CHARS))
    }));
    lines.join("\n")
}

fn common_indent(snippet: &[SnippetLine]) -> usize {
    let indents = snippet
        .iter()
        .filter(|line| !line.text.trim().is_empty())
        .map(|line| {
            line.text
                .chars()
                .take_while(|character| matches!(character, ' ' | '\t'))
                .count()
        });
    indents.min().unwrap_or(0)
}

pub(super) fn hit_line(hit: &Hit) -> String {
    let mut place = span(&hit.path, hit.start_line, hit.end_line);
    if let Some(repo) = &hit.repo {
        place = format!("{repo}/{place}");
    }
    let mut line = format!("{place} {}", kind_and_signature(hit));
    if !hit.badges.is_empty() {
        line.push_str(&format!(" [{}]", hit.badges.join(", ")));
    }
    line + &same_in(&hit.copies)
}

/// Near-identical files, which are no hits of their own.
fn same_in(copies: &[String]) -> String {
    let named = copies[..copies.len().min(MAX_COPIES)].join(", ");
    match copies.len().saturating_sub(MAX_COPIES) {
        _ if copies.is_empty() => String::new(),
        0 => format!(" (same in {named})"),
        n_more => format!(" (same in {named} and {n_more} more)"),
    }
}

/// `function function f()` says one thing twice, and a lone `/**` nothing.
fn kind_and_signature(hit: &Hit) -> String {
    let is_telling = |text: &str| text.contains(char::is_alphanumeric);
    let lines = hit.snippet.iter().map(|line| line.text.as_str());
    let head = std::iter::once(hit.signature.as_str())
        .chain(lines)
        .find(|text| is_telling(text));
    let head = signature(head.unwrap_or_default(), SIGNATURE_CHARS);
    if names_kind(&head, &hit.kind) {
        head
    } else {
        format!("{} {head}", hit.kind).trim_end().to_owned()
    }
}
