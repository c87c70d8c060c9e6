//! SQL by its tokens, in whatever dialect: one forward scan that never fails.
//!
//! What is a text in one dialect and a name in another is told by what stands around it. Bodies of functions in
//! dollar quotes are code where their language is SQL; data behind `COPY` and templates are left out.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Name,
    /// A name in quotes, with them.
    Quoted,
    Text,
    /// A number, a variable, a sign or a template.
    Mark,
    /// The quotes around a body that is code.
    BodyOpen,
    BodyClose,
    /// A line or a sign that ends all statements before it: `GO`, `/`, a delimiter.
    BatchEnd,
    /// A line for the client that runs the file: `\i other.sql`.
    Command,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// So many quotes without an end are looked for to the end of the text; each further one is a sign.
const MAX_UNCLOSED: u32 = 64;
/// A name in square brackets has at most this many bytes.
const MAX_BRACKETS: usize = 128;
/// The language of a body is looked for in this many bytes around it.
const AROUND_BODY: usize = 600;

pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut scanner = Scanner {
        text,
        bytes: text.as_bytes(),
        at: 0,
        tokens: Vec::new(),
        body: None,
        delimiter: None,
        statement: 0,
        n_unclosed: 0,
        // Backticks and backslashes in texts come together.
        escapes: text.contains('`'),
    };
    while scanner.at < text.len() {
        let before = scanner.at;
        scanner.step();
        scanner.at = text.ceil_char_boundary(scanner.at.clamp(before + 1, text.len()));
    }
    scanner.tokens
}

struct Scanner<'s> {
    text: &'s str,
    bytes: &'s [u8],
    at: usize,
    tokens: Vec<Token>,
    /// The quote of the body that is open.
    body: Option<&'s str>,
    delimiter: Option<&'s str>,
    /// Where the statement at work begins among the tokens.
    statement: usize,
    n_unclosed: u32,
    escapes: bool,
}

impl<'s> Scanner<'s> {
    fn step(&mut self) {
        let byte = self.bytes[self.at];
        let begins_line = self.at == 0 || self.bytes[self.at - 1] == b'\n';
        if begins_line && self.line_for_client() || self.comment() {
            return;
        }
        if let Some(delimiter) = self.delimiter.filter(|sign| self.rest().starts_with(sign)) {
            return self.push(TokenKind::BatchEnd, self.at + delimiter.len());
        }
        match byte {
            _ if byte.is_ascii_whitespace() => self.at += 1,
            b'\'' => self.quoted(TokenKind::Text, 0, self.escapes),
            b'"' | b'`' => self.quoted(TokenKind::Quoted, 0, false),
            b'[' => match self.brackets() {
                Some(end) => self.push(TokenKind::Quoted, end),
                None => self.push(TokenKind::Mark, self.at + 1),
            },
            b'$' => self.dollar(),
            b'{' => self.template(),
            b'@' => self.push(
                TokenKind::Mark,
                self.run(self.at + 1, |b| b == b'@' || is_part(b)),
            ),
            b':' if self.rest().starts_with("::") => self.push(TokenKind::Mark, self.at + 2),
            b':' => self.push(TokenKind::Mark, self.run(self.at + 1, is_part)),
            b';' => {
                self.push(TokenKind::Mark, self.at + 1);
                self.ended();
            }
            _ if byte.is_ascii_digit() => {
                let end = self.run(self.at, |b| is_part(b) || b == b'.');
                self.push(TokenKind::Mark, end);
            }
            _ if is_part(byte) || byte == b'#' && self.begins_name() => self.name(),
            _ => self.push(TokenKind::Mark, self.at + 1),
        }
    }

