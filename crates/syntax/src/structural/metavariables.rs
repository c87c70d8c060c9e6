//! Finds metavariables in a pattern's text, and writes it with identifiers in their place.

use super::error::PatternError;
use super::grammar;
use std::ops::Range;

/// Patterns have few; each may cost some parses.
const MAX_METAVARIABLES: usize = 32;

/// A metavariable at a place of the pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MetavariableSlot {
    /// Bytes in the pattern's text.
    pub(super) range: Range<usize>,
    pub(super) many: bool,
    /// Index of the name; none for `$_` and `$$$`.
    pub(super) name: Option<u16>,
}

/// A pattern's text, read.
#[derive(Debug)]
pub(super) struct Template<'p> {
    pub(super) text: &'p str,
    pub(super) places: Vec<MetavariableSlot>,
    pub(super) names: Vec<String>,
}

/// The text with identifiers, and where they are.
pub(super) struct Rendered {
    pub(super) text: String,
    /// Bytes of each place.
    pub(super) ranges: Vec<Range<usize>>,
    /// Bytes of the pattern, without its surroundings.
    pub(super) body: Range<usize>,
}

impl<'p> Template<'p> {
    pub(super) fn read(text: &'p str, language: &str) -> Result<Self, PatternError> {
        let mut template = Self {
            text,
            places: Vec::new(),
            names: Vec::new(),
        };
        let mut used: Vec<(String, bool)> = Vec::new();
        let mut at = 0;
        while let Some(found) = text[at..].find('$') {
            let start = at + found;
            let signs = text[start..]
                .bytes()
                .take_while(|byte| *byte == b'$')
                .count();
            let end = start + signs + name_len(&text[start + signs..]);
            at = end.max(start + signs);
            let name = &text[start + signs..end];
            let glued = text[..start].ends_with(|char: char| char.is_alphanumeric() || char == '_');
            if glued || signs != 3 && name.is_empty() {
                continue;
            }
            match signs {
                1 | 3 => {}
                // A variable variable of PHP.
                2 if language == "php" => continue,
                _ => {
                    return Err(PatternError::TwoSigns {
                        name: name.to_owned(),
                    });
                }
            }
            let many = signs == 3;
            let name = (!name.is_empty() && !name.starts_with('_')).then_some(name);
            if let Some(name) = name {
                if used
                    .iter()
                    .any(|(known, is_many)| known == name && *is_many != many)
                {
                    return Err(PatternError::OneAndMany {
                        name: name.to_owned(),
                    });
                }
                used.push((name.to_owned(), many));
            }
            let name = name.map(|name| template.name(name));
            template.places.push(MetavariableSlot {
                range: start..end,
                many,
                name,
            });
        }
        match template.places.len() {
            0..=MAX_METAVARIABLES => Ok(template),
            n => Err(PatternError::TooLarge {
                what: format!("{n} metavariables"),
            }),
        }
    }

    fn name(&mut self, name: &str) -> u16 {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        }) as u16
    }

    /// Writes the pattern into its surroundings; `forms[i]` says how place `i` is written.
    pub(super) fn render(&self, around: (&str, &str), forms: &[&str]) -> Rendered {
        let mut text = around.0.to_owned();
        let mut ranges = Vec::with_capacity(self.places.len());
        let mut at = 0;
        for ((idx, place), form) in self.places.iter().enumerate().zip(forms) {
            text.push_str(&self.text[at..place.range.start]);
            let start = text.len();
            text.push_str(&form.replace("{}", &grammar::placeholder(idx)));
            ranges.push(start..text.len());
            at = place.range.end;
        }
        text.push_str(&self.text[at..]);
        let body = around.0.len()..text.len();
        text.push_str(around.1);
        Rendered { text, ranges, body }
    }

    /// Where a byte of a rendered text lies in the pattern.
    pub(super) fn origin(&self, rendered: &Rendered, byte: usize) -> usize {
        let mut before = rendered.body.start;
        let mut at = 0;
        for (place, range) in self.places.iter().zip(&rendered.ranges) {
            if byte < range.start {
                break;
            }
            if byte < range.end {
                return place.range.start;
            }
            (before, at) = (range.end, place.range.end);
        }
        (at + byte.saturating_sub(before)).min(self.text.len())
    }

    /// A leaf's text with the metavariables as they were written.
    pub(super) fn restore(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (idx, place) in self.places.iter().enumerate() {
            text = text.replace(&grammar::placeholder(idx), &self.text[place.range.clone()]);
        }
        text
    }

    /// The first `$word` in lower case.
    pub(super) fn lower_case(&self) -> Option<&'p str> {
        let mut signs = self.text.match_indices('$');
        signs.find_map(|(at, _)| {
            let rest = &self.text[at + 1..];
            let len = rest
                .bytes()
                .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
                .count();
            (len > 0 && rest.starts_with(|char: char| char.is_ascii_lowercase()))
                .then(|| &rest[..len])
        })
    }
}

fn name_len(text: &str) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    let len = text.bytes().take_while(|byte| is_part(byte)).count();
    let starts_well = text.starts_with(|char: char| char.is_ascii_uppercase() || char == '_');
    let goes_on = text[len..].starts_with(|char: char| char.is_alphanumeric());
    if starts_well && !goes_on { len } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<String> {
        let template = Template::read(text, "javascript").unwrap();
        let place = |place: &MetavariableSlot| {
            format!("{}{}", &text[place.range.clone()], place.many as u8)
        };
        template.places.iter().map(place).collect()
    }

    #[test]
    fn metavariables_are_in_capitals() {
        assert_eq!(
            places("$F($$$, $_, $$$A1)"),
            ["$F0", "$$$1", "$_0", "$$$A11"]
        );
        assert!(places("$x + a$B + `${C}` + $Mixed").is_empty());
    }

    #[test]
    fn misuse_is_named() {
        let error = |text: &str| Template::read(text, "javascript").unwrap_err().to_string();
        assert!(
            error("f($$A)").contains("`$A` for one"),
            "{}",
            error("f($$A)")
        );
        assert!(error("f($A, $$$A)").contains("another name"));
    }

    #[test]
    fn a_place_is_found_back() {
        let template = Template::read("f($A, x)", "javascript").unwrap();
        let rendered = template.render(("ab", ""), &["{}"]);
        let byte = rendered.text.find('x').unwrap();
        assert_eq!(template.origin(&rendered, byte), 6);
        assert_eq!(template.restore(&rendered.text[2..]), "f($A, x)");
    }
}
