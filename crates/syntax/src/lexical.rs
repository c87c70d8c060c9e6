//! Tokens without a grammar: names, strings, comments and numbers by their look.
//!
//! Used inside macro arguments, for languages that have no grammar, and for files too large or too
//! strange to parse. One forward scan, linear, never fails.

use crate::types::ReferenceKind;

/// How a language writes what is no code.
#[derive(Clone, Copy)]
pub(crate) struct Syntax {
    pub(crate) line_comments: &'static [&'static str],
    pub(crate) block_comments: &'static [(&'static str, &'static str)],
    /// `'…'` is a string of any length (else a character).
    pub(crate) single_quotes: bool,
    pub(crate) keywords: &'static [&'static str],
}

impl Syntax {
    /// C-like, with characters in single quotes.
    pub(crate) const C: Self = Self {
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        single_quotes: false,
        keywords: &[],
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name,
    Number,
    String,
    Comment,
    Mark,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A use of a name found in raw text; row and column count from the start of the text.
pub(crate) struct Use<'s> {
    pub(crate) name: &'s str,
    pub(crate) qualifier: &'s str,
    pub(crate) kind: ReferenceKind,
    pub(crate) row: u32,
    pub(crate) column: u32,
}

/// The tokens of a text, in order; white space is left out.
pub(crate) fn tokens(text: &str, syntax: Syntax) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let next = token_from(text, at, syntax);
        tokens.extend(next.kind.map(|kind| Token {
            kind,
            start: at,
            end: next.end,
        }));
        at = next.end;
    }
    tokens
}

/// What begins somewhere: a token, or one byte of white space.
pub(crate) struct Next {
    pub(crate) kind: Option<TokenKind>,
    pub(crate) end: usize,
}

/// What begins at a character's first byte; it ends behind it, and before a character's first byte.
pub(crate) fn token_from(text: &str, at: usize, syntax: Syntax) -> Next {
    if text.as_bytes()[at].is_ascii_whitespace() {
        return Next {
            kind: None,
            end: at + 1,
        };
    }
    let (kind, end) = token_at(text, at, syntax);
    Next {
        kind: Some(kind),
        end: text.ceil_char_boundary(end.clamp(at + 1, text.len())),
    }
}

fn token_at(text: &str, at: usize, syntax: Syntax) -> (TokenKind, usize) {
    let bytes = text.as_bytes();
    let byte = bytes[at];
    if is_name_start(byte) {
        return (TokenKind::Name, run(bytes, at, is_name_byte));
    }
    if byte.is_ascii_digit() {
        return (
            TokenKind::Number,
            run(bytes, at, |byte| is_name_byte(byte) || byte == b'.'),
        );
    }
    if let Some(end) = comment_end(text, at, syntax) {
        return (TokenKind::Comment, end);
    }
    match byte {
        b'"' | b'`' => (TokenKind::String, string_end(bytes, at, byte, true)),
        b'\'' if syntax.single_quotes => match string_end(bytes, at, byte, false) {
            end if end > at + 1 => (TokenKind::String, end),
            _ => (TokenKind::Mark, at + 1),
        },
        b'\'' => match char_end(bytes, at) {
            Some(end) => (TokenKind::String, end),
            None => (TokenKind::Mark, run(bytes, at + 1, is_name_byte)),
        },
        _ => (TokenKind::Mark, at + 1),
    }
}

fn comment_end(text: &str, at: usize, syntax: Syntax) -> Option<usize> {
    let rest = &text.as_bytes()[at..];
    for (open, close) in syntax.block_comments {
        if rest.starts_with(open.as_bytes()) {
            let from = at + open.len();
            let end = find(&text.as_bytes()[from..], close.as_bytes());
            return Some(end.map_or(text.len(), |end| from + end + close.len()));
        }
    }
    let line = syntax
        .line_comments
        .iter()
        .any(|open| rest.starts_with(open.as_bytes()));
    line.then(|| {
        at + rest
            .iter()
            .position(|&byte| byte == b'\n')
            .unwrap_or(rest.len())
    })
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}

