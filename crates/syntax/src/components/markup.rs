//! Tags, attributes and braces of markup, in one pass; what is half written ends it or is text.

use std::ops::Range;

use super::nesting::closing;

/// So many tags and braces may lack their end before the rest is not read: each is looked for up to the end.
const MAX_UNENDED: u8 = 32;
const MAX_ATTRIBUTES: usize = 500;

/// Elements without content.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// A part of markup.
pub(crate) enum Part {
    Open(Tag),
    /// The name.
    Close(Range<usize>),
    /// What is within braces of a text.
    Braces(Range<usize>),
}

/// The beginning of an element.
pub(crate) struct Tag {
    pub(crate) name: Range<usize>,
    pub(crate) attributes: Vec<Attribute>,
    /// It has no content.
    pub(crate) is_empty: bool,
}

/// A name, empty for a value alone, and a value.
pub(crate) struct Attribute {
    pub(crate) name: Range<usize>,
    pub(crate) value: Value,
}

/// Inside quotes or braces; a template with its quotes.
pub(crate) enum Value {
    None,
    Quoted(Range<usize>),
    Braces(Range<usize>),
    Template(Range<usize>),
}

/// Reads markup from a place to the end.
pub(crate) struct Markup<'s> {
    source: &'s str,
    at: usize,
    /// `{` or `{{`.
    braces: &'static str,
    n_unended: u8,
}

impl<'s> Markup<'s> {
    pub(crate) fn new(source: &'s str, at: usize, braces: &'static str) -> Self {
        Self {
            source,
            at,
            braces,
            n_unended: 0,
        }
    }

    /// Goes on behind the end of an element.
    pub(crate) fn skip_element(&mut self, name: &str) {
        let end = format!("</{name}");
        let found = self.source[self.at..].find(&end);
        self.at = found.map_or(self.source.len(), |found| self.at + found);
    }

    fn byte(&self, at: usize) -> u8 {
        self.source.as_bytes().get(at).copied().unwrap_or(0)
    }

    fn run(&self, from: usize, is_part: impl Fn(u8) -> bool) -> usize {
        let bytes = &self.source.as_bytes()[from.min(self.source.len())..];
        let n_bytes = bytes.iter().take_while(|byte| is_part(**byte)).count();
        from + n_bytes
    }

    fn find_text(&self, from: usize, text: &str) -> Option<usize> {
        let rest = self.source.get(from..)?;
        rest.find(text).map(|found| from + found)
    }

    /// The braces that open at a place: what is in them, and their end.
    fn in_braces(&self, open: usize) -> Option<(Range<usize>, usize)> {
        if self.braces == "{{" {
            let end = self.find_text(open + 2, "}}")?;
            return Some((open + 2..end, end + 2));
        }
        let end = closing(self.source, open)?;
        Some((open + 1..end, end + 1))
    }

    fn tag(&self, start: usize) -> Option<(Tag, usize)> {
        let name = start + 1..self.run(start + 1, is_name);
        let (mut at, mut attributes) = (name.end, Vec::new());
        loop {
            at = self.run(at, |byte| byte.is_ascii_whitespace());
            match self.byte(at) {
                0 => return None,
                b'>' => {
                    let is_empty = VOID.contains(&&self.source[name.clone()]);
                    let tag = Tag {
                        name,
                        attributes,
                        is_empty,
                    };
                    return Some((tag, at + 1));
                }
                b'/' if self.byte(at + 1) == b'>' => {
                    let tag = Tag {
                        name,
                        attributes,
                        is_empty: true,
                    };
                    return Some((tag, at + 2));
                }
                b'/' => at += 1,
                // A tag that was not ended before the next one.
                b'<' => return None,
                _ => {
                    let (attribute, end) = self.attribute(at)?;
                    if attributes.len() < MAX_ATTRIBUTES {
                        attributes.push(attribute);
                    }
                    at = end;
                }
            }
        }
    }

