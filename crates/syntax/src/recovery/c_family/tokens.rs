//! Words and signs of a C or C++ text, without comments, literals and lines of the preprocessor.

use std::ops::Range;

/// Words that are no names.
pub(super) const KEYWORDS: [&str; 57] = [
    "alignas",
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "constexpr",
    "continue",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "final",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
];

/// Words of directives.
const DIRECTIVES: [&str; 9] = [
    "define", "defined", "elif", "endif", "ifdef", "ifndef", "include", "pragma", "undef",
];

/// A word, a literal or a sign, by its bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Text,
    /// A directive of the preprocessor, with its continued lines.
    Directive,
    Sign(u8),
}

#[derive(Clone)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) bytes: Range<usize>,
}

/// The tokens of a text, in order. O(text).
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let (mut offset, mut begins_line) = (0, true);
    while offset < bytes.len() {
        let start = offset;
        let kind = match bytes[offset] {
            b'\n' => {
                begins_line = true;
                offset += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                offset += 1;
                continue;
            }
            b'/' if bytes.get(offset + 1) == Some(&b'/') => {
                offset = line_end(bytes, offset);
                continue;
            }
            b'/' if bytes.get(offset + 1) == Some(&b'*') => {
                offset = text[offset + 2..]
                    .find("*/")
                    .map_or(bytes.len(), |n| offset + n + 4);
                continue;
            }
            b'#' if begins_line => {
                offset = directive_end(bytes, offset);
                Kind::Directive
            }
            b'R' if bytes.get(offset + 1) == Some(&b'"') => {
                offset = raw_end(text, offset + 1);
                Kind::Text
            }
            quote @ (b'"' | b'\'') => {
                offset = literal_end(bytes, offset, quote);
                Kind::Text
            }
            byte if is_word(byte) => {
                offset += bytes[offset..]
                    .iter()
                    .take_while(|byte| is_word(**byte))
                    .count();
                Kind::Word
            }
            byte => {
                offset += 1;
                Kind::Sign(byte)
            }
        };
        begins_line = kind == Kind::Directive;
        tokens.push(Token {
            kind,
            bytes: start..offset,
        });
    }
    tokens
}

/// The names in a text, those of its directives too, by their bytes.
pub(super) fn names(text: &str) -> Vec<Range<usize>> {
    let is_name = |text: &str| {
        text.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && !KEYWORDS.contains(&text)
            && !DIRECTIVES.contains(&text)
    };
    let open = text.replace('#', " ");
    let tokens = tokens(&open).into_iter().filter_map(|token| {
        let is_word = token.kind == Kind::Word && is_name(&text[token.bytes.clone()]);
        is_word.then_some(token.bytes)
    });
    tokens.collect()
}

/// Letters, digits, `_`, and all that is not ASCII: a name never ends within a character.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    let length = bytes[from..].iter().position(|byte| *byte == b'\n');
    length.map_or(bytes.len(), |length| from + length)
}

/// Behind the last line of a directive that `\` continues, its newline aside.
pub(super) fn directive_end(bytes: &[u8], from: usize) -> usize {
    let mut end = line_end(bytes, from);
    while end < bytes.len() && bytes[..end].trim_ascii_end().last() == Some(&b'\\') {
        end = line_end(bytes, end + 1);
    }
    end
}

/// Behind `R"x(…)x"`.
fn raw_end(text: &str, quote: usize) -> usize {
    let rest = &text[quote + 1..];
    let Some(open) = rest.find('(').filter(|open| *open <= 16) else {
        return quote + 1;
    };
    let close = format!("){}\"", &rest[..open]);
    rest.find(&close)
        .map_or(text.len(), |end| quote + 1 + end + close.len())
}

/// Behind a literal, which ends with its line at the latest. A quote within a number ends where it begins.
fn literal_end(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut offset = from + 1;
    while offset < bytes.len() && bytes[offset] != b'\n' {
        match bytes[offset] {
            b'\\' => offset += 2,
            byte if byte == quote => return offset + 1,
            _ => offset += 1,
        }
    }
    offset.min(bytes.len())
}