fn run(bytes: &[u8], mut at: usize, belongs: impl Fn(u8) -> bool) -> usize {
    while at < bytes.len() && belongs(bytes[at]) {
        at += 1;
    }
    at
}

/// The end of a string; an unclosed one-line string gives `at` + 1.
fn string_end(bytes: &[u8], at: usize, quote: u8, lines: bool) -> usize {
    let mut end = at + 1;
    while end < bytes.len() {
        match bytes[end] {
            b'\\' => end += 1,
            b'\n' if !lines => return at + 1,
            byte if byte == quote => return end + 1,
            _ => {}
        }
        end += 1;
    }
    if lines { line_end(bytes, at) } else { at + 1 }
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    run(bytes, at + 1, |byte| byte != b'\n')
}

/// The end of `'c'` or `'\n'`; none for a lifetime.
fn char_end(bytes: &[u8], at: usize) -> Option<usize> {
    let limit = bytes.len().min(at + 12);
    if bytes.get(at + 1) == Some(&b'\\') {
        return (at + 3..limit)
            .find(|&end| bytes[end] == b'\'')
            .map(|end| end + 1);
    }
    let end = run(bytes, at + 2, |byte| byte & 0xC0 == 0x80);
    (bytes.get(end) == Some(&b'\'')).then_some(end + 1)
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_name_byte(byte: u8) -> bool {
    is_name_start(byte) || byte.is_ascii_digit()
}

/// The names used in C-like raw text: a name before `(` or `!` is called, any other is read.
pub(crate) fn uses<'s>(text: &'s str, keywords: &[&str]) -> Vec<Use<'s>> {
    uses_in(text, &tokens(text, Syntax::C), keywords)
}

/// The names used among `tokens`.
pub(crate) fn uses_in<'s>(text: &'s str, tokens: &[Token], keywords: &[&str]) -> Vec<Use<'s>> {
    let mut uses = Vec::new();
    let (mut row, mut line_start, mut scanned) = (0, 0, 0);
    let mut path_start = None;
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Name {
            continue;
        }
        for (offset, _) in text.as_bytes()[scanned..token.start]
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
        {
            row += 1;
            line_start = scanned + offset + 1;
        }
        scanned = token.start;
        let name = &text[token.start..token.end];
        let before = separator_before(text, tokens, at);
        if before.is_none() {
            path_start = None;
        }
        let qualifier = match (before, path_start) {
            (Some(_), None) => "…",
            (Some(end), Some(start)) => text
                .get(start..end)
                .filter(|text| text.len() <= 60)
                .unwrap_or("…"),
            (None, _) => "",
        };
        if path_start.is_none() && before.is_none() {
            path_start = Some(token.start);
        }
        if before.is_none() && (keywords.contains(&name) || name.starts_with('$')) {
            path_start = Some(token.start);
            continue;
        }
        let called = matches!(text.as_bytes().get(token.end), Some(b'('))
            || text[token.end..].starts_with('!') && !text[token.end..].starts_with("!=");
        let kind = if called {
            ReferenceKind::Call
        } else {
            ReferenceKind::Read
        };
        uses.push(Use {
            name,
            qualifier,
            kind,
            row,
            column: (token.start - line_start) as u32,
        });
    }
    uses
}

/// Where the separator (`.`, `::`, `->`) before a name starts, if there is one.
fn separator_before(text: &str, tokens: &[Token], at: usize) -> Option<usize> {
    let before = at.checked_sub(1).map(|at| tokens[at])?;
    let first = text.as_bytes()[before.start];
    let double = |byte| {
        let start = before.start.checked_sub(1)?;
        (text.as_bytes()[start] == byte).then_some(start)
    };
    match first {
        b'.' if before.kind == TokenKind::Mark => {
            // `a..b` is a range, not a path.
            (double(b'.').is_none()).then_some(before.start)
        }
        b':' => double(b':'),
        b'>' => double(b'-'),
        _ => None,
    }
}
