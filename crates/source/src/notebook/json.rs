//! JSON as far as notebooks need it: where strings stand, and what they say.
//!
//! What is half written is no JSON, and what is passed over costs no stack.

use std::ops::Range;

/// Reads JSON from the start; what is passed over costs no stack. `None` where it is none.
pub(super) struct Json<'s> {
    text: &'s str,
    at: usize,
}

impl<'s> Json<'s> {
    pub(super) fn new(text: &'s str) -> Self {
        Self { text, at: 0 }
    }

    /// The next byte that is no white space; 0 at the end.
    fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        let is_space = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_whitespace);
        if self.at == 0 && self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        while is_space(self.at) {
            self.at += 1;
        }
        bytes.get(self.at).copied().unwrap_or(0)
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        let is_next = self.peek() == byte;
        self.at += usize::from(is_next);
        is_next.then_some(())
    }

    /// A string: what is inside the quotes.
    pub(super) fn string(&mut self) -> Option<Range<usize>> {
        self.take(b'"')?;
        let start = self.at;
        let bytes = self.text.as_bytes();
        loop {
            let found = memchr::memchr2(b'"', b'\\', bytes.get(self.at..)?)?;
            self.at += found;
            if bytes[self.at] == b'"' {
                self.at += 1;
                return Some(start..self.at - 1);
            }
            self.at += 2;
        }
    }

    pub(super) fn object(
        &mut self,
        mut value: impl FnMut(&mut Self, &str) -> Option<()>,
    ) -> Option<()> {
        self.take(b'{')?;
        if self.take(b'}').is_some() {
            return Some(());
        }
        loop {
            let key = self.string()?;
            self.take(b':')?;
            let text = self.text;
            value(self, text.get(key)?)?;
            if self.take(b',').is_none() {
                return self.take(b'}');
            }
        }
    }

    pub(super) fn list(&mut self, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take(b'[')?;
        if self.take(b']').is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.take(b',').is_none() {
                return self.take(b']');
            }
        }
    }

    /// A string, or a list of them; of another value nothing.
    pub(super) fn texts(&mut self, texts: &mut Vec<Range<usize>>) -> Option<()> {
        match self.peek() {
            b'"' => texts.push(self.string()?),
            b'[' => self.list(|json| match json.peek() {
                b'"' => {
                    texts.push(json.string()?);
                    Some(())
                }
                _ => json.skip(),
            })?,
            _ => self.skip()?,
        }
        Some(())
    }

    /// A string decoded; of another value nothing, within `Some`.
    pub(super) fn text_of_value(&mut self) -> Option<Option<String>> {
        if self.peek() == b'"' {
            let text = self.string()?;
            return Some(Some(decoded(self.text.get(text)?)));
        }
        self.skip()?;
        Some(None)
    }

    /// Passes over a value.
    pub(super) fn skip(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                0 => return None,
                b'"' => self.string().map(|_| ())?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                b',' | b':' => return None,
                _ => self.at += self.n_bare_bytes(),
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// The length of a number or a word.
    fn n_bare_bytes(&self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b",:]}[{\"".contains(byte);
        rest.iter().position(ends).unwrap_or(rest.len())
    }
}

/// A string of JSON without its escapes.
pub(super) fn decoded(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        decoded.push_str(&rest[..at]);
        let (char, n_bytes) = escape(&rest[at..]);
        decoded.push(char);
        rest = &rest[at + n_bytes..];
    }
    decoded.push_str(rest);
    decoded
}

/// The character of an escape, and how many bytes it takes; of half a pair U+FFFD.
fn escape(text: &str) -> (char, usize) {
    let Some(kind) = text.chars().nth(1) else {
        return ('\\', 1);
    };
    let unit = |at: usize| {
        let digits = text.get(at..at + 4)?;
        u32::from_str_radix(digits, 16).ok()
    };
    let char = match kind {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' | 'f' => ' ',
        'u' => {
            let Some(first) = unit(2) else {
                return (char::REPLACEMENT_CHARACTER, 2);
            };
            let second = text.get(6..8).filter(|mark| *mark == "\\u");
            let second = second.and_then(|_| unit(8));
            let pair = second
                .filter(|low| (0xd800..0xdc00).contains(&first) && (0xdc00..0xe000).contains(low));
            let Some(low) = pair else {
                return (
                    char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER),
                    6,
                );
            };
            let code = 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00);
            return (
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                12,
            );
        }
        other => other,
    };
    (char, 1 + kind.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded_whatever_they_are() {
        for (text, expected) in [
            (r#"a\"b\\c\/d"#, r#"a"b\c/d"#),
            (r"\u00e9\ud83d\ude00", "é😀"),
            (r"\ud83d x", "\u{fffd} x"),
            (r"\u12", "\u{fffd}12"),
            ("é\\ü", "éü"),
            ("\\", "\\"),
        ] {
            assert_eq!(decoded(text), expected);
        }
    }
}
