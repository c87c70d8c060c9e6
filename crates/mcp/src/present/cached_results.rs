//! Earlier answers: pages of places, lines of text, and what is kept.

use serde::Serialize;

use super::Style;
use super::page::{Footer, Page, clip, span};
use crate::answer::ToolResult;

const CALL_CHARS: usize = 80;

/// An answer that is kept.
#[derive(Clone, Debug, Serialize)]
pub struct CachedLine {
    /// Its handle.
    pub handle: String,
    /// The call that it answered.
    pub call: String,
    /// Lines of its text.
    pub n_lines: usize,
    /// Tokens of its text.
    pub tokens: u32,
    /// Places in it.
    pub n_results: usize,
    /// Seconds since.
    pub age_s: u64,
}

/// Writes places of an earlier answer; `offset` and total of what they are a part of.
pub fn results(
    page_of: &[ToolResult],
    (offset, total): (usize, usize),
    handle: &str,
    style: Style,
) -> String {
    let mut page = Page::new(style.budget);
    let lines = page_of.iter().map(|result| {
        let place = span(&result.path, result.start_line, result.end_line);
        let more = [&result.kind, &result.symbol];
        let more: Vec<&str> = more.into_iter().flatten().map(String::as_str).collect();
        format!("{place} {}", more.join(" ")).trim_end().to_owned()
    });
    let shown = lines.take_while(|line| page.line(line)).count();
    if page_of.is_empty() {
        page.head(&format!("nothing in {handle} from {offset} on fits"));
        return page.finish(&Footer::default());
    }
    let next = format!("next offset {}", offset + shown);
    page.finish(&Footer {
        shown,
        total,
        what: "places",
        note: (offset + shown < total).then_some(next.as_str()),
        ..Footer::default()
    })
}

/// Writes numbered lines of an earlier answer, with a mark where some are left out.
pub fn kept_lines(call: &str, lines: &[(usize, &str)], n_lines: usize, style: Style) -> String {
    let mut page = Page::new(style.budget);
    if !call.is_empty() {
        page.head(&clip(call, CALL_CHARS));
    }
    let mut shown = 0;
    let mut last = 0;
    for (line, text) in lines {
        let gap = if shown > 0 && *line > last + 1 {
            "…\n"
        } else {
            ""
        };
        if !page.line(&format!("{gap}{line}: {text}")) {
            break;
        }
        (shown, last) = (shown + 1, *line);
    }
    page.finish(&Footer {
        shown,
        total: n_lines,
        what: "lines",
        ..Footer::default()
    })
}

/// Writes what is kept, newest first.
pub fn kept(kept: &[CachedLine], style: Style) -> String {
    let mut page = Page::new(style.budget);
    if kept.is_empty() {
        page.head("nothing is kept yet: answers that were cut are, for as long as the server runs");
        return page.finish(&Footer::default());
    }
    let lines = kept.iter().map(|one| {
        format!(
            "{} {}: {} lines, {} tokens, {} places, {} s ago",
            one.handle,
            clip(&one.call, CALL_CHARS),
            one.n_lines,
            one.tokens,
            one.n_results,
            one.age_s
        )
    });
    let shown = lines.take_while(|line| page.line(line)).count();
    page.finish(&Footer {
        shown,
        total: kept.len(),
        what: "kept",
        ..Footer::default()
    })
}
