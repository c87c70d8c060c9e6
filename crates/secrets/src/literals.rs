//! The literals of the statement in which a telling name stands: defaults, arguments, tuples, raw and long
//! strings. Code gives a value in more ways than a grammar of assignments could list, so each literal up to
//! the end of the statement is a candidate, and its own letters decide.

/// Bytes of a statement that are read.
const MOST_STATEMENT: usize = 500;
/// Over how many lines.
const MOST_LINES: usize = 5;
/// Shorter literals are no secrets.
const LEAST_LITERAL: usize = 6;

const QUOTES: &[u8] = b"\"'`";
/// Names of what stands in for a value, or is it, beside the name that tells.
const VALUE_NAMES: &[&[u8]] = &[
    b"content",
    b"default",
    b"default_value",
    b"defaultvalue",
    b"envdefault",
    b"fallback",
    b"initial",
    b"initialvalue",
    b"value",
];

/// A walk over the statement behind a name.
struct Statement<'a> {
    text: &'a [u8],
    at: usize,
    depth: i32,
    /// Another item of the list may be the value: of arguments, or of names that are given together.
    is_list: bool,
    /// Behind a comma, what is given to another name is not meant.
    is_next_item: bool,
    is_of_other: bool,
    n_lines: usize,
    last: u8,
    found: Vec<&'a [u8]>,
}

/// The literals behind a name that ends there; `is_in_list` where names before it are parted by commas.
pub(super) fn behind(text: &[u8], end: usize, is_in_list: bool) -> Vec<&[u8]> {
    let text = &text[..text.len().min(end + MOST_STATEMENT)];
    let Some((at, is_list)) = opening(text, end) else {
        return Vec::new();
    };
    let is_attribute = attribute(&text[at..]).is_some();
    let mut statement = Statement {
        text,
        at,
        depth: 0,
        is_list: is_list || is_in_list,
        is_next_item: is_attribute,
        is_of_other: is_attribute,
        n_lines: 0,
        last: b' ',
        found: Vec::new(),
    };
    while statement.step() {}
    statement.found
}

/// The place where a statement goes on behind a name, its quotes closed, and whether as the next argument; `None`
/// where nothing is given to it.
fn opening(text: &[u8], end: usize) -> Option<(usize, bool)> {
    let is_closed = text.get(end).is_some_and(|byte| QUOTES.contains(byte));
    let at = end + usize::from(is_closed);
    let rest = text[at.min(text.len())..].trim_ascii_start();
    let gives = |byte: &u8| b"=:([{?|.,)]}<-+&!/".contains(byte);
    let next = rest.first()?;
    let is_word = [b"or ".as_slice(), b"As ", b"by ", b"is ", b"as "]
        .iter()
        .any(|word| rest.starts_with(word));
    let is_given = gives(next)
        || is_word
        || (!is_closed && QUOTES.contains(next))
        || (is_closed && attribute(rest).is_some());
    is_given.then_some((at, *next == b','))
}

/// The rest behind the name of an attribute, where a text begins with one: ` name="…`, ` envDefault:"…`.
fn attribute(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii_start();
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-:".contains(byte);
    let n_bytes = text.iter().take_while(|byte| is_of_name(byte)).count();
    // `"password":"…"` is a value of its own.
    if !text.first().is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    let sign = text.get(n_bytes) == Some(&b'=') || text[..n_bytes].ends_with(b":");
    let rest = text[n_bytes..].strip_prefix(b"=");
    let rest = sign.then_some(rest.unwrap_or(&text[n_bytes..]))?;
    let opens = rest.first().is_some_and(|byte| QUOTES.contains(byte));
    opens.then_some(rest)
}

/// Says whether a text ends with the name of a default, or of a value that the name before it is for.
fn is_value_name(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let n_bytes = before.iter().rev().take_while(is_of_name).count();
    let name = before[before.len() - n_bytes..].to_ascii_lowercase();
    VALUE_NAMES.contains(&name.as_slice())
}

