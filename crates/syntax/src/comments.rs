//! Where comments lie in a text, by look: also in excerpts, and fast enough for a query to ask.

use crate::language::Language;
use crate::lexical::{self, TokenKind};
use crate::line_patterns;
use std::ops::Range;

/// Languages in which a long string at the beginning of a line is documentation.
const WITH_DOCSTRINGS: [&str; 3] = ["python", "elixir", "julia"];
const LONG_QUOTES: [&str; 2] = ["\"\"\"", "'''"];

/// Returns bytes of a text's comments, documentation strings among them, in order. Text that is no
/// code has none.
///
/// O(text); never fails. A comment that is not closed goes on to the end.
pub fn comments(text: &str, language: Language) -> Vec<Range<usize>> {
    let Some(patterns) = line_patterns::of(language).filter(|_| language.is_code()) else {
        return Vec::new();
    };
    let has_docstrings = WITH_DOCSTRINGS.contains(&language.name());
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let long = long_string(text, at).filter(|_| has_docstrings);
        let (is_comment, end) = match long {
            Some(end) => (begins_a_line(text, at), end),
            None => {
                let token = lexical::token_from(text, at, patterns.syntax);
                (token.kind == Some(TokenKind::Comment), token.end)
            }
        };
        if is_comment {
            found.push(at..end);
        }
        at = end;
    }
    found
}

/// The end of the long string that begins here.
fn long_string(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let quotes = LONG_QUOTES
        .iter()
        .find(|quotes| rest.starts_with(**quotes))?;
    let inside = &rest[quotes.len()..];
    let end = inside.find(quotes).map(|end| end + 2 * quotes.len());
    Some(at + end.unwrap_or(rest.len()))
}

/// Says whether nothing stands before it on its line but the letters of a string (`r"""`) or an attribute
/// (`@doc """`).
fn begins_a_line(text: &str, at: usize) -> bool {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let before = text[line..at].trim();
    before.starts_with('@') || (before.len() <= 2 && before.chars().all(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str, language: &str) -> String {
        let mut left = text.to_owned();
        let language = Language::from_name(language).unwrap();
        for range in comments(text, language).into_iter().rev() {
            left.replace_range(range, "");
        }
        left
    }

    #[test]
    fn comments_go_and_strings_stay() {
        let check = |language: &str, text: &str, left: &str| {
            assert_eq!(without(text, language), left, "{language}: {text}");
        };
        check("rust", "/// adds\nfn f<'a>() {} // é", "\nfn f<'a>() {} ");
        check(
            "javascript",
            "/** a\n * b */\nf('// no') /* c */",
            "\nf('// no') ",
        );
        check("go", "x := \"http://y\" // z", "x := \"http://y\" ");
        check(
            "python",
            "def f():\n    r\"\"\"Says \"f\".\n\n    More.\"\"\"\n    return '''# x''' # y",
            "def f():\n    r\n    return '''# x''' ",
        );
        check(
            "elixir",
            "@doc \"\"\"\nAdds.\n\"\"\"\ndef f, do: 1 # x",
            "@doc \ndef f, do: 1 ",
        );
        check("ruby", "# adds\ndef f; '#x'; end", "\ndef f; '#x'; end");
        check("lua", "-- adds\nlocal x = 1", "\nlocal x = 1");
    }

    #[test]
    fn open_ends_and_other_texts() {
        assert_eq!(without("a /* open é", "c"), "a ");
        assert_eq!(without("x = 1\n\"\"\"open", "python"), "x = 1\n");
        assert_eq!(without("# A title", "markdown"), "# A title");
        assert_eq!(without("", "c"), "");
    }
}
