//! Text from repositories, memos and programs as it may be shown.
//!
//! A control character moves the cursor, sets the clipboard or ends a line that is not at its end; a
//! bidirectional mark lets code read otherwise than it runs; a letter that is not seen makes two names of
//! one. Each is shown as what it is. The window does the same in `ui/src/visible`; both are held to the cases
//! of `visible-cases.json`.

use std::borrow::Cow;

/// Makes text of several lines safe to show: line ends and tabs stay, and a carriage return before a line end goes.
///
/// O(bytes); text without such characters is given back as it is.
pub fn text(text: &str) -> Cow<'_, str> {
    escaped(text, |char| char == '\n' || char == '\t')
}

/// Makes a name, a path or one line safe to show: nothing in it starts a new line.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, |_| false)
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_shown = |before: Option<char>, char: char| {
        stays(char) || !is_hidden(char) || is_of_its_neighbour(before, char)
    };
    let mut before = None;
    let is_plain = text
        .chars()
        .all(|char| is_shown(before.replace(char), char));
    if is_plain {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\r' if stays('\n') && chars.peek() == Some(&'\n') => {}
            char if is_shown(before, char) => shown.push(char),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            // As JSON writes it, so that an answer as JSON stays what it was.
            char => char
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| shown.push_str(&format!("\\u{unit:04x}"))),
        }
        before = Some(char);
    }
    Cow::Owned(shown)
}

/// Control characters, line separators, and what is there and is not seen: what Unicode lets programs
/// ignore (bidirectional marks, fillers, tags, selectors), and the blank of Braille.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Says whether a hidden character is part of how the one before it looks: joiners in scripts and emoji, the
/// selector behind a sign, the byte order mark that a file begins with. Behind a letter of a name in ASCII
/// none of them is seen.
fn is_of_its_neighbour(before: Option<char>, char: char) -> bool {
    match char {
        '\u{200c}' | '\u{200d}' => before.is_some_and(|before| !before.is_ascii()),
        '\u{fe0e}' | '\u{fe0f}' => before.is_some_and(|before| {
            // Signs among which some count as letters: ℹ, Ⓜ.
            let is_sign = matches!(before, '\u{2100}'..='\u{2bff}') || !before.is_alphabetic();
            is_sign && !before.is_ascii() && !is_hidden(before)
        }),
        '\u{feff}' => before.is_none_or(char::is_whitespace),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_commands_a_terminal_is_shown() {
        assert_eq!(
            text("a\x1b]52;c;aGk=\x07b\u{9b}1m"),
            "a\\u001b]52;c;aGk=\\u0007b\\u009b1m"
        );
        assert_eq!(
            text("if \u{202e}x\u{2066} {\u{200b}"),
            "if \\u202ex\\u2066 {\\u200b"
        );
        assert_eq!(text("a\r\nb\rc"), "a\nb\\rc");
    }

    #[test]
    fn ordinary_text_is_given_back_as_it_is() {
        let plain = "fn main() {\n\tprintln!(\"häuser 日本 👩‍💻\");\n}";
        assert!(matches!(text(plain), Cow::Borrowed(same) if same == plain));
    }

    #[test]
    fn what_is_not_seen_is_shown_in_the_window_and_here_alike() {
        let cases = include_str!("visible-cases.json");
        let cases: Vec<[String; 2]> = serde_json::from_str(cases).expect("pairs");
        for [given, shown] in cases {
            assert_eq!(text(&given), shown);
            assert_eq!(text(&shown), shown, "shown once");
        }
    }

    #[test]
    fn what_unicode_lets_programs_ignore_is_hidden() {
        let ignored = regex::Regex::new(r"\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}");
        let ignored = ignored.expect("it is one");
        for char in ('\0'..=char::MAX).filter(|char| ignored.is_match(&char.to_string())) {
            assert!(is_hidden(char), "{:x}", u32::from(char));
        }
    }

    #[test]
    fn a_name_starts_no_line() {
        assert_eq!(line("a\n2. src/b.rs:1-9\t"), "a\\n2. src/b.rs:1-9\\t");
    }
}
