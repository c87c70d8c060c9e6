//! A few lines for AGENTS.md, between markers, so that agents know when to ask Whyrank.

use crate::document::Broken;

const BEGIN: &str = "<!-- whyrank:begin v1 -->";
const END: &str = "<!-- whyrank:end -->";

const LINES: &str = "\
## Finding code

This repository is indexed by Whyrank (MCP server `whyrank`). Ask it before you grep or read files:

- a question, an error message, a topic: `search`
- where a name is defined: `lookup`; who uses it: `refs`; what a change can break: `impact`
- what a file imports and who imports it: `deps`; an unfamiliar folder: `overview`
- before a commit: `review_diff`; which tests cover a change: `test_map`

Answers are `path:start-end` lines: read those lines next. One question usually is enough; narrow it
with `path` instead of asking again. Whatever it does not cover, search as usual.";

/// The file that all agents but few read.
pub(crate) const AGENTS_FILE: &str = "AGENTS.md";

/// A text with the block at its end, or again where it was.
///
/// `file` other than AGENTS.md gets a line that imports that one.
pub(crate) fn put(text: &str, file: &str) -> Result<String, Broken> {
    let body = match file {
        AGENTS_FILE => LINES,
        _ => "@AGENTS.md",
    };
    let block = format!("{BEGIN}\n{body}\n{END}\n");
    if let Some((before, after)) = split(text)? {
        return Ok(format!("{before}{block}{after}"));
    }
    let gap = match text {
        "" => "",
        text if text.ends_with("\n\n") => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    Ok(format!("{text}{gap}{block}"))
}

/// A text without the block.
pub(crate) fn take(text: &str) -> Result<String, Broken> {
    let Some((before, after)) = split(text)? else {
        return Ok(text.to_owned());
    };
    let before = match before.strip_suffix("\n\n") {
        Some(kept) if after.is_empty() => format!("{kept}\n"),
        _ => before.to_owned(),
    };
    Ok(format!("{before}{after}"))
}

fn split(text: &str) -> Result<Option<(&str, &str)>, Broken> {
    let Some(start) = text.find("<!-- whyrank:begin") else {
        return Ok(None);
    };
    let line = text[..start].matches('\n').count() + 1;
    let end = text[start..].find(END).ok_or_else(|| Broken {
        line,
        reason: format!("the block that begins here has no {END}"),
    })?;
    let after = &text[start + end + END.len()..];
    let after = after
        .strip_prefix("\r\n")
        .or_else(|| after.strip_prefix('\n'));
    let after = after.unwrap_or(&text[start + end + END.len()..]);
    Ok(Some((&text[..start], after)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_is_short() {
        let text = put("", AGENTS_FILE).unwrap();
        assert!(text.lines().count() <= 25, "{}", text.lines().count());
    }

    #[test]
    fn put_then_take_gives_the_text_again() {
        for text in ["", "# Rules\n\nBe kind.\n", "# Rules\n"] {
            let with = put(text, AGENTS_FILE).unwrap();
            assert_eq!(take(&with).unwrap(), text, "{with}");
            assert_eq!(put(&with, AGENTS_FILE).unwrap(), with);
        }
    }

    #[test]
    fn a_block_without_an_end_is_refused() {
        let broken = put("a\n<!-- whyrank:begin v1 -->\nb\n", AGENTS_FILE).unwrap_err();
        assert_eq!(broken.line, 2);
    }
}
