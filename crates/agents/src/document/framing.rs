//! Byte order mark and line ends: taken off before an edit, put on again after it.

const MARK: char = '\u{feff}';

/// How a text is wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextFraming {
    has_mark: bool,
    /// Every line ends with `\r\n`. Mixed ends stay as they are.
    has_crlf: bool,
}

impl TextFraming {
    pub(super) fn take_off(text: &str) -> (Self, String) {
        let body = text.strip_prefix(MARK).unwrap_or(text);
        let n_ends = body.matches('\n').count();
        let framing = Self {
            has_mark: body.len() < text.len(),
            has_crlf: n_ends > 0 && body.matches("\r\n").count() == n_ends,
        };
        let body = if framing.has_crlf {
            body.replace("\r\n", "\n")
        } else {
            body.to_owned()
        };
        (framing, body)
    }

    pub(super) fn put_on(self, text: &str) -> String {
        let text = if self.has_crlf {
            text.replace('\n', "\r\n")
        } else {
            text.to_owned()
        };
        if self.has_mark {
            format!("{MARK}{text}")
        } else {
            text
        }
    }
}
