//! All output. Results go to standard output, everything else to standard error.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;

use serde::Serialize;
use whyrank_system::visible;

/// Writes a line to standard output.
///
/// # Errors
///
/// When nobody reads any more, among others; the caller passes it on to `main`.
pub(crate) fn line(text: &str) -> anyhow::Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(shown(text, colours()).as_bytes())?;
    stdout.write_all(b"\n")?;
    Ok(stdout.flush()?)
}

/// Writes JSON to standard output, indented for people and on one line for programs.
///
/// # Errors
///
/// As [`line`].
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    if std::io::stdout().is_terminal() {
        line(&serde_json::to_string_pretty(value)?)
    } else {
        line(&serde_json::to_string(value)?)
    }
}

/// Writes bytes to standard output.
///
/// # Errors
///
/// As [`line`].
pub(crate) fn bytes(bytes: &[u8]) -> anyhow::Result<()> {
    Ok(std::io::stdout().lock().write_all(bytes)?)
}

/// Says something on standard error. Whether anyone hears it does not matter.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", shown(text, false));
}

/// A text without what commands a terminal, but for our own colours.
fn shown(text: &str, with_colours: bool) -> Cow<'_, str> {
    let Some((before, rest)) = text.split_once('\u{1b}').filter(|_| with_colours) else {
        return visible::text(text);
    };
    let mut shown = visible::text(before).into_owned();
    for part in rest.split('\u{1b}') {
        let colour = part.strip_prefix('[').and_then(|part| part.split_once('m'));
        match colour.filter(|(code, _)| COLOURS.contains(code)) {
            Some((code, text)) => {
                shown.push_str(&format!("\u{1b}[{code}m"));
                shown.push_str(&visible::text(text));
            }
            None => shown.push_str(&visible::text(&format!("\u{1b}{part}"))),
        }
    }
    Cow::Owned(shown)
}

/// Whether a person watches: both streams are terminals.
pub(crate) fn is_interactive() -> bool {
    std::io::stderr().is_terminal() && std::io::stdout().is_terminal()
}

/// What [`painted`] writes.
const COLOURS: [&str; 7] = ["0", "1", "2", "32", "33", "31", "1;33"];

/// A way to set text off on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    Bold,
    Dim,
    Green,
    Yellow,
    Red,
    Match,
}

/// Sets text off on standard output, where that is a terminal and `NO_COLOR` is not set.
pub(crate) fn paint(text: &str, paint: Paint) -> String {
    if colours() {
        painted(text, paint)
    } else {
        text.to_owned()
    }
}

fn painted(text: &str, paint: Paint) -> String {
    let code = match paint {
        Paint::Bold => "1",
        Paint::Dim => "2",
        Paint::Green => "32",
        Paint::Yellow => "33",
        Paint::Red => "31",
        Paint::Match => "1;33",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

fn colours() -> bool {
    static COLOURS: OnceLock<bool> = OnceLock::new();
    *COLOURS.get_or_init(|| {
        let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        !is_unwanted && !is_dumb && std::io::stdout().is_terminal()
    })
}

/// A line with ranges of UTF-16 units set off.
pub(crate) fn with_matches(text: &str, matches: &[(u32, u32)]) -> String {
    if colours() {
        marked(text, matches, |part| painted(part, Paint::Match))
    } else {
        text.to_owned()
    }
}

fn marked(text: &str, matches: &[(u32, u32)], mark: impl Fn(&str) -> String) -> String {
    let is_match = |unit: u32| {
        matches
            .iter()
            .any(|(start, end)| (*start..*end).contains(&unit))
    };
    let mut parts: Vec<(bool, String)> = Vec::new();
    let mut unit = 0;
    for character in text.chars() {
        let inside = is_match(unit);
        match parts.last_mut() {
            Some((last, part)) if *last == inside => part.push(character),
            _ => parts.push((inside, character.to_string())),
        }
        unit += character.len_utf16() as u32;
    }
    parts
        .iter()
        .map(|(inside, part)| if *inside { mark(part) } else { part.clone() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_our_colours_and_nothing_else() {
        let bold = painted("a\u{1b}]52;c;aGk=\u{7}\u{1b}[8m", Paint::Bold);
        let expected = "\u{1b}[1ma\\u001b]52;c;aGk=\\u0007\\u001b[8m\u{1b}[0m";
        assert_eq!(shown(&bold, true), expected);
        assert_eq!(shown("\u{1b}[1mx", false), "\\u001b[1mx");
    }

    #[test]
    fn matches_are_counted_in_utf16_units() {
        let mark =
            |text: &str, matches: &[(u32, u32)]| marked(text, matches, |part| format!("<{part}>"));
        assert_eq!(mark("let tax = 1", &[(4, 7)]), "let <tax> = 1");
        assert_eq!(mark("😀 tax", &[(3, 6)]), "😀 <tax>");
        assert_eq!(mark("tax", &[(0, 99)]), "<tax>");
        assert_eq!(mark("tax", &[]), "tax");
    }
}
