//! Text from repositories, memos and programs as it may be shown.
//!
//! A control character moves the cursor, sets the clipboard or ends a line that is not at its end; a
//! bidirectional mark lets code read otherwise than it runs. Each is shown as what it is.

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
    let is_plain = |char: char| stays(char) || !is_hidden(char);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '\r' if stays('\n') && chars.peek() == Some(&'\n') => {}
            char if is_plain(char) => shown.push(char),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            // As JSON writes it, so that an answer as JSON stays what it was.
            char => char
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| shown.push_str(&format!("\\u{unit:04x}"))),
        }
    }
    Cow::Owned(shown)
}

/// Control characters, line separators, bidirectional marks, tags, and what has no width at all: what
/// is there and is not seen. Joiners stay, scripts and emoji need them, and byte order marks, which
/// files begin with.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
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
    fn a_name_starts_no_line() {
        assert_eq!(line("a\n2. src/b.rs:1-9\t"), "a\\n2. src/b.rs:1-9\\t");
    }
}