    fn rest(&self) -> &'s str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn push(&mut self, kind: TokenKind, end: usize) {
        let start = self.at;
        self.tokens.push(Token { kind, start, end });
        self.at = end;
        if kind == TokenKind::BatchEnd {
            self.statement = self.tokens.len();
        }
    }

    fn run(&self, from: usize, belongs: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes[from..].iter();
        from + rest.take_while(|byte| belongs(**byte)).count()
    }

    fn line_end(&self, from: usize) -> usize {
        self.run(from, |byte| byte != b'\n')
    }

    /// A line that is no SQL.
    fn line_for_client(&mut self) -> bool {
        let end = self.line_end(self.at);
        let line = self.text[self.at..end].trim();
        let head = line.split_whitespace().next().unwrap_or("");
        let is = |word: &str| head.eq_ignore_ascii_case(word);
        let has_file = || {
            line.to_ascii_lowercase()
                .trim_end_matches(';')
                .ends_with(".sql")
        };
        let kind = if is("go") && line.len() < 8 || line == "/" {
            TokenKind::BatchEnd
        } else if is("delimiter") {
            let sign = line[head.len()..].trim();
            self.delimiter = Some(sign).filter(|sign| !matches!(*sign, "" | ";"));
            TokenKind::BatchEnd
        } else if line.starts_with('\\')
            || (line.starts_with('@') || is(":r") || is("source")) && has_file()
        {
            TokenKind::Command
        } else {
            return false;
        };
        self.push(kind, end);
        true
    }

    fn comment(&mut self) -> bool {
        let rest = self.rest();
        let opens_line = || {
            let before = self.text[..self.at].rfind('\n').map_or(0, |end| end + 1);
            self.text[before..self.at].trim().is_empty()
        };
        let is_hash = rest.starts_with('#')
            && !rest[1..].starts_with(|c: char| c.is_alphanumeric())
            && opens_line();
        if rest.starts_with("--") || is_hash {
            self.at = self.line_end(self.at);
            return true;
        }
        // MySQL runs what stands in `/*!50001 … */`.
        if rest.starts_with("/*!") {
            self.at = self.run(self.at + 3, |byte| byte.is_ascii_digit());
            return true;
        }
        if rest.starts_with("*/") {
            self.at += 2;
            return true;
        }
        if !rest.starts_with("/*") {
            return false;
        }
        let mut depth = 0;
        while self.at < self.bytes.len() {
            match self.bytes.get(self.at..self.at + 2) {
                Some(b"/*") => depth += 1,
                Some(b"*/") => depth -= 1,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                break;
            }
        }
        true
    }

    /// What stands in quotes that begin `n_before` bytes ahead; without an end it is a sign.
    fn quoted(&mut self, kind: TokenKind, n_before: usize, escapes: bool) {
        let open = self.at + n_before;
        let quote = self.bytes[open];
        let mut end = open + 1;
        while self.n_unclosed < MAX_UNCLOSED && end < self.bytes.len() {
            match self.bytes[end] {
                b'\\' if escapes => end += 1,
                byte if byte == quote => match self.bytes.get(end + 1) {
                    Some(next) if *next == quote => end += 1,
                    _ => return self.push(kind, end + 1),
                },
                _ => {}
            }
            end += 1;
        }
        self.n_unclosed += 1;
        self.push(TokenKind::Mark, open + 1);
    }

    /// The end of a name in square brackets; none for the index of an array.
    fn brackets(&self) -> Option<usize> {
        let before = self.at.checked_sub(1).map(|at| self.bytes[at]);
        let is_index = before.is_some_and(|byte| is_part(byte) || matches!(byte, b']' | b')'));
        let inside = &self.bytes[self.at + 1..];
        let inside = &inside[..inside.len().min(MAX_BRACKETS)];
        let n_bytes = inside
            .iter()
            .position(|byte| matches!(byte, b'[' | b']' | b'\n'))?;
        let begins = inside
            .first()
            .is_some_and(|byte| is_part(*byte) && !byte.is_ascii_digit() || *byte == b'#');
        (!is_index && begins && inside[n_bytes] == b']').then_some(self.at + n_bytes + 2)
    }

    /// Says whether the sign here belongs to a name: `#t` and `##t` are tables for a while.
    fn begins_name(&self) -> bool {
        let behind = self.run(self.at, |byte| byte == b'#');
        behind <= self.at + 2 && self.bytes.get(behind).is_some_and(|byte| is_part(*byte))
    }

    fn name(&mut self) {
        let end = self.run(self.at, |byte| {
            is_part(byte) || matches!(byte, b'$' | b'#' | b'@')
        });
        let is_prefix = end == self.at + 1 && self.bytes.get(end) == Some(&b'\'');
        match self.bytes[self.at] {
            b'e' | b'E' if is_prefix => self.quoted(TokenKind::Text, 1, true),
            b'n' | b'N' | b'b' | b'B' | b'x' | b'X' if is_prefix => {
                self.quoted(TokenKind::Text, 1, self.escapes);
            }
            _ => self.push(TokenKind::Name, end),
        }
    }

    /// `$tag$ … $tag$`, or a parameter.
    fn dollar(&mut self) {
        let tag_end = self.run(self.at + 1, is_part);
        let is_tag =
            self.bytes.get(tag_end) == Some(&b'$') && !self.bytes[self.at + 1].is_ascii_digit();
        if !is_tag {
            return self.push(TokenKind::Mark, tag_end);
        }
        let tag = &self.text[self.at..tag_end + 1];
        if self.body == Some(tag) {
            self.body = None;
            return self.push(TokenKind::BodyClose, tag_end + 1);
        }
        let inside = tag_end + 1;
        let found = match self.n_unclosed < MAX_UNCLOSED {
            true => self.text[inside..].find(tag),
            false => None,
        };
        let Some(n_inside) = found else {
            self.n_unclosed += 1;
            return self.push(TokenKind::Mark, inside);
        };
        let close = inside + n_inside;
        if self.body.is_none() && self.opens_body() && self.is_sql(close + tag.len()) {
            self.body = Some(tag);
            return self.push(TokenKind::BodyOpen, inside);
        }
        self.push(TokenKind::Text, close + tag.len());
    }

    /// Says whether a body stands here: behind `AS`, or in `DO`.
    fn opens_body(&self) -> bool {
        let before = self
            .tokens
            .last()
            .filter(|token| token.kind == TokenKind::Name);
        let is = |token: &Token, word: &str| {
            self.text[token.start..token.end].eq_ignore_ascii_case(word)
        };
        let head = self.tokens.get(self.statement);
        before.is_some_and(|token| is(token, "as") || is(token, "do"))
            || head.is_some_and(|token| is(token, "do"))
    }

    /// Says whether the statement around a body that ends here says no language but SQL's own.
    fn is_sql(&self, close: usize) -> bool {
        let start = self
            .tokens
            .get(self.statement)
            .map_or(self.at, |token| token.start);
        let start = self
            .text
            .ceil_char_boundary(start.max(self.at.saturating_sub(AROUND_BODY)));
        let end = self
            .text
            .floor_char_boundary(self.text.len().min(close + AROUND_BODY));
        let behind = self.text[close..end].split(';').next().unwrap_or("");
        let around = format!("{} {behind}", &self.text[start..self.at]).to_lowercase();
        let mut words = around.split(|c: char| c.is_whitespace() || c == '\'');
        let stated = words.by_ref().find(|word| *word == "language");
        let stated = stated.and_then(|_| words.find(|word| !word.is_empty()));
        stated.is_none_or(|name| matches!(name, "sql" | "plpgsql" | "plpgsql;" | "sql;"))
    }

    /// `{{ … }}`, `{% … %}`, `{# … #}`: what a template makes.
    fn template(&mut self) {
        let close = match self.bytes.get(self.at + 1) {
            Some(b'{') => "}}",
            Some(b'%') => "%}",
            Some(b'#') => "#}",
            _ => return self.push(TokenKind::Mark, self.at + 1),
        };
        let found = match self.n_unclosed < MAX_UNCLOSED {
            true => self.rest().find(close),
            false => None,
        };
        self.n_unclosed += u32::from(found.is_none());
        let end = found.map_or(self.at + 2, |n_inside| self.at + n_inside + 2);
        self.push(TokenKind::Mark, end);
    }

    /// Skips the data behind `COPY … FROM stdin;`.
    fn ended(&mut self) {
        let statement = &self.tokens[self.statement..];
        self.statement = self.tokens.len();
        let is = |token: &Token, word: &str| {
            self.text[token.start..token.end].eq_ignore_ascii_case(word)
        };
        let reads_data = statement.first().is_some_and(|token| is(token, "copy"))
            && statement
                .iter()
                .rev()
                .take(24)
                .any(|token| is(token, "stdin"));
        if reads_data {
            let data = self.rest();
            let end = data.find("\n\\.").map_or(data.len(), |end| end + 3);
            self.at += end;
        }
    }
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::{TokenKind, tokens};

    fn shown(text: &str) -> String {
        let shown = tokens(text).into_iter().map(|token| {
            let text = &text[token.start..token.end];
            match token.kind {
                TokenKind::Text => format!("<{text}>"),
                TokenKind::Quoted => format!("[{text}]"),
                TokenKind::BodyOpen | TokenKind::BodyClose => format!("({text})"),
                TokenKind::BatchEnd => "END".to_owned(),
                TokenKind::Command => format!("!{text}"),
                _ => text.to_owned(),
            }
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn dialects_are_told_by_what_stands_around() {
        for (text, expected) in [
            ("a -- b\n/* c /* d */ e */ f", "a f"),
            ("'it''s' E'\\'' x", "<'it''s'> <E'\\''> x"),
            ("'\\' x", "<'\\'> x"),
            ("`a` '\\'' x", "[`a`] <'\\''> x"),
            ("[dbo].[a b] x[1] y", "[[dbo]] . [[a b]] x [ 1 ] y"),
            (
                "x::int[] :y @z #t ##u [#v]",
                "x :: int [ ] :y @z #t ##u [[#v]]",
            ),
            ("a\nGO\nb", "a END b"),
            (
                "delimiter //\na; //\ndelimiter ;\nb;",
                "END a ; END END b ;",
            ),
            ("as $$ a $q$b$q$ $$;", "as ($$) a <$q$b$q$> ($$) ;"),
            (
                "as $$ a $$ language plpython3u;",
                "as <$$ a $$> language plpython3u ;",
            ),
            ("is $$ a $$;", "is <$$ a $$> ;"),
            ("copy t from stdin;\n1\t'a\n\\.\nb", "copy t from stdin ; b"),
            ("\\i a.sql\nb", "!\\i a.sql b"),
            ("from {{ ref('a') }} x", "from {{ ref('a') }} x"),
            ("/*!50001 create */ a", "create a"),
            ("'a b", "' a b"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