impl<'a> Statement<'a> {
    /// Reads on; whether the statement does.
    fn step(&mut self) -> bool {
        let Some(&byte) = self.text.get(self.at) else {
            return false;
        };
        if let Some((start, end, next)) = literal(self.text, self.at) {
            if end - start >= LEAST_LITERAL && !self.is_of_other {
                self.found.push(&self.text[start..end]);
            }
            (self.at, self.last) = (next, b'"');
            return true;
        }
        self.at += 1;
        match byte {
            _ if QUOTES.contains(&byte) => return false,
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' | b'}' => self.depth -= 1,
            b',' if self.depth > 0 || (self.depth == 0 && self.is_list) => {
                (self.is_next_item, self.is_of_other) = (true, false);
            }
            b',' => return false,
            b';' if self.depth <= 0 => return false,
            b'=' | b':' if self.is_next_item => {
                self.is_of_other = !is_value_name(&self.text[..self.at - 1]);
            }
            b'=' if self.depth < 0 => self.depth = 0,
            b'\n' => return self.next_line(),
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            self.last = byte;
        }
        self.depth > -4
    }

    /// A statement goes on behind a sign that opens, or before one that continues; comments do not count.
    fn next_line(&mut self) -> bool {
        self.n_lines += 1;
        let rest = self.text[self.at..].trim_ascii_start();
        if self.n_lines >= MOST_LINES {
            return false;
        }
        if rest.starts_with(b"#") || rest.starts_with(b"//") {
            let n_bytes = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            self.at = self.text.len() - rest.len() + n_bytes;
            return self.next_line_of_comment();
        }
        let goes_on = |byte: &u8| b".=?|+".contains(byte);
        b"=([,+\\|?.".contains(&self.last) || rest.first().is_some_and(goes_on)
    }

    fn next_line_of_comment(&mut self) -> bool {
        b"=([,+\\|?.".contains(&self.last)
    }
}

/// A literal that begins there: where its inside begins and ends, and where the text goes on. One that
/// is not closed on its line is none, unless its quotes are for long ones.
fn literal(text: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    const LONG: &[(&[u8], &[u8])] = &[
        (b"\"\"\"", b"\"\"\""),
        (b"'''", b"'''"),
        (b"R\"(", b")\""),
        (b"[[", b"]]"),
        (b"%q(", b")"),
        (b"%Q(", b")"),
        (b"%(", b")"),
        (b"q{", b"}"),
        (b"q(", b")"),
    ];
    let rest = &text[at..];
    let is_word = at > 0 && text[at - 1].is_ascii_alphanumeric();
    let long = LONG.iter().find(|(open, _)| rest.starts_with(open));
    if let Some((open, close)) = long.filter(|(open, _)| !is_word || QUOTES.contains(&open[0])) {
        let start = at + open.len();
        let end = start + memchr::memmem::find(&text[start..], close)?;
        return Some(trimmed(text, start, end, end + close.len()));
    }
    if rest.starts_with(b"<<") {
        return heredoc(text, at);
    }
    let quote = *rest.first().filter(|first| QUOTES.contains(first))?;
    let mut end = at + 1;
    loop {
        match *text.get(end)? {
            b'\\' => end += 2,
            b'\n' if quote != b'`' => return None,
            byte if byte == quote => return Some((at + 1, end, end + 1)),
            _ => end += 1,
        }
    }
}

fn trimmed(text: &[u8], start: usize, end: usize, next: usize) -> (usize, usize, usize) {
    let inside = &text[start..end];
    let start = start + inside.len() - inside.trim_ascii_start().len();
    (start, start + text[start..end].trim_ascii_end().len(), next)
}

/// The first line of what follows `<<EOT`.
fn heredoc(text: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    let is_of_mark = |byte: &u8| byte.is_ascii_alphanumeric() || b"<~-_'\"".contains(byte);
    let n_bytes = text[at..]
        .iter()
        .take_while(|byte| is_of_mark(byte))
        .count();
    let start = at + n_bytes + 1;
    let is_open = n_bytes > 3 && text.get(start - 1) == Some(&b'\n');
    let end = start + memchr::memchr(b'\n', text.get(start..)?)?;
    is_open.then(|| trimmed(text, start, end, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_literals_of_a_statement_are_found_and_no_others() {
        for text in [
            " = os.getenv(\"X\") or \"v4lue1\"\n\"other1\"",
            " || 'v4lue1'; f('other1')",
            "\", \"v4lue1\");",
            "(\"v4lue1\")",
            " = (\n    # by hand\n    'v4lue1'\n)",
            ": 'v4lue1', url: 'other1'",
            ":'v4lue1'",
            "\":\"v4lue1\",\"url\":\"other1\"",
            " { get; set; } = \"v4lue1\";",
            "\")).orElse(\"v4lue1\"), \"other1\"",
            " = \"\"\"\nv4lue1\n\"\"\"",
            " = %q(v4lue1)",
            " = [[v4lue1]]",
            " = <<~EOT\n  v4lue1\nEOT",
            " = r#\"v4lue1\"#",
            "\", fallback=\"v4lue1\", other=\"other1\")",
            "\" envDefault:\"v4lue1\"`",
            "\" name=\"other1\" value=\"v4lue1\">",
        ] {
            let found = behind(text.as_bytes(), 0, false);
            assert_eq!(found, [b"v4lue1".as_slice()], "{text}");
        }
        for text in [" must be 'v4lue1'", "", "; f('v4lue1')", ", b = 'v4lue1'"] {
            let found = behind(text.as_bytes(), 0, false);
            assert!(found.is_empty(), "{text}");
        }
    }
}