    fn attribute(&self, start: usize) -> Option<(Attribute, usize)> {
        if self.byte(start) == b'{' {
            let end = closing(self.source, start)?;
            let (name, value) = (start..start, Value::Braces(start + 1..end));
            return Some((Attribute { name, value }, end + 1));
        }
        let is_part = |byte: u8| {
            !byte.is_ascii_whitespace() && !matches!(byte, 0 | b'=' | b'>' | b'"' | b'\'' | b'<')
        };
        let mut end = self.run(start, is_part);
        if self.source[start..end].ends_with('/') && self.byte(end) == b'>' {
            end -= 1;
        }
        let name = start..end;
        let equals = self.run(end, |byte| byte.is_ascii_whitespace());
        if self.byte(equals) != b'=' {
            let value = Value::None;
            return Some((Attribute { name, value }, end.max(start + 1)));
        }
        let at = self.run(equals + 1, |byte| byte.is_ascii_whitespace());
        let (value, end) = self.value(at)?;
        Some((Attribute { name, value }, end))
    }

    fn value(&self, at: usize) -> Option<(Value, usize)> {
        match self.byte(at) {
            quote @ (b'"' | b'\'') => {
                let end = self.quote_end(at + 1, quote)?;
                Some((Value::Quoted(at + 1..end), end + 1))
            }
            b'{' if self.braces == "{" => {
                let end = closing(self.source, at)?;
                Some((Value::Braces(at + 1..end), end + 1))
            }
            b'`' => {
                let end = self.find_text(at + 1, "`")?;
                Some((Value::Template(at..end + 1), end + 1))
            }
            _ => {
                let end = self.run(at, |byte| !byte.is_ascii_whitespace() && byte != b'>');
                Some((Value::Quoted(at..end), end))
            }
        }
    }

    /// The quote that ends a value; those in braces end none.
    fn quote_end(&self, from: usize, quote: u8) -> Option<usize> {
        let mut at = from;
        loop {
            match self.byte(at) {
                0 => return None,
                byte if byte == quote => return Some(at),
                b'{' if self.braces == "{" => {
                    at = closing(self.source, at).map_or(at + 1, |end| end + 1);
                }
                _ => at += 1,
            }
        }
    }

    /// The part at a place that may begin one, and where reading goes on.
    fn part(&mut self, at: usize) -> Option<(Option<Part>, usize)> {
        let rest = &self.source[at..];
        if rest.starts_with("<!--") {
            return Some((None, self.find_text(at + 4, "-->")? + 3));
        }
        if rest.starts_with(self.braces) {
            let (inside, end) = self.in_braces(at)?;
            return Some((Some(Part::Braces(inside)), end));
        }
        if !rest.starts_with('<') {
            return Some((None, at + 1));
        }
        if self.byte(at + 1) == b'/' {
            let name = at + 2..self.run(at + 2, is_name);
            let end = name.end;
            return Some((Some(Part::Close(name)), end));
        }
        if !self.byte(at + 1).is_ascii_alphabetic() {
            return Some((None, at + 1));
        }
        let (tag, end) = self.tag(at)?;
        let name = &self.source[tag.name.clone()];
        let is_raw = matches!(name, "script" | "style") && !tag.is_empty;
        let end = if is_raw {
            self.find_text(end, &format!("</{name}"))?
        } else {
            end
        };
        Some((Some(Part::Open(tag)), end))
    }
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b':')
}

impl Iterator for Markup<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        while self.n_unended < MAX_UNENDED {
            let rest = self.source.get(self.at..)?;
            let at = self.at + rest.find(['<', '{'])?;
            match self.part(at) {
                Some((Some(part), end)) => {
                    self.at = end;
                    return Some(part);
                }
                Some((None, end)) => self.at = end,
                None => {
                    self.n_unended += 1;
                    self.at = at + 1;
                }
            }
        }
        None
    }
}
