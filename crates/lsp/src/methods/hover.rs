//! `textDocument/hover`: signature, comment, who uses it, and the memos about it. Beside the language's own
//! server, which shows the first two, the others alone.

use crate::ask::{Ask, RepoFile};
use crate::failure::Failure;
use crate::locals::{Local, local_at};
use crate::mode::Mode;
use crate::named::{Named, named_at};
use crate::places::Places;
use crate::shown::nth;
use crate::users::{Users, memos_of};
use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind, Range};
use whyrank_engine::api::{Memo, SymbolLine};
use whyrank_system::visible;

/// Definitions shown of a name that may mean several.
const MAX_SHOWN: usize = 3;
/// Lines of a comment, and characters of a memo.
const MAX_COMMENT_LINES: usize = 40;
const MAX_MEMO_CHARS: usize = 400;
/// Characters of the line that declares a local name.
const MAX_LINE_CHARS: usize = 300;

pub(crate) fn answer(ask: &Ask<'_>, params: HoverParams) -> Result<Option<Hover>, Failure> {
    let asked = params.text_document_position_params;
    if let Some(local) = local_at(ask, &asked)? {
        return Ok(Some(markdown(words_of_local(&local), local.range)));
    }
    // Editors ask unasked wherever a pointer rests: of a file that is not served there is nothing to show.
    let Some(file) = ask.known_file(&asked.text_document.uri) else {
        return Ok(None);
    };
    ask.ready(&file.repo)?;
    let shown = ask.shown(&file)?;
    let Some(meaning) = named_at(ask, &file, &shown, asked.position)? else {
        return Ok(None);
    };
    let value = words(ask, &file, &meaning)?;
    Ok(Some(markdown(value, meaning.range)))
}

fn markdown(value: String, range: Range) -> Hover {
    Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value,
        }),
        range: Some(range),
    }
}

/// The line that declares a local name, and the number of its other places.
fn words_of_local(local: &Local) -> String {
    let line = local.shown.line(local.declaration.start.line).trim();
    let line: String = line.chars().take(MAX_LINE_CHARS).collect();
    let n_others = local.places.len().saturating_sub(1);
    let others = match n_others {
        1 => "1 other place".to_owned(),
        n => format!("{n} other places"),
    };
    let number = local.declaration.start.line + 1;
    format!("{}\n**local** · {others} · line {number}", code("", &line))
}

fn words(ask: &Ask<'_>, file: &RepoFile, meaning: &Named) -> Result<String, Failure> {
    let mut parts = Vec::new();
    if !meaning.is_certain {
        parts.push("*Maybe: nothing but the name leads here.*".to_owned());
    }
    if let (Some(own), true) = (&meaning.unsaved, meaning.definitions.is_empty()) {
        parts.push(format!(
            "{}\n*Not saved yet: who uses it is not known.*",
            code("", &own.signature)
        ));
    }
    let places = Places::new(ask, &file.repo);
    for definition in meaning.definitions.iter().take(MAX_SHOWN) {
        if ask.shared.mode == Mode::Alone {
            parts.push(head(&places, definition)?);
        }
        parts.push(extras(ask, file, definition)?);
    }
    let n_more = meaning.definitions.len().saturating_sub(MAX_SHOWN);
    if n_more > 0 {
        parts.push(format!("*and {n_more} more of the name*"));
    }
    Ok(parts.join("\n\n"))
}

/// Signature and comment.
fn head(places: &Places<'_>, definition: &SymbolLine) -> Result<String, Failure> {
    let file = places.file(&definition.path)?;
    let signature = code(&file.outline.language, &definition.signature);
    let symbol = file.symbol_at(definition.name_line, &definition.name);
    let Some((first, last)) = symbol.and_then(|symbol| symbol.doc) else {
        return Ok(signature);
    };
    let lines = (first..=last).take(MAX_COMMENT_LINES);
    let lines = lines.map(|line| bare(nth(&file.outline.text, line.saturating_sub(1))));
    let comment = lines.collect::<Vec<_>>().join("\n");
    Ok(format!("{signature}\n{}", harmless(comment.trim())))
}

/// Its users, and the memos about it.
fn extras(ask: &Ask<'_>, file: &RepoFile, definition: &SymbolLine) -> Result<String, Failure> {
    let users = Users::of(ask, &file.repo, definition)?;
    let memos = memos_of(ask, &file.repo, definition)?;
    let mut lines = vec![format!(
        "**{}** · `{}:{}`",
        users.words(memos.len()),
        definition.path,
        definition.name_line
    )];
    lines.extend(memos.iter().map(memo_words));
    Ok(lines.join("\n\n"))
}

fn memo_words(memo: &Memo) -> String {
    let text: String = memo.content.chars().take(MAX_MEMO_CHARS).collect();
    let rest = match text.len() < memo.content.len() {
        true => "…",
        false => "",
    };
    let drifted = match memo.drifted {
        true => ", drifted: the code changed since",
        false => "",
    };
    let text = harmless(&text).replace('\n', "\n> ");
    format!("> *{}{drifted}*: {text}{rest}", memo.kind.as_str())
}

/// A block of code, whatever stands in it.
fn code(language: &str, text: &str) -> String {
    let text = visible::text(text).replace("```", "'''");
    format!("```{language}\n{text}\n```")
}

/// A line of a comment without the marks that make it one.
fn bare(line: &str) -> &str {
    let line = line.trim();
    let marks = [
        "/**", "/*!", "/*", "*/", "///", "//!", "//", "--", "\"\"\"", "'''", ";;", "#", "*",
    ];
    let unmarked = marks.iter().find_map(|mark| line.strip_prefix(mark));
    let line = unmarked.unwrap_or(line);
    let line = line.strip_suffix("*/").unwrap_or(line);
    line.strip_suffix("\"\"\"").unwrap_or(line).trim()
}

/// A stranger's text in Markdown: no markup of pages, and no picture that a look would fetch.
fn harmless(text: &str) -> String {
    let lines = text.lines().map(|line| visible::line(line).into_owned());
    let text = lines.collect::<Vec<_>>().join("\n");
    text.replace('<', "&lt;").replace("![", "!\\[")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_is_shown_without_its_marks() {
        let lines = [
            "/// Adds.",
            "/** Adds. */",
            " * Adds.",
            "# Adds.",
            "\"\"\"Adds.\"\"\"",
        ];
        for line in lines {
            assert_eq!(bare(line), "Adds.", "{line}");
        }
        assert_eq!(bare("Adds."), "Adds.");
    }

    #[test]
    fn a_strangers_text_fetches_nothing_and_ends_no_block() {
        assert_eq!(harmless("![x](http://y)"), "!\\[x](http://y)");
        assert_eq!(harmless("<img src=x>"), "&lt;img src=x>");
        assert_eq!(code("c", "a ``` b"), "```c\na ''' b\n```");
    }
}
