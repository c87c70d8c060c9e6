//! Markdown: a heading opens a section, nested by level; fenced code holds no headings.
//!
//! Sections are symbols of kind `Section`, named by their heading and qualified by the path of
//! headings joined with ` > `.

use crate::lines::Lines;
use crate::types::{FileFacts, Symbol, SymbolKind};

struct Heading<'s> {
    line: u32,
    level: usize,
    title: &'s str,
}

/// The sections of a text; chunks are cut by the caller.
pub(crate) fn read(lines: &Lines<'_>) -> FileFacts {
    let headings = headings(lines);
    let mut facts = FileFacts::default();
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (at, heading) in headings.iter().enumerate() {
        let next = headings[at + 1..]
            .iter()
            .find(|next| next.level <= heading.level);
        let last = next.map_or(lines.count(), |next| next.line - 1);
        while open
            .last()
            .is_some_and(|&(level, _)| level >= heading.level)
        {
            open.pop();
        }
        let parent = open.last().map(|&(_, symbol)| symbol);
        let title: String = heading.title.chars().take(200).collect();
        let qualified = match parent {
            Some(parent) => format!("{} > {title}", facts.symbols[parent as usize].qualified),
            None => title.clone(),
        };
        let signature = lines.text(heading.line).trim().chars().take(200).collect();
        open.push((heading.level, facts.symbols.len() as u32));
        facts.symbols.push(Symbol {
            name: title,
            qualified,
            kind: SymbolKind::Section,
            span: lines.span(heading.line, last),
            name_line: heading.line,
            signature,
            doc: None,
            parent,
            exported: true,
        });
    }
    facts
}

fn headings<'s>(lines: &Lines<'s>) -> Vec<Heading<'s>> {
    let mut headings: Vec<Heading<'s>> = Vec::new();
    let mut fence: Option<&str> = None;
    let front_matter = front_matter_end(lines);
    for line in front_matter + 1..=lines.count() {
        let text = lines.text(line).trim_start_matches('\u{feff}');
        let trimmed = text.trim_start();
        if let Some(mark) = fence {
            if trimmed.starts_with(mark) && trimmed.trim_end().chars().all(|c| mark.contains(c)) {
                fence = None;
            }
            continue;
        }
        if lines.indent(line) >= 4 {
            continue;
        }
        fence = ["```", "~~~"]
            .into_iter()
            .find(|mark| trimmed.starts_with(mark));
        if fence.is_some() {
            continue;
        }
        if let Some((level, title)) = atx(trimmed) {
            headings.push(Heading { line, level, title });
        } else if let Some(level) = setext(trimmed)
            && line > front_matter + 1
            && is_paragraph(lines.text(line - 1))
            && headings
                .last()
                .is_none_or(|heading| heading.line < line - 1)
        {
            headings.push(Heading {
                line: line - 1,
                level,
                title: lines.text(line - 1).trim(),
            });
        }
    }
    headings
}

fn front_matter_end(lines: &Lines<'_>) -> u32 {
    if lines.text(1).trim_end() != "---" {
        return 0;
    }
    let end = (2..=lines.count().min(200)).find(|&line| lines.text(line).trim_end() == "---");
    end.unwrap_or(0)
}

fn atx(text: &str) -> Option<(usize, &str)> {
    let level = text.bytes().take_while(|&byte| byte == b'#').count();
    let rest = &text[level..];
    if !(1..=6).contains(&level) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
        return None;
    }
    let title = rest.trim().trim_end_matches('#').trim_end();
    (!title.is_empty()).then_some((level, title))
}

fn setext(text: &str) -> Option<usize> {
    let text = text.trim_end();
    if text.len() < 2 {
        return None;
    }
    match text.as_bytes()[0] {
        b'=' if text.bytes().all(|byte| byte == b'=') => Some(1),
        b'-' if text.bytes().all(|byte| byte == b'-') => Some(2),
        _ => None,
    }
}

fn is_paragraph(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && !text.starts_with(['#', '>', '|', '-', '*', '+', '`', '<'])
}
